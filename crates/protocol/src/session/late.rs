//! Inputs that are given before a session, or fetched once both parties have agreed.

use super::inputs::InputOrder;
use super::{PartyInputs, RunOptions, SessionError, meanwhile};
use crate::channel::Channel;
use halfgate_circuit::{Circuit, Party};

/// Returns a party's inputs of one run after the parties have agreed on it. An error ends the
/// session. Its text is also sent to the peer, so it must contain no value and no path.
pub type Fetch<'f> = &'f mut (dyn FnMut() -> Result<PartyInputs, String> + Send);

/// One party's inputs in all runs of a session.
pub(crate) enum Inputs<'i> {
    Given(&'i [PartyInputs]),
    /// The inputs of one run, not fetched yet.
    Late(Fetch<'i>),
    Fetched([PartyInputs; 1]),
}

impl Inputs<'_> {
    /// The number of runs.
    pub fn runs(&self) -> usize {
        match self {
            Inputs::Given(runs) => runs.len(),
            Inputs::Late(_) | Inputs::Fetched(_) => 1,
        }
    }

    /// The inputs of each run, as far as they are available.
    pub fn each(&self) -> &[PartyInputs] {
        match self {
            Inputs::Given(runs) => runs,
            Inputs::Late(_) => &[],
            Inputs::Fetched(run) => run,
        }
    }

    /// Checks the available inputs.
    ///
    /// # Errors
    /// Those of [`InputOrder::check`].
    pub fn check(
        &self,
        (order, circuit): (&InputOrder, &Circuit),
        party: Party,
        options: &RunOptions,
    ) -> Result<(), SessionError> {
        let has_feed = options.feed.is_some();
        self.each().iter().try_for_each(|inputs| order.check(circuit, party, inputs, has_feed))
    }

    /// Fetches late inputs while the channel is kept alive, and checks them.
    ///
    /// # Errors
    /// [`SessionError::Unavailable`], those of [`InputOrder::check`], or those of the channel.
    pub fn arrive(
        &mut self,
        channel: &mut dyn Channel,
        what: (&InputOrder, &Circuit),
        party: Party,
        options: &RunOptions,
    ) -> Result<(), SessionError> {
        let Inputs::Late(fetch) = self else { return Ok(()) };
        let fetched = meanwhile(channel, party.other(), "fetching its own inputs", fetch)?;
        *self = Inputs::Fetched([fetched.map_err(SessionError::Unavailable)?]);
        self.check(what, party, options)
    }
}
