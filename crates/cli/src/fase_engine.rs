//! Engines that are FASE machines: `model:fase-N` and `rtl:fase-N[,KEY=VALUE…]`. They garble only.

use crate::error::{Exit, Failure};
use crate::rtl_engine;
use halfgate_engine::Engine;
use halfgate_engine::fase::FaseEngine;
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::code::Size;
use halfgate_machines::haac::machine::Role;
use halfgate_rtl::Aes;
use halfgate_rtl::fase::{Options, RtlFase};
use std::path::Path;

/// What FASE machines' names begin with.
pub const PREFIX: &str = "fase-";

/// How such an engine is written.
pub const FORM: &str = "model:fase-[wide-]N, rtl:fase-[wide-]N[,aes=rtl|composite|dpi][,build=quick|fast][,kernel=WORDS]\
                        [,bank=LABELS][,inputs=LABELS]";

/// The model behind `model:fase-…`.
///
/// # Errors
/// If there is no such machine or kernel, or it is to evaluate.
pub fn model(text: &str, kernel: Option<&str>, roles: &[Role]) -> Result<FaseEngine, Failure> {
    let engine = FaseEngine::new(shape(text, text)?);
    garbles(&engine, roles)?;
    match kernel {
        Some(name) => engine.with_kernel(name).map_err(Failure::with(Exit::Unknown)),
        None => Ok(engine),
    }
}

/// The circuit behind `rtl:fase-…`, built; its waveforms go into `trace`.
///
/// # Errors
/// If there is no such machine, a key or value is unknown, it is to evaluate, or cannot be built.
pub fn rtl(text: &str, roles: &[Role], trace: Option<&Path>) -> Result<RtlFase, Failure> {
    let mut parts = text.split(',');
    let shape = shape(parts.next().unwrap_or_default(), text)?;
    let mut size = Size::published(shape);
    let mut options = Options { waveforms: trace.map(Path::to_owned), ..Options::default() };
    for part in parts {
        let wrong = || {
            let what =
                format!("engine rtl:{text}: {part:?} is not what may follow, which is {FORM}");
            Failure::new(Exit::Unknown, what)
        };
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        let number = || value.parse::<u32>().map_err(|_| wrong());
        match (key, value) {
            ("aes", name) => options.aes = name.parse::<Aes>().map_err(|_| wrong())?,
            ("build", "quick") => options.fast = false,
            ("build", "fast") => options.fast = true,
            ("kernel", _) => size.kernel = number()?,
            ("bank", _) => size.bank = number()?,
            ("inputs", _) => {
                size.inputs = number()?;
                size.initials = number()?;
            }
            _ => return Err(wrong()),
        }
    }
    options.size = Some(size);
    let engine = RtlFase::new(shape, options);
    garbles(&engine, roles)?;
    rtl_engine::building(
        &engine.name(),
        "garbler",
        || engine.is_built(),
        || engine.build().map(drop),
    )?;
    Ok(engine)
}

fn shape(name: &str, text: &str) -> Result<Shape, Failure> {
    Shape::named(name).ok_or_else(|| {
        let what =
            format!("there is no machine {name:?} ({text:?} was asked for): there is {FORM}");
        Failure::new(Exit::Unknown, what)
    })
}

fn garbles(engine: &dyn Engine, roles: &[Role]) -> Result<(), Failure> {
    if roles.contains(&Role::Evaluator) {
        let what = format!(
            "engine {} garbles only: name it with --garbler-engine, or choose another to evaluate",
            engine.name()
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}
