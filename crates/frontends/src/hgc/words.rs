//! Numbers, bits and names as words of a file.

use super::error::Problem;
use super::lexer::{is_plain, is_plain_start};
use halfgate_circuit::{Bit, Wire};
use std::borrow::Cow;

/// Parses `word` as a decimal number of digits only.
pub(super) fn number(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok())?
}

/// Parses `word` as a bit: a constant, a wire, or an inverted wire. The wire's number must be below
/// `wires`, which is at most [`Wire::MAX`].
pub(super) fn bit(word: &str, wires: u64) -> Result<Bit, Problem> {
    match word {
        "false" => return Ok(Bit::FALSE),
        "true" => return Ok(Bit::TRUE),
        _ => {}
    }
    let (inverted, digits) = match word.strip_prefix('!') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let Some(wire) = number(digits) else {
        let expected = "a wire (12), an inverted wire (!12), false or true";
        return Err(Problem::Expected { expected, found: word.to_owned() });
    };
    if wire >= wires {
        return Err(Problem::NoSuchWire { wire, wires });
    }
    Ok(Bit::new(Wire::new(wire as u32), inverted))
}

/// Formats a bit as in a file.
pub(super) struct Shown(pub(super) Bit);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.wire() {
            None => write!(f, "{}", self.0.is_inverted()),
            Some(wire) if self.0.is_inverted() => write!(f, "!{}", wire.number()),
            Some(wire) => write!(f, "{}", wire.number()),
        }
    }
}

/// Formats `name` as in a file: unchanged, or as a JSON string.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    let mut bytes = name.bytes();
    if bytes.next().is_some_and(is_plain_start) && bytes.all(is_plain) {
        return Cow::Borrowed(name);
    }
    let json = serde_json::to_string(name).expect("a string is JSON");
    Cow::Owned(json)
}
