//! The encryption of preprocessing files: chunks under ChaCha20-Poly1305.
//!
//! Each file has a key of its own, under which all its chunks are sealed. A chunk's nonce is its
//! number and whether it is the last one, so chunks cannot be moved, and none can be left out.

use super::format::{Header, KEY_SLOT};
use crate::session::SessionError;
use crate::session::labels::random;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Key, KeyInit, Nonce, Tag};
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a chunk's content. Only the last chunk has fewer.
pub(super) const CHUNK: usize = 1 << 16;
/// Bytes of a tag.
pub(super) const TAG: usize = 16;

/// What a preprocessing file is encrypted under. `Debug` shows no secret.
#[derive(Clone, Copy, Default)]
pub enum Protection<'k> {
    /// Nothing: whoever reads the file learns its secrets.
    #[default]
    None,
    /// The content of a key file: at least [`MIN_KEY_BYTES`] bytes that nobody can guess.
    Key(&'k [u8]),
    /// A passphrase, which is hashed by Argon2id with 64 MiB of memory.
    Passphrase(&'k [u8]),
}

/// Fewest bytes of a key file.
pub const MIN_KEY_BYTES: usize = 32;

/// Passes of Argon2id over its memory, and the memory in KiB.
const PASSES: u32 = 3;
const MEMORY_KIB: u32 = if cfg!(test) { 64 } else { 64 << 10 };

impl std::fmt::Debug for Protection<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Protection<'_> {
    /// The number in a file's header.
    pub(super) fn number(&self) -> u8 {
        match self {
            Protection::None => 0,
            Protection::Key(_) => 1,
            Protection::Passphrase(_) => 2,
        }
    }

    /// What unlocks the file, for messages.
    fn name(&self) -> &'static str {
        name_of(self.number()).unwrap_or("nothing")
    }

    /// Checks that the secret is long enough.
    ///
    /// # Errors
    /// [`SessionError::Usage`] if it is not.
    pub(super) fn check(&self) -> Result<(), SessionError> {
        match self {
            Protection::Key(key) if key.len() < MIN_KEY_BYTES => {
                let what = format!(
                    "the key file has {} bytes: use at least {MIN_KEY_BYTES} random ones",
                    key.len()
                );
                Err(SessionError::Usage(what))
            }
            Protection::Passphrase([]) => {
                Err(SessionError::Usage("the passphrase is empty".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The key that encrypts a file's key; `None` if it is not encrypted.
    fn key(&self, salt: &[u8; 32]) -> Result<Option<Zeroizing<[u8; 32]>>, SessionError> {
        let mut key = Zeroizing::new([0; 32]);
        match self {
            Protection::None => return Ok(None),
            Protection::Key(content) => {
                let mut hasher = blake3::Hasher::new_derive_key(KEY_FILE);
                hasher.update(salt).update(content);
                hasher.finalize_xof().fill(&mut *key);
                hasher.zeroize();
            }
            Protection::Passphrase(passphrase) => {
                let failed = |error| SessionError::Usage(format!("the passphrase: {error}"));
                let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).map_err(failed)?;
                let mut memory = Zeroizing::new(vec![Block::new(); params.block_count()]);
                Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
                    .hash_password_into_with_memory(passphrase, salt, &mut *key, &mut memory[..])
                    .map_err(failed)?;
            }
        }
        Ok(Some(key))
    }
}

/// What unlocks files of this number.
pub(super) fn name_of(number: u8) -> Option<&'static str> {
    ["nothing", "a key file", "a passphrase"].get(usize::from(number)).copied()
}

/// A file's key, and how its header stores it.
pub(super) struct FileKey {
    key: Zeroizing<[u8; 32]>,
    pub slot: Zeroizing<[u8; KEY_SLOT]>,
}

impl FileKey {
    /// A new key, encrypted under `protection`.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn new(protection: &Protection<'_>, salt: &[u8; 32]) -> Result<FileKey, SessionError> {
        let key = random::<32>()?;
        let mut slot = Zeroizing::new([0; KEY_SLOT]);
        slot[..32].copy_from_slice(&*key);
        if let Some(outer) = protection.key(salt)? {
            let (content, tag) = slot.split_at_mut(32);
            seal(&cipher(&outer), 0, true, content, tag);
        }
        Ok(FileKey { key, slot })
    }

    /// The key in a header; `None` if `protection` does not unlock it.
    ///
    /// # Errors
    /// If the passphrase cannot be hashed.
    pub fn unlock(
        protection: &Protection<'_>,
        salt: &[u8; 32],
        slot: Zeroizing<[u8; KEY_SLOT]>,
    ) -> Result<Option<FileKey>, SessionError> {
        let mut content = Zeroizing::new([0; 32]);
        content.copy_from_slice(&slot[..32]);
        if let Some(outer) = protection.key(salt)?
            && !open(&cipher(&outer), 0, true, &mut *content, &slot[32..])
        {
            return Ok(None);
        }
        Ok(Some(FileKey { key: content, slot }))
    }

    /// Seals the chunks of the file with this header.
    pub fn chunks(&self, header: &Header) -> Chunks {
        let mut hasher = blake3::Hasher::new_derive_key(CHUNKS);
        hasher.update(&*self.key).update(&self.slot[32..]).update(&header.authenticated());
        let mut key = Zeroizing::new([0; 32]);
        hasher.finalize_xof().fill(&mut *key);
        hasher.zeroize();
        Chunks { cipher: Box::new(cipher(&key)), number: 0 }
    }
}

/// Seals or opens the chunks of a file in order.
pub(super) struct Chunks {
    cipher: Box<ChaCha20Poly1305>,
    number: u64,
}

impl Chunks {
    /// Encrypts the next chunk in place, and appends its tag.
    pub fn seal(&mut self, last: bool, chunk: &mut Vec<u8>) {
        let mut tag = [0; TAG];
        seal(&self.cipher, self.number, last, chunk, &mut tag);
        chunk.extend_from_slice(&tag);
        self.number += 1;
    }

    /// Decrypts the next chunk in place, and removes its tag. Returns whether it is authentic.
    #[must_use]
    pub fn open(&mut self, last: bool, chunk: &mut Vec<u8>) -> bool {
        let Some(length) = chunk.len().checked_sub(TAG) else { return false };
        let (content, tag) = chunk.split_at_mut(length);
        let is_authentic = open(&self.cipher, self.number, last, content, tag);
        chunk.truncate(length);
        self.number += 1;
        is_authentic
    }

    /// Starts again with the first chunk.
    pub fn restart(&mut self) {
        self.number = 0;
    }
}

fn cipher(key: &[u8; 32]) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new(&Key::from(*key))
}

fn nonce(number: u64, last: bool) -> Nonce {
    let mut nonce = [0; 12];
    nonce[..8].copy_from_slice(&number.to_le_bytes());
    nonce[8] = last.into();
    Nonce::from(nonce)
}

fn seal(cipher: &ChaCha20Poly1305, number: u64, last: bool, content: &mut [u8], tag: &mut [u8]) {
    let made = cipher.encrypt_inout_detached(&nonce(number, last), &[], content.into());
    tag.copy_from_slice(&made.expect("a chunk is far below the cipher's limit of 256 GiB"));
}

fn open(
    cipher: &ChaCha20Poly1305,
    number: u64,
    last: bool,
    content: &mut [u8],
    tag: &[u8],
) -> bool {
    Tag::try_from(tag).is_ok_and(|tag| {
        cipher.decrypt_inout_detached(&nonce(number, last), &[], content.into(), &tag).is_ok()
    })
}

const KEY_FILE: &str = "halfgate 1 key file of preprocessing";
const CHUNKS: &str = "halfgate 1 chunks of a preprocessing file";
