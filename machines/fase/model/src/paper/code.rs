//! The code of a published machine: the slots of its netlist. A *slot* here is a flip-flop or a
//! gate.

use super::super::Body;
use super::super::code::{Bits, Exceeded, Resource, fields as f};
use super::super::netlist::{self, Netlist};
use super::Open;
use halfgate_circuit::{Circuit, Init, Wire};

/// A body in the form that the machine runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Number of pipelines. A pipeline holds one slot at a time.
    pub pipelines: usize,
    /// Flip-flops, then gates in order. If a flip-flop takes over the value of another flip-flop,
    /// it comes first.
    pub slots: Vec<Slot>,
    /// Number of flip-flops.
    pub flip_flops: usize,
    /// The garbled body.
    pub body: Body,
    /// The parameters that the paper leaves open.
    pub open: Open,
}

/// A flip-flop or a gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Flip-flop or gate.
    pub kind: Kind,
    /// The operands of a gate (a copy has only one), or the next state and the initial value of a
    /// flip-flop.
    pub operands: [Option<Operand>; 2],
    /// Whether the result is inverted.
    pub invert: bool,
    /// The tag under which the host gets the label.
    pub keep: Option<u32>,
}

/// Kind of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A flip-flop.
    FlipFlop,
    /// A gate.
    Gate {
        /// The gate's index in the body.
        gate: u32,
        /// Whether the gate is an AND, which has a table.
        is_and: bool,
    },
}

/// An operand of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The source of the label.
    pub source: Source,
    /// Whether the operand is inverted.
    pub invert: bool,
}

/// The source of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The constant 0, whose label the host sends.
    Constant,
    /// An input bit.
    Input {
        /// The bit's index among the input bits of the first netlist cycle, and among those of
        /// every later one.
        places: [u32; 2],
        /// Whether the bit belongs to a per-cycle input.
        per_cycle: bool,
    },
    /// The slot with this number.
    Slot(u32),
}

/// Capacities of a machine's memories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Flip-flops and gates.
    pub slots: u32,
    /// Input labels: those of the first netlist cycle, plus twice those of a later one.
    pub inputs: u32,
    /// Gates whose labels the host can get.
    pub outputs: u32,
}

impl Size {
    /// The capacities of the published machine (section 6.1), except for the input memory. The
    /// published one has half this number of words, enough for one netlist cycle. Ours also holds
    /// the labels of the next netlist cycle, which are made meanwhile.
    pub const PUBLISHED: Size = Size { slots: 1 << 13, inputs: 1 << 11, outputs: 1 << 8 };

    /// The largest capacities that the fields of a slot allow.
    pub const MOST: Size = Size { slots: 1 << 15, inputs: 1 << 15, outputs: 1 << 12 };
}

impl Code {
    /// Makes the code of a circuit for a machine with this number of pipelines.
    ///
    /// # Panics
    /// If `pipelines` is 0.
    pub fn of(circuit: &Circuit, pipelines: usize) -> Code {
        Code::new(Body::of(circuit, Netlist::of(circuit).without_rings()), pipelines)
    }

    /// Makes the code of a body.
    ///
    /// # Panics
    /// If `pipelines` is 0, or the body has a ring of flip-flops.
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

    /// Returns the same code with other values for the parameters that the paper leaves open.
    pub fn with(self, open: Open) -> Code {
        Code { open, ..self }
    }

    /// Words of the input memory.
    pub fn inputs(&self) -> u64 {
        self.body.requested.first + 2 * self.body.requested.each
    }

    /// Checks that the code fits a machine of this capacity.
    ///
    /// # Errors
    /// With the first limit that the code exceeds, and by how much.
    pub fn fits(&self, size: Size) -> Result<(), Exceeded> {
        Exceeded::check(Resource::Slots, self.slots.len() as u64, size.slots.into())?;
        Exceeded::check(Resource::InputWords, self.inputs(), size.inputs.into())?;
        Exceeded::check(Resource::OutputLabels, self.body.tags.len() as u64, size.outputs.into())
    }

    /// Encodes the netlist as words.
    ///
    /// # Errors
    /// As [`fits`](Code::fits).
    pub fn encode(&self, size: Size) -> Result<Vec<Bits>, Exceeded> {
        self.fits(size)?;
        Ok(self.slots.iter().map(encode).collect())
    }
}

impl Slot {
    /// Whether the slot is a flip-flop.
    pub fn is_flip_flop(&self) -> bool {
        self.kind == Kind::FlipFlop
    }

    /// Whether the slot has a table.
    pub fn is_and(&self) -> bool {
        matches!(self.kind, Kind::Gate { is_and: true, .. })
    }
}

/// Orders flip-flops such that each one reads its source flip-flop before that is overwritten.
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
