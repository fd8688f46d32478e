//! Long-term identities: Ed25519 key pairs in files, handled as SSH handles its keys.
//!
//! The private key is a PKCS#8 PEM file that only its owner may read. The public key is beside it
//! in `NAME.pub`, as one line `halfgate-ed25519 BASE64 COMMENT`. Two people exchange that line, or
//! the fingerprint `SHA256:…`: the SHA-256 hash of the 32 bytes of the public key in base64 without
//! padding. There is no authority and no list of trusted keys; a run names the peer it expects.

use crate::private;
use base64ct::{Base64, Base64Unpadded, Encoding};
use halfgate_engine::wipe;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, fmt};
use zeroize::Zeroizing;

/// The key type, first in a public key line.
pub const KEY_TYPE: &str = "halfgate-ed25519";

/// The prefix of a fingerprint.
pub const FINGERPRINT_PREFIX: &str = "SHA256:";
const PEM_BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const PEM_END: &str = "-----END PRIVATE KEY-----";
/// Maximum length of a key file; longer files are rejected.
const MAX_FILE_BYTES: u64 = 16 << 10;

/// This side's key pair. The private part is wiped on drop and never shown.
pub struct Identity {
    pkcs8: Zeroizing<Vec<u8>>,
    public: PublicIdentity,
}

/// A public key and its owner's comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicIdentity {
    /// The Ed25519 public key.
    pub key: [u8; 32],
    /// Free text; not part of the identity.
    pub comment: String,
}

/// The SHA-256 hash of a public key: short enough to be read aloud.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

/// Why a key cannot be created or used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("cannot {action} key file {path}: {error}")]
    File {
        /// "read" or "write".
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The file to be created exists.
    #[error("key file {path} exists; an overwritten key cannot be recovered")]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// Others may read the private key.
    #[error("key file {path} has mode {mode:04o}: others may use it; run `chmod 600 {path}`")]
    Permissions {
        /// Which file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file holds the public half of a key pair, but the private half is required.
    #[error(
        "{path} is the public half of a key pair, for the other party; this party's identity is the \
         private key file: {private}"
    )]
    PublicHalf {
        /// Which file.
        path: PathBuf,
        /// Where the private half is: a path or a description.
        private: String,
    },
    /// The file is not a key of the wanted kind.
    #[error("{path} is not a {kind}: {reason}")]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// "private key" or "public key".
        kind: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A text is not a public key line or a fingerprint.
    #[error("{0}")]
    Text(String),
    /// The system provides no random bytes.
    #[error("cannot create a key: the operating system provides no random bytes")]
    Random,
}

/// Creates a key pair: the private key at `path` (mode 0600), the public one at `path` with `.pub`
/// appended. Existing files are overwritten only with `force`.
///
/// # Errors
/// [`KeyError::Exists`], [`KeyError::File`], [`KeyError::Random`].
pub fn generate(path: &Path, force: bool) -> Result<PublicIdentity, KeyError> {
    let public_path = public_path(path);
    if !force {
        for path in [path, &public_path] {
            if path.symlink_metadata().is_ok() {
                return Err(KeyError::Exists { path: path.to_owned() });
            }
        }
    }
    let Identity { pkcs8, public } = new_identity(default_comment())?;
    write_file(path, 0o600, force, to_pem(&pkcs8).as_bytes())?;
    write_file(&public_path, 0o644, force, format!("{public}\n").as_bytes())?;
    Ok(public)
}

/// Reads the private key at `path`.
///
/// # Errors
/// [`KeyError::File`], [`KeyError::PublicHalf`], [`KeyError::Malformed`], and
/// [`KeyError::Permissions`] if anyone but the owner may read or write the file.
pub fn load(path: &Path) -> Result<Identity, KeyError> {
    let read_error = |error| KeyError::File { action: "read", path: path.to_owned(), error };
    let file = File::open(path).map_err(read_error)?;
    // The text never outgrows its memory, since the old block would be freed with the key in it.
    let mut text = Zeroizing::new(String::with_capacity(MAX_FILE_BYTES as usize + 1));
    (&file).take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(read_error)?;
    // Checked before the mode, because a public key's mode is too open for a private one.
    if text.trim_start().starts_with(KEY_TYPE) {
        return Err(KeyError::PublicHalf { path: path.to_owned(), private: private_path(path) });
    }
    refuse_if_shared(&file, path)?;
    let identity = Identity::from_pem(&text).map_err(|reason| KeyError::Malformed {
        path: path.to_owned(),
        kind: "private key",
        reason: reason.to_string(),
    })?;
    tracing::debug!(?path, fingerprint = %identity.public.fingerprint(), "this party's identity");
    Ok(identity)
}

/// The fingerprint of the peer given by `text`: a fingerprint, or the path of a public key file.
///
/// # Errors
/// Those of [`Fingerprint::from_str`] where `text` starts like a fingerprint, otherwise those of
/// [`PublicIdentity::from_file`].
pub fn expected_peer(text: &str) -> Result<Fingerprint, KeyError> {
    if text.starts_with(FINGERPRINT_PREFIX) {
        return text.parse();
    }
    Ok(PublicIdentity::from_file(Path::new(text))?.fingerprint())
}

/// The path of the public key that belongs to the private key at `path`.
pub fn public_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".pub");
    name.into()
}

/// The location of the private key that belongs to the public key at `path`: a path or a
/// description.
fn private_path(path: &Path) -> String {
    match path.extension() {
        Some(end) if end == "pub" => path.with_extension("").display().to_string(),
        _ => "the one that `halfgate keygen` made beside it".to_owned(),
    }
}

impl Identity {
    /// A fresh key pair that is in no file: for tests, and for runs that establish trust in another
    /// way.
    ///
    /// # Errors
    /// [`KeyError::Random`].
    pub fn ephemeral() -> Result<Identity, KeyError> {
        new_identity(String::new())
    }

    /// Reads the text of a private key file.
    ///
    /// # Errors
    /// [`KeyError::Text`], which never contains `text`.
    pub fn from_pem(text: &str) -> Result<Identity, KeyError> {
        let malformed = |reason: &str| KeyError::Text(reason.to_owned());
        let pkcs8 = from_pem(text).map_err(malformed)?;
        let public = public_of(&pkcs8, String::new()).map_err(malformed)?;
        Ok(Identity { pkcs8, public })
    }

    /// This private key as the text of a key file.
    pub fn to_pem(&self) -> Zeroizing<String> {
        to_pem(&self.pkcs8)
    }

    /// The public part.
    pub fn public(&self) -> &PublicIdentity {
        &self.public
    }

    /// The private key, as PKCS#8 DER.
    pub(crate) fn pkcs8(&self) -> &[u8] {
        &self.pkcs8
    }
}

impl PublicIdentity {
    /// Reads a line `halfgate-ed25519 BASE64 COMMENT`; the comment may be missing.
    ///
    /// # Errors
    /// [`KeyError::Text`].
    pub fn parse(line: &str) -> Result<PublicIdentity, KeyError> {
        let text = |reason: String| KeyError::Text(format!("not a public key: {reason}"));
        let mut words = line.trim().splitn(3, ' ');
        let kind = words.next().unwrap_or_default();
        if kind != KEY_TYPE {
            return Err(text(format!("it does not start with {KEY_TYPE}")));
        }
        let mut key = [0; 32];
        let encoded = words.next().unwrap_or_default();
        match Base64::decode(encoded, &mut key) {
            Ok(bytes) if bytes.len() == 32 => {}
            _ => return Err(text(format!("{encoded:?} is not 32 bytes of base64"))),
        }
        Ok(PublicIdentity { key, comment: words.next().unwrap_or_default().trim().to_owned() })
    }

    /// Reads the public key file at `path`.
    ///
    /// # Errors
    /// [`KeyError::File`], [`KeyError::Malformed`].
    pub fn from_file(path: &Path) -> Result<PublicIdentity, KeyError> {
        let mut line = String::new();
        File::open(path)
            .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut line))
            .map_err(|error| KeyError::File { action: "read", path: path.to_owned(), error })?;
        PublicIdentity::parse(&line).map_err(|error| KeyError::Malformed {
            path: path.to_owned(),
            kind: "public key",
            reason: if line.contains(PEM_BEGIN) {
                format!("it is the private key; the public one is {}", public_path(path).display())
            } else {
                error.to_string()
            },
        })
    }

    /// The SHA-256 hash of the key.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.key)
    }
}

impl Fingerprint {
    /// The fingerprint of an Ed25519 public key.
    pub fn of(key: &[u8; 32]) -> Fingerprint {
        Fingerprint(Sha256::digest(key).into())
    }

    /// A fingerprint that [`to_bytes`](Fingerprint::to_bytes) returned.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Fingerprint {
        Fingerprint(bytes)
    }

    /// The hash.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

impl FromStr for Fingerprint {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Fingerprint, KeyError> {
        let mut hash = [0; 32];
        let encoded = text.trim().strip_prefix(FINGERPRINT_PREFIX);
        match encoded.map(|encoded| Base64Unpadded::decode(encoded, &mut hash)) {
            Some(Ok(bytes)) if bytes.len() == 32 => Ok(Fingerprint(hash)),
            _ => Err(KeyError::Text(format!(
                "{text:?} is not a fingerprint: it should be {FINGERPRINT_PREFIX} and 43 \
                 characters of base64"
            ))),
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FINGERPRINT_PREFIX}{}", Base64Unpadded::encode_string(&self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The line of the public key file, without the line break.
impl fmt::Display for PublicIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{KEY_TYPE} {}", Base64::encode_string(&self.key))?;
        if self.comment.is_empty() { Ok(()) } else { write!(f, " {}", self.comment) }
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.public.fingerprint())
    }
}

/// A fresh key pair.
fn new_identity(comment: String) -> Result<Identity, KeyError> {
    // The library leaves its document on the stack unwiped.
    let pkcs8 = wipe::stack_after(|| {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new());
        document.map(|document| Zeroizing::new(document.as_ref().to_vec()))
    });
    let pkcs8 = pkcs8.map_err(|_| KeyError::Random)?;
    let public = public_of(&pkcs8, comment).map_err(|_| KeyError::Random)?;
    Ok(Identity { pkcs8, public })
}

fn public_of(pkcs8: &[u8], comment: String) -> Result<PublicIdentity, &'static str> {
    // The library does not wipe its key pair either.
    let key = wipe::stack_after(|| {
        // Files from other programs may have the older form without the public key.
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8)
            .map_err(|_| "it holds no Ed25519 key in PKCS#8")?;
        pair.public_key().as_ref().try_into().map_err(|_| "its public key is not 32 bytes")
    })?;
    Ok(PublicIdentity { key, comment })
}

/// `user@host`, as far as the environment provides them.
fn default_comment() -> String {
    let variable = |name| env::var(name).ok().filter(|value| !value.contains(char::is_whitespace));
    let user = variable("USER").or_else(|| variable("LOGNAME"));
    let host = variable("HOSTNAME")
        .or_else(|| fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()));
    [user, host].into_iter().flatten().collect::<Vec<_>>().join("@")
}

fn to_pem(pkcs8: &[u8]) -> Zeroizing<String> {
    let encoded = Zeroizing::new(Base64::encode_string(pkcs8));
    let mut pem = Zeroizing::new(String::with_capacity(2 * encoded.len() + 128));
    pem.push_str(PEM_BEGIN);
    for (at, character) in encoded.char_indices() {
        if at % 64 == 0 {
            pem.push('\n');
        }
        pem.push(character);
    }
    pem.push('\n');
    pem.push_str(PEM_END);
    pem.push('\n');
    pem
}

fn from_pem(text: &str) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    let (_, rest) = text.split_once(PEM_BEGIN).ok_or("there is no line BEGIN PRIVATE KEY")?;
    let (body, _) = rest.split_once(PEM_END).ok_or("there is no line END PRIVATE KEY")?;
    let mut encoded = Zeroizing::new(String::with_capacity(body.len()));
    encoded.extend(body.chars().filter(|c| !c.is_ascii_whitespace()));
    Base64::decode_vec(&encoded).map(Zeroizing::new).map_err(|_| "its body is not base64")
}

/// Creates a file, or replaces one if `force` is set. Replacing is atomic.
fn write_file(path: &Path, mode: u32, force: bool, bytes: &[u8]) -> Result<(), KeyError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    private::set_mode(&mut options, mode);
    let write = |path: &Path| {
        let mut file = options.open(path)?;
        // What is not a whole key would stand in the way of one.
        file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
            let _ = fs::remove_file(path);
        })
    };
    let result = if force {
        // Writes to a temporary name first, so that the old key's mode and contents never mix with
        // the new one's.
        let mut new = OsString::from(path);
        new.push(format!(".new{}", std::process::id()));
        // A copy of the key must not stay under a name that nobody knows.
        let replace = || fs::rename(&new, path).inspect_err(|_| drop(fs::remove_file(&new)));
        write(Path::new(&new)).and_then(|()| replace())
    } else {
        write(path)
    };
    result.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => KeyError::Exists { path: path.to_owned() },
        _ => KeyError::File { action: "write", path: path.to_owned(), error },
    })
}

fn refuse_if_shared(file: &File, path: &Path) -> Result<(), KeyError> {
    let metadata = file.metadata().map_err(|error| KeyError::File {
        action: "read",
        path: path.to_owned(),
        error,
    })?;
    match private::shared_mode(&metadata) {
        Some(mode) => Err(KeyError::Permissions { path: path.to_owned(), mode }),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
