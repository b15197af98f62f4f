//! Every public item of the Rust interface is shown in use: types and functions by an example of their own, methods by one of
//! their own or by that of the `impl` block they stand in, which calls them by name.
//!
//! Read off the pages that rustdoc has made, so that what is public is rustdoc's to say. Not looked at: fields, variants,
//! associated constants, what traits bring, and `capi`, which has the C header's own pages.

use std::fs;
use std::path::Path;

use crate::cargo::target_folder;
use crate::zip;

/// Pages that are about an item.
const KINDS: [&str; 6] = ["struct.", "enum.", "fn.", "trait.", "type.", "constant."];
/// Fewer items than there are: a sign that rustdoc's pages have changed and nothing is found in them.
const LEAST: usize = 300;

/// Names what has no example.
pub fn check() -> Result<(), String> {
    let folder = target_folder().join("doc/wobble");
    let files = zip::files(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut count, mut missing) = (0, Vec::new());
    for file in files.iter().filter(|file| is_item(file.strip_prefix(&folder).unwrap_or(file))) {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        // What is public in two places has a page that only leads to the other.
        if !text.contains("item-decl") {
            continue;
        }
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let name = name.split_once('.').map_or(name, |(_, name)| name);
        count += read(name, &text, &mut missing);
    }
    if count < LEAST {
        return Err(format!(
            "{count} public items were found in {}, at least {LEAST} are there",
            folder.display()
        ));
    }
    println!("{} of {count} public items are shown in an example", count - missing.len());
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("in no example: {}", missing.join(", "))),
    }
}

fn is_item(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    !file.starts_with("capi") && KINDS.iter().any(|kind| name.starts_with(kind))
}

/// Adds what a page shows in no example to `missing`; how many items it tells of.
fn read(name: &str, page: &str, missing: &mut Vec<String>) -> usize {
    let page = after(page, "id=\"main-content\"");
    let page = before(before(page, "id=\"trait-implementations\""), "id=\"synthetic-implementations\"");
    let head = before(before(before(page, "id=\"fields\""), "id=\"variants\""), "id=\"implementations\"");
    let mut count = 1;
    if examples(head).is_empty() {
        missing.push(name.into());
    }
    for block in page.split("<section id=\"impl-").skip(1) {
        let shown = examples(before(block, "class=\"impl-items\""));
        for method in block.split("<section id=\"method.").skip(1) {
            let called = before(method, "\"");
            count += 1;
            let is_called = [".", "::"].iter().any(|dot| shown.contains(&format!("{dot}{called}(")));
            if !is_called && examples(method).is_empty() {
                missing.push(format!("{name}::{called}"));
            }
        }
    }
    count
}

fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or("", |(_, after)| after)
}

fn before<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or(text, |(before, _)| before)
}

/// The code of all examples in a part of a page, without its markup.
fn examples(text: &str) -> String {
    let blocks = text.split("rust-example-rendered").skip(1).map(|block| before(after(block, ">"), "</pre>"));
    blocks
        .flat_map(|block| block.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_method_is_shown_by_its_own_example_or_by_that_of_its_block() {
        let example =
            |code: &str| format!("<pre class=\"rust rust-example-rendered\"><code>{code}</code></pre>");
        let page = format!(
            "<section id=\"main-content\"> item-decl {} <h2 id=\"implementations\"> <section id=\"impl-A\"> {} \
             <div class=\"impl-items\"> <section id=\"method.one\"> <section id=\"method.two\"> <section id=\"method.three\"> {} \
             <h2 id=\"trait-implementations\"> <section id=\"method.fmt\">",
            example("A"),
            example("a.<span>one</span>(); two()"),
            example("three")
        );
        let mut missing = Vec::new();
        assert_eq!(read("A", &page, &mut missing), 4);
        assert_eq!(missing, ["A::two"]);
    }
}
