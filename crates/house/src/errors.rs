//! The rule on engines' errors: callers decide by variants and fields, never by text.
//!
//! The rule looks at tokens: wherever an `EngineError` is constructed, the tokens in its
//! parentheses or braces must not make text. Types ensure the rest: no variant has text, and a
//! cause is an error.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};

use crate::report::Breach;
use crate::repository::Repository;

/// The type whose values carry no text.
const ERROR: &str = "EngineError";

/// Engines' errors that are made from text.
pub fn of_text(repository: &Repository) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (path, text) in repository.rust() {
        // The rule on long functions reports files that are not Rust.
        let Ok(tokens) = text.parse::<TokenStream>() else { continue };
        let mut lines = Vec::new();
        collect(tokens, &mut lines);
        breaches.extend(lines.into_iter().map(|line| {
            let what =
                format!("an {ERROR} that carries text; add an error type or a variant for it");
            Breach::new(path, line, what)
        }));
    }
    breaches
}

/// Collects the lines at which an engine's error is made from text.
fn collect(tokens: TokenStream, lines: &mut Vec<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            collect(group.stream(), lines);
        }
        let TokenTree::Ident(ident) = token else { continue };
        // `EngineError::Variant(…)`, `EngineError::made(…)` or `EngineError::Variant { … }`.
        let [TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(_), arguments, ..] =
            &tokens[index + 1..]
        else {
            continue;
        };
        if ident == ERROR
            && let TokenTree::Group(group) = arguments
            && makes_text(group.stream(), group.delimiter() == Delimiter::Parenthesis)
        {
            lines.push(ident.span().start().line);
        }
    }
}

/// Whether tokens make text: by `format!`, `to_string` or `std::io::Error::other`, or, if
/// `literals` is set, from a string literal. Fields may be literals: names of engines, and nouns in
/// errors.
fn makes_text(tokens: TokenStream, literals: bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_here = tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Ident(ident) => {
            let next = tokens.get(index + 1);
            let is_macro = matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
            let is_called = matches!(next, Some(TokenTree::Group(_)));
            ident == "to_string" || ident == "other" && is_called || ident == "format" && is_macro
        }
        TokenTree::Literal(literal) => literals && is_text(literal),
        _ => false,
    });
    is_here
        || tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => {
                let is_call = group.delimiter() == Delimiter::Parenthesis;
                makes_text(group.stream(), literals && is_call)
            }
            _ => false,
        })
}

fn is_text(literal: &Literal) -> bool {
    literal.to_string().contains('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        let breaches = of_text(&Repository::of(&[("crates/a/src/lib.rs", text)]));
        breaches.into_iter().map(|breach| breach.line).collect()
    }

    #[test]
    fn text_is_found_wherever_it_is_made() {
        for made in [
            "EngineError::Machine(format!(\"x {y}\"))",
            "EngineError::Machine(error.to_string())",
            "EngineError::Machine(\"it stops\".to_owned())",
            "EngineError::Io(std::io::Error::other(what).into())",
            "halfgate_engine::EngineError::machine(Text(\"it stops\"))",
            "EngineError::Unavailable { engine, cause: Cause::new(Text(error.to_string())) }",
        ] {
            let text = format!("fn f() -> EngineError {{\n    g(|| {made})\n}}\n");
            assert_eq!(found(&text), [2], "{made}");
        }
    }

    #[test]
    fn types_names_and_patterns_are_no_text() {
        for made in [
            "EngineError::machine(RunError::Table { number })",
            "EngineError::machine(PortError::Other { what: \"serial port\" })",
            "result.map_err(|error| match error { other => EngineError::program(name, other) })",
            "EngineError::Skips { engine: \"model:toy\".to_owned() }",
            "match error { EngineError::Machine(cause) => cause.to_string(), _ => format!(\"x\") }",
            "EngineError::machine",
        ] {
            assert_eq!(found(&format!("fn f() {{ {made}; }}\n")), [0; 0], "{made}");
        }
    }
}
