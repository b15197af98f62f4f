//! The P/Invoke layer in `bindings/csharp` is the one that the source makes, and has what the header has.

use std::fmt::Write;
use std::path::{Path, PathBuf};

const COMMITTED: &str = "bindings/csharp/NativeMethods.cs";

const HEADER: &str = "\
// P/Invoke for the functions of wobble.h. MIT OR Apache-2.0.
// Made from src/capi by `WOBBLE_CSHARP=write cargo test -p wobble-bindings`; do not edit.
";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// All files of `src/capi`, sorted. What lies deeper has no functions of the header.
fn sources() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("src/capi")).expect("src/capi");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// `WobbleBody` names a handle and becomes `BodyHandle`, since `Body` is the class that owns one;
/// `WobbleVec3` becomes `Vec3`.
fn type_name(rust: String) -> String {
    let name = rust.strip_prefix("Wobble").unwrap_or(&rust);
    match name {
        "World" | "Shape" | "Body" | "Collider" | "Attachment" | "Field" => format!("{name}Handle"),
        _ => name.into(),
    }
}

/// `struct_size` becomes `StructSize`.
fn field_name(rust: &str) -> String {
    let capital = |part: &str| {
        part.chars()
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(part.chars().skip(1))
            .collect::<String>()
    };
    rust.split('_').map(capital).collect()
}

/// Gives the fields of structs the names that C# expects.
fn with_field_names(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let field = line.strip_prefix("        public ").filter(|rest| !rest.contains('('));
        let named = field.and_then(|rest| rest.strip_suffix(';')?.rsplit_once(' '));
        match named {
            Some((kind, name)) if !line.contains(" const ") => {
                writeln!(out, "        public {kind} {};", field_name(name))
            }
            _ => writeln!(out, "{}", line.trim_end()),
        }
        .expect("a String takes everything");
    }
    out
}

fn generated() -> String {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("NativeMethods.cs");
    let builder = csbindgen::Builder::default()
        .csharp_namespace("Wobble")
        .csharp_class_name("NativeMethods")
        .csharp_class_accessibility("public")
        .csharp_dll_name("wobble")
        .csharp_dll_name_if("(UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR", "__Internal")
        .csharp_use_function_pointer(false)
        .csharp_use_nint_types(false)
        .csharp_generate_const_filter(|name| name.starts_with("WOBBLE_"))
        .csharp_type_rename(type_name)
        .csharp_file_header(HEADER);
    let builder = sources().iter().fold(builder, |builder, file| builder.input_extern_file(file));
    builder.generate_csharp_file(&scratch).expect("the sources parse");
    with_field_names(&std::fs::read_to_string(scratch).expect("what was written"))
}

/// Writes the file anew when `WOBBLE_CSHARP=write`, else compares.
#[test]
fn the_committed_layer_is_what_the_source_makes() {
    let (path, wanted) = (root().join(COMMITTED), generated());
    if std::env::var("WOBBLE_CSHARP").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &wanted).expect("a file");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{COMMITTED} is out of date: run WOBBLE_CSHARP=write cargo test -p wobble-bindings"
    );
}

/// The words of `text` that begin with `wobble_` and are called or declared there.
fn functions(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let words = code.flat_map(|line| line.match_indices('(').map(|(at, _)| &line[..at]));
    let names = words.filter_map(|start| start.rsplit([' ', '*']).next());
    let mut names: Vec<&str> =
        names.filter(|name| name.starts_with("wobble_") && !name.ends_with("_delegate")).collect();
    names.sort_unstable();
    names
}

#[test]
fn header_and_layer_declare_the_same_functions() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("a file");
    let (header, layer) = (read("include/wobble.h"), read(COMMITTED));
    let found = functions(&layer);
    assert!(found.len() > 200, "found only {} functions", found.len());
    assert_eq!(found, functions(&header));
}

/// What the generator cannot carry over correctly, or C# 7.2 does not know.
#[test]
fn the_layer_keeps_to_plain_types() {
    let layer = std::fs::read_to_string(root().join(COMMITTED)).expect("a file");
    for wrong in ["bool", "fixed ", "IntPtr", "nint", "delegate*", "CLong", "Option", "/*"] {
        let line = layer
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .find(|line| line.contains(wrong));
        assert_eq!(line, None, "{wrong} must not cross the border");
    }
}

/// The classes on top of the layer call every function of it.
#[test]
fn the_classes_leave_no_function_out() {
    let layer = std::fs::read_to_string(root().join(COMMITTED)).expect("a file");
    let folder = std::fs::read_dir(root().join("bindings/csharp")).expect("bindings/csharp");
    let files = folder
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !path.ends_with("NativeMethods.cs"));
    let classes: String = files.map(|path| std::fs::read_to_string(path).expect("a file")).collect();
    let missing: Vec<&str> =
        functions(&layer).into_iter().filter(|name| !classes.contains(&format!("{name}("))).collect();
    assert_eq!(missing, [""; 0]);
}
