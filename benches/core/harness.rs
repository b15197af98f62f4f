//! Timing, limits, the table and the file.
//!
//! A machine shared with others is noisy and slows down by the minute, so nothing
//! is compared with a number from another run: contestants take turns, each keeps
//! its best time, and rows are ratios of those. What a row measures beside its
//! ratio (plain nanoseconds, memberships) is told without a limit.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// What a row must keep to.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Told, not judged.
    None,
    /// Larger is worse.
    AtMost(f64),
    /// Smaller is worse.
    AtLeast(f64),
    /// Neither below the first nor above the second.
    Within(f64, f64),
}

impl Limit {
    fn keeps(self, value: f64) -> bool {
        match self {
            Limit::None => true,
            Limit::AtMost(limit) => value <= limit,
            Limit::AtLeast(limit) => value >= limit,
            Limit::Within(low, high) => (low..=high).contains(&value),
        }
    }

    fn verdict(self, value: f64) -> &'static str {
        match self {
            Limit::None => "",
            _ if self.keeps(value) => "ok",
            Limit::AtMost(_) => "OVER",
            Limit::AtLeast(_) => "UNDER",
            Limit::Within(low, _) => {
                if value < low {
                    "UNDER"
                } else {
                    "OVER"
                }
            }
        }
    }

    fn text(self) -> String {
        match self {
            Limit::None => String::new(),
            Limit::AtMost(limit) => format!("<= {}", digits(limit)),
            Limit::AtLeast(limit) => format!(">= {}", digits(limit)),
            Limit::Within(low, high) => format!("{}..{}", digits(low), digits(high)),
        }
    }
}

/// One run of the benchmark: what was asked for and what was found.
pub struct Bench {
    only: Option<String>,
    smoke: bool,
    rows: Vec<(String, f64, Limit)>,
    started: Instant,
}

impl Bench {
    /// Reads the command line; cargo's own `--bench` means nothing here.
    pub fn from_args(args: impl Iterator<Item = String>) -> Result<Bench, String> {
        let mut bench = Bench { only: None, smoke: false, rows: Vec::new(), started: Instant::now() };
        let mut args = args.skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => {}
                "--smoke" => bench.smoke = true,
                "--only" => bench.only = Some(args.next().ok_or("--only needs the start of a row's name")?),
                other => return Err(format!("unknown argument {other}; known: --only NAME, --smoke")),
            }
        }
        Ok(bench)
    }

    /// True for the tiny version that only shows that every row runs.
    pub fn smoke(&self) -> bool {
        self.smoke
    }

    /// `full`, or `tiny` in a smoke run.
    pub fn size<T>(&self, full: T, tiny: T) -> T {
        if self.smoke { tiny } else { full }
    }

    /// Whether any of `names`, or a row below one of them, is asked for.
    pub fn wants(&self, names: &[&str]) -> bool {
        let Some(only) = &self.only else { return true };
        names.iter().any(|name| name.starts_with(only) || only.starts_with(name))
    }

    /// Records and prints a row, if it is asked for.
    pub fn row(&mut self, name: impl Into<String>, value: f64, limit: Limit) {
        let name = name.into();
        assert!(value.is_finite(), "{name} is {value}");
        if self.only.as_ref().is_some_and(|only| !name.starts_with(only)) {
            return;
        }
        let limit = if self.smoke { Limit::None } else { limit };
        println!("{name:<44} {:>12}  {:<10} {}", digits(value), limit.text(), limit.verdict(value));
        self.rows.push((name, value, limit));
    }

    /// A row that is told, not judged.
    pub fn tell(&mut self, name: impl Into<String>, value: f64) {
        self.row(name, value, Limit::None);
    }

    /// Best seconds of each contestant over rounds in which all take their turn; each
    /// returns what one go of it took. Those that are quick go several times a turn, so
    /// that all turns are of one length and whoever else uses the machine disturbs them
    /// alike. Every other round runs backwards, so that none always finds the caches as
    /// one particular other left them.
    pub fn race(&self, contestants: &mut [&mut dyn FnMut() -> f64]) -> Vec<f64> {
        self.race_for(5.0, contestants)
    }

    /// The same over so many seconds: what takes long, and waits for memory that others use as well, has few quiet turns.
    pub fn race_for(&self, seconds: f64, contestants: &mut [&mut dyn FnMut() -> f64]) -> Vec<f64> {
        let (budget, fewest, shortest) = self.size((seconds, 5, 20e-3), (0.0, 2, 0.0));
        let warm: Vec<f64> = contestants.iter_mut().map(|go| go().min(go())).collect();
        let turn = warm.iter().copied().fold(shortest, f64::max);
        let goes: Vec<u32> = warm.iter().map(|once| (turn / once).round() as u32).collect();
        let mut best = warm;
        let (started, mut round) = (Instant::now(), 0);
        while round < fewest || started.elapsed().as_secs_f64() < budget {
            for i in 0..contestants.len() {
                let i = if round % 2 == 0 { i } else { contestants.len() - 1 - i };
                // The others have emptied the caches; a game steps the same world again and again.
                contestants[i]();
                let total: f64 = (0..goes[i]).map(|_| contestants[i]()).sum();
                let mean = total / f64::from(goes[i]);
                best[i] = if round == 0 { mean } else { best[i].min(mean) };
            }
            round += 1;
        }
        best
    }

    /// The last lines of the table, and the file.
    pub fn finish(&self) -> std::io::Result<()> {
        println!("\n{} rows in {:.0} s", self.rows.len(), self.started.elapsed().as_secs_f64());
        for (name, value, limit) in &self.rows {
            if !limit.keeps(*value) {
                println!("outside its limit: {name} is {}, wanted {}", digits(*value), limit.text());
            }
        }
        // Cargo runs benchmarks in the package's directory.
        let path = Path::new("target").join(self.size("bench.json", "bench-smoke.json"));
        std::fs::create_dir_all("target")?;
        std::fs::write(&path, self.json())?;
        println!("written to {}", path.display());
        Ok(())
    }

    fn json(&self) -> String {
        let mut text = String::from("{");
        for (i, (name, value, _)) in self.rows.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(text, "{comma}\n  \"{name}\": {value}").expect("a String takes everything");
        }
        text.push_str("\n}\n");
        text
    }
}

/// Seconds that `work` takes.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
}

/// Four significant digits, without an exponent.
fn digits(value: f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (3 - magnitude).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}
