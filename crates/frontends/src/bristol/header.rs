//! The header: counts and widths, which are checked against each other. No memory is allocated for
//! gates or wires that a header only declares.

use super::Format;
use super::error::Problem;
use super::lexer::{Lexer, Line};
use crate::error::ReadError;
use halfgate_circuit::Wire;
use std::io::BufRead;

/// Limit on the output bits that are inputs passed through. Such outputs need no gates in the file,
/// so without a limit a short header could declare a billion of them.
const MAX_PASSED_THROUGH: u64 = 1 << 20;

/// A consistent header. `wires` is at most [`Wire::MAX`], and each of the numbers of input bits,
/// output bits and gates is at most `wires`.
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) gates: u64,
    pub(super) wires: u32,
    /// Width of each input. Inputs of width 0 are kept.
    pub(super) inputs: Vec<u32>,
    /// Width of each output. Outputs of width 0 are kept.
    pub(super) outputs: Vec<u32>,
}

impl Header {
    /// Reads the header and leaves `lexer` before the first gate.
    pub(super) fn read<R: BufRead>(
        lexer: &mut Lexer<R>,
        format: Option<Format>,
    ) -> Result<Header, ReadError> {
        const COUNTS: &str = "the line `gates wires`";
        let line = expect(lexer, COUNTS)?;
        let (gates, wires) = match (&line.numbers[..], &line.name[..]) {
            (&[gates, wires], "") => (gates, wires),
            _ => return Err(unexpected(lexer, COUNTS)),
        };
        if wires > Wire::MAX.into() || gates > Wire::MAX.into() {
            return Err(lexer.error(Problem::TooLarge { gates, wires }));
        }

        // Both formats have a second line of numbers. The third line decides between them.
        const SECOND: &str = "a line of widths";
        let line = expect(lexer, SECOND)?;
        if !line.name.is_empty() {
            return Err(unexpected(lexer, SECOND));
        }
        let second = Line { number: line.number, numbers: line.numbers.clone(), ..Line::default() };
        let third_is_widths = lexer.next_line()?.map(|line| line.name.is_empty());
        if third_is_widths.is_some() {
            lexer.hold();
        }
        // A line of three numbers belongs to an old header unless the first is 2: in a Fashion
        // file, the first number counts the widths that follow it.
        let only_old = second.numbers.len() == 3 && second.numbers[0] != 2;
        let detected = match third_is_widths {
            Some(true) if !only_old => Format::Fashion,
            _ => Format::Old,
        };
        let format = format.unwrap_or(detected);

        let checked = Counts { gates, wires };
        let (inputs, outputs) = match format {
            Format::Old => {
                let &[a, b, out] = &second.numbers[..] else {
                    let expected = "the widths `n1 n2 n3` of an old file (a Fashion file would \
                                    have a line of output widths after this one)";
                    return Err(lexer.error_at(
                        second.number,
                        Problem::Expected { expected, found: second.shown() },
                    ));
                };
                let inputs = checked.inputs(lexer, second.number, &[a, b])?;
                (inputs, checked.outputs(lexer, second.number, &[out])?)
            }
            Format::Fashion => {
                let widths = listed(lexer, &second, "input")?;
                let inputs = checked.inputs(lexer, second.number, widths)?;
                const THIRD: &str = "the line of output widths of a Fashion file";
                let line = expect(lexer, THIRD)?;
                let (number, numbers) = (line.number, line.numbers.clone());
                if !line.name.is_empty() {
                    return Err(unexpected(lexer, THIRD));
                }
                let third = Line { number, numbers, ..Line::default() };
                let widths = listed(lexer, &third, "output")?;
                (inputs, checked.outputs(lexer, number, widths)?)
            }
        };
        let header = Header { format, gates, wires: wires as u32, inputs, outputs };
        let passed = u64::from(header.input_bits().saturating_sub(header.first_output()));
        if passed > MAX_PASSED_THROUGH {
            let problem = Problem::PassedThrough(passed, MAX_PASSED_THROUGH);
            return Err(lexer.error_at(second.number, problem));
        }
        Ok(header)
    }

    /// Number of input bits. Wires with lower numbers are inputs.
    pub(super) fn input_bits(&self) -> u32 {
        self.inputs.iter().sum()
    }

    /// The wire of the first output bit. All wires from it on are outputs.
    pub(super) fn first_output(&self) -> u32 {
        self.wires - self.outputs.iter().sum::<u32>()
    }
}

/// The counts of the first line, used to check widths.
struct Counts {
    gates: u64,
    wires: u64,
}

impl Counts {
    fn inputs<R: BufRead>(
        &self,
        lexer: &Lexer<R>,
        line: u64,
        widths: &[u64],
    ) -> Result<Vec<u32>, ReadError> {
        let bits = self.total(lexer, line, "inputs", widths)?;
        // Every gate drives at least one wire, so this can be checked before any gate is read.
        if self.gates + bits > self.wires {
            let (gates, wires) = (self.gates, self.wires);
            let problem = Problem::TooFewWires { gates, inputs: bits, wires };
            return Err(lexer.error_at(line, problem));
        }
        Ok(widths.iter().map(|&width| width as u32).collect())
    }

    fn outputs<R: BufRead>(
        &self,
        lexer: &Lexer<R>,
        line: u64,
        widths: &[u64],
    ) -> Result<Vec<u32>, ReadError> {
        self.total(lexer, line, "outputs", widths)?;
        Ok(widths.iter().map(|&width| width as u32).collect())
    }

    /// Returns the sum of `widths`, at most the number of wires, so that each width fits 32 bits.
    fn total<R: BufRead>(
        &self,
        lexer: &Lexer<R>,
        line: u64,
        what: &'static str,
        widths: &[u64],
    ) -> Result<u64, ReadError> {
        let bits: u128 = widths.iter().map(|&width| u128::from(width)).sum();
        if bits > self.wires.into() {
            let problem = Problem::PortsTooWide { what, bits, wires: self.wires };
            return Err(lexer.error_at(line, problem));
        }
        Ok(bits as u64)
    }
}

/// Parses the widths of a Fashion line `count w1 … wcount`.
fn listed<'a, R: BufRead>(
    lexer: &Lexer<R>,
    line: &'a Line,
    what: &'static str,
) -> Result<&'a [u64], ReadError> {
    let (&announced, widths) = line.numbers.split_first().expect("a line is not blank");
    if announced != widths.len() as u64 {
        let problem = Problem::Widths { what, announced, given: widths.len() };
        return Err(lexer.error_at(line.number, problem));
    }
    Ok(widths)
}

fn expect<'a, R: BufRead>(
    lexer: &'a mut Lexer<R>,
    what: &'static str,
) -> Result<&'a Line, ReadError> {
    if lexer.next_line()?.is_none() {
        return Err(lexer.error_at_end(Problem::EndsBefore(what)));
    }
    Ok(lexer.line())
}

fn unexpected<R: BufRead>(lexer: &Lexer<R>, expected: &'static str) -> ReadError {
    lexer.error(Problem::Expected { expected, found: lexer.line().shown() })
}
