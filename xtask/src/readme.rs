//! Code in the README and the book is true: every line of it is in a program that the tests run.
//!
//! The README's C program is built and run with the other hosts, its commands to build it with the zip file. Its other
//! snippets stand, line by line, in files that tests compile and run. The book shows code of such files, and above it
//! which (`pages.rs`). Commands in both are in the table below, with the step of `cargo xtask test` that runs them.
//! No manual promises the same bits on more processors than have them.

use std::path::{Path, PathBuf};

use crate::cargo::root;
use crate::{pages, steps, zip};

/// Where the files lie that are compiled and run, and the steps that do so.
const TESTED: [(&str, &[&str]); 6] = [
    ("examples", &["hosts", "examples"]),
    ("docs/snippets", &["hosts", "csharp"]),
    ("godot/project/tests", &["godot"]),
    ("tests/unity", &["unity"]),
    ("tests/cmake", &["dist"]),
    ("cli/tests", &["tests"]),
];

/// The languages of which nothing may stand untested.
const LANGUAGES: [&str; 6] = ["c", "cpp", "csharp", "rust", "gdscript", "cmake"];

/// How commands begin that may be told, and the step that runs them, on less where they take long.
const COMMANDS: [(&str, &str); 12] = [
    ("cargo xtask demo", "examples"),
    ("cargo xtask dist", "dist"),
    ("cargo xtask godot", "godot"),
    ("cargo xtask bench", "benchmarks"),
    ("cargo xtask book", "book"),
    ("cargo xtask test", "readme"),
    ("cargo run --release --example first", "examples"),
    ("cargo run --release --example pictures", "examples"),
    ("cargo run --release --example playground", "playground"),
    ("cargo run --release --bin wobble -- run", "tests"),
    ("cargo run --release --bin wobble -- bake", "tests"),
    ("cargo run --release --bin wobble -- check", "tests"),
];

/// A piece of code in Markdown.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    /// What it is marked as, such as `c`.
    language: &'a str,
    text: &'a str,
    /// The line above it.
    above: &'a str,
}

/// Finds code that nothing runs.
pub fn check() -> Result<(), String> {
    let steps = steps::names();
    let mut named = TESTED.iter().flat_map(|(_, steps)| *steps).chain(COMMANDS.iter().map(|(_, step)| step));
    if let Some(step) = named.find(|step| !steps.contains(step)) {
        return Err(format!("there is no step {step:?}"));
    }
    let readme = read(Path::new("README.md"))?;
    let sources = sources()?;
    let program = program()?;
    let mut faults: Vec<String> =
        blocks(&readme).iter().filter_map(|block| fault(block, &sources, &program)).collect();
    faults.extend(dead_links(&readme));
    faults.iter_mut().for_each(|fault| fault.insert_str(0, "README.md: "));
    for page in pages::files()? {
        let text = read(&page)?;
        let found = blocks(&text).into_iter().filter_map(|block| fault_in_book(&block));
        let include = text.contains("{{#").then(|| "an include, which is not read unbuilt".to_string());
        faults.extend(found.chain(include).map(|fault| format!("{}: {fault}", page.display())));
    }
    for file in promising()? {
        let found = too_wide(&read(&file)?);
        faults.extend(found.iter().map(|words| format!("{}: {words}", file.display())));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// The README's program: its first block of C.
pub fn program() -> Result<String, String> {
    first("README.md", |block| block.language == "c")
}

/// The README's commands that build it.
pub fn build_commands() -> Result<String, String> {
    first("README.md", is_build)
}

fn first(file: &str, wanted: impl Fn(&Block) -> bool) -> Result<String, String> {
    let text = read(Path::new(file))?;
    let found = blocks(&text).into_iter().find(wanted).map(|block| block.text.to_string());
    found.ok_or_else(|| format!("{file} has not the block that is to be run"))
}

fn is_build(block: &Block) -> bool {
    block.language == "sh" && block.text.contains("$(pkg-config")
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(root().join(file)).map_err(|error| format!("{}: {error}", file.display()))
}

/// All that is compiled and run.
fn sources() -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for (folder, _) in TESTED {
        for file in zip::files(&root().join(folder)).map_err(|error| format!("{folder}: {error}"))? {
            texts.extend(std::fs::read_to_string(file));
        }
    }
    Ok(texts)
}

/// Every file that tells users what they can rely on.
fn promising() -> Result<Vec<PathBuf>, String> {
    let mut files: Vec<PathBuf> = ["README.md", "src/lib.rs", "godot/README.md"].map(PathBuf::from).into();
    for folder in ["docs/src", "include", "bindings", "unity"] {
        files.extend(zip::files(&root().join(folder)).map_err(|error| format!("{folder}: {error}"))?);
    }
    let told = ["md", "rs", "h", "hpp", "cs"];
    files.retain(|file| file.extension().is_some_and(|end| told.iter().any(|told| end == *told)));
    Ok(files)
}

/// Words that promise the same bits on processors that round otherwise.
const TOO_WIDE: [&str; 8] = [
    "every CPU",
    "any CPU",
    "all CPUs",
    "every processor",
    "any processor",
    "all processors",
    "every machine",
    "all machines",
];

/// Such words, unless x86-64 is named with them.
fn too_wide(text: &str) -> Vec<String> {
    let words = text.split_whitespace().filter(|word| !["///", "//!", "//", "*"].contains(word));
    let text = words.collect::<Vec<_>>().join(" ");
    let found = TOO_WIDE.iter().flat_map(|wide| text.match_indices(wide));
    let sentences = found.map(|(at, _)| text[at..].chars().take(80).collect::<String>());
    sentences
        .filter(|sentence| !sentence.contains("x86-64"))
        .map(|sentence| format!("the bits are the same on x86-64 only: {sentence:?}"))
        .collect()
}

/// Links and pictures that lead to no file.
fn dead_links(markdown: &str) -> Vec<String> {
    let targets = markdown.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    let is_dead = |link: &&str| !link.starts_with("http") && !root().join(link).exists();
    targets.filter(is_dead).map(|link| format!("{link:?} leads nowhere")).collect()
}

/// What is wrong with a block of the README.
fn fault(block: &Block, sources: &[String], program: &str) -> Option<String> {
    if block.language == "sh" {
        return unknown_command(block);
    }
    let is_tested = block.text == program || sources.iter().any(|source| has_lines(source, block.text));
    let must = LANGUAGES.contains(&block.language);
    (must && !is_tested).then(|| format!("nothing runs this {}:\n{}", block.language, block.text))
}

/// What is wrong with a block of a page of the book: code is to be that of a file that is run.
fn fault_in_book(block: &Block) -> Option<String> {
    if block.language == "sh" {
        return unknown_command(block);
    }
    if !LANGUAGES.contains(&block.language) {
        return None;
    }
    let Some(source) = pages::source(block.above) else {
        return Some(format!("nothing above says which file this is from:\n{}", block.text));
    };
    if !TESTED.iter().any(|(folder, _)| Path::new(source).starts_with(folder)) {
        return Some(format!("{source} is in no folder whose files are run"));
    }
    match pages::code(source) {
        Err(why) => Some(why),
        Ok(code) if code == block.text => None,
        Ok(_) => Some(format!("not as in {source}, `cargo xtask book` renews it:\n{}", block.text)),
    }
}

/// A line of shell that is in no step.
fn unknown_command(block: &Block) -> Option<String> {
    if is_build(block) {
        return None;
    }
    let commands = block.text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim());
    let is_known = |line: &&str| line.is_empty() || COMMANDS.iter().any(|(start, _)| line.starts_with(start));
    commands.filter(|line| !is_known(line)).map(|line| format!("no step runs `{line}`")).next()
}

/// Whether all lines of `wanted` stand in `text` one after the other, however they are indented.
fn has_lines(text: &str, wanted: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let wanted: Vec<&str> = wanted.lines().map(str::trim).collect();
    !wanted.is_empty() && lines.windows(wanted.len()).any(|window| window == wanted)
}

/// Every fenced block.
fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut rest = markdown;
    while let Some((before, after)) = rest.split_once("```") {
        let Some((language, after)) = after.split_once('\n') else { break };
        let Some((text, after)) = after.split_once("```") else { break };
        let above = before.lines().next_back().unwrap_or_default();
        found.push(Block { language: language.trim(), text, above });
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Block, blocks, dead_links, fault, fault_in_book, has_lines, too_wide};

    #[test]
    fn links_to_files_that_are_not_there_are_told() {
        let found = dead_links("[a](README.md) ![b](docs/none.png) [c](https://example.org)");
        assert_eq!(found, ["\"docs/none.png\" leads nowhere"]);
    }

    #[test]
    fn promises_of_the_same_bits_that_go_too_far_are_told() {
        assert!(
            too_wide("the same bits on every x86-64 CPU; same on every machine: yes, on x86-64").is_empty()
        );
        assert_eq!(too_wide("/// equal on all\n/// machines after equal calls").len(), 1);
        assert_eq!(too_wide("The same bits on every CPU, on any number of threads.").len(), 1);
    }

    #[test]
    fn blocks_are_found_with_their_languages() {
        let readme = "```sh\nls\n```\ntext `x`\n```c\nint main;\n```\n```c\nno end";
        let block = |language, text, above| Block { language, text, above };
        let wanted = [block("sh", "ls\n", ""), block("c", "int main;\n", "text `x`")];
        assert_eq!(blocks(readme), wanted);
    }

    #[test]
    fn lines_are_found_whatever_their_indent_but_only_one_after_the_other() {
        let source = "{\n    a;\n\n    b;\n}\n";
        assert!(has_lines(source, "a;\n\nb;\n"));
        assert!(!has_lines(source, "a;\nb;\n") && !has_lines(source, ""));
    }

    #[test]
    fn code_and_commands_that_nothing_runs_are_told() {
        let sources = ["int x;\nint y;\n".to_string()];
        let fault =
            |language, text| fault(&Block { language, text, above: "" }, &sources, "int main;\n").is_some();
        assert!(!fault("c", "int x;\nint y;\n") && !fault("c", "int main;\n") && !fault("text", "anything"));
        assert!(fault("c", "int z;\n") && fault("gdscript", "var z\n"));
        assert!(!fault("sh", "cargo xtask demo   # a film\n") && fault("sh", "cargo xtask demo\nrm -r x\n"));
    }

    #[test]
    fn code_in_the_book_is_that_of_a_tested_file_to_the_letter() {
        let text = crate::pages::code("examples/c/mesh.c:skin").expect("the code");
        let told = |text: &str, above| fault_in_book(&Block { language: "c", text, above });
        assert_eq!(told(&text, "<!-- code: examples/c/mesh.c:skin -->"), None);
        for (text, above, why) in [
            (text.as_str(), "", "nothing above"),
            ("int x;\n", "<!-- code: examples/c/mesh.c:skin -->", "not as in"),
            (&text, "<!-- code: examples/c/mesh.c:none -->", "no anchor none"),
            (&text, "<!-- code: examples/c/none.c:skin -->", "none.c: "),
            (&text, "<!-- code: src/lib.rs -->", "no folder"),
        ] {
            let told = told(text, above).unwrap_or_default();
            assert!(told.contains(why), "{above}: {told:?} does not say {why:?}");
        }
    }
}
