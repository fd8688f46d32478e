//! Traces leaky ANDs.

use super::kernels::{SEEDS, random_labels};
use halfgate_kernels::choose::by_name;
use halfgate_kernels::{Bits, Delta, KERNELS, Kernel, Label, State, Suite};
use halfgate_leaks::step::{Instructions, Step, difference, instructions, trace};

/// Number of leaky ANDs. With vectors of 1, 2 and 4 labels, it makes groups of four vectors, single
/// vectors and partial vectors: 28 are in one block of the key schedule and 11 in the next.
const COUNT: usize = 39;

#[test]
fn vector_kernels_make_leaky_ands_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable" && k.is_available()) {
        compare(&code, kernel, COUNT);
    }
}

#[test]
#[ignore = "half a million steps: scripts/constant-time.sh runs it"]
fn the_portable_kernel_makes_leaky_ands_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    compare(&code, by_name("portable").expect("runs anywhere"), 33);
}

fn compare(code: &Instructions, kernel: &'static Kernel, count: usize) {
    for half in 0..2 {
        let mut leaky = Leaky::new(kernel, half, count);
        let traces = SEEDS.map(|seed| leaky.trace(code, seed));
        let what = format!("{} half {half}, {count} leaky ANDs", kernel.name);
        println!("{what}: {} steps", traces[0].len());
        assert!(code.known(&traces[0]) > 300, "{what}: the tracer missed the kernel");
        let found = difference(code, &traces[0], &traces[1]);
        assert_eq!(found, None, "{what} take a path that depends on secrets");
    }
}

/// Leaky ANDs in fixed memory. Only the secrets change between traces.
struct Leaky {
    kernel: &'static Kernel,
    half: usize,
    state: State,
    delta: Delta,
    /// Keys and MACs of x, y and z.
    bits: [[Vec<Label>; 2]; 3],
    l: Vec<Label>,
    g: Vec<Label>,
}

impl Leaky {
    fn new(kernel: &'static Kernel, half: usize, count: usize) -> Leaky {
        let labels = || vec![Label::ZERO; count];
        let mut leaky = Leaky {
            kernel,
            half,
            state: kernel.start(Suite::HalfGates, 0x0123_4567_89ab_cdef),
            delta: Delta::new(Label::ZERO),
            bits: [(); 3].map(|()| [labels(), labels()]),
            l: labels(),
            g: labels(),
        };
        // Run once untraced: this makes the key schedule's tables, which are public and take long.
        leaky.once();
        leaky
    }

    #[inline(never)]
    fn trace(&mut self, code: &Instructions, seed: u64) -> Vec<Step> {
        let mut label = random_labels(seed);
        self.delta = Delta::new(label());
        self.bits.as_flattened_mut().iter_mut().for_each(|labels| labels.fill_with(&mut label));
        trace(code, &mut || self.once())
    }

    /// Both parties' parts, under the same AND numbers. The own message is taken for the peer's.
    #[inline(never)]
    fn once(&mut self) {
        let Leaky { kernel, half, state, delta, bits, l, g } = self;
        let [x, y, z] = &*bits;
        let [y, z] = [y, z].map(|[key, mac]| Bits { key, mac });
        state.go_to(100);
        kernel.send_leaky(state, *half, delta, (&x[0], y, z), (l, g));
        state.go_to(100);
        kernel.receive_leaky(state, *half, (&x[1], y), g, l);
    }
}
