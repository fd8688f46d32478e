//! Connections, and sessions on them.

use crate::ahead::{Ahead, Opened};
use crate::options::Options;
use crate::packed::Elements;
use crate::program::Program;
use crate::raise;
use crate::report::{Outcome, outcome};
use crate::running;
use halfgate::compiler;
use halfgate::protocol::channel::Channel;
use halfgate::protocol::offline::garble_from_file;
use halfgate::protocol::session::authenticated::ahead::{
    Identities, Side, Target, preprocess, run_preprocessed,
};
use halfgate::protocol::session::{self, Event, PartyInputs, RunOptions, SecurityLevel};
use halfgate::{Connection, Error, Identity, Listener, Peer};
use halfgate_circuit::Party;
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The least time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(50);

/// A connection with the other party, which serves one session.
#[pyclass(frozen, module = "halfgate._halfgate", name = "NativeSession")]
pub struct Session {
    state: Mutex<State>,
    /// Notified at the end of a run.
    ended: Condvar,
}

/// State of a connection. Without a channel and a run, it is closed.
struct State {
    channel: Option<(Box<dyn Channel>, Identities)>,
    run: Option<Run>,
}

/// The run in progress.
struct Run {
    cancel: Arc<AtomicBool>,
    /// Threads on which the run waits and computes. The run cannot end while one of them waits.
    threads: Vec<ThreadId>,
}

/// The channel of the run in progress. It is dropped before the run is over.
struct RunChannel<'a> {
    channel: Box<dyn Channel>,
    over: Over<'a>,
}

/// Ends the run when dropped.
struct Over<'a>(&'a Session);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.state().run = None;
        self.0.ended.notify_all();
    }
}

impl RunChannel<'_> {
    /// The channel, for a run that computes on this thread.
    fn on_this_thread(&mut self) -> &mut dyn Channel {
        if let Some(run) = &mut self.over.0.state().run {
            run.threads.push(thread::current().id());
        }
        &mut *self.channel
    }
}

/// A listening port.
#[pyclass(frozen, module = "halfgate._halfgate", name = "NativeListener")]
pub struct Port {
    listener: Listener,
}

/// This party's key file and the peer: the file of a public key, a fingerprint, or anyone.
#[derive(FromPyObject)]
pub struct Keys {
    #[pyo3(attribute)]
    identity: PathBuf,
    #[pyo3(attribute)]
    peer: Option<String>,
}

impl Keys {
    fn load(&self) -> Result<(Identity, Peer), Error> {
        let peer = match &self.peer {
            None => Peer::anyone(),
            Some(text) if text.starts_with("SHA256:") => Peer::from_fingerprint(text)?,
            Some(path) => Peer::from_file(path)?,
        };
        Ok((Identity::load(&self.identity)?, peer))
    }
}

/// Creates a key pair. Returns the fingerprint.
#[pyfunction]
pub fn keygen(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let identity = raise::detached(py, || Identity::generate(&path))?;
    let identity = identity.map_err(|error| raise::of_error(py, &error))?;
    Ok(identity.fingerprint().to_string())
}

/// Connects to a listening peer; without `keys`, without encryption.
#[pyfunction]
#[pyo3(signature = (address, keys, options))]
pub fn connect(
    py: Python<'_>,
    address: &str,
    keys: Option<Keys>,
    options: &Options,
) -> PyResult<Session> {
    let basic = basic(options);
    Session::open(py, options, || match &keys {
        Some(keys) => {
            let (identity, peer) = keys.load()?;
            Connection::connect_with(address, &identity, &peer, &basic)
        }
        None => Connection::connect_insecure_with(address, &basic),
    })
}

/// The options that connecting takes.
fn basic(options: &Options) -> halfgate::Options {
    halfgate::Options {
        timeout: options.timeout,
        cancel: std::sync::Arc::clone(&options.cancel),
        ..halfgate::Options::default()
    }
}

impl Session {
    fn open(
        py: Python<'_>,
        options: &Options,
        connect: impl FnOnce() -> Result<Connection, Error> + Send,
    ) -> PyResult<Session> {
        let connection = running::run(py, &options.cancel, connect)?;
        let connection =
            connection.map_err(|error| match options.cancel.load(Ordering::Relaxed) {
                true => raise::exception(py, "CancelledError", &error.to_string()),
                false => raise::of_error(py, &error),
            })?;
        let state = State { channel: Some(connection.into()), run: None };
        Ok(Session { state: Mutex::new(state), ended: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the one session that the connection serves, which ends if `cancel` is set.
    fn begin(
        &self,
        py: Python<'_>,
        cancel: &Arc<AtomicBool>,
    ) -> PyResult<(RunChannel<'_>, Identities)> {
        let mut state = self.state();
        let Some((channel, identities)) = state.channel.take() else {
            let what = "the connection has served its session: connect again for another";
            return Err(raise::exception(py, "ConnectionError", what));
        };
        let threads = vec![thread::current().id()];
        state.run = Some(Run { cancel: Arc::clone(cancel), threads });
        Ok((RunChannel { channel, over: Over(self) }, identities))
    }

    /// Cancels the run in progress and closes the connection. Waits for this at most as long as
    /// `wait`. Returns whether the connection is closed. A thread of the run does not wait: the
    /// connection is closed when the run has ended.
    fn close_within(&self, wait: Duration) -> bool {
        let mut state = self.state();
        state.channel = None;
        let Some(run) = &state.run else { return true };
        run.cancel.store(true, Ordering::Relaxed);
        if run.threads.contains(&thread::current().id()) {
            return true;
        }
        let is_running = |state: &mut State| state.run.is_some();
        let waited = self.ended.wait_timeout_while(state, wait, is_running);
        waited.unwrap_or_else(PoisonError::into_inner).0.run.is_none()
    }
}

#[pymethods]
impl Port {
    /// Listens on `HOST:PORT`.
    #[new]
    fn new(py: Python<'_>, address: &str) -> PyResult<Port> {
        let listener = Listener::bind(address).map_err(|error| raise::of_error(py, &error))?;
        Ok(Port { listener })
    }

    /// The address with the actual port.
    #[getter]
    fn address(&self) -> String {
        self.listener.address()
    }

    /// Waits for the peer; without `keys`, without encryption.
    #[pyo3(signature = (keys, options))]
    fn accept(&self, py: Python<'_>, keys: Option<Keys>, options: &Options) -> PyResult<Session> {
        let basic = basic(options);
        Session::open(py, options, || match &keys {
            Some(keys) => {
                let (identity, peer) = keys.load()?;
                self.listener.accept(&identity, &peer, &basic)
            }
            None => self.listener.accept_insecure(&basic),
        })
    }
}

#[pymethods]
impl Session {
    /// Whether a session may still run on the connection.
    #[getter]
    fn is_open(&self) -> bool {
        self.state().channel.is_some()
    }

    /// Closes the connection. A run in progress is cancelled, and the peer is told.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        while !py.detach(|| self.close_within(running::SIGNALS)) {
            py.check_signals()?;
        }
        Ok(())
    }

    /// Runs as the garbler or as the evaluator, once for each of `runs`; one run may come from the
    /// file `ahead`. `progress` is called with a name and two numbers.
    #[pyo3(signature = (garbler, program, runs, options, ahead, progress))]
    #[allow(clippy::too_many_arguments, reason = "arguments of a Python function")]
    fn run(
        &self,
        py: Python<'_>,
        garbler: bool,
        program: &Program,
        runs: Vec<Vec<Elements>>,
        options: &Options,
        ahead: Option<&Ahead>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Outcome>> {
        let party = party(garbler);
        let run = options.session(program.compiled.circuit.cycles);
        let inputs: Vec<PartyInputs> = runs
            .into_iter()
            .map(|values| program.inputs(py, Some(party), run.cycles, values))
            .collect::<PyResult<_>>()?;
        if ahead.is_some() && inputs.len() != 1 {
            let what = "a file of a garbling ahead of time serves one run";
            return Err(raise::exception(py, "OptionError", what));
        }
        let compiled = &*program.compiled;
        // Refuse an unsuitable file before the peer has to wait.
        let file = match ahead {
            None => None,
            Some(ahead) => {
                let open = || ahead.open(party, compiled, &run);
                let opened = running::run(py, &options.cancel, open)?;
                Some(opened.map_err(|error| raise::of_program(py, &error, compiled))?)
            }
        };
        let engine = options.engines(py, &[party])?.remove(0);
        let (mut begun, identities) = self.begin(py, &options.cancel)?;
        let count = inputs.len() as u64;
        let mut reporter = Reporter::new(progress, compiled, &run);
        let result = running::run(py, &options.cancel, || {
            let events = &mut |event: Event| reporter.report(&event, options);
            let (channel, engine) = (begun.on_this_thread(), &*engine);
            match (party, file) {
                (Party::Garbler, Some(Opened::Tables(tables))) => {
                    let report = garble_from_file(channel, tables, &inputs[0], &run, events)?;
                    Ok(vec![report])
                }
                (_, Some(Opened::Preprocessed(file))) => {
                    let side = Side { party, identities, program: compiled, engine, options: &run };
                    let report = run_preprocessed(channel, side, None, file, &inputs[0], events)?;
                    Ok(vec![report])
                }
                (Party::Garbler, _) => {
                    session::garble(channel, compiled, engine, &inputs, &run, events)
                }
                (Party::Evaluator, _) => {
                    session::evaluate(channel, compiled, engine, &inputs, &run, events)
                }
            }
        })?;
        if result.is_ok() {
            reporter.end_run(options);
        }
        if let Some(error) = reporter.failed {
            return Err(error);
        }
        let reports = result.map_err(|error| raise::of_program(py, &error, compiled))?;
        Ok(reports.iter().map(|report| outcome(report, &*engine, count)).collect())
    }

    /// Does all work of a malicious run that needs no input, and writes it to the new file `ahead`.
    /// Returns a report as JSON.
    fn preprocess(
        &self,
        py: Python<'_>,
        garbler: bool,
        program: &Program,
        options: &Options,
        ahead: &Ahead,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let (party, compiled) = (party(garbler), &*program.compiled);
        let run = options.session(compiled.circuit.cycles);
        let target = Target { path: &ahead.path, protection: ahead.protection() };
        target.check().map_err(|error| raise::of_session(py, &error))?;
        let engine = options.engines(py, &[party])?.remove(0);
        let (mut begun, identities) = self.begin(py, &options.cancel)?;
        let mut reporter = Reporter::new(progress, compiled, &run);
        let result = running::run(py, &options.cancel, || {
            let events = &mut |event: Event| reporter.report(&event, options);
            let (engine, options) = (&*engine, &run);
            let side = Side { party, identities, program: compiled, engine, options };
            preprocess(begun.on_this_thread(), side, None, target, events)
        })?;
        if result.is_ok() {
            reporter.end_run(options);
        }
        if let Some(error) = reporter.failed {
            return Err(error);
        }
        let report = result.map_err(|error| raise::of_program(py, &error, compiled))?;
        let about = json!({
            "engine": engine.name(),
            "security": SecurityLevel::Malicious.name(),
            "gates": report.counters.gates,
            "and_gates": report.counters.ands,
            "cycles": report.counters.cycles,
            "bytes": report.bytes,
            "bytes_sent": report.bytes_sent,
            "bytes_received": report.bytes_received,
            "seconds": report.total.as_secs_f64(),
        });
        Ok(about.to_string())
    }
}

fn party(garbler: bool) -> Party {
    if garbler { Party::Garbler } else { Party::Evaluator }
}

/// Calls Python with the progress of a session.
struct Reporter {
    progress: Option<Py<PyAny>>,
    /// The exception that the call raised. It ends the session.
    failed: Option<PyErr>,
    last: Option<Instant>,
    /// ANDs of a run.
    ands: u64,
    /// ANDs of the run in progress, until all of them are reported as done.
    left: Option<u64>,
}

impl Reporter {
    fn new(progress: Option<Py<PyAny>>, program: &compiler::Program, run: &RunOptions) -> Reporter {
        let ands = program.ands_per_cycle().saturating_mul(run.cycles);
        Reporter { progress, failed: None, last: None, ands, left: None }
    }

    fn report(&mut self, event: &Event, options: &Options) {
        match *event {
            Event::Connected { .. } => self.call(("connected", 0, 0), options),
            Event::Setup { .. } => self.call(("setup", 0, 0), options),
            Event::RunStarted { run } => {
                self.end_run(options);
                self.call(("run", run as u64, 0), options);
                self.left = Some(self.ands);
            }
            Event::Progress { ands, total_ands, .. } => {
                let now = Instant::now();
                let is_early = self.last.is_some_and(|last| now - last < PROGRESS);
                if is_early && ands != total_ands {
                    return;
                }
                self.last = Some(now);
                self.left = (ands != total_ands).then_some(total_ands);
                self.call(("progress", ands, total_ands), options);
            }
            _ => {}
        }
    }

    /// Reports all ANDs of the run in progress as done. A session reports its progress at
    /// intervals, so a short run has no report of its own.
    fn end_run(&mut self, options: &Options) {
        if let Some(ands) = self.left.take() {
            self.call(("progress", ands, ands), options);
        }
    }

    fn call(&mut self, report: (&str, u64, u64), options: &Options) {
        let Some(progress) = &self.progress else { return };
        if self.failed.is_some() {
            return;
        }
        if let Err(error) = Python::attach(|py| progress.call1(py, report)) {
            self.failed = Some(error);
            options.cancel.store(true, Ordering::Relaxed);
        }
    }
}
