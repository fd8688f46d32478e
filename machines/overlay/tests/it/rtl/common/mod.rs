//! Shared checks for the overlay in SystemVerilog: runs are compared with the reference, and with
//! the model in every clock cycle.

use halfgate_circuit::{Circuit, random};
use halfgate_compiler::{Order, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, Suite};
use halfgate_overlay::engine::{Planned, suites};
use halfgate_overlay::rtl::{Options, RtlOverlay};
use halfgate_overlay_model::model::{
    AndCells, Begin, Board, Counters, Garbles, Modelled, Seen, Shape, Waits, run,
};
use halfgate_overlay_model::{Banks, Cells, Form, Overlay, Policy};
use halfgate_programs::published;
use std::sync::{Arc, Mutex};

/// The model without labels, to count its clock cycles.
struct Nothing;

impl Garbles for Nothing {
    type Label = ();

    fn blank(&self) {}
    fn constant(&self, _: bool) {}
    fn xor(&mut self, (): &(), (): &(), _: bool) {}
    fn and(&mut self, (): &(), (): &(), _: [bool; 3], _: u64) {}
}

/// A board on which every part waits for each other part at some time.
fn board(seed: u64) -> Board {
    let pick = |of: &[f64], shift: u32| of[(seed >> shift) as usize % of.len()];
    Board {
        clock_mhz: 200,
        link_mhz: pick(&[300.0, 200.0, 133.0, 250.0], 0) as u32,
        beat_ns: pick(&[50.0, 8.0, 10.0], 0),
        ddr_ns: pick(&[180.0, 10.0, 60.0], 1),
        ddr_every_ns: pick(&[5.0, 20.0], 2),
        table_ns: pick(&[0.0, 30.0], 1),
        tables: (seed % 3) as u32 * 3,
        waits: Waits {
            each_xors: seed.is_multiple_of(3).then_some(200.0),
            layer_xors: (seed % 3 == 1).then_some(100.0),
            each_ands: (seed % 3 < 2).then_some(100.0),
        },
    }
}

/// An overlay of this shape; everything else is drawn from the seed.
pub fn overlay(name: &str, shape: Shape, seed: u64) -> Overlay {
    let banked = Policy::Banked(Banks { banks: shape.banks, lanes: shape.lanes });
    let policies = [Policy::LiveRange, Policy::DirectlyUsed, Policy::MostFrequentlyUsed, banked];
    let policy = policies[seed as usize % 4];
    let board = board(seed);
    let link_mhz = if shape.link_clock { board.link_mhz } else { board.clock_mhz };
    Overlay {
        name: name.to_owned(),
        about: String::new(),
        shape,
        board: Board { link_mhz, ..board },
        block_ram: shape.block_ram() - seed as u32 % 5,
        ddr_labels: 1 << 20,
        form: Form::Inverting,
        policy,
        window: (policy == banked || seed.is_multiple_of(8)).then_some(50),
    }
}

/// Garbles on the overlay. Compares tables and labels with the reference, and every clock cycle
/// with the model.
///
/// # Errors
/// The first difference.
pub fn equal(
    engine: &RtlOverlay,
    overlay: &Overlay,
    suite: Suite,
    (seed, circuit, order): (u64, Circuit, Order),
) -> Result<(), String> {
    let cycles = circuit.cycles;
    let inputs = random::inputs_for(&circuit, seed, cycles);
    let program = compile(circuit, order).expect("compiles");
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let watcher = seen.clone();
    let watcher = move |now: &Seen| watcher.lock().unwrap().push(*now);
    let engine = engine.clone().under(overlay.clone()).with_watcher(Arc::new(Mutex::new(watcher)));
    let Overlay { shape, board, policy, form, .. } = overlay;
    let what = format!("{}, {suite}, seed {seed}, {policy:?}, {form}", engine.name());
    let evaluator = CpuEngine::new(None).expect("an engine");
    let checked = check_pair(&engine, &evaluator, &program, &inputs, Run { suite, seed, cycles });

    // Compare clock cycles first, because they locate the error.
    let planned = Planned::new("model", &program, overlay).map_err(|error| error.to_string())?;
    let plan = &planned.plan;
    let memory = vec![(); plan.in_ddr() as usize];
    let mut model = Modelled::new(*shape, Nothing, memory);
    let begin = Begin { half_gates: suite == Suite::HalfGates, form: *form, base: 0 };
    let mut clocks: Vec<Seen> = Vec::new();
    let mut counted = Counters::default();
    for _ in 0..cycles {
        let mut sending = plan.sending();
        let mut next = || Ok(sending.next(board.waits));
        let around = (board, shape.words as usize, shape.link_clock);
        let ran = run(&mut model, around, begin, &mut next, &mut |seen| clocks.push(*seen));
        (counted, _) = ran.map_err(|error| format!("{what}: {error}"))?;
    }
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    // The machine requests words of DDR, not labels.
    let word = |seen: &Seen| {
        let requests = seen.requests.map(|requested| requested.map(|(write, at)| (write, at & !3)));
        Seen { requests, ..*seen }
    };
    for (clock, (rtl, model)) in seen.iter().zip(&clocks).enumerate() {
        if *rtl != word(model) {
            return Err(format!("{what}: clock {clock}: RTL {rtl:?}, model {model:?}"));
        }
    }
    if seen.len() != clocks.len() || engine.measured() != Some(counted) {
        let (rtl, model) = (seen.len(), clocks.len());
        let measured = engine.measured();
        return Err(format!("{what}: {rtl} clocks, model {model}; {measured:?}, {counted:?}"));
    }
    checked.map_err(|why| format!("{what}: {why}"))
}

/// A small overlay of the published kind.
pub const SMALL: Shape = Shape {
    cells: Cells { ands: 3, xors: 2 },
    rows: 32,
    slots: 4,
    entries: 16,
    depth: 16,
    batch: Cells { ands: 3, xors: 2 },
    ..Shape::PUBLISHED
};

/// An overlay that is not serial, with cells of both suites.
pub const FLOWING: Shape = Shape {
    and_cells: AndCells::Both,
    latency: 12,
    serial: false,
    batch: Cells { ands: 40, xors: 40 },
    ..SMALL
};

/// Runs random circuits, including sequential ones, and small problems of the paper. Covers all
/// suites of the build with a single build.
///
/// # Errors
/// The first difference.
pub fn all_on(name: &str, shape: Shape, cases: u64, options: Options) -> Result<(), String> {
    let first = overlay(name, shape, 0);
    let engine = RtlOverlay::new(first.clone(), options);
    for &suite in suites(&first) {
        for seed in 0..cases {
            let overlay = overlay(name, shape, seed);
            let circuits = random::Shape {
                gates: 1 + 53 * seed as u32 % 300,
                flip_flops: seed as u32 % 4,
                ..Default::default()
            };
            let circuit = random::circuit(seed, &circuits);
            // With the given order the circuit keeps its inverters, which are XORs with the
            // constant 1.
            let order = if seed % 2 == 1 { Order::Given } else { Order::default() };
            equal(&engine, &overlay, suite, (seed, circuit, order))?;
        }
        for (seed, spec) in (0..).zip(["adder:6", "hamming:10", "multiplier-full:4"]) {
            for form in Form::ALL {
                // The published forms number ANDs as they arrive, layer by layer.
                let overlay = Overlay {
                    form,
                    policy: Policy::DirectlyUsed,
                    window: None,
                    ..overlay(name, shape, seed)
                };
                let circuit = published::build(spec).expect("a circuit");
                equal(&engine, &overlay, suite, (seed, circuit, Order::HaacFull))?;
            }
        }
    }
    Ok(())
}
