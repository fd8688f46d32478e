//! Engines that garble and evaluate programs: the trait, the CPU engine, and the tests that every
//! engine must pass.
//!
//! An [`Engine`] lowers a program to its own code. The result, [`Prepared`], garbles or evaluates
//! the program any number of times. Labels come in and tables go out through [`GarblerIo`] and
//! [`EvaluatorIo`], piece by piece. So an engine holds the labels alive at once and nothing that
//! grows with the gates. The caller behind these traits may use a socket, a file, a ring in memory
//! or a test.

pub mod authenticated;
mod checked;
pub mod conformance;
pub mod cpu;
mod error;
mod evaluates_only;
pub mod io;
mod seed;
pub mod testing;
pub mod vectors;

pub use authenticated::{Authenticated, AuthenticatedIo};
pub use checked::{check_length, checked};
pub use error::{Cause, ContractError, EngineError, IoError};
pub use evaluates_only::EvaluatesOnly;
pub use halfgate_kernels::choose as kernels;
pub use halfgate_kernels::wipe;
pub use halfgate_kernels::{Delta, Label, LabelMemory, Strength, Suite};
pub use halfgate_model::{Exceeded, Resource, Traffic};
pub use io::{Counters, EvaluatorIo, GarblerIo, Garbling, RunKey};
pub use seed::LabelSeed;

use halfgate_compiler::{Program, StructuredProgram};

/// A machine that can garble and evaluate.
pub trait Engine: Send + Sync {
    /// The name by which a user selects the engine, and the kernel or option in use: `cpu
    /// (vaes512)`.
    fn name(&self) -> String;

    /// Lowers `program` for this engine.
    ///
    /// # Errors
    /// If the program is too large for the engine, or a temporary file for its code cannot be
    /// written.
    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        match &program.structure {
            Some(structured) => self.prepare_structured(structured),
            None => self.prepare_flat(program),
        }
    }

    /// Lowers a program without functions. Callers use [`prepare`](Engine::prepare).
    ///
    /// # Errors
    /// As for [`prepare`](Engine::prepare).
    fn prepare_flat<'p>(&self, program: &'p Program)
    -> Result<Box<dyn Prepared + 'p>, EngineError>;

    /// Lowers a structured program. Engines that run no functions flatten it.
    ///
    /// # Errors
    /// As for [`prepare`](Engine::prepare), and if the flattening has too many wires.
    fn prepare_structured<'p>(
        &self,
        program: &'p StructuredProgram,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let flat = program.flat().map_err(|error| EngineError::program(&self.name(), error))?;
        self.prepare_flat(flat)
    }

    /// Whether it runs functions as such. It then requests inputs when the first gate that reads
    /// them is due, and gives outputs as soon as they are there: see [`io`].
    fn runs_functions(&self) -> bool {
        false
    }

    /// Whether it runs programs that [skip](halfgate_compiler::skip).
    fn skips(&self) -> bool {
        false
    }

    /// Whether it makes input labels itself, and so calls [`GarblerIo::label_seed`] when it
    /// garbles.
    fn makes_labels(&self) -> bool {
        false
    }

    /// The time that a simulated machine would have taken for all runs so far; `None` if the engine
    /// is not a simulation.
    fn simulated(&self) -> Option<Simulated> {
        None
    }

    /// The traffic on the link to a device in all runs so far; `None` if there is no link.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}

/// Work of a simulated machine, in its own time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Clock cycles of the machine, over all launches.
    pub clock_cycles: u64,
    /// Number of launches of the body.
    pub launches: u64,
    /// The machine's clock frequency, in MHz; 0 before the first launch.
    pub mhz: f64,
}

impl Simulated {
    /// The machine's time in seconds.
    pub fn seconds(&self) -> f64 {
        self.clock_cycles as f64 / (self.mhz.max(1.0) * 1e6)
    }
}

/// A program ready to run on one engine.
pub trait Prepared: Send {
    /// Garbles `cycles` cycles of the body under `delta`.
    ///
    /// # Errors
    /// Those of `io`, unchanged, as [`EngineError::Io`].
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError>;

    /// Garbles `cycles` cycles of the body once for each of `garblings`, with the same result as
    /// one after another. An engine may garble them in one pass over its code, so their inputs,
    /// tables and outputs may alternate, and on several threads.
    ///
    /// # Errors
    /// As for [`garble`](Prepared::garble), for any of them; the others are then unfinished.
    fn garble_together(
        &mut self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        for Garbling { key, delta, io } in garblings {
            self.garble(*key, delta, cycles, &mut **io)?;
        }
        Ok(())
    }

    /// How many garblings [`garble_together`](Prepared::garble_together) should get at a time: more
    /// take more memory and are no faster.
    fn most_together(&self) -> usize {
        1
    }

    /// The program's [walks](authenticated) for authenticated runs. `None` if the engine has none.
    fn authenticated(&self) -> Option<&dyn Authenticated> {
        None
    }

    /// Evaluates `cycles` cycles of the body.
    ///
    /// # Errors
    /// Those of `io`, unchanged, as [`EngineError::Io`].
    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError>;
}
