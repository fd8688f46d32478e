//! Checks times from the paper, bounds that no run beats, energy, and traces.

use crate::common::{paper_machine, random_case, random_code};
use halfgate_circuit::Party;
use halfgate_circuit::Wire;
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;
use halfgate_haac_model::code::{Source, Stats};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::model::bounds::Bounds;
use halfgate_haac_model::model::energy::Energy;
use halfgate_haac_model::model::exact::{self, Extra};
use halfgate_haac_model::model::trace::Trace;
use halfgate_haac_model::model::{Options, fast, rows::Plain};
use halfgate_haac_model::{Code, Instruction, Issue, Machine, Op, Sink};

/// Code with two inputs. Each instruction is in the given engine and reads the two wires before its
/// output.
fn chain(machine: &Machine, ops: &[(Op, u32)]) -> Code {
    let shape = machine.shape;
    let mut rows = Spool::new();
    let mut ands = 0;
    for (index, &(op, engine)) in ops.iter().enumerate() {
        let out = 3 + index as u32;
        for e in 0..shape.engines {
            let place = if e == engine {
                Instruction::new(op, out - 1, out - 2, index + 1 == ops.len())
            } else {
                Instruction::NOP
            };
            rows.push(place.to_bits().to_le_bytes()).unwrap();
        }
        ands += u64::from(op == Op::And);
    }
    let last = 2 + ops.len() as u32;
    let gates = ops.len() as u64;
    Code {
        shape,
        program: ProgramHash([0; 32]),
        inputs: vec![Wire::new(0), Wire::new(1)],
        inputs_in_memory_only: 0,
        outputs: vec![Source::Wire { address: last, invert: false }],
        nexts: Vec::new(),
        first_output: 3,
        rows,
        oor: (0..shape.engines).map(|_| Spool::new()).collect(),
        stats: Stats { rows: gates, gates, ands, live: 1, live_outputs: 1, ..Stats::default() },
    }
}

struct Cycles(Vec<u64>);

impl Sink for Cycles {
    type Error = std::convert::Infallible;

    fn issue(&mut self, issue: &Issue) -> Result<(), Self::Error> {
        self.0.push(issue.cycle);
        Ok(())
    }
}

#[test]
fn a_dependent_xor_and_xor_takes_23_cycles_garbling_and_20_evaluating() {
    let machine = paper_machine();
    // The three instructions are in one engine, or in several: forwarding takes the same time.
    for engines in [[0, 0, 0], [0, 1, 2], [5, 2, 5]] {
        let ops = [(Op::Xor, engines[0]), (Op::And, engines[1]), (Op::Xor, engines[2])];
        let code = chain(&machine, &ops);
        for (role, cycles) in [(Party::Garbler, 23), (Party::Evaluator, 20)] {
            let options = Options { role, preloaded: true };
            let mut seen = Cycles(Vec::new());
            let mut sizes = Plain::new(machine.shape);
            let report = exact::run(&code, &machine, &options, &mut sizes, &mut seen).unwrap();
            // From the first cycle of the first XOR to the last cycle of the second.
            assert_eq!(seen.0[2] + 1 - seen.0[0], cycles);
            // The row is dispatched in cycle 0; then come the FIFO, D, R1, R2, R3 and X.
            assert_eq!(report.first_issue, 6);
            // The last result is on the bus one cycle after its issue, and written in the cycle
            // after that.
            assert_eq!(report.last_write_back, seen.0[2] + 2);
            assert_eq!(report.busy_cycles(), cycles + 2);
        }
    }
}

#[test]
fn no_run_is_faster_than_its_bounds() {
    for seed in 0..60 {
        let (machine, recipe) = random_case(seed);
        let random = random_code(seed, &recipe);
        for role in [Party::Garbler, Party::Evaluator] {
            for preloaded in [false, true] {
                let options = Options { role, preloaded };
                let mut sizes = Plain::new(machine.shape);
                let run = fast::run(&random.code, &machine, &options, &mut sizes, &mut NoSink);
                let cycles = run.unwrap().cycles;
                let bounds = Bounds::of(&random.code, &machine, &options, &mut sizes).unwrap();
                assert!(bounds.greatest() <= cycles, "seed {seed} {bounds:?} {cycles}");
            }
        }
    }
}

#[test]
fn bounds_of_a_chain_are_reached() {
    let machine = paper_machine();
    let ops: Vec<(Op, u32)> =
        (0..40).map(|i| (if i % 3 == 0 { Op::And } else { Op::Xor }, i % 2)).collect();
    let code = chain(&machine, &ops);
    for role in [Party::Garbler, Party::Evaluator] {
        let options = Options { role, preloaded: true };
        let mut sizes = Plain::new(machine.shape);
        let cycles = fast::run(&code, &machine, &options, &mut sizes, &mut NoSink).unwrap().cycles;
        let bounds = Bounds::of(&code, &machine, &options, &mut sizes).unwrap();
        assert_eq!((bounds.greatest(), bounds.limit()), (cycles, "path"));
        assert!((bounds.share(cycles) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_machine_that_is_always_busy_draws_what_table_4_says() {
    let machine = paper_machine();
    let mut report = halfgate_haac_model::Report { cycles: 1000, ..Default::default() };
    let issues = 16 * 1000;
    report.activity.ands = issues / 2;
    report.activity.xors = issues;
    report.activity.half_gate_cycles = issues;
    report.activity.forwarded = 2 * issues;
    report.activity.window_reads = 2 * issues;
    report.activity.window_writes = issues;
    let energy = Energy::of(&report, &machine);
    // The queues' power beyond that of one instruction per engine and cycle.
    let beyond = 0.5 * 35.5;
    assert!((energy.average_mw() - beyond - 1502.0).abs() < 1.0, "{energy:?}");
    assert!((energy.microseconds - 1.0).abs() < 1e-9);
}

#[test]
fn a_trace_shows_every_cycle_of_its_range_once() {
    let (machine, recipe) = random_case(3);
    let random = random_code(3, &recipe);
    let options = Options::new(Party::Evaluator);
    let range = 50..350;
    let mut trace =
        Trace::new(Vec::new(), range.clone(), 10, machine.shape.engines, machine.mhz).unwrap();
    let mut sizes = Plain::new(machine.shape);
    let extra = Extra::default();
    let report = exact::run_with(
        &random.code,
        &machine,
        &options,
        &mut sizes,
        &mut NoSink,
        &mut trace,
        extra,
    )
    .unwrap();
    let text = String::from_utf8(trace.finish().unwrap()).unwrap();
    assert!(text.starts_with('{') && text.ends_with("]}\n"));
    // Every line except the first and the last is one event.
    let events = text.lines().filter(|line| line.contains("\"ph\":\"X\""));
    let field = |line: &str, name: &str| -> f64 {
        let from = line.find(name).unwrap() + name.len();
        line[from..].split([',', '}']).next().unwrap().parse().unwrap()
    };
    let mut cycles = vec![0.0; machine.shape.engines as usize];
    for event in events {
        cycles[field(event, "\"tid\":") as usize] += field(event, "\"dur\":") * 1000.0;
    }
    let expected = (report.cycles.min(range.end) - range.start) as f64;
    assert!(cycles.iter().all(|sum: &f64| (sum - expected).abs() < 1e-6), "{cycles:?}");
}
