//! Engines that are simulated circuits: `rtl:MACHINE[,KEY=VALUE…]`.

use crate::error::{Exit, Failure};
use crate::machine_engine::{self, Asked};
use crate::print;
use crate::progress::Stage;
use halfgate_engine::{Engine, EngineError};
use halfgate_machines::haac::machine::{Machine, Role};
use halfgate_rtl::haac::{Options, RtlEngine};
use halfgate_rtl::{Aes, Toolchain};
use std::path::Path;
use std::time::{Duration, Instant};

/// What stands before a machine's name.
pub const PREFIX: &str = "rtl:";

/// How such an engine is written.
pub const FORM: &str = "rtl:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64]\
                        [,aes=rtl|composite|dpi][,build=quick|fast][,lowering=best|paper]";

/// The engine behind `rtl:`, built for the roles that it will have; its waveforms go into `trace`.
///
/// # Errors
/// If there is no such machine, its description makes no sense, a key or value is unknown, or it
/// cannot be built.
pub fn engine(text: &str, roles: &[Role], trace: Option<&Path>) -> Result<RtlEngine, Failure> {
    let mut options = Options { waveforms: trace.map(Path::to_owned), ..Options::default() };
    let own = |key: &str, value: &str| {
        match (key, value) {
            ("aes", name) => match name.parse::<Aes>() {
                Ok(aes) => options.aes = aes,
                Err(_) => return false,
            },
            ("build", "quick") => options.fast = false,
            ("build", "fast") => options.fast = true,
            _ => return false,
        }
        true
    };
    let Asked { machine, lowering } = machine_engine::asked(text, (PREFIX, FORM), own)?;
    let engine = RtlEngine::new(machine, options).with_lowering(lowering);
    roles.iter().try_for_each(|role| build(&engine, *role).map(|_| ()))?;
    Ok(engine)
}

/// Builds the machine of a role, unless it is in the cache; how long that took, if it was done.
///
/// # Errors
/// If that cannot be done; the message says what is missing.
pub fn build(engine: &RtlEngine, role: Role) -> Result<Option<Duration>, Failure> {
    let part = match role {
        Role::Garbler => "garbler",
        Role::Evaluator => "evaluator",
    };
    building(&engine.name(), part, || engine.is_built(role), || engine.build(role).map(drop))
}

/// Builds a machine by `build`, which says so, unless it is in the cache; how long that took, if it was done.
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

/// The engine for a machine that was chosen by options.
pub fn of(machine: Machine, options: Options) -> RtlEngine {
    RtlEngine::new(machine, options)
}

/// Whether machines can be built here, in words, and if so the name of what builds them.
pub fn builder() -> Result<String, String> {
    Toolchain::from_environment().version().map_err(|error| error.to_string())
}

/// Why a machine cannot be had.
pub fn failure(error: EngineError) -> Failure {
    let exit = match &error {
        EngineError::Unsupported(_) => Exit::Unknown,
        _ => Exit::Local,
    };
    let hint = " (`make rtl` builds the named machines)";
    let hint = if exit == Exit::Unknown { hint } else { "" };
    Failure::new(exit, format!("{error}{hint}"))
}
