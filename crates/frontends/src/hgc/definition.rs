//! The lines of a function.

use super::VERSION;
use super::body::OpenBody;
use super::call::{self, short_run};
use super::error::{CallProblem, Problem};
use super::functions::Functions;
use super::lexer::Lexer;
use super::line::{Line, Word};
use super::words::{self, keyword};
use crate::error::ReadError;
use halfgate_circuit::{Bit, Wire};
use std::io::BufRead;

const FUNCTION: &str = "function NAME inputs NUMBER outputs NUMBER";

/// Reads a function, after the word `function`, and appends it to `functions`.
pub(super) fn read<R: BufRead>(
    lexer: &mut Lexer<R>,
    functions: &mut Functions,
) -> Result<(), ReadError> {
    let name = lexer.any_name()?;
    let missing = Problem::Missing { what: "the name", form: FUNCTION };
    let name = name.ok_or_else(|| lexer.error(missing))?;
    let inputs = width(lexer, "inputs", "`inputs`")?;
    let width = width(lexer, "outputs", "`outputs`")?;
    lexer.end_line(FUNCTION)?;
    functions.begin(name);
    let mut open = OpenBody::of_function(inputs);
    read_body(lexer, &mut open, functions)?;
    let outputs = outputs(lexer, width, open.wires)?;
    lexer.end_line("end-function")?;
    // A source line holds to the end of its body.
    lexer.take_source();
    functions.push(inputs, open.body, outputs, open.extent);
    Ok(())
}

/// Reads the items of a function's body, and the word `return`.
fn read_body<R: BufRead>(
    lexer: &mut Lexer<R>,
    open: &mut OpenBody,
    functions: &Functions,
) -> Result<(), ReadError> {
    loop {
        let word = Word::read(lexer, VERSION)?;
        match word {
            Word::Item(drives) => {
                open.finish_call(lexer)?;
                open.item(lexer, drives, functions, VERSION)?;
            }
            Word::OfList(line) => open.argument(lexer, line)?,
            Word::Return => return open.finish_call(lexer),
            Word::EndFunction => return Err(lexer.error(CallProblem::NoReturn.into())),
            other => {
                let problem = CallProblem::InFunction(other.name());
                return Err(lexer.error(problem.into()));
            }
        }
    }
}

/// Reads `inputs` or `outputs` and their number.
fn width<R: BufRead>(
    lexer: &mut Lexer<R>,
    what: &'static str,
    quoted: &'static str,
) -> Result<u32, ReadError> {
    lexer.field(quoted, FUNCTION, |word| keyword(word, what, quoted))?;
    lexer.field("the number of bits", FUNCTION, |word| {
        let expected = "a number of bits";
        let found = words::number(word)
            .ok_or_else(|| Problem::Expected { expected, found: word.to_owned() })?;
        match found {
            1.. if found <= Wire::MAX.into() => Ok(found as u32),
            _ => Err(CallProblem::Width { what, found }.into()),
        }
    })
}

/// Reads the function's outputs, after the word `return`, and the word `end-function`.
fn outputs<R: BufRead>(
    lexer: &mut Lexer<R>,
    outputs: u32,
    wires: u64,
) -> Result<Vec<Bit>, ReadError> {
    let mut bits = Vec::new();
    loop {
        let before = bits.len();
        loop {
            let run = match lexer.word()? {
                None => break,
                Some(word) => short_run(word, wires),
            };
            let (first, count) = run.map_err(|problem| lexer.error(problem))?;
            if first.as_constant().is_some() {
                return Err(lexer.error(CallProblem::ConstantReturned.into()));
            }
            if count as usize > outputs as usize - bits.len() {
                return Err(lexer.error(CallProblem::TooManyReturned { outputs }.into()));
            }
            call::extend(&mut bits, first, count);
        }
        if bits.len() == before {
            let form = "return BIT…";
            return Err(lexer.error(Problem::Missing { what: "the bits", form }));
        }
        let word = Word::read(lexer, VERSION)?;
        let found = bits.len();
        match word {
            Word::OfList(Line::Bits) => {}
            _ if found < outputs as usize => {
                return Err(lexer.error(CallProblem::TooFewReturned { outputs, found }.into()));
            }
            Word::EndFunction => return Ok(bits),
            other => return Err(lexer.error(CallProblem::AfterReturn(other.name()).into())),
        }
    }
}
