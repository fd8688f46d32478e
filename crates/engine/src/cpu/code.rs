//! The CPU engine's code for a program: chunks of kernel operations on numbered addresses.
//!
//! Addresses below [`WINDOW`](halfgate_kernels::ops::WINDOW) are the window that XORs and ANDs
//! can name; those above are the spill area, which only moves, inputs and outputs name.
//!
//! How code runs:
//!
//! 1. before the first cycle: [`Code::start`];
//! 2. each cycle: every chunk in order, and in each its inputs, its operations, its outputs;
//! 3. between two cycles: [`Code::latch`].

use crate::cpu::spool::ChunkStore;
use halfgate_circuit::Wire;
use halfgate_kernels::ops::{And, Move, Ops, Segment, Xor};
use std::io;

/// A program lowered for the CPU engine.
///
/// Memory: the chunks up to [`Code::IN_MEMORY`] bytes, a temporary file beyond; what else is
/// here grows with the ports and flip-flops.
#[derive(Debug)]
pub struct Code {
    /// Labels of memory that the code needs: the window and the spill area.
    pub memory: usize,
    /// Whether the body may run more than once. Code for a circuit without flip-flops, per-cycle
    /// ports or a cycle count above 1 keeps no input for a second cycle.
    pub repeatable: bool,
    /// What is done before the first cycle.
    pub start: Start,
    /// Moves in order between two cycles: each flip-flop takes its next value.
    pub latch: Vec<Move>,
    /// The most wires of the body that were alive at once, those held between cycles included.
    pub peak_live: usize,
    pub(super) chunks: ChunkStore,
}

/// What is done before the first cycle, in this order.
#[derive(Debug, Default)]
pub struct Start {
    /// Where the label of the public constant 0 goes, if the program needs one.
    pub constant: Option<u32>,
    /// Input bits that initialise flip-flops.
    pub inputs: Loads,
    /// The initial values, to where the flip-flops are kept.
    pub moves: Vec<Move>,
}

/// Input bits to be fetched, in this order: bit `wires[i]` to `addresses[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// The input bits.
    pub wires: Vec<Wire>,
    /// As many addresses. Bits whose label nobody reads may share one.
    pub addresses: Vec<u32>,
}

impl Loads {
    pub(super) fn push(&mut self, wire: Wire, address: u32) {
        self.wires.push(wire);
        self.addresses.push(address);
    }

    pub(super) fn clear(&mut self) {
        self.wires.clear();
        self.addresses.clear();
    }
}

/// Output bits to be given out: bit `bits[i]` from `addresses[i]`, inverted if `inverted[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gives {
    /// Numbers of the output bits, through all outputs in order.
    pub bits: Vec<u32>,
    /// As many addresses. One may come several times.
    pub addresses: Vec<u32>,
    /// As many inversions: the garbler's label is `^ Δ`.
    pub inverted: Vec<bool>,
}

impl Gives {
    pub(super) fn push(&mut self, bit: u32, address: u32, inverted: bool) {
        self.bits.push(bit);
        self.addresses.push(address);
        self.inverted.push(inverted);
    }

    pub(super) fn clear(&mut self) {
        self.bits.clear();
        self.addresses.clear();
        self.inverted.clear();
    }
}

/// A stretch of the body: at most as many ANDs as [`Lowering::chunk`](super::lower::Lowering)
/// gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Input bits to be fetched before the operations in the first cycle.
    pub inputs_first: Loads,
    /// Those in every later cycle: the per-cycle ones among `inputs_first`.
    pub inputs_later: Loads,
    /// The steps: see [`Segment`].
    pub segments: Vec<Segment>,
    /// All segments' moves.
    pub moves: Vec<Move>,
    /// All segments' XORs.
    pub xors: Vec<Xor>,
    /// All segments' ANDs, in program order.
    pub ands: Vec<And>,
    /// Each AND's position in the program's body, XORs counted.
    pub positions: Vec<u32>,
    /// Output bits to be given out after the operations in every cycle.
    pub outputs_each: Gives,
    /// Output bits to be given out after the operations in the last cycle, after
    /// `outputs_each`.
    pub outputs_last: Gives,
}

impl Chunk {
    /// The operations, as kernels take them.
    pub fn ops(&self) -> Ops<'_> {
        Ops {
            segments: &self.segments,
            moves: &self.moves,
            xors: &self.xors,
            ands: &self.ands,
            positions: &self.positions,
        }
    }

    /// Input bits to be fetched before the operations in `cycle`.
    pub fn inputs(&self, cycle: u64) -> &Loads {
        if cycle == 0 { &self.inputs_first } else { &self.inputs_later }
    }

    /// Whether the chunk does nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.inputs_first.wires.is_empty()
            && self.segments.is_empty()
            && self.outputs_each.bits.is_empty()
            && self.outputs_last.bits.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.inputs_first.clear();
        self.inputs_later.clear();
        self.segments.clear();
        self.moves.clear();
        self.xors.clear();
        self.ands.clear();
        self.positions.clear();
        self.outputs_each.clear();
        self.outputs_last.clear();
    }
}

impl Code {
    /// Bytes of code that are held in memory.
    pub const IN_MEMORY: usize = 96 << 20;

    /// Reads the chunks in order, as often as wanted.
    pub fn chunks(&self) -> Chunks<'_> {
        Chunks { store: &self.chunks, next: 0, read: Chunk::default() }
    }
}

/// A cursor over a code's chunks: see [`Code::chunks`].
///
/// Memory: one chunk, if the code is in a file.
pub struct Chunks<'a> {
    store: &'a ChunkStore,
    next: usize,
    read: Chunk,
}

impl Chunks<'_> {
    /// The next chunk, or `None` after the last.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    #[allow(clippy::should_implement_trait)] // lends the chunk, and may fail
    pub fn next(&mut self) -> io::Result<Option<&Chunk>> {
        let index = self.next;
        if index >= self.store.len() {
            return Ok(None);
        }
        self.next += 1;
        self.store.get(index, &mut self.read).map(Some)
    }

    /// Goes back to the first chunk.
    pub fn rewind(&mut self) {
        self.next = 0;
    }
}
