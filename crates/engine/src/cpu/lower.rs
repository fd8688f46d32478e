//! Lowers a program to code for the CPU engine, in one pass over the gates.
//!
//! Every wire alive has a *value* in label memory and a polarity. XORs and copies carry no
//! inversion, so a wire may be the inverse of its value. ANDs take polarities as flags; the moves
//! between cycles and the outputs resolve them. A copy has its source's value. An XOR that nothing
//! depends on is left out; an AND is kept, because its table is part of the program.
//!
//! In code that repeats, per-run inputs and flip-flops have a *home*, an address that the body does
//! not write. There is one exception: if nothing reads a flip-flop's present value any more, the
//! gate that drives its next value writes it to the home, which saves a move between cycles. Homes
//! are in the window if they fill at most a quarter of it.

use crate::cpu::code::{Code, Start};
use crate::cpu::latch;
use crate::cpu::liveness::{Liveness, NEVER, Next};
use crate::cpu::outputs::OutputBits;
use crate::cpu::slots::{Slots, ValueId};
use crate::cpu::spool::ChunkStore;
use halfgate_circuit::{Bit, Circuit, FlipFlop, Gate, GateKind, Init, Wire};
use halfgate_compiler::Program;
use halfgate_compiler::wire_map::WireMap;
use halfgate_kernels::ops::{And, Move, WINDOW};
use std::io;
use std::ops::Range;

/// Parameters of the lowering.
#[derive(Clone, Copy, Debug)]
pub struct Lowering {
    /// Slots of the window that are used, clamped to 8..=[`WINDOW`].
    pub window: usize,
    /// Gates in a chunk, which bounds its ANDs too; 0 is taken as 1.
    pub chunk: usize,
}

impl Default for Lowering {
    /// Uses the whole window. The tables of a chunk and the labels fetched before it stay in a
    /// cache of 256 KiB.
    fn default() -> Lowering {
        Lowering { window: WINDOW, chunk: 4096 }
    }
}

impl Lowering {
    /// The number of slots that are used.
    fn slots(self) -> usize {
        self.window.clamp(8, WINDOW)
    }

    /// A number of wires alive, not counting outputs, whose labels always fit in the window. At
    /// most a quarter of the window is reserved for homes. A gate of the chunk may add three wires
    /// that are outputs until the chunk ends, and the present gate uses three slots more.
    fn most_alive(self) -> usize {
        let unreserved = self.slots() - self.slots() / 4;
        unreserved.saturating_sub(self.chunk.max(1).saturating_mul(3)).saturating_sub(3)
    }
}

/// Lowers `program`.
///
/// Memory: the wires alive at once, the bits of ports and flip-flops, one chunk, and the fixed
/// amount of code and liveness results that is held before they go to temporary files.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub fn lower(program: &Program, how: Lowering) -> io::Result<Code> {
    lower_with(program, how, how.most_alive())
}

/// Lowers `program` without times of reads if at most `most_alive` wires are alive at once.
fn lower_with(program: &Program, how: Lowering, most_alive: usize) -> io::Result<Code> {
    let circuit = &program.circuit;
    let outputs = OutputBits::of(circuit);
    let mut liveness = Liveness::of(circuit, &outputs, most_alive)?;
    let first_reads = std::mem::take(&mut liveness.first_reads);
    let mut lowerer = Lowerer::new(circuit, &outputs, &first_reads, how);
    let start = lowerer.start();
    let mut stretch = Vec::new();
    for gate in circuit.gates.iter() {
        // Input bits are fetched before the operations of the chunk that reads them first.
        for wire in gate.wires() {
            if wire.index() < lowerer.fetched.len() {
                lowerer.fetch(wire);
            }
        }
        stretch.push(gate);
        if stretch.len() >= how.chunk {
            lowerer.chunk(&stretch, &mut liveness)?;
            stretch.clear();
        }
    }
    lowerer.chunk(&stretch, &mut liveness)?;
    lowerer.rest()?;
    let latch = lowerer.latch();
    Ok(Code {
        memory: lowerer.slots.memory(),
        addresses: lowerer.slots.addresses(),
        repeatable: lowerer.repeatable,
        start,
        latch,
        peak_live: lowerer.slots.peak(),
        chunks: lowerer.chunks,
    })
}

/// The signal of a wire: a value, perhaps inverted. Stored as one number for [`WireMap`].
#[derive(Clone, Copy)]
struct Signal {
    value: ValueId,
    inverted: bool,
}

impl Signal {
    fn code(self) -> u32 {
        self.value << 1 | u32::from(self.inverted)
    }

    fn from_code(code: u32) -> Signal {
        Signal { value: code >> 1, inverted: code & 1 == 1 }
    }
}

struct Lowerer<'p> {
    circuit: &'p Circuit,
    first_reads: &'p [u32],
    outputs: &'p OutputBits,
    /// The first of `outputs` that no gate has driven yet.
    next_output: usize,
    repeatable: bool,
    slots: Slots,
    /// The signals of the wires alive.
    wires: WireMap,
    /// For each input bit: whether it is a per-cycle bit.
    per_cycle: Vec<bool>,
    /// For each input bit: whether the code has fetched it.
    fetched: Vec<bool>,
    /// The home of each input bit and each flip-flop that has one.
    homes: Vec<Option<u32>>,
    flip_flop_homes: Range<u32>,
    /// The flip-flops that gates drive and that are not outputs, ordered by the driving wire, and
    /// the first of them whose gate has not been lowered.
    driven: Vec<(Wire, u32)>,
    next_driven: usize,
    constant: Option<u32>,
    /// Address shared by labels that are never read.
    unread: Option<u32>,
    /// Outputs to give out after the chunk.
    giving: Vec<(usize, Signal)>,
    /// Position of the next gate.
    position: usize,
    chunks: ChunkStore,
}

impl<'p> Lowerer<'p> {
    fn new(
        circuit: &'p Circuit,
        outputs: &'p OutputBits,
        first_reads: &'p [u32],
        how: Lowering,
    ) -> Lowerer<'p> {
        let inputs = circuit.input_bits();
        let per_cycle: Vec<bool> = circuit
            .inputs
            .iter()
            .flat_map(|input| std::iter::repeat_n(input.per_cycle, input.width as usize))
            .collect();
        let ports_per_cycle =
            per_cycle.contains(&true) || circuit.outputs.iter().any(|output| output.per_cycle);
        Lowerer {
            circuit,
            first_reads,
            outputs,
            next_output: outputs.first_of_gates(),
            repeatable: circuit.is_sequential() || ports_per_cycle || circuit.cycles > 1,
            slots: Slots::new(how.slots()),
            wires: WireMap::new(),
            per_cycle,
            fetched: vec![false; inputs],
            homes: vec![None; first_reads.len()],
            flip_flop_homes: 0..0,
            driven: Vec::new(),
            next_driven: 0,
            constant: None,
            unread: None,
            giving: Vec::new(),
            position: 0,
            chunks: ChunkStore::default(),
        }
        .with_homes(how.slots() / 4)
    }

    /// Assigns homes to flip-flops and to the inputs that are held between cycles.
    fn with_homes(mut self, most_in_window: usize) -> Lowerer<'p> {
        if !self.repeatable {
            return self;
        }
        let inputs = self.circuit.input_bits();
        let held: Vec<usize> = (0..inputs)
            .filter(|&wire| !self.per_cycle[wire])
            .filter(|&wire| self.is_needed(Wire::new(wire as u32)))
            .collect();
        let flip_flops = inputs..self.homes.len();
        let in_window = held.len() + flip_flops.len() <= most_in_window;
        let mut first_flip_flop = None;
        for wire in flip_flops.clone().chain(held) {
            let home = match in_window {
                true => self.slots.reserve_slot(),
                false => self.slots.spill_address(),
            };
            first_flip_flop.get_or_insert(home);
            self.homes[wire] = Some(home);
            let value = self.slots.add_held(home, self.first_reads[wire]);
            let signal = Signal { value, inverted: false };
            self.wires.insert(Wire::new(wire as u32), signal.code());
        }
        if let Some(first) = first_flip_flop {
            self.flip_flop_homes = first..first + flip_flops.len() as u32;
        }
        if in_window {
            let driver = |(index, flip_flop): (u32, &FlipFlop)| {
                let own = Wire::new(inputs as u32 + index);
                let driver = flip_flop.next.wire()?;
                (driver.index() >= self.homes.len() && self.outputs.of_wire(own).is_empty())
                    .then_some((driver, index))
            };
            self.driven = (0..).zip(&self.circuit.flip_flops).filter_map(driver).collect();
            self.driven.sort_unstable();
        }
        self
    }

    /// Returns the home of a flip-flop that the gate of `wire` drives. Calls must have ascending
    /// wires.
    fn driven_home(&mut self, wire: Wire) -> Option<u32> {
        while self.driven.get(self.next_driven)?.0 < wire {
            self.next_driven += 1;
        }
        let (driver, index) = self.driven[self.next_driven];
        (driver == wire).then(|| self.flip_flop_home(index as usize))
    }

    /// Whether anything reads the label of an input bit or flip-flop, not counting initial values.
    fn is_needed(&self, wire: Wire) -> bool {
        self.first_reads[wire.index()] != NEVER || !self.outputs.of_wire(wire).is_empty()
    }

    fn flip_flop_home(&self, index: usize) -> u32 {
        self.flip_flop_homes.start + index as u32
    }

    /// Makes the steps before the first cycle.
    fn start(&mut self) -> Start {
        let mut start = Start::default();
        let constants = self.circuit.flip_flops.iter();
        if constants
            .clone()
            .any(|f| matches!(f.init, Init::Constant(_)) || f.next.as_constant().is_some())
        {
            self.constant = Some(self.slots.spill_address());
        }
        start.constant = self.constant;
        // The address of each initialising input: its home, or that of the first flip-flop that
        // starts with it.
        let mut put = WireMap::new();
        for (index, flip_flop) in self.circuit.flip_flops.iter().enumerate() {
            let to = self.flip_flop_home(index);
            match flip_flop.init {
                Init::Constant(invert) => {
                    let from = self.constant.expect("address is reserved");
                    start.moves.push(Move { from, to, invert });
                }
                Init::Input(wire) => {
                    let from = put.get(wire).unwrap_or_else(|| {
                        let address = self.homes[wire.index()].unwrap_or(to);
                        start.inputs.push(wire, address);
                        self.fetched[wire.index()] = true;
                        put.insert(wire, address);
                        address
                    });
                    if from != to {
                        start.moves.push(Move { from, to, invert: false });
                    }
                }
            }
        }
        start
    }

    /// Lowers a sequence of gates, whose input bits are fetched, into a chunk.
    fn chunk(&mut self, stretch: &[Gate], liveness: &mut Liveness) -> io::Result<()> {
        for &gate in stretch {
            self.gate(self.position, gate, liveness.pop()?);
            self.position += 1;
        }
        self.end_chunk()
    }

    /// Fetches the input bits that no gate reads, and gives out the outputs that are held.
    fn rest(&mut self) -> io::Result<()> {
        for wire in self.circuit.flip_flops.iter().filter_map(|f| f.next.wire()) {
            self.fetch(wire);
        }
        for wire in self.circuit.outputs.iter().flat_map(|o| &o.bits).filter_map(|b| b.wire()) {
            self.fetch(wire);
        }
        self.give_held();
        self.end_chunk()
    }

    /// Fetches `wire` before the chunk, if it is an input bit not fetched yet.
    fn fetch(&mut self, wire: Wire) {
        let Some(fetched @ false) = self.fetched.get_mut(wire.index()) else { return };
        *fetched = true;
        if let Some(home) = self.homes[wire.index()] {
            self.slots.chunk.inputs_first.push(wire, home);
            return;
        }
        let first_read = self.first_reads[wire.index()];
        let given = self.outputs.of_wire(wire);
        let refs = given.len() + usize::from(first_read != NEVER);
        let address = match refs {
            0 => *self.unread.get_or_insert_with(|| self.slots.spill_address()),
            _ => self.slots.load_address(),
        };
        self.slots.chunk.inputs_first.push(wire, address);
        if self.per_cycle[wire.index()] {
            self.slots.chunk.inputs_later.push(wire, address);
        }
        if refs > 0 {
            let value = self.slots.add(address, refs as u32, first_read);
            let signal = Signal { value, inverted: false };
            self.giving.extend(given.map(|output| (output, signal)));
            if first_read != NEVER {
                self.wires.insert(wire, signal.code());
            }
        }
    }

    fn gate(&mut self, position: usize, gate: Gate, next: Next) {
        // Input bits and flip-flops, which are all in `homes`, are numbered before the gates.
        let wire = Wire::new((self.homes.len() + position) as u32);
        let is_output = self.outputs.wire(self.next_output) == Some(wire);
        if next.result == NEVER && !is_output && !gate.is_and() {
            return;
        }
        let home = self.driven_home(wire);
        let result = match gate.kind() {
            GateKind::Xor { invert, .. } => {
                let ([a, b], last) = self.read(gate.wires(), next);
                let value = self.slots.xor([a.value, b.value], last, next.result, home);
                Signal { value, inverted: a.inverted ^ b.inverted ^ invert }
            }
            GateKind::And { a: first, b: second, invert } => {
                let ([a, b], last) = self.read(gate.wires(), next);
                let flags = (u16::from(a.inverted ^ first.is_inverted()) * And::INVERT_A)
                    | (u16::from(b.inverted ^ second.is_inverted()) * And::INVERT_B);
                let values = [a.value, b.value];
                let value =
                    self.slots.and(values, last, next.result, (flags, position as u32), home);
                Signal { value, inverted: invert }
            }
            GateKind::Copy { a, invert } => {
                let source = self.signal(a.bit());
                if next.a == NEVER {
                    self.wires.remove(a);
                } else {
                    self.slots.retain(source.value);
                }
                self.slots.set_next(source.value, next.a.min(next.result));
                Signal { inverted: source.inverted ^ invert, ..source }
            }
        };
        self.settle(wire, result, next.result);
    }

    /// Returns the signals of two operands, and for each whether it is released by this gate.
    #[inline(always)] // it runs once for each gate
    fn read(&mut self, wires: [Wire; 2], next: Next) -> ([Signal; 2], [bool; 2]) {
        // If both operands are one wire, it is released once.
        let last = [next.a == NEVER && wires[0] != wires[1], next.b == NEVER];
        let a = self.read_one(wires[0], last[0], next.a);
        let b = self.read_one(wires[1], last[1], next.b);
        ([a, b], last)
    }

    /// Returns the signal of an operand, and forgets the wire or sets when it is read next.
    #[inline(always)] // it runs twice for each gate
    fn read_one(&mut self, wire: Wire, last: bool, next: u32) -> Signal {
        let code = match last {
            true => self.wires.remove(wire),
            false => self.wires.get(wire),
        };
        let signal = Signal::from_code(code.expect("a wire is remembered up to its last use"));
        if !last {
            self.slots.set_next(signal.value, next);
        }
        signal
    }

    /// The signal of a wire that something still reads.
    fn signal(&self, bit: Bit) -> Signal {
        let wire = bit.wire().expect("operands are wires");
        let code = self.wires.get(wire).expect("a wire is remembered up to its last use");
        let signal = Signal::from_code(code);
        Signal { inverted: signal.inverted ^ bit.is_inverted(), ..signal }
    }

    /// Records a gate's result for later readers and for outputs, or releases it if there are none.
    fn settle(&mut self, wire: Wire, result: Signal, first_read: u32) {
        while self.outputs.wire(self.next_output) == Some(wire) {
            self.slots.retain(result.value);
            self.giving.push((self.next_output, result));
            self.next_output += 1;
        }
        if first_read == NEVER {
            self.slots.release(result.value);
        } else {
            self.wires.insert(wire, result.code());
        }
    }

    /// Gives out the outputs that are inputs or flip-flops with homes.
    fn give_held(&mut self) {
        for output in 0..self.outputs.first_of_gates() {
            let wire = self.outputs.wire(output).expect("an output below `first_of_gates`");
            if let Some(home) = self.homes[wire.index()] {
                self.outputs.give(output, home, false, &mut self.slots.chunk);
            }
        }
    }

    fn end_chunk(&mut self) -> io::Result<()> {
        self.slots.end_segment();
        for (output, signal) in std::mem::take(&mut self.giving) {
            let address = self.slots.address(signal.value);
            self.outputs.give(output, address, signal.inverted, &mut self.slots.chunk);
            self.slots.release(signal.value);
        }
        if !self.slots.chunk.is_empty() {
            self.chunks.push(&self.slots.chunk)?;
        }
        self.slots.chunk.clear();
        Ok(())
    }

    /// Makes the moves between two cycles.
    fn latch(&mut self) -> Vec<Move> {
        let flip_flops = self.circuit.flip_flops.iter().enumerate();
        let moves = flip_flops.map(|(index, flip_flop)| {
            let to = self.flip_flop_home(index);
            let (from, invert) = match flip_flop.next.wire() {
                None => (self.constant.expect("address is reserved"), flip_flop.next.is_inverted()),
                Some(wire) => match self.homes.get(wire.index()) {
                    Some(&Some(home)) => (home, flip_flop.next.is_inverted()),
                    _ => {
                        let signal = self.signal(flip_flop.next);
                        (self.slots.address(signal.value), signal.inverted)
                    }
                },
            };
            Move { from, to, invert }
        });
        let moves = moves.filter(|m| m.from != m.to || m.invert).collect();
        let homes = self.flip_flop_homes.clone();
        latch::in_order(moves, homes, || self.slots.spill_address())
    }
}

#[cfg(test)]
mod tests;
