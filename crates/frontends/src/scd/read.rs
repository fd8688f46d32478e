//! The SCD reader: seven lines, each read once.

use super::Options;
use super::error::{Place, Problem};
use super::netlist::{NONE, Netlist, Sizes};
use crate::error::{ReadError, TextProblem};
use crate::spool::{Record, Spool};
use crate::text::Text;
use halfgate_circuit::Circuit;
use std::io::BufRead;

/// Reads a circuit in SCD format; `name` is the file's name in messages.
///
/// Memory: about 30 bytes for each wire alive at once, each output and each flip-flop; and 32 MiB
/// for each of these lists: the circuit's gates, the gates as read, and the two lines of inputs,
/// which precede the types of the gates. Further entries go to temporary files. Declared sizes take
/// no memory until the entries follow.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit; and if the file
/// cannot be read or a temporary file cannot be written.
pub fn read(reader: impl BufRead, name: &str, options: &Options) -> Result<Circuit, ReadError> {
    read_measured(reader, name, options).map(|(circuit, _)| circuit)
}

/// Like [`read`]. Also returns the largest number of wires that were held at once.
pub(super) fn read_measured(
    reader: impl BufRead,
    name: &str,
    options: &Options,
) -> Result<(Circuit, usize), ReadError> {
    let mut text = Text::new(reader, name);
    let sizes = sizes(&mut text)?;
    let (gates, flip_flops) = (u64::from(sizes.gates), u64::from(sizes.flip_flops));
    let mut netlist = Netlist::new(sizes);

    let mut first: Spool<u32> = Spool::new();
    line(&mut text, "line 2, the first inputs", "first inputs", gates, |gate, wire| {
        let place = Place::First(gate);
        Ok(first.push(sizes.gate_operand(gate as u32, place, wire)?)?)
    })?;
    let mut second: Spool<SecondInput> = Spool::new();
    line(&mut text, "line 3, the second inputs", "second inputs", gates, |gate, wire| {
        // The type of the gate, which is read later, decides whether a second input is required.
        if wire != NONE {
            sizes.gate_operand(gate as u32, Place::Second(gate), wire)?;
        }
        Ok(second.push(SecondInput(wire as i32))?)
    })?;
    let (mut firsts, mut seconds) = (first.cursor(), second.cursor());
    line(&mut text, "line 4, the types", "types", gates, |_, code| {
        let (Some(a), Some(SecondInput(b))) = (firsts.next()?, seconds.next()?) else {
            unreachable!("the lines before had an input for each gate")
        };
        Ok(netlist.gate(a, b.into(), code)??)
    })?;
    line(&mut text, "line 5, the outputs", "outputs", sizes.outputs, |output, wire| {
        netlist.output(sizes.operand(Place::Output(output), wire)?);
        Ok(())
    })?;
    line(&mut text, "line 6, the data wires", "data wires", flip_flops, |flip_flop, wire| {
        netlist.data(sizes.operand(Place::Data(flip_flop), wire)?);
        Ok(())
    })?;
    line(
        &mut text,
        "line 7, the initial wires",
        "initial wires",
        flip_flops,
        |flip_flop, wire| {
            netlist.init(sizes.init(flip_flop, wire)?);
            Ok(())
        },
    )?;
    while let Some(byte) = text.skip_blanks()? {
        match byte {
            b'\n' => text.next_line(),
            _ => return Err(text.error(Problem::TrailingLine)),
        }
    }
    netlist.into_circuit(options)
}

/// A second input as it is written: a wire, a constant, or none. Values that passed the checks fit
/// 32 bits.
#[derive(Clone, Copy)]
struct SecondInput(i32);

impl Record for SecondInput {
    const BYTES: usize = 4;
    fn store(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0.to_le_bytes());
    }
    fn load(bytes: &[u8]) -> SecondInput {
        SecondInput(i32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

/// Reasons to reject a number.
enum Refused {
    Problem(Problem),
    Spool(std::io::Error),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused::Problem(problem)
    }
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Refused {
        Refused::Spool(error)
    }
}

fn sizes<R: BufRead>(text: &mut Text<R>) -> Result<Sizes, ReadError> {
    let mut sizes = [0; 7];
    let mut found = 0;
    while let Some(number) = next_number(text)? {
        let size = u64::try_from(number).map_err(|_| text.error(Problem::NegativeSize(number)))?;
        if let Some(place) = sizes.get_mut(found) {
            *place = size;
        }
        found += 1;
        // A line with more numbers is an error, so the rest of the line need not be read.
        if found > sizes.len() {
            break;
        }
    }
    if found != sizes.len() {
        return Err(text.error(Problem::Sizes(found)));
    }
    let sizes = Sizes::new(sizes).map_err(|problem| text.error(problem))?;
    end_line(text)?;
    Ok(sizes)
}

/// Reads the `announced` numbers of the current line, and leaves `text` at the next line. If the
/// line is missing, the error calls it `name`.
fn line<R: BufRead>(
    text: &mut Text<R>,
    name: &'static str,
    what: &'static str,
    announced: u64,
    mut take: impl FnMut(u64, i64) -> Result<(), Refused>,
) -> Result<(), ReadError> {
    if announced > 0 && text.peek()?.is_none() {
        return Err(text.error(Problem::EndsBefore(name)));
    }
    let mut found = 0;
    while let Some(number) = next_number(text)? {
        if found == announced {
            return Err(text.error(Problem::TooMany { what, announced }));
        }
        take(found, number).map_err(|refused| match refused {
            Refused::Problem(problem) => text.error(problem),
            Refused::Spool(error) => ReadError::Spool(error),
        })?;
        found += 1;
    }
    if found < announced {
        return Err(text.error(Problem::TooFew { what, announced, found }));
    }
    end_line(text)
}

/// Returns the next number of the line, or `None` at the end of the line.
fn next_number<R: BufRead>(text: &mut Text<R>) -> Result<Option<i64>, ReadError> {
    let negative = match text.skip_blanks()? {
        None | Some(b'\n') => return Ok(None),
        Some(b'-') => {
            text.bump();
            if !text.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(text.error(TextProblem::Character(b'-')));
            }
            true
        }
        Some(byte) if !byte.is_ascii_digit() => {
            return Err(text.error(TextProblem::Character(byte)));
        }
        Some(_) => false,
    };
    let number = text.number()?;
    let Ok(number) = i64::try_from(number) else {
        return Err(text.error(TextProblem::NumberTooLarge(number)));
    };
    Ok(Some(if negative { -number } else { number }))
}

/// Skips the line feed at the end of the current line, if there is one.
fn end_line<R: BufRead>(text: &mut Text<R>) -> Result<(), ReadError> {
    if text.peek()?.is_some() {
        text.next_line();
    }
    Ok(())
}
