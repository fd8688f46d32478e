//! Engines that are GarbledCPU's evaluators: `model:garbledcpu-N` and `rtl:garbledcpu-N[,KEY=VALUE…]`. They evaluate
//! only.

use crate::error::{Exit, Failure};
use crate::{fase_engine, rtl_engine};
use halfgate_engine::Engine;
use halfgate_engine::garbledcpu::GarbledCpuEngine;
use halfgate_machines::garbledcpu::Machine;
use halfgate_machines::garbledcpu::encode::Size;
use halfgate_machines::haac::machine::Role;
use halfgate_rtl::garbledcpu::{Options, RtlGarbledCpu};
use std::path::Path;

/// What the machines' names begin with.
pub const PREFIX: &str = "garbledcpu-";

/// How such an engine is written.
pub const FORM: &str = "model:garbledcpu-[short-]N, model:garbledcpu-paper, model:garbledcpu-folded, \
                        rtl:(the same)[,aes=rtl|composite|dpi][,build=quick|fast][,gates=WORDS][,bank=LABELS]\
                        [,inputs=LABELS]";

/// How machines are named.
pub const NAMES: &str = "garbledcpu-N and garbledcpu-short-N with 1 to 4 pipelines, garbledcpu-paper, garbledcpu-folded";

/// The machine of this name.
///
/// # Errors
/// If there is none.
pub fn named(name: &str) -> Result<Machine, Failure> {
    Machine::named(name).ok_or_else(|| {
        Failure::new(Exit::Unknown, format!("there is no machine {name:?}: there are {NAMES}"))
    })
}

/// The model behind `model:garbledcpu-…`.
///
/// # Errors
/// If there is no such machine or kernel, or it is to garble.
pub fn model(text: &str, kernel: Option<&str>, roles: &[Role]) -> Result<Box<dyn Engine>, Failure> {
    let engine = GarbledCpuEngine::new(named(text)?);
    let engine = match kernel {
        None => engine,
        Some(kernel) => engine.with_kernel(kernel).map_err(Failure::with(Exit::Unknown))?,
    };
    evaluates(&engine, roles)?;
    Ok(Box::new(engine))
}

/// The circuit behind `rtl:garbledcpu-…`, built; its waveforms go into `trace`.
///
/// # Errors
/// If there is no such machine, a key or value is unknown, it is to garble, or cannot be built.
pub fn rtl(text: &str, roles: &[Role], trace: Option<&Path>) -> Result<Box<dyn Engine>, Failure> {
    let mut parts = text.split(',');
    let machine = named(parts.next().unwrap_or_default())?;
    let rest: Vec<&str> = parts.collect();
    let mut size = Size::USUAL;
    let keys: [(&str, &mut [&mut u32]); 3] = [
        ("gates", &mut [&mut size.gates]),
        ("bank", &mut [&mut size.bank]),
        ("inputs", &mut [&mut size.inputs]),
    ];
    let options = fase_engine::options((text, FORM), &rest, keys)?;
    let options = Options { size: Some(size), ..options.with(trace) };
    let engine = RtlGarbledCpu::new(machine, options);
    evaluates(&engine, roles)?;
    rtl_engine::building(
        &engine.name(),
        "evaluator",
        || engine.is_built(),
        || engine.build().map(drop),
    )?;
    Ok(Box::new(engine))
}

fn evaluates(engine: &dyn Engine, roles: &[Role]) -> Result<(), Failure> {
    if roles.contains(&Role::Garbler) {
        let what = format!(
            "engine {} evaluates only: name it with --evaluator-engine, or choose another to garble",
            engine.name()
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_machines::garbledcpu::Form;

    #[test]
    fn machines_have_one_name_each() {
        let found = named("garbledcpu-short-4").unwrap();
        assert_eq!(found, Machine { pipelines: 4, form: Form::Short });
        for name in ["garbledcpu-1", "garbledcpu-paper", "garbledcpu-folded", "garbledcpu-short-1"]
        {
            assert_eq!(named(name).unwrap().name(), name);
        }
        for name in
            ["garbledcpu-", "garbledcpu-0", "garbledcpu-5", "garbledcpu-01", "garbledcpu-paper-2"]
        {
            assert!(named(name).is_err(), "{name}");
        }
    }
}
