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

/// Parses `word` as a bit, or as consecutive bits: `4..7`, `!4..7` or `false*8`. Returns the first
/// bit and their number, as [`BitRuns::push_run`](halfgate_circuit::structured::BitRuns::push_run)
/// takes them. As for [`bit`], the wires must be below `wires`.
pub(super) fn run(word: &str, wires: u64) -> Result<(Bit, u32), Problem> {
    let malformed = || {
        let expected = "wires (12..43), inverted wires (!12..43) or a repeated constant (false*8)";
        Problem::Expected { expected, found: word.to_owned() }
    };
    if let Some((constant, count)) = word.split_once('*') {
        let bit = bit(constant, 0).map_err(|_| malformed())?;
        let count = number(count).filter(|count| (1..=u64::from(Wire::MAX)).contains(count));
        return Ok((bit, count.ok_or_else(malformed)? as u32));
    }
    let Some((start, last)) = word.split_once("..") else {
        return Ok((bit(word, wires)?, 1));
    };
    let first = bit(start, wires).map_err(|problem| match problem {
        Problem::NoSuchWire { .. } => problem,
        _ => malformed(),
    })?;
    let wire = u64::from(first.wire().ok_or_else(malformed)?.number());
    let last = number(last).filter(|&last| last >= wire).ok_or_else(malformed)?;
    if last >= wires {
        return Err(Problem::NoSuchWire { wire: last, wires });
    }
    Ok((first, (last - wire + 1) as u32))
}

/// Whether `word` is written as [`run`] takes it, but not as a single bit.
pub(super) fn is_run(word: &str) -> bool {
    word.contains('*') || word.contains("..")
}

/// Checks that `word` is `keyword`; `quoted` is the same in quotation marks, for messages.
pub(super) fn keyword(word: &str, keyword: &str, quoted: &'static str) -> Result<(), Problem> {
    match word == keyword {
        true => Ok(()),
        false => Err(Problem::Expected { expected: quoted, found: word.to_owned() }),
    }
}

/// Formats consecutive bits as in a file: the first bit and their number.
pub(super) struct ShownRun(pub(super) Bit, pub(super) u32);

impl std::fmt::Display for ShownRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &ShownRun(first, count) = self;
        write!(f, "{}", Shown(first))?;
        match first.wire() {
            _ if count == 1 => Ok(()),
            Some(wire) => write!(f, "..{}", wire.number() + (count - 1)),
            None => write!(f, "*{count}"),
        }
    }
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
