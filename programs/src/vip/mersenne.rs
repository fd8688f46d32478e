//! Merse: the Mersenne twister MT19937 (Matsumoto and Nishimura, 1998) from a secret seed, with the
//! initialisation of its first release, which is the benchmark's: the state's 624 words are the
//! high halves of 1,248 successive values of `s -> 69069 s + 1` modulo 2^32.
//!
//! **Size.** 1,000 outputs, as in the benchmark's source. Only the initialisation has ANDs: the
//! twist and the tempering move, mask and XOR bits. No number of outputs fits the table, whose
//! circuit of 1,764 levels has no room for 1,248 steps one after the other, each of several
//! additions; its 392k ANDs are more than the 270k that this program would have with a row of
//! adders for each one in the binary 69069.
//!
//! **A step** takes 100 ANDs, 97 for the product. It is four additions and subtractions of shifted
//! numbers, of which only the bits above the shift take ANDs; no product by 69069 of fewer, and
//! among those of four none of fewer ANDs, was found by trying all. The 1 goes in where it has to
//! pass the fewest bits before it can be a carry. (The nine ones of 69069 in binary make eight
//! additions of 185 ANDs, and one more of 31.)
//!
//! The seed is the XOR of one word of each party, so that neither knows or chooses it.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Params, ProgramInfo, check};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `mersenne`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "mersenne",
    params: "OUTPUTS",
    default: "1000",
    summary: "outputs of the Mersenne twister from a secret seed (VIP-Bench)",
    ports: "garbler seed_a:32, evaluator seed_b:32, whose XOR is the seed; output random: OUTPUTS \
            numbers of 32 bits",
    types: &[PortType::list("random", Element::Unsigned, Width::Bits(32))],
    make: |params: Params| circuit(params.one("OUTPUTS")?),
};

/// Bits of a word.
pub(crate) const WIDTH: usize = 32;
/// Words of the state.
pub(crate) const WORDS: usize = 624;
/// How far ahead the word is that is XORed to a twisted one.
pub(crate) const AHEAD: usize = 397;
/// XORed to a twisted word if it was odd.
pub(crate) const TWIST: u32 = 0x9908_b0df;
/// The shifts and masks of the tempering, each `y ^= (y shifted) & mask`, to the right if negative.
pub(crate) const TEMPERING: [(i32, u32); 4] =
    [(-11, !0), (7, 0x9d2c_5680), (15, 0xefc6_0000), (-18, !0)];

/// Garbler's `seed_a` and evaluator's `seed_b` of 32 bits; output `random`, the first `outputs`
/// numbers of the generator that is seeded with their XOR. The ANDs are those of 1,247 steps of the
/// initialisation, whatever `outputs` is.
///
/// # Errors
/// If `outputs` is 0 or above 2^16, or the gates cannot be stored.
pub fn circuit(outputs: u32) -> Result<Circuit, MakeError> {
    check("OUTPUTS", outputs.into(), 1..=1 << 16)?;
    let mut b = Builder::new();
    let a = b.input("seed_a", Party::Garbler, 32);
    let other = b.input("seed_b", Party::Evaluator, 32);
    let seed = int::xor(&mut b, &a, &other);
    let mut state = initial(&mut b, seed);
    let mut random = Vec::new();
    for i in 0..outputs as usize {
        if i.is_multiple_of(WORDS) {
            (0..WORDS).for_each(|place| twist(&mut b, &mut state, place));
        }
        random.extend(temper(&mut b, &state[i % WORDS]));
    }
    b.output("random", &random);
    Ok(b.finish()?)
}

/// The state's words from the seed.
fn initial(b: &mut Builder, seed: Vec<Bit>) -> Vec<Vec<Bit>> {
    let mut seeds = vec![seed];
    for _ in 1..2 * WORDS {
        let next = step(b, &seeds[seeds.len() - 1]);
        seeds.push(next);
    }
    seeds.chunks(2).map(|pair| [&pair[1][16..], &pair[0][16..]].concat()).collect()
}

/// `69069 s + 1`, as `17 p + 1 - 512 s` of `p = 4097 s - 4 s`. 100 ANDs.
fn step(b: &mut Builder, s: &[Bit]) -> Vec<Bit> {
    let p = add_shifted(b, s, s, 12, Bit::FALSE);
    let p = sub_shifted(b, &p, s, 2);
    // The 1 goes through the bits that the addition leaves alone, and into it as a carry.
    let low = int::increment_if(b, Bit::TRUE, &[&p[..4], &[Bit::FALSE]].concat());
    let sum = add_shifted(b, &p, &p, 4, low[4]);
    let sum = [&low[..4], &sum[4..]].concat();
    sub_shifted(b, &sum, s, 9)
}

/// `x - 2^shift y` at the width of both.
fn sub_shifted(b: &mut Builder, x: &[Bit], y: &[Bit], shift: usize) -> Vec<Bit> {
    add_shifted(b, x, &int::not(y), shift, Bit::TRUE)
}

/// `x + 2^shift (y + carry)` at the width of both.
fn add_shifted(b: &mut Builder, x: &[Bit], y: &[Bit], shift: usize, carry: Bit) -> Vec<Bit> {
    let mut carry = carry;
    let mut sum = x[..shift].to_vec();
    for (&x, &y) in x[shift..].iter().zip(y) {
        let both = b.xor(x, y);
        sum.push(b.xor(both, carry));
        if sum.len() < WIDTH {
            carry = majority(b, x, y, carry);
        }
    }
    sum
}

/// The carry of three bits, by an AND of which no input is inverted: the bits of a step are wires
/// and inverted wires in all combinations.
fn majority(b: &mut Builder, x: Bit, y: Bit, carry: Bit) -> Bit {
    let [x_not, y_not, carry_not] = [x, y, carry].map(Bit::is_inverted);
    if x_not == y_not && y_not == carry_not {
        // x unless both others differ from it.
        let x_y = b.xor(x, y);
        let x_c = b.xor(x, carry);
        let change = b.and(x_y, x_c);
        return b.xor(x, change);
    }
    // u is the one that alone is inverted or alone is not. Where v agrees with it the carry is v,
    // else the third.
    let (u, v, z) = if x_not == y_not {
        (carry, x, y)
    } else if y_not == carry_not {
        (x, y, carry)
    } else {
        (y, x, carry)
    };
    let agree = b.xnor(u, v);
    let change = b.xor(v, z);
    let change = b.and(agree, change);
    b.xor(z, change)
}

/// The word at `place` for the next round of outputs. No ANDs.
fn twist(b: &mut Builder, state: &mut [Vec<Bit>], place: usize) {
    let next = &state[(place + 1) % WORDS];
    // The top bit of one word above the low ones of the next, moved to the right by one.
    let odd = next[0];
    let mut word: Vec<Bit> = next[1..31].to_vec();
    word.extend([state[place][31], Bit::FALSE]);
    let word = int::xor(b, &state[(place + AHEAD) % WORDS], &word);
    state[place] = word
        .iter()
        .enumerate()
        .map(|(j, &bit)| if TWIST >> j & 1 == 1 { b.xor(bit, odd) } else { bit })
        .collect();
}

/// A word of the state as it is given out. No ANDs.
fn temper(b: &mut Builder, word: &[Bit]) -> Vec<Bit> {
    let mut word = word.to_vec();
    for (shift, mask) in TEMPERING {
        let shifted = |j: usize| usize::try_from(j as i32 - shift).ok().and_then(|j| word.get(j));
        let bit = |j: usize| match shifted(j) {
            Some(&other) if mask >> j & 1 == 1 => b.xor(word[j], other),
            _ => word[j],
        };
        word = (0..32).map(bit).collect();
    }
    word
}

/// The same in plain Rust.
pub fn plain(seed: u32, outputs: usize) -> Vec<u32> {
    let mut seed = seed;
    let mut state: Vec<u32> = Vec::with_capacity(WORDS);
    for _ in 0..WORDS {
        let high = seed & 0xffff_0000;
        seed = seed.wrapping_mul(69069).wrapping_add(1);
        state.push(high | (seed >> 16));
        seed = seed.wrapping_mul(69069).wrapping_add(1);
    }
    (0..outputs)
        .map(|i| {
            if i % WORDS == 0 {
                for place in 0..WORDS {
                    let next = state[(place + 1) % WORDS];
                    let joined = (state[place] & 0x8000_0000) | (next & 0x7fff_ffff);
                    let twisted = (joined >> 1) ^ ((joined & 1) * TWIST);
                    state[place] = state[(place + AHEAD) % WORDS] ^ twisted;
                }
            }
            TEMPERING.iter().fold(state[i % WORDS], |y, &(shift, mask)| {
                let shifted = if shift < 0 { y >> -shift } else { y << shift };
                y ^ (shifted & mask)
            })
        })
        .collect()
}
