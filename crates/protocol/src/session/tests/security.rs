//! Security levels: parties that differ, and what a malicious session refuses.

use super::*;
use halfgate_engine::{EngineError, Prepared};

const LEVELS: [SecurityLevel; 2] = SecurityLevel::ALL;

fn with(case: &Case, security: SecurityLevel) -> RunOptions {
    RunOptions { security, ..options(case) }
}

/// Both parties' errors in a session of a malicious and a semi-honest party.
fn errors(garbled: Outcome, evaluated: Outcome) {
    let texts = [garbled, evaluated].map(|outcome| {
        let error = outcome.unwrap_err();
        let is_named = matches!(
            error,
            SessionError::Mismatch { what: Difference::SecurityLevel, .. }
                | SessionError::Channel { error: ChannelError::Aborted(_), .. }
        );
        assert!(is_named, "{error:?}");
        error.to_string()
    });
    for text in texts {
        for word in ["security level", "semi-honest", "malicious"] {
            assert!(text.contains(word), "{word} in {text}");
        }
    }
}

#[test]
fn parties_with_different_levels_are_refused_with_both_values() {
    let case = case(1, &Shape::default(), 1);
    for [ours, theirs] in [LEVELS, [LEVELS[1], LEVELS[0]]] {
        let (ours, theirs) = (with(&case, ours), with(&case, theirs));
        let (garbled, evaluated) = both(&case, (&ours, &theirs), ring::pair());
        errors(garbled, evaluated);
        // The evaluator accepts the garbler's order, and is refused before it has a program.
        let (mut a, mut b) = ring::pair();
        let (garbled, evaluated) = std::thread::scope(|scope| {
            let (case, ours) = (&case, &ours);
            let garbler = scope.spawn(move || {
                garble(&mut a, &case.program, &engine(), &case.garbler, ours, &mut |_| {})
            });
            let proposed = proposal(&mut b, &theirs);
            drop(b);
            (garbler.join().unwrap(), proposed)
        });
        errors(garbled, evaluated.map(|_| Vec::new()));
    }
}

/// A party whose engine has no authenticated garbling.
struct Toy;

impl Engine for Toy {
    fn name(&self) -> String {
        "toy (cpu)".to_owned()
    }

    fn prepare_flat<'p>(&self, _: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        unreachable!("it is refused before")
    }
}

#[test]
fn malicious_sessions_run_on_the_cpu_engine_only() {
    let case = case(1, &Shape::default(), 1);
    let options = with(&case, SecurityLevel::Malicious);
    for party in [Party::Garbler, Party::Evaluator] {
        let (mut channel, _peer) = ring::pair();
        let refused = match party {
            Party::Garbler => {
                garble(&mut channel, &case.program, &Toy, &case.garbler, &options, &mut |_| {})
            }
            Party::Evaluator => {
                evaluate(&mut channel, &case.program, &Toy, &case.evaluator, &options, &mut |_| {})
            }
        };
        let error = refused.unwrap_err();
        assert_eq!(error.class(), ErrorClass::Usage);
        assert_eq!(
            error.to_string(),
            "engine toy (cpu) cannot run authenticated garbling, which --security malicious needs; \
             use --engine cpu"
        );
    }
    assert!(is_cpu(&engine()));
}

#[test]
fn malicious_sessions_refuse_other_suites_and_transfers() {
    let case = case(1, &Shape::default(), 1);
    let options = with(&case, SecurityLevel::Malicious);
    let suite = RunOptions { suite: Suite::HalfGatesFixedKey, ..options.clone() };
    let transfers = RunOptions { ot: OtMode::SemiHonest, ..options };
    for (options, word) in [(suite, "half-gates-fixed-key"), (transfers, "--ot semi-honest")] {
        let (garbled, evaluated) = both(&case, (&options, &options), ring::pair());
        for error in [garbled.unwrap_err(), evaluated.unwrap_err()] {
            assert!(matches!(error, SessionError::Usage(_)), "{error:?}");
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}

#[test]
fn reports_have_the_level() {
    let case = case(1, &Shape::default(), 1);
    let options = options(&case);
    let (garbled, evaluated) = both(&case, (&options, &options), ring::pair());
    for reports in [garbled.unwrap(), evaluated.unwrap()] {
        assert_eq!(reports[0].security, SecurityLevel::SemiHonest);
    }
}
