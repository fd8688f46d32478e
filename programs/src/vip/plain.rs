//! The benchmarks in plain Rust on random values, for [`Benchmark::plaintext`](super::Benchmark).

use super::gradient_descent::{self, Order};
use super::{bubble_sort, dot_product, matmult, mersenne, relu, triangle};
use crate::published::plain_gradient_descent;
use std::hint::black_box;

/// Numbers of splitmix64 (Steele, Lea and Flood, 2014): the same ones in each run.
fn random() -> impl Iterator<Item = u64> {
    (1u64..).map(|i| {
        let mut z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

fn numbers(count: usize) -> Vec<u32> {
    black_box(random().take(count).map(|x| x as u32).collect())
}

/// A number that depends on all of `numbers`.
fn digest(numbers: &[u32]) -> u64 {
    numbers.iter().fold(0, |digest: u64, &x| digest.rotate_left(5) ^ u64::from(x))
}

pub(super) fn bubble_sort() -> u64 {
    digest(&bubble_sort::plain(numbers(256)))
}

pub(super) fn shrinking_bubble_sort() -> u64 {
    let mut numbers = numbers(256);
    for unsorted in (2..=numbers.len()).rev() {
        for i in 1..unsorted {
            if numbers[i] < numbers[i - 1] {
                numbers.swap(i - 1, i);
            }
        }
    }
    digest(&numbers)
}

pub(super) fn dot_product() -> u64 {
    let numbers = numbers(256);
    dot_product::plain(&numbers[..128], &numbers[128..]).into()
}

pub(super) fn mersenne() -> u64 {
    digest(&mersenne::plain(numbers(1)[0], 1000))
}

pub(super) fn triangle() -> u64 {
    triangle::plain(13, &numbers(13 * 13)).into()
}

pub(super) fn hamming<const BITS: usize>() -> u64 {
    let words = BITS.div_ceil(64);
    let values: Vec<u64> = black_box(random().take(2 * words).collect());
    let distance = |word: usize| {
        let differences = values[word] ^ values[words + word];
        let bits = BITS - 64 * word;
        let in_range = if bits < 64 { differences & ((1 << bits) - 1) } else { differences };
        u64::from(in_range.count_ones())
    };
    (0..words).map(distance).sum()
}

pub(super) fn matmult<const SIZE: usize, const BITS: usize>() -> u64 {
    let numbers = numbers(2 * SIZE * SIZE);
    let (x, y) = numbers.split_at(SIZE * SIZE);
    let mask = u32::MAX >> (32 - BITS);
    let product: Vec<u32> = matmult::plain(SIZE, x, y).iter().map(|x| x & mask).collect();
    digest(&product)
}

pub(super) fn relu() -> u64 {
    let numbers: Vec<i32> = numbers(2048).into_iter().map(u32::cast_signed).collect();
    let positive: Vec<u32> = relu::plain(&numbers).into_iter().map(i32::cast_unsigned).collect();
    digest(&positive)
}

pub(super) fn gradient_descent() -> u64 {
    let (weight, bias) = gradient_descent::plain(&points(6), 20, Order::OneByOne);
    digest(&[weight.to_bits(), bias.to_bits()])
}

pub(super) fn published_gradient_descent() -> u64 {
    let (weight, bias) = plain_gradient_descent(&points(9), 20);
    digest(&[weight.to_bits(), bias.to_bits()])
}

/// Points near the line y = 2 x + 1.
fn points(count: u8) -> Vec<(f32, f32)> {
    let near = |(i, x): (u8, u64)| (f32::from(i), f32::from(2 * i + 1) + (x >> 40) as f32 / 2e7);
    black_box((0..count).zip(random()).map(near).collect())
}

pub(super) fn add<const BITS: usize>() -> u64 {
    let numbers = numbers(2);
    u64::from(numbers[0].wrapping_add(numbers[1])) & ((1 << BITS) - 1)
}

pub(super) fn multiply() -> u64 {
    let numbers = numbers(2);
    numbers[0].wrapping_mul(numbers[1]).into()
}

pub(super) fn millionaires<const BITS: usize>() -> u64 {
    let numbers = numbers(2);
    let mask = (1 << BITS) - 1;
    u64::from(numbers[0] & mask > numbers[1] & mask)
}

/// Encrypts a block with a table for the S-box, as portable software does.
pub(super) fn aes128() -> u64 {
    use aes_table::encrypt;
    let bytes: Vec<u8> = black_box(random().take(32).map(|x| x as u8).collect());
    let (key, block) = bytes.split_at(16);
    encrypt(key, block).iter().fold(0, |digest, &x| digest.rotate_left(5) ^ u64::from(x))
}

mod aes_table {
    //! AES-128 (FIPS 197) on bytes.

    pub(super) fn encrypt(key: &[u8], block: &[u8]) -> [u8; 16] {
        let sbox = sbox();
        let mut round_key: [u8; 16] = std::array::from_fn(|i| key[i]);
        let mut state: [u8; 16] = std::array::from_fn(|i| block[i] ^ key[i]);
        let mut constant = 1;
        for round in 1..=10 {
            state = std::array::from_fn(|i| sbox[usize::from(state[(i + 4 * (i % 4)) % 16])]);
            if round < 10 {
                state = std::array::from_fn(|i| {
                    let at = |by: usize| state[i / 4 * 4 + (i + by) % 4];
                    double(at(0) ^ at(1)) ^ at(1) ^ at(2) ^ at(3)
                });
            }
            for i in 0..16 {
                let mixed = match i {
                    0..4 => sbox[usize::from(round_key[12 + (i + 1) % 4])],
                    _ => round_key[i - 4],
                };
                round_key[i] ^= if i == 0 { mixed ^ constant } else { mixed };
            }
            constant = double(constant);
            (0..16).for_each(|i| state[i] ^= round_key[i]);
        }
        state
    }

    fn double(x: u8) -> u8 {
        (x << 1) ^ ((x >> 7) * 0x1b)
    }

    /// The table of `S(x)`. It goes through the field by powers of the generator 3 and their
    /// inverses.
    fn sbox() -> [u8; 256] {
        let mut sbox = [0x63; 256];
        let (mut x, mut inverse) = (1u8, 1u8);
        for _ in 0..255 {
            sbox[usize::from(x)] = (0..5).fold(0x63, |s, turn| s ^ inverse.rotate_left(turn));
            x ^= double(x);
            // Division by 3: the XOR of all left shifts, then the reduction.
            inverse ^= inverse << 1;
            inverse ^= inverse << 2;
            inverse ^= inverse << 4;
            inverse ^= (inverse >> 7) * 0x09;
        }
        sbox
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn appendix_b() {
            let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3cu128.to_be_bytes();
            let block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734u128.to_be_bytes();
            let ciphertext = 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32u128.to_be_bytes();
            assert_eq!(super::encrypt(&key, &block), ciphertext);
        }
    }
}
