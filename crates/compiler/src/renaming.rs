//! New names of a body's wires, for passes that write a body again.

use halfgate_circuit::structured::{Argument, Call};
use halfgate_circuit::{Bit, BitRuns, Wire};

/// For each wire of a body, the bit to read in its place.
///
/// Memory: 4 bytes for each wire that has a name of its own; some bytes for each run of wires that
/// move together.
#[derive(Default)]
pub(crate) struct Renaming {
    /// In the order of wires. A wire in none of them keeps its name.
    pieces: Vec<Piece>,
}

/// Consecutive wires.
struct Piece {
    first: u32,
    count: u32,
    new: New,
}

/// What stands for the wires of a piece.
enum New {
    /// As many consecutive wires from this one on.
    Wires(u32),
    Bits(Vec<Bit>),
}

/// A part of some consecutive wires, all in one piece or in none.
struct Part<'a> {
    count: u32,
    /// What stands for its first wire and those after it.
    new: Found<'a>,
}

enum Found<'a> {
    Wires(u32),
    Bits(&'a [Bit]),
}

impl Renaming {
    /// Gives `count` wires from `first` on the names from `new` on. `first` must be above all wires
    /// that have a new name.
    pub fn wires(&mut self, first: Wire, count: u32, new: Wire) {
        let (first, new) = (first.number(), new.number());
        if let Some(Piece { first: before, count: length, new: New::Wires(start) }) =
            self.pieces.last_mut()
            && *before + *length == first
            && *start + *length == new
        {
            *length += count;
        } else if count > 0 {
            self.pieces.push(Piece { first, count, new: New::Wires(new) });
        }
    }

    /// Puts `bits` in the place of the wires from `first` on, which must be above all wires that
    /// have a new name.
    pub fn bits(&mut self, first: Wire, bits: Vec<Bit>) {
        let (first, count) = (first.number(), bits.len() as u32);
        self.pieces.push(Piece { first, count, new: New::Bits(bits) });
    }

    /// The bit in the place of `wire`.
    pub fn get(&self, wire: Wire) -> Bit {
        match self.part(wire.number(), 1).new {
            Found::Wires(new) => Wire::new(new).bit(),
            Found::Bits(bits) => bits[0],
        }
    }

    /// The bit in the place of `bit`.
    pub fn bit(&self, bit: Bit) -> Bit {
        match bit.wire() {
            Some(wire) => self.get(wire).invert_if(bit.is_inverted()),
            None => bit,
        }
    }

    /// The bits in the place of `bits`.
    pub fn runs(&self, bits: &BitRuns) -> BitRuns {
        let mut new = BitRuns::new();
        for (first, count) in bits.runs() {
            let Some(wire) = first.wire() else {
                new.push_run(first, count);
                continue;
            };
            for part in self.parts(wire.number(), count) {
                match part.new {
                    Found::Wires(wire) => {
                        let first = Wire::new(wire).bit().invert_if(first.is_inverted());
                        new.push_run(first, part.count);
                    }
                    Found::Bits(bits) => {
                        bits.iter().for_each(|bit| new.push(bit.invert_if(first.is_inverted())));
                    }
                }
            }
        }
        new
    }

    /// The call with new arguments.
    pub fn call(&self, call: &Call) -> Call {
        let runs = call.form.runs();
        let argument = |argument: &Argument| match self.moved(argument, runs) {
            Some(moved) => moved,
            None => argument.with_bits(runs, |bit| self.bit(bit)),
        };
        Call { arguments: call.arguments.iter().map(argument).collect(), ..*call }
    }

    /// A slice that `runs` runs take, if all wires between its first and its last move together.
    fn moved(&self, argument: &Argument, runs: u64) -> Option<Argument> {
        let &Argument::Sliced { width, first, run_stride, bit_stride } = argument else {
            return None;
        };
        let (low, high) = argument.interval(runs);
        let mut wire = low;
        let mut distances = self.parts(low, high - low + 1).map(|part| {
            let from = i64::from(wire);
            wire += part.count;
            match part.new {
                Found::Wires(new) => Some(i64::from(new) - from),
                Found::Bits(_) => None,
            }
        });
        let by = distances.next().flatten()?;
        let first = Wire::new((i64::from(first.number()) + by) as u32);
        let all = distances.all(|other| other == Some(by));
        all.then_some(Argument::Sliced { width, first, run_stride, bit_stride })
    }

    fn parts(&self, mut first: u32, count: u32) -> impl Iterator<Item = Part<'_>> {
        let end = first + count;
        std::iter::from_fn(move || {
            let part = (first < end).then(|| self.part(first, end - first))?;
            first += part.count;
            Some(part)
        })
    }

    /// The first part of `count` wires from `first` on.
    fn part(&self, first: u32, count: u32) -> Part<'_> {
        let next = self.pieces.partition_point(|piece| piece.first <= first);
        if let Some(piece) = next.checked_sub(1).map(|index| &self.pieces[index])
            && first - piece.first < piece.count
        {
            let offset = first - piece.first;
            let count = count.min(piece.count - offset);
            let new = match &piece.new {
                New::Wires(new) => Found::Wires(new + offset),
                New::Bits(bits) => Found::Bits(&bits[offset as usize..][..count as usize]),
            };
            return Part { count, new };
        }
        let up_to = self.pieces.get(next).map_or(u32::MAX, |piece| piece.first - first);
        Part { count: count.min(up_to), new: Found::Wires(first) }
    }
}
