//! Opens authenticated bits to the peer: the own shares, and one digest of their MACs.
//!
//! The peer knows what each MAC must be for the share that was sent. A wrong share would need
//! another MAC, which differs by the peer's Δ: whoever sends one guesses 126 bits.

use halfgate_engine::Label;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a digest.
pub(crate) const DIGEST_BYTES: usize = 32;

/// A digest of secret labels. Wiped on drop.
pub(crate) struct LabelDigest(blake3::Hasher);

impl LabelDigest {
    /// Of no labels yet, for one purpose.
    pub fn new(purpose: &'static str) -> LabelDigest {
        LabelDigest(blake3::Hasher::new_derive_key(purpose))
    }

    /// Adds labels.
    pub fn add(&mut self, labels: impl IntoIterator<Item = Label>) {
        // As many bytes as are hashed side by side.
        let mut bytes = [0; 16 << 10];
        let mut used = 0;
        for label in labels {
            bytes[used..used + 16].copy_from_slice(&label.to_bytes());
            used += 16;
            if used == bytes.len() {
                self.0.update(&bytes);
                used = 0;
            }
        }
        self.0.update(&bytes[..used]);
        bytes.zeroize();
    }

    /// The digest.
    pub fn finish(&self) -> [u8; DIGEST_BYTES] {
        let mut reader = self.0.finalize_xof();
        let mut digest = [0; DIGEST_BYTES];
        reader.fill(&mut digest);
        reader.zeroize();
        digest
    }
}

impl Drop for LabelDigest {
    fn drop(&mut self) {
        self.0.zeroize();
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

const PURPOSE: &str = "halfgate 1 opened authenticated bits";

/// The message that opens the bits with these MACs.
pub(crate) fn open(macs: impl IntoIterator<Item = Label> + Clone) -> Vec<u8> {
    let mut message = pack(macs.clone().into_iter().map(Label::colour));
    let mut digest = LabelDigest::new(PURPOSE);
    digest.add(macs);
    message.extend_from_slice(&digest.finish());
    message
}

/// The values of the bits with these keys, from the peer's message; `None` if it does not prove
/// that the shares are those of the peer. `delta` is the own offset.
pub(crate) fn opened(
    keys: impl IntoIterator<Item = Label>,
    delta: Label,
    message: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let (bits, theirs) = message.split_at(message.len().checked_sub(DIGEST_BYTES)?);
    let mut digest = LabelDigest::new(PURPOSE);
    let mut values = Zeroizing::new(Vec::with_capacity(8 * bits.len()));
    let shares = bits.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    digest.add(keys.into_iter().zip(shares).map(|(key, share)| {
        let value = key.colour() as u8 ^ share;
        values.push(value);
        // A mask of an own input or output is secret.
        key ^ delta.masked(value == 1)
    }));
    equal(&digest.finish(), theirs).then_some(values)
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

/// Bit j of packed bits.
pub(crate) fn bit(bytes: &[u8], j: usize) -> bool {
    bytes[j / 8] >> (j % 8) & 1 == 1
}
