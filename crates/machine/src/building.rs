//! Building a design before it runs, and saying so: it takes minutes, once.

use crate::{Machine, advice};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_engine::EngineError;
use halfgate_verilated::{Folders, Toolchain};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Builds a machine by `build`, which says so, unless it is in the cache; how long that took, if it
/// was done.
///
/// # Errors
/// If that cannot be done.
pub fn building(
    name: &str,
    part: &str,
    is_built: impl Fn() -> Result<bool, EngineError>,
    build: impl Fn() -> Result<(), EngineError>,
) -> Result<Option<Duration>, Failure> {
    let start = Instant::now();
    let what = format!("building the {part} of {name}; this takes minutes, once");
    let cached = is_built().map_err(failure)?;
    let stage = Stage::begin(&what);
    if !cached {
        print::note(&what);
    }
    build().map_err(failure)?;
    drop(stage);
    if cached {
        return Ok(None);
    }
    let took = start.elapsed();
    print::note(&format!("built in {}", print::seconds(took.as_secs_f64())));
    Ok(Some(took))
}

/// Whether machines can be built here, in words, and if so the name of what builds them.
pub fn builder() -> Result<String, String> {
    Toolchain::from_environment().version().map_err(|error| error.to_string())
}

/// Where the SystemVerilog of machines is.
pub fn sources() -> Result<Vec<PathBuf>, String> {
    Folders::find().map(|found| found.sources).map_err(|error| error.to_string())
}

/// Why a machine cannot be had.
pub fn failure(error: EngineError) -> Failure {
    let exit = if error.is_refusal() { Exit::Unknown } else { Exit::Local };
    let hint = " (`make setup` installs Verilator)";
    // It helps only where Verilator is what is missing.
    let helps = matches!(error, EngineError::Unavailable { .. }) && builder().is_err();
    Failure::new(exit, format!("{error}{}", if helps { hint } else { "" }))
}

/// The same, with the option of the machine's engine that would help.
pub fn advised_failure(machine: &dyn Machine) -> impl Fn(EngineError) -> Failure {
    move |error| {
        let advice = advice(Some(machine), &error);
        failure(error).with_advice(advice)
    }
}
