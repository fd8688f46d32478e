//! Converts operands to lanes and back by transposing squares of 64 by 64 bits.

use super::{BATCH, Kind, WORDS};

/// Converts sets of at most three operands to the input values of a circuit: port `i` gets operand
/// `i` of every set, set `j` in lane `j`. Unused lanes hold zeros.
pub(in crate::float) fn spread(
    sets: &[[u64; 3]],
    kinds: &[Kind],
    ports: &mut Vec<Vec<[u64; WORDS]>>,
) {
    ports.resize(kinds.len(), Vec::new());
    for (port, (kind, bits)) in kinds.iter().zip(ports).enumerate() {
        bits.clear();
        bits.resize(kind.width(), [0; WORDS]);
        for (word, sets) in sets.chunks(64).enumerate() {
            let mut square = [0; 64];
            square.iter_mut().zip(sets).for_each(|(row, set)| *row = set[port]);
            transpose(&mut square);
            bits.iter_mut().zip(square).for_each(|(bit, lanes)| bit[word] = lanes);
        }
    }
}

/// Returns the value in each lane of an output of at most 64 bits.
pub(in crate::float) fn gather(bits: &[[u64; WORDS]]) -> [u64; BATCH] {
    let mut values = [0; BATCH];
    for (word, values) in values.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        square.iter_mut().zip(bits).for_each(|(row, bit)| *row = bit[word]);
        transpose(&mut square);
        values.copy_from_slice(&square);
    }
    values
}

/// Transposes the square: bit `j` of word `i` moves to bit `i` of word `j`. Swaps the off-diagonal
/// quarters, then the off-diagonal quarters of each quarter, and so on (Warren, "Hacker's Delight",
/// section 7-3).
fn transpose(square: &mut [u64; 64]) {
    let mut mask = u64::MAX >> 32;
    let mut step = 32;
    while step > 0 {
        let mut row = 0;
        while row < 64 {
            let change = (square[row] >> step ^ square[row + step]) & mask;
            square[row] ^= change << step;
            square[row + step] ^= change;
            row = (row + step + 1) & !step;
        }
        step /= 2;
        mask ^= mask << step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn transposed() {
        let mut random = Random::new(1);
        let square: [u64; 64] = std::array::from_fn(|_| random.next());
        let mut turned = square;
        transpose(&mut turned);
        for (i, row) in turned.iter().enumerate() {
            assert!((0..64).all(|j| row >> j & 1 == square[j] >> i & 1));
        }
    }
}
