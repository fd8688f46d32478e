//! FASE: schedules on random circuits, run on the names of labels; the published machines on the netlists
//! that the paper used, where they are.

use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_circuit::{Builder, Circuit, Init, Party};
use halfgate_frontends as frontends;
use halfgate_machines::fase::model::{self, Fault};
use halfgate_machines::fase::{Netlist, SETUP, Schedule, Shape, paper};
use proptest::prelude::*;
use std::path::PathBuf;

/// All machines that are described.
fn shapes() -> Vec<Shape> {
    let best = (1..=4).map(Shape::best);
    best.chain([1, 2, 4].map(Shape::wide)).collect()
}

fn check(netlist: &Netlist, shape: Shape, cycles: u64) -> u64 {
    let schedule = Schedule::of(netlist, shape, cycles).unwrap();
    let report = model::run(netlist, &schedule, cycles)
        .unwrap_or_else(|fault| panic!("{shape:?}, {cycles} cycles: {fault}"));
    let gates = netlist.gates.len() as u64 * cycles;
    assert_eq!(report.gates, gates);
    let slots = u64::from(shape.pipelines * (shape.xors + 1));
    let path = netlist.critical_path(cycles, shape.and.into(), shape.xor.into());
    assert!(report.clocks >= SETUP + gates.div_ceil(slots).max(path), "faster than can be");
    if cycles == 1 {
        let least = netlist.least_clocks(slots, shape.and.into(), shape.xor.into());
        assert!(report.clocks >= SETUP + least, "faster than can be");
    }
    assert_eq!(report.clocks, SETUP + schedule.clocks(netlist, cycles));
    report.clocks
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn schedules_find_every_label(seed: u64, gates in 1u32..300, flip_flops in 0u32..40, cycles in 1u64..6) {
        let circuit = random::circuit(seed, &Circuits { gates, flip_flops, ..Circuits::default() });
        let netlist = Netlist::of(&circuit);
        for shape in shapes() {
            check(&netlist, shape, cycles);
        }
    }
}

/// A counter of `width` bits that counts the evaluator's ones: each bit loops through an XOR.
fn counter(width: usize) -> Circuit {
    let mut b = Builder::new();
    let one = b.input_per_cycle("one", Party::Evaluator, 1)[0];
    let states: Vec<_> = (0..width).map(|_| b.flip_flop(Init::Constant(false))).collect();
    let mut carry = one;
    for &state in &states {
        let next = b.xor(state, carry);
        b.set_next(state, next);
        carry = b.and(state, carry);
    }
    b.output_per_cycle("count", &states);
    b.finish().unwrap()
}

#[test]
fn netlist_cycles_overlap() {
    let netlist = Netlist::of(&counter(10));
    // 20 gates, of which the ANDs follow one another in a netlist cycle: 120 clocks, if cycles did not overlap.
    let clocks = check(&netlist, Shape::best(2), 500);
    assert!(clocks < 500 * 10 + 200, "{clocks}");
    let schedule = Schedule::of(&netlist, Shape::best(2), 500).unwrap();
    assert_eq!(schedule.interval, 10);
}

#[test]
fn one_netlist_cycle_takes_little_more_than_it_must() {
    // A product: much at first, and a chain of carries at the end.
    let mut b = Builder::new();
    let (x, y) = (b.input("x", Party::Garbler, 16), b.input("y", Party::Evaluator, 16));
    let product = halfgate_circuit::int::mul_full(&mut b, &x, &y);
    b.output("product", &product);
    let netlist = Netlist::of(&b.finish().unwrap());
    for pipelines in 1..=4 {
        let clocks = check(&netlist, Shape::best(pipelines), 1);
        let least = SETUP + netlist.least_clocks(pipelines.into(), 12, 1);
        assert!(clocks * 100 <= least * 102, "{clocks} of {least}");
    }
}

#[test]
fn loops_bound_the_interval() {
    // An AND and an XOR from a flip-flop to itself: 13 clocks, however many pipelines there are.
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Evaluator, 2);
    let state = b.flip_flop(Init::Constant(true));
    let and = b.and(state, x[0]);
    let next = b.xor(and, x[1]);
    b.set_next(state, next);
    b.output("state", &[next]);
    let netlist = Netlist::of(&b.finish().unwrap());
    for shape in shapes() {
        let schedule = Schedule::of(&netlist, shape, 100).unwrap();
        assert_eq!((schedule.bound, schedule.interval), (13, 13));
        check(&netlist, shape, 100);
    }
}

#[test]
fn shift_registers_reach_far_back() {
    // The AND of a bit and the one that came seven cycles before, twice over.
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Garbler, 1)[0];
    let states: Vec<_> = (0..7).map(|_| b.flip_flop(Init::Constant(false))).collect();
    let held = b.flip_flop(Init::Constant(true));
    let first = b.xor(x, states[6]);
    let second = b.and(first, states[0]);
    let third = b.xor(second, held);
    for (k, &state) in states.iter().enumerate() {
        b.set_next(state, if k == 0 { first } else { states[k - 1] });
    }
    b.set_next(held, held);
    b.output_per_cycle("o", &[third]);
    let netlist = Netlist::of(&b.finish().unwrap());
    for cycles in [1, 2, 7, 8, 30] {
        for shape in shapes() {
            check(&netlist, shape, cycles);
        }
    }
}

/// A label that waits for three ANDs until it is read.
fn early_and_late() -> Circuit {
    let mut b = Builder::new();
    let x = b.input_per_cycle("x", Party::Garbler, 2);
    let y = b.input_per_cycle("y", Party::Evaluator, 3);
    let early = b.xor(x[0], y[0]);
    let mut late = b.xor(x[1], y[1]);
    for &y in &y {
        late = b.and(late, y);
    }
    let o = b.xor(early, late);
    b.output_per_cycle("o", &[o]);
    b.finish().unwrap()
}

#[test]
fn a_wrong_schedule_is_found() {
    let netlist = Netlist::of(&early_and_late());
    let good = Schedule::of(&netlist, Shape::best(2), 50).unwrap();
    model::run(&netlist, &good, 50).unwrap();
    let faults = |change: &dyn Fn(&mut Schedule)| {
        let mut wrong = good.clone();
        change(&mut wrong);
        model::run(&netlist, &wrong, 50).expect_err("a wrong schedule")
    };
    let and = netlist.gates.iter().position(|gate| gate.is_and).unwrap();
    // A gate before its operands, labels in one place, one word too few, and too much at once.
    let last_and = netlist.gates.iter().rposition(|gate| gate.is_and).unwrap();
    let early = faults(&|schedule| schedule.times[last_and] = schedule.times[and]);
    assert!(
        matches!(early, Fault::Label { .. } | Fault::Port { .. } | Fault::Slots { .. }),
        "{early}"
    );
    let read =
        (0..netlist.gates.len()).find(|&gate| good.places[gate].iter().any(|p| p.copies > 1));
    let read = read.expect("some label waits for longer than an interval");
    let overwritten = faults(&|schedule| schedule.places[read][0].copies = 1);
    assert!(matches!(overwritten, Fault::Label { .. }), "{overwritten}");
    let one_bank = faults(&|schedule| {
        let mut address = 0;
        for place in schedule.places.iter_mut().flatten() {
            (place.bank, place.address) = (0, address);
            address += place.copies;
        }
        schedule.depths[0] = address;
    });
    assert!(matches!(one_bank, Fault::Port { .. }), "{one_bank}");
    let crowded = faults(&|schedule| schedule.shape.pipelines = 1);
    assert!(matches!(crowded, Fault::Slots { .. }), "{crowded}");
}

#[test]
fn the_published_machine_waits_thirteen_clocks_for_an_and() {
    let chain = |ands: usize| {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 1)[0];
        let y = b.input("y", Party::Evaluator, ands as u32);
        let last = y.iter().fold(x, |last, &y| b.and(last, y));
        b.output("o", &[last]);
        Netlist::of(&b.finish().unwrap())
    };
    for pipelines in [1, 2] {
        let clocks = |ands| paper::run(&chain(ands), 1, pipelines).clocks;
        assert_eq!(clocks(5) - clocks(4), 13, "{pipelines}");
    }
    assert_eq!(paper::run(&chain(3), 0, 1).clocks, SETUP);
}

/// The netlists of the paper, with the clocks of the public RTL of one pipeline, simulated on them, and the
/// paper's of two.
const NETLISTS: [(&str, u64, f64, f64); 6] = [
    ("Mill_8_8", 8, 258.0, 252.0),
    ("Add_8_8", 8, 178.0, 172.0),
    ("Hamm_32_32", 32, 2723.0, 2884.0),
    ("MAC_8_1", 1, 700.0, 588.0),
    ("CORDIC_32_31", 31, 128_746.0, 97_003.0),
    ("AES_128_11", 11, 82_899.0, 55_664.0),
];

fn netlist(name: &str) -> Option<Netlist> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/circuits/sequential");
    let path = folder.join(name).with_extension("scd");
    if !path.exists() {
        println!("not run: {} is not there", path.display());
        return None;
    }
    let options = frontends::Options { as_given: true, ..frontends::Options::default() };
    Some(Netlist::of(&frontends::open(path, &options).unwrap()))
}

#[test]
fn the_published_machines_take_what_was_published() {
    for (name, cycles, one, two) in NETLISTS {
        let Some(netlist) = netlist(name) else { return };
        let clocks = |pipelines| paper::run(&netlist, cycles, pipelines).clocks as f64;
        if name == "Add_8_8" {
            // Each netlist cycle needs a carry that is two ANDs behind the last: 26 clocks, of which the public
            // RTL has but 22 for all. It does not wait for the carry.
            assert!(clocks(1) > one * 1.5 && clocks(2) > two * 1.5);
            continue;
        }
        assert!((0.9..1.1).contains(&(clocks(1) / one)), "{name}: {}", clocks(1));
        assert!((0.9..1.1).contains(&(clocks(2) / two)), "{name}: {}", clocks(2));
    }
}

#[test]
fn schedules_come_near_their_bounds() {
    for (name, cycles, _, _) in NETLISTS {
        let Some(netlist) = netlist(name) else { return };
        for shape in shapes() {
            let clocks = check(&netlist, shape, cycles) as f64;
            let gates = netlist.gates.len() as u64 * cycles;
            let path = netlist.critical_path(cycles, shape.and.into(), shape.xor.into());
            let bound = gates.div_ceil(shape.pipelines.into()).max(path) as f64;
            if shape.xors == 0 && gates >= 1000 {
                assert!(clocks <= 1.08 * bound, "{name}, {shape:?}: {clocks} of {bound}");
            }
        }
    }
}
