//! `cargo xtask book`: the book in docs/, by mdBook, and the pages of the C interface, by Doxygen.
//!
//! What mdBook lets pass is an error here: an include that is not there, a link that leads nowhere, anything from
//! the net that a page needs to be shown.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{command, root, succeeded, target_folder};
use crate::jobs::{empty_folder, run_command};
use crate::summary::Outcome;
use crate::tools::{self, DOXYGEN};
use crate::zip;

/// The version of mdBook that is built where there is none.
const MDBOOK: &str = "=0.4.52";

/// The pages of the C interface alone, which takes seconds.
pub fn test_c_pages() -> Outcome {
    tools::with(&[DOXYGEN], build_c_pages)
}

/// Builds both; what is wanting is told.
pub fn test() -> Outcome {
    let mdbook = match mdbook() {
        Ok(mdbook) => mdbook,
        Err(why) => return tools::unavailable(why),
    };
    tools::with(&[DOXYGEN], || {
        build(&mdbook)?;
        build_c_pages()
    })
}

/// The program: that on the PATH, or one built into the target folder. Without the search, which doubles the time to build it.
fn mdbook() -> Result<PathBuf, String> {
    if Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok("mdbook".into());
    }
    let folder = target_folder().join("mdbook");
    let mut install =
        command(["install", "mdbook", "--version", MDBOOK, "--locked", "--no-default-features"]);
    install.args(["--debug", "--quiet", "--root"]).arg(&folder).arg("--target-dir").arg(folder.join("build"));
    succeeded(install.env("CARGO_PROFILE_DEV_DEBUG", "0").status())
        .map_err(|why| format!("`cargo install mdbook` {why}; put mdbook on the PATH"))?;
    Ok(folder.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX)))
}

fn build(mdbook: &Path) -> Result<(), String> {
    let (book, scratch) = (target_folder().join("book"), target_folder().join("book-test"));
    empty_folder(&scratch)?;
    let mut build = Command::new(mdbook);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(&book);
    run_command(&mut build, &scratch)?;
    let log = fs::read_to_string(scratch.join("output.txt")).unwrap_or_default();
    if let Some(line) = log.lines().find(|line| line.contains("[ERROR]") || line.contains("[WARN]")) {
        return Err(line.into());
    }
    let pages = pages(&book)?;
    let faults: Vec<String> = pages.keys().flat_map(|page| faults(page, &pages)).collect();
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    println!("{}: {} pages", book.join("index.html").display(), pages.len());
    Ok(())
}

/// The pages of wobble.h. What is not documented there, or wrongly, is an error.
fn build_c_pages() -> Result<(), String> {
    let (folder, scratch) = (target_folder().join("doxygen"), target_folder().join("doxygen-test"));
    empty_folder(&folder)?;
    empty_folder(&scratch)?;
    let settings = fs::read_to_string(root().join("docs/Doxyfile"))
        .map_err(|error| format!("docs/Doxyfile: {error}"))?;
    let (header, output) = (root().join("include/wobble.h"), folder.display());
    let settings = format!("{settings}INPUT = \"{}\"\nOUTPUT_DIRECTORY = \"{output}\"\n", header.display());
    let file = scratch.join("Doxyfile");
    fs::write(&file, settings).map_err(|error| format!("{}: {error}", file.display()))?;
    run_command(Command::new(DOXYGEN.program).arg(&file), &scratch)?;
    let page = folder.join("html/wobble_8h.html");
    if !page.exists() {
        return Err(format!("{} was not made", page.display()));
    }
    println!("{}", page.display());
    Ok(())
}

/// Every page of the book with its text.
fn pages(book: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let files = zip::files(book).map_err(|error| format!("{}: {error}", book.display()))?;
    let pages = files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "html"));
    // The page to be printed has all of the others in it, the table of contents is shown within them.
    let pages = pages.filter(|file| !file.ends_with("print.html") && !file.ends_with("404.html"));
    pages
        .map(|page| match fs::read_to_string(&page) {
            Ok(text) => Ok((page, text)),
            Err(error) => Err(format!("{}: {error}", page.display())),
        })
        .collect()
}

/// What is wrong with the links and pictures of a page.
fn faults(page: &Path, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let Some(text) = pages.get(page) else { return Vec::new() };
    let wrong = |what: &str| format!("{}: {what}", page.display());
    let mut faults = Vec::new();
    for link in attributes(text, "href") {
        if !leads_out(link) && !is_there(page, link, pages) {
            faults.push(wrong(&format!("the link {link:?} leads nowhere")));
        }
    }
    for source in attributes(text, "src") {
        if leads_out(source) {
            faults.push(wrong(&format!("{source:?} is not shown without the net")));
        } else if !is_there(page, source, pages) {
            faults.push(wrong(&format!("{source:?} is not there")));
        }
    }
    if text.contains("{{#") {
        faults.push(wrong("an include was left as it is"));
    }
    faults
}

fn leads_out(link: &str) -> bool {
    ["http:", "https:", "mailto:", "data:", "//"].iter().any(|start| link.starts_with(start))
}

/// Whether the file that a link names exists and, if it is a page, has the place in it.
fn is_there(page: &Path, link: &str, pages: &BTreeMap<PathBuf, String>) -> bool {
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_path_buf() } else { page.parent().unwrap_or(page).join(file) };
    let Ok(target) = target.canonicalize() else { return false };
    let has_place = |text: &String| text.contains(&format!("id=\"{place}\""));
    place.is_empty()
        || pages
            .iter()
            .any(|(page, text)| page.canonicalize().ok() == Some(target.clone()) && has_place(text))
}

/// The values of an attribute, wherever it stands.
fn attributes<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    text.split(start.as_str())
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::faults;
    use crate::jobs::empty_folder;

    #[test]
    fn links_that_lead_nowhere_and_pictures_from_the_net_are_faults() {
        let folder = crate::cargo::target_folder().join("book-links");
        empty_folder(&folder).expect("a folder");
        let text = r##"<h1 id="here"></h1> <a href="#here"> <a href="#there"> <a href="a.html#here"> <a href="b.html">
            <a href="https://example.org"> <img src="https://example.org/a.png"> <script src="a.html">"##;
        let page = folder.join("a.html");
        std::fs::write(&page, text).expect("a file");
        let pages = BTreeMap::from([(page.clone(), text.to_string())]);
        let found = faults(Path::new(&page), &pages);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[0].contains("#there") && found[1].contains("b.html") && found[2].contains("a.png"));
    }
}
