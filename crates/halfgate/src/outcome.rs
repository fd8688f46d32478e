//! A party's result of a run.

use crate::error::Error;
use halfgate_protocol::session::Report;
use halfgate_secret::Native;

/// A party's result of a run of a [`Program`](crate::Program) with output `O`.
pub type FunctionOutcome<O> = Outcome<<O as Native>::Clear, <O as Native>::Learned>;

/// A party's result of a run of a [`MachineProgram`](crate::MachineProgram): a list of the outputs
/// `O` of each cycle, and the output `F` at the end.
pub type MachineOutcome<O, F> = Outcome<
    (Vec<<O as Native>::Clear>, <F as Native>::Clear),
    (Vec<<O as Native>::Learned>, <F as Native>::Learned),
>;

/// A party's result of a run: the outputs it learned, and the counts and times of the session.
///
/// `C` is the plain type of the outputs. `L` is `C` with an `Option` around each output, because a
/// party may not learn every output.
pub struct Outcome<C, L> {
    /// The outputs that this party learned.
    pub learned: L,
    /// Counts, times and sizes from the protocol. Its `outputs` are the same outputs as bits. Its
    /// `unconfirmed` is set if the peer was lost after this party had verified its outputs.
    pub report: Report,
    /// The complete value, or the name of an output that this party does not learn.
    pub(crate) whole: Result<C, String>,
}

impl<C, L> Outcome<C, L> {
    /// The outputs, if this party learns all of them.
    ///
    /// # Errors
    /// [`Error::NotLearned`]; [`learned`](Outcome::learned) still has the other outputs.
    pub fn value(self) -> Result<C, Error> {
        self.whole.map_err(|output| Error::NotLearned { output })
    }
}

/// Does not show values.
impl<C, L> std::fmt::Debug for Outcome<C, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outcome").field("report", &self.report).finish_non_exhaustive()
    }
}
