//! `wobble run` as users run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of a test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the program; its exit code, and all that it said.
fn wobble(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_wobble")).args(arguments).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn the_list_has_scenes_of_every_paper() {
    let (code, said) = wobble(&folder("run-list"), &["run", "--list"]);
    assert_eq!(code, 0, "{said}");
    for part in ["falling-ball", "gaussian-fine", "MR 5.2", "SL Fig. 2", "CC 4", "RC Fig. 3", "SM 4.1"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
}

#[test]
fn a_scene_is_played_judged_filmed_and_exported() {
    let folder = folder("run-one");
    let run = ["run", "stretched-cube", "--quick", "--fps", "4", "--width", "96"];
    let files = ["--record", "cube.gif", "--export", "cube.glb"];
    let (code, said) = wobble(&folder, &[&run[..], &files].concat());
    assert_eq!(code, 0, "{said}");
    for part in ["29-clusters-limited", "ms a step", "kinetic + elastic", "shape error", "verdict: "] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    // 5 s at 4 frames a second, and the first.
    let mut film = gif::DecodeOptions::new()
        .read_info(fs::File::open(folder.join("cube-1-cluster.gif")).unwrap())
        .unwrap();
    let mut frames = 0;
    while let Some(frame) = film.read_next_frame().unwrap() {
        frames += 1;
        assert_eq!((frame.width, frame.height, frame.delay), (96, 54, 25));
    }
    assert_eq!(frames, 21);
    let bytes = fs::read(folder.join("cube-29-clusters.glb")).unwrap();
    let model = gltf::Gltf::from_slice(&bytes).unwrap();
    let points = model.meshes().next().unwrap().primitives().next().unwrap();
    assert_eq!(points.mode(), gltf::mesh::Mode::Points);
    assert_eq!(points.morph_targets().count(), 20);
    let buffer = model.blob.as_deref();
    let read = model.animations().next().unwrap();
    let channel = read.channels().next().unwrap();
    let times: Vec<f32> = channel.reader(|_| buffer).read_inputs().unwrap().collect();
    assert!(times.len() == 21 && (times[20] - 5.0).abs() < 1e-3, "{times:?}");
}

#[test]
fn frames_are_numbered() {
    let folder = folder("run-frames");
    let run =
        ["run", "spinning-cube", "--variant", "shape-matching", "--quick", "--fps", "1", "--width", "64"];
    let (code, said) = wobble(&folder, &[&run[..], &["--record", "a.png", "--export", "a.ply"]].concat());
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("no verdict"), "{said}");
    for k in 0..6 {
        let bytes = fs::read(folder.join(format!("a-000{k}.ply"))).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let end = text.find("end_header\n").unwrap() + "end_header\n".len();
        assert!(text.starts_with("ply\nformat binary_little_endian 1.0\n") && text.contains("vertex 343\n"));
        assert_eq!(bytes.len() - end, 343 * 28);
        assert!(folder.join(format!("a-000{k}.png")).exists());
    }
    assert!(!folder.join("a-0006.ply").exists());
}

#[test]
fn the_report_has_every_scene_and_needs_no_other_file() {
    let folder = folder("run-all");
    let (code, said) = wobble(&folder, &["run", "--all", "--quick", "--width", "64", "-o", "report"]);
    assert_eq!(code, 0, "{said}");
    let html = fs::read_to_string(folder.join("report/report.html")).unwrap();
    let markdown = fs::read_to_string(folder.join("report/report.md")).unwrap();
    let (_, list) = wobble(&folder, &["run", "--list"]);
    let names =
        list.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap());
    for name in names {
        assert!(html.contains(&format!("<h2 id=\"{name}\">")), "{name} has no section");
        assert!(markdown.contains(&format!("\n## {name}\n")), "{name} has no section");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("<h2 id").count());
    assert_eq!(html.matches("src=").count(), html.matches("src=\"data:image/png;base64,iVBOR").count());
    assert!(
        html.contains("1818.50") && markdown.contains("| armadillo | several levels (average) | 1818.50 |")
    );
    for picture in markdown.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(folder.join("report").join(picture).exists(), "{picture} is absent");
    }
}

#[test]
fn what_cannot_be_run_is_told() {
    let folder = folder("run-wrong");
    for (arguments, told) in [
        (&["run"][..], "name a scene"),
        (&["run", "faling-ball"], "there is no scene \"faling-ball\"; there are falling-ball, "),
        (&["run", "plinko", "--variant", "x"], "plinko has no variant \"x\"; it has 1-cluster, "),
        (&["run", "plinko", "--record", "a.mp4"], "name a .gif or a .png file"),
        (&["run", "plinko", "--export", "a.usd"], "name a .ply or a .glb file"),
        (&["run", "plinko", "--threads", "-1"], "not such a number"),
        (&["run", "plinko", "--width", "9"], "from 32 to 4096"),
        (&["run", "plinko", "--fps", "0"], "from 1 to 60"),
        (&["run", "--all", "--record", "a.gif"], "leave out --record"),
        (&["run", "--all", "plinko"], "--all plays every scene"),
    ] {
        let (code, said) = wobble(&folder, arguments);
        assert!(code == 2 && said.contains(told), "{arguments:?}: {code}, {said}");
    }
    let nowhere = ["run", "spinning-cube", "--quick", "--fps", "1", "--export", "absent/a.glb"];
    let (code, said) = wobble(&folder, &nowhere);
    assert!(code == 1 && said.contains("absent/a"), "{code}, {said}");
}
