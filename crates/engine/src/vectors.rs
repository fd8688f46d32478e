//! Conformance vectors: files of labels and the tables that follow from them.
//!
//! [`check`] compares the reference and any engines with such a file, bit for bit, whichever
//! program made the file. Garbling must give the file's tables and output labels. Evaluating those
//! tables on input values must give the labels of the output values. `spec/README.md` has the
//! format. `spec/vectors` has our own files and those that other implementations made.
//!
//! Everything in a vector is public, including Δ: nothing here is hidden or wiped.
//!
//! Memory: a small multiple of the file; with an engine, also all tables of all cycles.

mod format;
mod run;

pub use format::VectorError;

use crate::Engine;
use halfgate_kernels::Suite;
use std::fmt;

/// Checks the vector file `text`, called `name` in messages, against the reference and then
/// against each of `engines`.
///
/// If the text is not a vector file. A disagreement between the file and a checker is not an error:
/// it is part of the [`Outcome`].
pub fn check(text: &str, name: &str, engines: &[&dyn Engine]) -> Result<Outcome, VectorError> {
    let vector = format::parse(text, name)?;
    let mut checks = vec![Check { checker: "reference".into(), verdict: run::reference(&vector) }];
    if !engines.is_empty() {
        let program = run::program(&vector)
            .map_err(|error| VectorError::Compile { file: name.into(), error })?;
        checks.extend(engines.iter().map(|engine| Check {
            checker: engine.name(),
            verdict: run::engine(*engine, &vector, &program),
        }));
    }
    let (gates, ands) = (vector.listed, vector.tables.len());
    Ok(Outcome { file: name.into(), suite: vector.suite, gates, ands, checks })
}

/// Result of checking a vector file. Displayed as a line for the file and one for each checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The file's name, as given to [`check`].
    pub file: String,
    /// The file's suite.
    pub suite: Suite,
    /// Number of gates that the file lists.
    pub gates: usize,
    /// Number of those gates that have a table.
    pub ands: usize,
    /// Results of the reference first, then of the engines in the given order.
    pub checks: Vec<Check>,
}

impl Outcome {
    /// Whether no checker disagreed or failed. [`Verdict::NotRun`] counts as ok; test for it
    /// separately.
    pub fn is_ok(&self) -> bool {
        let fine = |v: &Verdict| matches!(v, Verdict::Agrees | Verdict::NotRun(_));
        self.checks.iter().all(|check| fine(&check.verdict))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { file, suite, gates, ands, checks } = self;
        write!(f, "{file}: {suite}, {gates} gates, {ands} tables")?;
        checks
            .iter()
            .try_for_each(|Check { checker, verdict }| write!(f, "\n  {checker}: {verdict}"))
    }
}

/// Result of one checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// `reference`, or the engine's name.
    pub checker: String,
    /// The checker's verdict.
    pub verdict: Verdict,
}

/// A checker's verdict on a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every bit is the same.
    Agrees,
    /// The first difference.
    Differs(Mismatch),
    /// The checker could not run, for this reason.
    NotRun(String),
    /// The checker stopped with this error, or broke its contract.
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Agrees => f.write_str("ok"),
            Verdict::Differs(mismatch) => write!(f, "DIFFERS: {mismatch}"),
            Verdict::NotRun(reason) => write!(f, "not run: {reason}"),
            Verdict::Failed(error) => write!(f, "FAILED: {error}"),
        }
    }
}

/// A difference between a file and a checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Number of the gate in the file; `None` if the difference is in an output that is itself an
    /// input.
    pub gate: Option<usize>,
    /// The value of the gate that differs.
    pub field: Field,
    /// The value in the file, or the value that follows from the file.
    pub expected: u128,
    /// The checker's value.
    pub found: u128,
}

/// A value that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The first row of the gate's table.
    Tg,
    /// The second row.
    Te,
    /// A row of a table of three; the first is 1.
    Row(usize),
    /// The false label of the gate's output.
    FalseLabel,
    /// The active label of the gate's output, on the set of input values with this number.
    ActiveLabel(usize),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.gate {
            Some(gate) => write!(f, "gate {gate}: ")?,
            None => f.write_str("an output that is an input: ")?,
        }
        match self.field {
            Field::Tg => f.write_str("TG")?,
            Field::Te => f.write_str("TE")?,
            Field::Row(n) => write!(f, "row {n} of the table")?,
            Field::FalseLabel => f.write_str("the false label of the output")?,
            Field::ActiveLabel(n) => write!(f, "the active label of the output in evaluation {n}")?,
        }
        write!(f, " should be {:032x} and is {:032x}", self.expected, self.found)
    }
}
