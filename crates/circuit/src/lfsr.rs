//! Linear feedback shift registers with public taps: long sequences from short seeds, with XORs
//! only.
//!
//! They are for test patterns, checksums and spreading. They give no randomness against anyone who
//! sees the sequence: for a register of `n` bits, `2n` bits of the sequence reveal its state and
//! taps by linear algebra (Berlekamp and Massey). For secure randomness use
//! [`aes::Ctr`](crate::aes::Ctr).
//!
//! Taps are the exponents `t` below `n` in the polynomial `x^n + ... + x^t + ... + 1`; 0 must be
//! among them. With a primitive polynomial, every state but 0 occurs before a state repeats.

use crate::builder::Builder;
use crate::id::Bit;

/// A register in Fibonacci's form: each step makes one new bit, the sum of the tapped bits.
///
/// The sequence is `s[k + n] = sum of s[k + t]` over the taps `t`, and starts with the seed.
pub struct Fibonacci {
    /// The next `n` bits of the sequence.
    state: Vec<Bit>,
    taps: Vec<usize>,
}

impl Fibonacci {
    /// Creates a register that starts with `seed`.
    ///
    /// # Panics
    /// If 0 is not among `taps`, or a tap is not below the seed's length.
    pub fn new(seed: &[Bit], taps: &[usize]) -> Fibonacci {
        check(seed, taps);
        Fibonacci { state: seed.to_vec(), taps: taps.to_vec() }
    }

    /// Returns the next bit of the sequence. No AND; one XOR fewer than there are taps.
    pub fn next_bit(&mut self, b: &mut Builder) -> Bit {
        let fed_back = self.taps.iter().fold(Bit::FALSE, |sum, &t| b.xor(sum, self.state[t]));
        self.state.push(fed_back);
        self.state.remove(0)
    }

    /// Returns the next `count` bits of the sequence.
    pub fn next_bits(&mut self, b: &mut Builder, count: usize) -> Vec<Bit> {
        (0..count).map(|_| self.next_bit(b)).collect()
    }

    /// Returns the state: the next `n` bits of the sequence.
    pub fn state(&self) -> &[Bit] {
        &self.state
    }
}

/// A register in Galois' form: its state is a polynomial modulo the taps' polynomial, and a step
/// multiplies the state by `x`.
///
/// Its XORs are independent of each other, so the depth does not grow with the number of taps.
pub struct Galois {
    /// Coefficients, that of `x^0` first.
    state: Vec<Bit>,
    taps: Vec<usize>,
}

impl Galois {
    /// Creates a register that starts with `seed`.
    ///
    /// # Panics
    /// If 0 is not among `taps`, or a tap is not below the seed's length.
    pub fn new(seed: &[Bit], taps: &[usize]) -> Galois {
        check(seed, taps);
        Galois { state: seed.to_vec(), taps: taps.to_vec() }
    }

    /// Makes a step, and returns the bit that leaves at the top. No AND; one XOR fewer than there
    /// are taps.
    pub fn next_bit(&mut self, b: &mut Builder) -> Bit {
        self.state.rotate_right(1);
        let top = self.state[0];
        for &t in self.taps.iter().filter(|&&t| t != 0) {
            self.state[t] = b.xor(self.state[t], top);
        }
        top
    }

    /// Returns the bits that leave at the top in the next `count` steps.
    pub fn next_bits(&mut self, b: &mut Builder, count: usize) -> Vec<Bit> {
        (0..count).map(|_| self.next_bit(b)).collect()
    }

    /// Returns the polynomial's coefficients, that of `x^0` first.
    pub fn state(&self) -> &[Bit] {
        &self.state
    }
}

fn check(seed: &[Bit], taps: &[usize]) {
    assert!(taps.contains(&0), "without tap 0 the register is shorter than its seed");
    assert!(taps.iter().all(|&t| t < seed.len()), "a tap of {taps:?} is not below {}", seed.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;
    use crate::circuit::Party;
    use crate::clear;

    /// x^16 + x^14 + x^13 + x^11 + 1, which is primitive.
    const TAPS: [usize; 4] = [0, 11, 13, 14];
    /// x^8 + x^4 + x^3 + x^2 + 1, which is primitive.
    const SHORT_TAPS: [usize; 4] = [0, 2, 3, 4];

    fn run(seed: u128, width: u32, f: impl FnOnce(&mut Builder, &[Bit]) -> Vec<Bit>) -> Bits {
        let mut b = Builder::new();
        let bits = b.input("seed", Party::Garbler, width);
        let output = f(&mut b, &bits);
        assert_eq!(b.ands(), 0);
        b.output("output", &output);
        let seed = Bits::from_integer(seed, width as usize);
        clear::evaluate(&b.finish().unwrap(), &[seed], 1).unwrap().remove(0)
    }

    #[test]
    fn fibonacci_follows_its_recurrence() {
        let seed = 0xace1_u64;
        let found = run(seed.into(), 16, |b, x| Fibonacci::new(x, &TAPS).next_bits(b, 200));
        let mut sequence: Vec<bool> = (0..16).map(|i| seed >> i & 1 == 1).collect();
        for k in 0..184 {
            sequence.push(TAPS.iter().fold(false, |sum, t| sum ^ sequence[k + t]));
        }
        assert_eq!(found, Bits::from_bools(&sequence));
    }

    #[test]
    fn galois_multiplies_by_x() {
        let seed = 0xace1_u32;
        let state = |steps| {
            run(seed.into(), 16, |b, x| {
                let mut register = Galois::new(x, &TAPS);
                register.next_bits(b, steps);
                register.state().to_vec()
            })
        };
        let mut expected = seed;
        for steps in 0..60 {
            assert_eq!(state(steps).to_integer(), Some(expected.into()), "{steps} steps");
            expected = (expected << 1) ^ ((expected >> 15 & 1) * 0x16801);
        }
    }

    /// With a primitive polynomial, all 255 nonzero states occur, then the first again, in both
    /// forms.
    #[test]
    fn periods_are_full() {
        for seed in [1, 0x80, 0xff] {
            let states = run(seed, 8, |b, x| {
                let (mut f, mut g) = (Fibonacci::new(x, &SHORT_TAPS), Galois::new(x, &SHORT_TAPS));
                let mut states = Vec::new();
                for _ in 0..=255 {
                    states.extend_from_slice(f.state());
                    states.extend_from_slice(g.state());
                    f.next_bit(b);
                    g.next_bit(b);
                }
                states
            });
            let bytes = states.to_bytes();
            for form in 0..2 {
                let states: Vec<u8> = bytes.iter().skip(form).step_by(2).copied().collect();
                let distinct: std::collections::BTreeSet<u8> =
                    states[..255].iter().copied().collect();
                assert_eq!((distinct.len(), states[255]), (255, states[0]));
                assert!(!distinct.contains(&0));
            }
        }
    }

    #[test]
    #[should_panic(expected = "without tap 0")]
    fn tap_zero_is_needed() {
        Galois::new(&[Bit::FALSE; 4], &[1]);
    }
}
