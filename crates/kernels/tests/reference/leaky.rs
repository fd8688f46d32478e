//! Leaky ANDs: every sum has the hashes of the reference.

use super::{Random, each_kernel};
use halfgate_kernels::{Bits, Delta, Kernel, Label, Suite};
use halfgate_reference as reference;

/// Compares `count` leaky ANDs from AND number `first` on with their formulas.
fn check(kernel: &Kernel, count: usize, first: u64) {
    let mut r = Random(first ^ count as u64);
    let key = reference::Key { suite: reference::Suite::HalfGates, point: r.u128() };
    let delta = r.u128() | 1;
    let mut labels = || -> Vec<u128> { (0..count).map(|_| r.u128()).collect() };
    let [x, y, y2, z, z2, g, l] = [(); 7].map(|()| labels());
    let all = |values: &[u128]| -> Vec<Label> {
        values.iter().map(|value| Label::from_u128(*value)).collect()
    };
    for half in 0..2 {
        let hash = |i: usize, label: u128| {
            let place = reference::Place { and: first + i as u64, cycle: 0, gate: 0 };
            key.hash(label, place, half)
        };
        let what = format!("{} half {half}: {count} ANDs from {first} on", kernel.name);
        let half = half as usize;
        let mut state = kernel.start(Suite::HalfGates, key.point);
        state.go_to(first);
        let d = Delta::new(Label::from_u128(delta));
        let (xs, [y_key, y_mac, z_key, z_mac]) = (all(&x), [&y, &y2, &z, &z2].map(|v| all(v)));
        let y_bits = Bits { key: &y_key, mac: &y_mac };
        let z_bits = Bits { key: &z_key, mac: &z_mac };
        let (mut ls, mut gs) = (vec![Label::ZERO; count], vec![Label::ZERO; count]);
        kernel.send_leaky(&mut state, half, &d, (&xs, y_bits, z_bits), (&mut ls, &mut gs));
        assert_eq!(state.ands(), first + count as u64);
        for i in 0..count {
            let key = if x[i] & 1 == 1 { x[i] ^ delta } else { x[i] };
            let (h, other) = (hash(i, key), hash(i, key ^ delta));
            assert_eq!(ls[i].to_u128(), h ^ z[i] ^ z2[i], "{what}: L of {i}");
            assert_eq!(gs[i].to_u128(), h ^ other ^ y[i] ^ y2[i], "{what}: G of {i}");
        }

        state.go_to(first);
        let mut ls = all(&l);
        kernel.receive_leaky(&mut state, half, (&xs, y_bits), &all(&g), &mut ls);
        assert_eq!(state.ands(), first + count as u64);
        for i in 0..count {
            let chosen = if x[i] & 1 == 1 { g[i] ^ y[i] ^ y2[i] } else { 0 };
            assert_eq!(ls[i].to_u128(), l[i] ^ hash(i, x[i]) ^ chosen, "{what}: completed {i}");
        }
    }
}

#[test]
fn leaky_ands_agree_with_the_reference_for_every_count() {
    each_kernel(|kernel| (0..70).for_each(|count| check(kernel, count, 3 * count as u64)));
}

#[test]
fn leaky_ands_agree_with_the_reference_across_blocks_of_the_key_schedule() {
    each_kernel(|kernel| {
        for first in [100, 127, 128, 32_767, 65_530, (1 << 40) - 9] {
            check(kernel, 300, first);
        }
    });
}

/// Starts five leaky ANDs, with `results` places for G.
fn send(suite: Suite, half: usize, results: usize) {
    let kernel = halfgate_kernels::choose::best();
    let mut state = kernel.start(suite, 1);
    let zeros = [Label::ZERO; 5];
    let bits = Bits { key: &zeros, mac: &zeros };
    let delta = Delta::new(Label::ZERO);
    let (mut l, mut g) = (zeros, vec![Label::ZERO; results]);
    kernel.send_leaky(&mut state, half, &delta, (&zeros, bits, bits), (&mut l, &mut g));
}

#[test]
#[should_panic(expected = "labels of each kind")]
fn too_few_results_are_refused() {
    send(Suite::HalfGates, 0, 4);
}

#[test]
#[should_panic(expected = "labels of each kind")]
fn too_few_messages_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let mut state = kernel.start(Suite::HalfGates, 1);
    let zeros = [Label::ZERO; 5];
    let bits = Bits { key: &zeros, mac: &zeros };
    kernel.receive_leaky(&mut state, 0, (&zeros, bits), &zeros[..4], &mut zeros.clone());
}

#[test]
#[should_panic(expected = "two inputs")]
fn a_third_input_is_refused() {
    send(Suite::HalfGates, 2, 5);
}

#[test]
#[should_panic(expected = "suite half-gates")]
fn leaky_ands_of_other_suites_are_refused() {
    send(Suite::HalfGatesFixedKey, 0, 5);
}
