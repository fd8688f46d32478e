//! The permutation Keccak-f\[1600\] (FIPS 202, section 3): 24 rounds of five steps.
//!
//! The state is 5 by 5 lanes of 64 bits; bit `z` of lane `(x, y)` is bit `64 (5 y + x) + z`.

use crate::builder::Builder;
use crate::id::Bit;

/// Bits of the state.
pub const STATE_BITS: usize = 1600;

const ROUNDS: usize = 24;
const LANE: usize = 64;

/// Applies Keccak-f\[1600\] to `state`. 38,400 ANDs, of depth 24.
///
/// # Panics
/// If `state` does not have [`STATE_BITS`] bits.
pub fn keccak_f(b: &mut Builder, state: &[Bit]) -> Vec<Bit> {
    permute(b, state, STATE_BITS)
}

/// Returns the first `needed` bits of the permuted state, at most all of them. The last round takes
/// one AND per returned bit.
pub(super) fn permute(b: &mut Builder, state: &[Bit], needed: usize) -> Vec<Bit> {
    assert_eq!(state.len(), STATE_BITS, "the state of Keccak-f[1600] has 1600 bits");
    let mut state = state.to_vec();
    let mut constants = RoundConstants::new();
    for round in 0..ROUNDS {
        state = theta(b, &state);
        state = rho_and_pi(&state);
        let all = if round + 1 < ROUNDS { STATE_BITS } else { needed.min(STATE_BITS) };
        state = chi(b, &state, all);
        // ι: adds a constant to lane (0, 0).
        let constant = constants.next_constant();
        for (z, bit) in state.iter_mut().take(LANE).enumerate() {
            *bit = bit.invert_if(constant >> z & 1 == 1);
        }
    }
    state
}

fn at(x: usize, y: usize, z: usize) -> usize {
    LANE * (5 * (y % 5) + x % 5) + z % LANE
}

/// Returns the coordinates `(x, y, z)` of a bit: column, row and depth.
fn coordinates(index: usize) -> (usize, usize, usize) {
    (index / LANE % 5, index / LANE / 5, index % LANE)
}

/// Adds the parities of two neighbouring columns to each bit.
fn theta(b: &mut Builder, state: &[Bit]) -> Vec<Bit> {
    let parities: Vec<Bit> = (0..5 * LANE)
        .map(|i| {
            let (x, _, z) = coordinates(i);
            (1..5).fold(state[at(x, 0, z)], |sum, y| b.xor(sum, state[at(x, y, z)]))
        })
        .collect();
    let effects: Vec<Bit> = (0..5 * LANE)
        .map(|i| {
            let (x, _, z) = coordinates(i);
            b.xor(parities[at(x + 4, 0, z)], parities[at(x + 1, 0, z + LANE - 1)])
        })
        .collect();
    (0..STATE_BITS).map(|i| b.xor(state[i], effects[i % (5 * LANE)])).collect()
}

/// Rotates each lane and moves it. Free, without a gate.
fn rho_and_pi(state: &[Bit]) -> Vec<Bit> {
    let mut moved = state.to_vec();
    // This starts with lane (1, 0), and continues with the lane to which π moves the previous one.
    // The t-th lane rotates by the t-th triangular number. Lane (0, 0) stays.
    let (mut x, mut y) = (1, 0);
    for t in 1..25 {
        let turn = t * (t + 1) / 2;
        let (to_x, to_y) = (y, (2 * x + 3 * y) % 5);
        for z in 0..LANE {
            moved[at(to_x, to_y, z + turn)] = state[at(x, y, z)];
        }
        (x, y) = (to_x, to_y);
    }
    moved
}

/// Applies χ, the only step with ANDs: one per bit. Returns the first `count` bits of the new
/// state.
fn chi(b: &mut Builder, state: &[Bit], count: usize) -> Vec<Bit> {
    (0..count)
        .map(|i| {
            let (x, y, z) = coordinates(i);
            let change = b.and(!state[at(x + 1, y, z)], state[at(x + 2, y, z)]);
            b.xor(state[i], change)
        })
        .collect()
}

/// The round constants: bits of an eight-bit LFSR (FIPS 202, algorithm 5), seven per round, at
/// places `2^j - 1` of the lane.
struct RoundConstants {
    register: u8,
}

impl RoundConstants {
    fn new() -> RoundConstants {
        RoundConstants { register: 1 }
    }

    fn next_constant(&mut self) -> u64 {
        (0..7).fold(0, |constant, j| {
            let bit = u64::from(self.register & 1);
            self.register = (self.register << 1) ^ ((self.register >> 7) * 0x71);
            constant | bit << ((1 << j) - 1)
        })
    }
}
