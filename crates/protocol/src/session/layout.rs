//! The places of output labels in windows, and of decoded bits in values.

use super::parts::Parts;
use super::{Event, Learn};
use halfgate_circuit::{Bit, Bits, Circuit, Output, Party};
use std::ops::Range;

/// Per-cycle output bits in a window: 64 KiB of decoding data.
const WINDOW_BITS: u64 = 2048;

/// ANDs in a window if there are few outputs: 8 MiB of tables.
const WINDOW_ANDS: u64 = 1 << 18;

/// The places of a circuit's output labels.
pub(crate) struct Layout<'c> {
    pub(super) outputs: &'c [Output],
    pub(super) learn: &'c [Learn],
    /// The first bit of each output, numbered across all outputs, and the end of the last one.
    starts: Vec<u32>,
    /// The places in a cycle: those of per-cycle outputs.
    pub(super) each: Places,
    /// The places after the last cycle: those of all other outputs.
    pub(super) once: Places,
    /// The number of cycles; or of parts, if the run has several.
    pub(super) cycles: u64,
    /// The number of cycles in a window.
    pub(super) step: u64,
    pub(super) parts: Option<&'c Parts>,
    /// For each output: whether parts give all of its bits, in their order.
    is_given: Vec<bool>,
}

impl<'c> Layout<'c> {
    /// The layout for `cycles` cycles of `circuit`, or for `parts` if the run has several. `learn`
    /// states who learns each output.
    pub fn new(
        circuit: &'c Circuit,
        learn: &'c [Learn],
        cycles: u64,
        parts: Option<&'c Parts>,
    ) -> Layout<'c> {
        let mut starts = vec![0];
        for output in &circuit.outputs {
            starts.push(starts[starts.len() - 1] + output.bits.len() as u32);
        }
        let mut layout = Layout {
            outputs: &circuit.outputs,
            learn,
            starts,
            each: Places::default(),
            once: Places::default(),
            cycles: parts.map_or(cycles, Parts::count),
            step: cycles,
            parts,
            is_given: Vec::new(),
        };
        layout.is_given = layout.given_in_order();
        layout.each = layout.places_of_ports(true);
        layout.once = layout.places_of_ports(false);
        if !layout.each.is_empty() {
            let bits = WINDOW_BITS.div_ceil(layout.each.len as u64);
            let ands = WINDOW_ANDS / circuit.gates.ands().max(1);
            layout.step = bits.min(ands).clamp(1, cycles.max(1));
        }
        layout
    }

    /// For each output: whether parts give all of its bits, in their order.
    fn given_in_order(&self) -> Vec<bool> {
        let mut next: Vec<u32> = self.starts[..self.outputs.len()].to_vec();
        for given in self.parts.into_iter().flat_map(Parts::all_given) {
            let mut from = given.start;
            while from < given.end {
                let port = self.port(from);
                let to = given.end.min(self.starts[port + 1]);
                // No bit has the number `u32::MAX`. It marks an output that is not given in order.
                next[port] = if next[port] == from { to } else { u32::MAX };
                from = to;
            }
        }
        next.iter().zip(&self.starts[1..]).map(|(next, end)| next == end).collect()
    }

    /// The places of all per-cycle outputs, or of all others. Constants have no places, and neither
    /// do bits that parts give.
    fn places_of_ports(&self, per_cycle: bool) -> Places {
        let mut given: Vec<Range<u32>> = self.parts.map_or(&[][..], Parts::all_given).to_vec();
        given.sort_unstable_by_key(|bits| bits.start);
        let mut places = Places::default();
        for (port, output) in self.outputs.iter().enumerate() {
            if output.per_cycle != per_cycle {
                continue;
            }
            let mut bit = self.starts[port];
            for (first, count) in output.bits.runs() {
                let end = bit + count;
                if first.as_constant().is_none() {
                    let from = given.partition_point(|given| given.end <= bit);
                    for given in given[from..].iter().take_while(|given| given.start < end) {
                        self.add(&mut places, bit..given.start.max(bit));
                        bit = given.end.min(end);
                    }
                    self.add(&mut places, bit..end);
                }
                bit = end;
            }
        }
        places
    }

    /// The places of the window that begins with part `first`, and the number of its parts. The
    /// window ends with the first part that gives outputs which a party learns, or with the last
    /// part.
    pub(super) fn places_of_parts(&self, parts: &Parts, first: u64) -> (Places, u64) {
        let mut places = Places::default();
        let mut part = first;
        loop {
            parts.given(part).iter().for_each(|bits| self.add(&mut places, bits.clone()));
            part += 1;
            let is_last = part == self.cycles;
            if is_last {
                let once = self.once.ranges.iter();
                once.for_each(|range| places.add(range.bits.clone(), range.learn));
            }
            if is_last || !places.is_empty() {
                places.sort();
                return (places, part - first);
            }
        }
    }

    /// Adds places for those of `bits` that a party learns.
    fn add(&self, places: &mut Places, bits: Range<u32>) {
        let mut from = bits.start;
        while from < bits.end {
            let port = self.port(from);
            let end = bits.end.min(self.starts[port + 1]);
            places.add(from..end, self.learn[port]);
            from = end;
        }
    }

    /// The output of a bit.
    pub(super) fn port(&self, bit: u32) -> usize {
        self.starts.partition_point(|&start| start <= bit) - 1
    }

    /// Whether a window of `cycles` cycles from `first` on is the last.
    pub(super) fn is_last(&self, (first, cycles): (u64, u64)) -> bool {
        first + cycles == self.cycles
    }

    /// Adds to `values` what `party` learns in the window of `cycles` cycles, or parts, from
    /// `first` on. `values` is empty before the first window, and then has an entry for each
    /// output. `bits` are the bits that the party learns in the window, in order. With `stream`,
    /// the values of some outputs become events instead: those of per-cycle outputs, and of outputs
    /// that parts give in order.
    pub fn add_values(
        &self,
        (party, stream): (Party, bool),
        (first, cycles): (u64, u64),
        bits: &Bits,
        values: &mut Vec<Option<Bits>>,
        events: &mut dyn FnMut(Event),
    ) {
        if let Some(parts) = self.parts {
            let places = self.places_of_parts(parts, first).0;
            self.add_parts((party, stream), &places, bits, values, events);
        } else if stream && self.has_each(party) {
            let mut new = Vec::new();
            self.add_cycles(party, (first, cycles), bits, &mut new);
            let each = |(port, value): (usize, &mut Option<Bits>)| {
                let value = value.as_mut().filter(|_| self.is_per_cycle(port));
                value.map(std::mem::take)
            };
            let streamed = new.iter_mut().enumerate().map(each).collect();
            events(Event::Outputs { first_cycle: first, cycles, values: streamed });
            append(values, new);
        } else {
            self.add_cycles(party, (first, cycles), bits, values);
        }
    }

    fn add_cycles(
        &self,
        party: Party,
        (first, cycles): (u64, u64),
        bits: &Bits,
        values: &mut Vec<Option<Bits>>,
    ) {
        if values.is_empty() {
            values.extend(self.learn.iter().map(|learn| learn.by(party).then(Bits::new)));
        }
        let mut next = 0..bits.len();
        let mut value = |bit: Bit| match bit.as_constant() {
            Some(constant) => constant,
            None => next.next().is_some_and(|index| bits.get(index)),
        };
        let ports = |per_cycle| {
            let all = self.outputs.iter().enumerate();
            all.filter(move |(_, output)| output.per_cycle == per_cycle)
        };
        let mut put = |(port, output): (usize, &Output)| {
            if let Some(values) = &mut values[port] {
                output.bits.iter().for_each(|bit| values.push(value(bit)));
            }
        };
        if self.has_each(party) {
            (0..cycles).for_each(|_| ports(true).for_each(&mut put));
        }
        if self.is_last((first, cycles)) {
            ports(false).for_each(put);
        }
    }

    fn add_parts(
        &self,
        (party, stream): (Party, bool),
        places: &Places,
        bits: &Bits,
        values: &mut Vec<Option<Bits>>,
        events: &mut dyn FnMut(Event),
    ) {
        if values.is_empty() {
            let all = self.outputs.iter().zip(self.learn).zip(&self.is_given);
            values.extend(all.map(|((output, learn), given)| match stream && *given {
                true => learn.by(party).then(Bits::new),
                false => learn.by(party).then(|| constants(output)),
            }));
        }
        let mut next = 0..bits.len();
        for range in places.ranges.iter().filter(|range| range.learn.by(party)) {
            let port = self.port(range.bits.start);
            let first = (range.bits.start - self.starts[port]) as usize;
            let new = next.by_ref().take(range.bits.len()).map(|index| bits.get(index));
            if stream && self.is_given[port] {
                events(Event::OutputBits { output: port, first, bits: new.collect() });
            } else if let Some(value) = &mut values[port] {
                (first..).zip(new).for_each(|(bit, is_set)| value.set(bit, is_set));
            }
        }
    }

    /// Whether output number `port` is a per-cycle output.
    fn is_per_cycle(&self, port: usize) -> bool {
        self.outputs.get(port).is_some_and(|output| output.per_cycle)
    }

    /// Whether `party` learns a per-cycle output.
    fn has_each(&self, party: Party) -> bool {
        let mut all = self.outputs.iter().zip(self.learn);
        all.any(|(output, learn)| output.per_cycle && learn.by(party))
    }
}

/// Appends new values to those of each output.
fn append(values: &mut Vec<Option<Bits>>, new: Vec<Option<Bits>>) {
    if values.is_empty() {
        *values = new;
        return;
    }
    for (all, new) in values.iter_mut().zip(new) {
        if let (Some(all), Some(new)) = (all, new) {
            all.append(&new);
        }
    }
}

/// An output's constants, and 0 for its other bits.
fn constants(output: &Output) -> Bits {
    let mut bits = Bits::with_len(output.bits.len());
    let mut bit = 0;
    for (first, count) in output.bits.runs() {
        if first.as_constant() == Some(true) {
            (bit..bit + count as usize).for_each(|bit| bits.set(bit, true));
        }
        bit += count as usize;
    }
    bits
}

/// The places of output bits that a party learns. Bits that follow each other have places that
/// follow each other.
#[derive(Default)]
pub(super) struct Places {
    /// In ascending order.
    ranges: Vec<PlaceRange>,
    /// Number of bits.
    pub len: usize,
}

struct PlaceRange {
    /// The bits, numbered across all outputs.
    bits: Range<u32>,
    /// The place of the first bit.
    first: usize,
    learn: Learn,
}

impl Places {
    /// Adds bits of one output.
    fn add(&mut self, bits: Range<u32>, learn: Learn) {
        if learn != Learn::None && !bits.is_empty() {
            self.len += bits.len();
            self.ranges.push(PlaceRange { first: self.len - bits.len(), bits, learn });
        }
    }

    /// Gives the bits their places in ascending order.
    fn sort(&mut self) {
        self.ranges.sort_unstable_by_key(|range| range.bits.start);
        let mut first = 0;
        for range in &mut self.ranges {
            range.first = first;
            first += range.bits.len();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The place of a bit, if it has one.
    pub fn of(&self, bit: u32) -> Option<usize> {
        let index = self.ranges.partition_point(|range| range.bits.end <= bit);
        let range = self.ranges.get(index).filter(|range| range.bits.start <= bit)?;
        Some(range.first + (bit - range.bits.start) as usize)
    }

    /// Who learns each bit.
    pub fn learners(&self) -> impl Iterator<Item = Learn> {
        self.ranges.iter().flat_map(|range| std::iter::repeat_n(range.learn, range.bits.len()))
    }
}
