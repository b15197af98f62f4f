//! The C tests leave out no function of the header.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of those files of `tests/c` whose names begin with one of these.
fn tests(beginnings: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let names = std::fs::read_dir(folder).expect("tests/c").map(|entry| entry.expect("an entry").file_name());
    names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
        .map(|name| read(&format!("tests/c/{name}")))
        .collect()
}

/// Name and parameters of every function.
fn functions(header: &str) -> Vec<(&str, &str)> {
    let declarations =
        header.split("*/\n").skip(1).filter_map(|text| text.split_once(");").map(|(text, _)| text));
    let functions = declarations.filter_map(|text| text.split_once('('));
    functions
        .filter_map(|(start, rest)| Some((start.rsplit([' ', '*']).next()?, rest)))
        .filter(|(name, _)| name.starts_with("wobble_"))
        .collect()
}

fn missing<'a>(functions: impl Iterator<Item = &'a str>, tests: &str) -> Vec<&'a str> {
    functions.filter(|name| !tests.contains(&format!("{name}("))).collect()
}

#[test]
fn every_function_is_tried_for_what_it_does() {
    let header = read("include/wobble.h");
    let functions = functions(&header);
    assert!(functions.len() > 80, "found only {} functions", functions.len());
    let tests = tests(&["check.h", "api_", "save"]);
    assert_eq!(missing(functions.iter().map(|(name, _)| *name), &tests), [""; 0]);
}

#[test]
fn every_function_that_takes_a_handle_is_given_wrong_ones() {
    let header = read("include/wobble.h");
    let handles = [
        "struct WobbleWorld world",
        "struct WobbleShape shape",
        "struct WobbleBody body",
        "struct WobbleCollider collider",
        "struct WobbleAttachment attachment",
        "struct WobbleField field",
    ];
    let functions = functions(&header);
    let takes_handle =
        functions.iter().filter(|(_, parameters)| handles.iter().any(|handle| parameters.contains(handle)));
    assert_eq!(missing(takes_handle.map(|(name, _)| *name), &tests(&["misuse_handles"])), [""; 0]);
}

#[test]
fn every_function_that_takes_a_pointer_is_given_null() {
    let header = read("include/wobble.h");
    let functions = functions(&header);
    let takes_pointer = functions
        .iter()
        .filter(|(name, parameters)| parameters.contains('*') && *name != "wobble_body_teleport");
    assert_eq!(missing(takes_pointer.map(|(name, _)| *name), &tests(&["misuse_pointers"])), [""; 0]);
}
