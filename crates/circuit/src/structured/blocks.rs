//! Reads the outermost body block by block. For each block it finds the number of ANDs, the input
//! bits that no block before reads, and the output bits that the block gives. So a run can take
//! inputs and give outputs while it goes on.
//!
//! A block is one of these: all gates up to the next call; a block of a map's lanes; a step of a
//! fold; a call that runs once.

mod given;
mod ports;

pub use given::given_by_maps;

use super::circuit::StructuredCircuit;
use super::function::{Call, Item, Items};
use super::passes::without_passes;
use super::size::Sizes;
use super::uses::{FunctionUses, input_uses, of_runs, runs_that_read_first, uses_of_functions};
use crate::circuit::Init;
use crate::id::{Bit, Wire};
use ports::Ports;
use std::collections::HashMap;
use std::io;
use std::ops::Range;

/// What is found out about a valid circuit before it is read block by block.
///
/// Memory: that of [`without_passes`], and 8 bytes for each input of a function.
#[derive(Debug)]
pub struct Plan {
    /// The circuit [without passes](without_passes), if it has any.
    rewritten: Option<StructuredCircuit>,
    sizes: Sizes,
    uses: Vec<FunctionUses>,
    ports: Ports,
    given: HashMap<usize, u32>,
}

impl Plan {
    /// Examines a valid circuit.
    ///
    /// # Errors
    /// If the temporary file for gates that do not fit in memory cannot be written.
    pub fn new(circuit: &StructuredCircuit) -> io::Result<Plan> {
        let rewritten = without_passes(circuit)?;
        let circuit = rewritten.as_ref().unwrap_or(circuit);
        let sizes = Sizes::of(&circuit.functions).expect("a valid circuit's gates can be counted");
        let uses = uses_of_functions(circuit, &sizes);
        let (ports, given) = (Ports::of(circuit), given_by_maps(circuit));
        Ok(Plan { rewritten, sizes, uses, ports, given })
    }

    /// The circuit without passes: `circuit`, which must be the one examined, or another of the
    /// same flattening.
    pub fn circuit<'a>(&'a self, circuit: &'a StructuredCircuit) -> &'a StructuredCircuit {
        self.rewritten.as_ref().unwrap_or(circuit)
    }

    /// How each function uses its inputs.
    pub fn uses(&self) -> &[FunctionUses] {
        &self.uses
    }

    /// The maps whose results are given block by block: see [`given_by_maps`].
    pub fn given(&self) -> &HashMap<usize, u32> {
        &self.given
    }

    /// Reads `circuit` from its first block. It must be the circuit that was examined. The blocks
    /// have the input bits in the order in which gates of the flattening first read them, as
    /// [`first_uses`](crate::first_uses) has them.
    pub fn blocks<'a>(&'a self, circuit: &'a StructuredCircuit) -> Blocks<'a> {
        let circuit = self.circuit(circuit);
        let inputs = circuit.input_bits();
        Blocks {
            plan: self,
            circuit,
            items: circuit.items(),
            at: At::Start,
            calls: 0,
            seen: vec![0; inputs.div_ceil(64)],
            left: inputs,
        }
    }
}

/// A block of the outermost body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Number of ANDs.
    pub ands: u64,
    /// The output bits that the block gives, numbered across all outputs: see [`given_by_maps`].
    pub given: Range<u32>,
}

/// Reads a circuit block by block. See [`Plan::blocks`].
///
/// Memory: a bit for each input bit.
pub struct Blocks<'a> {
    plan: &'a Plan,
    circuit: &'a StructuredCircuit,
    items: Items<'a>,
    at: At<'a>,
    /// Number of calls begun.
    calls: usize,
    /// Input bits that were read, 64 in a word.
    seen: Vec<u64>,
    /// Number of input bits that were not read.
    left: usize,
}

enum At<'a> {
    Start,
    Items,
    Call(Box<Reading<'a>>),
    End,
}

/// A call that is being read.
struct Reading<'a> {
    call: &'a Call,
    ands: u64,
    /// The next run, all runs, and the runs of a full block.
    start: u64,
    runs: u64,
    block: u64,
    /// From this run on, the call reads only input bits that were read before.
    nothing_from: u64,
    /// The uses of the callee that may be of input bits: in the first block, and in later ones.
    uses: [Vec<[u32; 2]>; 2],
    /// For each input of the callee: whether it takes bits of a port that nothing else reads.
    is_alone: Vec<bool>,
    /// The next output bit that the call gives, and how many bits each run gives: 0 if the call's
    /// results are not given.
    given: [u32; 2],
}

impl<'a> Blocks<'a> {
    /// Reads the next block. Appends to `wires`, in order, the input bits that it reads and that no
    /// block before read. The last block also has the bits that only outputs and flip-flops read.
    /// Returns `None` after that block.
    pub fn next(&mut self, wires: &mut Vec<Wire>) -> Option<Block> {
        loop {
            match std::mem::replace(&mut self.at, At::Items) {
                At::Start => {
                    for flip_flop in &self.circuit.flip_flops {
                        if let Init::Input(wire) = flip_flop.init {
                            self.see(wire, wires);
                        }
                    }
                }
                At::Items => {
                    if let Some(block) = self.gates(wires) {
                        return Some(block);
                    }
                }
                At::Call(mut reading) => {
                    let block = self.runs(&mut reading, wires);
                    if reading.start < reading.runs {
                        self.at = At::Call(reading);
                    }
                    return Some(block);
                }
                At::End => {
                    self.at = At::End;
                    return None;
                }
            }
        }
    }

    /// Reads the gates up to the next call or the end. `None` if there is no gate before the call.
    fn gates(&mut self, wires: &mut Vec<Wire>) -> Option<Block> {
        let (mut block, mut any) = (Block::default(), false);
        loop {
            match self.items.next() {
                Some(Item::Gate(_, gate)) => {
                    any = true;
                    block.ands += u64::from(gate.is_and());
                    gate.operands().for_each(|wire| self.see(wire, wires));
                }
                Some(Item::Call(_, call)) => {
                    self.at = At::Call(Box::new(self.enter(call)));
                    return any.then_some(block);
                }
                None => {
                    let circuit = self.circuit;
                    let next = circuit.flip_flops.iter().map(|flip_flop| flip_flop.next);
                    let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
                    let ends = next.chain(outputs).filter_map(Bit::wire);
                    ends.for_each(|wire| self.see(wire, wires));
                    self.at = At::End;
                    return Some(block);
                }
            }
        }
    }

    fn enter(&mut self, call: &'a Call) -> Reading<'a> {
        let Plan { sizes, uses, ports, given, .. } = self.plan;
        let callee = &uses[call.function.index()];
        let (runs, block) = (call.form.runs(), sizes.block(call));
        let inputs = self.circuit.input_bits() as u32;
        let width = self.circuit.functions[call.function.index()].outputs.len() as u32;
        let given = given.get(&self.calls).map_or([0; 2], |&first| [first, width]);
        self.calls += 1;
        Reading {
            call,
            ands: sizes.get(call.function).ands,
            start: 0,
            runs,
            block,
            nothing_from: runs_that_read_first(call, inputs, block),
            uses: [false, true].map(|later| input_uses(call, callee, inputs, later)),
            is_alone: ports.alone_inputs(call),
            given,
        }
    }

    /// Reads the next block of a call. If the rest of the call reads no new input bits and gives no
    /// output bits, reads the whole rest.
    fn runs(&mut self, reading: &mut Reading<'a>, wires: &mut Vec<Wire>) -> Block {
        let start = reading.start;
        let reads = self.left > 0 && start < reading.nothing_from;
        let [first, width] = reading.given;
        let end = match reads || width > 0 {
            true => reading.runs.min(start + reading.block),
            false => reading.runs,
        };
        reading.start = end;
        if reads {
            let passes = &self.plan.uses[reading.call.function.index()].passes;
            let uses = &reading.uses[usize::from(start > 0)];
            of_runs(reading.call, (uses, passes), (start, end), |input, _, wire| {
                match reading.is_alone[input as usize] {
                    true => self.take(wire, wires),
                    false => self.see(wire, wires),
                }
            });
        }
        let ands = reading.ands * (end - start);
        if width == 0 {
            return Block { ands, given: 0..0 };
        }
        reading.given[0] += (end - start) as u32 * width;
        Block { ands, given: first..reading.given[0] }
    }

    /// Reads a wire that may have been read before, or may be no input.
    fn see(&mut self, wire: Wire, wires: &mut Vec<Wire>) {
        let (word, bit) = (wire.index() / 64, 1 << (wire.index() % 64));
        let is_input = wire.index() < self.circuit.input_bits();
        if self.left > 0 && is_input && self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.take(wire, wires);
        }
    }

    fn take(&mut self, wire: Wire, wires: &mut Vec<Wire>) {
        self.left -= 1;
        wires.push(wire);
    }
}
