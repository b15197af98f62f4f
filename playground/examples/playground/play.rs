//! What is played: the scene, its clock, and what the sliders do to its bodies.

use std::collections::VecDeque;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wobble::{Body, BodyId, Error, Profile};

use crate::own;
use crate::papers::{Scene, Setup, Stage, Variant};

/// Steps whose times are kept.
pub const REMEMBERED: usize = 240;
/// The longest that a frame may step: what is too slow for real time then plays slower.
const LONGEST: Duration = Duration::from_millis(30);

pub struct Play {
    pub scenes: Vec<&'static Scene>,
    pub scene: usize,
    pub variant: usize,
    setup: Setup,
    pub stage: Option<Stage>,
    building: Option<JoinHandle<Result<Stage, Error>>>,
    pub paused: bool,
    /// Seconds of the scene in a second.
    pub speed: f32,
    /// Seconds of the scene that are due.
    due: f32,
    /// Of the last steps, the latest last.
    pub times: VecDeque<Profile>,
    /// The body that sliders act on; none for all.
    pub chosen: Option<usize>,
    /// What went wrong last.
    pub trouble: Option<String>,
}

impl Play {
    pub fn new(setup: Setup) -> Play {
        Play {
            scenes: own::scenes(),
            scene: 0,
            variant: 0,
            setup,
            stage: None,
            building: None,
            paused: false,
            speed: 1.0,
            due: 0.0,
            times: VecDeque::new(),
            chosen: None,
            trouble: None,
        }
    }

    pub fn scene(&self) -> &'static Scene {
        self.scenes[self.scene]
    }

    fn chosen_variant(&self) -> &'static Variant {
        &self.scene().variants[self.variant]
    }

    /// The number of the scene of that name.
    pub fn find(&self, name: &str) -> Result<usize, String> {
        let known = || self.scenes.iter().map(|scene| scene.name).collect::<Vec<_>>().join(", ");
        let found = self.scenes.iter().position(|scene| scene.name == name);
        found.ok_or_else(|| format!("there is no scene {name:?}; there are {}", known()))
    }

    /// The variant that a scene begins with: that of equal weights, which has levels to tune, or else the first.
    pub fn first_variant(&self, scene: usize) -> usize {
        self.scenes[scene].variants.iter().position(|variant| variant.name == "uniform").unwrap_or(0)
    }

    /// The number of the variant of that name.
    pub fn find_variant(&self, scene: usize, name: &str) -> Result<usize, String> {
        let variants = self.scenes[scene].variants;
        let known = || variants.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
        let found = variants.iter().position(|variant| variant.name == name);
        found.ok_or_else(|| format!("there is no variant {name:?} of this scene; there are {}", known()))
    }

    /// Takes up a scene from the beginning. Large ones take seconds to build, so that is done aside.
    pub fn begin(&mut self, scene: usize, variant: usize) {
        (self.scene, self.variant, self.chosen) = (scene, variant, None);
        let (build, setup) = (self.chosen_variant().build, self.setup);
        self.building = Some(thread::spawn(move || build(&setup)));
    }

    pub fn is_building(&self) -> bool {
        self.building.is_some()
    }

    /// Takes over the scene that is being built once it is ready, or waits for it; whether there is a new one.
    pub fn take_over(&mut self, wait: bool) -> bool {
        let Some(builder) = self.building.take_if(|builder| wait || builder.is_finished()) else {
            return false;
        };
        self.times.clear();
        self.due = 0.0;
        let told = match builder.join() {
            Ok(Ok(stage)) => {
                (self.stage, self.trouble) = (Some(stage), None);
                return true;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the scene could not be built".into(),
        };
        self.trouble = Some(told);
        false
    }

    /// Plays on by so many seconds of the user's time.
    pub fn advance(&mut self, seconds: f32) {
        let Some(dt) = self.stage.as_ref().map(|stage| stage.dt) else { return };
        if self.paused {
            return;
        }
        let start = Instant::now();
        self.due += seconds.min(0.1) * self.speed;
        while self.due >= dt {
            self.due -= dt;
            self.step();
            if start.elapsed() > LONGEST {
                self.due = self.due.min(dt);
                break;
            }
        }
    }

    /// One step of the scene.
    pub fn step(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        if let Err(error) = stage.step() {
            self.trouble = Some(error.to_string());
            self.paused = true;
            return;
        }
        if self.times.len() == REMEMBERED {
            self.times.pop_front();
        }
        self.times.push_back(stage.world.profile());
    }

    /// One step while paused, shown to its end.
    pub fn step_once(&mut self) {
        self.paused = true;
        self.step();
        self.due = self.stage.as_ref().map_or(0.0, |stage| stage.dt);
    }

    /// How far from the state before the last step to that after it the picture is.
    pub fn fraction(&self) -> f32 {
        self.stage.as_ref().map_or(1.0, |stage| (self.due / stage.dt).clamp(0.0, 1.0))
    }

    /// The last step is shown as it ended, whatever the clock says.
    pub fn show_end(&mut self) {
        self.due = self.stage.as_ref().map_or(0.0, |stage| stage.dt);
    }

    /// All bodies there are, pieces that broke off included.
    pub fn bodies(&self) -> Vec<BodyId> {
        self.stage.iter().flat_map(|stage| stage.world.bodies().map(|(id, _)| id)).collect()
    }

    /// The body whose values the sliders show.
    pub fn shown_body(&self) -> Option<&Body> {
        let world = &self.stage.as_ref()?.world;
        world.bodies().nth(self.chosen.unwrap_or(0)).map(|(_, body)| body)
    }

    /// Changes the chosen body, or all; what is refused is told.
    pub fn tune(&mut self, change: impl Fn(&mut Body) -> Result<(), Error>) {
        let ids = self.bodies();
        let Some(stage) = &mut self.stage else { return };
        for (i, id) in ids.iter().enumerate() {
            if self.chosen.is_none_or(|chosen| chosen == i) {
                let changed = stage.world.body_mut(*id).and_then(|body| {
                    body.wake();
                    change(body)
                });
                self.trouble = changed.err().map(|error| error.to_string()).or(self.trouble.take());
            }
        }
    }
}
