//! Engines that are FASE machines: `model:fase-N` and `rtl:fase-N[,KEY=VALUE…]`. They garble only.

use crate::error::{Exit, Failure};
use crate::rtl_engine;
use halfgate_engine::fase::{FaseEngine, PaperEngine};
use halfgate_engine::{Engine, EngineError};
use halfgate_machines::fase::code::Size;
use halfgate_machines::fase::{Shape, paper};
use halfgate_machines::haac::machine::Role;
use halfgate_rtl::Aes;
use halfgate_rtl::fase::paper::RtlPaper;
use halfgate_rtl::fase::{Options, RtlFase};
use std::path::Path;

/// What FASE machines' names begin with.
pub const PREFIX: &str = "fase-";

/// How such an engine is written.
pub const FORM: &str = "model:fase-[wide-|paper-]N, rtl:fase-[wide-]N[,aes=rtl|composite|dpi][,build=quick|fast]\
                        [,kernel=WORDS][,bank=LABELS][,inputs=LABELS], rtl:fase-paper-N[,aes=rtl|composite]\
                        [,build=quick|fast][,slots=N][,inputs=LABELS][,outputs=LABELS]";

/// How machines are named.
pub const NAMES: &str =
    "fase-N with 1 to 8 pipelines, fase-wide-N with 1 to 4, or fase-paper-N with 1 to 16";

/// A FASE machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// As published, with so many pipelines.
    Paper(usize),
    /// One that a schedule drives.
    Scheduled(Shape),
}

impl Machine {
    /// The machine of this name.
    ///
    /// # Errors
    /// If there is none.
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

/// The model behind `model:fase-…`.
///
/// # Errors
/// If there is no such machine or kernel, or it is to evaluate.
pub fn model(text: &str, kernel: Option<&str>, roles: &[Role]) -> Result<Box<dyn Engine>, Failure> {
    let unknown = Failure::with(Exit::Unknown);
    let engine: Box<dyn Engine> = match (Machine::named(text)?, kernel) {
        (Machine::Scheduled(shape), None) => Box::new(FaseEngine::new(shape)),
        (Machine::Scheduled(shape), Some(kernel)) => {
            Box::new(FaseEngine::new(shape).with_kernel(kernel).map_err(unknown)?)
        }
        (Machine::Paper(pipelines), None) => Box::new(PaperEngine::new(pipelines)),
        (Machine::Paper(pipelines), Some(kernel)) => {
            Box::new(PaperEngine::new(pipelines).with_kernel(kernel).map_err(unknown)?)
        }
    };
    garbles(&*engine, roles)?;
    Ok(engine)
}

/// The circuit behind `rtl:fase-…`, built; its waveforms go into `trace`.
///
/// # Errors
/// If there is no such machine, a key or value is unknown, it is to evaluate, or cannot be built.
pub fn rtl(text: &str, roles: &[Role], trace: Option<&Path>) -> Result<Box<dyn Engine>, Failure> {
    let mut parts = text.split(',');
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
            let options = options((text, FORM), &rest, keys)?;
            let options = Options { size: Some(size), ..options.with(trace) };
            let engine = RtlFase::new(shape, options);
            garbles(&engine, roles)?;
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
            let options = options((text, FORM), &rest, keys)?;
            let options = Options { size: Some(size), ..options.with(trace) };
            let engine = RtlPaper::new(pipelines, options);
            garbles(&engine, roles)?;
            building(&engine, || engine.is_built(), || engine.build().map(drop))?;
            Ok(Box::new(engine))
        }
    }
}

/// How a machine is built, of any kind.
pub(crate) struct Chosen {
    pub aes: Aes,
    pub fast: bool,
}

impl Chosen {
    pub(crate) fn with<S>(self, trace: Option<&Path>) -> Options<S> {
        let waveforms = trace.map(Path::to_owned);
        Options { aes: self.aes, fast: self.fast, waveforms, ..Options::default() }
    }
}

/// What follows a machine's name, of the kind that is written as `form` says; sizes go where `keys` says.
pub(crate) fn options<const N: usize>(
    (text, form): (&str, &str),
    parts: &[&str],
    mut keys: [(&str, &mut [&mut u32]); N],
) -> Result<Chosen, Failure> {
    let mut chosen = Chosen { aes: Aes::default(), fast: false };
    for part in parts {
        let wrong = || {
            let what =
                format!("engine rtl:{text}: {part:?} is not what may follow, which is {form}");
            Failure::new(Exit::Unknown, what)
        };
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        match (key, value) {
            ("aes", name) => chosen.aes = name.parse::<Aes>().map_err(|_| wrong())?,
            ("build", "quick") => chosen.fast = false,
            ("build", "fast") => chosen.fast = true,
            (key, value) => {
                let found = keys.iter_mut().find(|(name, _)| *name == key);
                let (_, sizes) = found.ok_or_else(wrong)?;
                let value = value.parse::<u32>().map_err(|_| wrong())?;
                sizes.iter_mut().for_each(|size| **size = value);
            }
        }
    }
    Ok(chosen)
}

fn building(
    engine: &dyn Engine,
    is_built: impl Fn() -> Result<bool, EngineError>,
    build: impl Fn() -> Result<(), EngineError>,
) -> Result<(), Failure> {
    rtl_engine::building(&engine.name(), "garbler", is_built, build).map(drop)
}

/// Refuses an engine that garbles only to who evaluates.
pub(crate) fn garbles(engine: &dyn Engine, roles: &[Role]) -> Result<(), Failure> {
    if roles.contains(&Role::Evaluator) {
        let what = format!(
            "engine {} garbles only: name it with --garbler-engine, or choose another to evaluate",
            engine.name()
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
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
