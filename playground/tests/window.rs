//! The playground in a window on a virtual screen, with OpenGL in software: what is seen in it, and
//! what a pointer does there.

mod screen;

use screen::{Screen, playground};

/// The scene of these tests, small and the same each time.
const SCENE: [&str; 5] = ["--quick", "--scene", "gummy-bears", "--samples", "1"];

#[test]
fn every_view_shows_the_bodies_and_that_they_fall() {
    let Some(screen) = Screen::open() else { return };
    for view in ["mesh", "particles", "clusters"] {
        let [early, late] =
            ["1", "20"].map(|frames| screen.run(&SCENE, &["--view", view, "--frames", frames]));
        let [before, after] = [&early, &late].map(|run| run.picture.coloured());
        assert!(before.share > 0.02 && after.share > 0.02, "{view}: {before:?} {after:?}");
        assert!(after.middle.1 > before.middle.1 + 20.0, "{view}: {before:?} {after:?}");
        assert!(late.centres[0][1] < early.centres[0][1] - 0.2, "{:?} {:?}", early.centres, late.centres);
    }
}

#[test]
fn the_panel_is_full_of_letters_and_the_views_differ() {
    let Some(screen) = Screen::open() else { return };
    let views = ["mesh", "particles", "clusters"];
    let runs = views.map(|view| screen.run(&SCENE, &["--view", view, "--frames", "30"]));
    for run in &runs {
        let ink = run.picture.share_in([0, 0, 300, 780], |[r, g, b]| r.min(g).min(b) > 150);
        assert!((0.01..0.2).contains(&ink), "{ink} of the panel is ink");
    }
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        let changed = runs[a].picture.share_changed(&runs[b].picture);
        assert!(changed > 0.01, "{} and {} differ in {changed}", views[a], views[b]);
    }
}

#[test]
fn proxies_and_contacts_are_drawn_when_asked_for() {
    let Some(screen) = Screen::open() else { return };
    let plain = screen.run(&SCENE, &["--frames", "70"]);
    let again = screen.run(&SCENE, &["--frames", "70"]);
    assert_eq!(plain.picture.share_changed(&again.picture), 0.0, "the same run gives the same picture");
    for (option, least) in [("--proxies", 0.01), ("--contacts", 0.0003)] {
        let shown = screen.run(&SCENE, &["--frames", "70", option]);
        let changed = plain.picture.share_changed(&shown.picture);
        assert!(changed > least, "{option} changes {changed} of the picture");
        assert_eq!(plain.centres, shown.centres, "looking changes nothing");
    }
}

#[test]
fn a_body_follows_the_pointer_that_drags_it() {
    let Some(screen) = Screen::open() else { return };
    let (x, y) = screen.run(&SCENE, &["--frames", "60"]).picture.coloured().inside;
    let pointer = format!("61 press {x} {y}, 90 move {} {}", x - 40.0, y - 220.0);
    let left = screen.run(&SCENE, &["--frames", "140"]);
    let dragged = screen.run(&SCENE, &["--frames", "140", "--pointer", &pointer]);
    let rises: Vec<f32> = left.centres.iter().zip(&dragged.centres).map(|(a, b)| b[1] - a[1]).collect();
    assert!(rises.iter().any(|rise| *rise > 0.3), "{rises:?} from {:?}", left.centres);
    let let_go = screen.run(&SCENE, &["--frames", "140", "--pointer", &(pointer + ", 91 release 0 0")]);
    let highest = |run: &screen::Run| run.centres.iter().map(|c| c[1]).fold(0.0, f32::max);
    assert!(highest(&let_go) < highest(&dragged) - 0.2, "{:?} {:?}", let_go.centres, dragged.centres);
    let (before, after) = (left.picture.coloured(), dragged.picture.coloured());
    assert!(after.middle.1 < before.middle.1 - 10.0, "{before:?} {after:?}");
}

#[test]
fn the_panel_pauses_steps_and_moves_weights() {
    let Some(screen) = Screen::open() else { return };
    let run = |pointer: &str| screen.run(&SCENE, &["--frames", "12", "--pointer", pointer]);
    let (played, paused) = (run("20 move 9 9"), run("1 press 60 96, 2 release 60 96"));
    assert!(paused.centres[0][1] > played.centres[0][1] + 0.05, "{:?} {:?}", paused.centres, played.centres);
    let stepped = run("1 press 60 96, 2 release 60 96, 4 press 155 96, 5 release 155 96");
    assert!(stepped.centres[0][1] < paused.centres[0][1], "{:?} {:?}", stepped.centres, paused.centres);
    let tuned = run(WEIGHT_SLIDER);
    assert!(tuned.weights[0] > 0.9 && played.weights[0] < 0.9, "{:?} {:?}", played.weights, tuned.weights);
}

/// Moves the finest level's slider to its right end.
const WEIGHT_SLIDER: &str = "1 press 160 310, 6 move 290 310, 8 release 290 310";

// Elsewhere there is always a display.
#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_says_so_and_offers_a_film() {
    for display in [None, Some(":987")] {
        let mut command = playground(&SCENE);
        command.env_remove("WAYLAND_DISPLAY").env_remove("DISPLAY");
        display.map(|name| command.env("DISPLAY", name));
        let output = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{display:?}: {said}");
        assert!(said.contains("no window can be opened") && said.contains("--record"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_film_needs_no_display() {
    let file = screen::file("film");
    let mut command = playground(&SCENE);
    command.args(["--record"]).arg(&file).args(["--seconds", "0.8", "--size", "240x150"]);
    let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(screen::frames_of(&file), 20);
}

#[test]
fn options_that_make_no_sense_are_refused_with_a_reason() {
    let cases: [(&[&str], &str); 8] = [
        (&["--scene", "nowhere"], "gummy-bears"),
        (&["--variant", "iron"], "jelly"),
        (&["--view", "inside"], "none of mesh"),
        (&["--speed", "7"], "from 0.02 to 1"),
        (&["--size", "12"], "no size"),
        (&["--screenshot", "a.png"], "--frames"),
        (&["--pointer", "press"], "pointer"),
        (&["--nonsense"], "nonsense"),
    ];
    for (arguments, reason) in cases {
        let output = playground(arguments).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}
