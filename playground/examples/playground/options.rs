//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

use crate::script::Script;
use crate::views::View;

pub const HELP: &str = "\
Soft bodies to look at, pull and tune.

cargo run --release --example playground -- [OPTION]...

  --scene NAME         begin with this scene
  --variant NAME       and this variant of it
  --list               name all scenes and variants
  --view VIEW          mesh, particles or clusters
  --level N            whose clusters, 0 being the finest
  --proxies            show collision proxies
  --contacts           show contacts
  --paused             begin paused
  --speed FACTOR       slow motion, 0.02 to 1
  --quick              fewer particles
  --size WIDTHxHEIGHT  of the window or the film, points
  --samples N          that smooth edges, 1 to 16; 4 unless told, 1 is fastest where OpenGL is in software

without a window:
  --record FILE.png    film the scene into an animated PNG file, drawn in software
  --seconds N          how long it is

for tests and pictures:
  --frames N           play so many steps, one a frame, say where bodies are, and end
  --screenshot FILE    with the window as it is then
  --pointer SCRIPT     what the mouse does, as in '5 press 640 400, 40 move 800 250, 60 release 800 250'
";

#[derive(Default)]
pub struct Options {
    pub scene: Option<String>,
    pub variant: Option<String>,
    pub list: bool,
    pub help: bool,
    pub view: Option<View>,
    pub level: usize,
    pub proxies: bool,
    pub contacts: bool,
    pub paused: bool,
    pub speed: Option<f32>,
    pub quick: bool,
    pub size: Option<(u16, u16)>,
    pub samples: Option<f32>,
    pub record: Option<PathBuf>,
    pub seconds: Option<f32>,
    pub frames: Option<u32>,
    pub screenshot: Option<PathBuf>,
    pub pointer: Script,
}

impl Options {
    pub fn read(parser: lexopt::Parser) -> Result<Options, String> {
        let options = parsed(parser).map_err(|error| error.to_string())?;
        if options.screenshot.is_some() && options.frames.is_none() {
            return Err("--screenshot needs --frames, the steps to play before it".into());
        }
        Ok(options)
    }
}

fn parsed(mut parser: lexopt::Parser) -> Result<Options, lexopt::Error> {
    let mut options = Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("scene") => options.scene = Some(parser.value()?.string()?),
            Long("variant") => options.variant = Some(parser.value()?.string()?),
            Long("list") => options.list = true,
            Long("help") | Short('h') => options.help = true,
            Long("view") => options.view = Some(parser.value()?.parse_with(view)?),
            Long("level") => options.level = parser.value()?.parse()?,
            Long("proxies") => options.proxies = true,
            Long("contacts") => options.contacts = true,
            Long("paused") => options.paused = true,
            Long("speed") => {
                options.speed = Some(parser.value()?.parse_with(|text| within(text, 0.02, 1.0))?)
            }
            Long("quick") => options.quick = true,
            Long("size") => options.size = Some(parser.value()?.parse_with(size)?),
            Long("samples") => {
                options.samples = Some(parser.value()?.parse_with(|text| within(text, 1.0, 16.0))?)
            }
            Long("record") => options.record = Some(parser.value()?.into()),
            Long("seconds") => {
                options.seconds = Some(parser.value()?.parse_with(|text| within(text, 0.1, 600.0))?);
            }
            Long("frames") => options.frames = Some(parser.value()?.parse()?),
            Long("screenshot") => options.screenshot = Some(parser.value()?.into()),
            Long("pointer") => options.pointer = parser.value()?.parse_with(Script::read)?,
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(options)
}

fn view(text: &str) -> Result<View, String> {
    let found = View::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
    found.map(|(view, _)| *view).ok_or_else(|| format!("{text:?} is none of mesh, particles and clusters"))
}

fn within(text: &str, least: f32, most: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{text:?} is no number from {least} to {most}"))
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let fits = |&(w, h): &(u16, u16)| (64..=8192).contains(&w) && (64..=8192).contains(&h);
    sides.filter(fits).ok_or_else(|| format!("{text:?} is no size such as 1280x800, 64 to 8192 each"))
}
