//! Writes a preprocessing file.
//!
//! After the run's secrets, the content has these bytes for each window: ANDs u32 · input bits
//! u32 · opened labels u32 · keys u32 · 1 if the run ends u8 · gates, ANDs and cycles of the run as
//! u64 · for each input bit its cycle u64, wire u32 and flags u8 (1: of the evaluator; 2: its mask,
//! if it is this party's) · three labels of shares for each AND · one label (garbler) or three
//! labels (evaluator) of rows for each AND · opened labels · keys.

use super::error::PreprocessedError;
use super::format::{Description, Header};
use super::ledger::{folder_of, io_error, sync_folder};
use super::seal::{CHUNK, Chunks, FileKey, Protection, TAG};
use crate::session::SessionError;
use crate::session::authenticated::job::Secrets;
use crate::session::authenticated::ready::Ready;
use crate::session::labels::random;
use halfgate_circuit::Party;
use halfgate_engine::Label;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;
use zeroize::{Zeroize, Zeroizing};

/// Flags of an input bit.
pub(super) const OF_EVALUATOR: u8 = 1;
pub(super) const MASK: u8 = 2;

/// A file that is being written, under another name. It is removed on drop.
pub(super) struct Writer<'p> {
    file: NamedTempFile,
    path: &'p Path,
    role: Party,
    chunks: Chunks,
    chunk: Zeroizing<Vec<u8>>,
    written: u64,
}

impl<'p> Writer<'p> {
    /// Creates the file for the run with these secrets.
    ///
    /// # Errors
    /// [`PreprocessedError`], also if there is a file at `path` already.
    pub fn create(
        path: &'p Path,
        description: Description,
        protection: &Protection<'_>,
        secrets: &Secrets,
    ) -> Result<Writer<'p>, SessionError> {
        protection.check()?;
        check_free(path)?;
        let salt = *random::<32>()?;
        let key = FileKey::new(protection, &salt)?;
        let role = description.role;
        let header = Header { protection: protection.number(), salt, description };
        let failed = |error| io_error(path, error);
        // Its name follows from that of the file: two runs for one file, such as both parties' in
        // one folder, find each other before the work and not after it.
        let mut part = OsString::from(".");
        part.push(path.file_name().unwrap_or_default());
        let mut builder = tempfile::Builder::new();
        let named =
            builder.prefix(&part).suffix(".part").rand_bytes(0).tempfile_in(folder_of(path));
        let mut file = named.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                part.push(".part");
                let part = folder_of(path).join(&part).display().to_string();
                PreprocessedError::Taken { path: path.display().to_string(), part }
            }
            _ => failed(error),
        })?;
        let bytes = header.encode(&key.slot);
        file.write_all(&bytes).map_err(failed)?;
        let chunks = key.chunks(&header);
        let chunk = Zeroizing::new(Vec::with_capacity(CHUNK + TAG));
        let written = bytes.len() as u64;
        let mut writer = Writer { file, path, role, chunks, chunk, written };
        writer.put(&secrets.key.point.to_le_bytes())?;
        writer.labels([&secrets.delta.label()].into_iter())?;
        writer.put(secrets.seed.bytes())?;
        Ok(writer)
    }

    /// Adds a window.
    ///
    /// # Errors
    /// If the disk is full, or fails.
    pub fn window(&mut self, ready: &Ready) -> Result<(), SessionError> {
        for count in [ready.ands(), ready.inputs.len(), ready.open.len(), ready.keys.len()] {
            let what = "a window has more than 2^32 labels";
            let count = u32::try_from(count).map_err(|_| SessionError::Usage(what.to_owned()))?;
            self.put(&count.to_le_bytes())?;
        }
        self.put(&[ready.ended.is_some().into()])?;
        let counters = ready.ended.unwrap_or_default();
        for count in [counters.gates, counters.ands, counters.cycles] {
            self.put(&count.to_le_bytes())?;
        }
        let mut masks = ready.masks.iter();
        for input in &ready.inputs {
            let mask = if input.owner == self.role { masks.next() } else { None };
            let mask = mask.copied().unwrap_or_default();
            let owner = if input.owner == Party::Evaluator { OF_EVALUATOR } else { 0 };
            self.put(&input.cycle.to_le_bytes())?;
            self.put(&input.wire.number().to_le_bytes())?;
            // The mask is secret: no branch depends on it.
            self.put(&[owner | (MASK * u8::from(mask))])?;
        }
        self.labels(ready.shares.as_flattened().iter())?;
        match self.role {
            Party::Garbler => self.labels(ready.rows.iter().map(|row| &row[2]))?,
            Party::Evaluator => self.labels(ready.rows.as_flattened().iter())?,
        }
        self.labels(ready.open.iter())?;
        self.labels(ready.keys.iter())
    }

    /// Completes the file, and waits until it is on the disk.
    ///
    /// # Errors
    /// If the disk is full, or fails.
    pub fn finish(mut self) -> Result<Complete<'p>, SessionError> {
        self.flush(true)?;
        let Writer { file, path, written, .. } = self;
        file.as_file().sync_all().map_err(|error| io_error(path, error))?;
        Ok(Complete { file, path, bytes: written })
    }

    fn labels<'l>(&mut self, labels: impl Iterator<Item = &'l Label>) -> Result<(), SessionError> {
        for label in labels {
            let mut bytes = label.to_bytes();
            let put = self.put(&bytes);
            bytes.zeroize();
            put?;
        }
        Ok(())
    }

    fn put(&mut self, mut bytes: &[u8]) -> Result<(), SessionError> {
        while !bytes.is_empty() {
            if self.chunk.len() == CHUNK {
                self.flush(false)?;
            }
            let count = bytes.len().min(CHUNK - self.chunk.len());
            self.chunk.extend_from_slice(&bytes[..count]);
            bytes = &bytes[count..];
        }
        Ok(())
    }

    fn flush(&mut self, last: bool) -> Result<(), SessionError> {
        self.chunks.seal(last, &mut self.chunk);
        self.written += self.chunk.len() as u64;
        let written = self.file.write_all(&self.chunk);
        self.chunk.clear();
        Ok(written.map_err(|error| io_error(self.path, error))?)
    }
}

/// A complete file under another name. It is removed on drop.
pub(super) struct Complete<'p> {
    file: NamedTempFile,
    path: &'p Path,
    pub bytes: u64,
}

impl Complete<'_> {
    /// Gives the file its name.
    ///
    /// # Errors
    /// [`PreprocessedError::Exists`] if there is a file of that name by now, and
    /// [`PreprocessedError::Io`].
    pub fn persist(self) -> Result<(), SessionError> {
        let Complete { file, path, .. } = self;
        file.persist_noclobber(path).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => {
                PreprocessedError::Exists { path: path.display().to_string() }
            }
            _ => io_error(path, error.error),
        })?;
        Ok(sync_folder(folder_of(path)).map_err(|error| io_error(path, error))?)
    }
}

/// Checks that there is no file at `path`, and a folder for it.
///
/// # Errors
/// [`PreprocessedError::Exists`] if there is a file, and [`PreprocessedError::Io`].
pub(super) fn check_free(path: &Path) -> Result<(), PreprocessedError> {
    if path.file_name().is_none() {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "the file has no name");
        return Err(io_error(path, error));
    }
    if !folder_of(path).is_dir() {
        let error = io::Error::new(io::ErrorKind::NotFound, "there is no folder for this file");
        return Err(io_error(path, error));
    }
    match path.try_exists() {
        Ok(false) => Ok(()),
        Ok(true) => Err(PreprocessedError::Exists { path: path.display().to_string() }),
        Err(error) => Err(io_error(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Identities;
    use super::*;
    use halfgate_engine::{Delta, RunKey, Suite};
    use std::fs::OpenOptions;

    fn description() -> Description {
        Description {
            role: Party::Evaluator,
            suite: "half-gates".to_owned(),
            order: "given".to_owned(),
            skips: false,
            program: [1; 32],
            cycles: 1,
            statistical: 40,
            learners: [2; 32],
            parts: true,
            identities: Identities::default(),
            generation: [3; 32],
        }
    }

    fn ready(ands: usize) -> Ready {
        Ready {
            shares: Zeroizing::new(vec![[Label::ZERO; 3]; ands]),
            rows: Zeroizing::new(vec![[Label::ZERO; 3]; ands]),
            masks: Zeroizing::default(),
            inputs: Vec::new(),
            open: Zeroizing::default(),
            keys: Zeroizing::default(),
            ended: None,
        }
    }

    /// A device that is always full stands for the disk.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let secrets = Secrets::of(
            RunKey { suite: Suite::HalfGates, point: 1 },
            Delta::new(Label::from_u128(5)),
            halfgate_engine::LabelSeed::new(&[7; 16]),
        );
        let made = || Writer::create(&path, description(), &Protection::None, &secrets);
        for ands in [1, 1000] {
            let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
            let Writer { file, path, role, chunks, chunk, written } = made().unwrap();
            // The other party, in the same folder.
            let error = made().map(drop).unwrap_err().to_string();
            assert!(error.contains("give each party a file of its own"), "{error}");
            let (_, name) = file.into_parts();
            let file = NamedTempFile::from_parts(full, name);
            let mut writer = Writer { file, path, role, chunks, chunk, written };
            let written = writer.window(&ready(ands)).and_then(|()| writer.finish());
            let error = written.map(drop).unwrap_err();
            assert!(error.to_string().contains("No space left"), "{error}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
