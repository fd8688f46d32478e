//! Malicious sessions of honest parties.

use super::streaming::long;
use super::*;

fn malicious(case: &Case) -> RunOptions {
    RunOptions { security: SecurityLevel::Malicious, ..options(case) }
}

/// Runs a case and checks its outputs.
fn run(case: &Case, options: &RunOptions, channels: (impl Channel, impl Channel)) {
    let (garbled, evaluated) = both(case, (options, options), channels);
    check(case, &options.learn, Party::Garbler, garbled);
    check(case, &options.learn, Party::Evaluator, evaluated);
}

#[test]
fn random_circuits_give_their_results_in_the_clear() {
    for (index, shape) in shapes().iter().enumerate() {
        for seed in 0..3 {
            let case = case(seed + 10 * index as u64, shape, 1);
            run(&case, &malicious(&case), ring::pair());
        }
    }
}

#[test]
fn programs_with_functions_give_the_outputs_of_their_flattening() {
    for seed in 0..16 {
        let flip_flops = if seed % 6 == 5 { 3 } else { 0 };
        let shape = structured::random::Shape { flip_flops, ..Default::default() };
        let case = structured(seed, &shape);
        run(&case, &malicious(&case), pipe_channels());
    }
}

#[test]
fn programs_that_skip_give_their_results_in_the_clear() {
    for (index, shape) in shapes().iter().enumerate() {
        let case = skipping(case(index as u64, shape, 1));
        run(&case, &malicious(&case), ring::pair());
    }
}

#[test]
fn small_state_machines_give_their_results_in_the_clear() {
    for index in 0..random::machines().len() {
        for cycles in [1, 50] {
            let case = case_of(&|| random::machines().swap_remove(index).1, 3, 1, cycles);
            run(&case, &malicious(&case), ring::pair());
        }
    }
}

#[test]
fn long_runs_give_their_results_to_all_learners_and_only_to_them() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    for (index, (x, y)) in all.iter().flat_map(|x| all.map(|y| (*x, y))).enumerate() {
        let case = long(100 + 11 * index as u64, 1);
        let options = RunOptions { learn: vec![x, y], ..malicious(&case) };
        match index % 2 {
            0 => run(&case, &options, ring::pair()),
            _ => run(&case, &options, pipe_channels()),
        }
    }
}

#[test]
fn several_runs_share_a_connection() {
    let shape = Shape { flip_flops: 5, input_bits: 30, ..Shape::default() };
    for field in OtField::ALL {
        let case = case(8, &shape, 3);
        let options = RunOptions { ot_field: Some(field), ..malicious(&case) };
        run(&case, &options, pipe_channels());
    }
}

/// More input bits than are drawn at once.
#[test]
fn long_inputs_come_in_several_draws() {
    let shape = Shape { input_bits: 20_000, gates: 30_000, ..Shape::default() };
    let case = case(5, &shape, 1);
    run(&case, &malicious(&case), ring::pair());
}
