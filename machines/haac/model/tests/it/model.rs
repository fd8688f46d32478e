//! The exact model on random code: every operand is the intended wire, however memory behaves.

use crate::common::{Checker, Recipe, random_case, random_code};
use halfgate_circuit::Party;
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::model::exact::{self, Disturbance, Extra, NoWatch};
use halfgate_haac_model::model::{Options, fast, rows::Plain};

#[test]
fn operands_are_those_of_the_program_and_cycles_add_up() {
    for seed in 0..100 {
        let (machine, recipe) = random_case(seed);
        let random = random_code(seed, &recipe);
        for role in [Party::Garbler, Party::Evaluator] {
            for preloaded in [false, true] {
                let options = Options { role, preloaded };
                let mut checker = Checker::new(&random);
                let mut sizes = Plain::new(machine.shape);
                let report = exact::run(&random.code, &machine, &options, &mut sizes, &mut checker);
                let report = report.unwrap_or_else(|error| {
                    panic!("{error}\nseed {seed} {machine:?}\n{recipe:?} {options:?}")
                });
                checker.verdict().unwrap();
                for causes in &report.engines {
                    assert_eq!(causes.sum(), report.cycles);
                }
            }
        }
    }
}

#[test]
fn the_fast_model_is_the_exact_one() {
    for seed in 0..100 {
        let (machine, recipe) = random_case(seed);
        let random = random_code(seed, &recipe);
        for role in [Party::Garbler, Party::Evaluator] {
            for preloaded in [false, true] {
                let options = Options { role, preloaded };
                let mut sizes = Plain::new(machine.shape);
                let exact =
                    exact::run(&random.code, &machine, &options, &mut sizes, &mut NoSink).unwrap();
                let mut checker = Checker::new(&random);
                let mut sizes = Plain::new(machine.shape);
                let fast = fast::run(&random.code, &machine, &options, &mut sizes, &mut checker);
                let fast = fast.unwrap_or_else(|error| {
                    panic!("{error}\nseed {seed} {machine:?}\n{recipe:?} {options:?}\n{exact:#?}")
                });
                assert_eq!(fast, exact, "seed {seed}, {options:?}, {machine:?}, {recipe:?}");
                checker.verdict().unwrap();
            }
        }
    }
}

#[test]
fn disturbances_change_cycles_only() {
    for seed in 0..100 {
        let (machine, recipe) = random_case(seed);
        let random = random_code(seed, &recipe);
        for role in [Party::Garbler, Party::Evaluator] {
            let disturbance = Disturbance {
                seed,
                extra_latency: 50,
                refuse_percent: (seed % 3 * 40) as u32,
                stall_percent: (seed % 4 * 25) as u32,
            };
            let extra = Extra { disturbance: Some(disturbance), mutation: None };
            let mut checker = Checker::new(&random);
            let mut sizes = Plain::new(machine.shape);
            let report = exact::run_with(
                &random.code,
                &machine,
                &Options::new(role),
                &mut sizes,
                &mut checker,
                &mut NoWatch,
                extra,
            );
            let report = report.unwrap_or_else(|error| panic!("{error} seed {seed}"));
            checker.verdict().unwrap();
            for causes in &report.engines {
                assert_eq!(causes.sum(), report.cycles);
            }
        }
    }
}

/// With little bandwidth the credit for a burst takes long to grow. Runs are slow, but none gets
/// stuck.
#[test]
fn slow_memories_come_to_an_end() {
    let (mut machine, recipe) = random_case(6);
    let random = random_code(6, &Recipe { inputs: 9, instructions: 12, outputs: 2, ..recipe });
    for role in [Party::Garbler, Party::Evaluator] {
        let mut cycles = Vec::new();
        for bytes_per_cycle in [(1, 1), (1, 60)] {
            machine.memory.bytes_per_cycle = bytes_per_cycle;
            let options = Options::new(role);
            let mut sizes = Plain::new(machine.shape);
            let exact = exact::run(&random.code, &machine, &options, &mut sizes, &mut NoSink);
            let mut sizes = Plain::new(machine.shape);
            let fast = fast::run(&random.code, &machine, &options, &mut sizes, &mut NoSink);
            let exact = exact.unwrap();
            assert_eq!(exact, fast.unwrap());
            cycles.push(exact.cycles);
        }
        assert!(cycles[1] > 20 * cycles[0]);
    }
}
