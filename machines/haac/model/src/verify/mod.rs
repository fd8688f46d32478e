//! Verifies code against its program. It does not run the code on values, but works symbolically,
//! for all values.
//!
//! Code is valid for a program if all of the following holds.
//!
//! **Layout.** The code names the program by its hash. Its inputs are input bits and flip-flops of
//! the program, none twice. The first has address 1, each other one the next address (no multiple
//! of the window), and the first instruction's output follows the last input. An input is in memory
//! only if and only if its half is at least two before the half of that output.
//!
//! **Rows.** All rows are complete. Each place holds a no-op, all of whose fields are 0, an XOR, an
//! AND, or a UNARY whose second field is COPY or INV. Fields are slots of the window. The
//! statistics match the instructions.
//!
//! **Addresses.** Instructions other than no-ops have the addresses from the first output on, in
//! the order of rows. So a slot other than 0 means one wire: the newest input or earlier result at
//! that slot. That wire is in the window of the instruction: its half is the half of the
//! instruction's output or the one before.
//!
//! **Queues.** Each operand field of 0 takes the next word of its engine's queue, the first operand
//! before the second, and at the end no word is left. A word is the address of an input or of an
//! earlier result. This address must be outside the window, and in memory: inputs are, and results
//! whose live bit is set.
//!
//! **Live bits.** A result's live bit is set if and only if its address is in a word of a queue, or
//! is that of an output or of a flip-flop's next value.
//!
//! **Last reads.** Bit 31 of a word is set if and only if its address is in no later word (in the
//! order of rows) and is not that of an output or a next value.
//!
//! **Gates.** Every label is a wire of the program or its inverse. An input's label is the input. A
//! COPY's label is its operand's, an INV's is the inverse of its operand's. The other instructions
//! are exactly the program's gates, in order: the operands of an XOR are the gate's operands or
//! their inverses, those of an AND are the gate's operands in the polarity that the gate requires.
//! The labels of outputs and next values are those bits, inverted if the code has `invert`;
//! constants are the same constants. (A copy gate of the program is another name of its operand,
//! and needs no instruction.)

mod gates;
#[cfg(test)]
mod tests;

use crate::code::{Code, OOR_LAST, Source, Stats};
use crate::instruction::{Instruction, Op, Unary};
use crate::machine::Shape;
use gates::{Content, Gates};
use halfgate_circuit::{Bit, Wire};
use halfgate_compiler::Program;
use halfgate_compiler::spool::SpoolReader;
use std::collections::{HashMap, HashSet};
use std::io;
use thiserror::Error;

/// Why code is not valid for a program.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// An error in one instruction.
    #[error("instruction {number} (row {row}, engine {engine}, output {output}): {broken}")]
    Instruction {
        /// Number among the instructions other than no-ops, from 0.
        number: u64,
        /// Its row, from 0.
        row: u64,
        /// Its engine.
        engine: u32,
        /// The address of its output.
        output: u32,
        /// The violated invariant.
        broken: Broken,
    },
    /// An error in the code as a whole.
    #[error("the code as a whole: {0}")]
    Whole(Broken),
    /// A temporary file could not be read.
    #[error("cannot read back a temporary file (in TMPDIR): {0}")]
    Spool(#[from] io::Error),
}

/// A violated invariant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages document them.
pub enum Broken {
    #[error("it was lowered from another program, {found}")]
    Program { found: String },
    #[error("{engines} engines and a window of {window} labels are impossible")]
    Shape { engines: u32, window: u32 },
    #[error("input {index} is {wire:?}, which is no input bit or flip-flop, or is there already")]
    Input { index: usize, wire: Wire },
    #[error("the first output must have address {expected}, not {found}")]
    FirstOutput { expected: u32, found: u32 },
    #[error("{expected} inputs must be in memory only, not {found}")]
    MemoryOnly { expected: usize, found: usize },
    #[error("{places} places do not fill rows of {engines}")]
    Rows { places: u64, engines: u32 },
    #[error("there are {found} queues for {engines} engines")]
    Queues { found: usize, engines: u32 },
    #[error("{instruction:?} is no instruction: a field that must be 0 is not, or a slot too high")]
    Form { instruction: Instruction },
    #[error("there are more addresses than fit 31 bits")]
    TooLong,
    #[error("operand {operand} is slot {slot}, which holds nothing of this half or the one before")]
    Slot { operand: char, slot: u32 },
    #[error("operand {operand} comes from the engine's queue, which is empty")]
    QueueEmpty { operand: char },
    #[error("engine {engine} has {left} words left in its queue at the end")]
    QueueLeft { engine: u32, left: u64 },
    #[error("the queue's word for operand {operand} is {address}, which is not out of range here")]
    NotOutOfRange { operand: char, address: u32 },
    #[error(
        "operand {operand} is {address}, which is not in memory, or was read for the last time"
    )]
    NotInMemory { operand: char, address: u32 },
    #[error("the word of {address} is marked as the last read, but an output needs the wire")]
    LastOfOutput { address: u32 },
    #[error("no word of {address} is marked as the last read")]
    NoLast { address: u32 },
    #[error("its live bit is set, but nothing reads {address} from memory")]
    NotNeeded { address: u32 },
    #[error("operand {operand} is {found}, where gate {gate} of the program reads {expected}")]
    Operand { operand: char, found: String, gate: u64, expected: String },
    #[error("it is {found:?}, where gate {gate} of the program is {expected}")]
    Gate { found: Op, gate: u64, expected: &'static str },
    #[error("the program has only {gates} gates")]
    GatesLeft { gates: u64 },
    #[error("the program goes on with gate {gate}, which has no instruction")]
    NoInstruction { gate: u64 },
    #[error("there are {found} sources for {expected} {what}")]
    Sources { what: &'static str, expected: usize, found: usize },
    #[error("{what} {index} is {found}, where the program has {expected:?}")]
    Source { what: &'static str, index: usize, found: String, expected: Bit },
    #[error("the statistics must be {expected:?}, not {found:?}")]
    Stats { expected: Box<Stats>, found: Box<Stats> },
}

/// Verifies `code` for `program`.
///
/// Memory: four bytes for each label of the window; inputs, outputs and flip-flops; about 64 bytes
/// for each label in memory that is still to be read, and for each copy gate of the program; a bit
/// per gate if the program has inversions.
///
/// # Errors
/// The first instruction that violates an invariant, and the invariant.
pub fn verify(code: &Code, program: &Program) -> Result<(), VerifyError> {
    layout(code, program)?;
    let mut verifier = Verifier::new(code, program);
    let mut rows = code.rows.reader();
    while let Some(bits) = rows.next()? {
        let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
        verifier.place(instruction)?;
    }
    verifier.finish()
}

fn layout(code: &Code, program: &Program) -> Result<(), VerifyError> {
    let whole = |broken| Err(VerifyError::Whole(broken));
    let shape = code.shape;
    let Shape { engines, window } = shape;
    if code.program != program.hash {
        return whole(Broken::Program { found: code.program.to_string() });
    }
    if !shape.is_possible() {
        return whole(Broken::Shape { engines, window });
    }
    let mut seen = HashSet::new();
    let mut output = 1;
    for (index, &wire) in code.inputs.iter().enumerate() {
        if wire.index() >= program.circuit.first_gate_wire() || !seen.insert(wire) {
            return whole(Broken::Input { index, wire });
        }
        output = shape.next_address(output);
    }
    if code.first_output != output {
        return whole(Broken::FirstOutput { expected: output, found: code.first_output });
    }
    let addresses = std::iter::successors(Some(1), |&a| Some(shape.next_address(a)));
    let in_memory_only =
        addresses.take(code.inputs.len()).filter(|&a| !shape.in_window(a, output)).count();
    if code.inputs_in_memory_only != in_memory_only {
        let found = code.inputs_in_memory_only;
        return whole(Broken::MemoryOnly { expected: in_memory_only, found });
    }
    if code.oor.len() != engines as usize {
        return whole(Broken::Queues { found: code.oor.len(), engines });
    }
    if !code.rows.len().is_multiple_of(u64::from(engines)) {
        return whole(Broken::Rows { places: code.rows.len(), engines });
    }
    Ok(())
}

/// A label in memory.
struct InMemory {
    content: Content,
    /// Number and place of the instruction that wrote it; `None` for an input.
    writer: Option<(u64, u64)>,
    read: bool,
}

struct Verifier<'a> {
    code: &'a Code,
    shape: Shape,
    gates: Gates<'a>,
    /// The content of the label in each slot.
    window: Vec<Content>,
    /// Labels in memory that may still be read.
    memory: HashMap<u32, InMemory>,
    /// Addresses of outputs and next values.
    outputs: HashSet<u32>,
    queues: Vec<SpoolReader<'a, 4>>,
    place: u64,
    /// Address of the next output, and the number of the next instruction other than no-ops.
    output: u32,
    number: u64,
    stats: Stats,
}

impl<'a> Verifier<'a> {
    fn new(code: &'a Code, program: &'a Program) -> Verifier<'a> {
        let shape = code.shape;
        let mut window = vec![Content::default(); shape.window as usize];
        let mut memory = HashMap::new();
        let mut address = 1;
        for &wire in &code.inputs {
            let content = Content::of(wire);
            window[shape.slot(address) as usize] = content;
            memory.insert(address, InMemory { content, writer: None, read: false });
            address = shape.next_address(address);
        }
        let sources = code.outputs.iter().chain(&code.nexts);
        let address = |source: &Source| match *source {
            Source::Wire { address, .. } => Some(address),
            Source::Constant(_) => None,
        };
        Verifier {
            code,
            shape,
            gates: Gates::of(program),
            window,
            memory,
            outputs: sources.filter_map(address).collect(),
            queues: code.oor.iter().map(|queue| queue.reader()).collect(),
            place: 0,
            output: code.first_output,
            number: 0,
            stats: Stats {
                rows: code.rows.len() / u64::from(shape.engines),
                inputs_loaded: (code.inputs.len() - code.inputs_in_memory_only) as u64,
                ..Stats::default()
            },
        }
    }

    fn place(&mut self, instruction: Instruction) -> Result<(), VerifyError> {
        if self.output > !OOR_LAST {
            return Err(self.broken(Broken::TooLong));
        }
        self.form(instruction).map_err(|broken| self.broken(broken))?;
        if instruction.is_nop() {
            self.stats.nops += 1;
        } else {
            let a = self.operand('a', instruction.a())?;
            let content = match instruction.unary() {
                Some(Unary::Copy) => Ok(a),
                Some(Unary::Inv) => Ok(a.invert_if(true)),
                None => {
                    let b = self.operand('b', instruction.b())?;
                    self.gates.instruction(instruction.op(), a, b)
                }
            };
            let content = content.map_err(|broken| self.broken(broken))?;
            self.result(instruction, content);
        }
        self.place += 1;
        Ok(())
    }

    fn form(&self, instruction: Instruction) -> Result<(), Broken> {
        let (op, a, b) = (instruction.op(), instruction.a(), instruction.b());
        let normal = Instruction::new(op, a, b, instruction.is_live()) == instruction;
        let good = match op {
            Op::Nop => instruction == Instruction::NOP,
            Op::Unary => instruction.unary().is_some(),
            Op::Xor | Op::And => true,
        };
        if normal && good && a.max(b) < self.shape.window {
            Ok(())
        } else {
            Err(Broken::Form { instruction })
        }
    }

    /// The content of the label that an operand field names.
    fn operand(&mut self, operand: char, slot: u32) -> Result<Content, VerifyError> {
        if slot == 0 {
            return self.popped(operand);
        }
        // The newest address with this slot before the output.
        let shape = self.shape;
        let lap = self.output - shape.slot(self.output);
        let address = if slot < shape.slot(self.output) {
            Some(lap + slot)
        } else {
            lap.checked_sub(shape.window).map(|lap| lap + slot)
        };
        match address {
            Some(address) if shape.in_window(address, self.output) => {
                Ok(self.window[slot as usize])
            }
            _ => Err(self.broken(Broken::Slot { operand, slot })),
        }
    }

    /// The content of the label at the head of the engine's queue.
    fn popped(&mut self, operand: char) -> Result<Content, VerifyError> {
        let engine = (self.place % u64::from(self.shape.engines)) as usize;
        let Some(word) = self.queues[engine].next()?.map(u32::from_le_bytes) else {
            return Err(self.broken(Broken::QueueEmpty { operand }));
        };
        let (address, last) = (word & !OOR_LAST, word & OOR_LAST != 0);
        self.stats.oor_reads += 1;
        self.stats.oor_input_reads += u64::from(address < self.code.first_output);
        if address >= self.output || self.shape.in_window(address, self.output) {
            return Err(self.broken(Broken::NotOutOfRange { operand, address }));
        }
        if last && self.outputs.contains(&address) {
            return Err(self.broken(Broken::LastOfOutput { address }));
        }
        let Some(label) = self.memory.get_mut(&address) else {
            return Err(self.broken(Broken::NotInMemory { operand, address }));
        };
        label.read = true;
        let content = label.content;
        if last {
            self.memory.remove(&address);
        }
        Ok(content)
    }

    fn result(&mut self, instruction: Instruction, content: Content) {
        let stats = &mut self.stats;
        match (instruction.op(), instruction.unary()) {
            (Op::Nop, _) => unreachable!("a no-op has no result"),
            (_, Some(Unary::Copy)) => stats.copies += 1,
            (Op::Unary, _) => stats.invs += 1,
            (Op::Xor | Op::And, _) => {
                stats.gates += 1;
                stats.ands += u64::from(instruction.op() == Op::And);
            }
        }
        self.window[self.shape.slot(self.output) as usize] = content;
        if instruction.is_live() {
            stats.live += 1;
            stats.live_outputs += u64::from(self.outputs.contains(&self.output));
            let writer = Some((self.number, self.place));
            self.memory.insert(self.output, InMemory { content, writer, read: false });
        }
        self.output = self.shape.next_address(self.output);
        self.number += 1;
    }

    fn finish(mut self) -> Result<(), VerifyError> {
        let whole = |broken| Err(VerifyError::Whole(broken));
        if let Err(broken) = self.gates.finish() {
            return whole(broken);
        }
        for (engine, queue) in (0..).zip(&mut self.queues) {
            if queue.next()?.is_some() {
                let left = self.code.oor[engine as usize].len() - queue.position() + 1;
                return whole(Broken::QueueLeft { engine, left });
            }
        }
        self.sources()?;
        self.left_in_memory()?;
        let (expected, found) = (Box::new(self.stats), Box::new(self.code.stats));
        if expected != found { whole(Broken::Stats { expected, found }) } else { Ok(()) }
    }

    /// Checks outputs and next values against the program.
    fn sources(&self) -> Result<(), VerifyError> {
        let circuit = self.gates.circuit();
        let outputs: Vec<Bit> = circuit.outputs.iter().flat_map(|o| &o.bits).collect();
        let nexts: Vec<Bit> = circuit.flip_flops.iter().map(|f| f.next).collect();
        let lists =
            [("output", outputs, &self.code.outputs), ("next value", nexts, &self.code.nexts)];
        for (what, bits, sources) in lists {
            if bits.len() != sources.len() {
                let (expected, found) = (bits.len(), sources.len());
                return Err(VerifyError::Whole(Broken::Sources { what, expected, found }));
            }
            for (index, (&expected, source)) in bits.iter().zip(sources).enumerate() {
                let found = match *source {
                    Source::Constant(value) => Some(Bit::constant(value)),
                    Source::Wire { address, invert } => {
                        self.memory.get(&address).map(|l| l.content.invert_if(invert).bit())
                    }
                };
                if found != Some(self.gates.resolve(expected)) {
                    let found = match found {
                        None => format!("{source:?}, which is not in memory"),
                        Some(bit) => format!("{source:?}, which is {bit:?}"),
                    };
                    let broken = Broken::Source { what, index, found, expected };
                    return Err(VerifyError::Whole(broken));
                }
            }
        }
        Ok(())
    }

    /// Checks that only outputs, and inputs never read from memory, are left in memory.
    fn left_in_memory(&self) -> Result<(), VerifyError> {
        let left = self.memory.iter().filter(|(address, _)| !self.outputs.contains(address));
        // Names the lowest address, so that the error is deterministic.
        let Some((&address, label)) =
            left.filter(|(_, l)| l.read || l.writer.is_some()).min_by_key(|(address, _)| **address)
        else {
            return Ok(());
        };
        match label.writer {
            Some((number, place)) if !label.read => {
                Err(self.broken_at(number, place, address, Broken::NotNeeded { address }))
            }
            _ => Err(VerifyError::Whole(Broken::NoLast { address })),
        }
    }

    fn broken(&self, broken: Broken) -> VerifyError {
        self.broken_at(self.number, self.place, self.output, broken)
    }

    fn broken_at(&self, number: u64, place: u64, output: u32, broken: Broken) -> VerifyError {
        let engines = u64::from(self.shape.engines);
        let (row, engine) = (place / engines, (place % engines) as u32);
        VerifyError::Instruction { number, row, engine, output, broken }
    }
}
