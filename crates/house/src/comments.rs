//! The rule on the width of comments.

use crate::report::Breach;
use crate::repository::{Repository, is_generated};

/// Comment marks, each with the file name endings that it is for.
const MARKS: [(&str, &[&str]); 2] = [
    ("//", &[".rs", ".sv", ".svh", ".v", ".c", ".h", ".cpp"]),
    ("#", &[".sh", ".py", ".toml", ".yml", "Makefile"]),
];

/// Comment lines that end beyond `column`, outside generated files. A line of one word, such as an
/// address, may.
pub fn wide(repository: &Repository, column: usize) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let by_hand = |(path, text): &(&str, &str)| !is_generated(path) && !is_marked(text);
    for (path, text) in repository.files().filter(by_hand) {
        let ends = |(_, ends): &&(&str, &[&str])| ends.iter().any(|end| path.ends_with(end));
        let Some((mark, _)) = MARKS.iter().find(ends) else { continue };
        for (index, line) in text.lines().enumerate() {
            let comment = line.trim_start();
            let width = line.chars().count();
            let text = comment.trim_start_matches(['/', '!', '#']).trim_start();
            if comment.starts_with(mark) && width > column && text.contains(' ') {
                let what = format!("comment to column {width}; wrap it at {column}");
                breaches.push(Breach::new(path, index + 1, what));
            }
        }
    }
    breaches
}

/// Whether a file's first lines state that it is generated.
fn is_marked(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains("Generated from "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_comments_that_are_too_wide_are_found() {
        let (fits, wide_one) = ("é ".repeat(46), "a ".repeat(48));
        let text =
            format!("    // {fits}\n    /// {wide_one}\nlet a = \"{wide_one}\"; // {fits}\n");
        let script = format!("# {wide_one}{wide_one}\n// {wide_one}{wide_one}\n");
        let address = format!("// https://{}\n", "a".repeat(100));
        let repository = Repository::of(&[
            ("crates/a/src/lib.rs", &text),
            ("scripts/a.sh", &script),
            ("rtl/a.sv", &address),
            ("rtl/generated/a_generated.sv", &script),
            ("docs/a.md", &script),
            ("crates/a/src/names.rs", &format!("//! Generated from a.toml.\n{text}")),
            ("crates/a/src/table.rs", &format!("//! | {wide_one} | {wide_one} |\n")),
        ]);
        let found = wide(&repository, 100);
        let places: Vec<_> = found.iter().map(|b| (b.path.as_str(), b.line)).collect();
        let wanted =
            [("crates/a/src/lib.rs", 2), ("crates/a/src/table.rs", 1), ("scripts/a.sh", 1)];
        assert_eq!(places, wanted);
    }
}
