//! The reader: reads and checks one line at a time.

use super::error::Problem;
use super::lexer::Lexer;
use super::ports::{self, Declared};
use super::{MAGIC, VERSION, gate, words};
use crate::error::ReadError;
use halfgate_circuit::{Bit, Circuit, FlipFlop, Gates, Init, Input, Output, Wire};
use std::collections::HashSet;
use std::io::BufRead;

/// Reads a circuit in HGC format; `name` is the file's name in messages. The circuit has the gates
/// of the file, in their order. Nothing is folded.
///
/// Memory: the circuit's ports and names, 4 bytes for each output bit, 12 bytes for each flip-flop,
/// and 32 MiB for gates. Further gates go to a temporary file. If the file has source lines, a
/// [`SourceMap`](halfgate_circuit::SourceMap) takes additional memory. A declared width takes no
/// memory until its bits follow.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit; and if the file
/// cannot be read or a temporary file cannot be written.
pub fn read(reader: impl BufRead, name: &str) -> Result<Circuit, ReadError> {
    let mut lexer = Lexer::new(reader, name);
    first_line(&mut lexer)?;
    let mut file = File::default();
    loop {
        let word = lexer.first_word()?.map(Word::parse);
        let word = word.unwrap_or(Err(Problem::NoEnd)).map_err(|problem| lexer.error(problem))?;
        file.enter(word).map_err(|problem| lexer.error(problem))?;
        match word {
            Word::Cycles => file.cycles(&mut lexer)?,
            Word::Input => file.input(&mut lexer)?,
            Word::FlipFlop => file.flip_flop(&mut lexer)?,
            Word::Gate(wire) => file.gate(&mut lexer, wire)?,
            Word::Output => file.output(&mut lexer)?,
            Word::Bits => file.bits(&mut lexer)?,
            Word::Next => file.next(&mut lexer)?,
            Word::End => break,
        }
    }
    lexer.end_line("end")?;
    let circuit = file.into_circuit(&lexer)?;
    match lexer.first_word()? {
        Some(_) => Err(lexer.error(Problem::AfterEnd)),
        None => Ok(circuit),
    }
}

/// Reads `halfgate-circuit 1`, which must be the first line. Blank lines are allowed only after it.
fn first_line<R: BufRead>(lexer: &mut Lexer<R>) -> Result<(), ReadError> {
    // A file of another format may contain anything, so every error here is reported as the wrong
    // format.
    let magic = match lexer.word() {
        Ok(Some(word)) => word == MAGIC,
        Ok(None) | Err(ReadError::Malformed { .. }) => false,
        Err(other) => return Err(other),
    };
    if !magic {
        return Err(lexer.error(Problem::NoMagic));
    }
    const FORM: &str = "halfgate-circuit VERSION";
    lexer.field("the version", FORM, |word| match words::number(word) {
        Some(VERSION) => Ok(()),
        Some(_) => Err(Problem::Version(word.to_owned())),
        None => Err(Problem::Expected { expected: "a version, such as 1", found: word.to_owned() }),
    })?;
    lexer.end_line(FORM)
}

/// The kind of a line. Its first word decides.
#[derive(Clone, Copy)]
enum Word {
    Cycles,
    Input,
    FlipFlop,
    /// A gate, with the wire that it drives.
    Gate(u64),
    Output,
    Bits,
    Next,
    End,
}

impl Word {
    fn parse(word: &str) -> Result<Word, Problem> {
        if let Some(wire) = words::number(word) {
            return Ok(Word::Gate(wire));
        }
        Ok(match word {
            "cycles" => Word::Cycles,
            "input" => Word::Input,
            "flip-flop" => Word::FlipFlop,
            "output" => Word::Output,
            "bits" => Word::Bits,
            "next" => Word::Next,
            "end" => Word::End,
            "function" | "call" | "map" | "fold" | "include" => {
                return Err(Problem::Reserved(word.to_owned()));
            }
            // Reserved for version 2: `12..43 = call …` will drive several wires.
            _ if word.starts_with(|c: char| c.is_ascii_digit()) && word.contains("..") => {
                return Err(Problem::Reserved(word.to_owned()));
            }
            _ => return Err(Problem::UnknownWord(word.to_owned())),
        })
    }

    /// Returns the section of the line, and its name in messages.
    fn section(self) -> (Section, &'static str) {
        match self {
            Word::Cycles => (Section::Cycles, "cycles"),
            Word::Input => (Section::Inputs, "input"),
            Word::FlipFlop => (Section::FlipFlops, "flip-flop"),
            Word::Gate(_) => (Section::Gates, "a gate"),
            Word::Output => (Section::Results, "output"),
            Word::Bits => (Section::Results, "bits"),
            Word::Next => (Section::Results, "next"),
            Word::End => (Section::Results, "end"),
        }
    }
}

/// The sections of a file, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Section {
    #[default]
    Cycles,
    Inputs,
    FlipFlops,
    Gates,
    Results,
}

/// The state while a file is read.
#[derive(Default)]
struct File {
    section: Section,
    /// The number of cycles, and the number of the line with it.
    cycles: Option<(u64, u64)>,
    inputs: Vec<Input>,
    /// The first wire of each input.
    first_wires: Vec<u64>,
    names: HashSet<String>,
    input_bits: u64,
    initial: Vec<Init>,
    next: Vec<Bit>,
    gates: Gates,
    outputs: Vec<Output>,
    output_names: HashSet<String>,
    /// Bits that the last output still needs.
    missing: u32,
}

impl File {
    /// Enters the section of a line that begins with `word`.
    fn enter(&mut self, word: Word) -> Result<(), Problem> {
        if self.missing > 0 && !matches!(word, Word::Bits) {
            let output = self.outputs.last().expect("bits of an output are missing");
            let found = output.bits.len() as u64;
            let width = found + u64::from(self.missing);
            return Err(Problem::TooFewBits { name: output.name.clone(), width, found });
        }
        let (section, word) = word.section();
        if section < self.section {
            let after = match self.section {
                Section::Cycles => unreachable!("it is the first section"),
                Section::Inputs => "an input",
                Section::FlipFlops => "a flip-flop",
                Section::Gates => "a gate",
                Section::Results => "an output or a next state",
            };
            return Err(Problem::TooLate { word, after });
        }
        self.section = section;
        Ok(())
    }

    /// Number of wires read so far.
    fn wires(&self) -> u64 {
        self.input_bits + (self.initial.len() + self.gates.len()) as u64
    }

    /// Checks that `found` is the next wire. `what` names its kind: a flip-flop or a gate.
    fn expect_wire(&self, what: &'static str, found: u64) -> Result<(), Problem> {
        let expected = self.wires();
        if expected == u64::from(Wire::MAX) {
            Err(Problem::TooManyWires)
        } else if found != expected {
            Err(Problem::WireNumber { what, expected, found })
        } else {
            Ok(())
        }
    }

    fn cycles<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        const FORM: &str = "cycles NUMBER";
        let is_second = self.cycles.is_some();
        let cycles =
            lexer.field("the number of cycles", FORM, |word| match words::number(word) {
                _ if is_second => Err(Problem::CyclesTwice),
                Some(0) => Err(Problem::NoCycles),
                Some(cycles) => Ok(cycles),
                None => {
                    let expected = "a number of cycles";
                    Err(Problem::Expected { expected, found: word.to_owned() })
                }
            })?;
        self.cycles = Some((cycles, lexer.line()));
        lexer.end_line(FORM)
    }

    fn input<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        let input = ports::input(lexer)?;
        let first = self.input_bits;
        if first + u64::from(input.width) > Wire::MAX.into() {
            return Err(lexer.error(Problem::TooManyWires));
        }
        if !self.names.insert(input.name.clone()) {
            return Err(lexer.error(Problem::SameName { ports: "inputs", name: input.name }));
        }
        self.first_wires.push(first);
        self.input_bits += u64::from(input.width);
        self.inputs.push(input);
        Ok(())
    }

    fn flip_flop<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        const FORM: &str = "flip-flop WIRE = INITIAL";
        lexer.field("the flip-flop's wire", FORM, |word| {
            self.expect_wire("flip-flop", wire_number(word)?)
        })?;
        lexer.field("`=`", FORM, gate::equals)?;
        let own = self.wires();
        let initial = lexer.field("the initial value", FORM, |word| {
            // Any wire number is accepted here. Whether the wire exists is checked below.
            let bit = words::bit(word, Wire::MAX.into())?;
            let Some(wire) = bit.wire() else { return Ok(Init::Constant(bit == Bit::TRUE)) };
            if bit.is_inverted() {
                return Err(Problem::InitialInverted(own));
            }
            if !self.is_per_run(wire) {
                let wire = wire.number().into();
                return Err(Problem::InitialWire { flip_flop: own, wire });
            }
            Ok(Init::Input(wire))
        })?;
        lexer.end_line(FORM)?;
        self.initial.push(initial);
        Ok(())
    }

    /// Whether `wire` is a bit of an input of the whole run.
    fn is_per_run(&self, wire: Wire) -> bool {
        let wire = u64::from(wire.number());
        let port = self.first_wires.partition_point(|&first| first <= wire).checked_sub(1);
        wire < self.input_bits && port.is_some_and(|port| !self.inputs[port].per_cycle)
    }

    fn gate<R: BufRead>(&mut self, lexer: &mut Lexer<R>, wire: u64) -> Result<(), ReadError> {
        self.expect_wire("wire", wire).map_err(|problem| lexer.error(problem))?;
        if let Some(line) = lexer.take_source() {
            self.gates.begin_line(&line);
        }
        let gate = gate::read(lexer, wire)?;
        self.gates.push(gate).map_err(ReadError::Spool)
    }

    fn output<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        let Declared { name, width, per_cycle, elements, .. } = ports::output(lexer)?;
        if !self.output_names.insert(name.clone()) {
            return Err(lexer.error(Problem::SameName { ports: "outputs", name }));
        }
        self.missing = width;
        self.outputs.push(Output { name, bits: Vec::new(), per_cycle, elements });
        Ok(())
    }

    fn bits<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        if self.missing == 0 {
            return Err(lexer.error(Problem::BitsWithoutOutput));
        }
        let wires = self.wires();
        let output = self.outputs.last_mut().expect("its bits are missing");
        let before = output.bits.len();
        loop {
            let bit = match lexer.word()?.map(|word| words::bit(word, wires)) {
                None => break,
                Some(Ok(_)) if self.missing == 0 => {
                    let (name, width) = (output.name.clone(), output.bits.len() as u64);
                    return Err(lexer.error(Problem::TooManyBits { name, width }));
                }
                Some(Ok(bit)) => bit,
                Some(Err(problem)) => return Err(lexer.error(problem)),
            };
            output.bits.push(bit);
            self.missing -= 1;
        }
        if output.bits.len() == before {
            return Err(lexer.error(Problem::NoBits));
        }
        Ok(())
    }

    fn next<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        const FORM: &str = "next WIRE = BIT";
        let wires = self.wires();
        let expected = self.input_bits + self.next.len() as u64;
        lexer.field("the flip-flop's wire", FORM, |word| {
            if self.next.len() == self.initial.len() {
                return Err(Problem::TooManyNext);
            }
            let found = wire_number(word)?;
            if found != expected {
                return Err(Problem::WireNumber { what: "flip-flop", expected, found });
            }
            Ok(())
        })?;
        lexer.field("`=`", FORM, gate::equals)?;
        let next = lexer.field("the next state", FORM, |word| words::bit(word, wires))?;
        lexer.end_line(FORM)?;
        self.next.push(next);
        Ok(())
    }

    /// Builds the circuit when the line `end` is read.
    fn into_circuit<R: BufRead>(self, lexer: &Lexer<R>) -> Result<Circuit, ReadError> {
        let missing = (self.initial.len() - self.next.len()) as u64;
        if missing > 0 {
            let wire = self.input_bits + self.next.len() as u64;
            return Err(lexer.error(Problem::TooFewNext { wire, missing }));
        }
        let per_cycle = self.inputs.iter().any(|input| input.per_cycle)
            || self.outputs.iter().any(|output| output.per_cycle);
        if let Some((cycles, line)) = self.cycles
            && cycles > 1
            && !per_cycle
            && self.initial.is_empty()
        {
            return Err(lexer.error_at(line, Problem::IdleCycles(cycles)));
        }
        let states = self.initial.into_iter().zip(self.next);
        Ok(Circuit {
            inputs: self.inputs,
            flip_flops: states.map(|(init, next)| FlipFlop { init, next }).collect(),
            gates: self.gates,
            outputs: self.outputs,
            cycles: self.cycles.map_or(1, |(cycles, _)| cycles),
        })
    }
}

fn wire_number(word: &str) -> Result<u64, Problem> {
    let expected = "the number of a wire";
    words::number(word).ok_or_else(|| Problem::Expected { expected, found: word.to_owned() })
}
