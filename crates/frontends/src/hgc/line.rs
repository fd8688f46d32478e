//! The kinds of lines.

use super::error::Problem;
use super::lexer::Lexer;
use super::{FLAT_VERSION, words};
use crate::error::ReadError;
use std::io::BufRead;

/// The kinds of lines with bits or arguments. They belong to a line before them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Shared,
    Slice,
    List,
    /// More bits of an argument, a function or an output.
    Bits,
}

impl Line {
    /// The first word of the line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Line::Shared => "shared",
            Line::Slice => "slice",
            Line::List => "list",
            Line::Bits => "bits",
        }
    }
}

/// The wires that a line says its item drives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Drives {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// The kind of a line. Its first word decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Function,
    Cycles,
    Input,
    FlipFlop,
    /// A gate or a call, with the wires that it drives.
    Item(Drives),
    /// Bits of an output or a function, or a line of a call.
    OfList(Line),
    Return,
    EndFunction,
    Output,
    Next,
    End,
}

/// The words that begin a line of version 1, in messages.
const FLAT: &str = "cycles, input, flip-flop, output, bits, next, end or the number of the wire \
                    that a gate drives";
/// The words that begin a line of version 2.
const STRUCTURED: &str = "function, return, end-function, cycles, input, flip-flop, shared, slice, \
                          list, output, bits, next, end or the wires that a gate or a call drives";

impl Word {
    /// Reads the first word of the next line.
    pub(super) fn read<R: BufRead>(lexer: &mut Lexer<R>, version: u64) -> Result<Word, ReadError> {
        let word = lexer.first_word()?.map(|word| Word::parse(word, version));
        word.unwrap_or(Err(Problem::NoEnd)).map_err(|problem| lexer.error(problem))
    }

    fn parse(word: &str, version: u64) -> Result<Word, Problem> {
        if let Some(wire) = words::number(word) {
            return Ok(Word::Item(Drives { first: wire, last: wire }));
        }
        let is_flat = version == FLAT_VERSION;
        Ok(match word {
            "cycles" => Word::Cycles,
            "input" => Word::Input,
            "flip-flop" => Word::FlipFlop,
            "output" => Word::Output,
            "bits" => Word::OfList(Line::Bits),
            "next" => Word::Next,
            "end" => Word::End,
            "function" | "return" | "end-function" | "shared" | "slice" | "list" | "call"
            | "map" | "fold"
                if is_flat =>
            {
                return Err(Problem::Reserved(word.to_owned()));
            }
            "function" => Word::Function,
            "return" => Word::Return,
            "end-function" => Word::EndFunction,
            "shared" => Word::OfList(Line::Shared),
            "slice" => Word::OfList(Line::Slice),
            "list" => Word::OfList(Line::List),
            _ => match word.split_once("..") {
                Some((first, _)) if is_flat && words::number(first).is_some() => {
                    return Err(Problem::Reserved(word.to_owned()));
                }
                Some((first, last)) if !is_flat => Word::Item(drives(first, last, word)?),
                _ => {
                    let known = if is_flat { FLAT } else { STRUCTURED };
                    return Err(Problem::UnknownWord { word: word.to_owned(), known });
                }
            },
        })
    }

    /// The line's first word, or what it is, in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Word::Function => "function",
            Word::Cycles => "cycles",
            Word::Input => "input",
            Word::FlipFlop => "flip-flop",
            Word::Item(_) => "a gate",
            Word::OfList(line) => line.word(),
            Word::Return => "return",
            Word::EndFunction => "end-function",
            Word::Output => "output",
            Word::Next => "next",
            Word::End => "end",
        }
    }
}

/// Parses the wires `word`, which are `first..last`.
fn drives(first: &str, last: &str, word: &str) -> Result<Drives, Problem> {
    let expected = "the wires that a call drives (12..43)";
    let expected = || Problem::Expected { expected, found: word.to_owned() };
    let number = |word| words::number(word).ok_or_else(expected);
    Ok(Drives { first: number(first)?, last: number(last)? })
}
