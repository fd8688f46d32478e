//! Hashes of labels: every one is that of the reference.

use super::{Random, each_kernel};
use halfgate_kernels::{Delta, Kernel, Label, Suite};
use halfgate_reference as reference;

/// Compares the hashes of `count` labels, with sums and without, from AND number `first` on.
fn check(kernel: &Kernel, count: usize, first: u64) {
    let mut r = Random(first ^ count as u64);
    let key = reference::Key { suite: reference::Suite::HalfGates, point: r.u128() };
    let delta = r.u128() | 1;
    let labels: Vec<Label> = (0..count).map(|_| Label::from_u128(r.u128())).collect();
    for half in 0..2 {
        let hash = |i: usize, offset: u128| {
            let place = reference::Place { and: first + i as u64, cycle: 0, gate: 0 };
            key.hash(labels[i].to_u128() ^ offset, place, half)
        };
        let what = format!("{} half {half}: {count} labels from AND {first} on", kernel.name);
        let mut state = kernel.start(Suite::HalfGates, key.point);
        state.go_to(first);
        let mut hashes = vec![Label::ZERO; count];
        kernel.hash(&mut state, half as usize, &labels, &mut hashes);
        assert!((0..count).all(|i| hashes[i].to_u128() == hash(i, 0)), "{what}: hashes");
        assert_eq!(state.ands(), first + count as u64);

        state.go_to(first);
        let (mut again, mut sums) = (vec![Label::ZERO; count], vec![Label::ZERO; count]);
        let d = Delta::new(Label::from_u128(delta));
        kernel.hash_both(&mut state, half as usize, &d, &labels, &mut again, &mut sums);
        assert!(again == hashes, "{what}: hashes beside sums");
        let sum = |i| hash(i, 0) ^ hash(i, delta);
        assert!((0..count).all(|i| sums[i].to_u128() == sum(i)), "{what}: sums");
        assert_eq!(state.ands(), first + count as u64);
    }
}

#[test]
fn hashes_agree_with_the_reference_for_every_count() {
    each_kernel(|kernel| (0..70).for_each(|count| check(kernel, count, 3 * count as u64)));
}

#[test]
fn hashes_agree_with_the_reference_across_blocks_of_the_key_schedule() {
    each_kernel(|kernel| {
        for first in [100, 127, 128, 32_767, 65_530, (1 << 40) - 9] {
            check(kernel, 300, first);
        }
    });
}

fn hash(suite: Suite, half: usize, hashes: usize) {
    let kernel = halfgate_kernels::choose::best();
    let mut state = kernel.start(suite, 1);
    kernel.hash(&mut state, half, &[Label::ZERO; 5], &mut vec![Label::ZERO; hashes]);
}

#[test]
#[should_panic(expected = "labels and hashes")]
fn too_few_hashes_are_refused() {
    hash(Suite::HalfGates, 0, 4);
}

#[test]
#[should_panic(expected = "labels and sums")]
fn too_few_sums_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let mut state = kernel.start(Suite::HalfGates, 1);
    let (delta, mut hashes) = (Delta::new(Label::ZERO), [Label::ZERO; 5]);
    kernel.hash_both(&mut state, 0, &delta, &[Label::ZERO; 5], &mut hashes, &mut [Label::ZERO; 4]);
}

#[test]
#[should_panic(expected = "two inputs")]
fn a_third_input_is_refused() {
    hash(Suite::HalfGates, 2, 5);
}

#[test]
#[should_panic(expected = "suite half-gates")]
fn hashes_of_other_suites_are_refused() {
    hash(Suite::HalfGatesFixedKey, 0, 5);
}
