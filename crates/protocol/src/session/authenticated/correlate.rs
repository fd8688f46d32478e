//! The correlations of a session: authenticated bits, and the products of masks for the ANDs of a
//! window. Both parties run the same code.

use super::cost::LEAKY_AT_ONCE;
use super::draw::draw;
use super::link::Link;
use super::shares::{ShareWalks, Stopped};
use crate::correlations::bits::{BitSource, SetUp, offset_of};
use crate::correlations::buckets::{Buckets, Shape, append_inputs, correct, shifts};
use crate::correlations::coins::{COMMITMENT_BYTES, Coins, Commitments, opening_bytes};
use crate::correlations::leaky::{self, G_BYTES};
use crate::correlations::opening::{self, DIGEST_BYTES, LabelDigest, add_public, pack_labels};
use crate::correlations::{Labels, Shares, restart};
use crate::frame::Kind;
use crate::handshake::Agreement;
use crate::ot::{CHALLENGE_BYTES, OPENING_BYTES, SessionId, tree_bytes};
use crate::session::SessionError;
use crate::session::labels::random;
use halfgate_circuit::Party;
use halfgate_engine::{Delta, Label, kernels, wipe};
use zeroize::Zeroizing;

/// Bytes of a party's part of joint coins.
const COIN_BYTES: usize = 32;
/// Bytes of the base OTs' response.
const RESPONSE_BYTES: usize = 32;

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
    l: Labels,
    opened: [Labels; 2],
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
            l: Labels::default(),
            opened: Default::default(),
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
        draw(&mut self.bits, link, shape.bits_before(), &mut shares)?;
        let (keys, macs, stopped) = walks.window(&mut self.bits, link, shape.ands, &shares)?;
        append_inputs(&mut shares, [&keys, &macs]);
        draw(&mut self.bits, link, shape.bits_after(), &mut shares)?;
        let mut masks = Masks { keys, macs, inputs: Zeroizing::default() };
        let compared = self.leaky(link, shape, &mut shares)?;
        self.combine(link, shape, (&shares, compared), &mut masks, &stopped)?;
        self.shares = shares;
        Ok((masks, stopped))
    }

    /// Makes all leaky ANDs of a window. Returns the digest that both parties must have.
    fn leaky(
        &mut self,
        link: &mut Link<'_>,
        shape: Shape,
        shares: &mut Shares,
    ) -> Result<[u8; DIGEST_BYTES], SessionError> {
        let places = shape.places();
        let delta = self.bits.delta();
        let all = &mut self.l;
        restart(all, places.count);
        all.resize(places.count, Label::ZERO);
        let mut message = Vec::with_capacity(LEAKY_AT_ONCE.min(places.count) * G_BYTES);
        let mut first = 0;
        while first < places.count {
            let range = first..places.count.min(first + LEAKY_AT_ONCE);
            let l = &mut all[range.clone()];
            message.clear();
            wipe::far_below(|| {
                self.hash.send(shares, &places, range.clone(), delta, l, &mut message);
            });
            let theirs = range.len() * G_BYTES;
            let received = link.exchange(Kind::LeakyAnds, &message, theirs, MULTIPLYING)?;
            wipe::far_below(|| self.hash.receive(shares, &places, range.clone(), l, &received));
            first = range.end;
        }
        let own = pack_labels(all, leaky::correction);
        let theirs = link.exchange(Kind::PublicBits, &own, own.len(), MULTIPLYING)?;
        let d: Vec<u8> = own.iter().zip(&theirs).map(|(own, theirs)| own ^ theirs).collect();
        let mut digest = LabelDigest::new("halfgate 1 comparison of leaky ANDs");
        let delta = delta.label();
        add_public(all, delta, &d);
        digest.add_all(all);
        correct(shape, shares, delta, &d);
        Ok(digest.finish())
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

        let [keys, macs] = &mut self.opened;
        buckets(&shares.key).open(&masks.keys, keys);
        buckets(&shares.mac).open(&masks.macs, macs);
        let theirs = stopped.inputs_of(self.party.other()).map(|input| input.mac);
        wipe::reserve(macs, theirs.clone().count());
        macs.extend(theirs);
        let message = opening::open(macs);
        // Full capacity at once: a vector that grows leaves copies behind.
        let count = stopped.inputs_of(self.party).count();
        let mut mine = Zeroizing::new(Vec::with_capacity(count));
        mine.extend(stopped.inputs_of(self.party).map(|input| input.key));
        let count = keys.len() + mine.len();
        let theirs = opening::message_bytes(count);
        let received = link.exchange(Kind::Shares, &message, theirs, OPENING)?;
        let values = opening::opened(keys.iter().chain(mine.iter()).copied(), delta, &received)
            .ok_or_else(|| link.cheated("the MACs of its opened bits"))?;
        let (opened, inputs) = values[..count].split_at(keys.len());
        buckets(&shares.key).add_products(opened, &mut masks.keys);
        buckets(&shares.mac).add_products(opened, &mut masks.macs);
        masks.inputs = Zeroizing::new(inputs.iter().map(|value| *value == 1).collect());
        Ok(())
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

const MULTIPLYING: &str = "making leaky ANDs";
const COMPARING: &str = "comparing leaky ANDs";
const OPENING: &str = "combining leaky ANDs";
