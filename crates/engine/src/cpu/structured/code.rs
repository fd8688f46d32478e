//! Code for a structured program: the steps of each body, on the slots of a frame.
//!
//! A frame has the labels of one run of a body, or of several lanes side by side. A frame of
//! several lanes is *wide*. Slot `s` of lane `l` is the label number `s * lanes + l` of the frame.
//! A function's first slots are its ports: inputs, then outputs. In a wide frame, the caller says
//! where each port lies, so that arguments and results are used in place.

use halfgate_circuit::structured::uses::FunctionUses;
use halfgate_circuit::structured::{Call, Form, FunctionId, Size};
use halfgate_kernels::ops::{And, Move, Segment, Xor};

/// A slot of a frame, and whether the label there is that of the inverse: `slot << 1 | inverted`.
pub(super) type SlotBit = u32;

/// The code of a body.
#[derive(Debug, Default)]
pub(super) struct BodyCode {
    pub steps: Vec<Step>,
    /// Slots of a frame.
    pub slots: u32,
    /// Inputs of the function; 0 for the outermost body.
    pub inputs: u32,
    /// Outputs of the function; 0 for the outermost body.
    pub outputs: u32,
    /// Gates and ANDs of one run.
    pub size: Size,
    /// How the function uses its inputs; empty for the outermost body.
    pub uses: FunctionUses,
    /// Whether the function passes an input through to an output.
    pub has_passes: bool,
}

#[derive(Debug)]
pub(super) enum Step {
    Gates(Chunk),
    Call(CallCode),
}

/// Gates that follow each other.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub segments: Vec<Segment>,
    pub moves: Vec<Move>,
    pub xors: Vec<Xor>,
    pub ands: Vec<And>,
    /// Each AND's position in the body's flattening, counted from `first_position`.
    pub positions: Vec<u32>,
    pub first_position: u64,
    /// The frame's slot for each name in the operations; `None` if the names are the slots
    /// themselves.
    pub local: Option<Vec<u32>>,
    /// In the outermost body: the input bits that the gates read, each once, in order.
    pub reads: Vec<u32>,
}

/// A call.
#[derive(Debug)]
pub(super) struct CallCode {
    pub function: FunctionId,
    pub form: Form,
    /// Lanes of a full block; 1 unless the call is a map.
    pub block: u64,
    pub arguments: Vec<ArgumentCode>,
    pub driven: Driven,
    /// Position of its first gate in the body's flattening.
    pub first_position: u64,
    /// What the call reads of the input bits of the outermost body, if anything.
    pub reads_inputs: Option<Box<InputReads>>,
    /// How many of the steps that follow are maps too, and depend neither on this one nor on each
    /// other: see [`independent`](super::independent).
    pub together: u32,
}

/// What a call reads of the input bits of the outermost body.
#[derive(Debug)]
pub(super) struct InputReads {
    pub call: Call,
    /// The input ports.
    pub ports: Vec<usize>,
    /// The part of the callee's [uses](BodyCode::uses) that may be of input bits: in the first
    /// block or step, and in later ones. Shared arguments are read in the first.
    pub uses: [Vec<[u32; 2]>; 2],
}

/// The place of what a call drives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Driven {
    /// Consecutive slots from this one on. Those of a map are in order of blocks, and in a block
    /// all lanes of an output lie side by side. Those of other calls are in the order of the wires.
    Slots(u32),
    /// No slots: the results are output bits, from this one on. Those of a block are given out when
    /// the block has run.
    Output(u32),
}

/// The place of one or more consecutive inputs of a call.
#[derive(Debug)]
pub(super) enum ArgumentCode {
    /// The same bits in each run.
    Shared(Vec<SlotBit>),
    /// Bits for each run.
    Listed { width: u32, bits: Vec<SlotBit> },
    /// Bit `j` of run `run` is the wire `first + run * run_stride + j * bit_stride`.
    Sliced { width: u32, first: u32, run_stride: u32, bit_stride: u32, homes: Vec<Home> },
    /// Bits of an input port that nothing else reads. They have no slots, and are fetched block
    /// after block.
    Fetched { width: u32 },
}

impl ArgumentCode {
    /// Number of inputs.
    pub fn width(&self) -> u32 {
        match self {
            ArgumentCode::Shared(bits) => bits.len() as u32,
            ArgumentCode::Listed { width, .. }
            | ArgumentCode::Sliced { width, .. }
            | ArgumentCode::Fetched { width, .. } => *width,
        }
    }
}

/// The slots of consecutive wires.
#[derive(Clone, Debug)]
pub(super) struct Home {
    pub first: u32,
    pub count: u32,
    pub rule: Rule,
}

/// How the slots follow from the wires.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// In the same order from this slot on.
    Flat(u32),
    /// As [`Driven::Slots`] of a map.
    Blocks(Blocks),
    /// Listed, for each wire.
    Listed(Vec<SlotBit>),
}

/// The slots of what a map drives: block after block, all lanes of an output side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Blocks {
    pub base: u32,
    /// Outputs of a lane.
    pub width: u32,
    pub lanes: u32,
    pub block: u32,
}

impl Blocks {
    /// The slot of output `output` of `lane`, how many lanes from there on lie side by side, and
    /// the number of lanes of the block.
    pub fn slot(&self, lane: u32, output: u32) -> (u32, u32, u32) {
        let in_front = lane % self.block;
        let start = lane - in_front;
        let in_block = self.block.min(self.lanes - start);
        let slot = self.base + start * self.width + output * in_block + in_front;
        (slot, in_block - in_front, in_block)
    }
}

impl Home {
    /// The slot of a wire of the home.
    pub fn slot(&self, wire: u32) -> SlotBit {
        let offset = wire - self.first;
        match &self.rule {
            Rule::Flat(base) => (base + offset) << 1,
            Rule::Blocks(blocks) => {
                let (lane, output) = (offset / blocks.width, offset % blocks.width);
                blocks.slot(lane, output).0 << 1
            }
            Rule::Listed(bits) => bits[offset as usize],
        }
    }
}

/// The slot of a wire that one of `homes`, which are in order, has.
pub(super) fn slot_in(homes: &[Home], wire: u32) -> SlotBit {
    let home = homes.partition_point(|home| home.first <= wire) - 1;
    homes[home].slot(wire)
}

/// An output of the outermost body, or a part of one.
#[derive(Debug)]
pub(super) struct Give {
    /// Number of the first bit, across all outputs.
    pub number: u32,
    pub first: u32,
    pub count: u32,
    pub inverted: bool,
    pub homes: Vec<Home>,
}
