//! Merse: the Mersenne twister.

use super::gadgets::Emp;
use crate::error::MakeError;
use crate::program::check;
use crate::vip::mersenne::{AHEAD, TEMPERING, TWIST, WIDTH, WORDS};
use halfgate_circuit::{Bit, Circuit};

/// Terms of `69069 s + 1`. Each `k` stands for `2^|k| s`, subtracted if `k` is negative. The sum of
/// these terms, plus 1, minus `s`, is `69069 s + 1`.
const STEP: [i32; 9] = [1, 2, 3, -6, 9, -10, -12, 13, 16];

/// The first `outputs` numbers of the generator. The seed is the XOR of both parties' words, as in
/// our own program.
///
/// 1,000 outputs: 1,434.5k gates, 27.30 % ANDs and 1,652 levels; the table has 1,444k, 27.15 % and
/// 1,764. The table's levels allow a bit of the seed only one or two gates per step, so a step
/// subtracts `s` itself last. The table's share of ANDs needs additions with two ANDs per bit. The
/// choice of the product's terms is ours.
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

/// `word` shifted to the left by `by`, or to the right if `by` is negative, at its width.
fn shifted(word: &[Bit], by: i32) -> Vec<Bit> {
    let bit = |i: i32| usize::try_from(i - by).ok().and_then(|i| word.get(i)).copied();
    (0..WIDTH as i32).map(|i| bit(i).unwrap_or(Bit::FALSE)).collect()
}

/// `a + b`: per bit two ANDs, of which at most one is set, and three XORs.
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

/// `a - b`, with only one gate between a bit of `b` and the same bit of the difference.
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

/// Computes the word at `place` for the next round of outputs. The masks are constants.
fn twist(emp: &mut Emp, state: &mut [Vec<Bit>], place: usize) {
    let next = &state[(place + 1) % WORDS];
    let joined = [&next[..WIDTH - 1], &state[place][WIDTH - 1..]].concat();
    let word = emp.xor_all(&state[(place + AHEAD) % WORDS], &shifted(&joined, -1));
    let odd: Vec<Bit> =
        (0..WIDTH).map(|i| if TWIST >> i & 1 == 1 { joined[0] } else { Bit::FALSE }).collect();
    state[place] = emp.xor_all(&word, &odd);
}

/// The output for a word of the state.
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
