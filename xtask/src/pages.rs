//! Code in the book's pages: there to be read unbuilt, and the same as in a file that is compiled and run.
//!
//! The line above a block says where it is from, as `<!-- code: examples/c/mesh.c:skin -->`: a file, from the root, and
//! the anchor of a part of it, between the lines `ANCHOR: skin` and `ANCHOR_END: skin` there.

use std::path::PathBuf;

use crate::cargo::root;
use crate::zip;

/// Every page's file.
pub fn files() -> Result<Vec<PathBuf>, String> {
    let mut files = zip::files(&root().join("docs/src")).map_err(|error| format!("docs/src: {error}"))?;
    files.retain(|file| file.extension().is_some_and(|end| end == "md"));
    Ok(files)
}

/// Writes the code in all pages anew.
pub fn renew() -> Result<(), String> {
    for file in files()? {
        let told = |why: String| format!("{}: {why}", file.display());
        let page = std::fs::read_to_string(&file).map_err(|error| told(error.to_string()))?;
        let renewed = renewed(&page, code).map_err(told)?;
        if renewed != page {
            std::fs::write(&file, renewed).map_err(|error| told(error.to_string()))?;
            println!("{}: code renewed", file.display());
        }
    }
    Ok(())
}

/// Where a block is from, as the line above it says.
pub fn source(above: &str) -> Option<&str> {
    above.strip_prefix("<!-- code: ")?.strip_suffix(" -->")
}

/// The code at a place: a file and maybe an anchor.
pub fn code(source: &str) -> Result<String, String> {
    let (file, anchor) = source.split_once(':').unwrap_or((source, ""));
    let text = std::fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"))?;
    part(&text, anchor).ok_or_else(|| format!("{file} has no anchor {anchor}"))
}

/// What stands at an anchor, or everything, without the lines of anchors and without the indent of all lines.
fn part(text: &str, anchor: &str) -> Option<String> {
    let has =
        |line: &str, start: &str| line.split_once(start).is_some_and(|(_, name)| is_named(name, anchor));
    let lines: Vec<&str> = match anchor {
        "" => text.lines().collect(),
        _ => {
            let inside = text.lines().skip_while(|line| !has(line, "ANCHOR: ")).skip(1);
            inside.take_while(|line| !has(line, "ANCHOR_END: ")).collect()
        }
    };
    let lines = || lines.iter().filter(|line| !line.contains("ANCHOR: ") && !line.contains("ANCHOR_END: "));
    let indent = |line: &&&str| line.len() - line.trim_start().len();
    let least = lines().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min()?;
    Some(lines().map(|line| line.get(least..).unwrap_or_default().to_string() + "\n").collect())
}

fn is_named(rest: &str, anchor: &str) -> bool {
    rest.split_whitespace().next() == Some(anchor)
}

/// A page with each block that is from somewhere as it is there.
fn renewed(page: &str, code: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let (mut renewed, mut lines) = (String::new(), page.lines());
    while let Some(line) = lines.next() {
        renewed += &format!("{line}\n");
        let Some(source) = source(line) else { continue };
        let start = lines.next().filter(|line| line.starts_with("```"));
        let start = start.ok_or_else(|| format!("no block under the line of {source}"))?;
        renewed += &format!("{start}\n{}```\n", code(source)?);
        lines.find(|line| *line == "```").ok_or_else(|| format!("the block of {source} has no end"))?;
    }
    Ok(renewed)
}

#[cfg(test)]
mod tests {
    use super::{part, renewed};

    const FILE: &str = "{\n    // ANCHOR: a\n    x();\n\n        y();\n    // ANCHOR: b\n    z();\n    // ANCHOR_END: b\n    // ANCHOR_END: a\n}\n";

    #[test]
    fn a_part_is_told_without_its_indent_and_its_anchors() {
        assert_eq!(part(FILE, "a").as_deref(), Some("x();\n\n    y();\nz();\n"));
        assert_eq!(part(FILE, "b").as_deref(), Some("z();\n"));
        assert_eq!(part("one\n  two\n", "").as_deref(), Some("one\n  two\n"));
        assert_eq!(part(FILE, "c"), None);
    }

    #[test]
    fn blocks_become_what_their_files_have_and_all_else_stays() {
        let page = "text\n<!-- code: here -->\n```c\nold();\nolder();\n```\nmore\n```sh\nls\n```\n";
        let code = |source: &str| Ok(format!("{source}();\n"));
        let new = "text\n<!-- code: here -->\n```c\nhere();\n```\nmore\n```sh\nls\n```\n";
        assert_eq!(renewed(page, code).as_deref(), Ok(new));
        assert_eq!(renewed(new, code).as_deref(), Ok(new));
        assert!(renewed("<!-- code: here -->\n", code).is_err());
        assert!(renewed("<!-- code: here -->\n```c\nno end\n", code).is_err());
    }
}
