//! Programs that skip gates: both parties determine the number of tables of each cycle, sometimes
//! none.

use super::*;
use halfgate_engine::{EngineError, Prepared};

#[test]
fn programs_that_skip_give_their_results_in_the_clear() {
    let mut skipped = 0;
    for (index, shape) in shapes().iter().enumerate() {
        for (seed, runs) in [(1, 1), (2, 2), (3, 1)] {
            let case = skipping(case(seed + 20 * index as u64, shape, runs));
            let options = options(&case);
            let (garbled, evaluated) = over_pipe(&case, &options, (Fault::None, Fault::None));
            let all = case.program.ands_per_cycle() * case.cycles;
            skipped += all - garbled.as_ref().unwrap()[0].counters.ands;
            check(&case, &[], Party::Garbler, garbled);
            check(&case, &[], Party::Evaluator, evaluated);
        }
    }
    assert!(skipped > 0);
}

/// Per-cycle inputs and outputs over more cycles than a decoding window or a batch of transfers
/// has.
#[test]
fn programs_that_skip_run_for_many_cycles() {
    let shape =
        Shape { flip_flops: 6, input_bits: 16, output_bits: 40, gates: 30, and_percent: 20 };
    for seed in 0..4 {
        let case = skipping(case_over(seed, &shape, 1, 5000));
        let options = options(&case);
        let (garbled, evaluated) = both(&case, (&options, &options), ring::pair());
        check(&case, &[], Party::Garbler, garbled);
        check(&case, &[], Party::Evaluator, evaluated);
    }
}

/// An engine that runs whole bodies only and does not skip.
struct Whole;

impl Engine for Whole {
    fn name(&self) -> String {
        "whole".to_owned()
    }

    fn prepare_flat<'p>(&self, _: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        unreachable!("it is refused before")
    }
}

#[test]
fn an_engine_that_does_not_skip_is_refused_and_the_other_party_notified() {
    let case = skipping(case(5, &shapes()[2], 1));
    let options = options(&case);
    for party in [Party::Garbler, Party::Evaluator] {
        let (mut a, mut b) = ring::pair();
        let (case, options) = (&case, &options);
        let engines: [&dyn Engine; 2] = match party {
            Party::Garbler => [&Whole, &engine()],
            Party::Evaluator => [&engine(), &Whole],
        };
        let (garbled, evaluated) = std::thread::scope(|scope| {
            let evaluator = scope.spawn(move || {
                let (program, own) = (&case.program, &case.evaluator);
                evaluate(&mut b, program, engines[1], own, options, &mut |_| {})
            });
            let (program, own) = (&case.program, &case.garbler);
            let garbled = garble(&mut a, program, engines[0], own, options, &mut |_| {});
            drop(a);
            (garbled, evaluator.join().unwrap())
        });
        let (own, other) = match party {
            Party::Garbler => (garbled, evaluated),
            Party::Evaluator => (evaluated, garbled),
        };
        let own = own.unwrap_err().to_string();
        assert!(own.contains("engine whole runs every gate"), "{own}");
        assert_eq!(other.unwrap_err().class(), ErrorClass::Aborted);
    }
}

#[test]
fn a_party_that_skips_and_one_that_does_not_get_a_mismatch() {
    let plain = case(5, &shapes()[2], 1);
    let skips = skipping(case(5, &shapes()[2], 1));
    let options = options(&plain);
    let (mut a, mut b) = ring::pair();
    let (garbled, evaluated) = std::thread::scope(|scope| {
        let (plain, options) = (&plain, &options);
        let evaluator = scope.spawn(move || {
            evaluate(&mut b, &plain.program, &engine(), &plain.evaluator, options, &mut |_| {})
        });
        let garbled =
            garble(&mut a, &skips.program, &engine(), &skips.garbler, options, &mut |_| {});
        drop(a);
        (garbled, evaluator.join().unwrap())
    });
    for error in [garbled.unwrap_err(), evaluated.unwrap_err()] {
        let text = error.to_string();
        assert!(
            text.contains("skipping of gates") || error.class() == ErrorClass::Aborted,
            "{text}"
        );
    }
}
