//! What a scheduled machine runs: the words of its kernel, and what is in its input memory.
//!
//! This is the lowering: from a program's body and a [`Schedule`] to what each slot does in each word, where its
//! operands are found, and when which input label is made. Flip-flops are gone: an operand that is one names
//! the gate behind it, and for the first netlist cycles a word of the input memory.
//!
//! Times are counted from a netlist cycle's first clock; a gate that is *taken* in a clock has its operands then.

mod asked;
mod encode;
#[allow(dead_code, reason = "generated whole; of some structs nobody asks for the width")]
mod fields;
mod inputs;
mod resolve;

pub use asked::Asked;
pub use encode::{Bits, Encoded, Size, TooLarge};
pub use fields::INITIAL_BITS;
pub use inputs::{EXPAND, FIRST};
pub use resolve::{Given, Maker, Resolved};

use super::netlist::{Netlist, Operand as Reads};
use super::schedule::{Schedule, ScheduleError, Shape};
use halfgate_circuit::Circuit;
use inputs::Inputs;
use std::collections::HashMap;

/// The longest chain of flip-flops that is followed; a longer one gets a copy.
const LONGEST: usize = 200;

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
    /// ANDs of a netlist cycle.
    pub ands: u64,
    /// Which input bits are asked for.
    pub asked: Asked,
    /// The tags of gates whose labels the host gets.
    pub tags: HashMap<u32, u32>,
    /// What the circuit's output bits are, one for each, and whether inverted; `None` for a constant.
    pub outputs: Vec<Option<(Resolved, bool)>>,
    /// The netlist: the program's body and perhaps some copies more.
    pub netlist: Netlist,
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
    /// Whether it has a table.
    pub is_and: bool,
    /// Rounds that its netlist cycle is behind.
    pub stage: u32,
    /// For an AND its place among those of the body.
    pub number: u32,
    /// Whether its operands and its output are inverted.
    pub inverts: [bool; 3],
    /// Where its operands are; a copy has one.
    pub operands: [Option<Operand>; 2],
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
    /// The code for `cycles` netlist cycles of a circuit.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn of(circuit: &Circuit, shape: Shape, cycles: u64) -> Result<Code, ScheduleError> {
        let netlist = Netlist::of(circuit).with_copies(LONGEST);
        let schedule = Schedule::of(&netlist, shape, cycles)?;
        Ok(Code::new(circuit, netlist, schedule))
    }

    /// The code of a schedule.
    ///
    /// # Panics
    /// If the schedule is not one of the netlist, or takes more gates in a clock than there are slots.
    pub fn new(circuit: &Circuit, netlist: Netlist, schedule: Schedule) -> Code {
        let asked = Asked::of(circuit, &netlist.per_cycle);
        let (shape, interval) = (schedule.shape, schedule.interval);
        let reads: Vec<[Option<Resolved>; 2]> = netlist
            .gates
            .iter()
            .map(|gate| gate.operands.map(|read| read.map(|read| Resolved::of(&netlist, read))))
            .collect();
        let inputs = Inputs::of(&asked, &netlist, &schedule, &reads);
        let outputs: Vec<_> = outputs(circuit, &netlist).collect();
        let mut tags = HashMap::new();
        for (output, _) in outputs.iter().flatten() {
            if let Maker::Gate(gate) = output.maker {
                let next = tags.len() as u32;
                tags.entry(gate).or_insert(next);
            }
        }
        let mut words = vec![Word::default(); interval as usize];
        for word in &mut words {
            word.slots = vec![None; shape.all_slots()];
        }
        let mut number = 0;
        for (gate, reads) in reads.iter().enumerate() {
            let time = schedule.times[gate] + inputs.shift;
            let word = &mut words[(time % interval) as usize];
            let is_and = netlist.gates[gate].is_and;
            let mut inverts = netlist.gates[gate].inverts;
            for (place, read) in reads.iter().enumerate() {
                let inverted = read.as_ref().is_some_and(|read| read.invert);
                inverts[if is_and { place } else { 2 }] ^= inverted;
            }
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
                is_and,
                stage: time / interval,
                number,
                inverts,
                operands: [operand(0), operand(1)],
                places: schedule.places[gate].clone(),
                keep: tags.get(&(gate as u32)).copied(),
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
            ands: number.into(),
            asked,
            tags,
            outputs,
            inputs: inputs.words,
            initials: inputs.initials,
            depths: schedule.depths.clone(),
            netlist,
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
        cycles.checked_sub(1).filter(|_| !self.netlist.gates.is_empty())
    }
}

/// What the output bits of a circuit are.
fn outputs<'a>(
    circuit: &'a Circuit,
    netlist: &'a Netlist,
) -> impl Iterator<Item = Option<(Resolved, bool)>> + 'a {
    let (inputs, first_gate) = (circuit.input_bits(), circuit.first_gate_wire());
    let bits = circuit.outputs.iter().flat_map(|output| &output.bits);
    bits.map(move |bit| {
        let wire = bit.wire()?;
        let operand = match wire.index() {
            index if index < inputs => Reads::Input(wire),
            index if index < first_gate => Reads::FlipFlop((index - inputs) as u32),
            index => Reads::Gate((index - first_gate) as u32),
        };
        Some((Resolved::of(netlist, operand), bit.is_inverted()))
    })
}
