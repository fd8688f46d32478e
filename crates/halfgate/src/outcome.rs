//! What a party has of a run.

use crate::error::Error;
use halfgate_protocol::session::Report;
use halfgate_secret::Native;

/// What a party has of a run of a [`Program`](crate::Program) with output `O`.
pub type FunctionOutcome<O> = Outcome<<O as Native>::Clear, <O as Native>::Learned>;

/// What a party has of a run of a [`MachineProgram`](crate::MachineProgram): a list of the outputs
/// `O` of each cycle, and the output `F` at the end.
pub type MachineOutcome<O, F> = Outcome<
    (Vec<<O as Native>::Clear>, <F as Native>::Clear),
    (Vec<<O as Native>::Learned>, <F as Native>::Learned),
>;

/// What a party has of a run: what it learned, and the counts and times of the session.
///
/// `C` is the plain type of the outputs; `L` is that with an `Option` around each output, as a
/// party may not be among those who learn it.
pub struct Outcome<C, L> {
    /// What this party learned.
    pub learned: L,
    /// Counts, times and sizes, as the protocol reports them. Its own `outputs` hold the bits;
    /// `unconfirmed` says so if the peer was lost after this party had verified its outputs.
    pub report: Report,
    /// The whole value, or an output that this party does not learn.
    pub(crate) whole: Result<C, String>,
}

impl<C, L> Outcome<C, L> {
    /// The outputs, if this party learns all of them.
    ///
    /// # Errors
    /// [`Error::NotLearned`]; [`learned`](Outcome::learned) has the others.
    pub fn value(self) -> Result<C, Error> {
        self.whole.map_err(|output| Error::NotLearned { output })
    }
}

/// Shows no value.
impl<C, L> std::fmt::Debug for Outcome<C, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outcome").field("report", &self.report).finish_non_exhaustive()
    }
}
