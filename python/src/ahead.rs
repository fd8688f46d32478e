//! Files that are made before the inputs are known: garblings, and preprocessing of malicious
//! sessions.

use halfgate::protocol::offline::TableFile;
use halfgate::protocol::session::authenticated::ahead::{PreprocessedFile, Protection};
use halfgate::protocol::session::{RunOptions, SecurityLevel, SessionError};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use pyo3::prelude::*;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// A file, and what is needed to use it.
#[pyclass(frozen, module = "halfgate._halfgate", name = "NativeAhead")]
pub struct Ahead {
    pub path: PathBuf,
    /// This user's list of used preprocessing.
    ledger: PathBuf,
    /// The content of a key file, or a passphrase.
    secret: Option<Zeroizing<Vec<u8>>>,
    is_key: bool,
}

/// A file, open.
pub enum Opened<'f> {
    /// The garbler's tables of a semi-honest session.
    Tables(TableFile<'f>),
    /// A party's half of a malicious session.
    Preprocessed(PreprocessedFile<'f>),
}

#[pymethods]
impl Ahead {
    #[new]
    #[pyo3(signature = (path, ledger, secret, is_key))]
    fn new(path: PathBuf, ledger: PathBuf, secret: Option<&[u8]>, is_key: bool) -> Ahead {
        let secret = secret.map(|secret| Zeroizing::new(secret.to_vec()));
        Ahead { path, ledger, secret, is_key }
    }
}

impl Ahead {
    /// What a preprocessing file is encrypted under.
    pub fn protection(&self) -> Protection<'_> {
        match &self.secret {
            None => Protection::None,
            Some(secret) if self.is_key => Protection::Key(secret),
            Some(secret) => Protection::Passphrase(secret),
        }
    }

    /// Opens the file and checks all of it, for a session of this security level.
    pub fn open<'f>(
        &'f self,
        party: Party,
        program: &'f Program,
        options: &RunOptions,
    ) -> Result<Opened<'f>, SessionError> {
        if options.security == SecurityLevel::Malicious {
            let (paths, protection) = ((&*self.path, &*self.ledger), self.protection());
            let file = PreprocessedFile::open(paths, &protection, party, program, options)?;
            return Ok(Opened::Preprocessed(file));
        }
        let mut tables = TableFile::open(&self.path, program, options)?;
        tables.check_records()?;
        Ok(Opened::Tables(tables))
    }
}

/// This user's list of used preprocessing; `None` if the user has no home folder.
#[pyfunction]
pub fn used_preprocessing() -> Option<PathBuf> {
    halfgate_console::places::used_preprocessing()
}
