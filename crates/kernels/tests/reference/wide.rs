//! Wide operations: every lane of every operation is that of the reference.

use super::{Random, assert_same, each_kernel, memory};
use halfgate_kernels::ops::{And, Move, Ops, Segment, WINDOW, Wide, Xor};
use halfgate_kernels::{Delta, Label, LabelMemory, Suite};
use halfgate_reference as reference;

const LANES: [usize; 11] = [1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 256];

/// Operands that ANDs read, and operands that they write.
const READ: u64 = 12;
const WRITTEN: u16 = 6;
/// The last slots, and the addresses after them that only moves can name.
const HIGH: u32 = WINDOW as u32 - 4;
const PLACES: usize = WINDOW + 4;

/// Random operations with places for their operands, and what the reference makes of them.
struct Case {
    key: reference::Key,
    delta: u128,
    first: reference::Place,
    lanes: usize,
    places: Vec<u32>,
    segments: Vec<Segment>,
    moves: Vec<Move>,
    xors: Vec<Xor>,
    ands: Vec<And>,
    positions: Vec<u32>,
    /// Labels before and after the operations, of the garbler and of the evaluator.
    before: Vec<u128>,
    garbled: Vec<u128>,
    evaluated: Vec<u128>,
    tables: Vec<u8>,
}

impl Case {
    fn new(r: &mut Random, suite: Suite, lanes: usize, first_and: u64) -> Case {
        let suite = reference::Suite::from_name(suite.name()).expect("the reference has all");
        let key = reference::Key { suite, point: r.u128() };
        let first = reference::Place { and: first_and, cycle: r.below(3), gate: r.next() >> 20 };
        let (places, end) = places(r, lanes);
        let mut case = Case {
            key,
            delta: suite.clip(r.u128() | 1),
            first,
            lanes,
            places,
            segments: Vec::new(),
            moves: Vec::new(),
            xors: Vec::new(),
            ands: Vec::new(),
            positions: Vec::new(),
            before: (0..end).map(|_| suite.clip(r.u128())).collect(),
            garbled: Vec::new(),
            evaluated: Vec::new(),
            tables: Vec::new(),
        };
        for _ in 0..4 {
            case.add_segment(r);
        }
        case.garbled = case.by_reference(Some(case.delta));
        case.evaluated = case.by_reference(None);
        case
    }

    fn add_segment(&mut self, r: &mut Random) {
        let mut read = || match r.below(READ + 4) {
            x if x < READ => x as u16,
            x => (HIGH + (x - READ) as u32) as u16,
        };
        for _ in 0..3 {
            let (slot, high) = (u32::from(read()), WINDOW as u32 + u32::from(read() % 4));
            self.moves.push(Move { from: high, to: slot, invert: slot % 2 == 0 });
            self.moves.push(Move { from: slot, to: high, invert: slot % 3 == 0 });
        }
        for _ in 0..5 {
            self.xors.push(Xor { a: read(), b: read(), c: read() });
        }
        let ands = read() % (WRITTEN + 1);
        for k in 0..ands {
            let c = READ as u16 + k;
            // Some ANDs overwrite an input.
            let a = if read() % 4 == 0 { c } else { read() };
            self.ands.push(And { a, b: read(), c, flags: read() % 4 });
            self.positions.push(u32::from(read()) * 1000);
        }
        self.segments.push(Segment { moves: 6, xors: 5, ands: ands.into() });
        for k in 0..ands {
            self.xors.push(Xor { a: READ as u16 + k, b: read(), c: read() });
        }
        self.segments.push(Segment { moves: 0, xors: ands.into(), ands: 0 });
    }

    /// Runs all operations one lane at a time. The garbler (with Δ) fills `tables`, the evaluator
    /// (without) reads it.
    fn by_reference(&mut self, delta: Option<u128>) -> Vec<u128> {
        let Case { key, lanes, first, .. } = *self;
        let mut labels = self.before.clone();
        let at = |x: u32, lane: usize| self.places[x as usize] as usize + lane;
        let offset = |invert: bool| if invert { delta.unwrap_or(0) } else { 0 };
        let (mut moves, mut xors, mut ands) = (self.moves.iter(), self.xors.iter(), 0);
        for segment in &self.segments {
            for op in moves.by_ref().take(segment.moves as usize) {
                for lane in 0..lanes {
                    labels[at(op.to, lane)] = labels[at(op.from, lane)] ^ offset(op.invert);
                }
            }
            for op in xors.by_ref().take(segment.xors as usize) {
                let at = |x: u16, lane| at(x.into(), lane);
                for lane in 0..lanes {
                    labels[at(op.c, lane)] = labels[at(op.a, lane)] ^ labels[at(op.b, lane)];
                }
            }
            for j in ands..ands + segment.ands as usize {
                let (And { a, b, c, flags }, position) = (self.ands[j], self.positions[j]);
                for lane in 0..lanes {
                    let and = j * lanes + lane;
                    let place = reference::Place {
                        and: first.and + and as u64,
                        cycle: first.cycle,
                        gate: first.gate + u64::from(position) * lanes as u64 + lane as u64,
                    };
                    let a = labels[at(a.into(), lane)] ^ offset(flags & And::INVERT_A != 0);
                    let b = labels[at(b.into(), lane)] ^ offset(flags & And::INVERT_B != 0);
                    let bytes = key.suite.table_bytes();
                    labels[at(c.into(), lane)] = if let Some(delta) = delta {
                        let (out, table) = reference::garble_and(key, delta, place, a, b);
                        self.tables.extend_from_slice(&table);
                        out
                    } else {
                        let table = &self.tables[bytes * and..][..bytes];
                        reference::evaluate_and(key, place, table, a, b)
                    };
                }
            }
            ands += segment.ands as usize;
        }
        labels
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

    /// Compares every kernel's garbling and evaluation with the reference's.
    fn check(&self, suite: Suite) {
        let (ops, wide) = (self.ops(), Wide { lanes: self.lanes, places: &self.places });
        each_kernel(|kernel| {
            let what = format!("{} {suite} {} lanes", kernel.name, self.lanes);
            let start = || {
                let mut state = kernel.start(suite, self.key.point);
                state.go_to(self.first.and);
                state.go_to_cycle(self.first.cycle);
                state.go_to_position(self.first.gate);
                state
            };
            let last_and = self.first.and + (self.ands.len() * self.lanes) as u64;

            let (mut state, mut labels) = (start(), memory(&self.before));
            let delta = Delta::new(Label::from_u128(self.delta));
            let mut tables = vec![0; self.tables.len()];
            kernel.garble_wide(&mut state, &delta, &mut labels, &ops, wide, &mut tables);
            assert!(tables == self.tables, "{what}: tables differ");
            assert_same(&labels, &self.garbled, &format!("{what}, garbling"));
            assert_eq!(state.ands(), last_and);

            let (mut state, mut labels) = (start(), memory(&self.before));
            kernel.evaluate_wide(&mut state, &mut labels, &ops, wide, &tables);
            assert_same(&labels, &self.evaluated, &format!("{what}, evaluating"));
            assert_eq!(state.ands(), last_and);
        });
    }
}

/// Places in random order with random gaps, the last at the end of memory, and that end.
fn places(r: &mut Random, lanes: usize) -> (Vec<u32>, usize) {
    let mut operands: Vec<usize> = (0..READ as usize + WRITTEN as usize).collect();
    operands.extend(HIGH as usize..PLACES);
    for k in 1..operands.len() {
        operands.swap(k, r.below(k as u64 + 1) as usize);
    }
    let mut places = vec![0; PLACES];
    let mut end = WINDOW - operands.len() * (lanes + 3) / 2;
    for operand in operands {
        end += r.below(4) as usize;
        places[operand] = end as u32;
        end += lanes;
    }
    // Memory is never smaller than the window.
    if end < WINDOW { places_of_window_end(places, end) } else { (places, end) }
}

/// Moves all places up, so that the last lane is the window's last label.
fn places_of_window_end(mut places: Vec<u32>, end: usize) -> (Vec<u32>, usize) {
    places.iter_mut().filter(|place| **place > 0).for_each(|place| *place += (WINDOW - end) as u32);
    (places, WINDOW)
}

#[test]
fn wide_operations_agree_with_the_reference_in_every_suite() {
    for suite in Suite::ALL {
        for (seed, lanes) in LANES.into_iter().enumerate() {
            let mut r = Random(seed as u64);
            let first_and = r.below(1000);
            Case::new(&mut r, suite, lanes, first_and).check(suite);
        }
    }
}

#[test]
fn wide_operations_agree_with_the_reference_across_blocks_of_the_key_schedule() {
    for (seed, lanes) in [1, 3, 5, 8, 16, 17, 256].into_iter().enumerate() {
        for first_and in [112, 113, 120, 127, 32_767, 65_536 - 7, (1 << 40) - 9] {
            let mut r = Random(seed as u64 ^ first_and);
            Case::new(&mut r, Suite::HalfGates, lanes, first_and).check(Suite::HalfGates);
        }
    }
}

/// Runs one wide AND, one XOR and one move on slots of `places`, with tables for `tables` ANDs.
fn run([a, x, m]: [u32; 3], lanes: usize, places: &[u32], tables: usize) {
    let ops = Ops {
        segments: &[Segment { moves: 1, xors: 1, ands: 1 }],
        moves: &[Move { from: 0, to: m, invert: true }],
        xors: &[Xor { a: 0, b: 0, c: x as u16 }],
        ands: &[And { a: 0, b: a as u16, c: 1, flags: 0 }],
        positions: &[0],
    };
    let kernel = halfgate_kernels::choose::best();
    let mut state = kernel.start(Suite::HalfGates, 1);
    let (mut memory, tables) = (LabelMemory::new(0), vec![0; 32 * tables]);
    kernel.evaluate_wide(&mut state, &mut memory, &ops, Wide { lanes, places }, &tables);
}

#[test]
fn the_last_label_can_be_used() {
    run([2, 2, 2], 16, &[0, 16, WINDOW as u32 - 16], 16);
}

#[test]
#[should_panic(expected = "every operand has a place")]
fn ands_without_a_place_are_refused() {
    run([3, 2, 2], 16, &[0, 16, 32], 16);
}

#[test]
#[should_panic(expected = "every operand has a place")]
fn xors_without_a_place_are_refused() {
    run([2, 3, 2], 16, &[0, 16, 32], 16);
}

#[test]
#[should_panic(expected = "every operand has a place")]
fn moves_without_a_place_are_refused() {
    run([2, 2, 3], 16, &[0, 16, 32], 16);
}

#[test]
#[should_panic(expected = "places within memory")]
fn places_out_of_memory_are_refused() {
    run([2, 2, 2], 16, &[0, WINDOW as u32 - 15, 32], 16);
}

#[test]
#[should_panic(expected = "ANDs and bytes of tables")]
fn too_few_tables_are_refused() {
    run([2, 2, 2], 16, &[0, 16, 32], 15);
}

#[test]
#[should_panic(expected = "wide operations have lanes")]
fn no_lanes_are_refused() {
    run([2, 2, 2], 0, &[0, 16, 32], 0);
}
