//! Options of a run.

use crate::{raise, running, sources};
use halfgate::engine::{Engine, Suite};
use halfgate::protocol::session::{Deadlines, Learn, OtMode, RunOptions, SecurityLevel};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_registry::{CPU, OnCpu};
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
    /// The engines of the garbler and of the evaluator.
    engines: (String, String),
    insecure_suite: bool,
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
        security, ot, suite, insecure_suite, threads, kernel, engines, timeout, setup, deadline,
        learn, cycles, name
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn new(
        py: Python<'_>,
        security: &str,
        ot: &str,
        suite: &str,
        insecure_suite: bool,
        threads: Option<usize>,
        kernel: Option<String>,
        engines: (String, String),
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
            insecure_suite,
            threads,
            kernel,
            engines,
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
            insecure_suite: self.insecure_suite,
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

    /// Makes the engine of each of these parties, which run in this process. To build a simulated
    /// design takes minutes.
    pub fn engines(&self, py: Python<'_>, parties: &[Party]) -> PyResult<Vec<Box<dyn Engine>>> {
        let make = || parties.iter().map(|&party| self.engine(party, parties.len() > 1)).collect();
        let made: Result<_, Failure> = running::run(py, &self.cancel, make)?;
        made.map_err(|failure| {
            let class = match failure.exit {
                Exit::Usage | Exit::Unknown => "OptionError",
                _ => "EngineError",
            };
            raise::exception(py, class, &failure.to_string())
        })
    }

    fn engine(&self, party: Party, is_shared: bool) -> Result<Box<dyn Engine>, Failure> {
        let (garbler, evaluator) = (self.engines.0.as_str(), self.engines.1.as_str());
        let (name, other) = match party {
            Party::Garbler => (garbler, evaluator),
            Party::Evaluator => (evaluator, garbler),
        };
        // A device may be a simulated design too, as `mobile:sim` is.
        if name != CPU.0 && !name.starts_with("model:") {
            sources::provide().map_err(Failure::with(Exit::Local))?;
        }
        // They are for the engine cpu if only one of the two is a machine.
        let has_threads = name == CPU.0 || !is_shared || other != CPU.0;
        let threads = self.threads.filter(|_| has_threads);
        if name != CPU.0 && threads.is_some_and(|threads| threads.get() > 1) {
            let what = format!("threads: they are for the engine {}: {name} has none", CPU.0);
            return Err(Failure::new(Exit::Usage, what));
        }
        let on = OnCpu { kernel: self.kernel.as_deref(), threads, is_shared };
        halfgate_registry::engine(name, on, &[party], None)
    }
}
