//! Nothing: the package is the example `playground` and its test.
