//! Comments of generated files.

/// Last column of a comment's lines.
const COLUMN: usize = 100;

/// First lines of SystemVerilog and C files.
pub(crate) const LICENCE: &str = "// SPDX-License-Identifier: MIT OR Apache-2.0\n\n";

/// Returns `text` as lines that begin with `mark`, such as `    ///`, wrapped at column 100. The
/// last line has no line feed.
pub(crate) fn comment(mark: &str, text: &str) -> String {
    let mut lines = vec![mark.to_owned()];
    for word in text.split(' ') {
        let line = lines.last().expect("a first line");
        let width = line.chars().count() + 1 + word.chars().count();
        if width > COLUMN && line != mark {
            lines.push(mark.to_owned());
        }
        let line = lines.last_mut().expect("a first line");
        line.push(' ');
        line.push_str(word);
    }
    lines.join("\n")
}

/// Returns `text` with a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

/// Returns the sentence that names the `source` of a generated file.
pub(crate) fn generated_from(source: &str) -> String {
    format!("Generated from {source}: change that file and run `make spec`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_a_capital_and_a_full_stop() {
        assert_eq!(sentence("jump and link"), "Jump and link.");
        assert_eq!(sentence("1 if less"), "1 if less.");
    }

    #[test]
    fn lines_end_at_the_column() {
        assert_eq!(comment("  //", "Two words."), "  // Two words.");
        let text = comment("///", &"word ".repeat(40));
        assert!(text.lines().count() > 1, "{text}");
        assert!(text.lines().all(|line| line.len() <= COLUMN && line.starts_with("/// word")));
        let long = "a".repeat(120);
        assert_eq!(comment("//", &long), format!("// {long}"));
    }
}
