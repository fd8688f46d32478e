//! The host's part of a run on the mobile coprocessor, in the chip's own time. Tests what the host
//! leaves in the chip, what it does while it waits, and when it rejects a chip.

use halfgate_circuit::Wire;
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{
    Engine, EngineError, EvaluatesOnly, EvaluatorIo, IoError, Label, Prepared, Suite, kernels,
};
use halfgate_mobile::engine::{Clocked, Evaluates, Link, Linked, Modelled, Port, SUITES};
use halfgate_mobile_model::model::{Form, Step};
use halfgate_programs::build;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const QUICK: Link = Link { mhz: 42.0, clocks: 1.0 };

/// A caller that collects progress reports, and may stop the run.
#[derive(Clone, Default)]
struct Caller {
    reports: Arc<Mutex<Vec<(u64, u64)>>>,
    /// If this is `n`, then `n` requests for tables succeed, and the next one fails.
    tables: Option<u32>,
    /// The third progress report after this flag is set fails.
    stops: Option<Arc<AtomicBool>>,
    after: u32,
}

struct Io<'a> {
    io: &'a mut dyn EvaluatorIo,
    caller: Caller,
}

impl EvaluatorIo for Io<'_> {
    fn constant(&mut self) -> Result<Label, IoError> {
        self.io.constant()
    }

    fn active_labels(
        &mut self,
        cycle: u64,
        wires: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.io.active_labels(cycle, wires, labels)
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        if let Some(left) = &mut self.caller.tables {
            *left = left.checked_sub(1).ok_or_else(|| io::Error::other("the garbler is gone"))?;
        }
        self.io.tables(bytes)
    }

    fn output(&mut self, cycle: u64, numbers: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.io.output(cycle, numbers, labels)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.caller.reports.lock().unwrap().push((cycles, ands));
        if self.caller.stops.as_ref().is_some_and(|stops| stops.load(Ordering::Relaxed)) {
            self.caller.after += 1;
            if self.caller.after == 3 {
                return Err(io::Error::other("cancelled").into());
            }
        }
        self.io.progress(cycles, ands)
    }
}

/// An engine that evaluates at a port, which stays open between runs.
struct At<P> {
    port: Arc<Mutex<P>>,
    caller: Caller,
}

impl<P: Port + Send + 'static> Engine for At<P> {
    fn name(&self) -> String {
        "mobile".to_owned()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let (port, caller) = (Arc::clone(&self.port), self.caller.clone());
        Ok(Box::new(EvaluatesOnly::new(self.name(), move |key, cycles, io| {
            let mut port = port.lock().unwrap();
            let run = Evaluates::new("mobile", program, key, cycles, &mut *port)?;
            let mut io = Io { io, caller: caller.clone() };
            run.run(cycles, &mut io).map(|(counters, _)| counters)
        })))
    }
}

fn run<P: Port + Send + 'static>(
    port: &Arc<Mutex<P>>,
    caller: &Caller,
    suite: Suite,
) -> Result<(), String> {
    let circuit = build("divide:32").unwrap();
    let inputs = halfgate_circuit::random::inputs_for(&circuit, 1, 1);
    let program = compile(circuit, Order::default()).expect("compiles");
    let garbler = CpuEngine::new(None).expect("an engine");
    let engine = At { port: Arc::clone(port), caller: caller.clone() };
    check_pair(&garbler, &engine, &program, &inputs, Run { suite, seed: 1, cycles: 1 })
}

fn modelled() -> Modelled {
    Modelled::new(Form::Half, kernels::best())
}

/// A chip wipes its labels after a reset. Meanwhile it drops received bytes, and the next run
/// tolerates this.
#[test]
fn no_run_leaves_its_labels_in_the_chip() {
    let port = Linked::new(modelled(), QUICK).expect("a chip");
    let port = Arc::new(Mutex::new(port));
    let stops = Caller { tables: Some(50), ..Caller::default() };
    for (suite, caller) in SUITES.into_iter().flat_map(|suite| {
        [(suite, Caller::default()), (suite, stops.clone()), (suite, Caller::default())]
    }) {
        let done = run(&port, &caller, suite);
        match caller.tables {
            None => done.unwrap_or_else(|what| panic!("{suite}: {what}")),
            Some(_) => assert!(done.unwrap_err().contains("the garbler is gone"), "{suite}"),
        }
        let mut port = port.lock().unwrap();
        port.rest(50).expect("it goes on");
        let seen = port.chip().seen.expect("it has clocks");
        assert_eq!(seen.execute, Step::Wipe, "{suite}, {:?}", caller.tables);
    }
}

#[test]
fn progress_is_reported_within_a_cycle() {
    let port = Arc::new(Mutex::new(Linked::new(modelled(), QUICK).expect("a chip")));
    let caller = Caller::default();
    run(&port, &caller, Suite::HalfGates).expect("it evaluates");
    let reports = caller.reports.lock().unwrap();
    let (last, before) = reports.split_last().expect("progress is reported");
    assert!(last.0 == 1 && last.1 > 700, "{last:?}");
    assert!(before.is_sorted() && before.iter().all(|now| now.0 == 0 && now.1 <= last.1));
    for at in (256..last.1).step_by(256) {
        assert!(before.contains(&(0, at)), "{at}: {reports:?}");
    }
}

/// A chip that stops after some bytes. Then it only sends `idle_bytes` at intervals.
struct Stops {
    chip: Modelled,
    left: u32,
    idle_bytes: &'static [u8],
    clock: usize,
    has_stopped: Arc<AtomicBool>,
}

/// Clock cycles between two of the `idle_bytes`, fewer than the host's timeout.
const IDLE_INTERVAL_CLOCKS: usize = 10_000;

impl Clocked for Stops {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        self.left = self.left.saturating_sub(comes.is_some().into());
        if self.left > 0 {
            return self.chip.clock(comes, takes);
        }
        self.has_stopped.store(true, Ordering::Relaxed);
        self.clock += 1;
        let is_now = self.clock.is_multiple_of(IDLE_INTERVAL_CLOCKS) && !self.idle_bytes.is_empty();
        Ok(is_now
            .then(|| self.idle_bytes[self.clock / IDLE_INTERVAL_CLOCKS % self.idle_bytes.len()]))
    }
}

fn stops(idle_bytes: &'static [u8]) -> (Arc<Mutex<Linked<Stops>>>, Arc<AtomicBool>) {
    let has_stopped = Arc::<AtomicBool>::default();
    let chip = Stops {
        chip: modelled(),
        left: 5000,
        idle_bytes,
        clock: 0,
        has_stopped: has_stopped.clone(),
    };
    (Arc::new(Mutex::new(Linked::new(chip, QUICK).expect("a chip"))), has_stopped)
}

/// Received bytes that make no progress do not keep a run alive.
#[test]
fn a_chip_without_progress_is_given_up() {
    for idle_bytes in [&b""[..], b"x", b"x\0", b"\0"] {
        let (port, _) = stops(idle_bytes);
        let what = run(&port, &Caller::default(), Suite::HalfGates).unwrap_err();
        assert!(what.contains("stopped responding"), "{idle_bytes:?}: {what}");
        let clocks = port.lock().unwrap().clocks();
        assert!(clocks < 1_000_000, "{idle_bytes:?}: {clocks}");
    }
}

#[test]
fn a_run_that_waits_may_be_cancelled() {
    let (port, has_stopped) = stops(b"");
    let caller = Caller { stops: Some(has_stopped), ..Caller::default() };
    let what = run(&port, &caller, Suite::HalfGates).unwrap_err();
    assert!(what.contains("cancelled"), "{what}");
}
