//! Bounded runs of both programs.

use std::process::Command;

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().expect("the program starts");
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    println!("{text}");
    assert!(output.status.success(), "{text}");
}

#[test]
fn a_minute_of_random_calls_breaks_nothing() {
    run(env!("CARGO_BIN_EXE_fuzz"), &["--seconds", "60", "--seed", "1"]);
}

#[test]
fn a_fiftieth_of_a_day_leaves_memory_and_handles_in_order() {
    run(env!("CARGO_BIN_EXE_soak"), &["--hours", "24", "--fraction", "50"]);
}
