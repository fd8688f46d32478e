//! Compares AES with FIPS 197, and garbling with evaluation and the clear value.

use halfgate_reference::*;

/// splitmix64, twice: random enough for tests, the same on every computer.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    fn label(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }
    fn bit(&mut self) -> bool {
        self.word() & 1 == 1
    }
    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }
    /// A gate of any kind on wires below `wires`, driving wire `wires`.
    fn gate(&mut self, wires: usize) -> Gate {
        let (a, b, out) = (self.below(wires), self.below(wires), wires);
        match self.below(5) {
            0 => Gate::Copy { a, out, invert: self.bit() },
            1 | 2 => Gate::Xor { a, b, out, invert: self.bit() },
            _ => {
                let (invert_a, invert_b, invert_out) = (self.bit(), self.bit(), self.bit());
                Gate::And { a, b, out, invert_a, invert_b, invert_out }
            }
        }
    }
}

fn block(hex: &str) -> u128 {
    u128::from_str_radix(hex, 16).unwrap().swap_bytes()
}

#[test]
fn aes_is_that_of_fips_197() {
    // Appendix B, then appendix C.1.
    let vectors = [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "3243f6a8885a308d313198a2e0370734",
            "3925841d02dc09fbdc118597196a0b32",
        ),
        (
            "000102030405060708090a0b0c0d0e0f",
            "00112233445566778899aabbccddeeff",
            "69c4e0d86a7b0430d8cdb78070b4c55a",
        ),
    ];
    for (key, plain, cipher) in vectors {
        let aes = Aes128::new(block(key));
        assert_eq!(aes.encrypt(block(plain)), block(cipher), "encrypt under {key}");
        assert_eq!(aes.decrypt(block(cipher)), block(plain), "decrypt under {key}");
    }
}

#[test]
fn sha_1_is_that_of_fips_180() {
    let hex = |message: &[u8]| sha1(message).map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    // Two blocks, and an empty message.
    let two = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_eq!(hex(two), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

/// The right pair of labels opens its row of a table, whatever the colours.
#[test]
fn rows_are_where_colours_point() {
    for (suite, bytes) in [(Suite::Grr3Sha1, 30), (Suite::Grr3, 48)] {
        let key = Key { suite, point: 3 };
        let place = Place { and: 7, cycle: 0, gate: 9 };
        let mut random = Random(3);
        for colours in 0..4 {
            let delta = suite.clip(random.label() | 1);
            let zero = |random: &mut Random, colour: u128| {
                (suite.clip(random.label()) & !1) | (colour & 1)
            };
            let (a0, b0) = (zero(&mut random, colours), zero(&mut random, colours >> 1));
            let (c0, table) = garble_and(key, delta, place, a0, b0);
            assert_eq!(table.len(), bytes);
            for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
                let active = |zero, value| if value { zero ^ delta } else { zero };
                let found = evaluate_and(key, place, &table, active(a0, a), active(b0, b));
                assert_eq!(found, active(c0, a & b));
            }
            let other = Place { and: 8, gate: 10, ..place };
            assert_ne!(garble_and(key, delta, other, a0, b0).1, table);
        }
    }
}

/// Compares with results of OpenSSL and integer arithmetic: AES of `2A ^ 4B ^ T`, XORed with
/// `2A ^ 4B ^ T`.
#[test]
fn pairs_are_hashed_in_a_field() {
    assert_eq!(double(1 << 127), 0x87);
    assert_eq!(double(double(0xc << 124)), (0x87 << 1) ^ 0x87);
    let key = Key { suite: Suite::Grr3, point: 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100 };
    let place = Place { and: 0, cycle: 5, gate: 0x1234 };
    let (a, b) =
        (0xfedc_ba98_7654_3210_0123_4567_89ab_cdef, 0x8000_0000_0000_0000_0000_0000_0000_0001);
    assert_eq!(key.hash_pair(a, b, place), 0xfeac_0fbf_da5e_5006_c248_6817_2714_5728);
}

#[test]
fn sigma_and_sigma_plus_identity_are_one_to_one() {
    // Both are linear: one to one exactly if the images of the unit vectors are independent.
    for map in [sigma as fn(u128) -> u128, |x| sigma(x) ^ x] {
        let mut basis: Vec<u128> = Vec::new();
        for i in 0..128 {
            let reduced = basis.iter().fold(map(1 << i), |x, &b| x.min(x ^ b));
            assert_ne!(reduced, 0, "the image of bit {i} depends on those before");
            basis.push(reduced);
        }
    }
}

#[test]
fn random_circuits_evaluate_to_their_values() {
    let mut random = Random(1);
    for round in 0..40 {
        let suite = Suite::ALL[round % Suite::ALL.len()];
        let key = Key { suite, point: random.label() };
        let delta = suite.clip(random.label() | 1);
        let inputs = 1 + random.below(12);
        let wires = inputs + random.below(60);
        let gates: Vec<Gate> = (inputs..wires).map(|out| random.gate(out)).collect();
        let cycle = Cycle { number: random.word(), first_and: random.word() >> 2 };

        let zeros: Vec<u128> = (0..inputs).map(|_| suite.clip(random.label())).collect();
        let garbled = garble(key, delta, cycle, &gates, &zeros);
        assert!(garbled.tables.iter().all(|table| table.len() == key.suite.table_bytes()));

        let mut values: Vec<bool> = (0..inputs).map(|_| random.bit()).collect();
        let active = |value: bool, zero: u128| if value { zero ^ delta } else { zero };
        let labels: Vec<u128> = values.iter().zip(&zeros).map(|(&v, &z)| active(v, z)).collect();
        let labels = evaluate(key, cycle, &gates, &garbled.tables, &labels);
        for gate in &gates {
            values.push(gate.clear(&values));
        }
        for (wire, &label) in labels.iter().enumerate() {
            let expected = active(values[wire], garbled.false_labels[wire]);
            assert_eq!(label, expected, "wire {wire}, round {round}");
        }
    }
}

/// A toggling bit, `q' = (q & enable) ^ q ^ 1`, over several cycles: AND numbers continue, and
/// cycles count up.
#[test]
fn cycles_continue_and_numbers() {
    let (q, enable) = (0, 1);
    let gates = [
        Gate::Xor { a: q, b: enable, out: 2, invert: false },
        Gate::And { a: q, b: enable, out: 3, invert_a: false, invert_b: false, invert_out: false },
        Gate::Xor { a: 3, b: q, out: 4, invert: true },
    ];
    for suite in Suite::ALL {
        let mut random = Random(2);
        let key = Key { suite, point: random.label() };
        let mut label = || suite.clip(random.label());
        let delta = label() | 1;
        let (mut q0, mut q_active, mut value) = (label(), 0, false);
        q_active ^= q0;
        let mut cycle = Cycle::default();
        let mut tables = Vec::new();
        for step in 0..9 {
            assert_eq!(cycle, Cycle { number: step, first_and: step });
            let enable0 = suite.clip(random.label());
            let on = random.bit();
            let garbled = garble(key, delta, cycle, &gates, &[q0, enable0]);
            let labels = [q_active, if on { enable0 ^ delta } else { enable0 }];
            q_active = evaluate(key, cycle, &gates, &garbled.tables, &labels)[4];
            q0 = garbled.false_labels[4];
            value = !((value & on) ^ value);
            assert_eq!(q_active, if value { q0 ^ delta } else { q0 }, "cycle {step}");
            tables.extend(garbled.tables);
            cycle = cycle.next(&gates);
        }
        // The same AND on the same labels has a different table in the next cycle.
        let at = |cycle| garble(key, delta, cycle, &gates, &[1, 2]).tables;
        assert_ne!(at(Cycle::default()), at(Cycle::default().next(&gates)), "{suite:?}");
    }
}
