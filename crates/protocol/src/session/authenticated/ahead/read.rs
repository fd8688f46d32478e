//! Reads a preprocessing file.

use super::error::PreprocessedError;
use super::format::{BODY, Description, Header, KEY_AT, KEY_SLOT, MAGIC, USED, VERSION};
use super::ledger::{self, folder_of, io_error, sync_folder};
use super::seal::{CHUNK, Chunks, FileKey, Protection, TAG, name_of};
use super::write::{MASK, OF_EVALUATOR};
use crate::private;
use crate::session::authenticated::job::Secrets;
use crate::session::authenticated::ready::Ready;
use crate::session::authenticated::shares::{InputRead, Rows};
use crate::session::inputs::InputOrder;
use crate::session::{RunOptions, SessionError};
use halfgate_circuit::positioned::FileExt;
use halfgate_circuit::{Party, Wire};
use halfgate_compiler::Program;
use halfgate_engine::{Counters, Delta, Label, LabelSeed, RunKey, Suite, wipe};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// An unused preprocessing file, open and locked.
pub struct PreprocessedFile<'p> {
    pub(super) program: &'p Program,
    pub(super) description: Description,
    path: &'p Path,
    ledger: &'p Path,
    content: Content,
}

impl<'p> PreprocessedFile<'p> {
    /// Opens the file at `path`, locks it, and checks all of it. `ledger` is the path of this
    /// computer's list of used generations.
    ///
    /// # Errors
    /// [`PreprocessedError`]: if it is not such a file, or it is used, in use, locked by another
    /// key, damaged anywhere, or made for another role, program, order, suite or number of cycles.
    pub fn open(
        (path, ledger): (&'p Path, &'p Path),
        protection: &Protection<'_>,
        party: Party,
        program: &'p Program,
        options: &RunOptions,
    ) -> Result<PreprocessedFile<'p>, SessionError> {
        wipe::stack_after(|| {
            PreprocessedFile::open_inner((path, ledger), protection, party, program, options)
        })
    }

    fn open_inner(
        (path, ledger): (&'p Path, &'p Path),
        protection: &Protection<'_>,
        party: Party,
        program: &'p Program,
        options: &RunOptions,
    ) -> Result<PreprocessedFile<'p>, SessionError> {
        protection.check()?;
        let name = || path.display().to_string();
        let (mut file, length) = open_locked(path)?;
        let mut bytes = Zeroizing::new(vec![0; BODY]);
        file.read_exact(&mut bytes).map_err(|error| io_error(path, error))?;
        check_version(path, &bytes)?;
        if bytes[USED as usize] != 0 {
            return Err(PreprocessedError::Used { path: name() }.into());
        }
        let damaged = || PreprocessedError::Damaged { path: name() };
        let (header, slot) = Header::parse(&bytes).ok_or_else(damaged)?;
        let how = name_of(header.protection).ok_or_else(damaged)?;
        if protection.number() != header.protection {
            return Err(PreprocessedError::Protection { path: name(), how }.into());
        }
        let key = FileKey::unlock(protection, &header.salt, slot)?;
        let key = key.ok_or_else(|| PreprocessedError::Locked { path: name(), how })?;
        let chunks = key.chunks(&header);
        let mut content = Content::new(file, chunks, length - BODY as u64);
        content.check(path)?;
        let file =
            PreprocessedFile { program, description: header.description, path, ledger, content };
        file.check_program(party, options)?;
        if ledger::has(ledger, &file.description.ledger_entry())? {
            return Err(file.copied().into());
        }
        tracing::info!(?path, bytes = length, "opened a preprocessing file");
        Ok(file)
    }

    /// Checks that the file is for this program and these options, as far as they are known before
    /// the handshake.
    fn check_program(&self, party: Party, options: &RunOptions) -> Result<(), PreprocessedError> {
        let (own, what) = (&self.description, (&[][..], self.description.parts));
        let wanted =
            Description::new(party, self.program, options, what, own.identities, own.generation);
        let wanted = Description { learners: own.learners, ..wanted };
        own.check(&wanted, &self.path.display().to_string())
    }

    /// Checks that the file is for this session, whose identities and learners are known now.
    ///
    /// # Errors
    /// [`PreprocessedError::Mismatch`].
    pub(super) fn check_session(&self, wanted: &Description) -> Result<(), PreprocessedError> {
        self.description.check(wanted, &self.path.display().to_string())
    }

    /// Marks the file used, in the ledger and in the file, and waits until both marks are on the
    /// disk. Overwrites the file's key.
    ///
    /// # Errors
    /// If a mark cannot be written, or the ledger lists the file already. The caller must not send
    /// anything that comes from the file.
    pub(super) fn mark_used(&mut self) -> Result<(), SessionError> {
        let is_new = ledger::add(self.ledger, &self.description.ledger_entry())?;
        let file = &self.content.file;
        let failed = |error| io_error(self.path, error);
        file.write_all_at(&[1], USED).map_err(failed)?;
        file.write_all_at(&[0; KEY_SLOT], KEY_AT as u64).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        sync_folder(folder_of(self.path)).map_err(failed)?;
        // Writing at an offset may have moved the cursor.
        self.content.restart().map_err(failed)?;
        match is_new {
            true => Ok(()),
            false => Err(self.copied().into()),
        }
    }

    /// Reads the secrets of the run, which come before its windows.
    ///
    /// # Errors
    /// If the file cannot be read, or was changed since it was opened.
    pub(super) fn secrets(&mut self) -> Result<Secrets, SessionError> {
        let path = self.path;
        let mut delta = Zeroizing::new([0; 16]);
        let mut seed = Zeroizing::new([0; 16]);
        let point = u128::from_le_bytes(self.content.array(path)?);
        self.content.read(path, &mut *delta)?;
        self.content.read(path, &mut *seed)?;
        let key = RunKey { suite: Suite::HalfGates, point };
        Ok(Secrets::of(key, Delta::new(Label::from_bytes(*delta)), LabelSeed::new(&seed)))
    }

    /// Reads the next window of a run with these inputs. Who can make files can make wrong ones, so
    /// no number in it is trusted.
    ///
    /// # Errors
    /// If the file cannot be read, was changed since it was opened, or reads what is not an input.
    pub(super) fn window(&mut self, order: &InputOrder) -> Result<Ready, SessionError> {
        let (path, role) = (self.path, self.description.role);
        let content = &mut self.content;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = u32::from_le_bytes(content.array(path)?) as usize;
        }
        let [ands, inputs, open, keys] = counts;
        // Before memory is allocated.
        let labels = 6 * ands + open + keys;
        if (labels as u64).saturating_mul(8) + 13 * inputs as u64 > 2 * content.length {
            return Err(damaged(path).into());
        }
        let is_last = content.array(path)? == [1];
        let counters = Counters {
            gates: u64::from_le_bytes(content.array(path)?),
            ands: u64::from_le_bytes(content.array(path)?),
            cycles: u64::from_le_bytes(content.array(path)?),
        };
        let mut masks = Zeroizing::new(Vec::with_capacity(inputs));
        let mut reads = Vec::with_capacity(inputs);
        for _ in 0..inputs {
            let cycle = u64::from_le_bytes(content.array(path)?);
            let number = u32::from_le_bytes(content.array(path)?);
            let [flags] = content.array(path)?;
            let is_evaluators = flags & OF_EVALUATOR != 0;
            let owner = if is_evaluators { Party::Evaluator } else { Party::Garbler };
            let wire = (number < Wire::MAX).then(|| Wire::new(number));
            let wire = wire.filter(|wire| order.has(cycle, *wire, owner));
            let wire = wire.ok_or_else(|| damaged(path))?;
            if owner == role {
                masks.push(flags & MASK != 0);
            }
            reads.push(InputRead { cycle, wire, owner });
        }
        let mut shares: Rows = Zeroizing::new(vec![[Label::ZERO; 3]; ands]);
        content.labels(path, shares.as_flattened_mut().iter_mut())?;
        let mut rows: Rows = Zeroizing::new(vec![[Label::ZERO; 3]; ands]);
        match role {
            Party::Garbler => content.labels(path, rows.iter_mut().map(|row| &mut row[2]))?,
            Party::Evaluator => content.labels(path, rows.as_flattened_mut().iter_mut())?,
        }
        let [open, keys] = [open, keys].map(|count| Zeroizing::new(vec![Label::ZERO; count]));
        let mut lists = [open, keys];
        for list in &mut lists {
            content.labels(path, list.iter_mut())?;
        }
        let [open, keys] = lists;
        let ended = is_last.then_some(counters);
        Ok(Ready { shares, rows, masks, inputs: reads, open, keys, ended })
    }

    fn copied(&self) -> PreprocessedError {
        let (path, ledger) = (self.path.display().to_string(), self.ledger.display().to_string());
        PreprocessedError::Copied { path, ledger }
    }
}

/// The gate order of the program for which the file at `path` was made, so that an evaluator can
/// compile its program in that order. [`PreprocessedFile::open`] checks the file.
///
/// # Errors
/// [`PreprocessedError`] if it cannot be read, or is not such a file.
pub fn order_of(path: &Path) -> Result<String, SessionError> {
    let mut bytes = Zeroizing::new(vec![0; BODY]);
    let short =
        || PreprocessedError::Format { path: path.display().to_string(), what: "it is too short" };
    let mut file = File::open(path).map_err(|error| io_error(path, error))?;
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => short(),
        _ => io_error(path, error),
    })?;
    check_version(path, &bytes)?;
    let (header, _) = Header::parse(&bytes).ok_or_else(|| damaged(path))?;
    Ok(header.description.order)
}

/// Checks that a header is that of a preprocessing file of this version.
fn check_version(path: &Path, bytes: &[u8]) -> Result<(), PreprocessedError> {
    let what = match (bytes[..8] == *MAGIC, bytes[8..10] == VERSION.to_le_bytes()) {
        (true, true) => return Ok(()),
        (true, false) => "it has another version",
        (false, _) => "it does not start with the magic bytes",
    };
    Err(PreprocessedError::Format { path: path.display().to_string(), what })
}

/// Opens and locks the file at `path`. Returns its length, which is at least that of a header.
fn open_locked(path: &Path) -> Result<(File, u64), PreprocessedError> {
    let name = || path.display().to_string();
    let failed = |error| io_error(path, error);
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => PreprocessedError::Busy { path: name() },
        TryLockError::Error(error) => failed(error),
    })?;
    let metadata = file.metadata().map_err(failed)?;
    if let Some(mode) = private::shared_mode(&metadata) {
        return Err(PreprocessedError::Permissions { path: name(), mode });
    }
    match metadata.len() {
        length if length < BODY as u64 => {
            Err(PreprocessedError::Format { path: name(), what: "it is too short" })
        }
        length => Ok((file, length)),
    }
}

fn damaged(path: &Path) -> PreprocessedError {
    PreprocessedError::Damaged { path: path.display().to_string() }
}

/// The decrypted content of a file, in order.
struct Content {
    file: File,
    chunks: Chunks,
    /// The chunk that is being read, and how much of it was read. Its buffer never grows.
    chunk: Zeroizing<Vec<u8>>,
    used: usize,
    /// Bytes of all chunks, and of those that were not read yet.
    length: u64,
    left: u64,
}

impl Content {
    fn new(file: File, chunks: Chunks, length: u64) -> Content {
        let chunk = Zeroizing::new(Vec::with_capacity(CHUNK + TAG));
        Content { file, chunks, chunk, used: 0, length, left: length }
    }

    /// Reads all chunks once, and starts again.
    fn check(&mut self, path: &Path) -> Result<(), PreprocessedError> {
        loop {
            self.next_chunk(path)?;
            if self.left == 0 {
                return self.restart().map_err(|error| io_error(path, error));
            }
        }
    }

    fn restart(&mut self) -> io::Result<()> {
        self.chunks.restart();
        self.chunk.clear();
        self.used = 0;
        self.left = self.length;
        self.file.seek(SeekFrom::Start(BODY as u64)).map(drop)
    }

    fn next_chunk(&mut self, path: &Path) -> Result<(), PreprocessedError> {
        let length = self.left.min((CHUNK + TAG) as u64);
        self.left -= length;
        self.used = 0;
        self.chunk.resize(length as usize, 0);
        self.file.read_exact(&mut self.chunk).map_err(|error| io_error(path, error))?;
        match self.chunks.open(self.left == 0, &mut self.chunk) {
            true => Ok(()),
            false => Err(damaged(path)),
        }
    }

    fn read(&mut self, path: &Path, mut bytes: &mut [u8]) -> Result<(), PreprocessedError> {
        while !bytes.is_empty() {
            if self.used == self.chunk.len() {
                if self.left == 0 {
                    return Err(damaged(path));
                }
                self.next_chunk(path)?;
            }
            let rest = &self.chunk[self.used..];
            let (now, later) = bytes.split_at_mut(rest.len().min(bytes.len()));
            now.copy_from_slice(&rest[..now.len()]);
            self.used += now.len();
            bytes = later;
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self, path: &Path) -> Result<[u8; N], PreprocessedError> {
        let mut bytes = [0; N];
        self.read(path, &mut bytes)?;
        Ok(bytes)
    }

    fn labels<'l>(
        &mut self,
        path: &Path,
        labels: impl Iterator<Item = &'l mut Label>,
    ) -> Result<(), PreprocessedError> {
        let mut bytes = Zeroizing::new([0; 16]);
        for label in labels {
            self.read(path, &mut *bytes)?;
            *label = Label::from_bytes(*bytes);
        }
        Ok(())
    }
}
