//! The text after the number of a gate's wire: `= and 3 !5`.

use super::error::Problem;
use super::lexer::Lexer;
use super::words;
use crate::error::ReadError;
use halfgate_circuit::{Bit, Gate};
use std::io::BufRead;

const BINARY: &str = "WIRE = GATE A B";
const UNARY: &str = "WIRE = GATE A";

/// The kinds of gates, as named in a file.
#[derive(Clone, Copy)]
enum Kind {
    /// AND. The flag is true if the output is inverted.
    And(bool),
    /// XOR. The flag is true if the output is inverted.
    Xor(bool),
    /// Copy. The flag is true if the output is inverted.
    Copy(bool),
}

impl Kind {
    fn parse(word: &str) -> Result<Kind, Problem> {
        match word {
            "and" => Ok(Kind::And(false)),
            "nand" => Ok(Kind::And(true)),
            "xor" => Ok(Kind::Xor(false)),
            "xnor" => Ok(Kind::Xor(true)),
            "copy" => Ok(Kind::Copy(false)),
            "not" => Ok(Kind::Copy(true)),
            "call" | "map" | "fold" => Err(Problem::Reserved(word.to_owned())),
            _ => Err(Problem::UnknownGate(word.to_owned())),
        }
    }
}

/// Reads the rest of a gate line. The gate drives wire `own`.
pub(super) fn read<R: BufRead>(lexer: &mut Lexer<R>, own: u64) -> Result<Gate, ReadError> {
    lexer.field("`=`", BINARY, equals)?;
    let kind = lexer.field("the gate", BINARY, Kind::parse)?;
    let operand = |word: &str| operand(word, own);
    Ok(match kind {
        Kind::Copy(invert) => {
            let a = lexer.field("the wire that the gate reads", UNARY, operand)?;
            lexer.end_line(UNARY)?;
            Gate::copy(a, invert)
        }
        Kind::And(invert) | Kind::Xor(invert) => {
            let a = lexer.field("the first wire that the gate reads", BINARY, operand)?;
            let b = lexer.field("the second wire that the gate reads", BINARY, operand)?;
            lexer.end_line(BINARY)?;
            match kind {
                Kind::And(_) => Gate::and(a, b, invert),
                _ => Gate::xor(a, b, invert),
            }
        }
    })
}

/// Checks that `word` is `=`.
pub(super) fn equals(word: &str) -> Result<(), Problem> {
    match word {
        "=" => Ok(()),
        _ => Err(Problem::Expected { expected: "`=`", found: word.to_owned() }),
    }
}

/// Parses an operand of the gate that drives wire `own`.
fn operand(word: &str, own: u64) -> Result<Bit, Problem> {
    match words::bit(word, own) {
        Err(Problem::NoSuchWire { wire, .. }) => Err(Problem::ReadTooEarly { wire, own }),
        Ok(bit) if bit.as_constant().is_some() => Err(Problem::ConstantOperand),
        other => other,
    }
}
