//! The reader: reads and checks one line at a time.

use super::body::OpenBody;
use super::error::{CallProblem, Problem};
use super::functions::Functions;
use super::lexer::Lexer;
use super::line::{Line, Word};
use super::ports::{self, Declared};
use super::{FLAT_VERSION, MAGIC, MAX_REPEATED, VERSION, definition, gate, words};
use crate::error::ReadError;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, BitRuns, Circuit, FlipFlop, Init, Input, Output, Wire};
use std::collections::HashSet;
use std::io::BufRead;

/// Reads a circuit without calls in HGC format; `name` is the file's name in messages. The circuit
/// has the gates of the file, in their order. Nothing is folded. Functions that nothing calls are
/// dropped.
///
/// Memory: as for [`read_structured`], and 4 bytes for each output bit.
///
/// # Errors
/// As for [`read_structured`], and if the circuit calls a function.
pub fn read(reader: impl BufRead, name: &str) -> Result<Circuit, ReadError> {
    let circuit = read_lines(reader, name, false)?;
    Ok(circuit.into_circuit().expect("a circuit without calls needs no flattening"))
}

/// Reads a circuit in HGC format, of version 1 or 2; `name` is the file's name in messages. The
/// circuit has the functions, gates and calls of the file, in their order, and is valid.
///
/// Memory: the names of ports and functions, 8 bytes for each run of consecutive output bits, 12
/// bytes for each flip-flop, 4 bytes for each bit of an argument or of a function's outputs, about
/// 200 bytes for each function, 80 for each call, and 32 MiB for the gates of each body. Further
/// gates go to temporary files. If the file has source lines, a
/// [`SourceMap`](halfgate_circuit::SourceMap) takes additional memory. No declared number takes
/// memory until bits follow.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit; and if the file
/// cannot be read or a temporary file cannot be written.
pub fn read_structured(reader: impl BufRead, name: &str) -> Result<StructuredCircuit, ReadError> {
    read_lines(reader, name, true)
}

fn read_lines(
    reader: impl BufRead,
    name: &str,
    calls: bool,
) -> Result<StructuredCircuit, ReadError> {
    let mut lexer = Lexer::new(reader, name);
    let version = first_line(&mut lexer)?;
    let mut file = File { version, ..File::default() };
    loop {
        let word = Word::read(&mut lexer, version)?;
        file.enter(&lexer, word)?;
        match word {
            Word::Function => definition::read(&mut lexer, &mut file.functions)?,
            Word::Cycles => file.cycles(&mut lexer)?,
            Word::Input => file.input(&mut lexer)?,
            Word::FlipFlop => file.flip_flop(&mut lexer)?,
            Word::Item(drives) => {
                file.open.item(&mut lexer, drives, &file.functions, version)?;
                if file.open.is_in_call() && !calls {
                    return Err(lexer.error_at(lexer.line(), CallProblem::NotFlat.into()));
                }
            }
            Word::OfList(line) if file.open.is_in_call() => file.open.argument(&mut lexer, line)?,
            Word::OfList(Line::Bits) => file.bits(&mut lexer)?,
            Word::OfList(line) => {
                return Err(lexer.error(CallProblem::NoCall(line.word()).into()));
            }
            Word::Output => file.output(&mut lexer)?,
            Word::Next => file.next(&mut lexer)?,
            Word::Return | Word::EndFunction => {
                return Err(lexer.error(CallProblem::OutsideFunction(word.name()).into()));
            }
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

/// Reads `halfgate-circuit 1`, which must be the first line, and returns the version. Blank lines
/// are allowed only after it.
fn first_line<R: BufRead>(lexer: &mut Lexer<R>) -> Result<u64, ReadError> {
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
    let version = lexer.field("the version", FORM, |word| match words::number(word) {
        Some(version @ FLAT_VERSION..=VERSION) => Ok(version),
        Some(_) => Err(Problem::Version(word.to_owned())),
        None => Err(Problem::Expected { expected: "a version, such as 1", found: word.to_owned() }),
    })?;
    lexer.end_line(FORM)?;
    Ok(version)
}

/// The sections of a file, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Section {
    #[default]
    Functions,
    Cycles,
    Inputs,
    FlipFlops,
    Gates,
    Results,
}

/// The section of a line that begins with `word`. `None` if it belongs to the line before it.
fn section(word: Word) -> Option<Section> {
    Some(match word {
        Word::Function => Section::Functions,
        Word::Cycles => Section::Cycles,
        Word::Input => Section::Inputs,
        Word::FlipFlop => Section::FlipFlops,
        Word::Item(_) => Section::Gates,
        Word::OfList(Line::Bits) | Word::Output | Word::Next | Word::End => Section::Results,
        Word::OfList(_) | Word::Return | Word::EndFunction => return None,
    })
}

/// The state while a file is read.
#[derive(Default)]
struct File {
    version: u64,
    section: Section,
    functions: Functions,
    /// The number of cycles, and the number of the line with it.
    cycles: Option<(u64, u64)>,
    inputs: Vec<Input>,
    /// The first wire of each input.
    first_wires: Vec<u64>,
    names: HashSet<String>,
    input_bits: u64,
    initial: Vec<Init>,
    next: Vec<Bit>,
    /// The outermost body.
    open: OpenBody,
    outputs: Vec<Output>,
    output_names: HashSet<String>,
    /// Bits of all outputs so far.
    output_bits: u64,
    /// Bits that the last output still needs.
    missing: u32,
}

impl File {
    /// Enters the section of a line that begins with `word`.
    fn enter<R: BufRead>(&mut self, lexer: &Lexer<R>, word: Word) -> Result<(), ReadError> {
        if self.open.is_in_call() {
            if matches!(word, Word::OfList(_)) {
                return Ok(());
            }
            self.open.finish_call(lexer)?;
        }
        if self.missing > 0 && word != Word::OfList(Line::Bits) {
            let output = self.outputs.last().expect("bits of an output are missing");
            let (name, found) = (output.name.clone(), output.bits.len() as u64);
            let width = found + u64::from(self.missing);
            return Err(lexer.error(Problem::TooFewBits { name, width, found }));
        }
        let Some(section) = section(word) else { return Ok(()) };
        if section < self.section {
            let after = match self.section {
                Section::Functions => unreachable!("it is the first section"),
                Section::Cycles => "cycles",
                Section::Inputs => "an input",
                Section::FlipFlops => "a flip-flop",
                Section::Gates => "a gate or a call",
                Section::Results => "an output or a next state",
            };
            return Err(lexer.error(Problem::TooLate { word: word.name(), after }));
        }
        self.section = section;
        Ok(())
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
        self.open.wires = self.input_bits;
        self.inputs.push(input);
        Ok(())
    }

    fn flip_flop<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        const FORM: &str = "flip-flop WIRE = INITIAL";
        lexer.field("the flip-flop's wire", FORM, |word| {
            self.open.expect_wire("flip-flop", wire_number(word)?)
        })?;
        lexer.field("`=`", FORM, gate::equals)?;
        let own = self.open.wires;
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
        self.open.wires += 1;
        Ok(())
    }

    /// Whether `wire` is a bit of an input of the whole run.
    fn is_per_run(&self, wire: Wire) -> bool {
        let wire = u64::from(wire.number());
        let port = self.first_wires.partition_point(|&first| first <= wire).checked_sub(1);
        wire < self.input_bits && port.is_some_and(|port| !self.inputs[port].per_cycle)
    }

    fn output<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        let Declared { name, width, per_cycle, elements, .. } = ports::output(lexer)?;
        if !self.output_names.insert(name.clone()) {
            return Err(lexer.error(Problem::SameName { ports: "outputs", name }));
        }
        self.missing = width;
        self.outputs.push(Output { name, bits: BitRuns::new(), per_cycle, elements });
        Ok(())
    }

    fn bits<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        if self.missing == 0 {
            return Err(lexer.error(Problem::BitsWithoutOutput));
        }
        let wires = self.open.wires;
        let output = self.outputs.last_mut().expect("its bits are missing");
        let before = output.bits.len();
        let driven = wires - self.input_bits - self.initial.len() as u64;
        loop {
            let run = match lexer.word()? {
                None => break,
                Some(word) if self.version == FLAT_VERSION && words::is_run(word) => {
                    Err(Problem::Reserved(word.to_owned()))
                }
                Some(word) => words::run(word, wires),
            };
            let (first, count) = run.map_err(|problem| lexer.error(problem))?;
            if count > self.missing {
                let width = output.bits.len() as u64 + u64::from(self.missing);
                let problem = Problem::TooManyBits { name: output.name.clone(), width };
                return Err(lexer.error(problem));
            }
            self.output_bits += u64::from(count);
            let (bits, bytes) = (self.output_bits, lexer.bytes());
            let allowed = MAX_REPEATED + bytes + driven;
            if bits > allowed {
                let problem = Problem::TooManyOutputBits { bits, bytes, driven, allowed };
                return Err(lexer.error(problem));
            }
            output.bits.push_run(first, count);
            self.missing -= count;
        }
        if output.bits.len() == before {
            return Err(lexer.error(Problem::NoBits));
        }
        Ok(())
    }

    fn next<R: BufRead>(&mut self, lexer: &mut Lexer<R>) -> Result<(), ReadError> {
        const FORM: &str = "next WIRE = BIT";
        let wires = self.open.wires;
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
    fn into_circuit<R: BufRead>(self, lexer: &Lexer<R>) -> Result<StructuredCircuit, ReadError> {
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
        Ok(StructuredCircuit {
            inputs: self.inputs,
            flip_flops: states.map(|(init, next)| FlipFlop { init, next }).collect(),
            functions: self.functions.list,
            body: self.open.body,
            outputs: self.outputs,
            cycles: self.cycles.map_or(1, |(cycles, _)| cycles),
        })
    }
}

fn wire_number(word: &str) -> Result<u64, Problem> {
    let expected = "the number of a wire";
    words::number(word).ok_or_else(|| Problem::Expected { expected, found: word.to_owned() })
}
