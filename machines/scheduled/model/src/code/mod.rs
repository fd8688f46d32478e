//! What a scheduled machine runs: the words of its kernel, and what is in its input memory.
//!
//! This is the lowering: from a program's body and a [`Schedule`] to what each slot does in each word, where its
//! operands are found, and when which input label is made. Flip-flops are gone: an operand that is one names
//! the gate behind it, and for the first netlist cycles a word of the input memory.
//!
//! Times are counted from a netlist cycle's first clock; a gate that is *taken* in a clock has its operands then.

mod encode;
#[allow(dead_code, reason = "generated whole; of some structs nobody asks for the width")]
pub mod fields;
mod inputs;

pub use encode::{Bits, Encoded, Exceeded, Field, Resource, Size};
pub use fields::{INITIAL_BITS, PAPER_SLOT_BITS};
pub use inputs::FIRST;

use super::Netlist;
use super::body::{Body, Maker, Resolved};
use super::netlist::{Gate, OPERANDS};
use super::schedule::{Schedule, Shape};
use halfgate_circuit::Circuit;
use inputs::Inputs;

/// A body as a machine runs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// The machine.
    pub shape: Shape,
    /// The kernel: [`Schedule::interval`] words.
    pub words: Vec<Word>,
    /// What is written to the input memory before it is read, in this order.
    pub initials: Vec<Initial>,
    /// Words of the input memory.
    pub inputs: u32,
    /// Words of each bank.
    pub depths: Vec<u32>,
    /// Clocks from the start until word 0 of round 0 is taken.
    pub delay: u32,
    /// When the last gate of a netlist cycle is taken.
    pub last: u32,
    /// When the last label of a netlist cycle is made.
    pub end: u32,
    /// What is garbled: the program's body and perhaps some copies more.
    pub body: Body,
    /// The schedule.
    pub schedule: Schedule,
}

/// A word of the kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// One for each of [`Shape::all_slots`].
    pub slots: Vec<Option<Slot>>,
    /// The input label that is made.
    pub expand: Option<Expand>,
}

/// What a slot does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The gate of the netlist.
    pub gate: u32,
    /// Its place in the program's body, if it has a table.
    pub position: u32,
    /// Whether it has a table.
    pub is_and: bool,
    /// Rounds that its netlist cycle is behind.
    pub stage: u32,
    /// For an AND its place among those of the body.
    pub number: u32,
    /// Whether its operands and its output are inverted.
    pub inverts: [bool; 3],
    /// What the third operand is XORed to, as [of a gate](super::netlist::Gate::xors).
    pub xors: [bool; 3],
    /// Where its operands are; a copy has one, a fused AND three.
    pub operands: [Option<Operand>; OPERANDS],
    /// Where its label is written.
    pub places: Vec<super::schedule::Place>,
    /// Under which tag the host gets its label.
    pub keep: Option<u32>,
}

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// A bank; `None` for the input memory.
    pub bank: Option<u32>,
    /// The first of its words.
    pub address: u32,
    /// How many words, a power of two: the label of netlist cycle c is in the one at `address + c % copies`.
    pub copies: u32,
    /// Netlist cycles from the one that made it.
    pub ago: u32,
    /// Before netlist cycle `ago` it is in the input memory, that of c at `initial + c`.
    pub initial: u32,
}

/// A label that is written to the input memory at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Initial {
    /// The word.
    pub address: u32,
    /// The number of the input bit in the order in which they are asked for; `None` for the constant 0.
    pub sequence: Option<u32>,
    /// Whether it is the inverse's.
    pub invert: bool,
}

/// An input label that is made in each netlist cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expand {
    /// Rounds that its netlist cycle is behind.
    pub stage: u32,
    /// The first of its words.
    pub address: u32,
    /// How many.
    pub copies: u32,
    /// The number of the input bit among those of the first netlist cycle, and of every other.
    pub sequence: [u32; 2],
}

impl Code {
    /// The longest chain of flip-flops that is followed; a longer one gets a copy.
    pub const LONGEST: usize = 200;

    /// The code for `cycles` netlist cycles of a circuit.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn of(circuit: &Circuit, shape: Shape, cycles: u64) -> Result<Code, Exceeded> {
        let body = Body::of(circuit, Netlist::of(circuit).with_copies(Code::LONGEST));
        let schedule = Schedule::of(&body.netlist, shape, cycles)?;
        Ok(Code::new(body, schedule))
    }

    /// The code of a schedule.
    ///
    /// # Panics
    /// If the schedule is not one of the netlist, or takes more gates in a clock than there are slots.
    pub fn new(body: Body, schedule: Schedule) -> Code {
        let (netlist, requested) = (&body.netlist, &body.requested);
        let (shape, interval) = (schedule.shape, schedule.interval);
        let reads: Vec<[Option<Resolved>; OPERANDS]> = netlist
            .gates
            .iter()
            .map(|gate| gate.operands.map(|read| read.map(|read| Resolved::of(netlist, read))))
            .collect();
        let inputs = Inputs::of(requested, netlist, &schedule, &reads);
        let mut words = vec![Word::default(); interval as usize];
        for word in &mut words {
            word.slots = vec![None; shape.all_slots()];
        }
        let mut number = 0;
        for (gate, reads) in reads.iter().enumerate() {
            let time = schedule.times[gate] + inputs.shift;
            let word = &mut words[(time % interval) as usize];
            let is_and = netlist.gates[gate].is_and;
            let operand = |place: usize| {
                let read = reads[place].as_ref()?;
                let initial = inputs.initial(read);
                let (bank, address, copies) = match read.maker {
                    Maker::Gate(made) => {
                        let from = schedule.read_from[gate][place] as usize;
                        let place = schedule.places[made as usize][from];
                        (Some(place.bank), place.address, place.copies)
                    }
                    maker => {
                        let (address, copies) = inputs.place(maker);
                        (None, address, copies)
                    }
                };
                Some(Operand { bank, address, copies, ago: read.ago(), initial })
            };
            let slot = Slot {
                gate: gate as u32,
                position: netlist.gates[gate].position,
                is_and,
                stage: time / interval,
                number,
                inverts: inverts(&netlist.gates[gate], reads),
                xors: netlist.gates[gate].xors,
                operands: [operand(0), operand(1), operand(2)],
                places: schedule.places[gate].clone(),
                keep: body.tags.get(&(gate as u32)).copied(),
            };
            number += u32::from(is_and);
            let free = |slot: &usize| word.slots[*slot].is_none() && shape.takes(*slot, is_and);
            let at = (0..word.slots.len()).find(free).expect("no more gates than slots");
            word.slots[at] = Some(slot);
        }
        for (time, expand) in &inputs.expands {
            words[(time % interval) as usize].expand = Some(*expand);
        }
        let times = || schedule.times.iter().map(|time| time + inputs.shift);
        let ends =
            times().zip(&netlist.gates).map(|(time, gate)| time + shape.latency(gate.is_and));
        Code {
            shape,
            words,
            delay: inputs.delay,
            last: times().max().unwrap_or(0),
            end: ends.max().unwrap_or(0),
            inputs: inputs.words,
            initials: inputs.initials,
            depths: schedule.depths.clone(),
            body,
            schedule,
        }
    }

    /// Clocks from a netlist cycle to the next.
    pub fn interval(&self) -> u64 {
        self.words.len() as u64
    }

    /// Words of the kernel that `cycles` netlist cycles go through.
    pub fn taken_words(&self, cycles: u64) -> u64 {
        match self.rounds_before(cycles) {
            Some(before) => before * self.interval() + u64::from(self.last) + 1,
            None => 0,
        }
    }

    /// Clocks from the start until the last label is made, for `cycles` netlist cycles.
    pub fn clocks(&self, cycles: u64) -> u64 {
        match self.rounds_before(cycles) {
            Some(before) => {
                u64::from(self.delay) + before * self.interval() + u64::from(self.end) + 1
            }
            None => 0,
        }
    }

    /// Rounds before the last netlist cycle begins; `None` if there is nothing to do.
    fn rounds_before(&self, cycles: u64) -> Option<u64> {
        cycles.checked_sub(1).filter(|_| !self.body.netlist.gates.is_empty())
    }
}

/// Whether a gate's operands and its output are inverted, those that it reads included.
fn inverts(gate: &Gate, reads: &[Option<Resolved>; OPERANDS]) -> [bool; 3] {
    let mut inverts = gate.inverts;
    for (place, read) in reads.iter().enumerate() {
        let inverted = read.as_ref().is_some_and(|read| read.invert);
        if gate.is_and && place == 2 {
            for (invert, xor) in inverts.iter_mut().zip(gate.xors) {
                *invert ^= inverted && xor;
            }
        } else {
            inverts[if gate.is_and { place } else { 2 }] ^= inverted;
        }
    }
    inverts
}
