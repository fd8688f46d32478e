//! Engines that are the mobile coprocessor behind a link: `model:mobile` and `rtl:mobile[,KEY=VALUE…]`; and its wide core, which no link
//! keeps waiting: `model:mobile-wide` and `rtl:mobile-wide`. They evaluate only.

use crate::error::{Exit, Failure};
use crate::rtl_engine;
use halfgate_engine::mobile::engine::MHZ;
use halfgate_engine::mobile::{Link, MobileEngine, WideEngine};
use halfgate_engine::{Engine, EngineError, kernels};
use halfgate_machines::haac::machine::Role;
use halfgate_machines::mobile::model::Form;
use halfgate_rtl::mobile::{Options, RtlMobile, WideOptions};
use std::path::Path;

/// The machine's name, and that of the one with the wide core.
pub const NAME: &str = "mobile";
const WIDE: &str = "mobile-wide";

/// How such an engine is written.
pub const FORM: &str = "model:mobile[,aes=half|round][,link=spi|uart3|uart12], model:mobile-wide[,units=1…8], rtl:(the same)[,build=quick|fast]";

/// Whether this is how one of them is named, with options or without.
pub fn is_named(text: &str) -> bool {
    text.split(',').next() == Some(NAME) || is_wide(text)
}

fn is_wide(text: &str) -> bool {
    text.split(',').next() == Some(WIDE)
}

/// The model behind `model:mobile`.
///
/// # Errors
/// If a key or value is unknown, it is to garble, or the processor cannot run `kernel`.
pub fn model(text: &str, kernel: Option<&str>, roles: &[Role]) -> Result<Box<dyn Engine>, Failure> {
    if is_wide(text) {
        let mut options = WideOptions::default();
        read_wide(text, &mut options, false)?;
        let kernel = match kernel {
            Some(name) => kernels::by_name(name).map_err(Failure::with(Exit::Unknown))?,
            None => kernels::best(),
        };
        let engine = WideEngine::model(kernel, options.units);
        evaluates(&engine.name(), roles)?;
        return Ok(Box::new(engine));
    }
    let mut options = Options::default();
    read(text, &mut options, false)?;
    let engine = MobileEngine::new(options.link).with_form(options.form);
    evaluates(&engine.name(), roles)?;
    Ok(match kernel {
        Some(name) => Box::new(engine.with_kernel(name).map_err(Failure::with(Exit::Unknown))?),
        None => Box::new(engine),
    })
}

/// The circuit behind `rtl:mobile`, built; its waveforms go into `trace`.
///
/// # Errors
/// If a key or value is unknown, it is to garble, or cannot be built.
pub fn rtl(text: &str, roles: &[Role], trace: Option<&Path>) -> Result<Box<dyn Engine>, Failure> {
    let waveforms = trace.map(Path::to_path_buf);
    if is_wide(text) {
        let mut options = WideOptions { waveforms, ..WideOptions::default() };
        read_wide(text, &mut options, true)?;
        let design = options.design();
        let engine = options.engine();
        evaluates(&engine.name(), roles)?;
        let failed = |error: halfgate_rtl::Error| EngineError::Machine(error.to_string());
        let build = || design.build().map(drop).map_err(failed);
        rtl_engine::building(
            &engine.name(),
            "evaluator",
            || design.is_built().map_err(failed),
            build,
        )?;
        return Ok(Box::new(engine));
    }
    let mut options = Options { waveforms, ..Options::default() };
    read(text, &mut options, true)?;
    let engine = RtlMobile::new(options);
    evaluates(&engine.name(), roles)?;
    let build = || engine.build().map(drop);
    rtl_engine::building(&engine.name(), "evaluator", || engine.is_built(), build)?;
    Ok(Box::new(engine))
}

fn read(text: &str, options: &mut Options, is_rtl: bool) -> Result<(), Failure> {
    for part in text.split(',').skip(1) {
        match part.split_once('=') {
            Some(("aes", name)) if form(name).is_some() => {
                options.form = form(name).expect("it is one");
            }
            Some(("link", name)) if link(name, MHZ).is_some() => {
                options.link = link(name, MHZ).expect("it is one");
            }
            Some(("build", "quick")) if is_rtl => options.fast = false,
            Some(("build", "fast")) if is_rtl => options.fast = true,
            _ => return Err(unknown(text, part)),
        }
    }
    Ok(())
}

fn read_wide(text: &str, options: &mut WideOptions, is_rtl: bool) -> Result<(), Failure> {
    for part in text.split(',').skip(1) {
        let units = part.strip_prefix("units=").and_then(|count| count.parse().ok());
        match (part, units) {
            (_, Some(units @ 1..=8)) => options.units = units,
            ("build=quick", _) if is_rtl => options.fast = false,
            ("build=fast", _) if is_rtl => options.fast = true,
            _ => return Err(unknown(text, part)),
        }
    }
    Ok(())
}

fn unknown(text: &str, part: &str) -> Failure {
    let what = format!("engine {text:?}: there is no {part:?}; it is written {FORM}");
    Failure::new(Exit::Unknown, what)
}

/// The link of this name, before a chip whose clock is of so many MHz.
pub fn link(name: &str, mhz: f64) -> Option<Link> {
    match name {
        "spi" => Some(Link::spi(mhz, 30.0)),
        "uart3" => Some(Link::serial(mhz, 3.0)),
        "uart12" => Some(Link::serial(mhz, 12.0)),
        _ => None,
    }
}

/// What the chip spends of its part, of this name.
pub fn form(name: &str) -> Option<Form> {
    match name {
        "half" => Some(Form::Half),
        "round" => Some(Form::Round),
        _ => None,
    }
}

/// Refuses to garble.
///
/// # Errors
/// If that is asked of it.
pub fn evaluates(name: &str, roles: &[Role]) -> Result<(), Failure> {
    if roles.contains(&Role::Garbler) {
        let what = format!(
            "engine {name} evaluates only: name it with --evaluator-engine, or choose another to garble"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}
