//! Operations that run in parts. A part may end at any AND, also within a segment.

use halfgate_kernels::ops::{Ops, Segment};

/// Operations, and how far they have run.
pub(super) struct Parts<'o> {
    /// The operations that have not run. Of the segments, the first is in `current`.
    rest: Ops<'o>,
    /// What is left of the current segment.
    current: Segment,
    /// The segments of the last part.
    taken: Vec<Segment>,
}

impl<'o> Parts<'o> {
    pub fn new(ops: &Ops<'o>) -> Parts<'o> {
        Parts { rest: *ops, current: Segment::default(), taken: Vec::new() }
    }

    /// Number of ANDs that are left.
    pub fn ands(&self) -> usize {
        self.rest.ands.len()
    }

    /// The next `ands` ANDs, the moves and XORs before them, and those after them up to the AND
    /// that then comes next, or to the end.
    pub fn take(&mut self, ands: usize) -> Ops<'_> {
        let is_new = self.current == Segment::default();
        if is_new && ands == self.rest.ands.len() {
            let none = Ops { segments: &[], moves: &[], xors: &[], ands: &[], positions: &[] };
            return std::mem::replace(&mut self.rest, none);
        }
        self.taken.clear();
        let mut left = ands;
        let (mut moves, mut xors) = (0, 0);
        loop {
            // The minimum is at most a number of 32 bits.
            let now = left.min(self.current.ands as usize) as u32;
            left -= now as usize;
            moves += self.current.moves as usize;
            xors += self.current.xors as usize;
            self.taken.push(Segment { ands: now, ..self.current });
            self.current = Segment { moves: 0, xors: 0, ands: self.current.ands - now };
            if self.current.ands > 0 {
                break;
            }
            let Some((next, after)) = self.rest.segments.split_first() else { break };
            (self.current, self.rest.segments) = (*next, after);
        }
        let (moves, later_moves) = self.rest.moves.split_at(moves);
        let (xors, later_xors) = self.rest.xors.split_at(xors);
        let (positions, later_positions) = self.rest.positions.split_at(ands);
        let (ands, later_ands) = self.rest.ands.split_at(ands);
        self.rest.moves = later_moves;
        self.rest.xors = later_xors;
        self.rest.ands = later_ands;
        self.rest.positions = later_positions;
        Ops { segments: &self.taken, moves, xors, ands, positions }
    }

    /// The next AND, which stays the next one: all moves and XORs before it have run.
    pub fn next_and(&self) -> Ops<'o> {
        let (ands, positions) = (&self.rest.ands[..1], &self.rest.positions[..1]);
        Ops { segments: ONE_AND, moves: &[], xors: &[], ands, positions }
    }

    /// Goes past the next AND, which has run.
    pub fn skip_and(&mut self) {
        self.current.ands -= 1;
        self.rest.ands = &self.rest.ands[1..];
        self.rest.positions = &self.rest.positions[1..];
    }
}

/// The segment of a single AND.
const ONE_AND: &[Segment] = &[Segment { moves: 0, xors: 0, ands: 1 }];

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_kernels::ops::{And, Move, Xor};

    /// Runs `ops` in parts of `sizes` ANDs. Returns the numbers of all operations in the order in
    /// which they run: moves from 0, XORs from 100, ANDs from 200 on.
    fn order(ops: &Ops<'_>, sizes: &[usize]) -> Vec<u32> {
        let mut parts = Parts::new(ops);
        let mut order = Vec::new();
        for &size in sizes {
            let part = parts.take(size);
            assert_eq!(part.ands.len(), size);
            assert_eq!(part.positions.len(), size);
            let (mut moves, mut xors, mut ands) =
                (part.moves.iter(), part.xors.iter(), part.ands.iter());
            for segment in part.segments {
                order.extend(moves.by_ref().take(segment.moves as usize).map(|m| m.from));
                let xors = xors.by_ref().take(segment.xors as usize);
                order.extend(xors.map(|x| 100 + u32::from(x.a)));
                let ands = ands.by_ref().take(segment.ands as usize);
                order.extend(ands.map(|x| 200 + u32::from(x.a)));
            }
            let left = [moves.len(), xors.len(), ands.len()];
            assert_eq!(left, [0; 3], "the counts of segments add up");
        }
        assert_eq!(parts.ands(), 0);
        order
    }

    #[test]
    fn parts_of_any_size_run_all_operations_in_order() {
        let counts = [(1, 2, 3), (0, 1, 0), (2, 0, 0), (0, 0, 4), (1, 1, 1), (0, 2, 0)];
        let segments = counts.map(|(moves, xors, ands)| Segment { moves, xors, ands }).to_vec();
        let moves: Vec<_> = (0..4).map(|from| Move { from, to: 0, invert: false }).collect();
        let xors: Vec<_> = (0..6).map(|a| Xor { a, b: 0, c: 0 }).collect();
        let ands: Vec<_> = (0..8).map(|a| And { a, b: 0, c: 0, flags: 0 }).collect();
        let positions: Vec<u32> = (0..8).collect();
        let ops = Ops {
            segments: &segments,
            moves: &moves,
            xors: &xors,
            ands: &ands,
            positions: &positions,
        };
        let wanted = order(&ops, &[8]);
        assert_eq!(wanted.len(), 18);
        for first in 0..=8 {
            for second in 0..=8 - first {
                let sizes = [first, second, 8 - first - second];
                assert_eq!(order(&ops, &sizes), wanted, "{sizes:?}");
            }
        }
        let none = Ops { segments: &segments[1..3], moves: &moves[1..3], ands: &[], ..ops };
        let none = Ops { xors: &xors[2..3], positions: &[], ..none };
        assert_eq!(order(&none, &[0]), [102, 1, 2]);
    }
}
