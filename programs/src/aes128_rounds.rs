//! AES-128 with one round per cycle: an example of a small body for a long computation.
//!
//! The body is one round and one step of the key schedule. State, round key and round number are in
//! flip-flops, and a block takes ten cycles. TinyGarble's `AES_128_11` (Songhori et al., IEEE S&P
//! 2015) takes eleven cycles of 1,437 ANDs each (4,662 gates less 3,225 XORs in FASE's table of
//! netlists); its first cycle only adds the key. This circuit adds a key before the S-boxes in each
//! cycle, and in the tenth cycle another one after them, so every cycle uses its S-boxes.

use crate::aes128::{MAX_BLOCKS, TYPES};
use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use crate::state::{registers, set_next};
use halfgate_circuit::aes::{self, Byte, State};
use halfgate_circuit::{Bit, Builder, Circuit, Init, Party};

/// `aes128-rounds`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "aes128-rounds",
    params: "BLOCKS",
    default: "100",
    summary: "aes128-chained with one round per cycle: BLOCKS blocks in 10 cycles each",
    ports: "garbler key:128; evaluator block:128; output ciphertext:128, the last one \
            (FIPS byte order, bytes:)",
    types: TYPES,
    make: Make::Flat(|params: Params| circuit(params.one("BLOCKS")?)),
};

/// Cycles per block.
pub const CYCLES_PER_BLOCK: u64 = 10;

/// Garbler's `key` and evaluator's `block` (128 bits each); output `ciphertext` (128), the block
/// encrypted `blocks` times in sequence. 10 cycles per block and 896 ANDs per cycle: 512 in the
/// round's S-boxes, 128 in those of the key schedule, and 256 that select the last round's results.
///
/// Agree only on runs whose number of cycles is a multiple of ten. Any other run outputs an
/// intermediate state, which reveals more about the key than a ciphertext does.
///
/// # Errors
/// If `blocks` is 0 or above [`MAX_BLOCKS`], or the gates cannot be stored.
pub fn circuit(blocks: u64) -> Result<Circuit, MakeError> {
    check("BLOCKS", blocks, 1..=MAX_BLOCKS)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, 128);
    let block = b.input("block", Party::Evaluator, 128);
    let state = registers(&mut b, &block);
    let round_key = registers(&mut b, &key);
    // The round number in one-hot form: ten bits, rotated by one in each cycle. The rotation needs
    // no gate, and the round constants are XORs of these bits.
    let round: Vec<Bit> =
        (0..CYCLES_PER_BLOCK).map(|i| b.flip_flop(Init::Constant(i == 0))).collect();
    let last = round[9];

    let old_key = aes::bytes(&round_key);
    let added = aes::xor_states(&mut b, &aes::bytes(&state), &old_key);
    let substituted = aes::shift_rows(&aes::sub_bytes(&mut b, &added));
    let mixed = aes::mix_columns(&mut b, &substituted);
    let constant = round_constant(&mut b, &round);
    let new_key = aes::next_round_key_128(&mut b, &old_key, &constant);
    let ciphertext = aes::xor_states(&mut b, &substituted, &new_key);

    let next_state = select(&mut b, last, &ciphertext, &mixed);
    let next_key = select(&mut b, last, &aes::bytes(&key), &new_key);
    set_next(&mut b, &state, &next_state.concat());
    set_next(&mut b, &round_key, &next_key.concat());
    let turned: Vec<Bit> = (0..10).map(|i| round[(i + 9) % 10]).collect();
    set_next(&mut b, &round, &turned);
    b.output("ciphertext", &ciphertext.concat());
    b.set_cycles(CYCLES_PER_BLOCK * blocks);
    Ok(b.finish()?)
}

/// `if_true` where `condition` is 1, else `if_false`. 128 ANDs.
fn select(b: &mut Builder, condition: Bit, if_true: &State, if_false: &State) -> State {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| b.mux(condition, if_true[i][j], if_false[i][j]))
    })
}

/// The round constant (FIPS 197, section 5.2) of the round whose bit in `round` is 1.
fn round_constant(b: &mut Builder, round: &[Bit]) -> Byte {
    const CONSTANTS: [u8; 10] = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];
    std::array::from_fn(|j| {
        let with_bit = round.iter().zip(CONSTANTS).filter(|(_, constant)| constant >> j & 1 == 1);
        with_bit.fold(Bit::FALSE, |sum, (&bit, _)| b.xor(sum, bit))
    })
}
