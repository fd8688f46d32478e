//! Traces the steps of authenticated runs.

use super::kernels::{ANDS, LANES, Lists, OPERANDS, SEEDS, random_labels};
use halfgate_kernels::choose::by_name;
use halfgate_kernels::ops::{WINDOW, Wide};
use halfgate_kernels::{Delta, KERNELS, Kernel, Label, LabelMemory, State, Suite};
use halfgate_leaks::step::{Instructions, difference, instructions, trace};

/// A step, without its secrets.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Shares,
    Garble,
    Evaluate,
}

#[test]
fn vector_kernels_run_authenticated_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable" && k.is_available()) {
        compare(&code, kernel, &[7, 2], None);
        compare(&code, kernel, &[1], Some(LANES[0]));
    }
}

#[test]
#[ignore = "a million steps: scripts/constant-time.sh runs it"]
fn vector_kernels_run_long_lists_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable" && k.is_available()) {
        compare(&code, kernel, ANDS, None);
        for lanes in LANES {
            compare(&code, kernel, &[2], Some(lanes));
        }
    }
}

#[test]
#[ignore = "a million steps: scripts/constant-time.sh runs it"]
fn the_portable_kernel_runs_authenticated_by_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    let portable = by_name("portable").expect("runs anywhere");
    compare(&code, portable, &[9], None);
    compare(&code, portable, &[1], Some(25));
}

/// Compares the traces of operations; of wide operations, if there are `lanes`.
fn compare(code: &Instructions, kernel: &'static Kernel, ands: &[u32], lanes: Option<usize>) {
    for step in [Step::Shares, Step::Garble, Step::Evaluate] {
        let mut run = Run::new(kernel, step, ands, lanes);
        let traces = SEEDS.map(|seed| {
            run.draw(seed);
            run.trace(code)
        });
        let what = format!("{} {step:?}, lanes: {lanes:?}", kernel.name);
        println!("{what}: {} steps", traces[0].len());
        assert!(code.known(&traces[0]) > 300, "{what}: the tracer missed the kernel");
        let found = difference(code, &traces[0], &traces[1]);
        assert_eq!(found, None, "{what} takes a path that depends on secrets");
    }
}

/// A step in fixed memory. Only the secrets change between traces.
struct Run {
    kernel: &'static Kernel,
    step: Step,
    /// For wide operations: their lanes, and the places of their operands, side by side.
    wide: Option<(usize, Vec<u32>)>,
    state: State,
    delta: Delta,
    labels: LabelMemory,
    rows: Vec<[Label; 3]>,
    lists: Lists,
}

impl Run {
    fn new(kernel: &'static Kernel, step: Step, ands: &[u32], lanes: Option<usize>) -> Run {
        let lists = Lists::new(ands, lanes.is_some());
        let mut run = Run {
            kernel,
            step,
            wide: lanes.map(|lanes| (lanes, (0..OPERANDS).map(|x| x * lanes as u32).collect())),
            state: kernel.start(Suite::HalfGates, 0x0123_4567_89ab_cdef),
            delta: Delta::new(Label::ZERO),
            labels: LabelMemory::new(WINDOW + 8),
            rows: vec![[Label::ZERO; 3]; lanes.unwrap_or(1) * lists.ands.len()],
            lists,
        };
        // Run once untraced: this makes the key schedule's tables, which are public and take long.
        run.once();
        run
    }

    /// Draws the secrets: Δ, all labels and all rows.
    fn draw(&mut self, seed: u64) {
        let mut label = random_labels(seed);
        self.delta = Delta::new(label());
        let used = self.wide.as_ref().map_or(128, |(lanes, _)| OPERANDS * *lanes as u32);
        for slot in (0..used).chain(WINDOW as u32..WINDOW as u32 + 8) {
            self.labels.set(slot, label());
        }
        self.rows.fill_with(|| [label(), label(), label()]);
    }

    #[inline(never)]
    fn trace(&mut self, code: &Instructions) -> Vec<halfgate_leaks::step::Step> {
        trace(code, &mut || self.once())
    }

    #[inline(never)]
    fn once(&mut self) {
        let ops = self.lists.ops();
        let (state, labels, rows) = (&mut self.state, &mut self.labels, &mut self.rows);
        let step = match self.step {
            Step::Shares => halfgate_kernels::Step::Shares { offset: self.delta.label() },
            Step::Garble => halfgate_kernels::Step::Garble { delta: &self.delta },
            Step::Evaluate => halfgate_kernels::Step::Evaluate,
        };
        // Each trace has the same AND numbers, over a boundary of the key schedule's blocks.
        state.go_to(110);
        match &self.wide {
            None => self.kernel.authenticated_at(state, step, labels, 0, &ops, rows),
            Some((lanes, places)) => {
                let wide = Wide { lanes: *lanes, places };
                self.kernel.authenticated_wide(state, step, labels, &ops, wide, rows);
            }
        }
    }
}
