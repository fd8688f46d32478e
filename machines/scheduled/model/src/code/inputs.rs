//! The input memory: which label is in which word, and when it is made.

use super::super::body::{Given, Maker, Requested, Resolved};
use super::super::netlist::OPERANDS;
use super::super::{Netlist, Schedule};
use super::{Expand, Initial};
use halfgate_circuit::Wire;
use std::collections::HashMap;

/// Clocks from the start until the first label begins to be made, as far as [`Shape::input`] counts them: from the
/// clock in which the gates are taken of the word that says so.
///
/// [`Shape::input`]: super::super::Shape::input
pub const FIRST: u32 = 2;

/// Clocks from the start until the first gates can be taken: a word is fetched, decoded, and its labels are read.
const FETCH: u32 = 3;

pub(super) struct Inputs {
    pub(super) initials: Vec<Initial>,
    /// When each is made, from the first clock of a netlist cycle.
    pub(super) expands: Vec<(u32, Expand)>,
    pub(super) words: u32,
    /// Clocks by which all gates are later than in the schedule.
    pub(super) shift: u32,
    pub(super) delay: u32,
    /// Clocks from the one in which a label begins to be made to the first in which it can be read.
    latency: u32,
    /// Where labels are, and in how many words.
    places: HashMap<Maker, (u32, u32)>,
    /// Where the words begin that have what flip-flops start from.
    starts: HashMap<u32, u32>,
}

/// A word and when it is first read, if netlist cycle 0 begins in clock 0.
struct Wanted {
    address: u32,
    given: Given,
    first: u64,
}

impl Inputs {
    pub(super) fn of(
        requested: &Requested,
        netlist: &Netlist,
        schedule: &Schedule,
        reads: &[[Option<Resolved>; OPERANDS]],
    ) -> Inputs {
        let mut inputs = Inputs {
            initials: Vec::new(),
            expands: Vec::new(),
            words: 0,
            shift: 0,
            delay: FETCH,
            latency: schedule.shape.input,
            places: HashMap::new(),
            starts: HashMap::new(),
        };
        let interval = schedule.interval;
        let all = || {
            let each = reads.iter().zip(&schedule.times);
            each.flat_map(|(reads, &time)| reads.iter().flatten().map(move |read| (read, time)))
        };
        let wanted = inputs.lasting(netlist, interval, all());
        inputs.each_cycle(requested, interval, all());
        inputs.order(requested, wanted);
        inputs
    }

    /// Where a label is that no gate makes.
    pub(super) fn place(&self, maker: Maker) -> (u32, u32) {
        self.places[&maker]
    }

    /// Where the words begin that are read before the first label is made.
    pub(super) fn initial(&self, read: &Resolved) -> u32 {
        read.through.first().map_or(0, |flip_flop| self.starts[flip_flop])
    }

    /// Labels that stay, and those that flip-flops start from, with a word for each.
    fn lasting<'a>(
        &mut self,
        netlist: &Netlist,
        interval: u32,
        all: impl Iterator<Item = (&'a Resolved, u32)>,
    ) -> Vec<Wanted> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut reads: Vec<(&Resolved, u32)> = all.collect();
        // The longest ways first, as others are parts of them.
        reads.sort_by_key(|(read, _)| std::cmp::Reverse(read.ago()));
        for (read, time) in reads {
            let time = u64::from(time);
            if let Some(flip_flop) = read.through.first() {
                if !self.starts.contains_key(flip_flop) {
                    // A way's words follow one another.
                    for (place, &passed) in read.through.iter().enumerate() {
                        let address = wanted.len() as u32;
                        self.starts.entry(passed).or_insert(address);
                        let given = read.start(netlist, place);
                        wanted.push(Wanted { address, given, first: u64::MAX });
                    }
                }
                let start = self.starts[flip_flop] as usize;
                for (cycle, wanted) in (0..).zip(&mut wanted[start..start + read.through.len()]) {
                    wanted.first = wanted.first.min(time + cycle * u64::from(interval));
                }
            }
            if let Maker::Given(given) = read.maker {
                let next = wanted.len() as u32;
                let (address, _) = *self.places.entry(read.maker).or_insert((next, 1));
                if address == next {
                    wanted.push(Wanted { address, given, first: u64::MAX });
                }
                let first = time + u64::from(read.ago()) * u64::from(interval);
                let wanted = &mut wanted[address as usize];
                wanted.first = wanted.first.min(first);
            }
        }
        self.words = wanted.len() as u32;
        wanted
    }

    /// When the labels of per-cycle inputs are made, and where they lie.
    fn each_cycle<'a>(
        &mut self,
        requested: &Requested,
        interval: u32,
        all: impl Iterator<Item = (&'a Resolved, u32)>,
    ) {
        // When each is first and last read.
        let mut spans: HashMap<Wire, (i64, i64)> = HashMap::new();
        for (read, time) in all {
            let Maker::Input(wire) = read.maker else { continue };
            let time = i64::from(time) + i64::from(read.ago()) * i64::from(interval);
            let span = spans.entry(wire).or_insert((time, time));
            *span = (span.0.min(time), span.1.max(time));
        }
        let mut spans: Vec<(Wire, (i64, i64))> = spans.into_iter().collect();
        spans.sort_by_key(|&(wire, (first, _))| (first, wire));
        let interval = i64::from(interval);
        let mut taken = vec![false; interval as usize];
        let mut times = Vec::with_capacity(spans.len());
        for (_, (first, _)) in &spans {
            let latest = first - i64::from(self.latency);
            let mut before = (0..interval).map(|earlier| latest - earlier);
            let free = before.find(|time| !taken[time.rem_euclid(interval) as usize]);
            let time = free.expect("an interval has a clock for each input bit");
            taken[time.rem_euclid(interval) as usize] = true;
            times.push(time);
        }
        let earliest = times.iter().copied().min().unwrap_or(0);
        self.shift = (-earliest).max(0) as u32;
        for ((wire, (_, last)), time) in spans.into_iter().zip(times) {
            // As for a gate's label: not written again before the clock after the last read.
            let intervals = (last - time - i64::from(self.latency)) / interval + 1;
            let copies = (intervals as u32).next_power_of_two();
            let address = self.words;
            self.words += copies;
            self.places.insert(Maker::Input(wire), (address, copies));
            let time = (time + i64::from(self.shift)) as u32;
            let stage = time / interval as u32;
            let sequence = requested.places(wire);
            self.expands.push((time, Expand { stage, address, copies, sequence }));
        }
    }

    /// In which order the lasting labels are made, and how long gates have to wait for labels.
    fn order(&mut self, requested: &Requested, mut wanted: Vec<Wanted>) {
        wanted.sort_by_key(|wanted| (wanted.first, wanted.address));
        for (number, Wanted { address, given, first }) in (0..).zip(wanted) {
            let sequence = given.input.map(|wire| requested.places(wire)[0]);
            self.initials.push(Initial { address, sequence, invert: given.invert });
            let made = u64::from(FIRST + number + self.latency);
            let late = made.saturating_sub(first.saturating_add(self.shift.into()));
            self.delay = self.delay.max(late as u32);
        }
        // There is one maker of labels. It is done with these before it begins with those of each cycle.
        if let Some(first) = self.expands.iter().map(|(time, _)| *time).min() {
            let done = FIRST + self.initials.len() as u32;
            self.delay = self.delay.max(done.saturating_sub(first));
        }
    }
}
