//! Whole sessions: correct results, and every way to end without a result.

use super::*;
use crate::channel::ChannelError;
use crate::frame::Kind;
use crate::ring;
use crate::stream_channel::StreamChannel;
use crate::testing::{Fault, Pipe, pipe};
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Circuit, Party, clear, structured};
use halfgate_compiler::{Order, Skips, StructuredProgram, compile};
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_engine::{Engine, Suite};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A program, inputs for each run, and the outputs of each run in the clear.
pub(crate) struct Case {
    pub program: Program,
    pub cycles: u64,
    pub garbler: Vec<PartyInputs>,
    pub evaluator: Vec<PartyInputs>,
    pub outputs: Vec<Vec<Bits>>,
}

pub(crate) fn case(seed: u64, shape: &Shape, runs: u64) -> Case {
    case_over(seed, shape, runs, random::circuit(seed, shape).cycles)
}

pub(crate) fn case_over(seed: u64, shape: &Shape, runs: u64, cycles: u64) -> Case {
    case_of(&|| random::circuit(seed, shape), seed, runs, cycles)
}

fn case_of(circuit: &dyn Fn() -> Circuit, seed: u64, runs: u64, cycles: u64) -> Case {
    let program = compile(circuit(), Order::default()).unwrap();
    let circuit = circuit();
    let mut case = Case { program, cycles, garbler: vec![], evaluator: vec![], outputs: vec![] };
    for run in 0..runs {
        let values = inputs(&circuit, seed * 1000 + run, cycles);
        case.outputs.push(clear::evaluate(&circuit, &values, cycles).unwrap());
        for (party, list) in
            [(Party::Garbler, &mut case.garbler), (Party::Evaluator, &mut case.evaluator)]
        {
            let own = circuit.inputs.iter().zip(&values);
            list.push(own.map(|(i, v)| (i.party == party).then(|| v.clone())).collect());
        }
    }
    case
}

fn inputs(circuit: &Circuit, seed: u64, cycles: u64) -> Vec<Bits> {
    let width = |(index, input): (usize, &halfgate_circuit::Input)| {
        let times = if input.per_cycle { cycles as usize } else { 1 };
        random::bits(seed ^ (index as u64) << 32, input.width as usize * times)
    };
    circuit.inputs.iter().enumerate().map(width).collect()
}

/// The same case with gates skipped.
fn skipping(case: Case) -> Case {
    Case { program: case.program.skipping(Skips::default()), ..case }
}

pub(crate) fn options(case: &Case) -> RunOptions {
    RunOptions { cycles: case.cycles, timeout: Duration::from_secs(5), ..RunOptions::default() }
}

pub(crate) fn engine() -> CpuEngine {
    CpuEngine::new(None).unwrap()
}

/// An engine that runs all maps in small tasks on three threads.
pub(crate) fn threaded() -> CpuEngine {
    let count = std::num::NonZeroUsize::new(3).unwrap();
    engine().with_threads(Threads { count, task_ands: 1, labels_an_and: u64::MAX })
}

/// A random circuit with functions, and its flattening in the clear.
fn structured(seed: u64, shape: &structured::random::Shape) -> Case {
    structured_of(structured::random::circuit(seed, shape), seed)
}

/// A circuit with functions, random inputs, and its flattening in the clear.
fn structured_of(circuit: StructuredCircuit, seed: u64) -> Case {
    let flat = structured::flatten(&circuit).unwrap();
    let cycles = circuit.cycles;
    let values = inputs(&flat, seed, cycles);
    let outputs = vec![clear::evaluate(&flat, &values, cycles).unwrap()];
    let program = StructuredProgram::new(circuit).unwrap().into_program().unwrap();
    let [garbler, evaluator] = [Party::Garbler, Party::Evaluator].map(|party| {
        let own = flat.inputs.iter().zip(&values);
        vec![own.map(|(i, v)| (i.party == party).then(|| v.clone())).collect()]
    });
    Case { program, cycles, garbler, evaluator, outputs }
}

type Outcome = Result<Vec<Report>, SessionError>;

/// Runs both parties over two channels, each on its own thread.
fn both(
    case: &Case,
    options: (&RunOptions, &RunOptions),
    channels: (impl Channel, impl Channel),
) -> (Outcome, Outcome) {
    both_on([engine(), engine()], case, options, channels)
}

/// The same with the garbler's and the evaluator's engine.
fn both_on(
    [first, second]: [CpuEngine; 2],
    case: &Case,
    (garbler, evaluator): (&RunOptions, &RunOptions),
    (mut a, mut b): (impl Channel, impl Channel),
) -> (Outcome, Outcome) {
    std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            evaluate(&mut b, &case.program, &second, &case.evaluator, evaluator, &mut |_| {})
        });
        let garbled = garble(&mut a, &case.program, &first, &case.garbler, garbler, &mut |_| {});
        drop(a);
        (garbled, evaluator.join().unwrap())
    })
}

fn over_pipe(case: &Case, options: &RunOptions, faults: (Fault, Fault)) -> (Outcome, Outcome) {
    let (a, b) = pipe(faults.0, faults.1);
    both(case, (options, options), (StreamChannel::new(a), StreamChannel::new(b)))
}

/// Checks reports against evaluation in the clear, output by output.
fn check(case: &Case, learn: &[Learn], party: Party, reports: Outcome) {
    let reports = reports.unwrap();
    assert_eq!(reports.len(), case.outputs.len());
    for (report, clear) in reports.iter().zip(&case.outputs) {
        for ((index, value), clear) in report.outputs.iter().enumerate().zip(clear) {
            let learn = learn.get(index).copied().unwrap_or_default();
            assert_eq!(value.as_ref(), learn.by(party).then_some(clear), "{party} {index}");
        }
    }
}

#[test]
fn programs_with_functions_give_the_outputs_of_their_flattening() {
    for seed in 0..24 {
        let flip_flops = if seed % 6 == 5 { 3 } else { 0 };
        let shape = structured::random::Shape { flip_flops, ..Default::default() };
        let case = structured(seed, &shape);
        let options = options(&case);
        let (garbler, evaluator) = over_pipe(&case, &options, (Fault::None, Fault::None));
        check(&case, &[], Party::Garbler, garbler);
        check(&case, &[], Party::Evaluator, evaluator);
    }
}

fn shapes() -> [Shape; 4] {
    let plain = Shape::default();
    [
        plain,
        Shape { gates: 3000, input_bits: 100, output_bits: 60, ..plain },
        Shape { flip_flops: 20, input_bits: 40, output_bits: 30, ..plain },
        Shape { input_bits: 1, output_bits: 3, gates: 5, ..plain },
    ]
}

#[test]
fn random_circuits_give_their_results_in_the_clear() {
    for (index, shape) in shapes().iter().enumerate() {
        for seed in 0..4 {
            let case = case(seed + 10 * index as u64, shape, 1);
            let options = options(&case);
            let (g, e) = (&case.garbler[0], &case.evaluator[0]);
            let (a, b) = (&engine(), &engine());
            let both =
                run_local(&case.program, LocalParty::new(a, g), LocalParty::new(b, e), &options);
            let (garbler, evaluator) = both.unwrap();
            assert_eq!(garbler.counters, evaluator.counters);
            assert_eq!(garbler.bytes_sent, evaluator.bytes_received);
            check(&case, &[], Party::Garbler, Ok(vec![garbler]));
            check(&case, &[], Party::Evaluator, Ok(vec![evaluator]));
        }
    }
}

#[test]
fn several_runs_share_a_connection() {
    let shape = Shape { flip_flops: 5, input_bits: 30, ..Shape::default() };
    for ot in [OtMode::SemiHonest, OtMode::Malicious] {
        let case = case(8, &shape, 3);
        let options = RunOptions { ot, ..options(&case) };
        let (garbled, evaluated) = over_pipe(&case, &options, (Fault::None, Fault::None));
        check(&case, &[], Party::Garbler, garbled);
        check(&case, &[], Party::Evaluator, evaluated);
    }
}

/// More input bits than transfers and frames hold at a time.
#[test]
fn long_inputs_and_outputs_come_in_batches() {
    let shape =
        Shape { input_bits: 70_000, gates: 90_000, output_bits: 20_000, ..Shape::default() };
    for runs in [1, 2] {
        let case = case(3, &shape, runs);
        let options = options(&case);
        let (garbled, evaluated) = over_pipe(&case, &options, (Fault::None, Fault::None));
        check(&case, &[], Party::Garbler, garbled);
        check(&case, &[], Party::Evaluator, evaluated);
    }
}

mod ahead;
mod authenticated;
pub(crate) mod cheating;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod constant_time;
mod dishonest;
mod faults;
mod fields;
mod key_limit;
mod late;
mod learners;
pub(crate) mod memory;
mod moods;
mod parts;
mod security;
mod skipping;
mod streaming;
mod time;

/// A small session, and the number of frames that each party sends in it.
fn small(runs: u64) -> (Case, RunOptions, [u64; 2]) {
    let shape = Shape { gates: 60, input_bits: 12, output_bits: 6, ..Shape::default() };
    let case = case(2, &shape, runs);
    let options = RunOptions { timeout: Duration::from_secs(1), ..options(&case) };
    let (a, b) = pipe(Fault::None, Fault::None);
    let frames = [a.frames(), b.frames()];
    let ends = (StreamChannel::new(a), StreamChannel::new(b));
    let (garbled, evaluated) = both(&case, (&options, &options), ends);
    garbled.unwrap();
    evaluated.unwrap();
    (case, options, frames.map(|count| *count.lock().unwrap()))
}

#[test]
fn a_slow_peer_does_not_time_out() {
    let (case, options, _) = small(1);
    let (a, mut b) = pipe_channels();
    let engine = engine();
    std::thread::scope(|scope| {
        let garbler = scope.spawn(|| {
            let mut a = a;
            garble(&mut a, &case.program, &engine, &case.garbler, &options, &mut |_| {})
        });
        // Three times the timeout passes before the evaluator begins, but it sends heartbeats.
        let mut hello = Hello::new(Party::Evaluator, &case.program, 1, &options, [0; 32]).unwrap();
        hello.engine = "test".to_owned();
        b.set_timing(Timing::new(options.timeout, Arc::default()));
        let agreement =
            handshake::shake(&mut b, &hello, None, case.program.circuit.outputs.len()).unwrap();
        assert_eq!(agreement.peer_engine, engine.name());
        let begin = Instant::now();
        while begin.elapsed() < options.timeout * 3 {
            std::thread::sleep(Duration::from_millis(50));
            b.tick().unwrap();
        }
        b.abort("tested enough");
        let error = garbler.join().unwrap().unwrap_err();
        assert_eq!(error.class(), ErrorClass::Aborted, "{error}");
        assert!(error.to_string().contains("tested enough"), "{error}");
    });
}

fn pipe_channels() -> (StreamChannel<Pipe>, StreamChannel<Pipe>) {
    let (a, b) = pipe(Fault::None, Fault::None);
    (StreamChannel::new(a), StreamChannel::new(b))
}

#[test]
fn a_peer_that_sends_an_unexpected_frame_is_named() {
    let (case, options, _) = small(1);
    let outputs = case.program.circuit.outputs.len();
    let kinds = [Kind::Hello, Kind::Tables, Kind::Extension, Kind::Digest, Kind::Done];
    // The last one is a message of the right kind with wrong content.
    for kind in kinds.into_iter().chain([Kind::BaseOt]) {
        for role in [Party::Garbler, Party::Evaluator] {
            let (a, mut b) = pipe_channels();
            let engine = engine();
            std::thread::scope(|scope| {
                let (case, options) = (&case, &options);
                let honest = scope.spawn(move || {
                    let (mut a, mut none) = (a, |_| {});
                    let none = &mut none;
                    let program = &case.program;
                    match role {
                        Party::Evaluator => {
                            garble(&mut a, program, &engine, &case.garbler, options, none)
                        }
                        Party::Garbler => {
                            evaluate(&mut a, program, &engine, &case.evaluator, options, none)
                        }
                    }
                });
                let mut hello = Hello::new(role, &case.program, 1, options, [0; 32]).unwrap();
                hello.labels = (role == Party::Garbler).then_some(handshake::LabelMode::Correlated);
                handshake::shake(&mut b, &hello, None, outputs).unwrap();
                b.send(kind, &[1; 100]).unwrap();
                // The frame may have been read and rejected by now.
                let _ = b.flush();
                let error = honest.join().unwrap().unwrap_err();
                assert_eq!(error.class(), ErrorClass::Protocol, "{kind:?}: {error}");
                assert!(error.to_string().contains(&format!("the {role}")), "{error}");
                // The peer also receives the error.
                let received = loop {
                    match b.recv() {
                        Ok(_) => {}
                        Err(error) => break error,
                    }
                };
                assert!(matches!(received, ChannelError::Aborted(_)), "{kind:?}: {received}");
            });
        }
    }
}

#[test]
fn cancelling_one_side_notifies_the_other() {
    let (case, options, _) = small(1);
    let cancelled = RunOptions { cancel: Arc::new(AtomicBool::new(true)), ..options.clone() };
    let (garbled, evaluated) = both(&case, (&cancelled, &options), pipe_channels());
    assert!(matches!(garbled, Err(SessionError::Cancelled { .. })));
    let error = evaluated.unwrap_err();
    assert!(error.to_string().contains("cancelled by its user"), "{error}");
    assert!(cancelled.cancel.load(Ordering::Relaxed));
}

#[test]
fn a_difference_is_named_on_both_sides() {
    let (case, options, _) = small(1);
    let other = |change: &dyn Fn(&mut RunOptions)| {
        let mut other = options.clone();
        change(&mut other);
        other
    };
    let cases = [
        (Difference::Suite, other(&|o| o.suite = Suite::HalfGatesFixedKey)),
        (Difference::TransferSecurity, other(&|o| o.ot = OtMode::SemiHonest)),
    ];
    for (name, theirs) in cases {
        let (garbled, evaluated) = both(&case, (&options, &theirs), pipe_channels());
        for error in [garbled.unwrap_err(), evaluated.unwrap_err()] {
            let SessionError::Mismatch { what, ours, theirs, .. } = &error else {
                panic!("{error}")
            };
            assert_eq!(*what, name);
            assert_ne!(ours, theirs);
        }
    }
}

#[test]
fn the_broken_suite_is_refused() {
    let (case, options, _) = small(1);
    let broken = RunOptions { suite: Suite::HalfGatesFase, ..options };
    let (garbled, evaluated) = both(&case, (&broken, &broken), pipe_channels());
    assert!(matches!(garbled, Err(SessionError::BrokenSuite("half-gates-fase"))));
    assert!(matches!(evaluated, Err(SessionError::BrokenSuite("half-gates-fase"))));
}

#[test]
fn a_weak_suite_must_be_requested() {
    let (case, options, _) = small(1);
    let weak = RunOptions { suite: Suite::Grr3Sha1, ..options };
    let (garbled, evaluated) = both(&case, (&weak, &weak), pipe_channels());
    assert!(matches!(garbled, Err(SessionError::WeakSuite("grr3-sha1"))));
    assert!(matches!(evaluated, Err(SessionError::WeakSuite("grr3-sha1"))));
    for runs in [1, 3] {
        let (case, options, _) = small(runs);
        let requested = RunOptions { suite: Suite::Grr3Sha1, insecure_suite: true, ..options };
        let (garbled, evaluated) = both(&case, (&requested, &requested), pipe_channels());
        check(&case, &[], Party::Garbler, garbled);
        check(&case, &[], Party::Evaluator, evaluated);
    }
}

#[test]
fn wrong_inputs_are_refused_with_their_name() {
    let (mut case, options, _) = small(1);
    let own = case.program.circuit.inputs.iter().position(|i| i.party == Party::Garbler);
    case.garbler[0][own.unwrap()] = Some(Bits::with_len(3));
    let (garbled, evaluated) = both(&case, (&options, &options), pipe_channels());
    let error = garbled.unwrap_err().to_string();
    assert!(error.contains("\"garbler\"") && error.contains("3 were given"), "{error}");
    let ended = evaluated.unwrap_err();
    assert!(matches!(ended, SessionError::Channel { error: ChannelError::Aborted(_), .. }));
}

#[test]
fn a_session_runs_over_tls() {
    use crate::keys::Identity;
    use crate::tls::{self, ExpectedPeer};
    let (case, options, _) = small(1);
    let never = AtomicBool::new(false);
    let listener = crate::net::Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap().to_string();
    let keys = [Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap()];
    let pins = keys.each_ref().map(|key| ExpectedPeer::Key(key.public().fingerprint()));
    let ends = std::thread::scope(|scope| {
        let dialling = scope.spawn(|| {
            let socket = crate::net::connect(&address, options.timeout, &never).unwrap();
            tls::connect(socket, &keys[0], pins[1], options.timeout, &never).unwrap()
        });
        let (socket, _) = listener.accept(options.timeout, &never).unwrap();
        let listening = tls::accept(socket, &keys[1], pins[0], options.timeout, &never).unwrap();
        (StreamChannel::new(dialling.join().unwrap()), StreamChannel::new(listening))
    });
    let (garbled, evaluated) = both(&case, (&options, &options), ends);
    check(&case, &[], Party::Garbler, garbled);
    check(&case, &[], Party::Evaluator, evaluated);
}

/// Prints the rate of whole sessions. `cargo test --release -- --ignored session_rate --nocapture`.
#[test]
#[ignore = "a measurement"]
fn session_rate() {
    // One program keeps state over cycles; the other has an input of the evaluator in each cycle.
    for (spec, cycles) in [("aes128-chained:1000", None), ("aes128-ecb", Some(1000))] {
        rate_of(spec, cycles);
    }
}

fn rate_of(spec: &str, cycles: Option<u64>) {
    let circuit = halfgate_programs::build(spec).unwrap();
    let cycles = cycles.unwrap_or(circuit.cycles);
    let values = inputs(&circuit, 1, cycles);
    let own = |party| {
        let all = circuit.inputs.iter().zip(&values);
        vec![all.map(|(i, v)| (i.party == party).then(|| v.clone())).collect::<PartyInputs>()]
    };
    let (garbler, evaluator) = (own(Party::Garbler), own(Party::Evaluator));
    let program = compile(circuit, Order::default()).unwrap();
    let case = Case { program, cycles, garbler, evaluator, outputs: vec![] };
    let options = options(&case);
    let show = |name: &str, (garbled, evaluated): (Outcome, Outcome)| {
        for report in [&garbled.unwrap()[0], &evaluated.unwrap()[0]] {
            let rate = report.counters.ands as f64 / report.total.as_secs_f64() / 1e6;
            println!("{spec}, {name}: {rate:.1} M AND/s, set-up {:?}", report.setup);
        }
    };
    for _ in 0..3 {
        show("ring", both(&case, (&options, &options), ring::pair()));
        let never = AtomicBool::new(false);
        let listener = crate::net::Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        let a = crate::net::connect(&address, options.timeout, &never).unwrap();
        let (b, _) = listener.accept(options.timeout, &never).unwrap();
        let ends = (StreamChannel::new(a), StreamChannel::new(b));
        show("tcp", both(&case, (&options, &options), ends));
    }
}
