//! [Edit distance](crate::edit_distance) as a structured program: a fold over the rows of the
//! table, in each of which is a fold over the columns. It has the same cells, ANDs and result as
//! `edit-distance`; its text has a row of the table, and grows with LENGTH instead of its square.
//!
//! The first and last rows are outside the fold over rows, and the first and last cells of a row
//! outside the fold over columns. Along the table's upper and left edges no difference is -1, and
//! nothing reads the differences along its lower and right edges, so these cells take fewer ANDs.

use crate::edit_distance;
use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Party, int};

/// `edit-distance-rows`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "edit-distance-rows",
    summary: "edit-distance as a fold over the table's rows and columns: a short text at any LENGTH",
    make: Make::Structured(|params: Params| {
        let (length, bits) = params.two(["LENGTH", "BITS"], 'x')?;
        circuit(length, bits)
    }),
    ..edit_distance::INFO
};

/// The function of [`edit_distance::circuit`], with as many ANDs.
///
/// # Errors
/// If `length` is not 1 to 4,096 or `bits` not 1 to 32, or if the gates cannot be stored.
pub fn circuit(length: u32, bits: u32) -> Result<StructuredCircuit, MakeError> {
    check("LENGTH", length.into(), 1..=1 << 12)?;
    check("BITS", bits.into(), 1..=32)?;
    let mut b = Builder::new();
    let (n, k) = (length as usize, bits as usize);
    // The texts are read backwards, so that the padding comes first.
    let mut text = |name: &str, party| -> Vec<Bit> {
        b.input(name, party, length * bits).chunks(k).rev().flatten().copied().collect()
    };
    let (a, text) = (text("a", Party::Garbler), text("b", Party::Evaluator));
    let edge = b.map("edge", length.into(), &[Arg::Sliced(&text)], |b, character| {
        vec![inserted(b, &character[0]).plus]
    });
    let edge = edge.bits().into_iter().map(|plus| Difference { minus: Bit::FALSE, plus }).collect();

    let (above, steps) = row(&mut b, &a[..k], &text, edge, n == 1);
    let mut diagonal = vec![steps[0]];
    let mut above: Vec<Bit> = above.into_iter().flat_map(Difference::bits).collect();
    if n > 2 {
        let arguments = [Arg::Sliced(&a[k..(n - 1) * k]), Arg::Shared(&text)];
        let rows = b.fold("row", n as u64 - 2, &above, &arguments, |b, above, arguments| {
            let above = above.chunks(2).map(Difference::of).collect();
            let (lower, steps) = row(b, &arguments[0], &arguments[1], above, false);
            (lower.into_iter().flat_map(Difference::bits).collect(), steps)
        });
        diagonal.extend((1..n - 1).map(|i| rows.outputs.element(i - 1)[i]));
        above = rows.state;
    }
    if n > 1 {
        let above = above.chunks(2).map(Difference::of).collect();
        let (_, steps) = row(&mut b, &a[(n - 1) * k..], &text, above, true);
        diagonal.push(steps[n - 1]);
    }
    let distance = int::popcount(&mut b, &diagonal);
    b.output("distance", &distance);
    Ok(b.finish_structured()?)
}

/// The difference of two neighbours in the table: -1, 0 or 1.
#[derive(Clone, Copy)]
struct Difference {
    minus: Bit,
    plus: Bit,
}

impl Difference {
    fn bits(self) -> [Bit; 2] {
        [self.minus, self.plus]
    }

    fn of(bits: &[Bit]) -> Difference {
        Difference { minus: bits[0], plus: bits[1] }
    }

    /// `step - self`; `step` must be 0 if this is -1. One AND.
    fn subtracted_from(self, b: &mut Builder, step: Bit) -> Difference {
        let both = b.and(step, self.plus);
        let rest = b.xor(step, both);
        Difference { minus: b.xor(self.plus, both), plus: b.xor(self.minus, rest) }
    }
}

/// The difference along the table's edge: 0 for padding, else 1.
fn inserted(b: &mut Builder, character: &[Bit]) -> Difference {
    Difference { minus: Bit::FALSE, plus: !int::is_zero(b, character) }
}

/// The step along a cell's diagonal, which is 0 or 1.
fn diagonal_step(
    b: &mut Builder,
    characters: [&[Bit]; 2],
    upper: Difference,
    left: Difference,
) -> Bit {
    let same = int::eq(b, characters[0], characters[1]);
    // The left difference comes last, since the cell before computes it.
    let known = b.or(same, upper.minus);
    !b.or(known, left.minus)
}

/// A row of the table: the differences along its lower side (none if it is the last row) and the
/// diagonal steps of its cells. The differences along its upper side are `above`.
fn row(
    b: &mut Builder,
    from_a: &[Bit],
    text: &[Bit],
    above: Vec<Difference>,
    is_last: bool,
) -> (Vec<Difference>, Vec<Bit>) {
    let (n, k) = (above.len(), from_a.len());
    let (mut lower, mut steps) = (Vec::new(), Vec::new());
    let mut left = inserted(b, from_a);
    let single = |b: &mut Builder, j: usize, left: Difference| {
        let step = diagonal_step(b, [from_a, &text[j * k..(j + 1) * k]], above[j], left);
        let lower = (!is_last).then(|| left.subtracted_from(b, step));
        (step, lower)
    };
    let (step, below) = single(b, 0, left);
    steps.push(step);
    lower.extend(below);
    if n > 1 {
        left = above[0].subtracted_from(b, step);
    }
    if n > 2 {
        let of_above =
            |bit: fn(&Difference) -> Bit| -> Vec<Bit> { above[1..n - 1].iter().map(bit).collect() };
        let (plus, minus) = (of_above(|above| above.plus), of_above(|above| above.minus));
        let from_b = &text[k..(n - 1) * k];
        let mut arguments = vec![Arg::Shared(from_a), Arg::Sliced(from_b), Arg::Sliced(&plus)];
        // Above the first row, no difference is -1.
        if minus[0].as_constant().is_none() {
            arguments.push(Arg::Sliced(&minus));
        }
        let cells = b.fold("cell", n as u64 - 2, &left.bits(), &arguments, |b, left, arguments| {
            let [from_a, from_b, plus, minus @ ..] = arguments else {
                unreachable!("three or four")
            };
            let minus = minus.first().map_or(Bit::FALSE, |bits| bits[0]);
            let (left, upper) = (Difference::of(left), Difference { minus, plus: plus[0] });
            let step = diagonal_step(b, [from_a, from_b], upper, left);
            let next = upper.subtracted_from(b, step).bits().to_vec();
            let below = (!is_last).then(|| left.subtracted_from(b, step).bits());
            (next, [step].into_iter().chain(below.into_iter().flatten()).collect())
        });
        for bits in (0..n - 2).map(|j| cells.outputs.element(j)) {
            steps.push(bits[0]);
            lower.extend((!is_last).then(|| Difference::of(&bits[1..])));
        }
        left = Difference::of(&cells.state);
    }
    if n > 1 {
        let (step, below) = single(b, n - 1, left);
        steps.push(step);
        lower.extend(below);
    }
    (lower, steps)
}
