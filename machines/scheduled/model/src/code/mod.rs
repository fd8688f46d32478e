//! The code of a scheduled machine: the words of its kernel, and the contents of its input memory.
//!
//! This is the lowering: it takes a program's body and a [`Schedule`]. It determines what each
//! issue slot does in each word, where its operands are, and when each input label is made. Code
//! has no flip-flops. An operand that reads a flip-flop names the gate whose label the flip-flop
//! holds and, for the first netlist cycles, a word of the input memory with the initial value.
//!
//! Times count from the first clock cycle of a netlist cycle. A gate is *taken* in the clock cycle
//! in which its operands have been read and its execution starts.

mod encode;
#[allow(dead_code, reason = "generated as a whole; some widths are unused")]
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

/// A body in the form that a machine runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// The machine's shape.
    pub shape: Shape,
    /// The kernel: [`Schedule::interval`] words.
    pub words: Vec<Word>,
    /// Labels that are written to the input memory once, at the start, in this order.
    pub initials: Vec<Initial>,
    /// Words used in the input memory.
    pub inputs: u32,
    /// Words used in each bank.
    pub depths: Vec<u32>,
    /// Clock cycles from the start until the gates of word 0 of round 0 are taken.
    pub delay: u32,
    /// Time at which the last gate of a netlist cycle is taken.
    pub last: u32,
    /// Time at which the last label of a netlist cycle is made.
    pub end: u32,
    /// The garbled body: the program's, perhaps with additional copies.
    pub body: Body,
    /// The schedule.
    pub schedule: Schedule,
}

/// A word of the kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// The work of each of the [`Shape::all_slots`] issue slots.
    pub slots: Vec<Option<Slot>>,
    /// The input label to make.
    pub expand: Option<Expand>,
}

/// The work of an issue slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The gate's number in the netlist.
    pub gate: u32,
    /// If the gate is an AND, its index in the program's body.
    pub position: u32,
    /// Whether the gate is an AND, which has a table.
    pub is_and: bool,
    /// Number of rounds since its netlist cycle started.
    pub stage: u32,
    /// An AND's index among the ANDs of the body.
    pub number: u32,
    /// Whether the two operands and the output are inverted.
    pub inverts: [bool; 3],
    /// Whether the third operand is XORed to the first operand, the second, the output. As in
    /// [`Gate::xors`](super::netlist::Gate::xors).
    pub xors: [bool; 3],
    /// The operands; a copy has one, a fused AND three.
    pub operands: [Option<Operand>; OPERANDS],
    /// The places to which the gate's label is written.
    pub places: Vec<super::schedule::Place>,
    /// The tag under which the host gets the label.
    pub keep: Option<u32>,
}

/// The place of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The bank; `None` for the input memory.
    pub bank: Option<u32>,
    /// The first of the words for this label.
    pub address: u32,
    /// Number of words, a power of two. The label that was made in netlist cycle c is at `address +
    /// c % copies`.
    pub copies: u32,
    /// Netlist cycles since the operand's label was made.
    pub ago: u32,
    /// In a netlist cycle c before `ago` the operand is at `initial + c` of the input memory.
    pub initial: u32,
}

/// A label that is written to the input memory at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Initial {
    /// The word.
    pub address: u32,
    /// The input bit's sequence number in the order of requests; `None` for the constant 0.
    pub sequence: Option<u32>,
    /// Whether the label is inverted.
    pub invert: bool,
}

/// An input label that is made in each netlist cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expand {
    /// Number of rounds since its netlist cycle started.
    pub stage: u32,
    /// The first of the words for this label.
    pub address: u32,
    /// Number of words.
    pub copies: u32,
    /// The bit's index among the requests of the first netlist cycle, and among those of every
    /// later one.
    pub sequence: [u32; 2],
}

impl Code {
    /// The longest chain of flip-flops that an operand is followed through. Longer chains get
    /// copies of the label on the way.
    pub const LONGEST: usize = 200;

    /// Makes the code for `cycles` netlist cycles of a circuit.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn of(circuit: &Circuit, shape: Shape, cycles: u64) -> Result<Code, Exceeded> {
        let body = Body::of(circuit, Netlist::of(circuit).with_copies(Code::LONGEST));
        let schedule = Schedule::of(&body.netlist, shape, cycles)?;
        Ok(Code::new(body, schedule))
    }

    /// Makes the code of a schedule.
    ///
    /// # Panics
    /// If the schedule is not one of the body's netlist, or takes more gates in a clock cycle than
    /// the machine has issue slots.
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

    /// Clock cycles from a netlist cycle to the next.
    pub fn interval(&self) -> u64 {
        self.words.len() as u64
    }

    /// Number of kernel words that are taken in `cycles` netlist cycles, counting repetitions.
    pub fn taken_words(&self, cycles: u64) -> u64 {
        match self.rounds_before(cycles) {
            Some(before) => before * self.interval() + u64::from(self.last) + 1,
            None => 0,
        }
    }

    /// Clock cycles from the start until the last label is made, for `cycles` netlist cycles.
    pub fn clocks(&self, cycles: u64) -> u64 {
        match self.rounds_before(cycles) {
            Some(before) => {
                u64::from(self.delay) + before * self.interval() + u64::from(self.end) + 1
            }
            None => 0,
        }
    }

    /// Number of rounds before the last netlist cycle starts. `None` for a run without gates or
    /// netlist cycles.
    fn rounds_before(&self, cycles: u64) -> Option<u64> {
        cycles.checked_sub(1).filter(|_| !self.body.netlist.gates.is_empty())
    }
}

/// Whether a gate's operands and its output are inverted. Inversions by the flip-flops that it
/// reads are included.
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
