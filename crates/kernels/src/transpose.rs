//! Transposes bit matrices of 128 columns. OT extension fills columns with pseudo-random generators
//! and needs one 128-bit row for each transfer.
//!
//! A 128x128 bit matrix is transposed by seven rounds of swaps. Round k exchanges the off-diagonal
//! k x k blocks of every 2k x 2k block (Warren, "Hacker's Delight", section 7-3). Here [`BLOCKS`]
//! matrices lie side by side and one operation covers all of them. So the inner loop is over
//! consecutive words with one shift and one mask, which compilers turn into vector code.

/// Number of 128x128 matrices transposed at once.
pub const BLOCKS: usize = 8;
/// Rows of one [`Columns`]: the transfers of one chunk.
pub const ROWS: usize = 128 * BLOCKS;

const WORDS: usize = 2 * BLOCKS;

/// 128 columns of [`ROWS`] bits. Bit j of a column is bit `j % 64` of its word `j / 64`.
pub type Columns = [[u64; WORDS]; 128];

/// Turns `columns` into rows: bit i of `rows[j]` is bit j of column i. Destroys `columns`.
pub fn transpose(columns: &mut Columns, rows: &mut [u128; ROWS]) {
    // With wider vectors, compilers make this four times as slow.
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        return unsafe { transpose_avx2(columns, rows) };
    }
    transpose_plainly(columns, rows);
}

/// # Safety
/// The processor must have AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,avx2")]
unsafe fn transpose_avx2(columns: &mut Columns, rows: &mut [u128; ROWS]) {
    transpose_plainly(columns, rows);
}

/// [`transpose`] with the vectors that are enabled where it is inlined.
#[inline(always)]
pub(crate) fn transpose_plainly(columns: &mut Columns, rows: &mut [u128; ROWS]) {
    // Rounds of blocks up to 32 bits stay inside 64-bit words. The round of 64 exchanges whole
    // words between the columns i and i + 64; it is done below, by reading the words from exchanged
    // places.
    swap::<32>(columns, 0x0000_0000_ffff_ffff);
    swap::<16>(columns, 0x0000_ffff_0000_ffff);
    swap::<8>(columns, 0x00ff_00ff_00ff_00ff);
    swap::<4>(columns, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2>(columns, 0x3333_3333_3333_3333);
    swap::<1>(columns, 0x5555_5555_5555_5555);
    let (low, high) = columns.split_at(64);
    for (block, rows) in rows.chunks_exact_mut(128).enumerate() {
        let (first, second) = rows.split_at_mut(64);
        for (j, (first, second)) in first.iter_mut().zip(second).enumerate() {
            let (low, high) = (&low[j], &high[j]);
            *first = u128::from(low[2 * block]) | u128::from(high[2 * block]) << 64;
            *second = u128::from(low[2 * block + 1]) | u128::from(high[2 * block + 1]) << 64;
        }
    }
}

/// Exchanges the high `K` bits of each field of 2K bits in column i with the low ones of column i +
/// K. `mask` has the low K bits of each field.
#[inline(always)]
fn swap<const K: usize>(columns: &mut Columns, mask: u64) {
    for group in columns.chunks_exact_mut(2 * K) {
        let (lower, upper) = group.split_at_mut(K);
        for (lower, upper) in lower.iter_mut().zip(upper) {
            for (a, b) in lower.iter_mut().zip(upper) {
                let differing = (*a >> K ^ *b) & mask;
                *b ^= differing;
                *a ^= differing << K;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_moves_to_its_place() {
        // A fixed linear congruential sequence: any matrix without symmetry is suitable.
        let mut state = 1_u64;
        let mut columns = [[0; WORDS]; 128];
        for word in columns.as_flattened_mut() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *word = state.rotate_left(29);
        }
        for transpose in [transpose, transpose_plainly] {
            let (mut original, mut rows) = (columns, [0; ROWS]);
            transpose(&mut original, &mut rows);
            for (j, row) in rows.iter().enumerate() {
                for (i, column) in columns.iter().enumerate() {
                    let bit = column[j / 64] >> (j % 64) & 1;
                    assert_eq!(row >> i & 1, u128::from(bit), "{i}, {j}");
                }
            }
        }
    }
}
