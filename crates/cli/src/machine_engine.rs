//! Engines that are simulated machines: `model:MACHINE[,KEY=VALUE…]`.

use crate::error::{Exit, Failure};
use halfgate_engine::haac::{
    Description, DescriptionError, HaacEngine, Lowering, Model, Overrides, parse_window,
};
use std::io::ErrorKind;

/// What stands before a machine's name.
pub const PREFIX: &str = "model:";

/// How such an engine is written.
pub const FORM: &str = "model:MACHINE[,engines=N][,window=SIZE][,memory=NAME][,wire_bytes=16|64]\
                        [,model=fast|exact][,lowering=best|paper]";

/// The engine behind `model:`: the name of a built-in description or the path of one, and what is
/// to be different.
///
/// # Errors
/// If there is no such machine, its description makes no sense, or a key or value is unknown.
pub fn engine(text: &str, kernel: Option<&str>) -> Result<HaacEngine, Failure> {
    let mut parts = text.split(',');
    let name = parts.next().unwrap_or_default();
    let mut overrides = Overrides::default();
    let (mut model, mut lowering) = (Model::Fast, Lowering::BEST);
    for part in parts {
        let wrong = || {
            let what =
                format!("engine {PREFIX}{text}: {part:?} is not what may follow, which is {FORM}");
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
            ("model", "fast") => model = Model::Fast,
            ("model", "exact") => model = Model::Exact,
            ("lowering", "best") => lowering = Lowering::BEST,
            ("lowering", "paper") => lowering = Lowering::PAPER,
            _ => return Err(wrong()),
        }
    }
    let machine = Description::find(name).and_then(|found| found.machine(&overrides));
    let engine = HaacEngine::new(machine.map_err(failure)?);
    let engine = engine.with_model(model).with_lowering(lowering);
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
