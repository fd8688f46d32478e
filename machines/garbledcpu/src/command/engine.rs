//! The engines of GarbledCPU's evaluators: `model:garbledcpu-N` and
//! `rtl:garbledcpu-N[,KEY=VALUE…]`. They evaluate only.

use crate::engine::GarbledCpuEngine;
use crate::rtl::{Options, RtlGarbledCpu};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, Resource};
use halfgate_garbledcpu_model::Machine;
use halfgate_garbledcpu_model::encode::Size;
use halfgate_machine::rtl::text;
use halfgate_machine::{EngineForm, Kind, SizeOption, building, evaluates_only};
use std::path::Path;

/// The forms of the engine names.
pub const FORMS: [EngineForm; 2] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:garbledcpu-[short-]N, model:garbledcpu-paper, model:garbledcpu-folded",
        about: "an evaluator of sequential circuits, such as processors, as a model; N is 1 to 4 pipelines; short \
                ones have twelve stages for twenty-one; paper has one, and steps that do not overlap; folded a \
                round of AES a clock",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:garbledcpu-[short-]N, rtl:garbledcpu-paper, rtl:garbledcpu-folded[,aes=rtl|composite|dpi]\
               [,build=quick|fast][,gates=WORDS][,bank=LABELS][,inputs=LABELS]",
        about: "the same in SystemVerilog",
    },
];

/// The names of machines, for messages.
pub const NAMES: &str = "garbledcpu-N and garbledcpu-short-N with 1 to 4 pipelines, garbledcpu-paper, garbledcpu-folded";

/// Returns the machine with this name.
///
/// # Errors
/// If no machine has this name.
pub fn named(name: &str) -> Result<Machine, Failure> {
    Machine::named(name).ok_or_else(|| {
        Failure::new(Exit::Unknown, format!("there is no machine {name:?}: there are {NAMES}"))
    })
}

/// Makes the engine `model:garbledcpu-…`.
///
/// # Errors
/// If there is no such machine or kernel, or a garbler is requested.
pub fn model(
    requested: &str,
    kernel: Option<&str>,
    roles: &[Party],
) -> Result<Box<dyn Engine>, Failure> {
    let engine = GarbledCpuEngine::new(named(requested)?);
    let engine = match kernel {
        None => engine,
        Some(kernel) => engine.with_kernel(kernel).map_err(Failure::with(Exit::Unknown))?,
    };
    evaluates_only(&engine.name(), roles)?;
    Ok(Box::new(engine))
}

/// Makes the engine `rtl:garbledcpu-…`, and builds it. Waveforms are written to `trace`.
///
/// # Errors
/// If there is no such machine, if a key or value is unknown, if a garbler is requested, or if the
/// machine cannot be built.
pub fn rtl(
    requested: &str,
    roles: &[Party],
    trace: Option<&Path>,
) -> Result<Box<dyn Engine>, Failure> {
    let mut parts = requested.split(',');
    let machine = named(parts.next().unwrap_or_default())?;
    let rest: Vec<&str> = parts.collect();
    let mut size = Size::USUAL;
    let keys: [(&str, &mut [&mut u32]); 3] = [
        ("gates", &mut [&mut size.gates]),
        ("bank", &mut [&mut size.bank]),
        ("inputs", &mut [&mut size.inputs]),
    ];
    let options = text::options((requested, FORMS[1].form), &rest, keys)?;
    let options = Options { size: Some(size), ..options.with(trace) };
    let engine = RtlGarbledCpu::new(machine, options);
    evaluates_only(&engine.name(), roles)?;
    building::building(
        &engine.name(),
        "evaluator",
        || engine.is_built(),
        || engine.build().map(drop),
    )?;
    Ok(Box::new(engine))
}

/// The option of the engine `engine`, such as `rtl:garbledcpu-2`, that sets the capacity of
/// `resource`.
pub fn size_option(engine: &str, resource: Resource) -> Option<SizeOption> {
    Machine::named(engine.strip_prefix("rtl:")?)?;
    let (key, most) = match resource {
        Resource::GateWords => ("gates", Size::MOST.gates),
        Resource::BankWords { .. } => ("bank", Size::MOST.bank),
        Resource::InputWords => ("inputs", Size::MOST.inputs),
        _ => return None,
    };
    Some(SizeOption { key, most: most.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_garbledcpu_model::Form;

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
