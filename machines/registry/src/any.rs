//! All engines, by name: that on this processor, and those of the machines.

use crate::{MACHINES, machines_engine, no_waveforms};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::Engine;
use halfgate_engine::cpu::{CpuEngine, Threads};
use std::num::NonZeroUsize;
use std::path::Path;

/// The engine on this processor, with its description.
pub const CPU: (&str, &str) = ("cpu", "this processor");

/// How a party uses the processor.
#[derive(Clone, Copy, Default)]
pub struct OnCpu<'a> {
    /// The kernel; the best one if it is `None`.
    pub kernel: Option<&'a str>,
    /// The threads; all cores if it is `None`.
    pub threads: Option<NonZeroUsize>,
    /// Whether the other party runs on this computer too. Then half of the cores are the default.
    pub is_shared: bool,
}

/// Creates the engine called `name`, for one party or both. Waveforms are written to `trace`, which
/// only simulated circuits support.
///
/// # Errors
/// If the engine is unknown, cannot be built, or has no waveforms or threads; or if the processor
/// cannot run the kernel.
pub fn engine(
    name: &str,
    on: OnCpu<'_>,
    roles: &[Party],
    trace: Option<&Path>,
) -> Result<Box<dyn Engine>, Failure> {
    if name == CPU.0 {
        if trace.is_some() {
            return Err(no_waveforms(name));
        }
        let threads = Threads::for_parties(on.threads, if on.is_shared { 2 } else { 1 });
        let engine = CpuEngine::new(on.kernel).map_err(Failure::with(Exit::Unknown))?;
        return Ok(Box::new(engine.with_threads(threads)));
    }
    if on.threads.is_some_and(|threads| threads.get() > 1) {
        let what = format!("--threads is for the engine {}: engine {name} has none", CPU.0);
        return Err(Failure::new(Exit::Usage, what));
    }
    machines_engine(name, on.kernel, roles, trace).unwrap_or_else(|| {
        let forms = MACHINES.iter().flat_map(|machine| machine.engines());
        let forms: Vec<_> = forms.map(|engine| engine.form).collect();
        let what = format!("unknown engine {name:?}: there is {}; {}", CPU.0, forms.join("; "));
        Err(Failure::new(Exit::Unknown, what))
    })
}
