//! The window: events in, a frame out.

use std::time::Instant;

use glam::{Vec2, Vec3, vec2};
use miniquad::{EventHandler, KeyCode, KeyMods, MouseButton, window};
use wobble::Error;

use crate::camera::Orbit;
use crate::draw::{Canvas, Frame};
use crate::options::Options;
use crate::paint::{Area, Corner};
use crate::panel;
use crate::pick::Hand;
use crate::play::Play;
use crate::script::Deed;
use crate::shot;
use crate::text::Letters;
use crate::ui::Ui;
use crate::views::{Look, Painter, Picture, View};

/// What a mouse button does to the scene while it is down.
enum Grip {
    Nothing,
    Body(Hand),
    Turn,
    Pan,
}

pub struct App {
    canvas: Canvas,
    ui: Ui,
    play: Play,
    painter: Painter,
    look: Look,
    camera: Orbit,
    /// Eye and target that the scene gave.
    home: (Vec3, Vec3),
    /// Middle and reach of what is lit, metres.
    lit: (Vec3, f32),
    grip: Grip,
    options: Options,
    frame: u32,
    start: Instant,
    last: Instant,
}

impl App {
    /// Opens everything in a window that is there.
    pub fn new(play: Play, options: Options) -> Result<App, String> {
        let mut canvas = Canvas::new(window::new_rendering_backend())?;
        let letters = Letters::new(&mut *canvas.gpu, pixels_a_point())?;
        let look = Look {
            view: options.view.unwrap_or(View::Mesh),
            level: options.level,
            proxies: options.proxies,
            contacts: options.contacts,
        };
        let now = Instant::now();
        let mut app = App {
            canvas,
            ui: Ui::new(letters),
            play,
            painter: Painter::new(),
            look,
            camera: Orbit::new(Vec3::new(0.0, 1.5, 6.0), Vec3::Y),
            home: (Vec3::ZERO, Vec3::ZERO),
            lit: (Vec3::ZERO, 4.0),
            grip: Grip::Nothing,
            options,
            frame: 0,
            start: now,
            last: now,
        };
        let wait = app.options.frames.is_some();
        app.take_over(wait);
        Ok(app)
    }

    /// Goes over to the scene that was built, if one is ready.
    fn take_over(&mut self, wait: bool) {
        if !self.play.take_over(wait) {
            return;
        }
        self.grip = Grip::Nothing;
        self.painter.forget();
        if let Some(stage) = &self.play.stage {
            self.canvas.take_up(&stage.world);
            // A scene that begins anew is looked at from where it was.
            if self.home != (stage.eye, stage.target) {
                self.home = (stage.eye, stage.target);
                self.camera = Orbit::new(stage.eye, stage.target);
            }
            self.lit = (stage.target, (0.9 * stage.eye.distance(stage.target)).max(2.5));
        }
    }

    fn layout(&self) -> (Area, Vec2, f32) {
        let scale = pixels_a_point();
        let window = Vec2::from(window::screen_size()) / scale;
        (Area { from: vec2(panel::WIDTH, 0.0), to: window.max(vec2(panel::WIDTH + 1.0, 1.0)) }, window, scale)
    }

    /// The line of sight at a place of the window.
    fn sight(&self, at: Vec2) -> Vec3 {
        let (scene, ..) = self.layout();
        let place = (at - scene.middle()) / (scene.size() * 0.5);
        self.camera.ray(vec2(place.x, -place.y), scene.size().x / scene.size().y)
    }

    fn press(&mut self, button: MouseButton, at: Vec2) {
        self.ui.mouse.at = at;
        if self.ui.has_mouse() {
            (self.ui.mouse.down, self.ui.mouse.pressed) = (true, true);
            return;
        }
        // Lets an open list close.
        self.ui.mouse.pressed = true;
        self.grip = match button {
            MouseButton::Left => match self.take(at) {
                Ok(Some(hand)) => Grip::Body(hand),
                Ok(None) => Grip::Turn,
                Err(error) => {
                    self.play.trouble = Some(error.to_string());
                    Grip::Turn
                }
            },
            _ => Grip::Pan,
        };
    }

    /// Takes hold of the body under the pointer.
    fn take(&mut self, at: Vec2) -> Result<Option<Hand>, Error> {
        let (eye, along) = (self.camera.eye(), self.sight(at));
        let Some(stage) = &mut self.play.stage else { return Ok(None) };
        Hand::take(&mut stage.world, eye, along)
    }

    fn follow(&mut self, at: Vec2) {
        let by = at - self.ui.mouse.at;
        self.ui.mouse.at = at;
        match &self.grip {
            Grip::Turn => self.camera.turn(by),
            Grip::Pan => self.camera.pan(by, self.layout().1.y),
            Grip::Body(_) | Grip::Nothing => {}
        }
    }

    /// Keeps the body in hand under the pointer, also when the pointer rests.
    fn pull(&mut self) {
        let (eye, along, forward) = (self.camera.eye(), self.sight(self.ui.mouse.at), self.camera.forward());
        if let (Grip::Body(hand), Some(stage)) = (&mut self.grip, &mut self.play.stage)
            && hand.follow(&mut stage.world, eye, along, forward).is_err()
        {
            // What was held is gone: it broke, or the scene ended.
            self.grip = Grip::Nothing;
        }
    }

    fn release(&mut self, at: Vec2) {
        self.follow(at);
        (self.ui.mouse.down, self.ui.mouse.released) = (false, true);
        let grip = std::mem::replace(&mut self.grip, Grip::Nothing);
        if let (Grip::Body(hand), Some(stage)) = (grip, &mut self.play.stage) {
            // A hold that has ended by itself needs no letting go.
            let _ = hand.let_go(&mut stage.world);
        }
    }

    fn press_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Space => self.play.paused = !self.play.paused,
            KeyCode::S => self.play.step_once(),
            KeyCode::R => self.play.begin(self.play.scene, self.play.variant),
            KeyCode::Key1 => self.look.view = View::Mesh,
            KeyCode::Key2 => self.look.view = View::Particles,
            KeyCode::Key3 => self.look.view = View::Clusters,
            KeyCode::P => self.look.proxies = !self.look.proxies,
            KeyCode::C => self.look.contacts = !self.look.contacts,
            KeyCode::Escape => window::quit(),
            _ => {}
        }
    }

    /// A frame of a run by script: the pointer, then one step.
    fn play_script(&mut self) {
        match self.options.pointer.at(self.frame) {
            Some((Deed::Press, at)) => self.press(MouseButton::Left, at),
            Some((Deed::Move, at)) => self.follow(at),
            Some((Deed::Release, at)) => self.release(at),
            None => {}
        }
        self.pull();
        if !self.play.paused {
            self.play.step();
        }
        self.play.show_end();
    }

    fn paint(&mut self) -> Picture {
        let fraction = self.play.fraction();
        let Some(stage) = &self.play.stage else { return Picture::default() };
        match self.painter.paint(&stage.world, &stage.drawn, &self.look, fraction) {
            Ok(mut picture) => {
                if let Grip::Body(hand) = &self.grip {
                    picture.add_hand(hand);
                }
                picture.sort(self.camera.eye());
                picture
            }
            Err(error) => {
                self.play.trouble = Some(error.to_string());
                Picture::default()
            }
        }
    }

    fn draw_frame(&mut self, scene: Area, window: Vec2, scale: f32, corners: &[Corner]) {
        let picture = self.paint();
        let frame = Frame { camera: &self.camera, lit: self.lit, scene, window, scale };
        let world = self.play.stage.as_ref().map(|stage| &stage.world);
        self.canvas.draw(&frame, world, &picture);
        self.canvas.finish(&frame, corners, self.ui.letters.texture);
    }

    /// Ends a run by script: the picture, and where bodies are.
    fn end_script(&mut self) {
        if let Some(file) = &self.options.screenshot
            && let Err(error) = shot::write(file)
        {
            eprintln!("error: {}: {error}", file.display());
            std::process::exit(1);
        }
        let milliseconds = self.start.elapsed().as_secs_f32() * 1e3 / self.frame.max(1) as f32;
        println!("{} frames, {milliseconds:.1} ms each", self.frame);
        let bodies = self.play.stage.iter().flat_map(|stage| stage.world.bodies());
        for (i, (_, body)) in bodies.enumerate() {
            let [x, y, z] = body.centre_of_mass().to_array();
            println!("body {}: centre {x:.4} {y:.4} {z:.4}, weights {:?}", i + 1, body.level_weights());
        }
        window::quit();
    }
}

impl EventHandler for App {
    fn update(&mut self) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f32();
        self.last = now;
        if self.options.frames.is_some() {
            self.take_over(true);
            if self.frame < self.options.frames.unwrap_or(0) {
                self.play_script();
            }
        } else {
            self.take_over(false);
            self.pull();
            self.play.advance(seconds);
        }
    }

    fn draw(&mut self) {
        let (scene, window, scale) = self.layout();
        panel::show(&mut self.ui, window, &mut self.play, &mut self.look);
        let corners = self.ui.end();
        let last = self.options.frames.is_some_and(|frames| self.frame >= frames);
        // Of a run that ends in a picture only that is drawn.
        if last || self.options.screenshot.is_none() {
            self.draw_frame(scene, window, scale, &corners);
        }
        if last {
            self.end_script();
        }
        self.frame += 1;
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.follow(vec2(x, y) / pixels_a_point());
    }

    fn mouse_wheel_event(&mut self, _x: f32, y: f32) {
        if self.ui.has_mouse() {
            self.ui.mouse.wheel += y.signum();
        } else {
            self.camera.zoom(y.signum());
        }
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.press(button, vec2(x, y) / pixels_a_point());
    }

    fn mouse_button_up_event(&mut self, _button: MouseButton, x: f32, y: f32) {
        self.release(vec2(x, y) / pixels_a_point());
    }

    fn key_down_event(&mut self, key: KeyCode, _mods: KeyMods, repeat: bool) {
        if !repeat || key == KeyCode::S {
            self.press_key(key);
        }
    }
}

fn pixels_a_point() -> f32 {
    if window::high_dpi() { window::dpi_scale().max(1.0) } else { 1.0 }
}
