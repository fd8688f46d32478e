//! The options of preprocessing for malicious sessions.

use clap::Args;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::places;
use halfgate_protocol::session::authenticated::ahead::Protection;
use halfgate_server::secret_file;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Preprocessing of malicious sessions.
#[derive(Args, Debug, Clone)]
pub struct PreprocessingArgs {
    /// With --security malicious: do all work that needs no input, together with the peer, and
    /// write it to this file. The peer gives this option at the same time, and gets a file of its
    /// own. It is secret (mode 0600), and good for one run of this program with this peer
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["input", "runs", "stream_outputs", "preprocessed"])]
    pub preprocess_to: Option<PathBuf>,

    /// Run from a file of --preprocess-to. The peer uses the file that it got at the same time. The
    /// whole file is checked first, and marked used before the first message that comes from it: a
    /// run that is cut after that has used it too. Never copy such a file
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub preprocessed: Option<PathBuf>,

    /// Encrypt the file of --preprocess-to, or decrypt that of --preprocessed, with this key file:
    /// at least 32 random bytes that only you can read, such as a private key of `halfgate keygen`
    #[arg(long, value_name = "FILE", conflicts_with = "preprocess_passphrase_file")]
    pub preprocess_key: Option<PathBuf>,

    /// The same with the passphrase in the first line of this file
    #[arg(long, value_name = "FILE")]
    pub preprocess_passphrase_file: Option<PathBuf>,

    /// This user's list of used preprocessing, by which copies are refused. Keep it while there may
    /// be copies [default: halfgate/used-preprocessing in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE", requires = "preprocessed")]
    pub preprocess_ledger: Option<PathBuf>,
}

/// What a command does ahead of time, or with what was done then.
pub struct Ahead {
    /// The file.
    pub path: PathBuf,
    /// The list of used files, for a run; `None` makes a new file.
    pub ledger: Option<PathBuf>,
    secret: Secret,
}

enum Secret {
    None,
    Key(Zeroizing<Vec<u8>>),
    Passphrase(Zeroizing<Vec<u8>>),
}

impl Ahead {
    /// What the file is encrypted under.
    pub fn protection(&self) -> Protection<'_> {
        match &self.secret {
            Secret::None => Protection::None,
            Secret::Key(key) => Protection::Key(key),
            Secret::Passphrase(passphrase) => Protection::Passphrase(passphrase),
        }
    }
}

impl PreprocessingArgs {
    /// What the options ask for; `None` for a whole session.
    ///
    /// # Errors
    /// If options lack the one that they belong to, a secret cannot be read, or the user has no
    /// folder for the list of used files.
    pub fn ahead(&self) -> Result<Option<Ahead>, Failure> {
        let (path, is_run) = match (&self.preprocess_to, &self.preprocessed) {
            (Some(path), _) => (path.clone(), false),
            (None, Some(path)) => (path.clone(), true),
            (None, None)
                if self.preprocess_key.is_none() && self.preprocess_passphrase_file.is_none() =>
            {
                return Ok(None);
            }
            (None, None) => {
                let what = "--preprocess-key and --preprocess-passphrase-file are for \
                            --preprocess-to and --preprocessed";
                return Err(Failure::new(Exit::Usage, what));
            }
        };
        let secret = match (&self.preprocess_key, &self.preprocess_passphrase_file) {
            (Some(file), _) => Secret::Key(read(file)?),
            (None, Some(file)) => Secret::Passphrase(first_line(read(file)?)),
            (None, None) => Secret::None,
        };
        let ledger = if is_run { Some(self.ledger()?) } else { None };
        Ok(Some(Ahead { path, ledger, secret }))
    }

    fn ledger(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.preprocess_ledger {
            return Ok(path.clone());
        }
        let what = "there is no home folder for the list of used preprocessing: name a file with \
                    --preprocess-ledger";
        places::used_preprocessing().ok_or_else(|| Failure::new(Exit::Usage, what))
    }
}

/// Most bytes of a key file or a passphrase.
const MAX_SECRET: usize = 1 << 20;

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let failed = |error| Failure::new(Exit::Local, format!("{}: {error}", path.display()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(failed)?.permissions().mode() & 0o7777;
        if mode & 0o077 != 0 {
            let what = format!(
                "{} has mode {mode:04o}: others can read it; set its mode to 0600",
                path.display()
            );
            return Err(Failure::new(Exit::Local, what));
        }
    }
    secret_file::read(path, MAX_SECRET).map_err(failed)
}

/// The first line, without its end.
fn first_line(mut text: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    let end = if text[..end].ends_with(b"\r") { end - 1 } else { end };
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passphrase_is_the_first_line() {
        for text in ["a b", "a b\n", "a b\r\n", "a b\nc\n"] {
            assert_eq!(*first_line(Zeroizing::new(text.into())), b"a b", "{text:?}");
        }
        assert!(first_line(Zeroizing::new(b"\n".to_vec())).is_empty());
    }
}
