//! A chunk of code: its operations, the input bits fetched before them, and the output bits after
//! them.

use halfgate_circuit::Wire;
use halfgate_kernels::ops::{And, Move, Ops, Segment, Xor};

/// Input bits to fetch, in this order: bit `wires[i]` goes to `addresses[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// The input bits.
    pub wires: Vec<Wire>,
    /// One address for each bit. Bits whose label is never read may share one.
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

/// Output bits to give to the caller: bit `bits[i]` from `addresses[i]`, inverted if `inverted[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gives {
    /// Numbers of the output bits, counted through all outputs in order.
    pub bits: Vec<u32>,
    /// One address for each bit; an address may occur several times.
    pub addresses: Vec<u32>,
    /// One inversion flag for each bit: if set, the garbler's label is `^ Δ`.
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

/// A part of the body. The setting [`chunk`](super::lower::Lowering) bounds its ANDs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Input bits to fetch before the operations in the first cycle.
    pub inputs_first: Loads,
    /// Input bits to fetch in every later cycle: the per-cycle ones among `inputs_first`.
    pub inputs_later: Loads,
    /// The steps: see [`Segment`].
    pub segments: Vec<Segment>,
    /// Moves of all segments.
    pub moves: Vec<Move>,
    /// XORs of all segments.
    pub xors: Vec<Xor>,
    /// ANDs of all segments, in program order.
    pub ands: Vec<And>,
    /// Each AND's position in the program's body, XORs counted.
    pub positions: Vec<u32>,
    /// Output bits to give out after the operations in every cycle.
    pub outputs_each: Gives,
    /// Output bits to give out in the last cycle, after `outputs_each`.
    pub outputs_last: Gives,
}

impl Chunk {
    /// The operations, in the form that kernels take.
    pub fn ops(&self) -> Ops<'_> {
        Ops {
            segments: &self.segments,
            moves: &self.moves,
            xors: &self.xors,
            ands: &self.ands,
            positions: &self.positions,
        }
    }

    /// Input bits to fetch before the operations in `cycle`.
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
