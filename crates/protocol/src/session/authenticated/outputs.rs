//! The outputs of a window, opened to the parties that learn them.

use super::link::Link;
use crate::correlations::opening::{Proof, message_bytes, open, opened};
use crate::frame::Kind;
use crate::session::learned::Learned;
use crate::session::outputs::{OutputLabels, Window};
use crate::session::{Event, SessionError};
use halfgate_circuit::{Bits, Party};
use halfgate_engine::Label;
use zeroize::Zeroizing;

/// What a party knows of the outputs of a window.
pub(super) struct Given<'r> {
    /// MACs of the masks of those that the peer learns.
    pub open: &'r [Label],
    /// Keys of the masks of those that this party learns.
    pub keys: &'r [Label],
    /// Labels whose colour bits are the masked values.
    pub masked: Vec<Window>,
}

/// The outputs that a party has learned.
pub(super) struct Outputs<'a> {
    party: Party,
    /// Of whose layout windows are.
    labels: OutputLabels<'a>,
    pub learned: Learned,
}

impl<'a> Outputs<'a> {
    /// None yet. `labels` has the layout of the run's outputs.
    pub fn new(party: Party, labels: OutputLabels<'a>, stream: bool) -> Outputs<'a> {
        Outputs { party, labels, learned: Learned::new(party, stream) }
    }

    /// The labels of `windows` that `party` learns.
    pub fn labels_of(&self, party: Party, windows: &[Window]) -> Zeroizing<Vec<Label>> {
        let lists: Vec<_> =
            windows.iter().map(|window| self.labels.layout.learned_by(party, window)).collect();
        let mut all = Zeroizing::new(Vec::with_capacity(lists.iter().map(|list| list.len()).sum()));
        lists.iter().for_each(|list| all.extend_from_slice(list));
        all
    }

    /// Opens the masks of outputs that the peer learns.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn send(&self, link: &mut Link<'_>, given: &Given<'_>) -> Result<(), SessionError> {
        match given.open.is_empty() {
            true => Ok(()),
            false => link.send(Kind::Shares, &open(given.open, Proof::Digest), OPENING),
        }
    }

    /// Receives the masks of outputs that this party learns, and adds the outputs.
    ///
    /// # Errors
    /// If the connection is lost, or the peer's shares are not what it committed to.
    pub fn receive(
        &mut self,
        link: &mut Link<'_>,
        given: &Given<'_>,
        delta: Label,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), SessionError> {
        let masks = match given.keys.len() {
            0 => Zeroizing::new(Vec::new()),
            count => {
                let message = link.receive(Kind::Shares, message_bytes(count), OPENING)?;
                let mut keys = Zeroizing::new(given.keys.to_vec());
                opened(&mut keys, delta, &message, Proof::Digest)
                    .ok_or_else(|| link.cheated("the MACs of its shares of outputs"))?
            }
        };
        let mut masks = masks.iter().copied();
        for window in &given.masked {
            let masked = self.labels.layout.learned_by(self.party, window);
            let values = masked.iter().zip(masks.by_ref());
            let bits: Bits = values.map(|(label, mask)| label.colour() ^ (mask == 1)).collect();
            let place = (window.first, window.cycles);
            self.learned.add(&self.labels.layout, place, &bits, events);
        }
        Ok(())
    }
}

const OPENING: &str = "opening outputs";
