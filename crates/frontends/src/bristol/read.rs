//! The reader: checks a file line by line and spools its gates.

use super::error::Problem;
use super::header::Header;
use super::lexer::{Lexer, Line};
use super::{Format, Options};
use crate::assigned::Assigned;
use crate::error::ReadError;
use crate::renumber::{INVERT, INVERT_A, INVERT_B, ONE, Op, Step, ZERO, renumber};
use crate::spool::Spool;
use halfgate_circuit::{Circuit, Input, Output, Party};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Reads the circuit in the file at `path`; see [`read`].
///
/// # Errors
/// As for [`read`], and if the file cannot be opened.
pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Circuit, ReadError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => read(BufReader::with_capacity(1 << 16, file), &name, options),
        Err(source) => Err(ReadError::Io { file: name, source }),
    }
}

/// Reads a circuit in either format; `name` is the file's name in messages.
///
/// Memory: about 30 bytes for each wire alive at once (assigned and still to be read) and for each
/// output bit; the longest line; at most one bit for each wire, to find wires that are assigned
/// twice; 32 MiB for the gates of the file, and 32 MiB for those of the circuit. Further gates go
/// to temporary files. Gates and wires that a header declares take no memory until they follow.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit, or not in the
/// requested format; [`ReadError::Parties`] if the options do not fit the file; and if the file
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
    let mut lexer = Lexer::new(reader, name);
    let header = Header::read(&mut lexer, options.format)?;
    let inputs = inputs(&header, options, lexer.file())?;
    let steps = Steps::read(&mut lexer, &header)?;

    let first_output = header.first_output();
    let done = renumber(steps, header.input_bits(), |wire| wire >= first_output, options.as_given)?;
    let mut bits = (first_output..header.wires).map(|wire| done.bit(wire));
    let outputs = (0..)
        .zip(&header.outputs)
        .filter(|(_, width)| **width > 0)
        .map(|(index, &width): (u32, _)| Output {
            name: match header.format {
                Format::Old => "out".to_string(),
                Format::Fashion => format!("out{index}"),
            },
            bits: bits.by_ref().take(width as usize).collect(),
            per_cycle: false,
            elements: None,
        })
        .collect();
    let circuit = Circuit { inputs, flip_flops: Vec::new(), gates: done.gates, outputs, cycles: 1 };
    Ok((circuit, done.most_alive))
}

/// Returns the inputs that have bits, with their names and owners.
fn inputs(header: &Header, options: &Options, file: &str) -> Result<Vec<Input>, ReadError> {
    let mut inputs: Vec<Input> = header
        .inputs
        .iter()
        .enumerate()
        .filter(|(_, width)| **width > 0)
        .map(|(index, &width)| Input {
            name: match (header.format, index) {
                (Format::Old, 0) => "a".to_string(),
                (Format::Old, _) => "b".to_string(),
                (Format::Fashion, _) => format!("in{index}"),
            },
            party: if index == 0 { Party::Garbler } else { Party::Evaluator },
            width,
            per_cycle: false,
            elements: None,
            is_set: false,
        })
        .collect();
    if let Some(parties) = &options.parties {
        if parties.len() != inputs.len() {
            let (given, inputs) = (parties.len(), inputs.len());
            return Err(ReadError::Parties { file: file.to_string(), given, inputs });
        }
        inputs.iter_mut().zip(parties).for_each(|(input, &party)| input.party = party);
    }
    Ok(inputs)
}

/// The state while a file's gates are read.
struct Steps<'a> {
    header: &'a Header,
    inputs: u32,
    /// The wires assigned so far, without the inputs.
    assigned: Assigned,
    spool: Spool<Step>,
}

/// The gates with two inputs: name, operation without inversions, and inversions.
const BINARY_GATES: [(&str, Op, u8); 6] = [
    ("XOR", Op::Xor, 0),
    ("AND", Op::And, 0),
    ("OR", Op::And, INVERT_A | INVERT_B | INVERT),
    ("NAND", Op::And, INVERT),
    ("NOR", Op::And, INVERT_A | INVERT_B),
    ("XNOR", Op::Xor, INVERT),
];

fn binary(name: &str) -> Option<&'static (&'static str, Op, u8)> {
    BINARY_GATES.iter().find(|(known, ..)| *known == name)
}

/// Reasons to reject a line as a gate. For one of them, the error message needs a search through
/// the following lines.
enum Refused {
    Problem(Problem),
    Unassigned(u32),
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

impl Steps<'_> {
    /// Reads as many gates as the header declares, one per line. A line may assign only wires that
    /// are not assigned yet, and read only wires that are assigned. At the end all wires must be
    /// assigned.
    fn read<R: BufRead>(lexer: &mut Lexer<R>, header: &Header) -> Result<Spool<Step>, ReadError> {
        let mut steps = Steps {
            header,
            inputs: header.input_bits(),
            assigned: Assigned::default(),
            spool: Spool::new(),
        };
        for found in 0..header.gates {
            let Some(line) = lexer.next_line()? else {
                let announced = header.gates;
                return Err(lexer.error_at_end(Problem::MissingGates { announced, found }));
            };
            match steps.gate(line) {
                Ok(()) => {}
                Err(Refused::Problem(problem)) => return Err(lexer.error(problem)),
                Err(Refused::Unassigned(wire)) => return Err(unassigned(lexer, wire)),
                Err(Refused::Spool(error)) => return Err(ReadError::Spool(error)),
            }
        }
        if lexer.next_line()?.is_some() {
            return Err(lexer.error(Problem::TrailingLine(header.gates)));
        }
        let (announced, found) =
            (u64::from(header.wires), u64::from(steps.inputs) + steps.assigned.count());
        if announced != found {
            return Err(lexer.error_at_end(Problem::WireCount { announced, found }));
        }
        Ok(steps.spool)
    }

    fn gate(&mut self, line: &Line) -> Result<(), Refused> {
        const BINARY: &str = "2 1 a b out";
        const UNARY: &str = "1 1 a out";
        if let (Some(&(_, op, inversions)), &[2, 1, a, b, out]) =
            (binary(&line.name), &line.numbers[..])
        {
            return self.assign(op, inversions, &[a], &[b], &[out]);
        }
        match (&line.name[..], &line.numbers[..]) {
            ("INV" | "NOT", &[1, 1, a, out]) => self.assign(Op::Copy, INVERT, &[a], &[], &[out]),
            ("EQW" | "BUF", &[1, 1, a, out]) => self.assign(Op::Copy, 0, &[a], &[], &[out]),
            ("EQ", &[1, 1, 0, out]) => self.constant(ZERO, out),
            ("EQ", &[1, 1, 1, out]) => self.constant(ONE, out),
            ("EQ", &[1, 1, value, _]) => Err(Problem::Constant(value).into()),
            ("MAND", &[reads, ands, ref wires @ ..])
                if ands > 0
                    && reads.checked_sub(ands) == Some(ands)
                    && reads.checked_add(ands) == Some(wires.len() as u64) =>
            {
                let (a, rest) = wires.split_at(ands as usize);
                let (b, out) = rest.split_at(ands as usize);
                self.assign(Op::And, 0, a, b, out)
            }
            ("INV" | "NOT", _) => Err(form("INV", UNARY, line)),
            ("EQW" | "BUF", _) => Err(form("EQW", UNARY, line)),
            ("EQ", _) => Err(form("EQ", "1 1 constant out", line)),
            ("MAND", _) => Err(form("MAND", "2k k a1 … ak b1 … bk out1 … outk", line)),
            ("", _) => Err(Problem::NoName.into()),
            (name, _) => match binary(name) {
                Some((name, ..)) => Err(form(name, BINARY, line)),
                None => Err(Problem::UnknownGate(name.to_string()).into()),
            },
        }
    }

    /// Adds one step for each wire of `out`. The step has the operands at the same index. All
    /// operands are checked before a wire is assigned.
    fn assign(
        &mut self,
        op: Op,
        inversions: u8,
        a: &[u64],
        b: &[u64],
        out: &[u64],
    ) -> Result<(), Refused> {
        for &wire in a.iter().chain(b) {
            let wire = self.in_range(wire)?;
            if wire >= self.inputs && !self.assigned.contains(wire) {
                return Err(Refused::Unassigned(wire));
            }
        }
        for (i, &out) in out.iter().enumerate() {
            let out = self.output(out)?;
            // The check above ensures that the wire fits. A copy ignores its second operand.
            let operand = |wires: &[u64]| wires.get(i).map_or(0, |&wire| wire as u32);
            self.spool.push(Step::new(op, inversions, operand(a), operand(b), out))?;
        }
        Ok(())
    }

    fn constant(&mut self, value: u32, out: u64) -> Result<(), Refused> {
        let out = self.output(out)?;
        self.spool.push(Step::new(Op::Copy, 0, value, 0, out))?;
        Ok(())
    }

    /// Marks the wire `out` as assigned, and returns the wire.
    fn output(&mut self, out: u64) -> Result<u32, Problem> {
        let out = self.in_range(out)?;
        if out < self.inputs {
            return Err(Problem::AssignsInput(out));
        }
        if !self.assigned.insert(out) {
            return Err(Problem::AssignedTwice(out));
        }
        Ok(out)
    }

    fn in_range(&self, wire: u64) -> Result<u32, Problem> {
        let wires = self.header.wires;
        match u32::try_from(wire) {
            Ok(wire) if wire < wires => Ok(wire),
            _ => Err(Problem::WireRange { wire, wires: wires.into() }),
        }
    }
}

fn form(gate: &'static str, form: &'static str, line: &Line) -> Refused {
    Problem::Form { gate, form, found: line.shown() }.into()
}

/// Makes the error for a read of the unassigned `wire` in the current line. Searches the rest of
/// the file to report whether the wire is assigned too late or never.
fn unassigned<R: BufRead>(lexer: &mut Lexer<R>, wire: u32) -> ReadError {
    let reader = lexer.line().number;
    lexer.hold();
    // Errors in later lines are ignored, because the first error is reported.
    while let Ok(Some(line)) = lexer.next_line() {
        let outputs = line.numbers.get(1).map_or(0, |&count| count.min(MAX_OUTPUTS) as usize);
        if line.numbers.iter().skip(2).rev().take(outputs).any(|&out| out == u64::from(wire)) {
            let problem = Problem::ReadTooEarly { wire, assigned: line.number };
            return lexer.error_at(reader, problem);
        }
    }
    lexer.error_at(reader, Problem::NeverAssigned(wire))
}

/// A number that is greater than the number of outputs of any line.
const MAX_OUTPUTS: u64 = super::lexer::MAX_NUMBERS as u64;
