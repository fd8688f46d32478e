//! Checks that faults in the exact model are found: by wrong operands, by a run that gets stuck or
//! loses an output, or by cycles and counters that differ from the fast model. `make mutants`
//! prints which check found each fault.

use halfgate_circuit::Party;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{Checker, random_case, random_code};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::model::exact::{self, Extra, Mutation, NoWatch};
use halfgate_haac_model::model::{Error, Options, fast, rows::Plain};

/// Random cases to try before a mutation counts as not found.
const CASES: u64 = 150;

/// The error in a run under `mutation`, if any.
fn found_in(seed: u64, role: Party, mutation: Option<Mutation>) -> Option<String> {
    let (machine, recipe) = random_case(seed);
    let random = random_code(seed, &recipe);
    let options = Options { role, preloaded: seed % 2 == 1 };
    let mut checker = Checker::new(&random);
    let extra = Extra { mutation, disturbance: None };
    let mut sizes = Plain::new(machine.shape);
    let run = exact::run_with(
        &random.code,
        &machine,
        &options,
        &mut sizes,
        &mut checker,
        &mut NoWatch,
        extra,
    );
    if let Some(wrong) = &checker.wrong {
        let about = if wrong.contains("op: And") { "AND" } else { "XOR" };
        return Some(format!("issues: a wrong operand, number or order at an {about}"));
    }
    let report = match run {
        Err(Error::Output { .. }) => return Some("an output is not in memory".into()),
        Err(Error::Stuck { waits_for, .. }) => return Some(format!("stuck: {waits_for}")),
        Err(error) => return Some(error.to_string()),
        Ok(report) => report,
    };
    let mut sizes = Plain::new(machine.shape);
    let fast = fast::run(&random.code, &machine, &options, &mut sizes, &mut NoSink).unwrap();
    match () {
        () if fast.cycles != report.cycles => {
            Some(format!("cycles: {} instead of {}", report.cycles, fast.cycles))
        }
        () if fast != report => Some("counters".into()),
        () => None,
    }
}

/// The first case in which a mutation is found, and the error that found it.
fn found(mutation: Mutation) -> Option<(u64, Party, String)> {
    for seed in 0..CASES {
        for role in [Party::Garbler, Party::Evaluator] {
            // A fault may break an assumption of the model, which panics. That counts as found,
            // too.
            let run = catch_unwind(AssertUnwindSafe(|| found_in(seed, role, Some(mutation))));
            let what = run.unwrap_or_else(|_| Some("an invariant of the model is broken".into()));
            if let Some(what) = what {
                return Some((seed, role, what));
            }
        }
    }
    None
}

#[test]
fn every_mutation_is_found() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut missed = Vec::new();
    println!("{:22} {:>5} {:10} found by", "mutation", "case", "role");
    for mutation in Mutation::ALL {
        match found(mutation) {
            Some((seed, role, what)) => {
                println!(
                    "{:22} {seed:5} {:10} {what}",
                    format!("{mutation:?}"),
                    format!("{role:?}")
                );
            }
            None => {
                println!("{:22}     - {:10} NOT FOUND", format!("{mutation:?}"), "");
                missed.push(mutation);
            }
        }
    }
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn without_a_mutation_nothing_is_found() {
    for seed in 0..20 {
        for role in [Party::Garbler, Party::Evaluator] {
            assert_eq!(found_in(seed, role, None), None, "seed {seed}");
        }
    }
}
