//! Compares every kernel with the reference: random operations of every shape, every suite, both
//! roles, over AND numbers that cross the key schedule's boundaries.

mod authenticated;
mod instances;
mod leaky;
mod wide;

use halfgate_kernels::ops::{And, Move, Ops, Segment, WINDOW, Xor};
use halfgate_kernels::{Delta, KERNELS, Kernel, Label, LabelMemory, Suite};
use halfgate_reference as reference;
use proptest::prelude::*;

const SLOTS: u16 = 96;

/// SplitMix64: enough for test data.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn u128(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    fn slot(&mut self) -> u16 {
        // Sometimes uses the window's last slots, the end of the 16-bit address range.
        let slot = self.below(u64::from(SLOTS)) as u16;
        if slot < 4 { u16::MAX - slot } else { slot }
    }
}

#[derive(Default)]
struct Program {
    segments: Vec<Segment>,
    moves: Vec<Move>,
    xors: Vec<Xor>,
    ands: Vec<And>,
    positions: Vec<u32>,
}

impl Program {
    /// Makes segments whose ANDs are independent: they read slots below the middle of a random
    /// permutation and write distinct slots above it.
    fn random(r: &mut Random, segments: usize, most_ands: u64) -> Program {
        let mut p = Program::default();
        let mut position = 0;
        for _ in 0..segments {
            let (moves, xors) = (r.below(3) as u32, r.below(20) as u32);
            let ands = r.below(most_ands + 1) as u32;
            for _ in 0..moves {
                let spill = WINDOW as u32 + r.below(8) as u32;
                let slot = u32::from(r.slot());
                let (from, to) = if r.below(2) == 0 { (slot, spill) } else { (spill, slot) };
                p.moves.push(Move { from, to, invert: r.below(2) == 0 });
            }
            for _ in 0..xors {
                p.xors.push(Xor { a: r.slot(), b: r.slot(), c: r.slot() });
                position += 1;
            }
            for k in 0..ands as u16 {
                let flags = r.below(4) as u16;
                p.ands.push(And { a: r.slot(), b: r.slot(), c: 1000 + k, flags });
                p.positions.push(position);
                position += 1 + r.below(3) as u32;
            }
            p.segments.push(Segment { moves, xors, ands });
            // Copies the outputs of the ANDs to the slots that are read.
            p.segments.push(Segment { moves: 0, xors: ands, ands: 0 });
            for k in 0..ands as u16 {
                p.xors.push(Xor { a: 1000 + k, b: r.slot(), c: r.slot() });
            }
        }
        p
    }

    fn ops(&self) -> Ops<'_> {
        Ops {
            segments: &self.segments,
            moves: &self.moves,
            xors: &self.xors,
            ands: &self.ands,
            positions: &self.positions,
        }
    }
}

/// Runs the operations one at a time with the reference's AND. The garbler (with Δ) fills `tables`,
/// the evaluator (without) reads it.
fn by_reference(
    p: &Program,
    key: reference::Key,
    delta: Option<u128>,
    first: reference::Place,
    labels: &mut [u128],
    tables: &mut Vec<u8>,
) {
    let (mut moves, mut xors, mut ands) = (p.moves.iter(), p.xors.iter(), 0);
    for segment in &p.segments {
        for m in moves.by_ref().take(segment.moves as usize) {
            let invert = if m.invert { delta.unwrap_or(0) } else { 0 };
            labels[m.to as usize] = labels[m.from as usize] ^ invert;
        }
        for x in xors.by_ref().take(segment.xors as usize) {
            labels[x.c as usize] = labels[x.a as usize] ^ labels[x.b as usize];
        }
        for _ in 0..segment.ands {
            let And { a, b, c, flags } = p.ands[ands];
            let place = reference::Place {
                and: first.and + ands as u64,
                cycle: first.cycle,
                gate: first.gate + u64::from(p.positions[ands]),
            };
            let offset = |flag| if flags & flag != 0 { delta.unwrap_or(0) } else { 0 };
            let a = labels[a as usize] ^ offset(And::INVERT_A);
            let b = labels[b as usize] ^ offset(And::INVERT_B);
            labels[c as usize] = match delta {
                Some(delta) => {
                    let (out, table) = reference::garble_and(key, delta, place, a, b);
                    tables.extend_from_slice(&table);
                    out
                }
                None => {
                    let size = key.suite.table_bytes();
                    let table = &tables[size * ands..][..size];
                    reference::evaluate_and(key, place, table, a, b)
                }
            };
            ands += 1;
        }
    }
}

fn memory(labels: &[u128]) -> LabelMemory {
    let mut memory = LabelMemory::new(labels.len());
    for (i, &label) in labels.iter().enumerate() {
        memory.set(i as u32, Label::from_u128(label));
    }
    memory
}

fn assert_same(memory: &LabelMemory, labels: &[u128], what: &str) {
    for (i, &label) in labels.iter().enumerate() {
        assert!(memory.get(i as u32).to_u128() == label, "{what}: slot {i} differs");
    }
}

fn check(kernel: &Kernel, suite: Suite, seed: u64, segments: usize, most_ands: u64, skip: u64) {
    let mut r = Random(seed);
    let key = reference::Key {
        suite: reference::Suite::from_name(suite.name()).expect("the reference has every suite"),
        point: r.u128(),
    };
    let delta = key.suite.clip(r.u128() | 1);
    // Slot 0 is at this address: sometimes a frame behind others.
    let base = [0, 0, 1, 1001][r.below(4) as usize];
    let first_position = [0, r.next() >> 8][r.below(2) as usize];
    let frame = base as usize;
    let mut garbler: Vec<u128> =
        (0..frame + WINDOW + 8).map(|_| key.suite.clip(r.u128())).collect();
    let mut evaluator = garbler.clone();
    let (mut g_memory, mut e_memory) = (memory(&garbler), memory(&evaluator));
    let mut g_state = kernel.start(suite, key.point);
    let mut e_state = kernel.start(suite, key.point);
    // For AND numbers before the first, runs ANDs and ignores their results.
    let mut first_and = 0;
    if skip > 0 {
        let ands = vec![And { a: 0, b: 1, c: 2000, flags: 0 }; skip as usize];
        let segments = [Segment { moves: 0, xors: 0, ands: skip as u32 }];
        let positions = vec![0; skip as usize];
        let ops =
            Ops { segments: &segments, moves: &[], xors: &[], ands: &ands, positions: &positions };
        let mut tables = vec![0; suite.table_bytes() * skip as usize];
        kernel.garble(
            &mut g_state,
            &Delta::new(Label::from_u128(delta)),
            &mut g_memory,
            &ops,
            &mut tables,
        );
        kernel.evaluate(&mut e_state, &mut e_memory, &ops, &tables);
        for (memory, labels) in [(&g_memory, &mut garbler), (&e_memory, &mut evaluator)] {
            labels[2000] = memory.get(2000).to_u128();
        }
        first_and = skip;
    }
    for cycle in 0..2 {
        let p = Program::random(&mut r, segments, most_ands);
        let mut wanted = Vec::new();
        let first = reference::Place { and: first_and, cycle, gate: first_position };
        by_reference(&p, key, Some(delta), first, &mut garbler[frame..], &mut wanted);
        let mut tables = vec![0; wanted.len()];
        let d = Delta::new(Label::from_u128(delta));
        g_state.go_to_position(first_position);
        kernel.garble_at(&mut g_state, &d, &mut g_memory, base, &p.ops(), &mut tables);
        assert!(tables == wanted, "{} {suite}: tables differ in cycle {cycle}", kernel.name);
        assert_same(&g_memory, &garbler, &format!("{} {suite} garbling", kernel.name));

        by_reference(&p, key, None, first, &mut evaluator[frame..], &mut wanted);
        e_state.go_to_position(first_position);
        kernel.evaluate_at(&mut e_state, &mut e_memory, base, &p.ops(), &tables);
        assert_same(&e_memory, &evaluator, &format!("{} {suite} evaluating", kernel.name));
        first_and += p.ands.len() as u64;
        assert_eq!(g_state.ands(), first_and);
        g_state.next_cycle();
        e_state.next_cycle();
    }
}

fn each_kernel(run: impl Fn(&Kernel)) {
    for kernel in KERNELS {
        if kernel.is_available() {
            run(kernel);
        } else {
            println!("not run: this processor lacks the kernel {}", kernel.name);
        }
    }
}

#[test]
fn kernels_agree_with_the_reference_for_every_count_of_ands() {
    each_kernel(|kernel| {
        for suite in Suite::ALL {
            for most_ands in 0..20 {
                check(kernel, suite, 77 * most_ands, 6, most_ands, 0);
            }
        }
    });
}

#[test]
fn kernels_agree_with_the_reference_across_blocks_of_the_key_schedule() {
    each_kernel(|kernel| {
        for skip in [120, 127, 32_700, 32_767, 65_530] {
            check(kernel, Suite::HalfGates, skip, 4, 40, skip);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn kernels_agree_with_the_reference_on_random_operations(
        seed: u64, segments in 1usize..12, most_ands in 0u64..70,
    ) {
        each_kernel(|kernel| {
            for suite in Suite::ALL {
                check(kernel, suite, seed, segments, most_ands, 0);
            }
        });
    }
}

#[test]
#[should_panic(expected = "segments and ANDs")]
fn counts_that_do_not_add_up_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let segments = [Segment { moves: 0, xors: 0, ands: 2 }];
    let ands = [And { a: 0, b: 1, c: 2, flags: 0 }];
    let ops = Ops { segments: &segments, moves: &[], xors: &[], ands: &ands, positions: &[0] };
    let delta = Delta::new(Label::ZERO);
    let mut state = kernel.start(Suite::HalfGates, 1);
    kernel.garble(&mut state, &delta, &mut LabelMemory::new(0), &ops, &mut [0; 32]);
}

#[test]
#[should_panic(expected = "moves within memory")]
fn moves_out_of_memory_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let segments = [Segment { moves: 1, xors: 0, ands: 0 }];
    let moves = [Move { from: 0, to: WINDOW as u32, invert: false }];
    let ops = Ops { segments: &segments, moves: &moves, xors: &[], ands: &[], positions: &[] };
    let mut state = kernel.start(Suite::HalfGates, 1);
    kernel.evaluate(&mut state, &mut LabelMemory::new(0), &ops, &[]);
}

#[test]
#[should_panic(expected = "moves within memory")]
fn moves_out_of_memory_behind_a_frame_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let segments = [Segment { moves: 1, xors: 0, ands: 0 }];
    let moves = [Move { from: 0, to: WINDOW as u32, invert: false }];
    let ops = Ops { segments: &segments, moves: &moves, xors: &[], ands: &[], positions: &[] };
    let mut state = kernel.start(Suite::HalfGates, 1);
    let mut memory = LabelMemory::new(WINDOW + 5);
    kernel.evaluate_at(&mut state, &mut memory, 4, &ops, &[]);
    kernel.evaluate_at(&mut state, &mut memory, 5, &ops, &[]);
}

#[test]
#[should_panic(expected = "window within memory")]
fn frames_out_of_memory_are_refused() {
    let kernel = halfgate_kernels::choose::best();
    let ops = Ops { segments: &[], moves: &[], xors: &[], ands: &[], positions: &[] };
    let mut state = kernel.start(Suite::HalfGates, 1);
    kernel.evaluate_at(&mut state, &mut LabelMemory::new(0), 1, &ops, &[]);
}

#[test]
fn labels_and_delta_do_not_show_in_debug_output() {
    let label = Label::from_u128(0x1234_5678_9abc_def0);
    let delta = Delta::new(label);
    assert_eq!(format!("{label:?} {delta:?}"), "Label(…) Delta(…)");
}
