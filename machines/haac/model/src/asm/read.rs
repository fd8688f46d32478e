//! Reads instructions from text.

use super::{Listing, MOST_ADDRESS, next_address};
use crate::code::OOR_LAST;
use crate::instruction::{Instruction, Op, Unary};
use crate::machine::Shape;
use halfgate_compiler::spool::Spool;
use std::io::{self, BufRead, Read};
use thiserror::Error;

/// The longest line that is accepted, in bytes.
const LONGEST: u64 = 1 << 10;
/// The largest number of engines.
const MOST_ENGINES: u32 = 1 << 12;

/// Why a text is no program.
#[derive(Debug, Error)]
pub enum AsmError {
    /// The text cannot be read, or a temporary file cannot be written.
    #[error("cannot read the assembly: {0}")]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads a program.
///
/// Memory: a line, and the in-memory shares of the lists.
///
/// # Errors
/// If the text cannot be read, or a line breaks the grammar of the [module](super). The error has
/// the line's number.
pub fn assemble(text: &mut impl BufRead) -> Result<Listing, AsmError> {
    let mut reader = Lines { text, line: 0 };
    let Some(head) = reader.next()? else {
        return Err(
            reader.error("the text is empty: it must begin with haac engines … window … first …")
        );
    };
    let (shape, first_output) = header(&head).map_err(|reason| reader.error(reason))?;
    let mut program = Program {
        listing: Listing {
            shape,
            first_output,
            rows: Spool::new(),
            // The lists of all engines together take the memory of one list.
            oor: (0..shape.engines)
                .map(|_| Spool::with_memory(Spool::<4>::IN_MEMORY / shape.engines as usize))
                .collect(),
        },
        address: Some(first_output),
        ands: 0,
        rows: 0,
        engine: shape.engines,
    };
    while let Some(line) = reader.next()? {
        match program.line(&line) {
            Ok(()) => {}
            Err(Stop::Io(error)) => return Err(error.into()),
            Err(Stop::Wrong(reason)) => return Err(reader.error(reason)),
        }
    }
    if program.engine < shape.engines {
        let reason = format!("the text ends before engine {}'s line", program.engine);
        return Err(reader.error(reason));
    }
    Ok(program.listing)
}

/// Iterator over lines that are not empty, without comments.
struct Lines<'a, R> {
    text: &'a mut R,
    line: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<Option<String>, AsmError> {
        loop {
            let mut bytes = Vec::new();
            let length = self.text.take(LONGEST).read_until(b'\n', &mut bytes)?;
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            if length as u64 == LONGEST && bytes.last() != Some(&b'\n') {
                return Err(self.error(format!("it is longer than {LONGEST} bytes")));
            }
            let line = String::from_utf8(bytes).map_err(|_| self.error("it is not valid UTF-8"))?;
            let line = line.split(';').next().unwrap_or_default().trim();
            if !line.is_empty() {
                return Ok(Some(line.to_owned()));
            }
        }
    }

    fn error(&self, reason: impl Into<String>) -> AsmError {
        AsmError::Line { line: self.line.max(1), reason: reason.into() }
    }
}

/// Why reading stops.
enum Stop {
    Io(io::Error),
    Wrong(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Stop {
        Stop::Wrong(reason)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

fn header(line: &str) -> Result<(Shape, u32), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["haac", "engines", engines, "window", window, "first", first] = words[..] else {
        return Err("expected: haac engines NUMBER window LABELS first wADDRESS".to_owned());
    };
    let (engines, window) = (number(engines)?, number(window)?);
    if !(1..=MOST_ENGINES).contains(&engines) {
        return Err(format!("{engines} engines: the number must be 1 to {MOST_ENGINES}"));
    }
    let least = Shape::LEAST_WINDOW;
    if !window.is_power_of_two() || !(least..=Shape::MOST_WINDOW).contains(&window) {
        return Err(format!(
            "a window of {window} labels: it must be a power of two, at least {least}"
        ));
    }
    let shape = Shape { engines, window };
    let first = address(first)?;
    if shape.slot(first) == 0 {
        return Err(format!("w{first} is a multiple of the window, which no wire has as address"));
    }
    Ok((shape, first))
}

/// The program read so far.
struct Program {
    listing: Listing,
    /// Address of the next output, if there are any left.
    address: Option<u32>,
    ands: u64,
    rows: u64,
    /// The engine of the next line; the number of engines if a new row must begin.
    engine: u32,
}

impl Program {
    fn line(&mut self, line: &str) -> Result<(), Stop> {
        let engines = self.listing.shape.engines;
        if self.engine == engines {
            if line.split_whitespace().collect::<Vec<_>>() != ["row", &self.rows.to_string()] {
                return Err(format!("found {line:?} in place of row {}", self.rows).into());
            }
            self.rows += 1;
            self.engine = 0;
            return Ok(());
        }
        let (engine, rest) = line.split_once(':').unwrap_or((line, ""));
        if engine.trim() != self.engine.to_string() {
            return Err(format!("found {line:?} in place of engine {}'s line", self.engine).into());
        }
        let instruction = match rest.trim() {
            "nop" => Instruction::NOP,
            rest => self.instruction(rest)?,
        };
        self.listing.rows.push(instruction.to_bits().to_le_bytes())?;
        self.engine += 1;
        Ok(())
    }

    /// `w10 = and w3(s3) oor(w2 last) #0 live`.
    fn instruction(&mut self, text: &str) -> Result<Instruction, Stop> {
        let (output, rest) = text
            .split_once('=')
            .ok_or_else(|| format!("{text:?} is neither nop nor wADDRESS = OPERATION …"))?;
        let output = address(output.trim())?;
        match self.address {
            Some(next) if next == output => {}
            Some(next) => return Err(format!("the output is w{next}, not w{output}").into()),
            None => return Err("addresses have 31 bits, and are used up".to_owned().into()),
        }
        let words = words(rest);
        let (name, mut rest) = match words.split_first() {
            Some((name, rest)) => (name.as_str(), rest),
            None => return Err("the operation is missing".to_owned().into()),
        };
        let (op, unary) = match name {
            "xor" => (Op::Xor, 0),
            "and" => (Op::And, 0),
            "copy" => (Op::Unary, Unary::Copy as u32),
            "inv" => (Op::Unary, Unary::Inv as u32),
            other => return Err(format!("{other:?} is none of xor, and, copy, inv, nop").into()),
        };
        let mut slots = [0, unary];
        let operands = if op == Op::Unary { 1 } else { 2 };
        for slot in &mut slots[..operands] {
            let (operand, others) = rest
                .split_first()
                .ok_or_else(|| format!("{name} has {operands} operand(s): one is missing"))?;
            *slot = self.operand(operand, output)?;
            rest = others;
        }
        if op == Op::And {
            if let Some((first, others)) = rest.split_first().filter(|(w, _)| w.starts_with('#')) {
                if first[1..] != self.ands.to_string() {
                    return Err(format!("this is AND #{}, not {first}", self.ands).into());
                }
                rest = others;
            }
            self.ands += 1;
        }
        let live = match rest {
            [] => false,
            [word] if word == "live" => true,
            [word, ..] => return Err(format!("{word:?} is one word too many").into()),
        };
        self.address = next_address(self.listing.shape, output);
        Ok(Instruction::new(op, slots[0], slots[1], live))
    }

    /// Parses an operand into its field. An out-of-range address is appended to the engine's words.
    fn operand(&mut self, text: &str, output: u32) -> Result<u32, Stop> {
        let shape = self.listing.shape;
        if let Some(inside) = text.strip_prefix("oor(").and_then(|rest| rest.strip_suffix(')')) {
            let words: Vec<&str> = inside.split_whitespace().collect();
            let word = match words[..] {
                [wire] => address(wire)?,
                [wire, "last"] => address(wire)? | OOR_LAST,
                _ => {
                    return Err(
                        format!("{text:?} is not oor(wADDRESS) or oor(wADDRESS last)").into()
                    );
                }
            };
            self.listing.oor[self.engine as usize].push(word.to_le_bytes())?;
            return Ok(0);
        }
        let slot = |text: &str| match text.strip_prefix('s').map(number) {
            Some(Ok(slot)) if (1..shape.window).contains(&slot) => Ok(slot),
            _ => Err(format!("{text:?} is not a slot, s1 to s{}", shape.window - 1)),
        };
        if text.starts_with('s') {
            return Ok(slot(text)?);
        }
        let (wire, given) = match text.split_once('(') {
            Some((wire, rest)) => (wire, Some(rest.strip_suffix(')').unwrap_or(rest))),
            None => (text, None),
        };
        let wire = address(wire)?;
        if wire >= output || !shape.in_window(wire, output) || shape.slot(wire) == 0 {
            return Err(
                format!("w{wire} is not in the window of w{output}: write oor(w{wire})").into()
            );
        }
        if let Some(given) = given
            && slot(given)? != shape.slot(wire)
        {
            return Err(format!("w{wire} is in slot s{}, not {given}", shape.slot(wire)).into());
        }
        Ok(shape.slot(wire))
    }
}

/// Splits text at blanks, but not at blanks in brackets.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut inside) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        inside = c == '(' || inside && c != ')';
        if c.is_whitespace() && !inside {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(c);
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The address in `w12`, if a wire can have it.
fn address(text: &str) -> Result<u32, String> {
    match text.strip_prefix('w').map(number) {
        Some(Ok(address)) if (1..=MOST_ADDRESS).contains(&address) => Ok(address),
        _ => Err(format!("{text:?} is not a wire's address, w1 to w{MOST_ADDRESS}")),
    }
}

fn number(text: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| format!("{text:?} is not a number of 32 bits"))
}
