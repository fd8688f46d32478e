//! Opens authenticated bits to the peer: the own shares, and one digest of their MACs.
//!
//! The peer knows what each MAC must be for the share that was sent. A wrong share would need
//! another MAC, which differs by the peer's Δ: whoever sends one guesses 126 bits.
//!
//! The bits of buckets are many. Their digest is one of a universal hash of the MACs
//! ([`crate::universal`]), at a point that depends on the shares and on a joint random number. The
//! number must be drawn after the shares are fixed: the receiver of a transfer chooses them. Then
//! the shares that it sends instead are the only choice it has, and the right universal hash
//! differs by a sum of powers of the point, times Δ. The sum is zero with probability n·2^-128 for
//! each list of n shares that a party tries. The universal hash itself is not sent, since it could
//! tell the peer a sum of MACs that it does not know.

use crate::universal::Universal;
use halfgate_circuit::Party;
use halfgate_engine::Label;
use halfgate_engine::wipe::Buffer;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a digest.
pub(crate) const DIGEST_BYTES: usize = 32;

/// A digest of secret labels. Wiped on drop.
pub(crate) struct LabelDigest {
    hasher: blake3::Hasher,
    /// Labels that are hashed next. It is not on the stack, of which too much would be used.
    buffer: Buffer,
}

/// Bytes that are hashed side by side.
const AT_ONCE: usize = 16 << 10;

impl LabelDigest {
    /// Of no labels yet, for one purpose.
    pub fn new(purpose: &'static str) -> LabelDigest {
        let hasher = blake3::Hasher::new_derive_key(purpose);
        LabelDigest { hasher, buffer: Buffer::new(AT_ONCE) }
    }

    /// Adds labels.
    pub fn add(&mut self, labels: impl IntoIterator<Item = Label>) {
        let mut used = 0;
        for label in labels {
            self.buffer[used..used + 16].copy_from_slice(&label.to_bytes());
            used += 16;
            if used == AT_ONCE {
                self.hasher.update(&self.buffer);
                used = 0;
            }
        }
        self.hasher.update(&self.buffer[..used]);
    }

    /// Adds labels that lie side by side.
    pub fn add_all(&mut self, labels: &[Label]) {
        for labels in labels.chunks(AT_ONCE / 16) {
            let bytes = &mut self.buffer[..16 * labels.len()];
            let (rows, _) = bytes.as_chunks_mut::<16>();
            for (bytes, label) in rows.iter_mut().zip(labels) {
                *bytes = label.to_bytes();
            }
            self.hasher.update(bytes);
        }
    }

    /// The digest.
    pub fn finish(&self) -> [u8; DIGEST_BYTES] {
        let mut reader = self.hasher.finalize_xof();
        let mut digest = [0; DIGEST_BYTES];
        reader.fill(&mut digest);
        reader.zeroize();
        digest
    }
}

impl Drop for LabelDigest {
    fn drop(&mut self) {
        self.hasher.zeroize();
    }
}

/// Whether two digests are equal; takes the same time whatever they are.
pub(crate) fn equal(own: &[u8; DIGEST_BYTES], theirs: &[u8]) -> bool {
    #[cfg(test)]
    if crate::cheating::inside().is_reckless {
        return true;
    }
    own.ct_eq(theirs).into()
}

/// Bytes of the message that opens `count` bits.
pub(crate) const fn message_bytes(count: usize) -> usize {
    count.div_ceil(8) + DIGEST_BYTES
}

/// How opened bits are proven.
#[derive(Clone, Copy)]
pub(crate) enum Proof {
    /// By a digest of all MACs.
    Digest,
    /// By their universal hash.
    Universal {
        /// A joint random number that was drawn after the shares were fixed.
        number: u128,
        /// The party that opens.
        opener: Party,
        /// Which of its messages under this number.
        message: usize,
    },
}

/// The message that opens the bits with these MACs.
pub(crate) fn open(macs: &[Label], proof: Proof) -> Vec<u8> {
    let mut message = pack_labels(macs, Label::colour);
    let proof = proof.of(macs, &message);
    message.extend_from_slice(&proof);
    message
}

/// The values of the bits with these keys, 0 or 1, from the peer's message; `None` if it does not
/// prove that the shares are those of the peer. `delta` is the own offset. Replaces the keys by
/// what the peer's MACs must be.
pub(crate) fn opened(
    keys: &mut [Label],
    delta: Label,
    message: &[u8],
    proof: Proof,
) -> Option<Zeroizing<Vec<u8>>> {
    let (shares, theirs) = message.split_at_checked(keys.len().div_ceil(8))?;
    let unused = 8 * shares.len() - keys.len();
    if shares.last().is_some_and(|last| u16::from(*last) >> (8 - unused) != 0) {
        return None;
    }
    let mut values = Zeroizing::new(Vec::with_capacity(keys.len()));
    for (keys, shares) in keys.chunks_mut(8).zip(shares) {
        for (place, key) in keys.iter_mut().enumerate() {
            let value = key.to_u128() as u8 & 1 ^ shares >> place & 1;
            values.push(value);
            // A mask of an own input or output is secret.
            *key ^= delta.masked(value == 1);
        }
    }
    equal(&proof.of(keys, shares), theirs).then_some(values)
}

impl Proof {
    /// The proof of the MACs of packed shares.
    pub(super) fn of(self, macs: &[Label], shares: &[u8]) -> [u8; DIGEST_BYTES] {
        let Some(point) = self.point(shares) else {
            let mut digest = LabelDigest::new("halfgate 1 opened authenticated bits");
            digest.add_all(macs);
            return digest.finish();
        };
        let mut hash = Universal::new(point);
        hash.add(macs);
        let mut digest = LabelDigest::new("halfgate 1 universal hash of opened bits");
        digest.add([Label::from_bytes(*hash.finish())]);
        digest.finish()
    }

    /// The point of the universal hash for packed shares.
    pub(super) fn point(self, shares: &[u8]) -> Option<[u8; 16]> {
        let Proof::Universal { number, opener, message } = self else { return None };
        let mut hasher = blake3::Hasher::new_derive_key("halfgate 1 point of opened bits");
        hasher.update(&number.to_le_bytes());
        hasher.update(&[(opener == Party::Evaluator) as u8]);
        hasher.update(&(message as u64).to_le_bytes());
        hasher.update(shares);
        let mut point = [0; 16];
        hasher.finalize_xof().fill(&mut point);
        Some(point)
    }
}

/// Packs bits into bytes; bit j is bit `j % 8` of byte `j / 8`.
pub(crate) fn pack(bits: impl IntoIterator<Item = bool>) -> Vec<u8> {
    let mut bits = bits.into_iter();
    let mut bytes = Vec::with_capacity(bits.size_hint().0.div_ceil(8));
    loop {
        let mut byte = 0;
        for place in 0..8 {
            match bits.next() {
                Some(bit) => byte |= u8::from(bit) << place,
                None if place == 0 => return bytes,
                None => {
                    bytes.push(byte);
                    return bytes;
                }
            }
        }
        bytes.push(byte);
    }
}

/// Packs a bit of each label.
pub(crate) fn pack_labels(labels: &[Label], bit: impl Fn(Label) -> bool) -> Vec<u8> {
    let byte = |labels: &[Label]| {
        let bits = (0..).zip(labels);
        bits.fold(0, |byte, (place, label)| byte | u8::from(bit(*label)) << place)
    };
    labels.chunks(8).map(byte).collect()
}

/// Adds `delta` to the labels whose packed bits are set. The bits are public.
pub(crate) fn add_public(labels: &mut [Label], delta: Label, bits: &[u8]) {
    for (labels, byte) in labels.chunks_mut(8).zip(bits) {
        for (place, label) in labels.iter_mut().enumerate() {
            *label ^= delta.masked_publicly(byte >> place & 1 == 1);
        }
    }
}

/// Bit j of packed bits.
pub(crate) fn bit(bytes: &[u8], j: usize) -> bool {
    bytes[j / 8] >> (j % 8) & 1 == 1
}
