//! The program as users run it: what it writes, what it says, and how it exits.

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

/// The corners and the sides of a cube, 1 m wide, standing on y = 0.
const CORNERS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];
const SIDES: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [2, 3, 7, 6], [0, 4, 7, 3], [1, 2, 6, 5]];

fn cube_obj() -> String {
    let corners = CORNERS.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let sides = SIDES.iter().map(|[a, b, c, d]| format!("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1));
    "mtllib absent.mtl\no cube\nusemtl red\n".to_string() + &corners.chain(sides).collect::<String>()
}

/// The same as glTF, its node twice as large; the bytes of the buffer apart.
fn cube_gltf(uri: &str) -> (String, Vec<u8>) {
    let mut bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    let corners = SIDES.iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]);
    bytes.extend(corners.flat_map(|i| (*i as u16).to_le_bytes()));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0,"scale":[2,2,2]}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
        {{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}}],
        "buffers":[{{"byteLength":168{uri}}}]}}"#
    );
    (json, bytes)
}

fn glb() -> Vec<u8> {
    let (mut json, bytes) = cube_gltf("");
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let chunk = |kind: &[u8; 4], data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], kind, data].concat();
    let chunks = [chunk(b"JSON", json.as_bytes()), chunk(b"BIN\0", &bytes)].concat();
    let length = (12 + chunks.len()) as u32;
    [b"glTF", &2u32.to_le_bytes()[..], &length.to_le_bytes(), &chunks].concat()
}

#[test]
fn an_obj_is_baked_told_about_and_checked() {
    let folder = folder("obj");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    let bake =
        ["bake", "cube.obj", "-o", "cube.wobble", "--particles", "600", "--density", "500", "--seed", "3"];
    let (code, said) = wobble(&folder, &bake);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("8 vertices, 12 triangles") && said.contains("mass       500.0"), "{said}");
    let baked = fs::read(folder.join("cube.wobble")).unwrap();
    let shape = wobble::Shape::from_bytes(&baked).unwrap();
    assert!(shape.particle_count().abs_diff(600) <= 30, "{}", shape.particle_count());
    assert!(shape.skin().is_some_and(|skin| skin.vertex_count() == 8));

    let (code, told) = wobble(&folder, &["info", "cube.wobble"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains(&format!("particles  {}", shape.particle_count())), "{told}");
    let (code, told) = wobble(&folder, &["check", "cube.wobble"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("height kept") && !told.contains("bad"), "{told}");
}

#[test]
fn three_runs_bake_the_same_bytes() {
    let folder = folder("again");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    let files = ["first", "second", "third"].map(|file| {
        let (code, said) = wobble(&folder, &["bake", "cube.obj", "-o", file]);
        assert_eq!(code, 0, "{said}");
        fs::read(folder.join(file)).unwrap()
    });
    assert!(files[0] == files[1] && files[0] == files[2]);
}

#[test]
fn toughness_is_taken_from_the_vertex_colours() {
    let folder = folder("toughness");
    let corners =
        CORNERS.iter().map(|[x, y, z]| format!("v {x} {y} {z} 1 {} 1\n", if *x > 0.0 { 0.25 } else { 1.0 }));
    let sides = SIDES.iter().map(|[a, b, c, d]| format!("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1));
    fs::write(folder.join("cube.obj"), corners.chain(sides).collect::<String>()).unwrap();
    let bake = ["bake", "cube.obj", "-o", "cube.wobble", "--particles", "300", "--toughness"];
    let (code, said) = wobble(&folder, &[&bake[..], &["green"]].concat());
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("toughness  painted, 0.250 to 1.000"), "{said}");
    let shape = wobble::Shape::from_bytes(&fs::read(folder.join("cube.wobble")).unwrap()).unwrap();
    let weak = shape.rest().iter().zip(shape.toughness()).filter(|(r, _)| r.x > 0.4);
    assert!(weak.clone().count() > 10 && weak.clone().all(|(_, t)| *t < 0.4));
    let (code, said) = wobble(&folder, &[&bake[..], &["red"]].concat());
    assert!(code == 0 && said.contains("toughness  painted, 1.000 to 1.000"), "{said}");
    let (code, said) = wobble(&folder, &[&bake[..], &["pink"]].concat());
    assert!(code == 2 && said.contains("pink"), "{said}");
}

#[test]
fn every_mesh_brought_is_baked_as_the_readme_says_and_keeps_its_normals() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/meshes");
    let meshes = std::env::var_os("WOBBLE_MESHES").map_or_else(beside, PathBuf::from);
    let folder = folder("brought");
    for (name, short) in
        [("stanford-bunny", "bunny"), ("suzanne", ""), ("teapot", ""), ("cow", ""), ("spot", "")]
    {
        let Ok(text) = fs::read_to_string(meshes.join(name).with_extension("obj")) else {
            println!("skipped: the mesh {name} is absent; WOBBLE_MESHES can name its folder");
            continue;
        };
        let name = if short.is_empty() { name } else { short };
        let [from, to] = ["obj", "wobble"].map(|ending| format!("{name}.{ending}"));
        fs::write(folder.join(&from), &text).unwrap();
        let (code, said) = wobble(&folder, &["bake", &from, "-o", &to, "--particles", "5000"]);
        assert_eq!(code, 0, "{name}: {said}");
        let shape = wobble::Shape::from_bytes(&fs::read(folder.join(&to)).unwrap()).unwrap();
        assert!(shape.particle_count().abs_diff(5000) <= 250, "{name}: {} particles", shape.particle_count());
        // Normals of the file, as directions; those of the skin are among them.
        let mut given: Vec<[i32; 3]> = text
            .lines()
            .filter_map(|line| line.strip_prefix("vn "))
            .map(|line| {
                let numbers: Vec<f32> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
                rounded(glam::Vec3::from_slice(&numbers).normalize_or_zero())
            })
            .collect();
        given.sort_unstable();
        let skin = shape.skin().unwrap();
        let known = skin.normals().iter().filter(|n| {
            let [x, y, z] = rounded(n.truncate());
            let near = |k: i32| [x + k / 9 - 1, y + k / 3 % 3 - 1, z + k % 3 - 1];
            (0..27).any(|k| given.binary_search(&near(k)).is_ok())
        });
        let known = known.count();
        println!(
            "{name}: {} normals in the file, {known} of {} vertices have one of them",
            given.len(),
            skin.vertex_count()
        );
        assert!(
            given.is_empty() || known == skin.vertex_count(),
            "{name}: {known} of {}",
            skin.vertex_count()
        );
        let (code, told) = wobble(&folder, &["info", &to]);
        assert_eq!(code, 0, "{name}: {told}");
    }
}

/// A direction in thousandths.
fn rounded(direction: glam::Vec3) -> [i32; 3] {
    direction.to_array().map(|c| (c * 1000.0).round() as i32)
}

#[test]
fn normals_and_tangents_of_a_file_are_carried_by_the_body() {
    let folder = folder("normals");
    // Normals that no triangle of a cube would give, so that it shows where they come from.
    let sides = SIDES.iter().map(|side| {
        let corners = side.map(|i| format!("{}//1", i + 1));
        format!("f {}\n", corners.join(" "))
    });
    let corners = CORNERS.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let text = corners.collect::<String>() + "vn 0.6 0 0.8\n" + &sides.collect::<String>();
    fs::write(folder.join("cube.obj"), text).unwrap();
    let (code, said) = wobble(&folder, &["bake", "cube.obj", "-o", "cube.wobble", "--particles", "200"]);
    assert_eq!(code, 0, "{said}");
    let shape = wobble::Shape::from_bytes(&fs::read(folder.join("cube.wobble")).unwrap()).unwrap();
    let skin = shape.skin().unwrap();
    assert_eq!((skin.vertex_count(), skin.tangents().len()), (8, 0));
    assert!(skin.normals().iter().all(|n| n.truncate().distance(glam::Vec3::new(0.6, 0.0, 0.8)) < 1e-6));

    // One triangle and its normals and tangents, twice as long and mirrored by its node.
    let vectors =
        |v: &[f32], times: usize| v.repeat(times).iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<u8>>();
    let bytes = [
        vectors(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 1),
        vectors(&[0.6, 0.0, 0.8], 3),
        vectors(&[1.0, 0.0, 0.0, 1.0], 3),
    ]
    .concat();
    let encoded = base64(&bytes);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0,"scale":[-2,1,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1,"TANGENT":2}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
        {{"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":36}},
        {{"buffer":0,"byteOffset":72,"byteLength":48}}],
        "buffers":[{{"byteLength":120,"uri":"data:application/octet-stream;base64,{encoded}"}}]}}"#
    );
    fs::write(folder.join("one.gltf"), json).unwrap();
    let (code, said) = wobble(&folder, &["bake", "one.gltf", "-o", "one.wobble", "--particles", "50"]);
    assert_eq!(code, 0, "{said}");
    let shape = wobble::Shape::from_bytes(&fs::read(folder.join("one.wobble")).unwrap()).unwrap();
    let skin = shape.skin().unwrap();
    let across = glam::Vec3::new(-0.3, 0.0, 0.8).normalize();
    assert!(skin.normals().iter().all(|n| n.truncate().distance(across) < 1e-6), "{:?}", skin.normals());
    assert!(
        skin.tangents().iter().all(|t| *t == glam::Vec4::new(-1.0, 0.0, 0.0, -1.0)),
        "{:?}",
        skin.tangents()
    );
    assert_eq!(skin.triangles(), [[0, 2, 1]]);
}

#[test]
fn gltf_comes_with_bytes_inside_beside_or_behind_it_and_nodes_are_placed() {
    let folder = folder("gltf");
    let (_, bytes) = cube_gltf("");
    fs::write(folder.join("cube.bin"), &bytes).unwrap();
    fs::write(folder.join("beside.gltf"), cube_gltf(r#","uri":"cube.bin""#).0).unwrap();
    fs::write(folder.join("behind.glb"), glb()).unwrap();
    let encoded = base64(&bytes);
    let inside = cube_gltf(&format!(r#","uri":"data:application/octet-stream;base64,{encoded}""#)).0;
    fs::write(folder.join("inside.gltf"), inside).unwrap();
    for mesh in ["beside.gltf", "behind.glb", "inside.gltf"] {
        let options = ["--pattern", "grid", "--spacing", "0.25", "--density", "1", "--levels", "2"];
        let (code, said) = wobble(&folder, &[&["bake", mesh, "-o", "out.wobble"], &options[..]].concat());
        assert_eq!(code, 0, "{mesh}: {said}");
        assert!(said.contains("mass       8.0000") && said.contains("levels     2"), "{mesh}: {said}");
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    // The length is a multiple of 3, so that nothing is filled up.
    let three = |b: &[u8]| u32::from(b[0]) << 16 | u32::from(b[1]) << 8 | u32::from(b[2]);
    let digits = |n: u32| [18, 12, 6, 0].map(|shift| char::from(DIGITS[(n >> shift & 63) as usize]));
    bytes.chunks(3).flat_map(|b| digits(three(b))).collect()
}

#[test]
fn every_command_answers_with_its_own_options_when_asked_for_help() {
    let folder = folder("help");
    let (code, all) = wobble(&folder, &["--help"]);
    assert_eq!(code, 0, "{all}");
    for command in ["bake", "info", "check", "run"] {
        let (code, said) = wobble(&folder, &[command, "--help"]);
        assert_eq!(code, 0, "{command}: {said}");
        let usages: Vec<&str> = said.lines().filter(|line| line.starts_with("  wobble ")).collect();
        assert!(!usages.is_empty(), "{command}: {said}");
        for usage in usages {
            assert!(usage.starts_with(&format!("  wobble {command} ")), "{command}: {usage}");
        }
        for line in said.lines() {
            assert!(all.contains(line), "`wobble --help` does not tell {line:?} of {command}");
        }
        for asking in [&[command, "-h"][..], &["help", command], &[command, "some.file", "--help"]] {
            assert_eq!(wobble(&folder, asking), (0, said.clone()), "{asking:?}");
        }
    }
    for asking in [&["-h"][..], &["help"], &["help", "--help"]] {
        assert_eq!(wobble(&folder, asking), (0, all.clone()), "{asking:?}");
    }
}

/// The options of commands; of those with two names the one that the help tells.
const OPTIONS: [(&str, &[&str]); 2] = [
    (
        "bake",
        &[
            "-o",
            "--particles",
            "--spacing",
            "--pattern",
            "--hollow",
            "--no-surface",
            "--density",
            "--thickness",
            "--levels",
            "--per-cluster",
            "--seed",
            "--scale",
            "--toughness",
        ],
    ),
    (
        "run",
        &[
            "-o",
            "--variant",
            "--record",
            "--export",
            "--fps",
            "--width",
            "--threads",
            "--quick",
            "--list",
            "--all",
        ],
    ),
];

#[test]
fn the_help_on_a_command_tells_each_of_its_options() {
    let folder = folder("options");
    for (command, options) in OPTIONS {
        let (_, said) = wobble(&folder, &[command, "--help"]);
        let told: Vec<&str> = said.split_whitespace().filter(|word| word.starts_with('-')).collect();
        for option in options {
            assert!(told.contains(option), "{command} {option} is not in {said}");
        }
        for option in told {
            assert!(options.contains(&option), "{command} {option} is not tried here");
            // What follows is missing or one argument too many, and not the option itself.
            let (_, said) = wobble(&folder, &[command, option, "--help"]);
            assert!(!said.contains("invalid option"), "{command} {option}: {said}");
        }
    }
}

#[test]
fn what_is_wrong_is_told_in_a_sentence_and_by_the_exit_code() {
    let folder = folder("wrong");
    fs::write(folder.join("cube.obj"), cube_obj()).unwrap();
    fs::write(folder.join("line.obj"), "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").unwrap();
    fs::write(folder.join("empty.obj"), "").unwrap();
    fs::write(folder.join("noise.glb"), [7; 100]).unwrap();
    fs::write(folder.join("noise.wobble"), [7; 100]).unwrap();
    for (arguments, code, words) in [
        (&["--help"][..], 0, "wobble bake MESH -o FILE"),
        (&["--version"], 0, "wobble 0."),
        (&["help", "fry"], 2, "there is no command \"fry\""),
        (&["help", "--fry"], 2, "--fry"),
        (&["fry"], 2, "there is no command \"fry\""),
        (&["bake"], 2, "name the mesh to bake"),
        (&["bake", "cube.obj"], 2, "name the file to write with -o"),
        (&["bake", "cube.obj", "-o", "x", "--particles", "many"], 2, "--particles is \"many\""),
        (&["bake", "cube.obj", "-o", "x", "--pattern", "odd"], 2, "not grid, body-centred or blue-noise"),
        (&["bake", "cube.obj", "-o", "x", "--frobnicate"], 2, "--frobnicate"),
        (&["info"], 2, "name the file"),
        (&["bake", "absent.obj", "-o", "x"], 1, "absent.obj: "),
        (&["bake", "cube.stl", "-o", "x"], 1, "export it as one of these"),
        (&["bake", "line.obj", "-o", "x"], 1, "none of its triangles has an area"),
        (&["bake", "empty.obj", "-o", "x"], 1, "positions has 0 elements"),
        (&["bake", "noise.glb", "-o", "x"], 1, "noise.glb: "),
        (&["bake", "cube.obj", "-o", "x", "--particles", "2"], 1, "count is 2; it must be from 4"),
        (&["bake", "cube.obj", "-o", "no/such/folder"], 1, "no/such/folder: "),
        (&["info", "noise.wobble"], 1, "noise.wobble: "),
        (&["check", "absent.wobble"], 1, "absent.wobble: "),
    ] {
        let (exit, said) = wobble(&folder, arguments);
        assert_eq!(exit, code, "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said:?} does not say {words:?}");
        assert!(!folder.join("x").exists(), "{arguments:?} wrote a file");
    }
}
