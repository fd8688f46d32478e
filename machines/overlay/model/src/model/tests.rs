//! Runs the model on plain values: overlays of all shapes must compute their circuits, on any
//! board.

use super::host::beats_ns;
use super::*;
use crate::{Banks, Cells, Form, How, Plan, Policy};
use halfgate_circuit::{Bit, Bits, Circuit, Init, clear, random};
use halfgate_programs::published;

/// Plain values in place of labels, and the ANDs that were computed.
struct Values {
    ands: Vec<bool>,
}

impl Garbles for Values {
    type Label = Option<bool>;

    fn blank(&self) -> Option<bool> {
        None
    }

    fn constant(&self, one: bool) -> Option<bool> {
        Some(one)
    }

    fn xor(&mut self, a: &Option<bool>, b: &Option<bool>, invert: bool) -> Option<bool> {
        Some(a.expect("a value") ^ b.expect("a value") ^ invert)
    }

    fn and(
        &mut self,
        a: &Option<bool>,
        b: &Option<bool>,
        invert: [bool; 3],
        number: u64,
    ) -> Option<bool> {
        assert!(!std::mem::replace(&mut self.ands[number as usize], true), "AND {number} twice");
        let [a, b] =
            [(a, invert[0]), (b, invert[1])].map(|(x, invert)| x.expect("a value") ^ invert);
        Some((a & b) ^ invert[2])
    }
}

/// A board with timing drawn from `seed`.
pub(crate) fn board(seed: u64) -> Board {
    let pick = |of: &[f64], shift: u32| of[(seed >> shift) as usize % of.len()];
    Board {
        clock_mhz: 200,
        link_mhz: pick(&[300.0, 200.0, 250.0, 133.0], 0) as u32,
        beat_ns: pick(&[50.0, 4.0, 10.0], 1),
        ddr_ns: pick(&[180.0, 10.0, 60.0], 2),
        ddr_every_ns: pick(&[5.0, 20.0], 3),
        table_ns: pick(&[0.0, 30.0], 4),
        tables: (seed % 7) as u32,
        waits: Waits {
            each_xors: seed.is_multiple_of(3).then_some(200.0),
            layer_xors: (seed % 3 == 1).then_some(100.0),
            each_ands: (seed % 3 < 2).then_some(100.0),
        },
    }
}

/// Overlays of all kinds.
pub(crate) fn shapes() -> Vec<Shape> {
    let small = Shape {
        cells: Cells { ands: 3, xors: 2 },
        rows: 32,
        slots: 4,
        entries: 16,
        depth: 16,
        batch: Cells { ands: 3, xors: 2 },
        ..Shape::PUBLISHED
    };
    let flowing = Shape {
        and_cells: AndCells::HalfGates,
        latency: 12,
        serial: false,
        batch: Cells { ands: 40, xors: 40 },
        ..small
    };
    vec![
        small,
        Shape { hold: true, depth: 4, link_clock: false, ..small },
        flowing,
        Shape { and_cells: AndCells::Both, link_clock: false, ..flowing },
        Shape {
            lanes: 4,
            cells: Cells { ands: 8, xors: 4 },
            banks: 4,
            rows: 8,
            words: 5,
            depth: 40,
            entries: 64,
            ..flowing
        },
        Shape {
            lanes: 2,
            cells: Cells { ands: 2, xors: 4 },
            banks: 2,
            rows: 16,
            words: 2,
            ..flowing
        },
    ]
}

fn check(seed: u64, circuit: &Circuit, shape: Shape, policy: Policy, form: Form) {
    shape.check().unwrap();
    let how = How {
        policy,
        cells: shape.batch,
        block_ram: shape.block_ram(),
        form,
        window: (policy != Policy::DirectlyUsed).then_some(60),
        section: if seed % 4 == 3 { 70 } else { How::SECTION },
    };
    let plan = Plan::new(circuit, how).unwrap();
    let inputs = random::inputs_for(circuit, seed, 1);
    let values: Vec<bool> = inputs.iter().flat_map(Bits::iter).collect();
    let initial = circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
        Init::Constant(value) => value,
        Init::Input(wire) => values[wire.index()],
    });
    let mut memory = vec![None; plan.in_ddr() as usize];
    (memory[0], memory[1]) = (Some(false), Some(true));
    for (wire, value) in values.iter().copied().chain(initial).enumerate() {
        memory[plan.home(wire).unwrap() as usize] = Some(value);
    }
    let ands = circuit.gates.iter().filter(|gate| gate.is_and()).count();
    let mut device = Modelled::new(shape, Values { ands: vec![false; ands] }, memory);
    let begin = Begin { half_gates: shape.and_cells != AndCells::Rows, form, base: 0 };
    let (board, mut sending) = (board(seed), plan.sending());
    let mut next = || Ok(sending.next(board.waits));
    let around = (&board, shape.words as usize, shape.link_clock);
    let what = format!("seed {seed}, {shape}, {policy:?}, {form}");
    let ran = run(&mut device, around, begin, &mut next, &mut |_| ());
    let (counters, ns) = ran.unwrap_or_else(|error| panic!("{what}: {error}"));

    assert_eq!(counters.gates, plan.gates(), "{what}");
    assert_eq!((counters.ands, counters.batches), (ands as u64, plan.batches()), "{what}");
    assert!(device.garbles().ands.iter().all(|done| *done), "{what}");
    // Each clock cycle has one cause, and the counters of the hardware agree with the causes.
    let went = device.went();
    assert_eq!(went.sum(), counters.clocks, "{what}: {went:?}");
    if !shape.serial {
        let waited = (went.batch, went.commands);
        assert_eq!(waited, (counters.fenced, counters.starved), "{what}: {went:?}");
    }
    let traffic = plan.traffic();
    let known = if shape.serial { 0 } else { traffic.constants };
    assert_eq!(counters.reads + counters.writes, traffic.ddr() - known, "{what}");
    let beats = plan.words().div_ceil(shape.words.into());
    assert!(ns >= beats_ns(&board, shape.link_clock, beats), "{what}: {ns}");
    let expected = clear::evaluate(circuit, &inputs, 1).unwrap();
    let expected: Vec<bool> = expected.iter().flat_map(Bits::iter).collect();
    let value = |bit: Bit| match bit.wire() {
        None => bit.is_inverted(),
        Some(wire) => {
            let home = plan.home(wire.index()).expect("an output");
            device.memory[home as usize].unwrap() ^ bit.is_inverted()
        }
    };
    let found: Vec<bool> =
        circuit.outputs.iter().flat_map(|output| &output.bits).map(value).collect();
    assert_eq!(found, expected, "{what}");
}

#[test]
fn all_machines_compute_what_circuits_do() {
    let policies = [Policy::DirectlyUsed, Policy::MostFrequentlyUsed, Policy::LiveRange];
    for seed in 0..12 {
        let shape = random::Shape { gates: 200, flip_flops: seed as u32 % 3, ..Default::default() };
        let circuit = random::circuit(seed, &shape);
        for mut shape in shapes() {
            shape.depth = shape.depth.max(4);
            let banked = Policy::Banked(Banks { banks: shape.banks, lanes: shape.lanes });
            for policy in policies.into_iter().chain([banked]) {
                check(seed, &circuit, shape, policy, Form::Inverting);
            }
        }
    }
    for (seed, spec) in
        ["adder:6", "hamming:10", "multiplier-full:5", "sort:6x4"].iter().enumerate()
    {
        let circuit = published::build(spec).unwrap();
        for shape in shapes() {
            for form in Form::ALL {
                check(seed as u64, &circuit, shape, policies[seed % 3], form);
            }
        }
    }
}

#[test]
fn impossible_shapes_are_refused() {
    for shape in shapes() {
        assert_eq!(shape.check(), Ok(()));
    }
    let good = Shape::PUBLISHED;
    assert_eq!(good.check(), Ok(()));
    for (wrong, what) in [
        (Shape { lanes: 2, ..good }, "lanes"),
        (Shape { rows: 1000, ..good }, "labels of a bank"),
        (Shape { depth: 3, ..good }, "the capacity of the queue of words"),
        (Shape { batch: Cells { ands: 65, xors: 1 }, ..good }, "ANDs of a serial batch"),
        (Shape { lanes: 2, serial: false, ..good }, "AND cells"),
        (Shape { latency: 1, ..good }, "latency"),
    ] {
        let error = wrong.check().unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}
