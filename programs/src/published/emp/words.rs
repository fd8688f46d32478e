//! Operations on words, least significant bit first, from which [`float`](super::float) is built.

use super::gadgets::Emp;
use halfgate_circuit::Bit;

/// `a | b`, where constants fold.
pub(super) fn or(n: &mut Emp, a: Bit, b: Bit) -> Bit {
    match (a.as_constant(), b.as_constant()) {
        (Some(true), _) | (_, Some(true)) => Bit::TRUE,
        _ => n.or(a, b),
    }
}

/// Joins `values` in a balanced tree: neighbours first, then the results of neighbours.
fn tree<T: Copy>(mut values: Vec<T>, mut join: impl FnMut(T, T) -> T) -> Option<T> {
    while values.len() > 1 {
        values = values
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => join(a, b),
                _ => pair[0],
            })
            .collect();
    }
    values.pop()
}

/// Whether at least one bit is set.
pub(super) fn any(n: &mut Emp, bits: &[Bit]) -> Bit {
    tree(bits.to_vec(), |a, b| or(n, a, b)).unwrap_or(Bit::FALSE)
}

/// Whether all bits are set.
pub(super) fn all(n: &mut Emp, bits: &[Bit]) -> Bit {
    tree(bits.to_vec(), |a, b| n.and(a, b)).unwrap_or(Bit::TRUE)
}

/// Each bit inverted.
pub(super) fn not(n: &mut Emp, bits: &[Bit]) -> Vec<Bit> {
    bits.iter().map(|&bit| n.not(bit)).collect()
}

/// `bits` if `keep`, else zeros.
pub(super) fn and_each(n: &mut Emp, keep: Bit, bits: &[Bit]) -> Vec<Bit> {
    bits.iter().map(|&bit| n.and(keep, bit)).collect()
}

/// A constant of `width` bits.
pub(super) fn constant(width: usize, value: u64) -> Vec<Bit> {
    (0..width).map(|i| Bit::constant(value >> i & 1 == 1)).collect()
}

/// Sum and carry of three bits, by two half adders and an OR: seven gates, three of them ANDs.
fn full_adder(n: &mut Emp, a: Bit, b: Bit, c: Bit) -> (Bit, Bit) {
    let x = n.xor(a, b);
    let sum = n.xor(x, c);
    let (both, carried) = (n.and(a, b), n.and(x, c));
    (sum, or(n, both, carried))
}

/// `a + b + carry` modulo 2^width: five XORs and an AND per bit.
pub(super) fn ripple(n: &mut Emp, a: &[Bit], b: &[Bit], mut carry: Bit) -> Vec<Bit> {
    let mut sum = Vec::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let differ = n.xor(x, y);
        sum.push(n.xor(differ, carry));
        if i + 1 < a.len() {
            let (x, y) = (n.xor(x, carry), n.xor(y, carry));
            let both = n.and(x, y);
            carry = n.xor(carry, both);
        }
    }
    sum
}

/// Whether a run of bits generates a carry, and whether it propagates one.
type Run = (Bit, Bit);

/// Joins two adjacent runs. If `is_last`, nothing is below both, so the result propagates no carry.
fn join(n: &mut Emp, high: Run, low: Run, is_last: bool) -> Run {
    let handed = n.and(high.1, low.0);
    let makes = n.xor(high.0, handed);
    let hands_on = if is_last { Bit::FALSE } else { n.and(high.1, low.1) };
    (makes, hands_on)
}

/// Joins each of `runs` with all runs below it, in a logarithmic number of rounds (Sklansky 1960).
/// Arguments of `join` are the upper run, the lower run, and whether nothing is below both.
fn prefixes<T: Copy>(mut runs: Vec<T>, mut join: impl FnMut(T, T, bool) -> T) -> Vec<T> {
    let mut distance = 1;
    while distance < runs.len() {
        let old = runs.clone();
        for (place, run) in runs.iter_mut().enumerate().filter(|(place, _)| place & distance != 0) {
            let below = (place & !(2 * distance - 1)) + distance - 1;
            *run = join(old[place], old[below], place < 2 * distance);
        }
        distance *= 2;
    }
    runs
}

/// `a + b + carry` modulo 2^width and the carry out, by parallel prefixes.
pub(super) fn prefix(n: &mut Emp, a: &[Bit], b: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    let differ = n.xor_all(a, b);
    let mut runs: Vec<Run> = Vec::with_capacity(a.len() + 1);
    if carry != Bit::FALSE {
        runs.push((carry, Bit::FALSE));
    }
    for ((&x, &y), &differs) in a.iter().zip(b).zip(&differ) {
        runs.push((n.and(x, y), differs));
    }
    let runs = prefixes(runs, |high, low, is_last| join(n, high, low, is_last));
    let mut carries: Vec<Bit> = runs.iter().map(|run| run.0).collect();
    if carry == Bit::FALSE {
        carries.insert(0, Bit::FALSE);
    }
    (n.xor_all(&differ, &carries), carries[a.len()])
}

/// `a + carry` modulo 2^width, by parallel prefixes.
pub(super) fn increment(n: &mut Emp, a: &[Bit], carry: Bit) -> Vec<Bit> {
    let runs = [&[carry], &a[..a.len() - 1]].concat();
    let carries = prefixes(runs, |high, low, _| n.and(high, low));
    n.xor_all(a, &carries)
}

/// Whether `a > b`, unsigned.
pub(super) fn greater(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Bit {
    let mut runs = Vec::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let is_zero = n.not(y);
        let is_greater = n.and(x, is_zero);
        let is_equal = match i {
            0 => Bit::FALSE,
            _ => {
                let differ = n.xor(x, y);
                n.not(differ)
            }
        };
        runs.push((is_greater, is_equal));
    }
    while runs.len() > 1 {
        let pairs = runs.chunks(2).enumerate();
        runs = pairs
            .map(|(i, pair)| match *pair {
                [low, high] => join(n, high, low, i == 0),
                _ => pair[0],
            })
            .collect();
    }
    runs[0].0
}

/// Leading zeros of 2^k bits, most significant first: whether all bits are 0, and the number of
/// zeros before the first 1, in k bits.
pub(super) fn leading_zeros(n: &mut Emp, bits: &[Bit]) -> (Bit, Vec<Bit>) {
    if let [bit] = bits {
        return (n.not(*bit), Vec::new());
    }
    let (high, low) = bits.split_at(bits.len() / 2);
    let (high_zero, high) = leading_zeros(n, high);
    let (low_zero, low) = leading_zeros(n, low);
    let all = n.and(high_zero, low_zero);
    let mut count = n.choose(high_zero, &low, &high);
    count.push(high_zero);
    (all, count)
}

/// `bits` shifted to the left by `shift`, at their width.
pub(super) fn shift_left(n: &mut Emp, bits: &[Bit], shift: &[Bit]) -> Vec<Bit> {
    let mut bits = bits.to_vec();
    for (k, &choice) in shift.iter().enumerate().rev() {
        let mut moved = vec![Bit::FALSE; 1 << k];
        moved.extend(&bits);
        moved.truncate(bits.len());
        bits = n.choose(choice, &moved, &bits);
    }
    bits
}

/// `bits` shifted to the right by `shift`, and whether a bit that is 1 was shifted out.
pub(super) fn shift_right(n: &mut Emp, bits: &[Bit], shift: &[Bit]) -> (Vec<Bit>, Bit) {
    let mut bits = bits.to_vec();
    let mut sticky = Bit::FALSE;
    for (k, &choice) in shift.iter().enumerate() {
        let distance = 1 << k;
        let set = any(n, &bits[..distance]);
        let falls = n.and(choice, set);
        sticky = or(n, sticky, falls);
        let mut moved = bits[distance..].to_vec();
        moved.resize(bits.len(), Bit::FALSE);
        bits = n.choose(choice, &moved, &bits);
    }
    (bits, sticky)
}

/// The full product `a * b`: rows of full adders in carry-save form, then a ripple adder.
pub(super) fn product(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let mut sums = and_each(n, b[0], a);
    let mut carries = vec![Bit::FALSE; a.len()];
    let mut product = vec![sums.remove(0)];
    sums.push(Bit::FALSE);
    for &choice in &b[1..] {
        let mut next = (Vec::new(), Vec::new());
        for (k, &bit) in a.iter().enumerate() {
            let partial = n.and(bit, choice);
            let (sum, carry) = full_adder(n, partial, sums[k], carries[k]);
            next.0.push(sum);
            next.1.push(carry);
        }
        (sums, carries) = next;
        product.push(sums.remove(0));
        sums.push(Bit::FALSE);
    }
    product.extend(ripple(n, &sums, &carries, Bit::FALSE));
    product
}

/// The first `bits` bits of `a / b`, most significant first, and whether the remainder is not 0.
/// Both significands have a leading one; the first bit of the quotient is 0 if `a < b`. Each bit
/// takes a prefix adder and a selection.
pub(super) fn quotient(n: &mut Emp, a: &[Bit], b: &[Bit], bits: usize) -> (Vec<Bit>, Bit) {
    let mut negative = not(n, b);
    negative.push(Bit::TRUE);
    let mut rest = [a, &[Bit::FALSE]].concat();
    let mut quotient = Vec::with_capacity(bits);
    for i in 0..bits {
        let (difference, fits) = prefix(n, &rest, &negative, Bit::TRUE);
        quotient.push(fits);
        rest = n.choose(fits, &difference, &rest);
        if i + 1 < bits {
            rest.pop();
            rest.insert(0, Bit::FALSE);
        }
    }
    let left = any(n, &rest);
    (quotient, left)
}
