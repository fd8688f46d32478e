//! The engines of FASE machines: `model:fase-N` and `rtl:fase-N[,KEY=VALUE…]`. They garble only.

use crate::engine::{FaseEngine, PaperEngine};
use crate::rtl::paper::RtlPaper;
use crate::rtl::{Options, RtlFase};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, EngineError, Resource};
use halfgate_fase_model::code::Size;
use halfgate_fase_model::{Shape, paper};
use halfgate_machine::rtl::text;
use halfgate_machine::{EngineForm, Kind, SizeOption, building, garbles_only};
use std::path::Path;

/// The forms of the engine names.
pub const FORMS: [EngineForm; 2] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:fase-[wide-|paper-]N",
        about: "a garbler of sequential circuits, as a model; N is 1 to 8 pipelines; wide, 1 to 4, takes two XORs \
                beside each AND",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:fase-[wide-]N[,aes=rtl|composite|dpi][,build=quick|fast][,kernel=WORDS][,bank=LABELS]\
               [,inputs=LABELS], rtl:fase-paper-N[,aes=rtl|composite][,build=quick|fast][,slots=N]\
               [,inputs=LABELS][,outputs=LABELS]",
        about: "the same in SystemVerilog",
    },
];

/// The names of machines, for messages.
pub const NAMES: &str =
    "fase-N with 1 to 8 pipelines, fase-wide-N with 1 to 4, or fase-paper-N with 1 to 16";

/// A FASE machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// The published machine with this number of pipelines.
    Paper(usize),
    /// A scheduled machine.
    Scheduled(Shape),
}

impl Machine {
    /// Returns the machine of this name.
    ///
    /// # Errors
    /// If no machine has this name.
    pub fn named(name: &str) -> Result<Machine, Failure> {
        let paper = || {
            let pipelines = name.strip_prefix("fase-paper-")?.parse().ok()?;
            (1..=16).contains(&pipelines).then_some(Machine::Paper(pipelines))
        };
        let found = Shape::named(name).map(Machine::Scheduled).or_else(paper);
        found.ok_or_else(|| {
            Failure::new(Exit::Unknown, format!("there is no machine {name:?}: there are {NAMES}"))
        })
    }
}

/// Makes the engine `model:fase-…`.
///
/// # Errors
/// If there is no such machine or kernel, or an evaluator is requested.
pub fn model(
    requested: &str,
    kernel: Option<&str>,
    roles: &[Party],
) -> Result<Box<dyn Engine>, Failure> {
    let unknown = Failure::with(Exit::Unknown);
    let engine: Box<dyn Engine> = match (Machine::named(requested)?, kernel) {
        (Machine::Scheduled(shape), None) => Box::new(FaseEngine::new(shape)),
        (Machine::Scheduled(shape), Some(kernel)) => {
            Box::new(FaseEngine::new(shape).with_kernel(kernel).map_err(unknown)?)
        }
        (Machine::Paper(pipelines), None) => Box::new(PaperEngine::new(pipelines)),
        (Machine::Paper(pipelines), Some(kernel)) => {
            Box::new(PaperEngine::new(pipelines).with_kernel(kernel).map_err(unknown)?)
        }
    };
    garbles_only(&engine.name(), roles)?;
    Ok(engine)
}

/// Makes the engine `rtl:fase-…`, and builds it. Waveforms are written to `trace`.
///
/// # Errors
/// If there is no such machine, if a key or value is unknown, if an evaluator is requested, or if
/// the machine cannot be built.
pub fn rtl(
    requested: &str,
    roles: &[Party],
    trace: Option<&Path>,
) -> Result<Box<dyn Engine>, Failure> {
    let mut parts = requested.split(',');
    let machine = Machine::named(parts.next().unwrap_or_default())?;
    let rest: Vec<&str> = parts.collect();
    match machine {
        Machine::Scheduled(shape) => {
            let mut size = Size::published(shape);
            let keys: [(&str, &mut [&mut u32]); 3] = [
                ("kernel", &mut [&mut size.kernel]),
                ("bank", &mut [&mut size.bank]),
                ("inputs", &mut [&mut size.inputs, &mut size.initials]),
            ];
            let options = text::options((requested, FORMS[1].form), &rest, keys)?;
            let options = Options { size: Some(size), ..options.with(trace) };
            let engine = RtlFase::new(shape, options);
            garbles_only(&engine.name(), roles)?;
            building(&engine, || engine.is_built(), || engine.build().map(drop))?;
            Ok(Box::new(engine))
        }
        Machine::Paper(pipelines) => {
            let mut size = paper::Size::PUBLISHED;
            let keys: [(&str, &mut [&mut u32]); 3] = [
                ("slots", &mut [&mut size.slots]),
                ("inputs", &mut [&mut size.inputs]),
                ("outputs", &mut [&mut size.outputs]),
            ];
            let options = text::options((requested, FORMS[1].form), &rest, keys)?;
            let options = Options { size: Some(size), ..options.with(trace) };
            let engine = RtlPaper::new(pipelines, options);
            garbles_only(&engine.name(), roles)?;
            building(&engine, || engine.is_built(), || engine.build().map(drop))?;
            Ok(Box::new(engine))
        }
    }
}

/// The option of the engine `engine`, such as `rtl:fase-2`, that sets the capacity of `resource`.
pub fn size_option(engine: &str, resource: Resource) -> Option<SizeOption> {
    let machine = Machine::named(engine.strip_prefix("rtl:")?).ok()?;
    let (most, published) = (Size::MOST, paper::Size::MOST);
    let (key, most) = match (machine, resource) {
        (Machine::Scheduled(_), Resource::KernelWords) => ("kernel", most.kernel),
        (Machine::Scheduled(_), Resource::BankWords { .. }) => ("bank", most.bank),
        (Machine::Scheduled(_), Resource::InputWords) => ("inputs", most.inputs),
        (Machine::Scheduled(_), Resource::InitialLabels) => ("inputs", most.initials),
        (Machine::Paper(_), Resource::Slots) => ("slots", published.slots),
        (Machine::Paper(_), Resource::InputWords) => ("inputs", published.inputs),
        (Machine::Paper(_), Resource::OutputLabels) => ("outputs", published.outputs),
        _ => return None,
    };
    Some(SizeOption { key, most: most.into() })
}

fn building(
    engine: &dyn Engine,
    is_built: impl Fn() -> Result<bool, EngineError>,
    build: impl Fn() -> Result<(), EngineError>,
) -> Result<(), Failure> {
    building::building(&engine.name(), "garbler", is_built, build).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_names() {
        let named = Machine::named;
        assert_eq!(named("fase-2").unwrap(), Machine::Scheduled(Shape::best(2)));
        assert_eq!(named("fase-wide-4").unwrap(), Machine::Scheduled(Shape::wide(4)));
        assert_eq!(named("fase-paper-1").unwrap(), Machine::Paper(1));
        for wrong in [
            "fase-",
            "fase-0",
            "fase-9",
            "fase-wide-5",
            "fase-wide",
            "fase-best-2",
            "fase-2x",
            "fase-paper-17",
        ] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
