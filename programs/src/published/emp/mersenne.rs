//! Merse.

use super::gadgets::Emp;
use crate::error::MakeError;
use crate::program::check;
use crate::vip::mersenne::{AHEAD, TEMPERING, TWIST, WIDTH, WORDS};
use halfgate_circuit::{Bit, Circuit};

/// `69069 s + 1` is the sum of these multiples of `s`, and 1, without `s`: 2 to the power of each,
/// or that taken away.
const STEP: [i32; 9] = [1, 2, 3, -6, 9, -10, -12, 13, 16];

/// The first `outputs` numbers of the generator. The seed is the XOR of both parties' words, as in
/// ours.
///
/// 1,000 outputs: 1,434.5k gates, 27.30 % ANDs, 1,652 levels, where the table has 1,444k, 27.15 %
/// and 1,764. The table's levels leave a bit of the seed a gate or two on its way through a step,
/// so
/// `s` itself comes last here; its share of ANDs wants sums of two ANDs a bit. Which terms the
/// product is made of is our choice.
pub(super) fn circuit(outputs: u32) -> Result<Circuit, MakeError> {
    check("OUTPUTS", outputs.into(), 1..=1 << 16)?;
    let (mut emp, a, b) = Emp::new(["seed_a", "seed_b"], [WIDTH as u32; 2], true);
    let mut seeds = vec![emp.xor_all(&a, &b)];
    while seeds.len() < 2 * WORDS {
        let next = step(&mut emp, &seeds[seeds.len() - 1]);
        seeds.push(next);
    }
    let halves = |pair: &[Vec<Bit>]| [&pair[1][16..], &pair[0][16..]].concat();
    let mut state: Vec<Vec<Bit>> = seeds.chunks(2).map(halves).collect();
    let mut random = Vec::new();
    for i in 0..outputs as usize {
        if i.is_multiple_of(WORDS) {
            (0..WORDS).for_each(|place| twist(&mut emp, &mut state, place));
        }
        random.extend(temper(&mut emp, &state[i % WORDS]));
    }
    emp.finish("random", random)
}

/// `69069 s + 1`.
fn step(emp: &mut Emp, s: &[Bit]) -> Vec<Bit> {
    let mut sum = shifted(s, STEP[0]);
    for &term in &STEP[1..] {
        let shifted = shifted(s, term.abs());
        sum = match term > 0 {
            true => add(emp, &shifted, &sum),
            false => emp.subtract(&sum, &shifted),
        };
    }
    let sum = increment(emp, &sum);
    subtract_last(emp, &sum, s)
}

/// To the left, or to the right if negative, at its width.
fn shifted(word: &[Bit], by: i32) -> Vec<Bit> {
    let bit = |i: i32| usize::try_from(i - by).ok().and_then(|i| word.get(i)).copied();
    (0..WIDTH as i32).map(|i| bit(i).unwrap_or(Bit::FALSE)).collect()
}

/// `a + b`: two ANDs a bit, which are not both set, and three XORs.
fn add(emp: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let mut carry = Bit::FALSE;
    let mut sum = Vec::with_capacity(WIDTH);
    for (&a, &b) in a.iter().zip(b) {
        let differ = emp.xor(a, b);
        sum.push(emp.xor(differ, carry));
        if sum.len() < WIDTH {
            let (both, carried) = (emp.and(a, b), emp.and(carry, differ));
            carry = emp.xor(both, carried);
        }
    }
    sum
}

/// `a - b`, where a bit of `b` is one gate from its place in the difference.
fn subtract_last(emp: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let mut borrow = Bit::FALSE;
    let mut difference = Vec::with_capacity(WIDTH);
    for (&a, &b) in a.iter().zip(b) {
        let rest = emp.xor(a, borrow);
        difference.push(emp.xor(b, rest));
        if difference.len() < WIDTH {
            let (none, other) = (emp.not(rest), emp.xor(b, borrow));
            let changes = emp.and(none, other);
            borrow = emp.xor(borrow, changes);
        }
    }
    difference
}

/// `a + 1`.
fn increment(emp: &mut Emp, a: &[Bit]) -> Vec<Bit> {
    let mut carry = a[0];
    let mut sum = vec![emp.not(a[0])];
    for &bit in &a[1..] {
        let flipped = emp.xor(bit, carry);
        sum.push(flipped);
        if sum.len() < WIDTH {
            let ends = emp.and(flipped, carry);
            carry = emp.xor(carry, ends);
        }
    }
    sum
}

/// The word at `place` for the next round of outputs, by masks that are constants.
fn twist(emp: &mut Emp, state: &mut [Vec<Bit>], place: usize) {
    let next = &state[(place + 1) % WORDS];
    let joined = [&next[..WIDTH - 1], &state[place][WIDTH - 1..]].concat();
    let word = emp.xor_all(&state[(place + AHEAD) % WORDS], &shifted(&joined, -1));
    let odd: Vec<Bit> =
        (0..WIDTH).map(|i| if TWIST >> i & 1 == 1 { joined[0] } else { Bit::FALSE }).collect();
    state[place] = emp.xor_all(&word, &odd);
}

/// A word of the state as it is given out.
fn temper(emp: &mut Emp, word: &[Bit]) -> Vec<Bit> {
    let mut word = word.to_vec();
    for (shift, mask) in TEMPERING {
        let shifted = shifted(&word, shift).into_iter().enumerate();
        let masked: Vec<Bit> =
            shifted.map(|(i, bit)| if mask >> i & 1 == 1 { bit } else { Bit::FALSE }).collect();
        word = emp.xor_all(&word, &masked);
    }
    word
}
