//! Engines that are simulated hardware: `rtl:MACHINE[,KEY=VALUE…]`.

use super::model::{self, FORMS, Requested};
use crate::rtl::{Options, RtlEngine};
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_engine::Engine;
use halfgate_machine::building::building;
use halfgate_verilated::{Aes, Effort};
use std::path::Path;
use std::time::Duration;

/// The engine of the form `rtl:`, built for `roles`. Its waveforms go into the file `trace`.
///
/// # Errors
/// If there is no such machine, its description is invalid, a key or value is unknown, or the
/// machine cannot be built.
pub fn engine(text: &str, roles: &[Party], trace: Option<&Path>) -> Result<RtlEngine, Failure> {
    let mut options = Options { waveforms: trace.map(Path::to_owned), ..Options::default() };
    let own = |key: &str, value: &str| {
        match (key, value) {
            ("aes", name) => match name.parse::<Aes>() {
                Ok(aes) => options.aes = aes,
                Err(_) => return false,
            },
            ("build", "quick") => options.effort = Effort::Middle,
            ("build", "fast") => options.effort = Effort::High,
            _ => return false,
        }
        true
    };
    let Requested { mut machine, lowering, dram } = model::requested(text, &FORMS[1], own)?;
    if let Some(dram) = dram {
        dram.check_hardware()?;
        machine = dram.attach(machine);
        options.dram = Some(dram.configuration);
    }
    let engine = RtlEngine::new(machine, options).with_lowering(lowering);
    roles.iter().try_for_each(|role| build(&engine, *role).map(|_| ()))?;
    Ok(engine)
}

/// Builds the machine of a role unless it is in the cache. Returns the build time, if it was built.
///
/// # Errors
/// If it cannot be built; the message names the missing tool.
pub fn build(engine: &RtlEngine, role: Party) -> Result<Option<Duration>, Failure> {
    let part = match role {
        Party::Garbler => "garbler",
        Party::Evaluator => "evaluator",
    };
    building(&engine.name(), part, || engine.is_built(role), || engine.build(role).map(drop))
}
