//! `--check` of `halfgate reproduce` and `halfgate bench`: compares recorded rows with rows made
//! now.

use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_record::check::check;
use halfgate_record::{Figure, Results};
use std::path::Path;

/// A file of results, read before any part runs.
pub(super) struct Recorded {
    name: String,
    text: String,
}

impl Recorded {
    pub(super) fn read(file: &Path) -> Result<Recorded, Failure> {
        let read = Results::read_with_text(file).map_err(Failure::with::<String>(Exit::Local));
        read.map(|(_, text)| Recorded { name: file.display().to_string(), text })
    }

    /// Compares `fresh`, which must be all rows of `parts`, with the file.
    ///
    /// # Errors
    /// If there is a difference; all differences are printed.
    pub(super) fn check(&self, fresh: &[Figure], parts: &[&str]) -> Result<(), Failure> {
        let Recorded { name, text } = self;
        let found = check(text, fresh, parts).map_err(Failure::with::<String>(Exit::Local))?;
        print::line(&format!("{name}: {}\n{found}", parts.join(", ")))?;
        match found.differences.len() {
            0 => Ok(()),
            n => {
                let what = format!("{n} differences from {name}");
                Err(Failure::new(Exit::Mismatch, what))
            }
        }
    }
}
