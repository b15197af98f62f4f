//! `cargo xtask godot-movie`: films a demo scene by Godot's movie maker and puts it into `docs`.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::judge::Run;
use super::{Engine, Screen, prepared};
use crate::cargo::{root, succeeded};
use crate::tools::{self, FFMPEG, XVFB};

/// What is filmed, for how many pictures, and from which one on.
const SCENE: &str = "res://demos/bear_pile.tscn";
const PICTURES: u32 = 84;
const FIRST: u32 = 2;
const A_SECOND: u32 = 20;
/// Pixels of the film, a fourth of those that are drawn: that is what smooths its edges.
const WIDTH: u32 = 480;

pub fn run() -> Result<(), String> {
    let engine = Engine::find()?;
    tools::have(&[XVFB, FFMPEG])?;
    let project = prepared(&engine)?;
    let film = project.with_file_name("movie.avi");
    let screen = Screen::open()?;
    let (last, rate) = (PICTURES.to_string(), A_SECOND.to_string());
    let target = film.to_string_lossy();
    let size = format!("{}x{}", 2 * WIDTH, 2 * WIDTH * 9 / 16);
    let arguments = ["--rendering-driver", "opengl3", "--audio-driver", "Dummy", "--resolution", &size];
    let filming = ["--write-movie", &target, "--fixed-fps", &rate, "--quit-after", &last, SCENE];
    let run = Run::new(&engine, &project, "movie", &[&arguments[..], &filming[..]].concat());
    run.limit(Duration::from_secs(600)).with("DISPLAY", &screen.name).judge()?;
    let out = root().join("docs/godot.gif");
    succeeded(
        Command::new(FFMPEG.program)
            .args(["-loglevel", "error", "-y", "-i", &target, "-vf", &filter()])
            .arg(&out)
            .status(),
    )?;
    let bytes = fs::metadata(&out).map_err(|error| format!("{}: {error}", out.display()))?.len();
    println!("{} {} KB", out.display(), bytes / 1024);
    Ok(())
}

/// One palette for all pictures; where nothing moves, pixels stay as they are.
fn filter() -> String {
    format!(
        "trim=start_frame={FIRST},setpts=PTS-STARTPTS,scale={WIDTH}:-1:flags=area,split[a][b];\
         [a]palettegen=max_colors=128:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
    )
}
