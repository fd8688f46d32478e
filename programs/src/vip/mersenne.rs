//! Merse: the Mersenne twister MT19937 (Matsumoto and Nishimura, 1998) from a secret seed. Like the
//! benchmark, it initialises the state as the first release of MT19937 did: the 624 words are the
//! high halves of 1,248 successive values of `s -> 69069 s + 1` modulo 2^32.
//!
//! **Size.** 1,000 outputs, as in the benchmark's source. Only the initialisation has ANDs: the
//! twist and the tempering move, mask and XOR bits. No number of outputs gives the counts in
//! Table 2 of the HAAC paper. The paper's circuit has 1,764 levels, too few for 1,248 sequential
//! steps of several additions each. It has 392k ANDs. This program would have 270k if the product
//! by 69069 took an addition for each 1 bit of 69069.
//!
//! **A step** takes 100 ANDs, 97 of them for the product by 69069. The product is four additions
//! and subtractions of shifted numbers, in which only the bits above the shift take ANDs. An
//! exhaustive search found no product of fewer additions, and with four additions none of fewer
//! ANDs. The other 3 ANDs add the 1 to the lowest four bits, which the third addition does not
//! change; the carry out of them is the carry into that addition. (With an addition for each of
//! the nine 1 bits of 69069, a step would take 216 ANDs: 185 for eight additions, and 31 to add
//! the 1.)
//!
//! `mersenne-folded` is the same function. The initialisation is a fold, each step of which makes a
//! word of the state from two seeds. Another fold runs over rounds of 624 outputs. A round twists
//! the state by three maps over words, so that no map needs a word that it computes itself, and
//! twists the last word alone. A fourth map tempers the words.
//!
//! The seed is the XOR of one word of each party, so neither party knows or chooses it.

use crate::error::MakeError;
use crate::ports::{Element, PortType, Width};
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};
use std::ops::Range;

/// `mersenne`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "mersenne",
    params: "OUTPUTS",
    default: "1000",
    summary: "outputs of the Mersenne twister from a secret seed (VIP-Bench)",
    ports: "garbler seed_a:32, evaluator seed_b:32, whose XOR is the seed; output random: OUTPUTS \
            numbers of 32 bits",
    types: &[PortType::list("random", Element::Unsigned, Width::Bits(32))],
    make: Make::Flat(|params: Params| circuit(params.one("OUTPUTS")?)),
};

/// `mersenne-folded`.
pub const FOLDED: ProgramInfo = ProgramInfo {
    name: "mersenne-folded",
    summary: "mersenne as folds and maps: a short text at any number of OUTPUTS",
    make: Make::Structured(|params: Params| folded(params.one("OUTPUTS")?)),
    ..INFO
};

/// Bits of a word.
pub(crate) const WIDTH: usize = 32;
/// Words of the state.
pub(crate) const WORDS: usize = 624;
/// Distance to the word that is XORed to a twisted word.
pub(crate) const AHEAD: usize = 397;
/// The constant that is XORed to a twisted word if the word was odd before its shift.
pub(crate) const TWIST: u32 = 0x9908_b0df;
/// Shifts and masks of the tempering: each step is `y ^= (y << shift) & mask`, or `>>` for a
/// negative shift.
pub(crate) const TEMPERING: [(i32, u32); 4] =
    [(-11, !0), (7, 0x9d2c_5680), (15, 0xefc6_0000), (-18, !0)];

/// Garbler's `seed_a` and evaluator's `seed_b` of 32 bits; output `random`, the first `outputs`
/// numbers of the generator with the seed `seed_a ^ seed_b`. All ANDs are in the 1,247 steps of the
/// initialisation, so their number does not depend on `outputs`.
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

/// The initial state for a seed.
fn initial(b: &mut Builder, seed: Vec<Bit>) -> Vec<Vec<Bit>> {
    let mut seeds = vec![seed];
    for _ in 1..2 * WORDS {
        let next = step(b, &seeds[seeds.len() - 1]);
        seeds.push(next);
    }
    seeds.chunks(2).map(|pair| word(&pair[0], &pair[1])).collect()
}

/// The word of the initial state that two successive seeds make.
fn word(seed: &[Bit], next: &[Bit]) -> Vec<Bit> {
    [&next[16..], &seed[16..]].concat()
}

/// The function of [`circuit`] as folds and maps, with as many ANDs.
///
/// # Errors
/// As for [`circuit`].
pub fn folded(outputs: u32) -> Result<StructuredCircuit, MakeError> {
    check("OUTPUTS", outputs.into(), 1..=1 << 16)?;
    let mut b = Builder::new();
    let a = b.input("seed_a", Party::Garbler, 32);
    let other = b.input("seed_b", Party::Evaluator, 32);
    let seed = int::xor(&mut b, &a, &other);
    // No seed follows the last word.
    let words = b.fold("initial", WORDS as u64 - 1, &seed, &[], |b, seed, _| {
        let second = step(b, seed);
        (step(b, &second), word(seed, &second))
    });
    let last = step(&mut b, &words.state);
    let mut state = [words.outputs.bits(), word(&words.state, &last)].concat();

    let (rounds, rest) = (outputs as usize / WORDS, outputs as usize % WORDS);
    let mut random = Vec::new();
    if rounds > 0 {
        let folded = b.fold("round", rounds as u64, &state, &[], |b, state, _| {
            let state = twist_all(b, state);
            let random = temper_all(b, &state);
            (state, random)
        });
        random.extend(folded.outputs.bits());
        state = folded.state;
    }
    if rest > 0 {
        let state = twist_all(&mut b, &state);
        random.extend(temper_all(&mut b, &state[..rest * WIDTH]));
    }
    b.output("random", &random);
    Ok(b.finish_structured()?)
}

/// The state for the next round of outputs, by maps over words. No ANDs.
fn twist_all(b: &mut Builder, state: &[Bit]) -> Vec<Bit> {
    let words =
        |of: &[Bit], places: Range<usize>| of[places.start * WIDTH..places.end * WIDTH].to_vec();
    let known = WORDS - AHEAD;
    // The word ahead is of the old state for the first places, then of the new one.
    let mut twisted: Vec<Bit> = Vec::with_capacity(state.len());
    for places in [0..known, known..2 * known, 2 * known..WORDS - 1] {
        let ahead = match places.start {
            0 => words(state, AHEAD..WORDS),
            start => words(&twisted, start - known..places.end - known),
        };
        let (own, next) =
            (words(state, places.clone()), words(state, places.start + 1..places.end + 1));
        let arguments = [Arg::Sliced(&own), Arg::Sliced(&next), Arg::Sliced(&ahead)];
        let new = b.map("twist", places.len() as u64, &arguments, |b, words| {
            twisted_word(b, &words[0], &words[1], &words[2])
        });
        twisted.extend(new.bits());
    }
    let (own, next) = (words(state, WORDS - 1..WORDS), words(&twisted, 0..1));
    let ahead = words(&twisted, AHEAD - 1..AHEAD);
    let last = twisted_word(b, &own, &next, &ahead);
    twisted.extend(last);
    twisted
}

/// The outputs for words of the state, by a map. No ANDs.
fn temper_all(b: &mut Builder, words: &[Bit]) -> Vec<Bit> {
    let lanes = (words.len() / WIDTH) as u64;
    b.map("temper", lanes, &[Arg::Sliced(words)], |b, word| temper(b, &word[0])).bits()
}

/// `69069 s + 1`, as `17 p + 1 - 512 s` with `p = 4097 s - 4 s`. 100 ANDs.
fn step(b: &mut Builder, s: &[Bit]) -> Vec<Bit> {
    let p = add_shifted(b, s, s, 12, Bit::FALSE);
    let p = sub_shifted(b, &p, s, 2);
    // The 1 is added to the low bits, which the addition does not change; their carry goes into it.
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

/// The carry of three bits, by an AND without inverted inputs. Each of the bits may be a wire or an
/// inverted wire, in any combination.
fn majority(b: &mut Builder, x: Bit, y: Bit, carry: Bit) -> Bit {
    let [x_not, y_not, carry_not] = [x, y, carry].map(Bit::is_inverted);
    if x_not == y_not && y_not == carry_not {
        // The majority is x unless both others differ from it.
        let x_y = b.xor(x, y);
        let x_c = b.xor(x, carry);
        let change = b.and(x_y, x_c);
        return b.xor(x, change);
    }
    // u is the bit whose inversion differs from that of both others. If v equals u, the carry is v,
    // else z.
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

/// Computes the word at `place` for the next round of outputs. No ANDs.
fn twist(b: &mut Builder, state: &mut [Vec<Bit>], place: usize) {
    let (next, ahead) = (&state[(place + 1) % WORDS], &state[(place + AHEAD) % WORDS]);
    state[place] = twisted_word(b, &state[place], next, ahead);
}

/// The new value of `word`, from the next word and the one [`AHEAD`] words ahead.
fn twisted_word(b: &mut Builder, word: &[Bit], next: &[Bit], ahead: &[Bit]) -> Vec<Bit> {
    // The top bit of this word and the lower bits of the next one, shifted right by one.
    let odd = next[0];
    let joined = [&next[1..31], &[word[31], Bit::FALSE]].concat();
    let word = int::xor(b, ahead, &joined);
    let bits = word.iter().enumerate();
    bits.map(|(j, &bit)| if TWIST >> j & 1 == 1 { b.xor(bit, odd) } else { bit }).collect()
}

/// The output for a word of the state. No ANDs.
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

/// The same function in plain Rust.
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
