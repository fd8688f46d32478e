//! The correlations of a session: authenticated bits, and the products of masks for the ANDs of a
//! window. Both parties run the same code.

use super::cost::LEAKY_AT_ONCE;
use super::draw::draw;
use super::link::Link;
use super::shares::{ShareWalks, Stopped};
use crate::correlations::bits::{BitSource, SetUp, offset_of};
use crate::correlations::buckets::{Buckets, Shape, append_inputs, correct, shifts};
use crate::correlations::coins::{COMMITMENT_BYTES, Coins, Commitments, opening_bytes};
use crate::correlations::leaky::{self, G_BYTES, Piece};
use crate::correlations::opening::{
    self, DIGEST_BYTES, LabelDigest, Proof, add_public, message_bytes, opened, pack_labels,
};
use crate::correlations::{Labels, Shares};
use crate::frame::{Kind, MAX_PAYLOAD};
use crate::framed::BACKLOG;
use crate::handshake::Agreement;
use crate::ot::{
    CHALLENGE_BYTES, OPENING_BYTES, OtField, OtMode, SessionId, message_bytes as transfers_bytes,
    tree_bytes,
};
use crate::session::SessionError;
use crate::session::labels::random;
use halfgate_circuit::Party;
use halfgate_engine::{Delta, Label, kernels, wipe};
use zeroize::Zeroizing;

/// Bytes of a party's part of joint coins.
const COIN_BYTES: usize = 32;
/// Bytes of the base OTs' response.
const RESPONSE_BYTES: usize = 32;

/// The most input bits that both parties may have in one window: those whose masks a channel
/// buffers while it sends. Tests have fewer.
const MOST_INPUTS: usize = if cfg!(test) { 100_000 } else { 8 * BACKLOG };

/// Makes correlations for one party of a session.
pub(super) struct Correlator {
    pub party: Party,
    bits: BitSource,
    hash: leaky::Hash,
    commitments: Commitments,
    session: SessionId,
    coins: Coins,
    /// Memory of windows.
    shares: Shares,
    /// L of the piece for which G is sent, and of the one before.
    l: [Labels; 2],
    opened: Labels,
    /// Messages of leaky ANDs, which are public: bits, G and d.
    messages: [Vec<u8>; 3],
}

/// The masks of a window: rows of λ_α, λ_β and λ_γ ^ σ for each AND, once as keys and once as MACs.
pub(super) struct Masks {
    pub keys: Zeroizing<Vec<[Label; 3]>>,
    pub macs: Zeroizing<Vec<[Label; 3]>>,
    /// The masks of this party's own input bits of the window.
    pub inputs: Zeroizing<Vec<bool>>,
}

impl Correlator {
    /// Sets up transfers in both directions, and joint coins.
    ///
    /// # Errors
    /// If the connection is lost, or the peer's messages are wrong.
    pub fn set_up(
        link: &mut Link<'_>,
        party: Party,
        agreement: &Agreement,
    ) -> Result<Correlator, SessionError> {
        let doing = "setting up oblivious transfers";
        let (session, field) = (agreement.session, agreement.ot_field);
        let delta = offset_of(party, Label::from_bytes(*random()?));
        #[cfg(test)]
        crate::session::tests::memory::recording::note("offsets", &delta.label().to_bytes());
        let mut commitments = Commitments::new(&session, party);
        let coin = random::<COIN_BYTES>()?;
        let failed = |link: &Link<'_>, error| link.transfer_failed(error);

        let (state, mut message) =
            SetUp::new(party, session, &delta, field).map_err(|e| failed(link, e))?;
        let (commitment, opening) = commitments.commit(&*coin).map_err(|e| failed(link, e))?;
        message.extend_from_slice(&commitment);
        let theirs = OPENING_BYTES + COMMITMENT_BYTES;
        let received = link.exchange(Kind::BaseOt, &message, theirs, doing)?;
        let (base, commitment) = received.split_at(OPENING_BYTES);

        let (state, message) = state.challenge(base).map_err(|e| failed(link, e))?;
        let theirs = CHALLENGE_BYTES + tree_bytes(field);
        let received = link.exchange(Kind::BaseOt, &message, theirs, doing)?;

        let (state, mut message) = state.respond(&received).map_err(|e| failed(link, e))?;
        message.extend_from_slice(&opening);
        let theirs = RESPONSE_BYTES + opening_bytes(COIN_BYTES);
        let received = link.exchange(Kind::BaseOt, &message, theirs, doing)?;
        let (response, opening) = received.split_at(RESPONSE_BYTES);
        let bits = state.finish(response).map_err(|e| failed(link, e))?;
        let theirs = commitments.open(commitment, opening);
        let theirs = theirs.ok_or_else(|| link.cheated("its commitment to coins"))?;
        let mut coins = coins_of(&session, party, &*coin, theirs);
        let hash = leaky::Hash::new(kernels::best(), party, coins.number());
        Ok(Correlator {
            party,
            bits,
            hash,
            commitments,
            session,
            coins,
            shares: Shares::with_capacity(0),
            l: Default::default(),
            opened: Labels::default(),
            messages: Default::default(),
        })
    }

    /// This party's offset.
    pub fn delta(&self) -> &Delta {
        self.bits.delta()
    }

    /// A joint random number of 128 bits, such as the start point of a run's hash.
    pub fn number(&mut self) -> u128 {
        self.coins.number()
    }

    /// Walks through the next window, and makes its correlations: for each AND the product of its
    /// inputs' masks. Opens the masks of both parties' input bits to their owners.
    ///
    /// # Errors
    /// If the connection is lost, an engine fails, or a check fails.
    pub fn window(
        &mut self,
        link: &mut Link<'_>,
        walks: &mut ShareWalks<'_>,
        shape: Shape,
    ) -> Result<(Masks, Stopped), SessionError> {
        let mut shares = std::mem::replace(&mut self.shares, Shares::with_capacity(0));
        shares.restart(shape.bits());
        draw(&mut self.bits, link, shape.ands, &mut shares)?;
        let (keys, macs, stopped) = walks.window(&mut self.bits, link, shape.ands, &shares)?;
        let mut masks = Masks { keys, macs, inputs: Zeroizing::default() };
        let compared = self.leaky(link, shape, &mut shares, &masks)?;
        self.combine(link, shape, (&shares, compared), &mut masks, &stopped)?;
        self.shares = shares;
        Ok((masks, stopped))
    }

    /// Makes all leaky ANDs of a window. Returns the digest that both parties must have.
    ///
    /// Each step sends the bits of a piece, G of the piece before, and d of the one before that. So
    /// a party waits once for each piece, and what it works on is still in its cache. While it
    /// waits, it draws the next piece.
    fn leaky(
        &mut self,
        link: &mut Link<'_>,
        shape: Shape,
        shares: &mut Shares,
        masks: &Masks,
    ) -> Result<[u8; DIGEST_BYTES], SessionError> {
        let mut digest = LabelDigest::new("halfgate 1 comparison of leaky ANDs");
        let offset = self.bits.delta().label();
        let mut own = std::mem::take(&mut self.messages);
        let mut pieces = shape.pieces();
        // The last three pieces: of bits, G and d.
        let mut last = [pieces.next(), None, None];
        own.iter_mut().for_each(Vec::clear);
        wipe::far_below(|| self.draw(shape, last[0], shares, masks, &mut own[0]));
        while last.iter().any(Option::is_some) {
            wipe::far_below(|| match last[1] {
                Some(piece) => {
                    let (l, delta) = (&mut self.l[0], self.bits.delta());
                    #[cfg(test)]
                    let delta = &crate::cheating::multiplied_offset(delta);
                    self.hash.send(shares, piece, delta, l, &mut own[1]);
                    #[cfg(test)]
                    crate::cheating::change_g(&mut own[1], l);
                }
                None => own[1].clear(),
            });
            let kinds = [Kind::Extension, Kind::LeakyAnds, Kind::PublicBits];
            let messages = [0, 1, 2].map(|i: usize| (kinds[i], &own[i][..]));
            let expected = messages.map(|(kind, own)| (kind, own.len()));
            link.send_all(messages, MULTIPLYING)?;
            let next = pieces.next();
            wipe::far_below(|| self.draw(shape, next, shares, masks, &mut own[0]));
            let [(drawn, bits), (made, g), (opened, d)] = expected;
            let message = link.receive_frame(drawn, bits, MULTIPLYING)?;
            if let Some(piece) = last[0] {
                wipe::far_below(|| self.bits.complete(shape.drawn(piece), message, shares))
                    .map_err(|error| link.transfer_failed(error))?;
                if shape.is_first(piece) {
                    append_inputs(&mut shares.key, piece, &masks.keys);
                }
            }
            let message = link.receive_frame(made, g, MULTIPLYING)?;
            let l = &mut self.l[0];
            let new = last[1].map(|piece| {
                wipe::far_below(|| self.hash.receive(shares, piece, l, message));
                pack_labels(l, leaky::correction)
            });
            let message = link.receive_frame(opened, d, MULTIPLYING)?;
            if let Some(piece) = last[2] {
                let d = &mut own[2];
                d.iter_mut().zip(message).for_each(|(own, theirs)| *own ^= theirs);
                wipe::far_below(|| {
                    add_public(&mut self.l[1], offset, d);
                    digest.add_all(&self.l[1]);
                    correct(piece, shares, offset, d);
                });
            }
            own[2] = new.unwrap_or_default();
            self.l.swap(0, 1);
            last = [next, last[0], last[1]];
        }
        self.messages = own;
        Ok(digest.finish())
    }

    /// Draws the bits of a piece, if there is one, and replaces `message` by that for the peer.
    fn draw(
        &mut self,
        shape: Shape,
        piece: Option<Piece>,
        shares: &mut Shares,
        masks: &Masks,
        message: &mut Vec<u8>,
    ) {
        let Some(piece) = piece else { return message.clear() };
        self.bits.draw(shape.drawn(piece), shares, message);
        if shape.is_first(piece) {
            append_inputs(&mut shares.mac, piece, &masks.macs);
        }
    }

    /// Compares the leaky ANDs, draws the buckets, and combines them.
    fn combine(
        &mut self,
        link: &mut Link<'_>,
        shape: Shape,
        (shares, compared): (&Shares, [u8; DIGEST_BYTES]),
        masks: &mut Masks,
        stopped: &Stopped,
    ) -> Result<(), SessionError> {
        let mut coins = self.compare(link, &compared)?;
        let shifts = shifts(shape, &mut coins);
        let buckets = |labels| Buckets { shape, shifts: &shifts, labels };
        let delta = self.bits.delta().label();

        // All shares of the window are fixed, and the number was not known before.
        let number = coins.number();
        let proof = |opener, message| Proof::Universal { number, opener, message };
        for (message, block) in shape.blocks().enumerate() {
            let message = wipe::far_below(|| {
                buckets(&shares.mac).open(block, &masks.macs, &mut self.opened);
                opening::open(&self.opened, proof(self.party, message))
            });
            link.send(Kind::Shares, &message, OPENING)?;
        }
        let inputs = self.send_inputs(link, stopped)?;
        for (message, block) in shape.blocks().enumerate() {
            let bytes = message_bytes(shape.layers * block.len());
            let received = link.receive(Kind::Shares, bytes, OPENING)?;
            let proof = proof(self.party.other(), message);
            let values = wipe::far_below(|| {
                buckets(&shares.key).open(block.clone(), &masks.keys, &mut self.opened);
                opened(&mut self.opened, delta, &received, proof)
            });
            let values = values.ok_or_else(|| link.cheated(OPENED))?;
            buckets(&shares.key).add_products(block.clone(), &values, &mut masks.keys);
            buckets(&shares.mac).add_products(block, &values, &mut masks.macs);
        }
        masks.inputs = self.receive_inputs(link, inputs)?;
        Ok(())
    }

    /// Opens the masks of the peer's input bits. Returns the keys of those of this party.
    ///
    /// Both parties send before they receive, so they would wait for each other if a window had
    /// more of both than channels buffer: see [`MOST_INPUTS`].
    fn send_inputs(
        &mut self,
        link: &mut Link<'_>,
        stopped: &Stopped,
    ) -> Result<Labels, SessionError> {
        // Full capacity at once: a vector that grows leaves copies behind.
        let theirs = stopped.inputs_of(self.party.other()).map(|input| input.mac);
        let mut macs = Labels::new(Vec::with_capacity(theirs.clone().count()));
        macs.extend(theirs);
        let mine = stopped.inputs_of(self.party).map(|input| input.key);
        let mut keys = Labels::new(Vec::with_capacity(mine.clone().count()));
        keys.extend(mine);
        if macs.len().min(keys.len()) > MOST_INPUTS {
            return Err(SessionError::Usage(format!(
                "both parties have more than {MOST_INPUTS} input bits in one window of ANDs, which a \
                 malicious session does not take; let the program read them over more cycles"
            )));
        }
        if !macs.is_empty() {
            let message = wipe::far_below(|| opening::open(&macs, Proof::Digest));
            link.send(Kind::Shares, &message, OPENING)?;
        }
        link.flush(OPENING)?;
        Ok(keys)
    }

    /// The masks of this party's input bits, which the peer opens.
    fn receive_inputs(
        &self,
        link: &mut Link<'_>,
        mut keys: Labels,
    ) -> Result<Zeroizing<Vec<bool>>, SessionError> {
        if keys.is_empty() {
            return Ok(Zeroizing::default());
        }
        let received = link.receive(Kind::Shares, message_bytes(keys.len()), OPENING)?;
        let delta = self.bits.delta().label();
        let values = wipe::far_below(|| opened(&mut keys, delta, &received, Proof::Digest));
        let values = values.ok_or_else(|| link.cheated(OPENED))?;
        Ok(Zeroizing::new(values.iter().map(|value| *value == 1).collect()))
    }

    /// Compares a digest with the peer's, and draws joint coins. Both parties commit to both before
    /// either opens them.
    fn compare(
        &mut self,
        link: &mut Link<'_>,
        digest: &[u8; DIGEST_BYTES],
    ) -> Result<Coins, SessionError> {
        let coin = random::<COIN_BYTES>()?;
        let value = Zeroizing::new([&coin[..], digest].concat());
        let (commitment, opening) =
            self.commitments.commit(&value).map_err(|error| link.transfer_failed(error))?;
        let theirs = link.exchange(Kind::Commitment, &commitment, COMMITMENT_BYTES, COMPARING)?;
        let bytes = opening_bytes(value.len());
        let received = link.exchange(Kind::Opening, &opening, bytes, COMPARING)?;
        let value = self.commitments.open(&theirs, &received);
        let value = value.ok_or_else(|| link.cheated("its commitment"))?;
        let (theirs, other) = value.split_at(COIN_BYTES);
        match opening::equal(digest, other) {
            true => Ok(coins_of(&self.session, self.party, &*coin, theirs)),
            false => Err(link.cheated("the comparison of leaky ANDs")),
        }
    }
}

fn coins_of(session: &SessionId, party: Party, own: &[u8], theirs: &[u8]) -> Coins {
    match party {
        Party::Garbler => Coins::new(session, own, theirs),
        Party::Evaluator => Coins::new(session, theirs, own),
    }
}

/// A message of bits is one frame.
const _: () = {
    let bytes = transfers_bytes(OtMode::Malicious, OtField::One, 3 * LEAKY_AT_ONCE);
    assert!(bytes <= MAX_PAYLOAD && LEAKY_AT_ONCE * G_BYTES <= MAX_PAYLOAD);
};

const MULTIPLYING: &str = "making leaky ANDs";
const COMPARING: &str = "comparing leaky ANDs";
const OPENING: &str = "combining leaky ANDs";
const OPENED: &str = "the MACs of its opened bits";
