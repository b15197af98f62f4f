//! A virtual screen, runs of the playground on it, and what is in the pictures.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The playground as cargo built it beside this test.
pub fn playground(arguments: &[&str]) -> Command {
    let test = std::env::current_exe().expect("this program has a path");
    let folder = test.ancestors().nth(2).expect("it lies in <target>/<profile>/deps");
    let program = folder.join("examples").join(format!("playground{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing; cargo test builds it", program.display());
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// A file of this name and of no other call.
pub fn file(name: &str) -> PathBuf {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{call}.png", std::process::id()))
}

/// A virtual screen, which ends with this.
pub struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    /// Starts Xvfb. `None`, and a line beginning with `skipped:`, where it is missing, but in CI a failure.
    pub fn open() -> Option<Screen> {
        let mut xvfb = Command::new("Xvfb");
        xvfb.args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"]);
        let started = xvfb.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut server) = started else {
            let in_ci = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
            assert!(!in_ci, "Xvfb is missing; the package xvfb has it");
            println!("skipped: Xvfb is missing, so the playground has no window");
            return None;
        };
        let mut number = String::new();
        let output = server.stdout.take().expect("the output is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb tells its number");
        Some(Screen { server, name: format!(":{}", number.trim()) })
    }

    /// Runs the playground to the end of its `--frames` and reads what it wrote.
    pub fn run(&self, scene: &[&str], options: &[&str]) -> Run {
        let shot = file("shot");
        let mut command = playground(scene);
        command.args(options).arg("--screenshot").arg(&shot);
        command.env("DISPLAY", &self.name).env("LIBGL_ALWAYS_SOFTWARE", "1");
        let output = command.output().expect("it starts");
        let (said, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{options:?}: {said}{errors}");
        let bodies: Vec<&str> = said.lines().filter(|line| line.starts_with("body ")).collect();
        let numbers = |text: &str| -> Vec<f32> {
            text.split([' ', ',', '[', ']']).filter_map(|word| word.parse().ok()).collect()
        };
        let of = |line: &&str| {
            let (centre, weights) = line.split_once("weights").expect("both are told");
            (numbers(centre.split_once("centre").expect("it is told").1), numbers(weights))
        };
        let bodies: Vec<(Vec<f32>, Vec<f32>)> = bodies.iter().map(of).collect();
        assert!(!bodies.is_empty(), "{said}");
        Run {
            picture: Picture::read(&shot),
            centres: bodies.iter().map(|(centre, _)| [centre[0], centre[1], centre[2]]).collect(),
            weights: bodies[0].1.clone(),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill().and_then(|()| self.server.wait());
    }
}

/// What a run left.
pub struct Run {
    pub picture: Picture,
    /// Of each body, metres.
    pub centres: Vec<[f32; 3]>,
    /// Of the first body's levels.
    pub weights: Vec<f32>,
}

pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

/// Pixels of the scene that have a colour, as bodies have and nothing else.
#[derive(Debug)]
pub struct Coloured {
    /// Of all pixels of the scene.
    pub share: f32,
    /// Column and row.
    pub middle: (f32, f32),
    /// The place nearest to that which is well inside a body.
    pub inside: (f32, f32),
}

/// Left of the scene is the panel, in its lower right corner the graph, at its top and bottom are words.
const SCENE: [usize; 4] = [310, 90, 1280, 630];

impl Picture {
    fn read(file: &Path) -> Picture {
        let decoder = png::Decoder::new(BufReader::new(File::open(file).expect("there is a picture")));
        let mut reader = decoder.read_info().expect("it is a PNG file");
        let mut bytes = vec![0; reader.output_buffer_size().expect("it has a size")];
        let info = reader.next_frame(&mut bytes).expect("it can be read");
        let pixels = bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Picture { width: info.width as usize, height: info.height as usize, pixels }
    }

    fn within(
        &self,
        [left, top, right, bottom]: [usize; 4],
    ) -> impl Iterator<Item = (usize, usize, [u8; 3])> {
        let (right, bottom) = (right.min(self.width), bottom.min(self.height));
        (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y, self.pixels[y * self.width + x])))
    }

    /// The share of an area whose pixels are of a kind.
    pub fn share_in(&self, area: [usize; 4], kind: impl Fn([u8; 3]) -> bool) -> f32 {
        let all = self.within(area).count();
        self.within(area).filter(|(.., pixel)| kind(*pixel)).count() as f32 / all as f32
    }

    /// The share of the scene that is another in another picture.
    pub fn share_changed(&self, other: &Picture) -> f32 {
        let pairs = self.within(SCENE).zip(other.within(SCENE));
        pairs.filter(|(a, b)| a != b).count() as f32 / self.within(SCENE).count() as f32
    }

    pub fn coloured(&self) -> Coloured {
        let found: Vec<(f32, f32)> = self
            .within(SCENE)
            .filter(|(.., pixel)| is_colourful(*pixel))
            .map(|(x, y, _)| (x as f32, y as f32))
            .collect();
        let count = found.len().max(1) as f32;
        let sum = found.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let middle = (sum.0 / count, sum.1 / count);
        let off = |at: &&(f32, f32)| (at.0 - middle.0).powi(2) + (at.1 - middle.1).powi(2);
        let inner = found.iter().filter(|at| self.is_colourful_about(**at));
        let inside = inner.min_by(|a, b| off(a).total_cmp(&off(b))).copied().unwrap_or(middle);
        Coloured { share: found.len() as f32 / self.within(SCENE).count() as f32, middle, inside }
    }

    fn is_colourful_about(&self, (x, y): (f32, f32)) -> bool {
        let (x, y) = (x as usize, y as usize);
        self.within([x - 8, y - 8, x + 9, y + 9]).all(|(.., pixel)| is_colourful(pixel))
    }
}

fn is_colourful([r, g, b]: [u8; 3]) -> bool {
    r.max(g).max(b) - r.min(g).min(b) > 90
}

/// Frames of an animated PNG file.
pub fn frames_of(file: &Path) -> u32 {
    let decoder = png::Decoder::new(BufReader::new(File::open(file).expect("there is a film")));
    let reader = decoder.read_info().expect("it is a PNG file");
    reader.info().animation_control().map_or(1, |control| control.num_frames)
}
