//! Shows why `half-gates-fase` is broken: an honest evaluator can compute Δ from one table.
//!
//! The suite hashes with `H(x,T) = π(x ^ T) ^ x ^ T`, where π is AES under the run's key K. K is
//! public, so anyone can compute π and its inverse. Step by step:
//!
//! 1. For an AND with active labels A and B the evaluator has the table's first row,
//!
//!        TG = H(A,T) ^ H(A^Δ,T) ^ pb·Δ
//!
//!    (A is one of A0 and A1, and `A ^ Δ` is the other; the sum of their hashes hides which).
//!
//! 2. The evaluator knows A and T, so it computes H(A,T) and removes it:
//!
//!        TG ^ H(A,T) = H(A^Δ,T) ^ pb·Δ = π(A ^ Δ ^ T) ^ (A ^ Δ ^ T) ^ pb·Δ
//!
//! 3. The feed-forward is linear in the label. Removing A and T leaves only Δ beside π:
//!
//!        TG ^ H(A,T) ^ A ^ T = π(A ^ Δ ^ T) ^ Δ ^ pb·Δ
//!
//! 4. pb is the colour of the false label B0: a fair coin. If it is 1, the two Δ cancel, and only a
//!    value of π remains. π is a permutation with a public inverse:
//!
//!        π⁻¹(TG ^ H(A,T) ^ A ^ T) ^ A ^ T = Δ
//!
//! 5. The second row confirms the guess `pb = 1`. For the true Δ, `TE ^ H(B,T') ^ H(B^Δ,T')` is A0,
//!    so A or `A ^ Δ`; for a wrong Δ it is neither.
//!
//! Δ reveals both labels of every wire, and so every input of the garbler.
//!
//! The other fixed-key suite applies σ to the label. Step 3 then leaves `σ(Δ) ^ pb·Δ` beside π.
//! This is zero only for Δ = 0, since `x ↦ σ(x) ^ x` is one to one, and without the value of this
//! term the inverse of π cannot be applied. The same steps, run on that suite below, find nothing.

use halfgate_reference::{Aes128, Key, Place, Suite, colour, garble_and, position_tweak, sigma};

/// Guesses Δ from the evaluator's view of one AND: the run's key, the AND's place, the active
/// labels of its inputs, and the table. Returns `None` if the table does not reveal Δ.
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

/// Runs the attack on one AND in each of many runs, for all input values. Returns for each run
/// whether pb was 1 and whether the attack found Δ.
fn attack(suite: Suite) -> Vec<(bool, bool)> {
    // Any numbers will do; AES in counter mode is a convenient source.
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
