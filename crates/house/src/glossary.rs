//! The rule on names: identifiers do not have the words that `docs/glossary.toml` refuses.

use proc_macro2::{TokenStream, TokenTree};
use serde::Deserialize;

use crate::report::Breach;
use crate::repository::{Repository, is_generated};

/// The list of refused words, from the repository's root.
pub const PATH: &str = "docs/glossary.toml";

/// Maximum words of an identifier that the rule checks. Longer ones are names of tests.
const MOST_WORDS: usize = 4;

/// The refused words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glossary {
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    words: Vec<String>,
    #[serde(rename = "use")]
    instead: String,
}

impl Glossary {
    /// Reads the list of `repository`.
    ///
    /// # Errors
    /// If there is none, or it is malformed or empty.
    pub fn read(repository: &Repository) -> Result<Self, String> {
        let text = repository.text(PATH).ok_or_else(|| format!("{PATH} is not tracked by git"))?;
        let glossary: Self = toml::from_str(text).map_err(|error| format!("{PATH}: {error}"))?;
        if glossary.refused.iter().all(|entry| entry.words.is_empty()) {
            return Err(format!("{PATH} refuses no word"));
        }
        Ok(glossary)
    }

    /// The words to use instead, if `identifier` has a refused word.
    fn instead(&self, identifier: &str) -> Option<&str> {
        let words = words(identifier);
        if words.len() > MOST_WORDS {
            return None;
        }
        let refuses = |entry: &&Refused| entry.words.iter().any(|word| words.contains(word));
        self.refused.iter().find(refuses).map(|entry| entry.instead.as_str())
    }
}

/// Identifiers in Rust and SystemVerilog that have refused words.
pub fn refused(repository: &Repository, glossary: &Glossary) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (path, text) in repository.files().filter(|(path, _)| !is_generated(path)) {
        let mut found = Vec::new();
        if path.ends_with(".rs") {
            // The rule on long functions reports files that are not Rust.
            let Ok(tokens) = text.parse::<TokenStream>() else { continue };
            in_rust(tokens, &mut found);
        } else if path.ends_with(".sv") || path.ends_with(".svh") {
            in_verilog(text, &mut found);
        }
        breaches.extend(found.into_iter().filter_map(|(line, identifier)| {
            let instead = glossary.instead(&identifier)?;
            let what = format!("`{identifier}` has a refused word; use {instead} ({PATH})");
            Some(Breach::new(path, line, what))
        }));
    }
    breaches
}

fn in_rust(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => in_rust(group.stream(), found),
            TokenTree::Ident(ident) => found.push((ident.span().start().line, ident.to_string())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => (),
        }
    }
}

/// Collects identifiers outside strings and outside comments with `//`.
fn in_verilog(text: &str, found: &mut Vec<(usize, String)>) {
    for (index, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for outside in code.split('"').step_by(2) {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let identifiers = outside.split(|c| !is_part(c)).filter(|word| !word.is_empty());
            found.extend(identifiers.map(|word| (index + 1, word.to_owned())));
        }
    }
}

/// The words of an identifier, in lower case: `sent_rows`, `SentRows` and `SENT_ROWS` have two.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in identifier.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if c != '_' {
            words.last_mut().expect("a word").extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let ours = include_str!("../../../docs/glossary.toml");
        let repository = Repository::of(&[(PATH, ours), (path, text)]);
        let glossary = Glossary::read(&repository).unwrap();
        refused(&repository, &glossary).into_iter().map(|breach| breach.line).collect()
    }

    #[test]
    fn refused_words_are_found_in_identifiers_of_every_form() {
        let text = "fn tell_peer() {\n    let unsent = HAS_ROOM;\n}\nstruct SilentPeer;\n";
        assert_eq!(found("crates/a/src/lib.rs", text), [1, 2, 4]);
        let text = "module a (\n  input logic room_i, // space\n  output logic gnt_o\n);\n";
        assert_eq!(found("rtl/a.sv", text), [2]);
    }

    #[test]
    fn comments_strings_sentences_and_parts_of_words_are_not_looked_at() {
        let text = "// say\nfn who_asks_is_answered_at_once() { f(\"room\"); }\nfn tellers() {}\n";
        assert_eq!(found("crates/a/src/lib.rs", text), [0; 0]);
        assert_eq!(found("rtl/a.sv", "// room_i\nlogic rooms2_q; $error(\"room\");\n"), [0; 0]);
        assert_eq!(found("crates/a/src/generated.rs", "fn say() {}\n"), [0; 0]);
    }

    #[test]
    fn a_list_that_refuses_nothing_is_an_error() {
        let read = |text: &str| Glossary::read(&Repository::of(&[(PATH, text)])).map(|_| ());
        assert!(read("refused = []\n").unwrap_err().contains("no word"));
        assert!(read("[[refused]]\nword = []\n").unwrap_err().contains(PATH));
    }
}
