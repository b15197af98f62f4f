//! What the loop of a game costs from C# over C, under Mono: `benches/csharp`, which `cargo xtask bench` builds.

use std::process::Command;

use crate::harness::{Bench, Limit};

/// All rows of this file. Told, not measured, where there is no Mono.
pub fn run(bench: &mut Bench) {
    if !bench.wants(&["csharp.over_c"]) {
        return;
    }
    let Some(folder) = std::env::var_os("WOBBLE_CSHARP_LOOP") else {
        return println!("skipped: csharp.over_c needs Mono and a C compiler, and `cargo xtask bench`");
    };
    let mut mono = Command::new("mono");
    mono.arg("Loop.exe").args(bench.size(None, Some("--smoke"))).current_dir(&folder);
    mono.env("LD_LIBRARY_PATH", &folder);
    let output = mono.output().expect("mono was there when the loop was built");
    assert!(output.status.success(), "the loop failed: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[c, sharp, particles] = &numbers[..] else { panic!("the loop said {said:?}") };
    bench.tell("csharp.particles_a_body", particles);
    bench.tell("csharp.c_ms", c * 1e3);
    bench.tell("csharp.csharp_ms", sharp * 1e3);
    bench.row("csharp.over_c", sharp / c, Limit::AtMost(1.1));
}
