//! AES-128 encryption (FIPS 197) with the key schedule inside the circuit: 6,400 ANDs a block.
//!
//! Only S-boxes have ANDs, 32 each ([`crate::sbox`]): 160 in the ten rounds and 40 in the key
//! schedule. Every byte string is in FIPS order: byte `k`, bit `j` is wire `8k + j`, which is
//! what `bytes:` writes on the command line.

use crate::error::MakeError;
use crate::ports::{Element, PortType};
use crate::program::{Params, ProgramInfo, check};
use crate::sbox::sbox;
use crate::state::{registers, set_next};
use halfgate_circuit::{Bit, Builder, Circuit, Party};

/// `aes128`: one block.
const TYPES: &[PortType] = &[
    PortType::one("key", Element::Bytes),
    PortType::one("block", Element::Bytes),
    PortType::one("ciphertext", Element::Bytes),
];

pub const SINGLE: ProgramInfo = ProgramInfo {
    name: "aes128",
    params: "",
    default: "",
    summary: "AES-128 encryption of one block, key schedule included",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128 (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| {
        params.none()?;
        single()
    },
};

/// `aes128-ecb`: a block a cycle.
pub const ECB: ProgramInfo = ProgramInfo {
    name: "aes128-ecb",
    params: "BLOCKS",
    default: "1",
    summary: "AES-128 encryption of a block in each of BLOCKS cycles under one key",
    ports: "garbler key:128; evaluator block:128 each cycle; output ciphertext:128 each cycle \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| ecb(params.one("BLOCKS")?),
};

/// `aes128-chained`: each block's plaintext is the ciphertext before.
pub const CHAINED: ProgramInfo = ProgramInfo {
    name: "aes128-chained",
    params: "BLOCKS",
    default: "1000",
    summary: "AES-128 applied BLOCKS times, each block's plaintext the ciphertext before",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128, the last one \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: |params: Params| chained(params.one("BLOCKS")?),
};

/// The most blocks (cycles) of [`ecb`] and [`chained`].
pub const MAX_BLOCKS: u64 = 1 << 40;

/// One block: garbler's `key` (128 bits), evaluator's `block` (128), output `ciphertext` (128).
/// 6,400 ANDs.
///
/// # Errors
/// If the gates cannot be stored.
pub fn single() -> Result<Circuit, MakeError> {
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let block = b.input("block", Party::Evaluator, 128);
    let ciphertext = encrypt(&mut b, &key, &block);
    b.output("ciphertext", &ciphertext);
    Ok(b.finish()?)
}

/// `blocks` cycles, each with its own evaluator's `block` and `ciphertext`, under one garbler's
/// `key`. 6,400 ANDs a cycle.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn ecb(blocks: u64) -> Result<Circuit, MakeError> {
    check("BLOCKS", blocks, 1..=MAX_BLOCKS)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let block = b.input_per_cycle("block", Party::Evaluator, 128);
    let ciphertext = encrypt(&mut b, &key, &block);
    b.output_per_cycle("ciphertext", &ciphertext);
    b.set_cycles(blocks);
    Ok(b.finish()?)
}

/// `blocks` encryptions one after the other, the state in flip-flops that start at the
/// evaluator's `block`; the `ciphertext` is the last. The body is one block of 6,400 ANDs, key
/// schedule included, so that size and memory do not depend on `blocks`.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn chained(blocks: u64) -> Result<Circuit, MakeError> {
    check("BLOCKS", blocks, 1..=MAX_BLOCKS)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let first = b.input("block", Party::Evaluator, 128);
    let state = registers(&mut b, &first);
    let ciphertext = encrypt(&mut b, &key, &state);
    set_next(&mut b, &state, &ciphertext);
    b.output("ciphertext", &ciphertext);
    b.set_cycles(blocks);
    Ok(b.finish()?)
}

/// AES-128 of `block` under `key`, each 128 bits in FIPS byte order, as is the result: for use
/// inside larger circuits. 6,400 ANDs.
///
/// # Panics
/// If `key` or `block` has fewer than 128 bits.
pub fn encrypt(b: &mut Builder, key: &[Bit], block: &[Bit]) -> Vec<Bit> {
    let mut round_key: State = std::array::from_fn(|i| byte(key, i));
    let block: State = std::array::from_fn(|i| byte(block, i));
    let mut state = xor_states(b, &block, &round_key);
    let mut round_constant = 1u8;
    for round in 1..=10 {
        state = shift_rows(&state.map(|byte| sbox(b, &byte)));
        if round < 10 {
            state = mix_columns(b, &state);
        }
        round_key = next_round_key(b, &round_key, round_constant);
        round_constant = (round_constant << 1) ^ ((round_constant >> 7) * REDUCTION);
        state = xor_states(b, &state, &round_key);
    }
    state.concat()
}

type Byte = [Bit; 8];
/// The 16 bytes in FIPS order: byte `4c + r` is row `r` of column `c`.
type State = [Byte; 16];

/// `x^8` modulo the field's polynomial.
const REDUCTION: u8 = 0x1b;

fn byte(bits: &[Bit], index: usize) -> Byte {
    std::array::from_fn(|j| bits[8 * index + j])
}

fn xor_bytes(b: &mut Builder, x: &Byte, y: &Byte) -> Byte {
    std::array::from_fn(|j| b.xor(x[j], y[j]))
}

fn xor_states(b: &mut Builder, x: &State, y: &State) -> State {
    std::array::from_fn(|i| xor_bytes(b, &x[i], &y[i]))
}

/// Row `r` turns left by `r` columns.
fn shift_rows(state: &State) -> State {
    std::array::from_fn(|i| state[(i + 4 * (i % 4)) % 16])
}

/// `2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3)` in each column, computed as
/// `2 (a_r + a_(r+1)) + a_(r+1) + (a_(r+2) + a_(r+3))`: the sums of neighbours are shared.
fn mix_columns(b: &mut Builder, state: &State) -> State {
    let right = |i: usize, by: usize| i / 4 * 4 + (i + by) % 4;
    let pairs: State = std::array::from_fn(|i| xor_bytes(b, &state[i], &state[right(i, 1)]));
    std::array::from_fn(|i| {
        let doubled = double(b, &pairs[i]);
        let rest = xor_bytes(b, &state[right(i, 1)], &pairs[right(i, 2)]);
        xor_bytes(b, &doubled, &rest)
    })
}

/// Times `x` in GF(2^8).
fn double(b: &mut Builder, x: &Byte) -> Byte {
    std::array::from_fn(|j| {
        let shifted = if j == 0 { Bit::FALSE } else { x[j - 1] };
        if REDUCTION >> j & 1 == 1 { b.xor(shifted, x[7]) } else { shifted }
    })
}

/// FIPS 197, section 5.2: the last column is turned, substituted and added to the first with
/// the round constant; each further column adds the one before.
fn next_round_key(b: &mut Builder, key: &State, round_constant: u8) -> State {
    let mut next = *key;
    for row in 0..4 {
        let mut changed = sbox(b, &key[12 + (row + 1) % 4]);
        if row == 0 {
            for (j, bit) in changed.iter_mut().enumerate() {
                *bit = bit.invert_if(round_constant >> j & 1 == 1);
            }
        }
        next[row] = xor_bytes(b, &key[row], &changed);
    }
    for i in 4..16 {
        next[i] = xor_bytes(b, &next[i - 4], &key[i]);
    }
    next
}
