//! Engines in the cycle models: `model:MACHINE[,KEY=VALUE…]`.

use crate::engine::{
    Description, DescriptionError, HaacEngine, Lowering, Machine, Model, Overrides, parse_window,
};
use halfgate_console::error::{Exit, Failure};
use halfgate_machine::{EngineForm, Kind};
use std::io::ErrorKind;

/// Its engines, as users write them.
pub const FORMS: [EngineForm; 2] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64][,model=fast|exact]\
               [,lowering=best|paper]",
        about: "gate engines in rows, in their own time",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64][,aes=rtl|composite|dpi]\
               [,build=quick|fast][,lowering=best|paper]",
        about: "the same in SystemVerilog",
    },
];

/// The machine and lowering that an engine's text asks for.
pub struct Requested {
    /// The machine.
    pub machine: Machine,
    /// How programs are lowered for it.
    pub lowering: Lowering,
}

/// Takes the text of an engine apart: the name of a built-in description or the path of one, and what
/// is to be different. `own` takes the keys that only this kind of engine has, and says whether it knows
/// them; its form is for errors.
///
/// # Errors
/// If there is no such machine, its description makes no sense, or a key or value is unknown.
pub fn requested(
    text: &str,
    form: &EngineForm,
    mut own: impl FnMut(&str, &str) -> bool,
) -> Result<Requested, Failure> {
    let mut parts = text.split(',');
    let name = parts.next().unwrap_or_default();
    let mut overrides = Overrides::default();
    let mut lowering = Lowering::BEST;
    for part in parts {
        let wrong = || {
            let what = format!(
                "engine {}:{text}: {part:?} is not what may follow, which is {}",
                form.prefix(),
                form.form
            );
            Failure::new(Exit::Unknown, what)
        };
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        match (key, value) {
            ("engines", value) => overrides.engines = Some(value.parse().map_err(|_| wrong())?),
            ("window", size) => overrides.window = Some(parse_window(size).map_err(failure)?),
            ("memory", name) => overrides.memory = Some(name.to_owned()),
            ("wire_bytes", value) => {
                overrides.wire_bytes = Some(value.parse().map_err(|_| wrong())?);
            }
            ("lowering", "best") => lowering = Lowering::BEST,
            ("lowering", "paper") => lowering = Lowering::PAPER,
            (key, value) if own(key, value) => {}
            _ => return Err(wrong()),
        }
    }
    let machine = Description::find(name).and_then(|found| found.machine(&overrides));
    Ok(Requested { machine: machine.map_err(failure)?, lowering })
}

/// The engine behind `model:`.
///
/// # Errors
/// As [`requested`]; or if there is no such kernel.
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
    let Requested { machine, lowering } = requested(text, &FORMS[0], own)?;
    let engine = HaacEngine::new(machine).with_model(model).with_lowering(lowering);
    match kernel {
        Some(name) => engine.with_kernel(name).map_err(Failure::with(Exit::Unknown)),
        None => Ok(engine),
    }
}

/// What is wrong with a description or with an option that overrides it.
pub fn failure(error: DescriptionError) -> Failure {
    let exit = match &error {
        DescriptionError::Unknown { .. } => Exit::Unknown,
        // Bytes that are no text are malformed; whatever else keeps a file from being read is not.
        DescriptionError::Read { source, .. } if source.kind() != ErrorKind::InvalidData => {
            Exit::Local
        }
        DescriptionError::Value { origin, .. } if origin == "the command line" => Exit::Usage,
        _ => Exit::Circuit,
    };
    Failure::new(exit, error)
}
