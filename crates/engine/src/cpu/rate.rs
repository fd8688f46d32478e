//! Measures the rate of a kernel alone, for benchmarks: operations on labels in cache and nothing
//! else.

use halfgate_kernels::ops::{And, Ops, Segment, Wide, Xor};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, Suite};
use std::time::Instant;

/// The operations that a kernel is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// Independent ANDs, 32 side by side, on labels all over 256 KiB: the second-level cache.
    Ands,
    /// The same number of ANDs, in wide operations on 16 lanes, all over 256 KiB.
    Wide,
    /// ANDs that each depend on the previous AND.
    Serial,
    /// XORs on labels that fit the first-level cache.
    Xors,
}

/// Operations, labels and states to measure a kernel with.
pub struct Rate {
    kernel: &'static Kernel,
    /// For wide operations: the operands' places.
    places: Option<Vec<u32>>,
    segments: Vec<Segment>,
    xors: Vec<Xor>,
    ands: Vec<And>,
    positions: Vec<u32>,
    memory: LabelMemory,
    tables: Vec<u8>,
    garbler: State,
    evaluator: State,
    delta: Delta,
}

/// Operations in one call; each lane of a wide operation counts.
const OPS: usize = 4096;
/// Lanes of wide operations.
const LANES: usize = 16;

impl Rate {
    /// Prepares `load` for `kernel` in the suite `half-gates`. Labels and Δ are fixed, not secret.
    pub fn new(kernel: &'static Kernel, load: Load) -> Rate {
        Rate::of_suite(kernel, load, Suite::HalfGates)
    }

    /// Like [`Rate::new`], in another suite.
    pub fn of_suite(kernel: &'static Kernel, load: Load, suite: Suite) -> Rate {
        const SLOTS: usize = 16_384;
        // A multiplier coprime to the number of slots visits all slots in an order that suits no
        // cache.
        let slot = |i: usize| (i * 7919 % SLOTS) as u16;
        let run = |segment: Segment, ops: usize| vec![segment; OPS / ops];
        let (segments, xors, ands) = match load {
            Load::Ands => {
                let and = |i: usize| {
                    let (a, b, flags) = (slot(2 * i), slot(2 * i + 1), i as u16 % 4);
                    And { a, b, c: (SLOTS + i) as u16, flags }
                };
                let ands: Vec<_> = (0..OPS).map(and).collect();
                (run(Segment { moves: 0, xors: 0, ands: 32 }, 32), Vec::new(), ands)
            }
            Load::Wide => {
                let slot = |i: usize| slot(i) % (SLOTS / LANES) as u16;
                let and = |i: usize| {
                    let (a, b, flags) = (slot(2 * i), slot(2 * i + 1), i as u16 % 4);
                    And { a, b, c: (SLOTS / LANES + i) as u16, flags }
                };
                let ands: Vec<_> = (0..OPS / LANES).map(and).collect();
                (run(Segment { moves: 0, xors: 0, ands: 2 }, 2 * LANES), Vec::new(), ands)
            }
            Load::Serial => {
                let and = |i: usize| And { a: i as u16 % 2, b: 2, c: (i as u16 + 1) % 2, flags: 0 };
                let segments = run(Segment { moves: 0, xors: 0, ands: 1 }, 1);
                (segments, Vec::new(), (0..OPS).map(and).collect())
            }
            Load::Xors => {
                let near = |i: usize| slot(i) % 1024;
                let xor = |i: usize| Xor { a: near(2 * i), b: near(3 * i + 1), c: near(5 * i + 2) };
                let segments = run(Segment { moves: 0, xors: OPS as u32, ands: 0 }, OPS);
                (segments, (0..OPS).map(xor).collect(), Vec::new())
            }
        };
        let places = (load == Load::Wide)
            .then(|| (0..(SLOTS + OPS) / LANES).map(|i| (i * LANES) as u32).collect());
        let lanes = if load == Load::Wide { LANES } else { 1 };
        let mut memory = LabelMemory::new(0);
        for i in 0..SLOTS as u32 {
            let spread = u128::from(i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            memory.set(i, Label::from_u128(spread));
        }
        Rate {
            kernel,
            places,
            positions: vec![0; ands.len()],
            tables: vec![0; suite.table_bytes() * lanes * ands.len()],
            segments,
            xors,
            ands,
            memory,
            garbler: kernel.start(suite, 1),
            evaluator: kernel.start(suite, 1),
            delta: Delta::new(Label::from_u128(0x0f1e_2d3c_4b5a_6978_8796_a5b4_c3d2_e1f1)),
        }
    }

    /// Seconds per operation of garbling, measured over about `seconds`.
    pub fn garble(&mut self, seconds: f64) -> f64 {
        let Rate { kernel, places, segments, xors, ands, positions, memory, tables, .. } = self;
        let ops = Ops { segments, moves: &[], xors, ands, positions };
        let (state, delta) = (&mut self.garbler, &self.delta);
        let call = || match places {
            None => kernel.garble(state, delta, memory, &ops, tables),
            Some(places) => {
                let wide = Wide { lanes: LANES, places };
                kernel.garble_wide(state, delta, memory, &ops, wide, tables);
            }
        };
        time(seconds, call) / OPS as f64
    }

    /// Seconds per operation of evaluating, measured over about `seconds`.
    pub fn evaluate(&mut self, seconds: f64) -> f64 {
        let Rate { kernel, places, segments, xors, ands, positions, memory, tables, .. } = self;
        let ops = Ops { segments, moves: &[], xors, ands, positions };
        let state = &mut self.evaluator;
        let call = || match places {
            None => kernel.evaluate(state, memory, &ops, tables),
            Some(places) => {
                let wide = Wide { lanes: LANES, places };
                kernel.evaluate_wide(state, memory, &ops, wide, tables);
            }
        };
        time(seconds, call) / OPS as f64
    }
}

/// Seconds of one AES-128 block in registers alone, with only its rounds. When processors are
/// compared, the cost of ANDs is expressed in this unit.
pub fn block(kernel: &Kernel, seconds: f64) -> f64 {
    let mut blocks = 0;
    let calls = time(seconds, || blocks = kernel.encrypt_in_registers(1 << 14));
    calls / blocks as f64
}

/// Seconds per call, measured over about `seconds`.
fn time(seconds: f64, mut call: impl FnMut()) -> f64 {
    call();
    let (start, mut calls) = (Instant::now(), 0);
    loop {
        call();
        calls += 1;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= seconds {
            return elapsed / f64::from(calls);
        }
    }
}
