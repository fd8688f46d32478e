//! SHA-256 (FIPS 180-4) of a message of which each party has a part, and its compression function
//! on one block or folded over many. Byte strings are in FIPS order: bit `j` of byte `k` is wire
//! `8k + j`.
//!
//! The compression function has 64 rounds per block. `Ch` and `Maj` take 32 ANDs each, one per bit;
//! rotations and XORs are free. All other ANDs are in additions. Sums of several words are computed
//! column by column (`sum`), which takes fewer ANDs than a sequence of adders: 22,271 per block;
//! the widely used Bristol Fashion circuit has 22,573.

use crate::error::MakeError;
use crate::message;
use crate::ports::{Element, PortType};
use crate::program::{Make, Params, ProgramInfo, check, check_size};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `sha256`: the digest of a message.
pub const MESSAGE: ProgramInfo = ProgramInfo {
    name: "sha256",
    params: "G+E",
    default: "32+23",
    summary: "SHA-256 of the garbler's G bytes followed by the evaluator's E bytes, padded inside",
    ports: message::PORTS,
    types: message::TYPES,
    make: Make::Flat(|params: Params| {
        let (prefix, message) = params.two(["G", "E"], '+')?;
        digest(prefix, message)
    }),
};

/// `sha256-block`: the compression function.
pub const BLOCK: ProgramInfo = ProgramInfo {
    name: "sha256-block",
    params: "",
    default: "",
    summary: "SHA-256's compression function: one block, any state, no padding",
    ports: "garbler state:256; evaluator block:512; output digest:256 (FIPS byte order, bytes:)",
    types: &[
        PortType::one("state", Element::Bytes),
        PortType::one("block", Element::Bytes),
        PortType::one("digest", Element::Bytes),
    ],
    make: Make::Flat(|params: Params| {
        params.none()?;
        compression()
    }),
};

/// `sha256-chain`: the compression function over many blocks.
pub const CHAIN: ProgramInfo = ProgramInfo {
    name: "sha256-chain",
    params: "BLOCKS",
    default: "4",
    summary: "SHA-256's compression function over BLOCKS blocks in sequence, no padding",
    ports: "garbler state:256; evaluator blocks:512*BLOCKS, the blocks in order; \
            output digest:256, the last state (FIPS byte order, bytes:)",
    types: &[
        PortType::one("state", Element::Bytes),
        PortType::one("blocks", Element::Bytes),
        PortType::one("digest", Element::Bytes),
    ],
    make: Make::Structured(|params: Params| chain(params.one("BLOCKS")?)),
};

/// Maximum number of blocks of [`chain`]: their bits must fit in the wires of a body.
pub const MAX_CHAIN: u32 = 1 << 20;

/// ANDs per block, if both state and message are secret.
const BLOCK_ANDS: u64 = 22_271;

/// Garbler's `prefix` of `prefix_bytes` bytes and evaluator's `message` of `message_bytes` bytes
/// (a part of 0 bytes has no port); output `digest`, 256 bits: SHA-256 of `prefix` followed by
/// `message`. At most 22,271 ANDs per block of 64 bytes; the padding takes at least 9 bytes.
///
/// # Errors
/// If both parts are empty or one is above 65,536 bytes, or the gates cannot be stored.
pub fn digest(prefix_bytes: u32, message_bytes: u32) -> Result<Circuit, MakeError> {
    let bytes = message::check_bytes(prefix_bytes, message_bytes)?;
    check_size(&[(bytes + 9).div_ceil(64), BLOCK_ANDS])?;

    let mut b = Builder::new();
    let mut message = message::inputs(&mut b, prefix_bytes, message_bytes);
    pad(&mut message);
    let mut state = INITIAL.map(constant);
    for block in message.chunks(512) {
        state = compress(&mut b, &state, &words_of(block));
    }
    b.output("digest", &bytes_of(&state));
    Ok(b.finish()?)
}

/// Garbler's `state` (256 bits) and evaluator's `block` (512); output `digest`, the 256 bits of
/// the next state. 22,271 ANDs.
///
/// # Errors
/// If the gates cannot be stored.
pub fn compression() -> Result<Circuit, MakeError> {
    let mut b = Builder::new();
    let state = b.input("state", Party::Garbler, 256);
    let block = b.input("block", Party::Evaluator, 512);
    let next = compress_bytes(&mut b, &state, &block);
    b.output("digest", &next);
    Ok(b.finish()?)
}

/// Garbler's `state` (256 bits) and evaluator's `blocks` (`blocks` times 512 bits, in order);
/// output `digest`, the 256 bits of the state after the last block. A fold of the compression
/// function: 22,271 ANDs per block, and a text that does not grow with their number.
///
/// The caller pads: with FIPS 180-4's initial value as `state` and a padded message as `blocks`,
/// `digest` is the message's SHA-256.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_CHAIN`], or the gates cannot be stored.
pub fn chain(blocks: u32) -> Result<StructuredCircuit, MakeError> {
    check("BLOCKS", blocks.into(), 1..=MAX_CHAIN.into())?;
    let mut b = Builder::new();
    let state = b.input("state", Party::Garbler, 256);
    let message = b.input_array("blocks", Party::Evaluator, 512, blocks);
    let arguments = [Arg::Array(message)];
    let folded = b.fold("compress", blocks.into(), &state, &arguments, |b, state, block| {
        (compress_bytes(b, state, &block[0]), Vec::new())
    });
    b.output("digest", &folded.state);
    Ok(b.finish_structured()?)
}

/// [`compress`] on byte strings: 256 bits of state and 512 of a block.
pub fn compress_bytes(b: &mut Builder, state: &[Bit], block: &[Bit]) -> Vec<Bit> {
    bytes_of(&compress(b, &words_of(state), &words_of(block)))
}

/// A 32-bit word, bit 0 first.
pub type Word = [Bit; 32];

/// The compression function of FIPS 180-4, section 6.2.2, on words, for use in larger circuits. At
/// most 22,271 ANDs; fewer if words are constant.
pub fn compress(b: &mut Builder, state: &[Word; 8], block: &[Word; 16]) -> [Word; 8] {
    let mut schedule = block.to_vec();
    for t in 16..64 {
        let s0 = small_sigma(b, &schedule[t - 15], [7, 18], 3);
        let s1 = small_sigma(b, &schedule[t - 2], [17, 19], 10);
        let word = sum(b, &[s1, schedule[t - 7], s0, schedule[t - 16]]);
        schedule.push(word);
    }
    let [mut a, mut bb, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, k) in schedule.iter().zip(ROUND_CONSTANTS) {
        let s1 = big_sigma(b, &e, [6, 11, 25]);
        let choice = choose(b, &e, &f, &g);
        let t1 = sum(b, &[h, s1, choice, *word, constant(k)]);
        let s0 = big_sigma(b, &a, [2, 13, 22]);
        let majority = majority(b, &a, &bb, &c);
        (h, g, f) = (g, f, e);
        e = sum(b, &[d, t1]);
        (d, c, bb) = (c, bb, a);
        a = sum(b, &[t1, s0, majority]);
    }
    let worked = [a, bb, c, d, e, f, g, h];
    std::array::from_fn(|i| sum(b, &[state[i], worked[i]]))
}

/// The sum of `terms` modulo 2^32, column by column. A full adder (one AND) replaces three bits of
/// a column by their sum, a half adder the last two; each adds a carry to the next column. The last
/// column needs no carries, so it has only XORs.
///
/// A sequence of adders would need one half adder per adder in the first column. Constants are last
/// in each column, where the half adder is, because its AND with a constant folds.
fn sum(b: &mut Builder, terms: &[Word]) -> Word {
    let mut carries = Vec::new();
    std::array::from_fn(|column| {
        let mut bits: Vec<Bit> = terms.iter().map(|term| term[column]).collect();
        bits.append(&mut carries);
        bits.sort_by_key(|bit| bit.as_constant().is_some());
        let (first, rest) = bits.split_first().unwrap_or((&Bit::FALSE, &[]));
        rest.chunks(2).fold(*first, |x, pair| {
            let (y, z) = (pair[0], *pair.get(1).unwrap_or(&Bit::FALSE));
            if column < 31 {
                carries.push(majority_bit(b, x, y, z));
            }
            xor3(b, x, y, z)
        })
    })
}

/// `e ? f : g` in each bit. 32 ANDs.
fn choose(b: &mut Builder, e: &Word, f: &Word, g: &Word) -> Word {
    std::array::from_fn(|i| b.mux(e[i], f[i], g[i]))
}

/// The majority of `x`, `y` and `z` in each bit. 32 ANDs.
fn majority(b: &mut Builder, x: &Word, y: &Word, z: &Word) -> Word {
    std::array::from_fn(|i| majority_bit(b, x[i], y[i], z[i]))
}

/// The majority as `((x ^ y) & (y ^ z)) ^ y`: if `y` differs from `x` and `z`, these two are equal.
fn majority_bit(b: &mut Builder, x: Bit, y: Bit, z: Bit) -> Bit {
    let xy = b.xor(x, y);
    let yz = b.xor(y, z);
    let outvoted = b.and(xy, yz);
    b.xor(outvoted, y)
}

fn xor3(b: &mut Builder, x: Bit, y: Bit, z: Bit) -> Bit {
    let xy = b.xor(x, y);
    b.xor(xy, z)
}

/// `Σ`: three rotations to the right, added without carry.
fn big_sigma(b: &mut Builder, x: &Word, turns: [usize; 3]) -> Word {
    std::array::from_fn(|i| {
        let [p, q, r] = turns.map(|by| x[(i + by) % 32]);
        xor3(b, p, q, r)
    })
}

/// `σ`: two rotations and a shift to the right, added without carry.
fn small_sigma(b: &mut Builder, x: &Word, turns: [usize; 2], shift: usize) -> Word {
    std::array::from_fn(|i| {
        let [p, q] = turns.map(|by| x[(i + by) % 32]);
        xor3(b, p, q, *x.get(i + shift).unwrap_or(&Bit::FALSE))
    })
}

/// FIPS 180-4, section 5.1.1: a one bit (the highest of its byte), zeros, the length in bits as
/// 64 bits, most significant byte first.
fn pad(message: &mut Vec<Bit>) {
    let length = message.len() as u64;
    message.extend(int::constant(8, 0x80));
    while message.len() % 512 != 448 {
        message.push(Bit::FALSE);
    }
    message.extend(int::constant(64, length.swap_bytes().into()));
}

/// The big-endian words in a byte string of `32 N` bits.
fn words_of<const N: usize>(bytes: &[Bit]) -> [Word; N] {
    std::array::from_fn(|word| std::array::from_fn(|i| bytes[32 * word + byte_order(i)]))
}

/// The byte string of big-endian words.
fn bytes_of(words: &[Word]) -> Vec<Bit> {
    words.iter().flat_map(|word| (0..32).map(|i| word[byte_order(i)])).collect()
}

/// The position of bit `i` of a big-endian word in its four bytes. It is its own inverse.
fn byte_order(i: usize) -> usize {
    i ^ 24
}

fn constant(value: u32) -> Word {
    std::array::from_fn(|i| Bit::constant(value >> i & 1 == 1))
}

/// The first 32 bits of the fractions of the square roots of the first 8 primes.
const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
const ROUND_CONSTANTS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
