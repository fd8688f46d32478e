//! Traces hashes of labels.

use super::kernels::{SEEDS, random_labels};
use halfgate_kernels::choose::by_name;
use halfgate_kernels::{Delta, KERNELS, Kernel, Label, State, Suite};
use halfgate_leaks::step::{Instructions, Step, difference, instructions, trace};

/// Number of labels. With vectors of 1, 2 and 4 labels, it makes groups of four vectors, single
/// vectors and partial vectors: 28 labels are in one block of the key schedule and 11 in the next.
const COUNT: usize = 39;

#[test]
fn vector_kernels_hash_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable" && k.is_available()) {
        compare(&code, kernel, COUNT);
    }
}

#[test]
#[ignore = "half a million steps: scripts/constant-time.sh runs it"]
fn the_portable_kernel_hashes_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    compare(&code, by_name("portable").expect("runs anywhere"), 33);
}

fn compare(code: &Instructions, kernel: &'static Kernel, count: usize) {
    for half in 0..2 {
        let mut hashes = Hashes::new(kernel, half, count);
        let traces = SEEDS.map(|seed| hashes.trace(code, seed));
        let what = format!("{} half {half}, hashes of {count} labels", kernel.name);
        println!("{what}: {} steps", traces[0].len());
        assert!(code.known(&traces[0]) > 300, "{what}: the tracer missed the kernel");
        let found = difference(code, &traces[0], &traces[1]);
        assert_eq!(found, None, "{what} take a path that depends on secrets");
    }
}

/// Hashes in fixed memory. Only the secrets change between traces.
struct Hashes {
    kernel: &'static Kernel,
    half: usize,
    state: State,
    delta: Delta,
    labels: Vec<Label>,
    hashes: Vec<Label>,
    sums: Vec<Label>,
}

impl Hashes {
    fn new(kernel: &'static Kernel, half: usize, count: usize) -> Hashes {
        let mut hashes = Hashes {
            kernel,
            half,
            state: kernel.start(Suite::HalfGates, 0x0123_4567_89ab_cdef),
            delta: Delta::new(Label::ZERO),
            labels: vec![Label::ZERO; count],
            hashes: vec![Label::ZERO; count],
            sums: vec![Label::ZERO; count],
        };
        // Run once untraced: this makes the key schedule's tables, which are public and take long.
        hashes.once();
        hashes
    }

    #[inline(never)]
    fn trace(&mut self, code: &Instructions, seed: u64) -> Vec<Step> {
        let mut label = random_labels(seed);
        self.delta = Delta::new(label());
        self.labels.fill_with(label);
        trace(code, &mut || self.once())
    }

    /// Hashes under the same AND numbers with sums and without.
    #[inline(never)]
    fn once(&mut self) {
        let Hashes { kernel, half, state, delta, labels, hashes, sums } = self;
        state.go_to(100);
        kernel.hash(state, *half, labels, hashes);
        state.go_to(100);
        kernel.hash_both(state, *half, delta, labels, hashes, sums);
    }
}
