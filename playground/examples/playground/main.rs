//! The playground: a window with the scenes, in which bodies are looked at, pulled and tuned.
//!
//! `cargo run --release --example playground`; `-- --help` tells the options.

mod app;
mod camera;
mod draw;
mod gpu;
mod graph;
mod options;
mod own;
mod paint;
mod panel;
#[path = "../../../tests/scenes/papers/mod.rs"]
mod papers;
mod pick;
mod play;
mod record;
mod script;
mod shaders;
mod shot;
mod solids;
#[path = "../../../examples/support/mod.rs"]
mod support;
mod text;
mod ui;
mod views;
mod weights;
mod window;

use std::process::ExitCode;

use options::{HELP, Options};
use papers::Setup;
use play::Play;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let options = Options::read(lexopt::Parser::from_env())?;
    if options.help {
        print!("{HELP}");
        return Ok(());
    }
    let mut play = Play::new(Setup { threads: 0, quick: options.quick });
    if options.list {
        for scene in &play.scenes {
            let variants: Vec<&str> = scene.variants.iter().map(|variant| variant.name).collect();
            println!("{:<20} {}\n{:<20}   {}", scene.name, scene.title, "", variants.join(", "));
        }
        return Ok(());
    }
    let scene = options.scene.as_deref().map_or(Ok(0), |name| play.find(name))?;
    let variant = match options.variant.as_deref() {
        Some(name) => play.find_variant(scene, name)?,
        None => play.first_variant(scene),
    };
    play.paused = options.paused;
    play.speed = options.speed.unwrap_or(1.0);
    play.begin(scene, variant);
    match options.record.clone() {
        Some(file) => record::film(play, &options, &file),
        None => window::open(play, options),
    }
}
