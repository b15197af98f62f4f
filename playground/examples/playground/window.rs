//! Opens the window, or says why there is none.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use miniquad::conf::{Conf, LinuxBackend, Platform};
use miniquad::{EventHandler, window};

use crate::app::App;
use crate::options::Options;
use crate::play::Play;

const NO_WINDOW: &str = "no window can be opened here; without one, `--record film.png` films the scene";

/// Shows the window until it is closed.
pub fn open(play: Play, options: Options) -> Result<(), String> {
    let backend = backend().ok_or_else(|| {
        format!("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so {NO_WINDOW}")
    })?;
    let (width, height) = options.size.unwrap_or((1280, 800));
    let conf = Conf {
        window_title: "Wobble playground".into(),
        window_width: width.into(),
        window_height: height.into(),
        high_dpi: true,
        sample_count: options.samples.map_or(4, |samples| samples as i32),
        icon: None,
        platform: Platform {
            linux_backend: backend,
            linux_wm_class: "wobble-playground",
            ..Platform::default()
        },
        ..Conf::default()
    };
    let opened = Arc::new(AtomicBool::new(false));
    let trouble = Arc::new(Mutex::new(None));
    let (was_opened, told) = (opened.clone(), trouble.clone());
    let hook = quiet_until(opened.clone());
    let shown = panic::catch_unwind(AssertUnwindSafe(|| {
        miniquad::start(conf, move || -> Box<dyn EventHandler> {
            was_opened.store(true, Ordering::Relaxed);
            match App::new(play, options) {
                Ok(app) => Box::new(app),
                Err(why) => {
                    *told.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(why);
                    Box::new(Closed)
                }
            }
        });
    }));
    drop(hook);
    match shown {
        Ok(()) => trouble.lock().unwrap_or_else(|poison| poison.into_inner()).take().map_or(Ok(()), Err),
        Err(fault) if opened.load(Ordering::Relaxed) => panic::resume_unwind(fault),
        Err(fault) => Err(format!("{}: {NO_WINDOW}", said(&*fault))),
    }
}

/// How to open a window on Linux; elsewhere it makes no difference. `None` without a display.
fn backend() -> Option<LinuxBackend> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match (set("DISPLAY"), set("WAYLAND_DISPLAY")) {
        (true, _) => Some(LinuxBackend::X11Only),
        (false, true) => Some(LinuxBackend::WaylandOnly),
        (false, false) if cfg!(target_os = "linux") => None,
        (false, false) => Some(LinuxBackend::X11Only),
    }
}

/// A handler of nothing, for a window in which nothing can be drawn.
struct Closed;

impl EventHandler for Closed {
    fn update(&mut self) {
        window::quit();
    }

    fn draw(&mut self) {}
}

/// miniquad panics where it cannot open a window. That is told in a sentence of ours; faults in an open
/// window are printed as always.
fn quiet_until(opened: Arc<AtomicBool>) -> impl Drop {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                drop(panic::take_hook());
            }
        }
    }
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if opened.load(Ordering::Relaxed) {
            usual(info);
        }
    }));
    Restore
}

/// The words of a panic.
fn said(fault: &(dyn std::any::Any + Send)) -> String {
    let words = fault.downcast_ref::<String>().cloned();
    words.or_else(|| fault.downcast_ref::<&str>().map(|words| words.to_string())).unwrap_or_default()
}
