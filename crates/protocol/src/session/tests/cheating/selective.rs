//! Selective failure: a party that deviates so that the other one aborts in some sessions only.
//! Whether it does, and what it sends until then, must not depend on its input.

use super::*;
use halfgate_circuit::{Bit, Gates};
use std::collections::BTreeSet;

/// Input bits of each party.
const BITS: usize = 4;

/// Each AND has an input bit of both parties. The evaluator's is input number `place` of the AND.
/// `values` are the evaluator's and the garbler's.
fn products(place: usize, values: &[Bits; 2]) -> Case {
    let circuit = || {
        let input = |name: &str, party| halfgate_circuit::Input {
            name: name.to_owned(),
            party,
            width: BITS as u32,
            per_cycle: false,
            elements: None,
            is_set: false,
        };
        let wire = |index: usize| Bit::from(halfgate_circuit::Wire::new(index as u32));
        let mut gates = Gates::new();
        for bit in 0..BITS {
            let both = [bit, BITS + bit];
            let (first, second) = (wire(both[place]), wire(both[1 - place]));
            gates.push(halfgate_circuit::Gate::and(first, second, false)).unwrap();
        }
        let bits: Vec<Bit> = (0..BITS).map(|bit| wire(2 * BITS + bit)).collect();
        Circuit {
            inputs: vec![input("b", Party::Evaluator), input("a", Party::Garbler)],
            flip_flops: Vec::new(),
            gates,
            outputs: vec![halfgate_circuit::Output {
                name: "ab".to_owned(),
                bits: bits.into(),
                per_cycle: false,
                elements: None,
            }],
            cycles: 1,
        }
    };
    let [evaluators, garblers] = values.clone();
    Case {
        program: compile(circuit(), Order::Given).unwrap(),
        cycles: 1,
        garbler: vec![vec![None, Some(garblers)]],
        evaluator: vec![vec![Some(evaluators), None]],
        outputs: vec![clear::evaluate(&circuit(), values, 1).unwrap()],
    }
}

/// What a party sees of the other one, apart from random bytes: kinds and lengths in order, and
/// the reason of the abort.
type View = (Vec<(u8, usize)>, Option<String>);

fn view(seen: &[Seen]) -> View {
    let frames = seen.iter().filter_map(|seen| match seen {
        Seen::Sent(kind, payload) => Some((*kind, payload.len())),
        _ => None,
    });
    let aborted = seen.iter().find_map(|seen| match seen {
        Seen::Aborted(text) => Some(text.clone()),
        _ => None,
    });
    (frames.collect(), aborted)
}

/// The number of the first frame of this kind that a party sends.
fn first(party: Party, kind: Kind) -> usize {
    let case = products(0, &[random::bits(0, BITS), random::bits(1, BITS)]);
    let frames = Cheater::honest(party).run(&case).cheaters;
    let mut sent = frames.iter().filter(|seen| matches!(seen, Seen::Sent(..)));
    sent.position(|seen| matches!(seen, Seen::Sent(sent, _) if *sent == kind as u8)).unwrap()
}

/// A garbler corrupts the half of a table that is used only if the masked value of the evaluator's
/// input bit is 1, in `tries` sessions for each bit and each of its values. Returns how many were
/// aborted, for each of them.
fn attack(tries: usize) -> [[usize; 2]; BITS] {
    let mut aborts = [[0; 2]; BITS];
    let mut views: [BTreeSet<View>; 2] = Default::default();
    let tables = first(Party::Garbler, Kind::Tables);
    let all = (0..tries).flat_map(|_| (0..BITS).flat_map(|bit| [(bit, 0), (bit, 1)]));
    for (number, (bit, value)) in all.enumerate() {
        let mut values = [1, 2].map(|seed| random::bits(seed + 2 * number as u64, BITS));
        values[0].set(bit, value == 1);
        let place = number / (2 * BITS) % 2;
        let case = products(place, &values);
        let change = Change::Bytes { first: 32 * bit + 16 * place, count: 16 };
        let ended = Cheater::sending(Party::Garbler, tables, change).run(&case);
        views[value].insert(view(&ended.seen));
        // The garbler receives the masked value of the input.
        let masked = ended.cheaters.iter().find_map(|seen| match seen {
            Seen::Received(kind, payload) if *kind == Kind::MaskedBits as u8 => Some(payload),
            _ => None,
        });
        let is_used = masked.unwrap()[0] >> bit & 1 == 1;
        let error = ended.error(&case, Party::Garbler, &(bit, value));
        assert_eq!(error.is_some(), is_used, "bit {bit} with value {value}: {error:?}");
        if let Some(error) = error {
            assert!(error.contains("the check of its tables"), "{error}");
            aborts[bit][value] += 1;
        }
    }
    // A session that ends and one that is aborted, which always is at the same frame.
    assert_eq!(views[0].len(), 2, "{:?}", views[0]);
    assert_eq!(views[0], views[1]);
    aborts
}

fn check_rates(aborts: &[[usize; 2]; BITS], tries: usize) {
    for value in [0, 1] {
        let all = aborts.iter().map(|aborts| aborts[value]).sum();
        assert_rate(all, BITS * tries, 0.5, &format!("aborts with input bits {value}"));
    }
    let each = aborts.iter().flatten();
    each.for_each(|aborts| assert_rate(*aborts, tries, 0.5, "aborts of an input bit"));
}

/// Whether the evaluator aborts depends on nothing but the masked value, which is random.
#[test]
fn aborts_do_not_depend_on_the_evaluators_input() {
    check_rates(&attack(24), 24);
}

#[test]
#[ignore = "thousands of sessions"]
fn aborts_do_not_depend_on_the_evaluators_input_in_thousands_of_sessions() {
    check_rates(&attack(400), 400);
}

/// Other deviations are caught always, or in half of the sessions. What the cheating party sees is
/// the same for all inputs.
#[test]
fn what_a_cheating_party_sees_does_not_depend_on_inputs() {
    let half = [Kind::LeakyAnds];
    let always = [Kind::PublicBits, Kind::MaskedBits, Kind::Shares, Kind::Check];
    for party in [Party::Garbler, Party::Evaluator] {
        for kind in half.into_iter().chain(always) {
            let frame = first(party, kind);
            let views = [false, true].map(|value| -> BTreeSet<View> {
                let values = [BITS, BITS].map(|bits| (0..bits).map(|_| value).collect());
                let case = products(0, &values);
                // Half of the sessions: all of them are alike with a probability below 2^-30.
                let tries = if half.contains(&kind) { 36 } else { 2 };
                let run = |_| {
                    let ended = Cheater::sending(party, frame, Change::First).run(&case);
                    let view = view(&ended.seen);
                    ended.error(&case, party, &(kind, value));
                    view
                };
                (0..tries).map(run).collect()
            });
            assert_eq!(views[0], views[1], "{party} {kind:?}");
            assert_eq!(views[0].len(), 1 + usize::from(half.contains(&kind)), "{party} {kind:?}");
        }
    }
}
