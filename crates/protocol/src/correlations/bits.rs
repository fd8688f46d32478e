//! Authenticated bits from oblivious transfers in both directions.
//!
//! A party's MACs are its labels as the receiver of transfers under the peer's Δ, with random
//! choices, which are its shares. Its keys are its labels as the sender of transfers under its own
//! Δ ([`crate::ot`], in malicious mode).
//!
//! The choices are known to a sender whose Δ has bit 0 cleared. So each party, as the receiver,
//! first makes sure that the peer's has it set ([`crate::ot::SeedPairs::require_first_choice`]).
//!
//! Keys have colour bit 0: an honest receiver's choices make it so
//! ([`ExtensionReceiver::extend_random`]). The sender clears the bit of a key where a receiver made
//! other choices. That is as if the receiver had chosen its share, which the functionality allows;
//! and MAC and share agree for whatever the receiver does.

use super::Shares;
use crate::ot::{
    BaseReceiver, BaseResponse, BaseSender, ExtensionReceiver, ExtensionSender, OtError, OtField,
    OtMode, SessionId, message_bytes, tree_bytes,
};
use halfgate_circuit::Party;
use halfgate_engine::{Delta, Label};
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Makes authenticated bits for one party.
pub(crate) struct BitSource {
    /// Makes keys, under this party's Δ.
    sender: ExtensionSender,
    /// Makes MACs, under the peer's Δ.
    receiver: ExtensionReceiver,
    field: OtField,
    /// The shares that have no keys yet, for each message, 128 in a block.
    drawn: VecDeque<Zeroizing<Vec<u128>>>,
}

/// A party's offset, from a random label: bit 0 is set, and bit 1 for the garbler only.
pub(crate) fn offset_of(party: Party, random: Label) -> Delta {
    let bit = u128::from(party == Party::Garbler) << 1;
    Delta::new(Label::from_u128(random.to_u128() & !2 | bit))
}

/// A party after the first message of both set-ups.
pub(crate) struct SetUp {
    base: BaseReceiver,
    /// The session of the transfers under the peer's Δ.
    theirs: SessionId,
    field: OtField,
}

/// A party after the second message of both set-ups.
pub(crate) struct Challenged {
    base: BaseReceiver,
    receiver: ExtensionReceiver,
    response: BaseResponse,
    field: OtField,
}

/// A party after the third message of both set-ups, which it must send.
pub(crate) struct Responded {
    source: BitSource,
    response: BaseResponse,
}

impl SetUp {
    /// Starts both set-ups in `session`. Also returns the first message.
    ///
    /// # Errors
    /// [`OtError::Random`].
    pub fn new(
        party: Party,
        session: SessionId,
        delta: &Delta,
        field: OtField,
    ) -> Result<(SetUp, Vec<u8>), OtError> {
        let part = |party| match party {
            Party::Garbler => session.part("transfers under the garbler's offset"),
            Party::Evaluator => session.part("transfers under the evaluator's offset"),
        };
        let (base, opening) = BaseReceiver::new(part(party), delta)?;
        Ok((SetUp { base, theirs: part(party.other()), field }, opening))
    }

    /// Responds to the peer's first message. Also returns the second message.
    ///
    /// # Errors
    /// As for [`BaseSender::respond`].
    pub fn challenge(self, opening: &[u8]) -> Result<(Challenged, Vec<u8>), OtError> {
        let SetUp { base, theirs, field } = self;
        let (mut challenge, seeds, response) = BaseSender::respond(theirs, opening)?;
        let seeds = seeds.require_first_choice()?;
        let (receiver, trees) = ExtensionReceiver::new(OtMode::Malicious, field, &seeds);
        challenge.extend_from_slice(&trees);
        Ok((Challenged { base, receiver, response, field }, challenge))
    }
}

impl Challenged {
    /// Checks the peer's second message. Also returns the third message.
    ///
    /// # Errors
    /// As for [`BaseReceiver::finish`] and [`ExtensionSender::new`]. Then the connection must end,
    /// and Δ must not be used again.
    pub fn respond(self, challenge: &[u8]) -> Result<(Responded, Vec<u8>), OtError> {
        let Challenged { base, receiver, response, field } = self;
        let trees = challenge.len().saturating_sub(tree_bytes(field));
        let (challenge, trees) = challenge.split_at(trees);
        let (own, seeds) = base.finish(challenge)?;
        let sender = ExtensionSender::new(OtMode::Malicious, field, &seeds, trees)?;
        let drawn = VecDeque::new();
        let source = BitSource { sender, receiver, field, drawn };
        Ok((Responded { source, response }, own))
    }
}

impl Responded {
    /// Checks the peer's third message.
    ///
    /// # Errors
    /// As for [`BaseResponse::check`].
    pub fn finish(self, response: &[u8]) -> Result<BitSource, OtError> {
        self.response.check(response)?;
        Ok(self.source)
    }
}

impl BitSource {
    /// The party's offset.
    pub fn delta(&self) -> &Delta {
        self.sender.delta()
    }

    /// Bytes of each party's message for `count` bits.
    pub fn message_bytes(&self, count: usize) -> usize {
        message_bytes(OtMode::Malicious, self.field, count)
    }

    /// Draws `count` shares, and appends their MACs to those of `shares`. Replaces `message` by
    /// that for the peer.
    pub fn draw(&mut self, count: usize, shares: &mut Shares, message: &mut Vec<u8>) {
        let drawn = self.receiver.extend_random(count, message, &mut shares.mac);
        self.drawn.push_back(drawn);
    }

    /// Adds the keys of the `count` shares that were drawn first of those that have none, from the
    /// peer's message.
    ///
    /// # Errors
    /// As for [`ExtensionSender::extend`]. Then the connection must end, and Δ must not be used
    /// again.
    ///
    /// # Panics
    /// If no shares were drawn that have no keys.
    pub fn complete(
        &mut self,
        count: usize,
        message: &[u8],
        shares: &mut Shares,
    ) -> Result<(), OtError> {
        let drawn = self.drawn.pop_front().expect("shares were drawn");
        self.sender.extend_shares(&drawn, count, message, &mut shares.key)
    }
}

#[cfg(test)]
impl BitSource {
    /// The receiver, for tests that cheat.
    pub(super) fn receiver_for_tests(&mut self) -> &mut ExtensionReceiver {
        &mut self.receiver
    }
}
