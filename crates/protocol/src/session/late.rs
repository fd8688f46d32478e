//! Inputs that are there before a session, or come once both parties have agreed.

use super::inputs::InputOrder;
use super::{PartyInputs, RunOptions, SessionError, meanwhile};
use crate::channel::Channel;
use halfgate_circuit::{Circuit, Party};

/// Gives a party's inputs of one run after the parties have agreed on it. An error ends the
/// session; its text is told to the peer, too, so it names no value and no path.
pub type Fetch<'f> = &'f mut (dyn FnMut() -> Result<PartyInputs, String> + Send);

/// One party's inputs in all runs of a session.
pub(crate) enum Inputs<'i> {
    Given(&'i [PartyInputs]),
    /// Those of one run, before they are there.
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

    /// Those of each run that are there.
    pub fn each(&self) -> &[PartyInputs] {
        match self {
            Inputs::Given(runs) => runs,
            Inputs::Late(_) => &[],
            Inputs::Fetched(run) => run,
        }
    }

    /// Checks those that are there.
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

    /// Fetches those that are late, while the channel is kept alive, and checks them.
    ///
    /// # Errors
    /// [`SessionError::Unavailable`], those of [`InputOrder::check`], or that the peer is gone.
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
