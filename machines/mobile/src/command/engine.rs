//! Engines of the coprocessor. They only evaluate. `model:mobile` and `rtl:mobile[,KEY=VALUE…]` are
//! the chip behind a link. `model:mobile-wide` and `rtl:mobile-wide` are the wide core on a link
//! that never keeps it waiting.

use crate::engine::MHZ;
use crate::engine::{Link, MobileEngine, WideEngine};
use crate::rtl::{Options, RtlMobile, WideOptions};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, kernels};
use halfgate_machine::rtl::failed;
use halfgate_machine::{EngineForm, Kind, building, evaluates_only};
use halfgate_mobile_model::model::Form;
use std::path::Path;

/// Name of the configuration with the wide core.
const WIDE: &str = "mobile-wide";

/// The engines of this machine, as users write them.
pub const FORMS: [EngineForm; 3] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:mobile[,aes=half|round][,link=spi|uart3|uart12], model:mobile-wide[,units=1…8]",
        about: "model of an evaluator on a small FPGA behind a serial link, or of its wide core",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:(the same)[,build=quick|fast]",
        about: "the same in SystemVerilog",
    },
    EngineForm {
        kind: Kind::Device,
        form: "mobile:PORT[,baud=N], mobile:/dev/spidevN.N[,mhz=N], mobile:sim[,chip=rtl|model|wide]\
               [,aes=half|round][,link=spi|uart3|uart12][,faults=N][,unplug=N]",
        about: "the chip at a port of this computer, or simulated behind a pseudo-terminal",
    },
];

fn is_wide(text: &str) -> bool {
    text.split(',').next() == Some(WIDE)
}

/// An engine that counts its clock cycles by cause.
#[derive(Clone)]
pub enum Counting {
    /// The chip's model.
    Chip(MobileEngine),
    /// The wide core, as a model or as RTL.
    Wide(WideEngine),
}

impl Counting {
    /// Clock cycles by cause, each with the name of the cause.
    pub fn went(&self) -> Vec<(&'static str, u64)> {
        match self {
            Counting::Chip(chip) => chip.went().named().to_vec(),
            Counting::Wide(wide) => wide.went().named().to_vec(),
        }
    }

    /// The engine.
    pub fn engine(&self) -> Box<dyn Engine> {
        match self.clone() {
            Counting::Chip(chip) => Box::new(chip),
            Counting::Wide(wide) => Box::new(wide),
        }
    }
}

/// Returns the model with the name `model:mobile…`.
///
/// # Errors
/// If a key or value is unknown, the engine would have to garble, or the processor cannot run
/// `kernel`.
pub fn model(text: &str, kernel: Option<&str>, roles: &[Party]) -> Result<Counting, Failure> {
    let unknown = Failure::with(Exit::Unknown);
    let counting = if is_wide(text) {
        let mut options = WideOptions::default();
        read_wide(text, &mut options, false)?;
        let kernel = match kernel {
            Some(name) => kernels::by_name(name).map_err(unknown)?,
            None => kernels::best(),
        };
        Counting::Wide(WideEngine::model(kernel, options.units))
    } else {
        let mut options = Options::default();
        read(text, &mut options, false)?;
        let chip = chip(&options);
        Counting::Chip(match kernel {
            Some(name) => chip.with_kernel(name).map_err(unknown)?,
            None => chip,
        })
    };
    evaluates_only(&counting.engine().name(), roles)?;
    Ok(counting)
}

/// Returns the model of the chip with these options.
fn chip(options: &Options) -> MobileEngine {
    MobileEngine::new(options.link).with_form(options.form)
}

/// Builds the RTL with the name `rtl:mobile…`. Also returns an engine that counts clock cycles by
/// cause: the chip's model, which equals the RTL in every clock cycle. Waveforms are written to
/// `trace`.
///
/// # Errors
/// If a key or value is unknown, the engine would have to garble, or the RTL cannot be built.
pub fn rtl(
    text: &str,
    roles: &[Party],
    trace: Option<&Path>,
) -> Result<(Box<dyn Engine>, Counting), Failure> {
    let waveforms = trace.map(Path::to_path_buf);
    if is_wide(text) {
        let mut options = WideOptions { waveforms, ..WideOptions::default() };
        read_wide(text, &mut options, true)?;
        let design = options.design();
        let engine = options.engine();
        evaluates_only(&engine.name(), roles)?;
        let build = || design.build().map(drop).map_err(failed);
        building::building(
            &engine.name(),
            "evaluator",
            || design.is_built().map_err(failed),
            build,
        )?;
        return Ok((Box::new(engine.clone()), Counting::Wide(engine)));
    }
    let mut options = Options { waveforms, ..Options::default() };
    read(text, &mut options, true)?;
    let model = Counting::Chip(chip(&options));
    let engine = RtlMobile::new(options);
    evaluates_only(&engine.name(), roles)?;
    let build = || engine.build().map(drop);
    building::building(&engine.name(), "evaluator", || engine.is_built(), build)?;
    Ok((Box::new(engine), model))
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
    let [model, rtl, _] = FORMS.map(|form| form.form);
    let what = format!("engine {text:?}: there is no {part:?}; it is written {model}; {rtl}");
    Failure::new(Exit::Unknown, what)
}

/// The link of this name, for a chip with a clock of `mhz` MHz.
pub fn link(name: &str, mhz: f64) -> Option<Link> {
    match name {
        "spi" => Some(Link::spi(mhz, 30.0)),
        "uart3" => Some(Link::serial(mhz, 3.0)),
        "uart12" => Some(Link::serial(mhz, 12.0)),
        _ => None,
    }
}

/// The form of the chip with this name.
pub fn form(name: &str) -> Option<Form> {
    match name {
        "half" => Some(Form::Half),
        "round" => Some(Form::Round),
        _ => None,
    }
}
