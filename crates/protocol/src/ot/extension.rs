//! OT extension: from 128 base OTs any number of OTs correlated by Δ, after Ishai, Kilian, Nissim
//! and Petrank (CRYPTO 2003), in the direction-reversing form with pseudo-random columns of
//! Asharov, Lindell, Schneider and Zohner (CCS 2013) and without their final hash.
//!
//! Base OT i left the evaluator with two keys and the garbler with that one which bit i of Δ
//! names. With G the key's AES-128 stream in counter mode and x the choices, column i is
//!
//! - evaluator: `t = G(key0)`, and it sends `u = G(key0) ^ G(key1) ^ x`;
//! - garbler: `q = G(key) ^ Δ_i·u`, which is `t ^ Δ_i·x`.
//!
//! Transposed, row j is the garbler's false label `q_j` and the evaluator's `t_j = q_j ^ x_j·Δ`.
//! The keys' streams go on from call to call, so no part of them is used twice.
//!
//! Rows are padded to a multiple of 128 with random choices. They are worked on in chunks of
//! 1,024, whose columns stay in the first-level cache. A chunk of b blocks of 128 rows is sent as
//! 128 columns of 16b bytes, bit j of a column being bit j % 8 of byte j / 8; only the last chunk
//! of a message has less than 8 blocks. In malicious mode one block of random choices comes behind
//! all others, and the answer to the consistency check ([`super::check`]) behind the columns.
//!
//! # Memory
//!
//! A call holds its message and its labels, 16 bytes a transfer each; the evaluator in malicious
//! mode 16 more. Callers with many inputs make many calls (2^16 transfers each, say).

use super::base::{BASE_OTS, SeedPairs, Seeds, check_length};
use super::check::{ANSWER_BYTES, ColumnHash, answer_is_right, challenge};
use super::transpose::{BLOCKS, Columns, ROWS, transpose};
use super::{OtError, OtMode, SessionId, fill_random};
use aes::Aes128Enc;
use aes::cipher::{Block, BlockEncrypt, KeyInit};
use halfgate_engine::{Delta, Label};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Bytes that one block of 128 rows takes in a message.
const BLOCK_BYTES: usize = 128 * 128 / 8;

/// The bytes of the message for `count` transfers: 16 a transfer, rounded up to 128 transfers, and
/// in malicious mode 4,112 more. None for no transfer.
pub const fn message_bytes(mode: OtMode, count: usize) -> usize {
    let answer = if matches!(mode, OtMode::Malicious) && count > 0 { ANSWER_BYTES } else { 0 };
    blocks(mode, count) * BLOCK_BYTES + answer
}

const fn blocks(mode: OtMode, count: usize) -> usize {
    let check = matches!(mode, OtMode::Malicious) && count > 0;
    count.div_ceil(128) + check as usize
}

/// The garbler's side.
pub struct ExtensionSender {
    mode: OtMode,
    session: SessionId,
    delta: Delta,
    streams: Vec<Stream>,
    batch: u64,
    produced: u64,
    failed: bool,
}

/// The evaluator's side.
pub struct ExtensionReceiver {
    mode: OtMode,
    session: SessionId,
    streams: Vec<[Stream; 2]>,
    batch: u64,
    produced: u64,
    /// For the test of the consistency check: flips the first choice in this column.
    #[cfg(test)]
    pub(super) lie_in_column: Option<usize>,
}

impl ExtensionSender {
    /// The sender behind its base OTs; the offset is the Δ that they were chosen by.
    pub fn new(mode: OtMode, seeds: &Seeds) -> ExtensionSender {
        ExtensionSender {
            mode,
            session: seeds.session,
            delta: Delta::new(Label::from_u128(seeds.choices)),
            streams: seeds.keys.iter().map(Stream::new).collect(),
            batch: 0,
            produced: 0,
            failed: false,
        }
    }

    /// The offset between the two labels of every transfer.
    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    /// Transfers made so far: the number of the next one, for [`super::RandomOtHash`].
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Appends the false labels of `count` transfers to `labels`, from the evaluator's `message`
    /// of [`message_bytes`] bytes.
    ///
    /// # Errors
    /// [`OtError::Length`]; in malicious mode [`OtError::Inconsistent`], after which every call
    /// gives [`OtError::Failed`]. `labels` is then as before.
    pub fn extend(
        &mut self,
        count: usize,
        message: &[u8],
        labels: &mut Vec<Label>,
    ) -> Result<(), OtError> {
        if self.failed {
            return Err(OtError::Failed);
        }
        let expected = message_bytes(self.mode, count);
        check_length("the evaluator", "extension message", expected, message)?;
        if count == 0 {
            return Ok(());
        }
        let (columns_sent, answer) = message.split_at(blocks(self.mode, count) * BLOCK_BYTES);
        let mut hash = (self.mode == OtMode::Malicious)
            .then(|| ColumnHash::new(challenge(&self.session, self.batch, count, columns_sent)));

        let before = labels.len();
        let mut chunk = Chunk::new();
        for sent in columns_sent.chunks(BLOCKS * BLOCK_BYTES) {
            let width = sent.len() / 128;
            for (i, column) in chunk.columns.iter_mut().enumerate() {
                self.streams[i].fill(column);
                let chosen = ((self.delta.label().to_u128() >> i) as u64 & 1).wrapping_neg();
                let sent = sent[i * width..][..width].chunks_exact(8);
                for (word, sent) in column.iter_mut().zip(sent) {
                    *word ^= chosen & read_word(sent);
                }
                if let Some(hash) = &mut hash {
                    hash.update(i, &column[..width / 8]);
                }
            }
            chunk.append_rows(count - (labels.len() - before), labels);
        }
        if let Some(hash) = hash
            && !answer_is_right(&hash.finish(), &self.delta, answer)
        {
            self.failed = true;
            labels[before..].iter_mut().for_each(Zeroize::zeroize);
            labels.truncate(before);
            return Err(OtError::Inconsistent { batch: self.batch });
        }
        self.batch += 1;
        self.produced += count as u64;
        Ok(())
    }
}

impl ExtensionReceiver {
    /// The receiver behind its base OTs.
    pub fn new(mode: OtMode, seeds: &SeedPairs) -> ExtensionReceiver {
        ExtensionReceiver {
            mode,
            session: seeds.session,
            streams: seeds.pairs.iter().map(|pair| pair.each_ref().map(Stream::new)).collect(),
            batch: 0,
            produced: 0,
            #[cfg(test)]
            lie_in_column: None,
        }
    }

    /// Transfers made so far: the number of the next one, for [`super::RandomOtHash`].
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Makes `count` transfers with the given choices (packed: transfer j's is bit j % 8 of byte
    /// j / 8; bits behind the last are ignored). Appends [`message_bytes`] bytes for the garbler to
    /// `message` and the chosen labels to `labels`.
    ///
    /// # Errors
    /// [`OtError::Choices`] where `choices` is too short, [`OtError::Random`].
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
        let choices = pad_choices(choices, count, blocks(self.mode, count))?;
        // Room for all at once: a vector that grows leaves what it held behind, unwiped.
        let mut kept = Zeroizing::new(match self.mode {
            OtMode::SemiHonest => Vec::new(),
            OtMode::Malicious => Vec::with_capacity(choices.len().div_ceil(2 * BLOCKS)),
        });
        let before = labels.len();
        let message_start = message.len();
        message.reserve(message_bytes(self.mode, count));
        let mut chunk = Chunk::new();
        for choices in choices.chunks(2 * BLOCKS) {
            let mut other = Zeroizing::new([0; 2 * BLOCKS]);
            for (column, [zero, one]) in chunk.columns.iter_mut().zip(&mut self.streams) {
                zero.fill(column);
                one.fill(&mut other);
                let mut bytes = [0; 16 * BLOCKS];
                let words = column.iter().zip(&*other).zip(choices);
                for (bytes, ((t, other), choice)) in bytes.chunks_exact_mut(8).zip(words) {
                    bytes.copy_from_slice(&(t ^ other ^ choice).to_le_bytes());
                }
                message.extend_from_slice(&bytes[..8 * choices.len()]);
            }
            #[cfg(test)]
            if let Some(column) = self.lie_in_column {
                let chunk_bytes = 128 * 8 * choices.len();
                let at = message.len() - chunk_bytes + column * 8 * choices.len();
                message[at] ^= 1;
            }
            if self.mode == OtMode::Malicious {
                kept.push(*chunk.columns);
            }
            chunk.append_rows(count - (labels.len() - before), labels);
        }
        if self.mode == OtMode::Malicious {
            let sent = &message[message_start..];
            let mut hash = ColumnHash::new(challenge(&self.session, self.batch, count, sent));
            for (columns, choices) in kept.iter().zip(choices.chunks(2 * BLOCKS)) {
                for (i, column) in columns.iter().enumerate() {
                    hash.update(i, &column[..choices.len()]);
                }
                hash.update(BASE_OTS, choices);
            }
            message.extend_from_slice(hash.finish().as_flattened());
        }
        self.batch += 1;
        self.produced += count as u64;
        Ok(())
    }
}

/// The choices as words, 128 bits a block, with random ones behind the first `count`.
fn pad_choices(
    choices: &[u8],
    count: usize,
    blocks: usize,
) -> Result<Zeroizing<Vec<u64>>, OtError> {
    let mut bytes = Zeroizing::new(vec![0; 16 * blocks]);
    fill_random(&mut bytes[count / 8..])?;
    bytes[..count / 8].copy_from_slice(&choices[..count / 8]);
    if !count.is_multiple_of(8) {
        let given = (1_u8 << (count % 8)) - 1;
        let byte = &mut bytes[count / 8];
        *byte = *byte & !given | choices[count / 8] & given;
    }
    Ok(Zeroizing::new(bytes.chunks_exact(8).map(read_word).collect()))
}

fn read_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The pseudo-random bits of one column: AES-128 in counter mode. The cipher wipes its key.
struct Stream {
    cipher: Aes128Enc,
    next: u64,
}

impl Stream {
    fn new(key: &[u8; 16]) -> Stream {
        Stream { cipher: Aes128Enc::new(key.into()), next: 0 }
    }

    /// The next [`BLOCKS`] blocks.
    #[inline]
    fn fill(&mut self, column: &mut [u64; 2 * BLOCKS]) {
        let mut blocks = [Block::<Aes128Enc>::default(); BLOCKS];
        for block in &mut blocks {
            block[..8].copy_from_slice(&self.next.to_le_bytes());
            self.next += 1;
        }
        self.cipher.encrypt_blocks(&mut blocks);
        for (words, block) in column.chunks_exact_mut(2).zip(&blocks) {
            let value = u128::from_le_bytes((*block).into());
            words.copy_from_slice(&[value as u64, (value >> 64) as u64]);
        }
    }
}

/// The columns and rows being worked on. Wiped on drop.
struct Chunk {
    columns: Box<Columns>,
    rows: Box<[u128; ROWS]>,
}

impl Chunk {
    fn new() -> Chunk {
        Chunk { columns: Box::new([[0; 2 * BLOCKS]; 128]), rows: Box::new([0; ROWS]) }
    }

    /// Transposes the columns and appends the rows to `labels`, `wanted` at most.
    fn append_rows(&mut self, wanted: usize, labels: &mut Vec<Label>) {
        transpose(&mut self.columns, &mut self.rows);
        let rows = &self.rows[..wanted.min(ROWS)];
        labels.extend(rows.iter().map(|&row| Label::from_u128(row)));
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        self.columns.as_flattened_mut().zeroize();
        self.rows.zeroize();
    }
}

impl fmt::Debug for ExtensionSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionSender({}, {} made)", self.mode, self.produced)
    }
}

impl fmt::Debug for ExtensionReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionReceiver({}, {} made)", self.mode, self.produced)
    }
}
