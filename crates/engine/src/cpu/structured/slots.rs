//! Assigns slots of a frame, and groups operations into segments.
//!
//! An operation joins the current segment unless it reads what an AND of the segment writes. A slot
//! that an AND of the segment reads or writes becomes free when the segment ends. See
//! [`Segment`] for the order of operations in one.

use super::code::Chunk;
use halfgate_kernels::ops::{And, Move, Segment, WINDOW, Xor};
use std::collections::HashMap;

/// ANDs of a segment, which bounds the tables of a piece of wide code.
pub(super) const SEGMENT_ANDS: u32 = 16;
/// Most slots of a frame: slots and an inversion have 32 bits.
pub(super) const MAX_SLOTS: u64 = 1 << 31;

/// The slots of a frame, and the operations of the chunk that is being made.
#[derive(Default)]
pub(super) struct Slots {
    free: Vec<u32>,
    /// Slots that will be free when the segment ends.
    pending: Vec<u32>,
    /// Free consecutive slots: the first, and how many.
    free_ranges: Vec<(u32, u32)>,
    end: u64,
    /// Number of the segment in which an AND last read or wrote each slot.
    read_by_and: Vec<u32>,
    written_by_and: Vec<u32>,
    now: u32,
    segment: Segment,
    segments: Vec<Segment>,
    moves: Vec<Move>,
    xors: Vec<[u32; 3]>,
    ands: Vec<([u32; 3], u16)>,
    positions: Vec<u32>,
    most: u32,
}

impl Slots {
    /// A frame whose first `ports` slots are taken.
    pub fn new(ports: u32) -> Slots {
        Slots { end: u64::from(ports), now: 1, ..Slots::default() }
    }

    /// Slots used so far; more than [`MAX_SLOTS`] are too many.
    pub fn count(&self) -> u64 {
        self.end
    }

    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            // Too many slots are an error in the end.
            (self.end - 1) as u32
        })
    }

    /// Takes `count` consecutive slots, of the shortest free range that has as many.
    pub fn take_range(&mut self, count: u32) -> u32 {
        let ranges = self.free_ranges.iter().enumerate().filter(|(_, (_, free))| *free >= count);
        let fits = ranges.min_by_key(|(_, (_, free))| *free).map(|(index, _)| index);
        let Some(index) = fits else {
            self.end += u64::from(count);
            return (self.end - u64::from(count)) as u32;
        };
        let (first, free) = self.free_ranges[index];
        match free == count {
            true => drop(self.free_ranges.swap_remove(index)),
            false => self.free_ranges[index] = (first + count, free - count),
        }
        first
    }

    /// Frees consecutive slots. No operation of the chunk may use them.
    pub fn free_range(&mut self, first: u32, count: u32) {
        let (mut start, mut end) = (first, first + count);
        // Free ranges on both sides become one with it.
        self.free_ranges.retain(|&(before, free)| match (before + free == first, before == end) {
            (true, _) => {
                start = before;
                false
            }
            (_, true) => {
                end += free;
                false
            }
            _ => true,
        });
        self.free_ranges.push((start, end - start));
    }

    /// Frees a slot that no later operation reads. If an AND of the segment reads or writes it, it
    /// becomes free when the segment ends.
    pub fn free(&mut self, slot: u32) {
        let by_and = |list: &[u32]| list.get(slot as usize) == Some(&self.now);
        match by_and(&self.read_by_and) || by_and(&self.written_by_and) {
            true => self.pending.push(slot),
            false => self.free.push(slot),
        }
    }

    /// Ends the segment before an operation that reads `slots`, if an AND of the segment writes one
    /// of them.
    pub fn before_reading(&mut self, slots: [u32; 2]) {
        let written = |slot: u32| self.written_by_and.get(slot as usize) == Some(&self.now);
        if slots.into_iter().any(written) {
            self.end_segment();
        }
    }

    /// Adds an XOR, which writes to `port` or to a free slot, and returns this slot. The operands
    /// must not be free. Those that the XOR is the last to read, as `last` states, are freed.
    pub fn xor(&mut self, [a, b]: [u32; 2], last: [bool; 2], port: Option<u32>) -> u32 {
        for (slot, last) in [a, b].into_iter().zip(last) {
            if last {
                self.free(slot);
            }
        }
        let c = port.unwrap_or_else(|| self.take());
        self.xors.push([a, b, c]);
        self.segment.xors += 1;
        self.saw([a, b, c]);
        c
    }

    /// Adds an AND, as [`xor`](Slots::xor) adds an XOR. `position` is its position in the chunk.
    pub fn and(
        &mut self,
        [a, b]: [u32; 2],
        last: [bool; 2],
        (flags, position): (u16, u32),
        port: Option<u32>,
    ) -> u32 {
        if self.segment.ands == SEGMENT_ANDS {
            self.end_segment();
        }
        let now = self.now;
        for slot in [a, b] {
            stamp(&mut self.read_by_and, slot, now);
        }
        for (slot, last) in [a, b].into_iter().zip(last) {
            if last {
                self.free(slot);
            }
        }
        let c = port.unwrap_or_else(|| self.take());
        stamp(&mut self.written_by_and, c, now);
        self.ands.push(([a, b, c], flags));
        self.positions.push(position);
        self.segment.ands += 1;
        self.saw([a, b, c]);
        c
    }

    /// Adds a move. Moves come before all XORs and ANDs of a segment, so this may end the segment.
    pub fn copy(&mut self, from: u32, to: Option<u32>, invert: bool) -> u32 {
        if self.segment.xors > 0 || self.segment.ands > 0 {
            self.end_segment();
        }
        let to = to.unwrap_or_else(|| self.take());
        self.moves.push(Move { from, to, invert });
        self.segment.moves += 1;
        self.saw([from, to, 0]);
        to
    }

    fn saw(&mut self, slots: [u32; 3]) {
        self.most = slots.into_iter().fold(self.most, u32::max);
    }

    fn end_segment(&mut self) {
        let segment = std::mem::take(&mut self.segment);
        if segment != Segment::default() {
            self.segments.push(segment);
            self.now += 1;
        }
        self.free.append(&mut self.pending);
    }

    /// Whether the chunk has no operation.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.segment == Segment::default()
    }

    /// Ends the chunk and returns its operations.
    pub fn end_chunk(&mut self) -> Chunk {
        self.end_segment();
        let mut names = Names::of(std::mem::take(&mut self.most));
        let xors = std::mem::take(&mut self.xors).into_iter().map(|slots| {
            let [a, b, c] = slots.map(|slot| names.of_slot(slot) as u16);
            Xor { a, b, c }
        });
        let xors = xors.collect();
        let ands = std::mem::take(&mut self.ands).into_iter().map(|(slots, flags)| {
            let [a, b, c] = slots.map(|slot| names.of_slot(slot) as u16);
            And { a, b, c, flags }
        });
        let ands = ands.collect();
        let moves = std::mem::take(&mut self.moves).into_iter().map(|m| Move {
            from: names.of_slot(m.from),
            to: names.of_slot(m.to),
            invert: m.invert,
        });
        Chunk {
            moves: moves.collect(),
            segments: std::mem::take(&mut self.segments),
            xors,
            ands,
            positions: std::mem::take(&mut self.positions),
            local: names.into_local(),
            ..Chunk::default()
        }
    }
}

fn stamp(list: &mut Vec<u32>, slot: u32, now: u32) {
    let index = slot as usize;
    if list.len() <= index {
        list.resize(index + 1, 0);
    }
    list[index] = now;
}

/// How the operations of a chunk name slots in 16 bits.
enum Names {
    /// By themselves.
    Same,
    /// By their order of first use.
    Local { names: HashMap<u32, u32>, slots: Vec<u32> },
}

impl Names {
    fn of(most: u32) -> Names {
        match (most as usize) < WINDOW {
            true => Names::Same,
            false => Names::Local { names: HashMap::new(), slots: Vec::new() },
        }
    }

    fn of_slot(&mut self, slot: u32) -> u32 {
        match self {
            Names::Same => slot,
            Names::Local { names, slots } => *names.entry(slot).or_insert_with(|| {
                slots.push(slot);
                slots.len() as u32 - 1
            }),
        }
    }

    fn into_local(self) -> Option<Vec<u32>> {
        match self {
            Names::Same => None,
            Names::Local { slots, .. } => Some(slots),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ranges_are_joined_in_any_order() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut slots = Slots::new(3);
            let ranges = [10, 20, 30].map(|count| (slots.take_range(count), count));
            let after = slots.take_range(5);
            for index in order {
                slots.free_range(ranges[index].0, ranges[index].1);
            }
            assert_eq!(slots.take_range(60), 3, "{order:?}");
            assert_eq!((slots.take_range(1), slots.count()), (after + 5, 69));
        }
    }

    #[test]
    fn the_shortest_range_that_fits_is_taken() {
        let mut slots = Slots::new(0);
        let [large, _, small, _] = [9, 1, 4, 1].map(|count| slots.take_range(count));
        slots.free_range(large, 9);
        slots.free_range(small, 4);
        assert_eq!([slots.take_range(3), slots.take_range(8)], [small, large]);
    }
}
