//! Instances side by side: every lane is what the kernel garbles alone, which other tests compare
//! with the reference.

use super::{Program, Random, each_kernel, memory};
use halfgate_kernels::ops::WINDOW;
use halfgate_kernels::{Delta, Instances, Kernel, Label, LabelMemory, Suite};

/// Slots, and the addresses after them that only moves can name.
const ADDRESSES: usize = WINDOW + 8;

/// Runs random operations in `rounds` cycles for this many instances.
fn check(kernel: &Kernel, suite: Suite, count: usize, rounds: u64, most_ands: u64) {
    let mut r = Random(count as u64 + 1000 * rounds);
    let clip = |label: u128| suite.clip(Label::from_u128(label));
    let starts: Vec<(u128, Delta)> =
        (0..count).map(|_| (r.u128(), Delta::new(clip(r.u128())))).collect();
    let mut instances =
        kernel.start_instances(suite, &starts.iter().map(|(s, d)| (*s, d)).collect::<Vec<_>>());
    let lanes = instances.lanes();
    assert!(lanes >= count && lanes.is_multiple_of(Instances::MULTIPLE));
    let places: Vec<u32> = (0..ADDRESSES as u32).map(|address| address * lanes as u32).collect();
    let mut side_by_side = LabelMemory::new(ADDRESSES * lanes);
    let mut alone: Vec<_> = starts
        .iter()
        .map(|(point, _)| {
            let labels: Vec<u128> = (0..ADDRESSES).map(|_| clip(r.u128()).to_u128()).collect();
            (kernel.start(suite, *point), memory(&labels))
        })
        .collect();
    for (lane, (_, memory)) in alone.iter().enumerate() {
        for (address, &place) in places.iter().enumerate() {
            side_by_side.set(place + lane as u32, memory.get(address as u32));
        }
    }
    for round in 0..rounds {
        let program = Program::random(&mut r, 4, most_ands);
        let (ops, size) = (program.ops(), suite.table_bytes());
        let mut all = vec![0; ops.ands.len() * lanes * size];
        kernel.garble_instances(&mut instances, &mut side_by_side, &ops, &places, &mut all);
        for (lane, ((state, labels), (_, delta))) in alone.iter_mut().zip(&starts).enumerate() {
            let mut tables = vec![0; ops.ands.len() * size];
            kernel.garble(state, delta, labels, &ops, &mut tables);
            let own: Vec<u8> =
                all.chunks(size).skip(lane).step_by(lanes).flatten().copied().collect();
            assert!(own == tables, "{} {suite}: tables of lane {lane} of {count}", kernel.name);
            assert_eq!(state.ands(), instances.ands());
            if round % 2 == 0 {
                state.next_cycle();
            }
        }
        if round % 2 == 0 {
            instances.next_cycle();
        }
    }
    for (lane, (_, memory)) in alone.iter().enumerate() {
        for (address, &place) in places.iter().enumerate() {
            let (got, wanted) = (side_by_side.get(place + lane as u32), memory.get(address as u32));
            assert!(got == wanted, "{} {suite}: label {address} of lane {lane}", kernel.name);
        }
    }
}

fn suites() -> impl Iterator<Item = Suite> {
    Suite::ALL.into_iter().filter(|suite| suite.has_half_gates())
}

#[test]
fn every_lane_is_that_of_the_kernel_alone() {
    each_kernel(|kernel| {
        for suite in suites() {
            for count in [1, 8, 11, 16] {
                check(kernel, suite, count, 3, 40);
            }
        }
    });
}

/// Runs past 2^15 ANDs, where all round keys are made again.
#[test]
fn keys_follow_the_numbers_of_ands() {
    each_kernel(|kernel| {
        // The portable kernel takes seconds for as many ANDs.
        if kernel.name != "portable" {
            check(kernel, Suite::HalfGates, 3, 20, 1000);
        }
    });
}

#[test]
#[should_panic(expected = "suites with half gates")]
fn suites_of_rows_do_not_run_side_by_side() {
    each_kernel(|kernel| {
        kernel.start_instances(Suite::Grr3, &[]);
    });
}
