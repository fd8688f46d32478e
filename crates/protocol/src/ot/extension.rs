//! OT extension: turns 128 base OTs into any number of OTs correlated by Δ. The protocol is
//! SoftSpoken (Roy, CRYPTO 2022, ePrint 2022/192) for q = 2^k, without its final hash. For k = 1 it
//! is that of Ishai, Kilian, Nissim and Petrank (CRYPTO 2003) with the pseudo-random columns of
//! Asharov, Lindell, Schneider and Zohner (CCS 2013).
//!
//! After [`super::tree`] the evaluator has q seeds for each of 128/k groups of columns. The garbler
//! has all of them except the seed whose number is the group's element of Δ, which is k bits of Δ.
//! Let u, v_j and w_j be the columns that [`super::columns`] defines for a group, and x the
//! choices. For bit j of the group's element of Δ the group's columns are:
//!
//! - evaluator: `t_j = v_j`, and it sends `u ^ x`, one column per group;
//! - garbler: `q_j = w_j ^ Δ_j·(u ^ x)`, which is `t_j ^ Δ_j·x`, since w_j is `v_j ^ Δ_j·u`.
//!
//! Transposed, row j is the garbler's false label `q_j` and the evaluator's `t_j = q_j ^ x_j·Δ`.
//! The seeds' streams continue from call to call, so no part of them is used twice.
//!
//! Rows are padded to a multiple of 128 with random choices. They are processed in chunks whose
//! columns stay in the second-level cache. A chunk of b blocks of 128 rows is sent as 128/k columns
//! of 16b bytes; bit j of a column is bit j % 8 of byte j / 8. b is 64, and in the last chunk of a
//! message at most 80. In malicious mode one block of random choices follows all others, and the
//! response to the consistency check ([`super::check`]) follows the columns.
//!
//! # Memory
//!
//! A call holds its message, 16/k bytes per transfer, and its labels, 16 bytes each. In malicious
//! mode the evaluator holds 16 more bytes per transfer, and keeps this memory for the next call.
//! Callers with many inputs make many calls (2^16 transfers each, say). The streams take 192 bytes
//! per seed: 1.5 MB with k = 8.

use super::base::{SeedPairs, Seeds, check_length};
use super::check::{ColumnHash, RESPONSE_BYTES, challenge, response_is_right};
use super::columns::{Scratch, Streams, chunks, reserve};
use super::tree;
use super::{BASE_OTS, OtError, OtField, OtMode, SessionId, fill_random, mask};
use halfgate_engine::{Delta, Label};
use halfgate_kernels::transpose::{Added, Spread};
use std::fmt;
use std::ops::Range;
use zeroize::{Zeroize, Zeroizing};

/// The bytes of the message for `count` transfers: 16/k per transfer, rounded up to 128 transfers,
/// plus 2,064 and 2,048/k in malicious mode. Zero for no transfers.
pub const fn message_bytes(mode: OtMode, field: OtField, count: usize) -> usize {
    let response = if matches!(mode, OtMode::Malicious) && count > 0 { RESPONSE_BYTES } else { 0 };
    blocks(mode, count) * block_bytes(field) + response
}

/// Bytes of a message for one block of 128 rows.
const fn block_bytes(field: OtField) -> usize {
    16 * field.groups()
}

const fn blocks(mode: OtMode, count: usize) -> usize {
    let check = matches!(mode, OtMode::Malicious) && count > 0;
    count.div_ceil(128) + check as usize
}

/// State that both sides of an extension have.
struct Common {
    mode: OtMode,
    field: OtField,
    session: SessionId,
    streams: Streams,
    scratch: Scratch,
    batch: u64,
    produced: u64,
}

impl Common {
    fn new(mode: OtMode, field: OtField, leaves: &tree::Leaves, first: usize) -> Common {
        Common {
            mode,
            field,
            session: leaves.session,
            streams: Streams::new(field, leaves, first),
            scratch: Scratch::new(),
            batch: 0,
            produced: 0,
        }
    }

    /// Starts the hashes of the columns of a message, given its `sent` part.
    fn hash(&self, count: usize, sent: &[u8]) -> ColumnHash {
        let point = challenge(&self.session, self.batch, count, sent);
        ColumnHash::new(point, blocks(self.mode, count))
    }

    fn count(&mut self, count: usize) {
        self.batch += 1;
        self.produced += count as u64;
    }
}

/// The garbler's side.
pub struct ExtensionSender {
    common: Common,
    delta: Delta,
    /// Δ once more.
    spread: Spread,
    failed: bool,
}

/// The evaluator's side.
pub struct ExtensionReceiver {
    common: Common,
    /// For the test of the consistency check: flips the first choice in this group of columns.
    #[cfg(test)]
    pub(super) lie_in_group: Option<usize>,
}

impl ExtensionSender {
    /// The sender after its base OTs, with the evaluator's `trees` of [`super::tree_bytes`] bytes.
    /// The offset is the Δ whose bits were the choices of the base OTs.
    ///
    /// # Errors
    /// [`OtError::Length`]. After [`OtError::Trees`] the connection must end, and Δ must not be
    /// used again.
    pub fn new(
        mode: OtMode,
        field: OtField,
        seeds: &Seeds,
        trees: &[u8],
    ) -> Result<ExtensionSender, OtError> {
        let leaves = tree::regrow(field, seeds, trees)?;
        let delta = Delta::new(Label::from_u128(seeds.choices));
        let spread = Spread::new(delta.label(), mask);
        let common = Common::new(mode, field, &leaves, 1);
        Ok(ExtensionSender { common, delta, spread, failed: false })
    }

    /// The offset between the two labels of every transfer.
    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    /// Transfers made so far: the number of the next one, for [`super::RandomOtHash`].
    pub fn produced(&self) -> u64 {
        self.common.produced
    }

    /// Appends the false labels of `count` transfers to `labels`, from the evaluator's `message`
    /// of [`message_bytes`] bytes.
    ///
    /// # Errors
    /// [`OtError::Length`]; in malicious mode [`OtError::Inconsistent`], after which every call
    /// returns [`OtError::Failed`]. `labels` is unchanged then.
    pub fn extend(
        &mut self,
        count: usize,
        message: &[u8],
        labels: &mut Vec<Label>,
    ) -> Result<(), OtError> {
        self.extend_with(None, count, message, labels)
    }

    /// Like [`extend`](ExtensionSender::extend), for a receiver that makes [random
    /// choices](ExtensionReceiver::extend_random), whose labels here have colour bit 0: clears the
    /// colour bit whatever the receiver does, and then adds Δ to each label whose bit of `shares`
    /// is set. Bit j of a block of `shares` belongs to row j of the same block.
    ///
    /// # Errors
    /// As for [`extend`](ExtensionSender::extend).
    ///
    /// # Panics
    /// If there are fewer shares than rows, those that pad the message among them.
    pub fn extend_shares(
        &mut self,
        shares: &[u128],
        count: usize,
        message: &[u8],
        labels: &mut Vec<Label>,
    ) -> Result<(), OtError> {
        assert!(shares.len() >= blocks(self.common.mode, count), "a share for each row");
        self.extend_with(Some(shares), count, message, labels)
    }

    fn extend_with(
        &mut self,
        shares: Option<&[u128]>,
        count: usize,
        message: &[u8],
        labels: &mut Vec<Label>,
    ) -> Result<(), OtError> {
        if self.failed {
            return Err(OtError::Failed);
        }
        let Common { mode, field, .. } = self.common;
        let expected = message_bytes(mode, field, count);
        check_length("the evaluator", "extension message", expected, message)?;
        if count == 0 {
            return Ok(());
        }
        let (sent, response) = message.split_at(blocks(mode, count) * block_bytes(field));
        let mut hash = (mode == OtMode::Malicious).then(|| self.common.hash(count, sent));
        let before = labels.len();
        reserve(labels, count);
        self.common.scratch.make(blocks(mode, count), false);
        for chunk in chunks(blocks(mode, count)) {
            let width = chunk.len();
            self.fill_columns(&sent[chunk.start * block_bytes(field)..], width);
            let scratch = &mut self.common.scratch;
            if let Some(hash) = &mut hash {
                for (i, column) in scratch.columns.chunks_exact(width).take(BASE_OTS).enumerate() {
                    hash.update(i, chunk.start, column);
                }
            }
            if shares.is_some() {
                // The first column has the colour bits.
                scratch.columns[..width].fill(0);
            }
            let choices = shares.map(|shares| &shares[chunk]);
            let added = choices.map(|choices| Added { offset: &self.spread, choices });
            scratch.append_rows((0, width), added, count - (labels.len() - before), labels);
        }
        if let Some(hash) = hash
            && !response_is_right(&hash.finish(), &self.delta, response)
        {
            self.failed = true;
            labels[before..].iter_mut().for_each(Zeroize::zeroize);
            labels.truncate(before);
            return Err(OtError::Inconsistent { batch: self.common.batch });
        }
        self.common.count(count);
        Ok(())
    }

    /// Computes the columns of a chunk of `width` blocks in the scratch memory. `sent` starts with
    /// this chunk's part of the message.
    fn fill_columns(&mut self, sent: &[u8], width: usize) {
        let Common { field, streams, scratch, .. } = &mut self.common;
        let (sent, _) = sent.as_chunks::<16>();
        let columns = scratch.columns[..BASE_OTS * width].chunks_exact_mut(field.bits() * width);
        for (group, (columns, sent)) in columns.zip(sent.chunks_exact(width)).enumerate() {
            streams.next(group, columns, &mut scratch.sum[..width], &mut scratch.folds);
            for (j, column) in columns.chunks_exact_mut(width).enumerate() {
                let chosen = mask(self.delta.label().to_u128() >> (group * field.bits() + j));
                for (block, sent) in column.iter_mut().zip(sent) {
                    *block ^= u128::from_le_bytes(*sent) & chosen;
                }
            }
        }
    }
}

impl ExtensionReceiver {
    /// The receiver after its base OTs. Also returns its trees of [`super::tree_bytes`] bytes,
    /// which are sent to the garbler with the base OTs' challenge.
    pub fn new(mode: OtMode, field: OtField, seeds: &SeedPairs) -> (ExtensionReceiver, Vec<u8>) {
        let (trees, leaves) = tree::grow(field, seeds);
        let receiver = ExtensionReceiver {
            common: Common::new(mode, field, &leaves, 0),
            #[cfg(test)]
            lie_in_group: None,
        };
        (receiver, trees)
    }

    /// Transfers made so far: the number of the next one, for [`super::RandomOtHash`].
    pub fn produced(&self) -> u64 {
        self.common.produced
    }

    /// Makes `count` transfers with the given choices (packed: transfer j's is bit `j % 8` of byte
    /// `j / 8`; bits after the last are ignored). Appends [`message_bytes`] bytes for the garbler
    /// to `message`, and the chosen labels to `labels`.
    ///
    /// # Errors
    /// [`OtError::Choices`] if `choices` is too short, [`OtError::Random`].
    pub fn extend(
        &mut self,
        choices: &[u8],
        count: usize,
        message: &mut Vec<u8>,
        labels: &mut Vec<Label>,
    ) -> Result<(), OtError> {
        if choices.len() < count.div_ceil(8) {
            return Err(OtError::Choices { count, got: choices.len() });
        }
        if count == 0 {
            return Ok(());
        }
        let blocks = blocks(self.common.mode, count);
        let choices = pad_choices(choices, count, blocks)?;
        let start = message.len();
        self.extend_with(Choices::Given(choices), count, (message, start), labels);
        Ok(())
    }

    /// Makes `count` transfers with choices that the seeds determine, which are pseudo-random to
    /// the sender. The choice of a transfer is the colour bit of its label here, and the colour bit
    /// of the sender's label is 0. Appends the chosen labels to `labels`, and replaces `message` by
    /// that for the sender.
    ///
    /// Bit 0 of Δ is set. So the sender lacks a seed x whose bit 0 is set, and the column v_0, in
    /// which that seed's stream is, looks random to it. The choices are that column: then `q_0 =
    /// t_0 ^ Δ_0·x` is zero. The column that is sent for the first group is the sum of the streams
    /// of even x, which the sender knows already.
    ///
    /// A sender that has chosen bit 0 of Δ as 0 would know all odd seeds, and so all choices. So
    /// the seeds must come from [`SeedPairs::require_first_choice`].
    ///
    /// Returns the choices, and those of the rows that pad the message: bit j of a block belongs to
    /// row j of the same block.
    pub fn extend_random(
        &mut self,
        count: usize,
        message: &mut Vec<u8>,
        labels: &mut Vec<Label>,
    ) -> Zeroizing<Vec<u128>> {
        let choices = Zeroizing::new(vec![0; blocks(self.common.mode, count)]);
        match count {
            0 => {
                message.clear();
                choices
            }
            _ => self.extend_with(Choices::Column(choices), count, (message, 0), labels),
        }
    }

    fn extend_with(
        &mut self,
        mut choices: Choices,
        count: usize,
        (message, start): (&mut Vec<u8>, usize),
        labels: &mut Vec<Label>,
    ) -> Zeroizing<Vec<u128>> {
        let Common { mode, field, .. } = self.common;
        let blocks = blocks(mode, count);
        let before = labels.len();
        reserve(labels, count);
        message.reserve((start + message_bytes(mode, field, count)).saturating_sub(message.len()));
        // Bytes that were there are overwritten.
        message.resize(start + blocks * block_bytes(field), 0);
        let sent = &mut message[start..];

        // In malicious mode all columns are kept, to be hashed when the challenge is known.
        let keeps = mode == OtMode::Malicious;
        self.common.scratch.make(blocks, keeps);
        for chunk in chunks(blocks) {
            let at = if keeps { chunk.start * BASE_OTS } else { 0 };
            let sent = &mut sent[chunk.start * block_bytes(field)..];
            self.fill_columns(at, &mut choices, chunk.clone(), sent);
            let wanted = count - (labels.len() - before);
            self.common.scratch.append_rows((at, chunk.len()), None, wanted, labels);
        }
        if keeps {
            let choices = choices.blocks();
            let mut hash = self.common.hash(count, &message[start..]);
            for chunk in chunks(blocks) {
                let (first, width) = (chunk.start, chunk.len());
                let columns = &self.common.scratch.columns[first * BASE_OTS..][..width * BASE_OTS];
                for (i, column) in columns.chunks_exact(width).enumerate() {
                    hash.update(i, first, column);
                }
                hash.update(BASE_OTS, first, &choices[chunk]);
            }
            message.extend_from_slice(hash.finish().as_flattened());
        }
        self.common.count(count);
        match choices {
            Choices::Given(blocks) | Choices::Column(blocks) => blocks,
        }
    }

    /// Computes the columns of the blocks `chunk`, from `at` on in the scratch memory. Writes the
    /// chunk's part of the message to the start of `sent`.
    fn fill_columns(
        &mut self,
        at: usize,
        choices: &mut Choices,
        chunk: Range<usize>,
        sent: &mut [u8],
    ) {
        let Common { field, streams, scratch, .. } = &mut self.common;
        let width = chunk.len();
        let columns = &mut scratch.columns[at..][..width * BASE_OTS];
        let columns = columns.chunks_exact_mut(field.bits() * width);
        let (sent, _) = sent.as_chunks_mut::<16>();
        for (group, (columns, sent)) in columns.zip(sent.chunks_exact_mut(width)).enumerate() {
            let sum = &mut scratch.sum[..width];
            streams.next(group, columns, sum, &mut scratch.folds);
            if let (Choices::Column(choices), 0) = (&mut *choices, group) {
                choices[chunk.clone()].copy_from_slice(&columns[..width]);
            }
            let choices = &choices.blocks()[chunk.clone()];
            for (sent, (sum, choice)) in sent.iter_mut().zip(sum.iter().zip(choices)) {
                *sent = (sum ^ choice).to_le_bytes();
            }
            #[cfg(test)]
            if self.lie_in_group == Some(group) {
                sent[0][0] ^= 1;
            }
        }
    }
}

/// The choices of a message, 128 bits per block. Wiped on drop.
enum Choices {
    Given(Zeroizing<Vec<u128>>),
    /// Those of the first column, filled chunk by chunk.
    Column(Zeroizing<Vec<u128>>),
}

impl Choices {
    fn blocks(&self) -> &[u128] {
        match self {
            Choices::Given(blocks) | Choices::Column(blocks) => blocks,
        }
    }
}

/// The choices, 128 bits per block, padded with random ones after the first `count`.
fn pad_choices(
    choices: &[u8],
    count: usize,
    blocks: usize,
) -> Result<Zeroizing<Vec<u128>>, OtError> {
    let mut bytes = Zeroizing::new(vec![0; 16 * blocks]);
    fill_random(&mut bytes[count / 8..])?;
    bytes[..count / 8].copy_from_slice(&choices[..count / 8]);
    if !count.is_multiple_of(8) {
        let given = (1_u8 << (count % 8)) - 1;
        let byte = &mut bytes[count / 8];
        *byte = *byte & !given | choices[count / 8] & given;
    }
    let (blocks, _) = bytes.as_chunks::<16>();
    Ok(Zeroizing::new(blocks.iter().map(|block| u128::from_le_bytes(*block)).collect()))
}

impl fmt::Debug for ExtensionSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionSender({}, {} made)", self.common.mode, self.common.produced)
    }
}

impl fmt::Debug for ExtensionReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionReceiver({}, {} made)", self.common.mode, self.common.produced)
    }
}
