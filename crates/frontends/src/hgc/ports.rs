//! The lines that declare a port.

use super::error::Problem;
use super::lexer::Lexer;
use super::{types, words};
use crate::error::ReadError;
use halfgate_circuit::{Element, ElementType, Input, Party, Wire};
use std::io::BufRead;

const INPUT: &str = "input NAME OWNER WIDTH [per-cycle] [TYPE [set]]";
const OUTPUT: &str = "output NAME WIDTH [per-cycle] [TYPE]";

/// A declared output whose bits follow in later lines.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) width: u32,
    pub(super) per_cycle: bool,
    pub(super) elements: Option<ElementType>,
    is_set: bool,
}

/// Reads the words after `input`.
pub(super) fn input<R: BufRead>(lexer: &mut Lexer<R>) -> Result<Input, ReadError> {
    let name = name(lexer, INPUT)?;
    let party = lexer.field("the owner", INPUT, |word| match word {
        "garbler" => Ok(Party::Garbler),
        "evaluator" => Ok(Party::Evaluator),
        other => Err(Problem::Party(other.to_owned())),
    })?;
    let Declared { name, width, per_cycle, elements, is_set } = rest(lexer, name, INPUT)?;
    Ok(Input { name, party, width, per_cycle, elements, is_set })
}

/// Reads the words after `output`.
pub(super) fn output<R: BufRead>(lexer: &mut Lexer<R>) -> Result<Declared, ReadError> {
    let name = name(lexer, OUTPUT)?;
    rest(lexer, name, OUTPUT)
}

fn name<R: BufRead>(lexer: &mut Lexer<R>, form: &'static str) -> Result<String, ReadError> {
    let name = lexer.name()?;
    name.ok_or_else(|| lexer.error(Problem::Missing { what: "the name", form }))
}

/// Reads the words that inputs and outputs have in common.
fn rest<R: BufRead>(
    lexer: &mut Lexer<R>,
    name: String,
    form: &'static str,
) -> Result<Declared, ReadError> {
    let width = lexer.field("the width", form, |word| {
        let expected = "the width, a number of bits";
        words::number(word).ok_or(Problem::Expected { expected, found: word.to_owned() })
    })?;
    if width == 0 || width > Wire::MAX.into() {
        return Err(lexer.error(Problem::Width { name, width }));
    }
    let width = width as u32;
    let mut word = lexer.word()?;
    let per_cycle = word == Some("per-cycle");
    if per_cycle {
        word = lexer.word()?;
    }
    let elements = word.map(|word| types::parse(word, width)).transpose();
    let elements = match elements {
        Ok(elements) => elements,
        Err(problem) => return Err(lexer.error(Problem::Type { name, problem })),
    };
    let word = if form == INPUT { lexer.word()? } else { None };
    let is_set = match word {
        None => false,
        Some("set") => true,
        Some(other) => {
            let found = other.to_owned();
            return Err(lexer.error(Problem::Extra { found, form }));
        }
    };
    let is_unsigned = elements.is_some_and(|elements| elements.element == Element::Unsigned);
    if is_set && (per_cycle || !is_unsigned) {
        return Err(lexer.error(Problem::Set { name }));
    }
    lexer.end_line(form)?;
    Ok(Declared { name, width, per_cycle, elements, is_set })
}
