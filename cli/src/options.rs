//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use lexopt::prelude::*;
use wobble::{Amount, LevelsDef, Pattern, SamplingDef};

use crate::Fault;
use crate::run::Run;

pub enum Command {
    /// Of the command of that name, or of all.
    Help(Option<String>),
    Version,
    Bake(Box<Bake>),
    Info(PathBuf),
    Check(PathBuf),
    Run(Box<Run>),
}

/// What to bake, and how.
#[derive(Default)]
pub struct Bake {
    pub mesh: PathBuf,
    pub out: PathBuf,
    pub sampling: SamplingDef,
    pub levels: LevelsDef,
    pub scale: Option<f32>,
    /// The channel of the vertex colours that multiplies toughness.
    pub toughness: Option<usize>,
}

impl From<lexopt::Error> for Fault {
    fn from(error: lexopt::Error) -> Fault {
        Fault::Usage(error.to_string())
    }
}

pub fn read() -> Result<Command, Fault> {
    let mut parser = lexopt::Parser::from_env();
    let command = match parser.next()? {
        None | Some(Long("help") | Short('h')) => return Ok(Command::Help(None)),
        Some(Long("version") | Short('V')) => return Ok(Command::Version),
        Some(Value(name)) => name.string()?,
        Some(other) => return Err(other.unexpected().into()),
    };
    match command.as_str() {
        "bake" => bake(&mut parser),
        "info" => one_file(&mut parser, "info", Command::Info),
        "run" => run(&mut parser),
        "check" => one_file(&mut parser, "check", Command::Check),
        "help" => help(&mut parser),
        _ => Err(Fault::Usage(format!("there is no command {command:?}"))),
    }
}

/// `wobble help`, about a command or about all.
fn help(parser: &mut lexopt::Parser) -> Result<Command, Fault> {
    match parser.next()? {
        None | Some(Long("help") | Short('h')) => Ok(Command::Help(None)),
        Some(Value(name)) => help_on(&name.string()?),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn help_on(command: &str) -> Result<Command, Fault> {
    Ok(Command::Help(Some(command.into())))
}

/// A command that takes a file and nothing else.
fn one_file(
    parser: &mut lexopt::Parser,
    name: &str,
    command: fn(PathBuf) -> Command,
) -> Result<Command, Fault> {
    let mut file = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Long("help") | Short('h') => return help_on(name),
            Value(path) if file.is_none() => file = Some(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    file.map(command).ok_or_else(|| Fault::Usage("name the file".into()))
}

fn bake(parser: &mut lexopt::Parser) -> Result<Command, Fault> {
    let (mut bake, mut mesh, mut out) = (Bake::default(), None, None);
    while let Some(argument) = parser.next()? {
        let (sampling, levels) = (&mut bake.sampling, &mut bake.levels);
        match argument {
            Long("help") | Short('h') => return help_on("bake"),
            Value(path) if mesh.is_none() => mesh = Some(path.into()),
            Short('o') | Long("out") => out = Some(parser.value()?.into()),
            Long("particles") => sampling.amount = Amount::Count(number(parser, "--particles")?),
            Long("spacing") => sampling.amount = Amount::Spacing(number(parser, "--spacing")?),
            Long("pattern") => sampling.pattern = pattern(&parser.value()?.string()?)?,
            Long("hollow") => sampling.fill = false,
            Long("no-surface") => sampling.surface = false,
            Long("density") => sampling.density = number(parser, "--density")?,
            Long("thickness") => sampling.thickness = Some(number(parser, "--thickness")?),
            Long("levels") => levels.max_levels = number(parser, "--levels")?,
            Long("per-cluster") => levels.particles_per_cluster = number(parser, "--per-cluster")?,
            Long("seed") => {
                sampling.seed = number(parser, "--seed")?;
                levels.seed = sampling.seed;
            }
            Long("toughness") => bake.toughness = Some(channel(&parser.value()?.string()?)?),
            Long("scale") => bake.scale = Some(number(parser, "--scale")?),
            other => return Err(other.unexpected().into()),
        }
    }
    bake.mesh = mesh.ok_or_else(|| Fault::Usage("name the mesh to bake".into()))?;
    bake.out = out.ok_or_else(|| Fault::Usage("name the file to write with -o".into()))?;
    Ok(Command::Bake(Box::new(bake)))
}

fn run(parser: &mut lexopt::Parser) -> Result<Command, Fault> {
    let mut run = Run::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("help") | Short('h') => return help_on("run"),
            Value(name) if run.scene.is_none() => run.scene = Some(name.string()?),
            Long("variant") => run.variants.push(parser.value()?.string()?),
            Long("all") => run.all = true,
            Long("list") => run.list = true,
            Long("quick") => run.quick = true,
            Long("threads") => run.threads = Some(within(parser, "--threads", 0, 64)?),
            Long("record") => run.record = Some(parser.value()?.into()),
            Long("export") => run.export = Some(parser.value()?.into()),
            Long("width") => run.width = Some(within(parser, "--width", 32, 4096)? as usize & !1),
            Long("fps") => run.fps = Some(within(parser, "--fps", 1, 60)?),
            Short('o') | Long("out") => run.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Command::Run(Box::new(run)))
}

fn within(parser: &mut lexopt::Parser, option: &str, low: u32, high: u32) -> Result<u32, Fault> {
    let number = number(parser, option)?;
    if (low..=high).contains(&number) {
        return Ok(number);
    }
    Err(Fault::Usage(format!("{option} is {number}; it must be from {low} to {high}")))
}

fn number<T: FromStr>(parser: &mut lexopt::Parser, option: &str) -> Result<T, Fault> {
    let text = parser.value()?.string()?;
    text.parse().map_err(|_| Fault::Usage(format!("{option} is {text:?}, which is not such a number")))
}

fn channel(name: &str) -> Result<usize, Fault> {
    let known = ["red", "green", "blue", "alpha"].iter().position(|channel| *channel == name);
    known.ok_or_else(|| Fault::Usage(format!("--toughness is {name:?}, not red, green, blue or alpha")))
}

fn pattern(name: &str) -> Result<Pattern, Fault> {
    match name {
        "grid" => Ok(Pattern::Grid),
        "body-centred" => Ok(Pattern::BodyCentred),
        "blue-noise" => Ok(Pattern::BlueNoise),
        _ => Err(Fault::Usage(format!("--pattern is {name:?}, not grid, body-centred or blue-noise"))),
    }
}
