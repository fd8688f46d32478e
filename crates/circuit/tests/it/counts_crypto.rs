//! Compares sizes of cryptographic gadgets with their documentation and a golden file.

use crate::golden::{Gadget, check};
use halfgate_circuit::lfsr::{Fibonacci, Galois};
use halfgate_circuit::{aes, keccak};

#[test]
fn cryptography() {
    let mut gadgets = vec![
        Gadget::new("aes sbox", &[8], |b, x| {
            aes::sbox(b, &std::array::from_fn(|i| x[0][i])).to_vec()
        })
        .ands(32)
        .and_depth(6),
    ];
    for (key, ands, depth) in [(128, 6400, 60), (192, 7168, 72), (256, 8832, 84)] {
        let cipher =
            Gadget::new(format!("aes {key}"), &[key, 128], |b, x| aes::encrypt(b, &x[0], &x[1]));
        gadgets.push(cipher.ands(ands).and_depth(depth));
    }
    for (key, ands, depth) in [(128, 1280, 60), (192, 1024, 48), (256, 1664, 78)] {
        let schedule = Gadget::new(format!("aes {key} key schedule"), &[key], |b, x| {
            let mut schedule = aes::Schedule::new(&x[0]);
            let last = schedule.rounds();
            schedule.round_key(b, last).concat()
        });
        gadgets.push(schedule.ands(ands).and_depth(depth));
    }
    gadgets.push(Gadget::new("aes 128 ctr 512", &[128, 96], |b, x| {
        aes::Ctr::new(&x[0], &x[1]).next_bits(b, 512)
    }));
    gadgets.push(
        Gadget::new("keccak-f 1600", &[1600], |b, x| keccak::keccak_f(b, &x[0]))
            .ands(38_400)
            .and_depth(24),
    );
    // Bytes of the message: the largest number that fits a block, and one more.
    for (bytes, blocks) in [(135, 1), (136, 2)] {
        let hash = Gadget::new(format!("sha3-256 of {bytes} bytes"), &[8 * bytes], |b, x| {
            keccak::sha3_256(b, &x[0])
        });
        gadgets.push(hash.ands(38_400 * blocks - 1344).and_depth(24 * blocks as u32));
    }
    gadgets.push(
        Gadget::new("sha3-512 of 71 bytes", &[8 * 71], |b, x| keccak::sha3_512(b, &x[0]))
            .ands(38_400 - 1088)
            .and_depth(24),
    );
    gadgets.push(
        Gadget::new("shake128 of 32 bytes, 2000 bits", &[256], |b, x| {
            keccak::shake128(b, &x[0], 2000)
        })
        .and_depth(48),
    );
    let taps = [0, 11, 13, 14];
    gadgets.push(
        Gadget::new("lfsr 16 fibonacci, 64 bits", &[16], |b, x| {
            Fibonacci::new(&x[0], &taps).next_bits(b, 64)
        })
        .ands(0),
    );
    gadgets.push(
        Gadget::new("lfsr 16 galois, 64 bits", &[16], |b, x| {
            Galois::new(&x[0], &taps).next_bits(b, 64)
        })
        .ands(0),
    );
    check("crypto", &gadgets);
}
