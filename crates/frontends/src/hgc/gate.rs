//! The text after the number of a gate's wire: `= and 3 !5`.

use super::error::Problem;
use super::lexer::Lexer;
use super::{FLAT_VERSION, words};
use crate::error::ReadError;
use halfgate_circuit::{Bit, Gate};
use std::io::BufRead;

const BINARY: &str = "WIRE = GATE A B";
const UNARY: &str = "WIRE = GATE A";

/// The kinds of items, as named in a file.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// AND. The flag is true if the output is inverted.
    And(bool),
    /// XOR. The flag is true if the output is inverted.
    Xor(bool),
    /// Copy. The flag is true if the output is inverted.
    Copy(bool),
    /// A call, only in version 2.
    Call,
}

impl Kind {
    fn parse(word: &str, version: u64) -> Result<Kind, Problem> {
        match word {
            "and" => Ok(Kind::And(false)),
            "nand" => Ok(Kind::And(true)),
            "xor" => Ok(Kind::Xor(false)),
            "xnor" => Ok(Kind::Xor(true)),
            "copy" => Ok(Kind::Copy(false)),
            "not" => Ok(Kind::Copy(true)),
            "call" if version > FLAT_VERSION => Ok(Kind::Call),
            "call" | "map" | "fold" if version == FLAT_VERSION => {
                Err(Problem::Reserved(word.to_owned()))
            }
            _ => Err(Problem::UnknownGate(word.to_owned())),
        }
    }
}

/// Reads `=` and the kind of the item.
pub(super) fn kind<R: BufRead>(lexer: &mut Lexer<R>, version: u64) -> Result<Kind, ReadError> {
    lexer.field("`=`", BINARY, equals)?;
    lexer.field("the gate", BINARY, |word| Kind::parse(word, version))
}

/// Reads the operands of a gate, which is not a call. It drives wire `own`.
pub(super) fn operands<R: BufRead>(
    lexer: &mut Lexer<R>,
    kind: Kind,
    own: u64,
) -> Result<Gate, ReadError> {
    let operand = |word: &str| operand(word, own);
    if let Kind::Copy(invert) = kind {
        let a = lexer.field("the wire that the gate reads", UNARY, operand)?;
        lexer.end_line(UNARY)?;
        return Ok(Gate::copy(a, invert));
    }
    let a = lexer.field("the first wire that the gate reads", BINARY, operand)?;
    let b = lexer.field("the second wire that the gate reads", BINARY, operand)?;
    lexer.end_line(BINARY)?;
    Ok(match kind {
        Kind::And(invert) => Gate::and(a, b, invert),
        Kind::Xor(invert) => Gate::xor(a, b, invert),
        Kind::Copy(_) | Kind::Call => unreachable!("handled before"),
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
