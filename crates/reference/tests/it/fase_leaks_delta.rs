//! Why `half-gates-fase` is broken: an evaluator who does everything right reads Δ off one table.
//!
//! The suite hashes with `H(x,T) = π(x ^ T) ^ x ^ T`, π being AES under the run's key K. K is
//! public, so anybody computes π, and anybody computes its inverse. Step by step:
//!
//! 1. For an AND with active labels A and B the evaluator has the table's first row,
//!
//!        TG = H(A,T) ^ H(A^Δ,T) ^ pb·Δ
//!
//!    (A is one of A0 and A1, `A ^ Δ` the other; their sum does not tell which is which).
//!
//! 2. It knows A and T, so it computes H(A,T) and takes it out:
//!
//!        TG ^ H(A,T) = H(A^Δ,T) ^ pb·Δ = π(A ^ Δ ^ T) ^ (A ^ Δ ^ T) ^ pb·Δ
//!
//! 3. The feed-forward is linear in the label. Taking out A and T leaves Δ alone beside π:
//!
//!        TG ^ H(A,T) ^ A ^ T = π(A ^ Δ ^ T) ^ Δ ^ pb·Δ
//!
//! 4. pb is the colour of the false label B0: a fair coin. Where it is 1, the two Δ cancel, and
//!    what is left is a value of π and nothing else. π is a permutation with a public inverse:
//!
//!        π⁻¹(TG ^ H(A,T) ^ A ^ T) ^ A ^ T = Δ
//!
//! 5. The second row tells whether the guess `pb = 1` was right. For the true Δ,
//!    `TE ^ H(B,T') ^ H(B^Δ,T')` is A0, so A or `A ^ Δ`; a wrong one gives neither.
//!
//! With Δ, both labels of every wire are known, and so is every input of the garbler's.
//!
//! The other fixed-key suite puts σ around the label. Step 3 then leaves `σ(Δ) ^ pb·Δ` beside π,
//! which is zero for no Δ but 0, since `x ↦ σ(x) ^ x` is one to one; and without knowing it there
//! is nothing to put into the inverse. The same steps, run on that suite below, find nothing.

use halfgate_reference::{Aes128, Key, Place, Suite, colour, garble_and, position_tweak, sigma};

/// What the evaluator of one AND sees: the run's key, the AND's place, the active labels of its
/// inputs, and the table. Its guess of Δ, if the table gives it away.
fn recover_delta(key: Key, place: Place, a: u128, b: u128, table: &[u8]) -> Option<u128> {
    let row = |i: usize| u128::from_le_bytes(table[16 * i..16 * (i + 1)].try_into().unwrap());
    let (tg, te) = (row(0), row(1));
    let t = position_tweak(place, 0);
    let fed_forward = match key.suite {
        Suite::HalfGatesFase => a,
        _ => sigma(a),
    };
    // Steps 2 to 4.
    let value_of_pi = tg ^ key.hash(a, place, 0) ^ fed_forward ^ t;
    let delta = Aes128::new(key.point).decrypt(value_of_pi) ^ fed_forward ^ t;
    // Step 5.
    let a0 = te ^ key.hash(b, place, 1) ^ key.hash(b ^ delta, place, 1);
    (a0 == a || a0 == a ^ delta).then_some(delta)
}

/// Runs the attack on one AND in each of many runs, for all input values, and gives for each
/// whether pb was 1 and whether what came back was Δ.
fn attack(suite: Suite) -> Vec<(bool, bool)> {
    // Any numbers do; AES in counter mode gives as good ones as any.
    let source = Aes128::new(2015);
    let mut counter = 0;
    let mut random = || {
        counter += 1;
        source.encrypt(counter)
    };
    let mut found = Vec::new();
    for run in 0..32 {
        let key = Key { suite, point: random() };
        let (delta, a0, b0) = (random() | 1, random(), random());
        let place = Place { and: run, cycle: run % 3, gate: 3 * run };
        let (_, table) = garble_and(key, delta, place, a0, b0);
        for (a, b) in [(a0, b0), (a0 ^ delta, b0), (a0, b0 ^ delta), (a0 ^ delta, b0 ^ delta)] {
            let guess = recover_delta(key, place, a, b, &table);
            assert!(guess.is_none_or(|guess| guess == delta), "step 5 let a wrong Δ through");
            found.push((colour(b0), guess.is_some()));
        }
    }
    found
}

#[test]
fn half_gates_fase_gives_delta_away_in_one_table_of_two() {
    let found = attack(Suite::HalfGatesFase);
    assert!(found.iter().all(|&(pb, recovered)| pb == recovered), "Δ comes out just where pb is 1");
    let share = found.iter().filter(|(_, recovered)| *recovered).count() * 100 / found.len();
    assert!((25..=75).contains(&share), "about half of the tables: {share} %");
}

#[test]
fn the_same_attack_on_half_gates_fixed_key_finds_nothing() {
    assert!(attack(Suite::HalfGatesFixedKey).iter().all(|(_, recovered)| !recovered));
}
