//! Round keys for the re-keyed suite from tables: one XOR per round key.
//!
//! `half-gates` hashes under the AES-128 keys `k(n) = S ^ (n << 64)`, with n = 2i for AND i's first
//! input and 2i+1 for its second. Expanding each key costs more than encrypting under it. But the
//! AES-128 key schedule is, up to a linear change of basis, four independent 32-bit maps (Leurent
//! and Pernot, "New Representations of the AES Key Schedule", EUROCRYPT 2021), and the two low
//! bytes of n enter different maps. So for n = hi‖m‖j, with m and j one byte each,
//!
//! ```text
//!     rk_r(hi‖m‖j) = high_r(m) ^ low_r(j),    low_r(j) = rk_r(hi‖0‖j) ^ rk_r(hi‖0‖0)
//! ```
//!
//! where `high_r(m) = rk_r(hi‖m‖0)`. By the same structure, words 1 and 3 of `low_r(j)` equal words
//! 0 and 2 with half of the bytes cleared: bytes 1 and 3 stay if r is even, bytes 0 and 2 if r is
//! odd. So the eight bytes of words 0 and 2 determine `low_r(j)`, and the table for all j and r is
//! 22 KiB, which leaves space for labels in the first-level cache. The table is made once per
//! 32,768 ANDs and `high` once per 128 ANDs. A round key is one load with a shuffle, one AND and
//! one XOR. S and n are public, so indexing by them leaks nothing. A test compares every round key
//! with FIPS-197's expansion.

use crate::lanes::Row;

/// Round keys of AES-128.
pub type RoundKeys = [u128; 11];

/// ANDs that share one `high`: 256 keys.
pub(crate) const BLOCK: usize = 128;
/// ANDs that share one `low` table.
pub(crate) const EPOCH_SHIFT: u32 = 15;
/// Most lanes of a vector, and the number of spare entries after each row. A vector that extends
/// past the last AND of a block reads spare entries and does not use them.
pub(crate) const MAX_LANES: usize = 8;
/// Entries of a row of `low`. It is not a power of two, so that the 11 rows that a kernel reads
/// side by side do not fall into the same cache set.
pub(crate) const STRIDE: usize = BLOCK + MAX_LANES;

/// The parts of the first and third words of `low_r(j)` that its second and fourth words keep:
/// bytes 1 and 3 in even rounds, bytes 0 and 2 in odd ones.
const KEEP: [u32; 2] = [0xff00_ff00, 0x00ff_00ff];

/// [`KEEP`] over the four words of a round key, by the round's parity.
pub(crate) const MASKS: [u128; 2] = [mask(KEEP[0]), mask(KEEP[1])];

const fn mask(keep: u32) -> u128 {
    let word = keep as u128;
    0xffff_ffff | word << 32 | 0xffff_ffff << 64 | word << 96
}

/// Round keys for the AND numbers of one run, made on demand.
pub struct Schedule {
    point: u128,
    expand: fn(u128) -> RoundKeys,
    epoch: Option<u64>,
    block: Option<u64>,
    /// Row r, entry i % BLOCK: word 0 of `low_r(2i)` and of `low_r(2i + 1)`, then word 2 of both.
    low: Box<Low>,
    high: RoundKeys,
}

/// The tables that a kernel reads to compute `rk_r` of AND i's key number `half`. It takes the even
/// words (if `half` is 0) or the odd ones (if it is 1) of entry `i % BLOCK` of `low[r]`. It doubles
/// these words, `a‖b` to `a‖a‖b‖b`, masks the result with [`MASKS`]`[r % 2]`, and XORs `high[r]`.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    pub high: &'a RoundKeys,
    pub low: &'a [[Row; STRIDE]; 11],
}

/// Rows begin with a cache line, so that aligned vectors do not cross lines.
#[repr(C, align(64))]
struct Low([[Row; STRIDE]; 11]);

const _: () = assert!((STRIDE * size_of::<Row>()).is_multiple_of(64));

impl Schedule {
    /// Makes a schedule for the start point `point`, with a kernel's own key expansion.
    pub(crate) fn new(point: u128, expand: fn(u128) -> RoundKeys) -> Schedule {
        let low = Box::new(Low([[[0; 16]; STRIDE]; 11]));
        Schedule { point, expand, epoch: None, block: None, low, high: [0; 11] }
    }

    /// Returns the tables for AND number `and` and those after it up to the next multiple of
    /// [`BLOCK`].
    #[inline]
    pub(crate) fn keys(&mut self, and: u64) -> Keys<'_> {
        let block = and / BLOCK as u64;
        if self.block != Some(block) {
            self.turn(block);
        }
        Keys { high: &self.high, low: &self.low.0 }
    }

    #[cold]
    fn turn(&mut self, block: u64) {
        let first = block * BLOCK as u64;
        let epoch = first >> EPOCH_SHIFT;
        if self.epoch != Some(epoch) {
            let number = u128::from(epoch << EPOCH_SHIFT) * 2;
            let base = self.expand_number(number);
            for j in 0..2 * BLOCK {
                let keys = self.expand_number(number + j as u128);
                for r in 0..11 {
                    words_of_low(&mut self.low.0[r][j / 2], j % 2, keys[r] ^ base[r]);
                }
            }
            self.epoch = Some(epoch);
        }
        self.high = self.expand_number(u128::from(first) * 2);
        self.block = Some(block);
    }

    /// The round keys of `S ^ (number << 64)`.
    fn expand_number(&self, number: u128) -> RoundKeys {
        (self.expand)(self.point ^ (number << 64))
    }
}

/// Writes words 0 and 2 of `low` to the places of input `half` in an entry of a table.
pub(crate) fn words_of_low(entry: &mut Row, half: usize, low: u128) {
    let low = low.to_le_bytes();
    let entry = &mut entry[half * 4..];
    entry[..4].copy_from_slice(&low[..4]);
    entry[8..12].copy_from_slice(&low[8..12]);
}

/// FIPS-197 key expansion by table lookup, for public keys on processors without AES instructions.
pub(crate) fn expand_portable(key: u128) -> RoundKeys {
    let sbox = &SBOX;
    let mut keys = [0u128; 11];
    let mut words = [0, 1, 2, 3].map(|i| (key >> (32 * i)) as u32);
    let mut rcon = 1u32;
    keys[0] = key;
    for key in &mut keys[1..] {
        let rotated = words[3].rotate_right(8).to_le_bytes();
        words[0] ^= u32::from_le_bytes(rotated.map(|b| sbox[b as usize])) ^ rcon;
        for i in 1..4 {
            words[i] ^= words[i - 1];
        }
        *key = words.iter().rev().fold(0, |all, &w| all << 32 | u128::from(w));
        rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
    }
    keys
}

/// The AES S-box, computed: inversion in GF(2^8), then the affine map.
static SBOX: [u8; 256] = sbox();

const fn sbox() -> [u8; 256] {
    let mut table = [0; 256];
    // p runs through all non-zero elements as powers of the generator 3; q is the inverse of p.
    let (mut p, mut q) = (1u8, 1u8);
    loop {
        p = p ^ (p << 1) ^ ((p >> 7) * 0x1b);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        q ^= (q >> 7) * 0x09;
        table[p as usize] =
            q ^ q.rotate_left(1) ^ q.rotate_left(2) ^ q.rotate_left(3) ^ q.rotate_left(4) ^ 0x63;
        if p == 1 {
            break;
        }
    }
    table[0] = 0x63;
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansion_is_that_of_fips_197() {
        let key = u128::from_le_bytes(
            *b"\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c",
        );
        let last = *b"\xd0\x14\xf9\xa8\xc9\xee\x25\x89\xe1\x3f\x0c\xc8\xb6\x63\x0c\xa6";
        assert_eq!(expand_portable(key)[10].to_le_bytes(), last);
    }

    /// Tests the identity behind the table, at AND numbers around every byte boundary and in
    /// between.
    #[test]
    fn tables_give_the_round_keys_of_every_and() {
        let points = [0, u128::MAX, 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210, 1 << 71 | 99];
        // The interpreter Miri takes about a second for a hundred AND numbers.
        let step = if cfg!(miri) { 97 } else { 7 };
        let starts = [0, 127, 128, 32_767, 65_535, (1 << 23) - 1, (1 << 31) - 2, 1 << 47, 1 << 62];
        for point in points {
            let mut schedule = Schedule::new(point, expand_portable);
            for and in starts.into_iter().flat_map(|s| (s..s + 300).step_by(step)) {
                let keys = schedule.keys(and);
                for half in 0..2 {
                    let number = u128::from(and) * 2 + half as u128;
                    let wanted = expand_portable(point ^ (number << 64));
                    for (r, wanted) in wanted.into_iter().enumerate() {
                        let entry = keys.low[r][and as usize % BLOCK];
                        let word = |i: usize| {
                            let bytes = &entry[4 * half + 8 * i..][..4];
                            u128::from(u32::from_le_bytes(bytes.try_into().unwrap()))
                        };
                        let doubled = [word(0), word(0), word(1), word(1)];
                        let low = doubled.iter().rev().fold(0, |all, word| all << 32 | word);
                        let low = low & MASKS[r % 2];
                        assert_eq!(keys.high[r] ^ low, wanted, "AND {and} half {half} rk {r}");
                    }
                }
            }
        }
    }
}
