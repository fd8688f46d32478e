//! Options of a run.

use crate::raise;
use halfgate::engine::Suite;
use halfgate::engine::cpu::{CpuEngine, Threads};
use halfgate::protocol::session::{Deadlines, Learn, OtMode, RunOptions, SecurityLevel};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Options of a run, checked.
#[pyclass(frozen, module = "halfgate._halfgate")]
pub struct Options {
    security: SecurityLevel,
    ot: OtMode,
    suite: Suite,
    threads: Option<NonZeroUsize>,
    kernel: Option<String>,
    pub timeout: Duration,
    setup: Duration,
    deadline: Option<Duration>,
    learn: Vec<Learn>,
    pub cycles: Option<u64>,
    name: String,
    /// Ends the session when set.
    pub cancel: Arc<AtomicBool>,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (
        security, ot, suite, threads, kernel, timeout, setup, deadline, learn, cycles, name
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn new(
        py: Python<'_>,
        security: &str,
        ot: &str,
        suite: &str,
        threads: Option<usize>,
        kernel: Option<String>,
        timeout: f64,
        setup: f64,
        deadline: Option<f64>,
        learn: Vec<String>,
        cycles: Option<u64>,
        name: String,
    ) -> PyResult<Options> {
        let refuse = |what: String| raise::exception(py, "OptionError", &what);
        let seconds = |name: &str, value: f64| {
            let found = Duration::try_from_secs_f64(value).ok().filter(|time| !time.is_zero());
            found.ok_or_else(|| refuse(format!("{name}={value}: give a number of seconds above 0")))
        };
        let learner = |who: String| match who.as_str() {
            "garbler" => Ok(Learn::Garbler),
            "evaluator" => Ok(Learn::Evaluator),
            "both" => Ok(Learn::Both),
            "none" => Ok(Learn::None),
            _ => Err(refuse(format!("learn={who:?}: give garbler, evaluator, both or none"))),
        };
        let threads = match threads {
            Some(count) => Some(
                NonZeroUsize::new(count)
                    .ok_or_else(|| refuse("threads=0: give 1 or more".into()))?,
            ),
            None => None,
        };
        let ot = match ot {
            "malicious" => OtMode::Malicious,
            "semi-honest" => OtMode::SemiHonest,
            _ => return Err(refuse(format!("ot={ot:?}: give malicious or semi-honest"))),
        };
        Ok(Options {
            security: security.parse().map_err(|error| refuse(format!("security: {error}")))?,
            ot,
            suite: suite.parse().map_err(|error| refuse(format!("suite: {error}")))?,
            threads,
            kernel,
            timeout: seconds("timeout", timeout)?,
            setup: seconds("setup", setup)?,
            deadline: deadline.map(|value| seconds("deadline", value)).transpose()?,
            learn: learn.into_iter().map(learner).collect::<PyResult<_>>()?,
            cycles,
            name,
            cancel: Arc::new(AtomicBool::new(false)),
        })
    }

    #[getter]
    fn cycles(&self) -> Option<u64> {
        self.cycles
    }

    /// Ends what runs with these options; the peer is told.
    fn cancel(&self) {
        self.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Options {
    /// The options of a session of a program that runs for `cycles` cycles by default.
    pub fn session(&self, cycles: u64) -> RunOptions {
        RunOptions {
            suite: self.suite,
            cycles: self.cycles.unwrap_or(cycles),
            learn: self.learn.clone(),
            security: self.security,
            ot: self.ot,
            timeout: self.timeout,
            deadlines: Deadlines { setup: self.setup, run: self.deadline },
            cancel: Arc::clone(&self.cancel),
            program_name: self.name.clone(),
            ..RunOptions::default()
        }
    }

    /// The engine of a party, if `parties` run in this process.
    pub fn engine(&self, py: Python<'_>, parties: usize) -> PyResult<CpuEngine> {
        let threads = Threads::for_parties(self.threads, parties);
        match CpuEngine::new(self.kernel.as_deref()) {
            Ok(engine) => Ok(engine.with_threads(threads)),
            Err(error) => Err(raise::exception(py, "OptionError", &error.to_string())),
        }
    }
}
