//! Parties that use their secrets to cheat.

use super::*;
use halfgate_circuit::Wire;

/// A party may use other inputs than it was given, which is no deviation. All its messages must
/// agree on the input.
#[test]
fn a_party_that_masks_another_input_computes_with_that_input() {
    for party in [Party::Garbler, Party::Evaluator] {
        let circuit = || random::circuit(9, &Shape { input_bits: 8, ..Shape::default() });
        let bits: usize = circuit().inputs.iter().map(|input| input.width as usize).sum();
        let mut sessions = 0;
        for wire in 0..bits as u32 {
            let mut case = case_of(&circuit, 9, 1, 1);
            let wire = Wire::new(wire);
            let Some(values) = flipped(&circuit(), &case, party, wire.index()) else { continue };
            case.outputs = vec![clear::evaluate(&circuit(), &values, 1).unwrap()];
            let mut cheater = Cheater::honest(party);
            cheater.inside.flipped_input = Some(wire);
            let error = cheater.run(&case).error(&case, party, &wire);
            assert_eq!(error, None, "{party} {wire:?}");
            sessions += 1;
        }
        assert!(sessions > 0, "the {party} has inputs");
    }
}

/// All inputs, with one bit flipped; `None` if that bit is not one of `party`.
fn flipped(circuit: &Circuit, case: &Case, party: Party, bit: usize) -> Option<Vec<Bits>> {
    let all = case.garbler[0].iter().zip(&case.evaluator[0]);
    let mut values: Vec<Bits> =
        all.map(|(first, second)| first.clone().or(second.clone()).unwrap()).collect();
    let mut first = 0;
    for (input, value) in circuit.inputs.iter().zip(&mut values) {
        let width = input.width as usize;
        if (first..first + width).contains(&bit) {
            let own = input.party == party;
            value.set(bit - first, !value.get(bit - first));
            return own.then_some(values);
        }
        first += width;
    }
    None
}

#[test]
fn a_garbler_with_another_offset_in_its_tables_is_detected() {
    let case = several_windows();
    let mut cheater = Cheater::honest(Party::Garbler);
    cheater.inside.garbles_under_another_offset = true;
    for _ in 0..8 {
        let error = cheater.run(&case).error(&case, Party::Garbler, &"another offset").unwrap();
        assert!(error.contains("the check of its tables"), "{error}");
    }
}

/// A wrong G, with the own L corrected for a guess of the peer's share: the session ends unless all
/// guesses are right, and its outputs are right if it does not end.
#[test]
fn a_guess_in_leaky_ands_is_caught_unless_it_is_right() {
    // One window of 128 ANDs and 6 layers, in pieces of at most 400: 1 of layer 0, 2 of the others.
    const PIECES: i32 = 3;
    let case = case_over(5, &Shape { gates: 60, ..Shape::default() }, 1, 1);
    for (party, guess) in
        [(Party::Garbler, false), (Party::Garbler, true), (Party::Evaluator, true)]
    {
        let mut cheater = Cheater::honest(party);
        cheater.inside.guess = Some(guess);
        let mut caught = 0;
        for _ in 0..40 {
            let ended = cheater.run(&case);
            if let Some(error) = ended.error(&case, party, &guess) {
                assert!(error.contains("the comparison of leaky ANDs"), "{error}");
                caught += 1;
            }
        }
        assert_rate(40 - caught, 40, 0.5_f64.powi(PIECES), "guesses that are all right");
    }
}

#[test]
fn another_offset_in_leaky_ands_is_caught() {
    let case = several_windows();
    for party in [Party::Garbler, Party::Evaluator] {
        let mut cheater = Cheater::honest(party);
        cheater.inside.multiplies_another_offset = true;
        for _ in 0..4 {
            let error = cheater.run(&case).error(&case, party, &"another offset").unwrap();
            assert!(error.contains("the comparison of leaky ANDs"), "{error}");
        }
    }
}
