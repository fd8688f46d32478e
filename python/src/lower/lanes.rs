//! Functions on lanes: written in place for one lane, as a map for several.

use super::Lowering;
use crate::dtype::DType;
use crate::value::{Storage, Value, significant};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::{Bit, Builder, Party};

/// What a function on lanes reads.
pub(super) enum Piece<'a> {
    /// The same bits in each lane.
    Shared(Vec<Bit>),
    /// Stored bits of this many consecutive elements in each lane.
    Rows(&'a Value, usize),
}

/// The bits that a function on lanes returns for a lane.
pub(super) struct Lane {
    pub bits: Vec<Bit>,
    /// Whether the bits above those returned are copies of the highest.
    pub signed: bool,
}

impl Lane {
    /// An element, of whose bits only those are stored that are not the same in any case.
    pub fn trimmed(mut bits: Vec<Bit>) -> Lane {
        let (stored, signed) = significant(&bits);
        bits.truncate(stored);
        Lane { bits, signed }
    }
}

/// Input bits of a circuit that is written only to count its gates.
pub(super) fn unknown(b: &mut Builder, width: usize) -> Vec<Bit> {
    b.input(String::new(), Party::Garbler, width as u32)
}

impl Lowering {
    /// Runs `f` on each lane. Each lane returns one element of the result.
    pub(super) fn on_lanes(
        &mut self,
        b: &mut Builder,
        name: &str,
        (lanes, dtype): (usize, DType),
        pieces: &[Piece<'_>],
        f: impl FnOnce(&mut Lowering, &mut Builder, &[Vec<Bit>]) -> Lane,
    ) -> Value {
        if lanes == 1 {
            let bits = |piece: &Piece<'_>| match piece {
                Piece::Shared(bits) => bits.clone(),
                Piece::Rows(value, _) => value.stored_bits(),
            };
            let Lane { bits, signed } = f(self, b, &pieces.iter().map(bits).collect::<Vec<_>>());
            let stored = bits.len();
            return Value { dtype, len: 1, stored, signed, bits: Storage::Bits(bits.into()) };
        }
        let kept: Vec<Vec<Bit>> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Shared(bits) => bits.clone(),
                Piece::Rows(value, _) if matches!(value.bits, Storage::Wires(_)) => Vec::new(),
                Piece::Rows(value, _) => value.stored_bits(),
            })
            .collect();
        let argument = |(piece, bits): (&Piece<'_>, _)| match piece {
            Piece::Shared(_) => Arg::Shared(bits),
            Piece::Rows(value, each) => match value.bits {
                Storage::Wires(array) => Arg::Array(array.regroup(each * value.stored)),
                _ => Arg::Sliced(bits),
            },
        };
        let arguments: Vec<Arg<'_>> =
            pieces.iter().zip(kept.iter().map(Vec::as_slice)).map(argument).collect();
        let (mut stored, mut signed) = (0, false);
        let outside = self.ledger.enter(lanes as u64);
        let array = b.map(name, lanes as u64, &arguments, |b, x| {
            let lane = f(self, b, x);
            (stored, signed) = (lane.bits.len(), lane.signed);
            lane.bits
        });
        self.ledger.leave(outside);
        Value { dtype, len: lanes, stored, signed, bits: Storage::Wires(array) }
    }

    /// Runs `f`, which adds gates, and counts its ANDs for `line`.
    pub(super) fn counted<R>(
        &mut self,
        b: &mut Builder,
        line: &str,
        f: impl FnOnce(&mut Builder) -> R,
    ) -> R {
        self.check_cancel();
        b.at_line(line);
        let before = b.ands();
        let result = f(b);
        self.ledger.add(line, b.ands() - before);
        result
    }
}
