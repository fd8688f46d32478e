//! Engines on the cycle models: `model:MACHINE[,KEY=VALUE…]`.

use crate::dram::{self, Attachment};
use crate::engine::{
    Description, DescriptionError, HaacEngine, Lowering, Machine, Model, Overrides, parse_window,
};
use halfgate_console::error::{Exit, Failure};
use halfgate_haac_model::Forwarding;
use halfgate_machine::{EngineForm, Kind};
use std::io::ErrorKind;

/// The forms in which users write the engines.
pub const FORMS: [EngineForm; 2] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64][,forwarding=all|after-read]\
               [,model=fast|exact][,lowering=best|paper]",
        about: "parallel gate engines, with simulated clock cycles",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64][,forwarding=all|after-read]\
               [,aes=rtl|composite|dpi][,build=quick|fast][,lowering=best|paper]",
        about: "the same in SystemVerilog",
    },
];

/// The machine and the lowering that the text of an engine describes.
pub struct Requested {
    /// The machine.
    pub machine: Machine,
    /// How programs are lowered for it.
    pub lowering: Lowering,
    /// A DRAM behind its ports.
    pub dram: Option<Attachment>,
}

/// Parses the text of an engine: the name or path of a description, and settings. `own` handles the
/// keys that only this kind of engine has; it returns whether it knows a key. `form` is the
/// engine's form, for error messages.
///
/// # Errors
/// If there is no such machine, its description is invalid, or a key or value is unknown.
pub fn requested(
    text: &str,
    form: &EngineForm,
    mut own: impl FnMut(&str, &str) -> bool,
) -> Result<Requested, Failure> {
    let mut parts = text.split(',');
    let name = parts.next().unwrap_or_default();
    let mut overrides = Overrides::default();
    let mut dram = None;
    let mut lowering = Lowering::BEST;
    for part in parts {
        let wrong = || {
            let what = format!(
                "engine {}:{text}: {part:?} is not a valid setting; the form is {}",
                form.prefix(),
                form.form
            );
            Failure::new(Exit::Unknown, what)
        };
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        match (key, value) {
            ("engines", value) => overrides.engines = Some(value.parse().map_err(|_| wrong())?),
            ("window", size) => overrides.window = Some(parse_window(size).map_err(failure)?),
            ("memory", name) => {
                dram = dram::requested(Some(name))?;
                overrides.memory = dram.is_none().then(|| name.to_owned());
            }
            ("wire_bytes", value) => {
                overrides.wire_bytes = Some(value.parse().map_err(|_| wrong())?);
            }
            ("forwarding", name) => {
                overrides.forwarding = Some(Forwarding::named(name).ok_or_else(wrong)?);
            }
            ("lowering", "best") => lowering = Lowering::BEST,
            ("lowering", "paper") => lowering = Lowering::PAPER,
            (key, value) if own(key, value) => {}
            _ => return Err(wrong()),
        }
    }
    let machine = Description::find(name).and_then(|found| found.machine(&overrides));
    Ok(Requested { machine: machine.map_err(failure)?, lowering, dram })
}

/// The engine of the form `model:`.
///
/// # Errors
/// As [`requested`]; or if the kernel does not exist.
pub fn engine(text: &str, kernel: Option<&str>) -> Result<HaacEngine, Failure> {
    let mut model = Model::Fast;
    let own = |key: &str, value: &str| {
        match (key, value) {
            ("model", "fast") => model = Model::Fast,
            ("model", "exact") => model = Model::Exact,
            _ => return false,
        }
        true
    };
    let Requested { machine, lowering, dram } = requested(text, &FORMS[0], own)?;
    let mut engine = HaacEngine::new(machine).with_model(model).with_lowering(lowering);
    if let Some(dram) = dram {
        dram.check_build()?;
        engine = engine.with_dram(dram);
    }
    match kernel {
        Some(name) => engine.with_kernel(name).map_err(Failure::with(Exit::Unknown)),
        None => Ok(engine),
    }
}

/// The failure for an error in a description, or in an option that overrides it.
pub fn failure(error: DescriptionError) -> Failure {
    let exit = match &error {
        DescriptionError::Unknown { .. } => Exit::Unknown,
        // Bytes that are not text are malformed; other read errors are local failures.
        DescriptionError::Read { source, .. } if source.kind() != ErrorKind::InvalidData => {
            Exit::Local
        }
        DescriptionError::Value { origin, .. } if origin == "the command line" => Exit::Usage,
        _ => Exit::Circuit,
    };
    Failure::new(exit, error)
}
