//! Errors that stop an engine.
//!
//! Variants and their fields have the data on which callers base decisions. Details for people are
//! in the machine's own error, as a [`Cause`]. There is no variant for plain text: each machine has
//! its own error types.

use crate::Suite;
use halfgate_circuit::Party;
use halfgate_compiler::Order;
use halfgate_model::Exceeded;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Error that stopped an engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The engine's input or output failed.
    #[error("{0}")]
    Io(IoError),
    /// The temporary file for code that does not fit in memory failed.
    #[error("cannot use a temporary file for the program's code: {0}")]
    Spool(#[from] std::io::Error),
    /// The program needs more of a resource than the engine has.
    #[error("{exceeded}")]
    Limit {
        /// The engine's name as a user gives it, without options: `rtl:fast-2`.
        engine: String,
        /// The resource, the amount needed, and the amount available.
        #[source]
        exceeded: Exceeded,
    },
    /// The run has more cycles or ANDs than the engine can count.
    #[error(
        "engine {engine} counts up to {} cycles and {} ANDs in a run, not {cycles} cycles of \
         {ands_per_cycle} ANDs: run fewer cycles",
        counted(.most_cycles),
        counted(.most_ands)
    )]
    TooLong {
        /// The engine's name.
        engine: String,
        /// Cycles of the run.
        cycles: u64,
        /// ANDs of each cycle.
        ands_per_cycle: u64,
        /// Most cycles that the engine can count.
        most_cycles: u64,
        /// Most ANDs of a run that the engine can count.
        most_ands: u64,
    },
    /// A circuit without state or per-cycle ports was given more than one cycle.
    #[error(
        "a circuit without flip-flops and without per-cycle inputs or outputs runs for one cycle, \
         not {cycles}"
    )]
    OneCycleOnly {
        /// The requested number of cycles.
        cycles: u64,
    },
    /// The engine does not have the suite.
    #[error("engine {engine} runs the suite {} only, not {suite}", names(.suites))]
    Suite {
        /// The engine's name.
        engine: String,
        /// The suites that the engine has.
        suites: Vec<Suite>,
        /// The requested suite.
        suite: Suite,
    },
    /// The program [skips](halfgate_compiler::skip) gates, which the engine does not support.
    #[error(
        "engine {engine} runs every gate of every cycle: a program that skips runs on the engine \
         cpu"
    )]
    Skips {
        /// The engine's name.
        engine: String,
    },
    /// The engine has one role only, and the other was requested.
    #[error("engine {engine} {}", only(.has))]
    Role {
        /// The engine's name.
        engine: String,
        /// The engine's role.
        has: Party,
    },
    /// The engine makes input labels itself from a seed, and this run's labels come from no seed.
    #[error("engine {engine} makes input labels from a seed, and this run's labels come from none")]
    NoSeed {
        /// The engine's name.
        engine: String,
    },
    /// The engine processes ANDs in an order other than the program's and does not report their
    /// numbers.
    #[error(
        "engine {engine} processes ANDs in an order other than the program's and does not report \
         their numbers"
    )]
    Order {
        /// The engine's name.
        engine: String,
        /// The order that the engine needs; `None` if no order is known to help.
        wanted: Option<Order>,
    },
    /// The program, or code made for it, does not suit this engine.
    #[error("engine {engine}: {cause}")]
    Program {
        /// The engine's name.
        engine: String,
        /// The machine's own error: why the program does not suit it.
        #[source]
        cause: Cause,
    },
    /// The engine is not available: no such machine exists, or it cannot be built.
    #[error("{engine}: {cause}")]
    Unavailable {
        /// The engine's name.
        engine: String,
        /// The reason.
        #[source]
        cause: Cause,
    },
    /// The engine broke the contract of [`io`](crate::io).
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// A simulated machine made an error or did not finish.
    #[error("the simulated machine went wrong: {0}")]
    Machine(#[source] Cause),
    /// A device that is not simulated, or the port to it, failed.
    #[error("{0}")]
    Device(#[source] Cause),
}

impl EngineError {
    /// A simulated machine made an error or did not finish.
    #[cold]
    pub fn machine(error: impl Error + Send + Sync + 'static) -> EngineError {
        EngineError::Machine(Cause::new(error))
    }

    /// A device, or the port to it, failed.
    #[cold]
    pub fn device(error: impl Error + Send + Sync + 'static) -> EngineError {
        EngineError::Device(Cause::new(error))
    }

    /// The program, or code made for it, does not suit this engine.
    #[cold]
    pub fn program(engine: &str, error: impl Error + Send + Sync + 'static) -> EngineError {
        EngineError::Program { engine: engine.to_owned(), cause: Cause::new(error) }
    }

    /// The engine is not available.
    #[cold]
    pub fn unavailable(engine: &str, error: impl Error + Send + Sync + 'static) -> EngineError {
        EngineError::Unavailable { engine: engine.to_owned(), cause: Cause::new(error) }
    }

    /// Whether the engine refused the request without a failure. Another engine, program or option
    /// may work.
    pub fn is_refusal(&self) -> bool {
        match self {
            EngineError::Limit { .. }
            | EngineError::TooLong { .. }
            | EngineError::OneCycleOnly { .. }
            | EngineError::Suite { .. }
            | EngineError::Skips { .. }
            | EngineError::Role { .. }
            | EngineError::NoSeed { .. }
            | EngineError::Order { .. }
            | EngineError::Program { .. }
            | EngineError::Unavailable { .. }
            | EngineError::Contract(_) => true,
            EngineError::Io(_)
            | EngineError::Spool(_)
            | EngineError::Machine(_)
            | EngineError::Device(_) => false,
        }
    }
}

/// A breach of the contract of [`io`](crate::io) by an engine, or a call made too early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The engine must request input bits in the program's order of first use.
    #[error("the engine requested input bits out of order")]
    InputOrder,
    /// The engine must request each input bit once.
    #[error("the engine requested more input bits than the program uses")]
    MoreInputs,
    /// Cycles must not overlap.
    #[error("the engine began a cycle before the previous one was over")]
    CycleEarly,
    /// No piece of tables may span two cycles.
    #[error("the engine requested tables of two cycles at once")]
    TablesAcrossCycles,
    /// A per-run output may be given in the last cycle only.
    #[error("the engine gave an output in a cycle that has none")]
    OutputCycle,
    /// The output bit does not exist.
    #[error("the engine gave an output bit that the program does not have")]
    OutputBit,
    /// Every output bit that is a wire must get a label.
    #[error("the engine gave no label for some output bit")]
    OutputMissing,
    /// A run was requested before the program was prepared.
    #[error("the program is not prepared")]
    NotPrepared,
}

/// The error of a machine, a port or a tool, for a person to read. Callers cannot base a decision
/// on it.
///
/// It is made of error types only, never of plain text, and must contain no secret.
///
/// ```compile_fail,E0277
/// halfgate_engine::Cause::new("text");
/// ```
#[derive(Clone)]
pub struct Cause(Arc<dyn Error + Send + Sync>);

impl Cause {
    /// Wraps `error`.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Cause {
        Cause(Arc::new(error))
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Failure of the engine's caller in a method of [`GarblerIo`](crate::GarblerIo) or
/// [`EvaluatorIo`](crate::EvaluatorIo). The engine must stop.
///
/// It does not implement [`Error`], so that every error converts to it with `?`.
#[derive(Clone, Debug, Default)]
pub struct IoError(Option<Cause>);

impl IoError {
    /// For a caller that keeps its own error and returns it when the engine has stopped.
    pub fn kept() -> IoError {
        IoError(None)
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for IoError {
    fn from(error: E) -> IoError {
        IoError(Some(Cause::new(error)))
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(cause) => fmt::Display::fmt(cause, f),
            None => f.write_str("the caller stopped the engine"),
        }
    }
}

/// Formats a limit. Limits of counters are shown as powers of two.
fn counted(most: &u64) -> String {
    match most.checked_add(1) {
        None => "2^64 - 1".to_owned(),
        Some(next) if next.is_power_of_two() && next > 1 << 16 => {
            format!("2^{} - 1", next.trailing_zeros())
        }
        Some(_) => most.to_string(),
    }
}

fn names(suites: &[Suite]) -> String {
    suites.iter().map(|suite| suite.name()).collect::<Vec<_>>().join(" or ")
}

fn only(has: &Party) -> &'static str {
    match has {
        Party::Garbler => "garbles only: choose another to evaluate",
        Party::Evaluator => "evaluates only: choose another to garble",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_model::Resource;

    #[test]
    fn a_limit_states_the_needed_and_the_available_amount() {
        let exceeded = Exceeded { resource: Resource::KernelWords, needed: 300, available: 256 };
        let error = EngineError::Limit { engine: "rtl:toy".to_owned(), exceeded };
        assert!(error.is_refusal());
        let printed = "the netlist needs 300 words of the kernel, 44 more than the 256 that the machine \
                    has";
        assert_eq!(error.to_string(), printed);
        assert_eq!(error.source().unwrap().to_string(), printed);
    }

    #[test]
    fn limits_of_counters_are_powers_of_two() {
        let limits = [0, 1000, 65_535, 65_536, (1 << 31) - 1, (1 << 63) - 1, u64::MAX];
        let printed = ["0", "1000", "65535", "65536", "2^31 - 1", "2^63 - 1", "2^64 - 1"];
        assert_eq!(limits.map(|most| counted(&most)), printed);
    }

    #[test]
    fn a_cause_has_only_the_message_of_its_error() {
        let broken = std::io::Error::other("the disk is full");
        let error = EngineError::machine(broken);
        assert!(!error.is_refusal());
        assert_eq!(error.to_string(), "the simulated machine went wrong: the disk is full");
        let broken = std::io::Error::other("the disk is full");
        let io = EngineError::Io(broken.into());
        assert_eq!(io.to_string(), "the disk is full");
        assert_eq!(EngineError::Io(IoError::kept()).to_string(), "the caller stopped the engine");
    }

    #[test]
    fn engines_name_the_suites_and_the_role_that_they_have() {
        let suites = vec![Suite::HalfGates, Suite::Grr3];
        let engine = || "model:toy".to_owned();
        let error = EngineError::Suite { engine: engine(), suites, suite: Suite::Grr3Sha1 };
        assert_eq!(
            error.to_string(),
            "engine model:toy runs the suite half-gates or grr3 only, not grr3-sha1"
        );
        let error = EngineError::Role { engine: engine(), has: Party::Garbler };
        assert_eq!(error.to_string(), "engine model:toy garbles only: choose another to evaluate");
    }
}
