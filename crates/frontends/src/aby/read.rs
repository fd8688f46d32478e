//! The reader: checks a file line by line and spools its gates.
//!
//! Files may use any wire numbers. The reader renumbers them: the inputs get the first numbers, in
//! their order. If a gate drives wire `w`, its number becomes the number of inputs plus `w`. Wires
//! within multiplexers have higher numbers than all others ([`FIRST_INNER`]).

use super::Options;
use super::error::Problem;
use super::lexer::Lexer;
use crate::assigned::Assigned;
use crate::error::ReadError;
use crate::renumber::{INVERT, ONE, Op, Renumbered, Step, ZERO, renumber};
use crate::spool::Spool;
use halfgate_circuit::{Circuit, Input, Output, Party, Wire};
use std::collections::{HashMap, HashSet};
use std::io::BufRead;

/// The wire that is the constant 0.
const CONST_ZERO: i64 = -2;
/// The wire that is the constant 1.
const CONST_ONE: i64 = -3;
/// The first number for wires within multiplexers. It is higher than the number of inputs plus any
/// wire of a file.
const FIRST_INNER: u32 = 2 * Wire::MAX;

/// Reads a circuit in ABY's format; `name` is the file's name in messages.
///
/// Memory: about 30 bytes for each input, for each wire alive at once and for each output; at most
/// one bit for each wire, to find wires that are assigned twice; 32 MiB for the gates of the file,
/// and 32 MiB for those of the circuit. Further gates go to temporary files.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit;
/// [`ReadError::Parties`] if the options do not fit the file; and if the file cannot be read or a
/// temporary file cannot be written.
pub fn read(reader: impl BufRead, name: &str, options: &Options) -> Result<Circuit, ReadError> {
    let mut lexer = Lexer::new(reader, name);
    let mut netlist = Netlist::default();
    while let Some(word) = lexer.line()? {
        netlist.line(&mut lexer, &word)?;
    }
    if netlist.outputs.is_empty() {
        return Err(lexer.error(Problem::NoOutputs));
    }
    let inputs = netlist.inputs(options, lexer.file())?;
    let outputs = netlist.output_operands(&lexer)?;
    let kept: HashSet<u32> = outputs.iter().flatten().copied().collect();
    let fixed = netlist.numbers.len() as u32;
    let done = renumber(netlist.steps, fixed, |wire| kept.contains(&wire), options.as_given)?;
    let outputs = named_outputs(&outputs, &done);
    Ok(Circuit { inputs, flip_flops: Vec::new(), gates: done.gates, outputs, cycles: 1 })
}

fn named_outputs(outputs: &[Vec<u32>], done: &Renumbered) -> Vec<Output> {
    let name = |index| match outputs.len() {
        1 => "out".to_owned(),
        _ => format!("out{index}"),
    };
    let output = |(index, wires): (usize, &Vec<u32>)| Output {
        name: name(index),
        bits: wires.iter().map(|&wire| done.bit(wire)).collect(),
        per_cycle: false,
        elements: None,
    };
    outputs.iter().enumerate().map(output).collect()
}

/// An `S` or `C` line.
struct InputLine {
    is_server: bool,
    width: u32,
}

/// An `O` line: its line number, and its wires as named in the file.
struct OutputLine {
    line: u64,
    wires: Vec<i64>,
}

/// The state while a file is read.
#[derive(Default)]
struct Netlist {
    input_lines: Vec<InputLine>,
    /// The number of each input, by its wire in the file.
    numbers: HashMap<u32, u32>,
    outputs: Vec<OutputLine>,
    /// The wires assigned so far, as named in the file, without the inputs.
    assigned: Assigned,
    steps: Spool<Step>,
    /// Number of steps so far.
    gates: u64,
    /// Number of wires within multiplexers.
    inner: u32,
    /// Whether a gate or a constant has been read.
    has_gates: bool,
}

impl Netlist {
    /// Reads the line that begins with `word`.
    fn line<R: BufRead>(&mut self, lexer: &mut Lexer<R>, word: &str) -> Result<(), ReadError> {
        match word {
            "S" | "C" => self.input_line(lexer, word == "S"),
            "O" => {
                let (line, mut wires) = (lexer.line_number(), Vec::new());
                while let Some(wire) = lexer.number()? {
                    wires.push(wire);
                }
                if !wires.is_empty() {
                    self.outputs.push(OutputLine { line, wires });
                }
                Ok(())
            }
            "X" => self.gate(lexer, "X a b out", |netlist, [a, b, out]: [i64; 3]| {
                netlist.assign(Op::Xor, 0, a, b, out)
            }),
            "A" => self.gate(lexer, "A a b out", |netlist, [a, b, out]: [i64; 3]| {
                netlist.assign(Op::And, 0, a, b, out)
            }),
            "I" => self.gate(lexer, "I a out", |netlist, [a, out]: [i64; 2]| {
                netlist.assign(Op::Copy, INVERT, a, CONST_ZERO, out)
            }),
            "M" => self.gate(lexer, "M a b select out", Netlist::multiplexer),
            "0" => self.gate(lexer, "0 wire", |netlist, wire| netlist.constant(false, wire)),
            "1" => self.gate(lexer, "1 wire", |netlist, wire| netlist.constant(true, wire)),
            heading if heading.len() > 1 && heading.ends_with(':') => match lexer.number()? {
                None => Ok(()),
                Some(_) => Err(lexer.error(Problem::UnknownLine(word.to_owned()))),
            },
            _ => Err(lexer.error(Problem::UnknownLine(word.to_owned()))),
        }
    }

    fn input_line<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        is_server: bool,
    ) -> Result<(), ReadError> {
        let mut width = 0;
        while let Some(wire) = lexer.number()? {
            if self.has_gates {
                return Err(lexer.error(Problem::LateInputs));
            }
            let wire = in_range(wire).map_err(|problem| lexer.error(problem))?;
            let number = self.numbers.len() as u32;
            if number == Wire::MAX {
                return Err(lexer.error(Problem::TooLarge));
            }
            if self.numbers.insert(wire, number).is_some() {
                return Err(lexer.error(Problem::InputTwice(wire)));
            }
            width += 1;
        }
        if width > 0 {
            self.input_lines.push(InputLine { is_server, width });
        }
        Ok(())
    }

    /// Reads the `N` numbers of a line written like `form`, and passes them to `take`.
    fn gate<R: BufRead, const N: usize>(
        &mut self,
        lexer: &mut Lexer<R>,
        form: &'static str,
        take: impl FnOnce(&mut Netlist, [i64; N]) -> Result<(), Refused>,
    ) -> Result<(), ReadError> {
        let mut wires = [0; N];
        for (found, wire) in wires.iter_mut().enumerate() {
            *wire = lexer.number()?.ok_or_else(|| {
                let found = found.to_string();
                lexer.error(Problem::Form { form, expected: N, found })
            })?;
        }
        if lexer.number()?.is_some() {
            let found = "more".to_owned();
            return Err(lexer.error(Problem::Form { form, expected: N, found }));
        }
        self.has_gates = true;
        take(self, wires).map_err(|refused| match refused {
            Refused::Problem(problem) => lexer.error(problem),
            Refused::Spool(error) => ReadError::Spool(error),
        })
    }

    fn assign(&mut self, op: Op, inversions: u8, a: i64, b: i64, out: i64) -> Result<(), Refused> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let out = self.output(out)?;
        self.push(Step::new(op, inversions, a, b, out))
    }

    /// `select ? b : a` is `a ^ (select & (a ^ b))`.
    fn multiplexer(&mut self, [a, b, select, out]: [i64; 4]) -> Result<(), Refused> {
        let (a, b, select) = (self.operand(a)?, self.operand(b)?, self.operand(select)?);
        let out = self.output(out)?;
        let (differ, flip) = (FIRST_INNER + self.inner, FIRST_INNER + self.inner + 1);
        self.inner += 2;
        self.push(Step::new(Op::Xor, 0, a, b, differ))?;
        self.push(Step::new(Op::And, 0, select, differ, flip))?;
        self.push(Step::new(Op::Xor, 0, a, flip, out))
    }

    fn constant(&mut self, value: bool, [wire]: [i64; 1]) -> Result<(), Refused> {
        match (value, wire) {
            (false, CONST_ZERO) | (true, CONST_ONE) => Ok(()),
            (_, CONST_ZERO | CONST_ONE) => Err(Problem::WrongConstant(wire).into()),
            _ => {
                let out = self.output(wire)?;
                let operand = if value { ONE } else { ZERO };
                self.push(Step::new(Op::Copy, 0, operand, ZERO, out))
            }
        }
    }

    fn push(&mut self, step: Step) -> Result<(), Refused> {
        self.gates += 1;
        if self.numbers.len() as u64 + self.gates > Wire::MAX.into() {
            return Err(Problem::TooLarge.into());
        }
        Ok(self.steps.push(step)?)
    }

    /// Returns the number by which a step reads `wire` of the file.
    fn operand(&self, wire: i64) -> Result<u32, Problem> {
        match wire {
            CONST_ZERO => return Ok(ZERO),
            CONST_ONE => return Ok(ONE),
            _ if wire < 0 => return Err(Problem::NoConstant(wire)),
            _ => {}
        }
        let wire = in_range(wire)?;
        match self.numbers.get(&wire) {
            Some(&number) => Ok(number),
            None if self.assigned.contains(wire) => Ok(self.number(wire)),
            None => Err(Problem::NotAssigned(wire)),
        }
    }

    /// Marks `wire` as assigned. Returns the number by which a step drives it.
    fn output(&mut self, wire: i64) -> Result<u32, Problem> {
        let wire = in_range(wire)?;
        if self.numbers.contains_key(&wire) {
            return Err(Problem::InputTwice(wire));
        }
        if !self.assigned.insert(wire) {
            return Err(Problem::AssignedTwice(wire));
        }
        Ok(self.number(wire))
    }

    /// The number of a wire that a gate drives.
    fn number(&self, wire: u32) -> u32 {
        self.numbers.len() as u32 + wire
    }

    /// Returns the inputs, with names and owners.
    fn inputs(&self, options: &Options, file: &str) -> Result<Vec<Input>, ReadError> {
        let lines = &self.input_lines;
        if let Some(parties) = &options.parties
            && parties.len() != lines.len()
        {
            let (given, inputs) = (parties.len(), lines.len());
            return Err(ReadError::Parties { file: file.to_owned(), given, inputs });
        }
        let count = |is_server| lines.iter().filter(|line| line.is_server == is_server).count();
        let several = [count(false) > 1, count(true) > 1];
        let mut next = [0, 0];
        let input = |(index, line): (usize, &InputLine)| {
            let kind = usize::from(line.is_server);
            let name = ["client", "server"][kind];
            let name = match several[kind] {
                true => format!("{name}{}", next[kind]),
                false => name.to_owned(),
            };
            next[kind] += 1;
            let party = if line.is_server { Party::Garbler } else { Party::Evaluator };
            let party = options.parties.as_ref().map_or(party, |parties| parties[index]);
            Input {
                name,
                party,
                width: line.width,
                per_cycle: false,
                elements: None,
                is_set: false,
            }
        };
        Ok(lines.iter().enumerate().map(input).collect())
    }

    /// Returns the wires of each output, in the numbers that steps use. All gates must have been
    /// read.
    fn output_operands<R: BufRead>(&self, lexer: &Lexer<R>) -> Result<Vec<Vec<u32>>, ReadError> {
        let operand = |line: u64, wire: i64| {
            self.operand(wire).map_err(|problem| {
                let problem = match problem {
                    Problem::NotAssigned(wire) => Problem::OutputNotAssigned(wire),
                    problem => problem,
                };
                lexer.error_at(line, problem)
            })
        };
        let operands = |output: &OutputLine| {
            output.wires.iter().map(|&wire| operand(output.line, wire)).collect()
        };
        self.outputs.iter().map(operands).collect()
    }
}

/// Reasons to reject a line.
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

fn in_range(wire: i64) -> Result<u32, Problem> {
    match u32::try_from(wire) {
        Ok(wire) if wire < Wire::MAX => Ok(wire),
        _ => Err(Problem::WireRange { wire }),
    }
}
