//! What the elastic core costs, in time and memory: `cargo xtask bench`.
//!
//! Prints a table and writes `target/bench.json`. `--only NAME` runs the rows whose
//! names start with NAME; `--smoke` runs all of them in miniature and writes
//! `target/bench-smoke.json`. A row outside its limit is marked, not fatal.

mod alloc;
mod floor;
mod harness;
#[path = "../../tests/scenes/mod.rs"]
mod points;
mod reference;
mod rows_capi;
mod rows_collide;
mod rows_csharp;
mod rows_drop;
mod rows_lasting;
mod rows_levels;
mod rows_memory;
mod rows_reference;
mod rows_rest;
mod rows_scale;
mod rows_skin;
mod rows_step;
mod scene;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

fn main() -> ExitCode {
    let mut bench = match harness::Bench::from_args(std::env::args()) {
        Ok(bench) => bench,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} hardware threads{}", bench.size("", ", smoke run: figures mean nothing"));
    let mut shapes = scene::Shapes::new(&bench);
    rows_step::run(&mut bench, &mut shapes);
    rows_levels::run(&mut bench, &mut shapes);
    rows_reference::run(&mut bench, &mut shapes);
    rows_scale::run(&mut bench, &mut shapes);
    rows_memory::run(&mut bench, &mut shapes);
    rows_capi::run(&mut bench);
    rows_csharp::run(&mut bench);
    rows_skin::run(&mut bench, &mut shapes);
    rows_drop::run(&mut bench);
    rows_rest::run(&mut bench);
    rows_collide::run(&mut bench);
    rows_lasting::run(&mut bench);
    match bench.finish() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the figures could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}
