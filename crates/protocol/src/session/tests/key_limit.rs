//! Runs with more ANDs than a suite allows under one key.

use super::*;

const SUITES: [Suite; 2] = [Suite::HalfGatesFixedKey, Suite::Grr3];

/// A program with state, and two numbers of cycles: the largest with at most `most` ANDs, and the
/// next one.
fn long_run(most: u64) -> (Program, [u64; 2]) {
    let circuit = halfgate_programs::build("aes128-chained:10").unwrap();
    let program = compile(circuit, Order::Given).unwrap();
    let fits = most / program.ands_per_cycle();
    (program, [fits, fits + 1])
}

fn allowed(program: &Program, suite: Suite, cycles: u64) -> Result<(), SessionError> {
    check_program(program, &RunOptions { suite, cycles, ..RunOptions::default() })
}

#[test]
fn the_last_cycle_that_fits_is_allowed_and_the_next_is_not() {
    for suite in SUITES {
        let most = suite.max_ands().unwrap();
        let (program, [fits, more]) = long_run(most);
        allowed(&program, suite, fits).unwrap();
        let text = allowed(&program, suite, more).unwrap_err().to_string();
        let has = format!("this run has {}", more * program.ands_per_cycle());
        assert!(text.contains(suite.name()) && text.contains(&has), "{text}");
        assert!(text.contains(&format!("{most} ANDs under one key")), "{text}");
        assert!(text.contains("take suite half-gates"), "{text}");
        allowed(&program, Suite::HalfGates, more).unwrap();
        let huge = allowed(&program, suite, u64::MAX / 100_000).unwrap_err();
        assert!(matches!(huge, SessionError::KeyLimit { .. }), "{huge}");
    }
}

/// Either party that finds the limit exceeded notifies the other one and sends no hello.
#[test]
fn either_party_refuses_before_the_session_starts() {
    for suite in SUITES {
        let (program, [_, cycles]) = long_run(suite.max_ands().unwrap());
        let options = RunOptions { suite, cycles, ..RunOptions::default() };
        let values = inputs(&program.circuit, 1, 1);
        for role in [Party::Garbler, Party::Evaluator] {
            let own = program.circuit.inputs.iter().zip(&values);
            let own = vec![own.map(|(i, v)| (i.party == role).then(|| v.clone())).collect()];
            let (mut a, mut b) = pipe_channels();
            let mut none = |_| {};
            let result = match role {
                Party::Garbler => garble(&mut a, &program, &engine(), &own, &options, &mut none),
                Party::Evaluator => {
                    evaluate(&mut a, &program, &engine(), &own, &options, &mut none)
                }
            };
            let error = result.unwrap_err();
            assert!(matches!(error, SessionError::KeyLimit { .. }), "{error}");
            assert_eq!(error.class(), ErrorClass::Usage);
            let reported = b.recv().unwrap_err();
            assert!(
                matches!(&reported, ChannelError::Aborted(why) if why.contains("under one key"))
            );
        }
    }
}

#[test]
fn a_run_beyond_the_limit_is_not_garbled_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let suite = Suite::HalfGatesFixedKey;
    let (program, [_, cycles]) = long_run(suite.max_ands().unwrap());
    let options = RunOptions { suite, cycles, ..RunOptions::default() };
    let path = folder.path().join("tables");
    let result = crate::offline::garble_to_file(&program, &engine(), &options, &path, &mut |_| {});
    assert!(matches!(result.unwrap_err(), SessionError::KeyLimit { .. }));
    assert!(!path.exists());
}

/// The numbers follow from the bound of `spec/suites.md`. With q hashes that the evaluator does not
/// know, its advantage is q/2^128 for each AES it computes, and labels coincide with probability
/// q^2/2^128.
#[test]
fn the_limits_are_what_the_bound_gives() {
    for (suite, unknown) in [(Suite::HalfGatesFixedKey, 2), (Suite::Grr3, 3)] {
        let hashes = (suite.max_ands().unwrap() * unknown) as f64;
        assert!(128.0 - hashes.log2() >= 88.0, "{suite}");
        assert!(2.0 * hashes.log2() - 128.0 <= -48.0, "{suite}");
    }
}
