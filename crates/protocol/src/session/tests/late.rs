//! Inputs that are fetched after the parties have agreed.

use super::*;
use std::sync::atomic::AtomicU32;

/// Runs both parties with late inputs. Returns the outcomes and how often each was fetched.
fn both_late(
    case: &Case,
    (garbler, evaluator): (&RunOptions, &RunOptions),
    response: impl Fn(&PartyInputs) -> Result<PartyInputs, String> + Sync,
) -> ((Outcome, Outcome), [u32; 2]) {
    let (mut a, mut b) = ring::pair();
    let (engine, requested) = (&engine(), [AtomicU32::new(0), AtomicU32::new(0)]);
    let fetch = |party: Party, inputs: &PartyInputs| {
        requested[party as usize].fetch_add(1, Ordering::Relaxed);
        response(inputs)
    };
    let outcomes = std::thread::scope(|scope| {
        let evaluated = scope.spawn(|| {
            let fetch = &mut || fetch(Party::Evaluator, &case.evaluator[0]);
            evaluate_late(&mut b, &case.program, engine, fetch, evaluator, &mut |_| {})
        });
        let fetch = &mut || fetch(Party::Garbler, &case.garbler[0]);
        let garbled = garble_late(&mut a, &case.program, engine, fetch, garbler, &mut |_| {});
        drop(a);
        (garbled, evaluated.join().unwrap())
    });
    (outcomes, requested.map(AtomicU32::into_inner))
}

#[test]
fn late_inputs_are_fetched_once_and_compute_the_same() {
    for shape in shapes() {
        let case = case(7, &shape, 1);
        let options = options(&case);
        let (outcomes, requested) =
            both_late(&case, (&options, &options), |inputs| Ok(inputs.clone()));
        check(&case, &[], Party::Garbler, outcomes.0);
        check(&case, &[], Party::Evaluator, outcomes.1);
        assert_eq!(requested, [1, 1]);
    }
}

#[test]
fn inputs_are_not_fetched_before_the_parties_agree() {
    let (case, options, _) = small(1);
    let other = RunOptions { cycles: options.cycles + 1, ..options.clone() };
    let (outcomes, requested) = both_late(&case, (&options, &other), |inputs| Ok(inputs.clone()));
    assert!(outcomes.0.is_err() && outcomes.1.is_err());
    assert_eq!(requested, [0, 0]);
}

#[test]
fn the_peer_receives_the_reason_for_missing_inputs() {
    let (case, options, _) = small(1);
    let none = |_: &PartyInputs| Err("there are no more".to_owned());
    let (outcomes, _) = both_late(&case, (&options, &options), none);
    for outcome in [outcomes.0, outcomes.1] {
        let error = outcome.unwrap_err();
        assert!(error.to_string().contains("there are no more"), "{error}");
    }
    let wrong = |_: &PartyInputs| Ok(Vec::new());
    let (outcomes, _) = both_late(&case, (&options, &options), wrong);
    assert!(outcomes.0.is_err() && outcomes.1.is_err());
}
