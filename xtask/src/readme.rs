//! The program in the README is the one in `examples/first.rs`, which the tests
//! build and run.

use crate::cargo::root;

/// Compares the first Rust snippet of the README with the example.
pub fn check() -> Result<(), String> {
    let read =
        |name: &str| std::fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"));
    let (readme, example) = (read("README.md")?, read("examples/first.rs")?);
    let snippet = snippet(&readme).ok_or("README.md has no Rust snippet")?;
    if snippet.lines().eq(example.lines()) {
        Ok(())
    } else {
        Err("the Rust snippet in README.md differs from examples/first.rs".into())
    }
}

fn snippet(markdown: &str) -> Option<&str> {
    let (_, rest) = markdown.split_once("```rust")?;
    let (_, rest) = rest.split_once('\n')?;
    rest.split_once("```").map(|(snippet, _)| snippet)
}

#[cfg(test)]
mod tests {
    use super::snippet;

    #[test]
    fn the_snippet_is_the_first_block_marked_as_rust() {
        let readme = "```sh\nls\n```\ntext\n```rust\nfn main() {}\n```\n```rust\nlater\n```\n";
        assert_eq!(snippet(readme), Some("fn main() {}\n"));
        assert_eq!(snippet("```rust\nfn main() {"), None);
    }
}
