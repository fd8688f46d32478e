//! The input memory: assigns input labels to words, and schedules when each label is made.

use super::super::body::{Given, Maker, Requested, Resolved};
use super::super::netlist::OPERANDS;
use super::super::{Netlist, Schedule};
use super::{Expand, Initial};
use halfgate_circuit::Wire;
use std::collections::HashMap;

/// Clock cycles from the start until the first label begins to be made. As in [`Shape::input`], a
/// label begins in the clock cycle in which the gates of its word are taken.
///
/// [`Shape::input`]: super::super::Shape::input
pub const FIRST: u32 = 2;

/// Clock cycles from the start until the first gates can be taken: a word is fetched and decoded,
/// and its labels are read.
const FETCH: u32 = 3;

pub(super) struct Inputs {
    pub(super) initials: Vec<Initial>,
    /// For each label of a per-cycle input, the clock cycle in which it begins to be made, counted
    /// from the start of its netlist cycle.
    pub(super) expands: Vec<(u32, Expand)>,
    pub(super) words: u32,
    /// Number of clock cycles by which all gates run later than in the schedule.
    pub(super) shift: u32,
    pub(super) delay: u32,
    /// Clock cycles from beginning to make a label to the first clock cycle in which it can be
    /// read.
    latency: u32,
    /// The first word of each label, and its number of words.
    places: HashMap<Maker, (u32, u32)>,
    /// For each flip-flop that is read: the first of the words with the initial values of its
    /// chain.
    starts: HashMap<u32, u32>,
}

/// A word that is written once, and the clock cycle of its first read, counted from the start of
/// netlist cycle 0.
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

    /// Returns the first word, and the number of words, of a label that no gate makes.
    pub(super) fn place(&self, maker: Maker) -> (u32, u32) {
        self.places[&maker]
    }

    /// Returns the first of the words with the initial values that `read` gets, before it gets a
    /// label from its source.
    pub(super) fn initial(&self, read: &Resolved) -> u32 {
        read.through.first().map_or(0, |flip_flop| self.starts[flip_flop])
    }

    /// Assigns a word to each label that never changes, and to each initial value of a flip-flop.
    fn lasting<'a>(
        &mut self,
        netlist: &Netlist,
        interval: u32,
        all: impl Iterator<Item = (&'a Resolved, u32)>,
    ) -> Vec<Wanted> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut reads: Vec<(&Resolved, u32)> = all.collect();
        // The longest chains come first, because shorter chains are parts of longer ones.
        reads.sort_by_key(|(read, _)| std::cmp::Reverse(read.ago()));
        for (read, time) in reads {
            let time = u64::from(time);
            if let Some(flip_flop) = read.through.first() {
                if !self.starts.contains_key(flip_flop) {
                    // The words of a chain are consecutive.
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

    /// Schedules and places the labels of per-cycle inputs.
    fn each_cycle<'a>(
        &mut self,
        requested: &Requested,
        interval: u32,
        all: impl Iterator<Item = (&'a Resolved, u32)>,
    ) {
        // The clock cycles of the first and the last read of each label, counted from its netlist
        // cycle.
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
            // As for gates' labels, a word is overwritten at the earliest in the clock cycle after
            // its last read.
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

    /// Orders the labels that are made at the start, and computes the delay of the first word.
    fn order(&mut self, requested: &Requested, mut wanted: Vec<Wanted>) {
        wanted.sort_by_key(|wanted| (wanted.first, wanted.address));
        for (number, Wanted { address, given, first }) in (0..).zip(wanted) {
            let sequence = given.input.map(|wire| requested.places(wire)[0]);
            self.initials.push(Initial { address, sequence, invert: given.invert });
            let made = u64::from(FIRST + number + self.latency);
            let late = made.saturating_sub(first.saturating_add(self.shift.into()));
            self.delay = self.delay.max(late as u32);
        }
        // A single unit makes labels. It must have begun all labels of the start before it begins
        // those of netlist cycles.
        if let Some(first) = self.expands.iter().map(|(time, _)| *time).min() {
            let done = FIRST + self.initials.len() as u32;
            self.delay = self.delay.max(done.saturating_sub(first));
        }
    }
}
