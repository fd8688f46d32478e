//! Builds a design before it runs, and reports the build, since a first build takes minutes.

use crate::{Machine, advice};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_engine::EngineError;
use halfgate_verilated::{Folders, Toolchain};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Builds a machine with `build` and reports the build, unless the machine is in the cache. Returns
/// the build time, or `None` for a cached machine.
///
/// # Errors
/// If the check or the build fails.
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

/// The name of the tool that builds machines; if there is none here, the reason.
pub fn builder() -> Result<String, String> {
    Toolchain::from_environment().version().map_err(|error| error.to_string())
}

/// The folders with the SystemVerilog of machines.
pub fn sources() -> Result<Vec<PathBuf>, String> {
    Folders::find().map(|found| found.sources).map_err(|error| error.to_string())
}

/// Converts the error of an unavailable machine.
pub fn failure(error: EngineError) -> Failure {
    let exit = if error.is_refusal() { Exit::Unknown } else { Exit::Local };
    let hint = " (`make setup` installs Verilator)";
    // The hint helps only if Verilator is missing.
    let helps = matches!(error, EngineError::Unavailable { .. }) && builder().is_err();
    Failure::new(exit, format!("{error}{}", if helps { hint } else { "" }))
}

/// Like [`failure`], and adds the option of the machine's engine that would help.
pub fn advised_failure(machine: &dyn Machine) -> impl Fn(EngineError) -> Failure {
    move |error| {
        let advice = advice(Some(machine), &error);
        failure(error).with_advice(advice)
    }
}
