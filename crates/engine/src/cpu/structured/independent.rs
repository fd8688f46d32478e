//! Finds maps that follow each other and do not depend on each other, so that their blocks may run
//! side by side: none reads or overwrites a slot that another writes. So that few overwrite what
//! others read, slots that such maps are the last to read become free after the last of them.

use super::code::{ArgumentCode, CallCode, Driven, Rule, Step};
use super::lower::Lowerer;
use halfgate_circuit::Wire;
use halfgate_circuit::structured::{Call, Form, Function};
use std::iter::once;
use std::ops::Range;

/// Most maps that run together.
const MOST: usize = 64;

impl Lowerer<'_> {
    /// Ends the maps that may run together.
    pub(super) fn end_maps(&mut self) {
        self.maps = None;
        for (first, count) in self.read_last.drain(..) {
            self.slots.free_range(first, count);
        }
    }

    /// Counts a call that drives the wires from `first` on among the maps that may run together, or
    /// ends those before it.
    pub(super) fn join_maps(&mut self, call: &Call, first: Wire) {
        let is_map = matches!(call.form, Form::Map { .. });
        let reads = |wire: u32| call.intervals().iter().any(|&(_, high)| high >= wire);
        self.maps = match self.maps {
            Some((count, wire)) if is_map && count < MOST && !reads(wire) => {
                Some((count + 1, wire))
            }
            _ => {
                self.end_maps();
                is_map.then_some((1, first.number()))
            }
        };
    }

    /// Sets, at each of the maps that may run together, how many follow it.
    pub(super) fn note_independent(&mut self) {
        let (steps, functions) = (&mut self.steps, self.functions);
        let mut first = 0;
        while first < steps.len() {
            let count = together(&steps[first..], functions);
            for (after, step) in (0..count as u32).rev().zip(&mut steps[first..]) {
                if let Step::Call(call) = step {
                    call.together = after;
                }
            }
            first += count.max(1);
        }
    }
}

/// How many of the first steps may run together; 0 if the first is no map.
fn together(steps: &[Step], functions: &[Function]) -> usize {
    let (mut read, mut written) = (Slots::default(), Slots::default());
    let steps = &steps[..steps.len().min(MOST)];
    let depends = |step: &Step| {
        let Step::Call(call) = step else { return true };
        let Form::Map { .. } = call.form else { return true };
        let (reads, writes) = (Slots::read_by(call), Slots::written_by(call, functions));
        if written.meets(&reads) || written.meets(&writes) || read.meets(&writes) {
            return true;
        }
        read.add(reads);
        written.add(writes);
        false
    };
    steps.iter().position(depends).unwrap_or(steps.len())
}

/// Slots of a frame, as ranges in order that neither meet nor touch.
#[derive(Default)]
struct Slots(Vec<Range<u32>>);

impl Slots {
    /// The slots that the arguments of a call may read.
    fn read_by(call: &CallCode) -> Slots {
        let mut ranges = Vec::new();
        let mut each = |bits: &[u32]| ranges.extend(bits.iter().map(|b| (b >> 1)..(b >> 1) + 1));
        for argument in &call.arguments {
            match argument {
                ArgumentCode::Shared(bits) | ArgumentCode::Listed { bits, .. } => each(bits),
                ArgumentCode::Fetched { .. } | ArgumentCode::Sliced { .. } => {}
            }
        }
        let slices = call.arguments.iter().filter_map(|argument| match argument {
            ArgumentCode::Sliced { homes, .. } => Some(homes),
            _ => None,
        });
        for home in slices.flatten() {
            match &home.rule {
                Rule::Flat(base) => ranges.push(*base..base + home.count),
                Rule::Blocks(blocks) => {
                    ranges.push(blocks.base..blocks.base + blocks.lanes * blocks.width);
                }
                Rule::Listed(bits) => {
                    ranges.extend(bits.iter().map(|bit| (bit >> 1)..(bit >> 1) + 1));
                }
            }
        }
        Slots::of(ranges)
    }

    /// The slots that a map writes.
    fn written_by(call: &CallCode, functions: &[Function]) -> Slots {
        let outputs = functions[call.function.index()].outputs.len() as u64;
        match call.driven {
            Driven::Slots(base) => {
                let count = (outputs * call.form.runs()) as u32;
                Slots::of(once(base..base + count))
            }
            Driven::Output(_) => Slots::default(),
        }
    }

    fn of(ranges: impl IntoIterator<Item = Range<u32>>) -> Slots {
        let mut ranges: Vec<_> = ranges.into_iter().collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut slots: Vec<Range<u32>> = Vec::new();
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            match slots.last_mut().filter(|last| last.end >= range.start) {
                Some(last) => last.end = last.end.max(range.end),
                None => slots.push(range),
            }
        }
        Slots(slots)
    }

    fn add(&mut self, others: Slots) {
        let mut all = std::mem::take(&mut self.0);
        all.extend(others.0);
        *self = Slots::of(all);
    }

    /// Whether there is a slot in both.
    fn meets(&self, others: &Slots) -> bool {
        others.0.iter().any(|range| {
            let before = self.0.partition_point(|own| own.end <= range.start);
            self.0.get(before).is_some_and(|own| own.start < range.end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_and_meet_where_they_share_a_slot() {
        let slots = Slots::of(vec![7..9, 1..3, 3..4, 8..12, 20..20]);
        assert_eq!(slots.0, [1..4, 7..12]);
        for (range, meets) in
            [(0..1, false), (0..2, true), (4..7, false), (11..30, true), (12..13, false)]
        {
            assert_eq!(slots.meets(&Slots::of(once(range.clone()))), meets, "{range:?}");
        }
    }
}
