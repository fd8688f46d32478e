//! Traces the kernels. Also traces functions that leak, to check that the tracer detects the leaks.

use halfgate_kernels::choose::by_name;
use halfgate_kernels::ops::{And, Move, Ops, Segment, WINDOW, Wide, Xor};
use halfgate_kernels::{Delta, KERNELS, Kernel, Label, LabelMemory, State, Suite};
use halfgate_leaks::step::{Instructions, Step, difference, instructions, trace, trace_with};
use std::hint::black_box;

/// Seeds of the secrets to trace under. Each seed stands for over a hundred random labels, so a
/// path that depends on a colour bit is very unlikely to go unseen.
pub(super) const SEEDS: [u64; 2] = [1, 2];

/// ANDs in each segment, for the vector kernels. With vectors of 1, 2 and 4 labels, these make
/// groups of two vectors and of one, partial vectors and single ANDs.
pub(super) const ANDS: &[u32] = &[27, 5];

/// Lanes of wide operations. With vectors of 1, 2 and 4 labels, these too make groups of two
/// vectors and of one, partial vectors and single lanes.
pub(super) const LANES: [usize; 2] = [13, 15];

/// Operands of wide operations: slots, and two addresses that only moves use.
pub(super) const OPERANDS: u32 = 160;

#[test]
fn vector_kernels_take_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable") {
        if !kernel.is_available() {
            println!("not run: this processor lacks the kernel {}", kernel.name);
            continue;
        }
        for suite in [Suite::HalfGates, Suite::HalfGatesFixedKey] {
            compare(&code, kernel, suite, ANDS, None);
            for lanes in LANES {
                compare(&code, kernel, suite, &[2], Some(lanes));
            }
        }
    }
}

#[test]
fn instances_side_by_side_take_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for kernel in KERNELS.into_iter().filter(|k| k.name != "portable" && k.is_available()) {
        for suite in [Suite::HalfGates, Suite::HalfGatesFixedKey] {
            for lanes in [8, 16] {
                compare_instances(&code, kernel, suite, lanes);
            }
        }
    }
}

#[test]
#[ignore = "a million steps: scripts/constant-time.sh runs it"]
fn instances_of_the_portable_kernel_take_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    let portable = by_name("portable").expect("runs anywhere");
    compare_instances(&code, portable, Suite::HalfGates, 8);
    compare_instances(&code, portable, Suite::HalfGatesFixedKey, 16);
}

/// Compares the traces of instances, one a lane.
fn compare_instances(code: &Instructions, kernel: &'static Kernel, suite: Suite, lanes: usize) {
    let traces = Run::new(kernel, suite, Role::Garbler, &[2], Some(lanes)).trace_instances(code);
    let what = format!("{} {suite}, {lanes} instances", kernel.name);
    println!("{what}: {} steps", traces[0].len());
    assert!(code.known(&traces[0]) > 500, "{what}: the tracer missed the kernel");
    let found = difference(code, &traces[0], &traces[1]);
    assert_eq!(found, None, "{what} take a path that depends on secrets");
}

/// All kernels share the code of these suites, and the libraries choose their instructions.
#[test]
fn the_suite_of_rows_takes_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    for suite in [Suite::Grr3Sha1, Suite::Grr3] {
        let portable = by_name("portable").expect("runs anywhere");
        compare(&code, portable, suite, &[9, 4], None);
        compare(&code, portable, suite, &[2], Some(3));
    }
}

/// A step of the tracer takes microseconds, and one bitsliced hash some 20,000 steps. So the
/// portable kernel gets few ANDs: one full vector of eight and one partial vector.
#[test]
fn the_portable_kernel_takes_the_same_path_for_all_secrets() {
    let Some(code) = instructions() else { return };
    let portable = by_name("portable").expect("runs anywhere");
    compare(&code, portable, Suite::HalfGates, &[9], None);
}

#[test]
#[ignore = "a million steps: scripts/constant-time.sh runs it"]
fn the_portable_kernel_takes_the_same_path_for_every_size_of_group() {
    let Some(code) = instructions() else { return };
    let portable = by_name("portable").expect("runs anywhere");
    compare(&code, portable, Suite::HalfGates, &[25], None);
    compare(&code, portable, Suite::HalfGatesFixedKey, &[9], None);
    compare(&code, portable, Suite::HalfGates, &[1], Some(25));
    compare(&code, portable, Suite::HalfGatesFixedKey, &[1], Some(9));
}

/// Compares the traces of operations; of wide operations, if there are `lanes`.
fn compare(
    code: &Instructions,
    kernel: &'static Kernel,
    suite: Suite,
    ands: &[u32],
    lanes: Option<usize>,
) {
    for role in [Role::Garbler, Role::Evaluator] {
        let mut run = Run::new(kernel, suite, role, ands, lanes);
        let traces = SEEDS.map(|seed| run.trace(code, seed));
        let what = format!("{} {suite} {role:?}, lanes: {lanes:?}", kernel.name);
        println!("{what}: {} steps", traces[0].len());
        assert!(code.known(&traces[0]) > 1000, "{what}: the tracer missed the kernel");
        let found = difference(code, &traces[0], &traces[1]);
        assert_eq!(found, None, "{what} takes a path that depends on secrets");
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    Garbler,
    Evaluator,
}

/// A run of fixed operations in fixed memory. Only the secrets change between traces.
struct Run {
    kernel: &'static Kernel,
    role: Role,
    /// For wide operations: their lanes, and the places of their operands, side by side.
    wide: Option<(usize, Vec<u32>)>,
    state: State,
    delta: Delta,
    labels: LabelMemory,
    tables: Vec<u8>,
    lists: Lists,
}

/// The operations of a run.
pub(super) struct Lists {
    positions: Vec<u32>,
    moves: Vec<Move>,
    xors: Vec<Xor>,
    pub ands: Vec<And>,
    segments: Vec<Segment>,
}

impl Lists {
    /// Makes a segment for each number of ANDs, with moves of all kinds.
    pub fn new(ands: &[u32], wide: bool) -> Lists {
        let spill = if wide { OPERANDS - 2 } else { WINDOW as u32 };
        let both = |from, to| [false, true].map(|invert| Move { from, to, invert });
        let segment = |&ands: &u32| Segment { moves: 4, xors: 8, ands };
        let count = ands.iter().sum::<u32>() as u16;
        Lists {
            positions: vec![7; usize::from(count)],
            moves: ands
                .iter()
                .flat_map(|_| [both(1, spill), both(spill + 1, 2)])
                .flatten()
                .collect(),
            xors: (0..8 * ands.len() as u16).map(|k| Xor { a: k, b: k + 1, c: k + 30 }).collect(),
            ands: (0..count).map(|k| And { a: k, b: 63 - k, c: 100 + k, flags: k % 4 }).collect(),
            segments: ands.iter().map(segment).collect(),
        }
    }

    pub fn ops(&self) -> Ops<'_> {
        Ops {
            segments: &self.segments,
            moves: &self.moves,
            xors: &self.xors,
            ands: &self.ands,
            positions: &self.positions,
        }
    }
}

impl Run {
    fn new(
        kernel: &'static Kernel,
        suite: Suite,
        role: Role,
        ands: &[u32],
        lanes: Option<usize>,
    ) -> Run {
        let lists = Lists::new(ands, lanes.is_some());
        let mut run = Run {
            kernel,
            role,
            wide: lanes.map(|lanes| (lanes, (0..OPERANDS).map(|x| x * lanes as u32).collect())),
            state: kernel.start(suite, 0x0123_4567_89ab_cdef),
            delta: Delta::new(Label::ZERO),
            labels: LabelMemory::new(WINDOW + 8),
            tables: vec![0; suite.table_bytes() * lanes.unwrap_or(1) * lists.ands.len()],
            lists,
        };
        // Run once untraced: this makes the key schedule's tables, which are public and take long.
        run.once();
        run
    }

    #[inline(never)]
    fn trace(&mut self, code: &Instructions, seed: u64) -> Vec<Step> {
        let mut label = random_labels(seed);
        self.delta = Delta::new(label());
        let used = self.wide.as_ref().map_or(128, |(lanes, _)| OPERANDS * *lanes as u32);
        for slot in (0..used).chain(WINDOW as u32..WINDOW as u32 + 8) {
            self.labels.set(slot, label());
        }
        trace(code, &mut || self.once())
    }

    /// Traces instances, one a lane, for each of the seeds.
    fn trace_instances(&self, code: &Instructions) -> [Vec<Step>; 2] {
        let (lanes, places) = self.wide.as_ref().expect("instances are in lanes");
        let ops = self.lists.ops();
        let mut set_up = |seed| {
            let mut label = random_labels(seed);
            let deltas: Vec<Delta> = (0..*lanes).map(|_| Delta::new(label())).collect();
            let starts: Vec<(u128, &Delta)> = (0..).zip(&deltas).collect();
            let mut instances = self.kernel.start_instances(self.state.suite(), &starts);
            let mut labels = LabelMemory::new(self.labels.len());
            let mut tables = vec![0; self.tables.len()];
            // Makes the tables of round keys, which are public and take long.
            self.kernel.garble_instances(&mut instances, &mut labels, &ops, places, &mut tables);
            (0..OPERANDS * *lanes as u32).for_each(|slot| labels.set(slot, label()));
            (instances, labels, tables)
        };
        trace_with(code, &SEEDS, &mut set_up, &mut |(instances, labels, tables)| {
            self.kernel.garble_instances(instances, labels, &ops, places, tables);
        })
    }

    #[inline(never)]
    fn once(&mut self) {
        let ops = self.lists.ops();
        let (state, labels) = (&mut self.state, &mut self.labels);
        let wide = self.wide.as_ref().map(|(lanes, places)| Wide { lanes: *lanes, places });
        let (kernel, delta, tables) = (self.kernel, &self.delta, &mut self.tables);
        match (self.role, wide) {
            (Role::Garbler, None) => kernel.garble(state, delta, labels, &ops, tables),
            (Role::Evaluator, None) => kernel.evaluate(state, labels, &ops, tables),
            (Role::Garbler, Some(wide)) => {
                kernel.garble_wide(state, delta, labels, &ops, wide, tables);
            }
            (Role::Evaluator, Some(wide)) => {
                kernel.evaluate_wide(state, labels, &ops, wide, tables);
            }
        }
    }
}

pub(super) fn random_labels(seed: u64) -> impl FnMut() -> Label {
    let mut random = seed;
    move || {
        let mut half = || {
            // The upper half of an LCG is good enough to choose colours.
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            u128::from(random >> 32)
        };
        Label::from_u128(half() << 96 | half() << 64 | half() << 32 | half())
    }
}

/// The tracer's verdict on `f` for labels of colour 0 and 1.
fn verdict(f: fn(Label) -> u128) -> Option<Option<String>> {
    let code = instructions()?;
    let traces = [8, 9].map(|value| trace_of(&code, f, Label::from_u128(value)));
    Some(difference(&code, &traces[0], &traces[1]))
}

/// Not inlined, so that every call finds its stack at the same address.
#[inline(never)]
fn trace_of(code: &Instructions, f: fn(Label) -> u128, label: Label) -> Vec<Step> {
    trace(code, &mut || {
        black_box(f(black_box(label)));
    })
}

#[test]
fn a_branch_on_a_colour_bit_is_noticed() {
    #[inline(never)]
    fn leaky(label: Label) -> u128 {
        if label.colour() { black_box(label).to_u128() ^ 5 } else { 0 }
    }
    if let Some(found) = verdict(leaky) {
        assert!(found.is_some_and(|f| f.contains("branch")));
    }
}

#[test]
fn a_colour_bit_as_an_index_is_noticed() {
    #[inline(never)]
    fn leaky(label: Label) -> u128 {
        let table = black_box([3, 4]);
        table[(label.to_u128() & 1) as usize]
    }
    if let Some(found) = verdict(leaky) {
        assert!(found.is_some_and(|f| f.contains("address")));
    }
}

#[test]
fn a_colour_bit_as_a_mask_is_no_alarm() {
    #[inline(never)]
    fn masked(label: Label) -> u128 {
        (label.to_u128() & 1).wrapping_neg() & black_box(7)
    }
    if let Some(found) = verdict(masked) {
        assert_eq!(found, None);
    }
}
