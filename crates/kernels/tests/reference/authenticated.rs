//! Authenticated runs: every step is that of a plain computation with the reference's hash, and an
//! evaluator with the right shares gets the right labels.

use super::{Program, Random, SLOTS, assert_same, each_kernel, memory};
use halfgate_kernels::ops::{And, Ops, Segment, WINDOW, Wide};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, Step, Suite};
use halfgate_reference as reference;

const LANES: [usize; 9] = [1, 2, 3, 5, 8, 15, 16, 17, 33];

/// Operations, and where their operands are.
struct Case {
    program: Program,
    /// The address of slot 0, for narrow operations.
    base: u32,
    /// The lanes and places of wide operations.
    wide: Option<(usize, Vec<u32>)>,
    /// Number of labels.
    size: usize,
}

impl Case {
    fn narrow(r: &mut Random, segments: usize, most_ands: u64) -> Case {
        let base = [0, 1, 1001][r.below(3) as usize];
        let size = base as usize + WINDOW + 8;
        Case { program: program(r, segments, most_ands), base, wide: None, size }
    }

    fn wide(r: &mut Random, segments: usize, most_ands: u64, lanes: usize) -> Case {
        let program = program(r, segments, most_ands);
        let operands = (0..SLOTS.into()).chain(1000..1000 + most_ands as usize);
        let mut places = vec![0; WINDOW + 8];
        let mut end = 1;
        for operand in operands.chain(WINDOW - 4..WINDOW + 8) {
            places[operand] = end as u32;
            // Vectors of labels rarely begin with a cache line.
            end += lanes + r.below(3) as usize;
        }
        Case { program, base: 0, wide: Some((lanes, places)), size: end.max(WINDOW) }
    }

    fn lanes(&self) -> usize {
        self.wide.as_ref().map_or(1, |(lanes, _)| *lanes)
    }

    fn rows(&self) -> usize {
        self.program.ands.len() * self.lanes()
    }

    /// Address of an operand's label.
    fn address(&self, operand: impl Into<u32>, lane: usize) -> usize {
        let operand = operand.into() as usize;
        match &self.wide {
            Some((_, places)) => places[operand] as usize + lane,
            None => self.base as usize + operand,
        }
    }

    fn run(
        &self,
        kernel: &Kernel,
        state: &mut State,
        step: Step<'_>,
        labels: &mut LabelMemory,
        rows: &mut [[Label; 3]],
    ) {
        let ops = self.program.ops();
        match &self.wide {
            Some((lanes, places)) => {
                let wide = Wide { lanes: *lanes, places };
                kernel.authenticated_wide(state, step, labels, &ops, wide, rows);
            }
            None => kernel.authenticated_at(state, step, labels, self.base, &ops, rows),
        }
    }

    /// Calls functions for all moves, XORs and ANDs, one lane at a time: with addresses, whether a
    /// move or an input is inverted, and the row's number.
    fn each<T>(
        &self,
        labels: &mut [T],
        move_or_xor: impl Fn(&T, Option<&T>, bool) -> T,
        mut and: impl FnMut([&T; 2], [bool; 2], usize) -> T,
    ) {
        let Program { segments, moves, xors, ands, .. } = &self.program;
        let (mut moves, mut xors, mut ands) = (moves.iter(), xors.iter(), ands.iter().enumerate());
        for segment in segments {
            let lanes = 0..self.lanes();
            for m in moves.by_ref().take(segment.moves as usize) {
                for lane in lanes.clone() {
                    let from = &labels[self.address(m.from, lane)];
                    labels[self.address(m.to, lane)] = move_or_xor(from, None, m.invert);
                }
            }
            for x in xors.by_ref().take(segment.xors as usize) {
                for lane in lanes.clone() {
                    let [a, b] = [x.a, x.b].map(|x| &labels[self.address(x, lane)]);
                    labels[self.address(x.c, lane)] = move_or_xor(a, Some(b), false);
                }
            }
            for (j, op) in ands.by_ref().take(segment.ands as usize) {
                let inverts = [And::INVERT_A, And::INVERT_B].map(|flag| op.flags & flag != 0);
                for lane in lanes.clone() {
                    let inputs = [op.a, op.b].map(|x| &labels[self.address(x, lane)]);
                    let row = j * self.lanes() + lane;
                    labels[self.address(op.c, lane)] = and(inputs, inverts, row);
                }
            }
        }
    }

    /// Runs a step from the formulas of `half-gates` with authenticated shares.
    fn plain(
        &self,
        key: reference::Key,
        first_and: u64,
        step: Step<'_>,
        labels: &mut [u128],
        rows: &mut [[u128; 3]],
    ) {
        let offset = if let Step::Shares { offset } = step { offset.to_u128() } else { 0 };
        let inverted = |label: u128, invert: bool| if invert { label ^ offset } else { label };
        let move_or_xor =
            |a: &u128, b: Option<&u128>, invert| inverted(a ^ b.unwrap_or(&0), invert);
        self.each(labels, move_or_xor, |[&a, &b], inverts, j| {
            let place = reference::Place { and: first_and + j as u64, cycle: 0, gate: 0 };
            let ha = |a| key.hash(a, place, 0);
            let hb = |b| key.hash(b, place, 1);
            let [first, second, third] = rows[j];
            match step {
                Step::Shares { .. } => {
                    rows[j] = [inverted(a, inverts[0]), inverted(b, inverts[1]), first];
                    first
                }
                Step::Garble { delta } => {
                    let delta = delta.label().to_u128();
                    let g0 = ha(a) ^ ha(a ^ delta) ^ second;
                    let g1 = hb(b) ^ hb(b ^ delta) ^ a ^ first;
                    let c = ha(a) ^ hb(b) ^ third;
                    rows[j] = [g0, g1, c];
                    c >> 1 << 1
                }
                Step::Evaluate => {
                    let mut c = ha(a) ^ hb(b) ^ third;
                    if reference::colour(a) {
                        c ^= first;
                    }
                    if reference::colour(b) {
                        c ^= second ^ a;
                    }
                    rows[j] = [a, b, c];
                    c
                }
            }
        });
    }
}

/// Random operations. Some ANDs overwrite an input.
fn program(r: &mut Random, segments: usize, most_ands: u64) -> Program {
    let mut program = Program::random(r, segments, most_ands);
    for and in &mut program.ands {
        if r.below(4) == 0 {
            and.a = and.c;
        }
    }
    program
}

/// Compares every step of every kernel with the plain computation.
fn check(r: &mut Random, case: &Case, first_and: u64) {
    let key = reference::Key { suite: reference::Suite::HalfGates, point: r.u128() };
    let delta = Delta::new(Label::from_u128(r.u128()));
    let offset = Label::from_u128(r.u128());
    let before: Vec<u128> = (0..case.size).map(|_| r.u128()).collect();
    let rows: Vec<_> = (0..case.rows()).map(|_| [r.u128(), r.u128(), r.u128()]).collect();
    for step in [Step::Shares { offset }, Step::Garble { delta: &delta }, Step::Evaluate] {
        let (mut wanted, mut wanted_rows) = (before.clone(), rows.clone());
        case.plain(key, first_and, step, &mut wanted, &mut wanted_rows);
        each_kernel(|kernel| {
            let what = format!("{} {step:?}, {} lanes", kernel.name, case.lanes());
            let mut state = kernel.start(Suite::HalfGates, key.point);
            state.go_to(first_and);
            let mut labels = memory(&before);
            let mut rows: Vec<_> = rows.iter().map(|row| row.map(Label::from_u128)).collect();
            case.run(kernel, &mut state, step, &mut labels, &mut rows);
            let rows: Vec<_> = rows.iter().map(|row| row.map(Label::to_u128)).collect();
            assert!(rows == wanted_rows, "{what}: rows differ");
            assert_same(&labels, &wanted, &what);
            assert_eq!(state.ands(), first_and + case.rows() as u64);
        });
    }
}

#[test]
fn narrow_steps_are_those_of_the_formulas() {
    for most_ands in 0..20 {
        let mut r = Random(most_ands);
        let case = Case::narrow(&mut r, 5, most_ands);
        check(&mut r, &case, 11 * most_ands);
    }
}

#[test]
fn wide_steps_are_those_of_the_formulas() {
    for (seed, lanes) in LANES.into_iter().enumerate() {
        let mut r = Random(seed as u64);
        let case = Case::wide(&mut r, 4, 6, lanes);
        let first_and = r.below(1000);
        check(&mut r, &case, first_and);
    }
}

#[test]
fn steps_are_those_of_the_formulas_across_blocks_of_the_key_schedule() {
    for first_and in [113, 127, 32_767, 65_530, (1 << 40) - 9] {
        let mut r = Random(first_and);
        let case = Case::narrow(&mut r, 4, 70);
        check(&mut r, &case, first_and);
        for lanes in [1, 5, 17] {
            let case = Case::wide(&mut r, 3, 6, lanes);
            check(&mut r, &case, first_and);
        }
    }
}

/// Garbles and evaluates with random shares. Every active label must be that of the wire's value
/// XOR its mask.
fn check_labels(kernel: &Kernel, r: &mut Random, case: &Case) {
    let (point, delta) = (r.u128(), Delta::new(Label::from_u128(r.u128())));
    let of = |bit: bool| delta.label().masked(bit);
    let run = |step, labels: &mut LabelMemory, rows: &mut [[Label; 3]]| {
        case.run(kernel, &mut kernel.start(Suite::HalfGates, point), step, labels, rows);
    };
    let [mut values, masks] =
        [(); 2].map(|()| -> Vec<bool> { (0..case.size).map(|_| r.below(2) == 1).collect() });
    let [mut x, mut false_labels] =
        [(); 2].map(|()| memory(&(0..case.size).map(|_| r.u128() & !1).collect::<Vec<_>>()));
    let [mut m, mut active] = [(); 2].map(|()| LabelMemory::new(case.size));
    for (w, (&value, &mask)) in (0..).zip(values.iter().zip(&masks)) {
        m.set(w, x.get(w) ^ of(mask));
        active.set(w, false_labels.get(w) ^ of(value ^ mask));
    }

    // Shares of all masks. An inversion flips the garbler's share.
    let mut random = |_| Label::from_u128(r.u128());
    let mut x_rows: Vec<_> =
        (0..case.rows()).map(|j| [random(j), Label::ZERO, Label::ZERO]).collect();
    let fresh_masks: Vec<bool> = (0..case.rows()).map(|j| random(j).colour()).collect();
    let fresh = |(&[x, ..], &mask): (&[Label; 3], &bool)| [x ^ of(mask), Label::ZERO, Label::ZERO];
    let mut m_rows: Vec<_> = x_rows.iter().zip(&fresh_masks).map(fresh).collect();
    run(Step::Shares { offset: delta.label() }, &mut x, &mut x_rows);
    run(Step::Shares { offset: Label::ZERO }, &mut m, &mut m_rows);

    let mask = |x: Label, m: Label| {
        assert!(x == m || x ^ m == delta.label(), "{}: shares do not fit", kernel.name);
        x != m
    };
    let sigmas: Vec<[Label; 2]> = x_rows
        .iter()
        .zip(&m_rows)
        .map(|(x, m)| {
            let sigma = random(0);
            [sigma, sigma ^ of(mask(x[0], m[0]) && mask(x[1], m[1]))]
        })
        .collect();
    let mut rows: Vec<_> =
        x_rows.iter().zip(&sigmas).map(|(x, sigma)| [x[0], x[1], x[2] ^ sigma[0]]).collect();
    run(Step::Garble { delta: &delta }, &mut false_labels, &mut rows);
    for ((row, m), sigma) in rows.iter_mut().zip(&m_rows).zip(&sigmas) {
        let b = Label::from_u128(row[2].colour().into());
        *row = [row[0] ^ m[1], row[1] ^ m[0], m[2] ^ sigma[1] ^ b];
    }
    run(Step::Evaluate, &mut active, &mut rows);

    let move_or_xor = |a: &bool, b: Option<&bool>, invert| a ^ b.unwrap_or(&false) ^ invert;
    case.each(&mut values, move_or_xor, |[a, b], [c, d], _| (a ^ c) & (b ^ d));
    for (w, &value) in (0..).zip(&values) {
        let false_label = false_labels.get(w);
        let wanted = false_label ^ of(value ^ mask(x.get(w), m.get(w)));
        assert!(active.get(w) == wanted, "{}, {} lanes: label {w}", kernel.name, case.lanes());
        assert!(!false_label.colour(), "false labels are normalised");
    }
}

#[test]
fn evaluators_get_the_labels_of_masked_values() {
    each_kernel(|kernel| {
        for most_ands in [3, 30, 70] {
            let mut r = Random(most_ands);
            let case = Case::narrow(&mut r, 6, most_ands);
            check_labels(kernel, &mut r, &case);
        }
        for lanes in [1, 3, 17] {
            let mut r = Random(lanes as u64);
            let case = Case::wide(&mut r, 4, 10, lanes);
            check_labels(kernel, &mut r, &case);
        }
    });
}

fn run_one(suite: Suite, lanes: usize, rows: usize) {
    let kernel = halfgate_kernels::choose::best();
    let ops = Ops {
        segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
        moves: &[],
        xors: &[],
        ands: &[And { a: 0, b: 1, c: 2, flags: 0 }],
        positions: &[0],
    };
    let (mut state, mut labels) = (kernel.start(suite, 1), LabelMemory::new(0));
    let mut rows = vec![[Label::ZERO; 3]; rows];
    let wide = Wide { lanes, places: &[0, 100, 200] };
    if lanes == 1 {
        kernel.authenticated_at(&mut state, Step::Evaluate, &mut labels, 0, &ops, &mut rows);
    } else {
        kernel.authenticated_wide(&mut state, Step::Evaluate, &mut labels, &ops, wide, &mut rows);
    }
}

#[test]
#[should_panic(expected = "ANDs and rows")]
fn too_few_rows_are_refused() {
    run_one(Suite::HalfGates, 1, 0);
}

#[test]
#[should_panic(expected = "ANDs and rows")]
fn too_few_rows_of_lanes_are_refused() {
    run_one(Suite::HalfGates, 5, 4);
}

#[test]
#[should_panic(expected = "suite half-gates")]
fn other_suites_are_refused() {
    run_one(Suite::HalfGatesFixedKey, 1, 1);
}

#[test]
#[should_panic(expected = "suite half-gates")]
fn other_suites_are_refused_on_lanes() {
    run_one(Suite::Grr3, 5, 5);
}
