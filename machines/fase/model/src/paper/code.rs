//! What a published machine runs: its netlist's slots.

use super::super::Body;
use super::super::code::{Bits, Exceeded, Resource, fields as f};
use super::super::netlist::{self, Netlist};
use super::Open;
use halfgate_circuit::{Circuit, Init, Wire};

/// A body as the machine runs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Slots that are held at once.
    pub pipelines: usize,
    /// Flip-flops, each before those that it is taken over from; then gates in order.
    pub slots: Vec<Slot>,
    /// How many flip-flops.
    pub flip_flops: usize,
    /// What is garbled.
    pub body: Body,
    /// What the paper leaves open of the machine.
    pub open: Open,
}

/// A flip-flop or a gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Which of the two.
    pub kind: Kind,
    /// A gate's operands, of which a copy has one; what a flip-flop takes over, and what it starts from.
    pub operands: [Option<Operand>; 2],
    /// Whether the result is inverted.
    pub invert: bool,
    /// Under which tag the host gets its label.
    pub keep: Option<u32>,
}

/// What a slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A flip-flop.
    FlipFlop,
    /// A gate.
    Gate {
        /// Its place among the gates of the body.
        gate: u32,
        /// Whether it has a table.
        is_and: bool,
    },
}

/// What a slot reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Where the label is from.
    pub source: Source,
    /// Whether it is inverted.
    pub invert: bool,
}

/// Where a label is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The host: the constant 0.
    Constant,
    /// An input bit.
    Input {
        /// Its number among those of the first netlist cycle, and of every other.
        places: [u32; 2],
        /// Whether it is a per-cycle input's.
        per_cycle: bool,
    },
    /// This slot.
    Slot(u32),
}

/// How much a machine's memories hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Flip-flops and gates.
    pub slots: u32,
    /// Input labels: those of the first netlist cycle, and two times those of another.
    pub inputs: u32,
    /// Gates whose labels the host gets.
    pub outputs: u32,
}

impl Size {
    /// The published machine's (section 6.1). The paper's input memory has half the words, for those of one netlist
    /// cycle: ours makes the next one's meanwhile.
    pub const PUBLISHED: Size = Size { slots: 1 << 13, inputs: 1 << 11, outputs: 1 << 8 };

    /// What the fields of a slot allow.
    pub const MOST: Size = Size { slots: 1 << 15, inputs: 1 << 15, outputs: 1 << 12 };
}

impl Code {
    /// The code of a circuit for a machine of so many pipelines.
    ///
    /// # Panics
    /// If there is no pipeline.
    pub fn of(circuit: &Circuit, pipelines: usize) -> Code {
        Code::new(Body::of(circuit, Netlist::of(circuit).without_rings()), pipelines)
    }

    /// The code of a body.
    ///
    /// # Panics
    /// If there is no pipeline, or a ring of flip-flops.
    pub fn new(body: Body, pipelines: usize) -> Code {
        assert!(pipelines > 0, "a machine has pipelines");
        let netlist = &body.netlist;
        let order = in_order(netlist);
        let mut places = vec![0; order.len()];
        for (place, &flip_flop) in (0..).zip(&order) {
            places[flip_flop] = place;
        }
        let flip_flops = order.len();
        let input = |wire: Wire| Source::Input {
            places: body.requested.places(wire),
            per_cycle: netlist.per_cycle[wire.index()],
        };
        let source = |read: netlist::Operand| match read {
            netlist::Operand::Input(wire) => input(wire),
            netlist::Operand::FlipFlop(number) => Source::Slot(places[number as usize]),
            netlist::Operand::Gate(gate) => Source::Slot(flip_flops as u32 + gate),
        };
        let mut slots = Vec::with_capacity(flip_flops + netlist.gates.len());
        for &number in &order {
            let found = netlist.flip_flops[number];
            let next = found.next.map_or(Source::Constant, source);
            let (start, invert) = match found.init {
                Init::Constant(value) => (Source::Constant, value),
                Init::Input(wire) => (input(wire), false),
            };
            let next = Operand { source: next, invert: found.invert };
            let start = Operand { source: start, invert };
            slots.push(Slot {
                kind: Kind::FlipFlop,
                operands: [Some(next), Some(start)],
                invert: false,
                keep: None,
            });
        }
        for (number, gate) in (0..).zip(&netlist.gates) {
            let operand = |place: usize| {
                let source = source(gate.operands[place]?);
                Some(Operand { source, invert: gate.inverts[place] })
            };
            slots.push(Slot {
                kind: Kind::Gate { gate: number, is_and: gate.is_and },
                operands: [operand(0), operand(1)],
                invert: gate.inverts[2],
                keep: body.tags.get(&number).copied(),
            });
        }
        Code { pipelines, slots, flip_flops, body, open: Open::FOUND }
    }

    /// The same code on a machine with other values for what the paper leaves open.
    pub fn with(self, open: Open) -> Code {
        Code { open, ..self }
    }

    /// Words of the input memory.
    pub fn inputs(&self) -> u64 {
        self.body.requested.first + 2 * self.body.requested.each
    }

    /// Whether a machine of this size holds it.
    ///
    /// # Errors
    /// Which limit it exceeds, and by how much.
    pub fn fits(&self, size: Size) -> Result<(), Exceeded> {
        Exceeded::check(Resource::Slots, self.slots.len() as u64, size.slots.into())?;
        Exceeded::check(Resource::InputWords, self.inputs(), size.inputs.into())?;
        Exceeded::check(Resource::OutputLabels, self.body.tags.len() as u64, size.outputs.into())
    }

    /// The netlist's words.
    ///
    /// # Errors
    /// As [`fits`](Code::fits).
    pub fn encode(&self, size: Size) -> Result<Vec<Bits>, Exceeded> {
        self.fits(size)?;
        Ok(self.slots.iter().map(encode).collect())
    }
}

impl Slot {
    /// Whether it is a flip-flop.
    pub fn is_flip_flop(&self) -> bool {
        self.kind == Kind::FlipFlop
    }

    /// Whether it has a table.
    pub fn is_and(&self) -> bool {
        matches!(self.kind, Kind::Gate { is_and: true, .. })
    }
}

/// Flip-flops in such an order that each comes before the one that it is taken over from: so it reads before that is
/// written anew.
fn in_order(netlist: &Netlist) -> Vec<usize> {
    let next = |number: usize| match netlist.flip_flops[number].next {
        Some(netlist::Operand::FlipFlop(next)) if next as usize != number => Some(next as usize),
        _ => None,
    };
    let count = netlist.flip_flops.len();
    let mut readers = vec![0_u32; count];
    for read in (0..count).filter_map(next) {
        readers[read] += 1;
    }
    let mut order: Vec<usize> = (0..count).filter(|&number| readers[number] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        if let Some(read) = next(order[done]) {
            readers[read] -= 1;
            if readers[read] == 0 {
                order.push(read);
            }
        }
        done += 1;
    }
    assert_eq!(order.len(), count, "no ring of flip-flops");
    order
}

fn encode(slot: &Slot) -> Bits {
    let mut bits = Bits::of(f::PAPER_SLOT_BITS);
    for (number, operand) in (0..).zip(&slot.operands) {
        let base = f::PAPER_SLOT_OPERANDS.low + number * f::PAPER_OPERAND_BITS;
        let Some(Operand { source, invert }) = *operand else { continue };
        bits.set(base, f::PAPER_OPERAND_INVERT, invert.into());
        match source {
            Source::Constant => bits.set(base, f::PAPER_OPERAND_IS_CONSTANT, 1),
            Source::Slot(slot) => bits.set(base, f::PAPER_OPERAND_WORD, slot.into()),
            Source::Input { places: [first, again], per_cycle } => {
                bits.set(base, f::PAPER_OPERAND_IS_INPUT, 1);
                bits.set(base, f::PAPER_OPERAND_WORD, first.into());
                bits.set(base, f::PAPER_OPERAND_AGAIN, again.into());
                bits.set(base, f::PAPER_OPERAND_PER_CYCLE, per_cycle.into());
            }
        }
    }
    let is_copy = !slot.is_flip_flop() && slot.operands[1].is_none();
    for (field, value) in [
        (f::PAPER_SLOT_INVERT, slot.invert),
        (f::PAPER_SLOT_COPY, is_copy),
        (f::PAPER_SLOT_IS_AND, slot.is_and()),
        (f::PAPER_SLOT_FLIP_FLOP, slot.is_flip_flop()),
        (f::PAPER_SLOT_KEEP, slot.keep.is_some()),
    ] {
        bits.set(0, field, value.into());
    }
    bits
}
