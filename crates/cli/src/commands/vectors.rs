//! `halfgate vectors`.

use crate::args::VectorsArgs;
use crate::options;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_engine::{Engine, vectors};

pub(super) fn execute(args: &VectorsArgs) -> Result<(), Failure> {
    let engines = options::every_kernel()?;
    let engines: Vec<&dyn Engine> = engines.iter().map(|engine| &**engine).collect();
    let mut wrong = 0;
    for path in &args.files {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(Exit::Local, format!("cannot read {name}: {error}")))?;
        let outcome =
            vectors::check(&text, &name, &engines).map_err(Failure::with(Exit::Circuit))?;
        print::line(&outcome.to_string())?;
        wrong += usize::from(!outcome.is_ok());
    }
    match wrong {
        0 => Ok(()),
        n => {
            Err(Failure::new(Exit::Mismatch, format!("{n} of {} files disagree", args.files.len())))
        }
    }
}
