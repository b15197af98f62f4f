//! The programs in the README are true: the Rust one is `examples/first.rs`, those in C, C++ and C# are
//! built and run with the other hosts.

use crate::cargo::root;

/// Compares the first Rust snippet of the README with the example.
pub fn check() -> Result<(), String> {
    let example = read("examples/first.rs")?;
    if program("rust")?.lines().eq(example.lines()) {
        Ok(())
    } else {
        Err("the Rust snippet in README.md differs from examples/first.rs".into())
    }
}

/// The README's first program in a language, as its block is marked.
pub fn program(language: &str) -> Result<String, String> {
    let readme = read("README.md")?;
    let found = snippet(&readme, language).map(String::from);
    found.ok_or_else(|| format!("README.md has no snippet marked {language:?}"))
}

fn read(name: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
}

fn snippet<'a>(markdown: &'a str, language: &str) -> Option<&'a str> {
    let (_, rest) = markdown.split_once(&format!("```{language}\n"))?;
    rest.split_once("```").map(|(snippet, _)| snippet)
}

#[cfg(test)]
mod tests {
    use super::snippet;

    #[test]
    fn the_snippet_is_the_first_block_marked_as_asked() {
        let readme = "```cpp\nls\n```\ntext\n```c\nint main;\n```\n```c\nlater\n```\n";
        assert_eq!(snippet(readme, "c"), Some("int main;\n"));
        assert_eq!(snippet("```rust\nfn main() {", "rust"), None);
    }
}
