//! The label generator. It makes two labels per pipeline and clock (section 5.2), and works one
//! netlist cycle ahead.

use super::super::body::Requested;
use super::super::model::Labels;
use super::GENERATE;
use std::collections::VecDeque;

/// The generator, the labels under way to the input memory, and that memory.
pub(super) struct Generator<L> {
    /// Labels per clock.
    width: u64,
    cycles: u64,
    first: u64,
    each: u64,
    /// The netlist cycle whose labels are being started, and how many were started.
    round: u64,
    place: u64,
    /// The sequence number of the next label in the run.
    number: u64,
    coming: VecDeque<Group<L>>,
    words: Vec<Option<L>>,
    /// The netlist cycle of the last finished label, and how many of its labels are finished.
    made_round: u64,
    made: u64,
}

/// Labels that are made in the same clock.
struct Group<L> {
    due: u64,
    round: u64,
    place: u64,
    labels: Vec<L>,
}

impl<L: Clone> Generator<L> {
    pub fn new(requested: &Requested, pipelines: usize, cycles: u64) -> Generator<L> {
        Generator {
            width: 2 * pipelines as u64,
            cycles,
            first: requested.first,
            each: requested.each,
            round: 0,
            place: 0,
            number: 0,
            coming: VecDeque::with_capacity(GENERATE as usize + 1),
            words: vec![None; (requested.first + 2 * requested.each) as usize],
            made_round: 0,
            made: 0,
        }
    }

    /// Runs one clock while netlist cycle `cycle` is garbled. `passed` is true once all flip-flops
    /// of that cycle were taken. Returns the number of labels that are started.
    pub fn clock<G: Labels<Label = L>>(
        &mut self,
        clock: u64,
        cycle: u64,
        passed: bool,
        labels: &mut G,
    ) -> u64 {
        let began = (self.total(self.round) - self.place).min(self.width);
        if began > 0 {
            let made = (0..began).map(|next| labels.input(self.number + next));
            let labels = made.collect();
            let (round, place) = (self.round, self.place);
            self.coming.push_back(Group { due: clock + GENERATE, round, place, labels });
            self.place += began;
            self.number += began;
        } else if passed && self.round == cycle && self.round + 1 < self.cycles {
            self.round += 1;
            self.place = 0;
        }
        if self.coming.front().is_some_and(|group| group.due == clock) {
            let group = self.coming.pop_front().expect("it is there");
            let from = self.word(group.round, group.place) as usize;
            self.made_round = group.round;
            self.made = group.place + group.labels.len() as u64;
            for (word, label) in self.words[from..].iter_mut().zip(group.labels) {
                *word = Some(label);
            }
        }
        began
    }

    /// Whether the label of an input bit is finished, for a read in netlist cycle `cycle`. The
    /// indices are those of [`Source::Input`](super::code::Source::Input).
    pub fn is_made(&self, [first, again]: [u32; 2], per_cycle: bool, cycle: u64) -> bool {
        let place = if cycle == 0 { first } else { again };
        let lasting = cycle > 0 && !per_cycle;
        let here = self.made_round == cycle && u64::from(place) < self.made;
        lasting || self.made_round > cycle || here
    }

    /// Whether all labels of a netlist cycle are finished.
    pub fn is_complete(&self, cycle: u64) -> bool {
        let total = self.total(cycle);
        let here = self.made_round == cycle && self.made == total;
        total == 0 || self.made_round > cycle || here
    }

    /// Returns the label of an input bit in a netlist cycle.
    pub fn read(&self, [first, again]: [u32; 2], per_cycle: bool, cycle: u64) -> Option<L> {
        let word = match per_cycle && cycle > 0 {
            true => self.word(cycle, again.into()),
            false => first.into(),
        };
        self.words[word as usize].clone()
    }

    fn total(&self, round: u64) -> u64 {
        if round == 0 { self.first } else { self.each }
    }

    /// The word of the input memory. Netlist cycles after the first use two areas alternately.
    fn word(&self, round: u64, place: u64) -> u64 {
        match round {
            0 => place,
            _ if round % 2 == 1 => self.first + place,
            _ => self.first + self.each + place,
        }
    }
}
