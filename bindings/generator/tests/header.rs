//! The header in `include/` is the one that the source makes.

use std::path::Path;

/// In the order a reader wants them.
const SOURCES: [&str; 27] = [
    "status",
    "handles",
    "defs",
    "collider_defs",
    "mesh_defs",
    "guard",
    "library",
    "world",
    "collider",
    "contacts",
    "query",
    "attach",
    "field",
    "shape",
    "mesh",
    "particles",
    "solid",
    "anatomy",
    "material",
    "body",
    "select",
    "tuning",
    "lasting",
    "breaking",
    "reading",
    "skin",
    "sleeping",
];

fn generated(root: &Path) -> String {
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let sources = SOURCES.iter().map(|name| root.join(format!("src/capi/{name}.rs")));
    let builder = sources.fold(cbindgen::Builder::new().with_config(config), |b, source| b.with_src(source));
    let mut text = Vec::new();
    builder.generate().expect("the sources parse").write(&mut text);
    String::from_utf8(text).expect("the sources are UTF-8")
}

/// Writes the header anew when `WOBBLE_HEADER=write`, else compares.
#[test]
fn the_committed_header_is_what_the_source_makes() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let (path, wanted) = (root.join("include/wobble.h"), generated(root));
    if std::env::var("WOBBLE_HEADER").is_ok_and(|v| v == "write") {
        std::fs::create_dir_all(root.join("include")).expect("a folder");
        std::fs::write(&path, &wanted).expect("a file");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "include/wobble.h is out of date: run WOBBLE_HEADER=write cargo test -p wobble-bindings"
    );
}
