//! A folder of files by key, shared by processes.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// First bytes of each file.
const MAGIC: &[u8; 8] = b"HGKEPT01";
/// Bytes before the label: the magic number, the digest, and the label's length.
const HEADER: usize = 8 + 32 + 4;
const EXTENSION: &str = "kept";
/// Prefix of the names of files that are being written.
const WRITING: &str = "writing-";
/// Name of the lock file that a process holds while it starts to write.
const MAKING: &str = "making.lock";
/// Longest label accepted when reading, in bytes.
const MAX_LABEL: usize = 4096;

/// A folder of files by key, of bounded size. The most recently used files are kept.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    max_bytes: u64,
}

/// A file of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// A description for people.
    pub label: String,
    /// Its size in bytes, header included.
    pub bytes: u64,
    /// When it was last written or read.
    pub used: SystemTime,
}

impl Store {
    /// The store in `folder`, which need not exist yet, of at most `max_bytes`.
    pub fn new(folder: PathBuf, max_bytes: u64) -> Store {
        Store { folder, max_bytes }
    }

    /// The folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The maximum size of the store, in bytes.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Returns the payload under `key`; `None` if there is none, or the file was damaged.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let mut file = File::open(self.path(key)).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let start = payload_start(key, &bytes)?;
        // Best effort: a file that cannot be touched is evicted earlier.
        let _ = file.set_modified(SystemTime::now());
        bytes.drain(..start);
        Some(bytes)
    }

    /// Stores `payload` under `key`, and evicts the least recently used entries if the store is
    /// then too large. A payload larger than the whole store is not stored.
    ///
    /// The file appears in one step, already complete: other processes may read and write at the
    /// same time.
    ///
    /// # Errors
    /// If the folder cannot be written. The store is then unchanged.
    pub fn put(&self, key: &str, label: &str, payload: &[u8]) -> io::Result<()> {
        let end = (0..=label.len().min(MAX_LABEL)).rev().find(|&end| label.is_char_boundary(end));
        let label = &label[..end.unwrap_or(0)];
        let size = (HEADER + label.len() + payload.len()) as u64;
        if size > self.max_bytes {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let mut file = self.begin()?;
        file.write_all(MAGIC)?;
        file.write_all(digest(key, label.as_bytes(), payload).as_bytes())?;
        file.write_all(&(label.len() as u32).to_le_bytes())?;
        file.write_all(label.as_bytes())?;
        file.write_all(payload)?;
        file.as_file().sync_all()?;
        file.persist(self.path(key)).map_err(|error| error.error)?;
        self.evict(key)
    }

    /// The entries, least recently used first. Other files in the folder are left out.
    ///
    /// # Errors
    /// If the folder exists and cannot be read.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let files = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let mut entries: Vec<Entry> = files.filter_map(|file| entry(&file.ok()?.path())).collect();
        entries.sort_by(|a, b| (a.used, &a.key).cmp(&(b.used, &b.key)));
        Ok(entries)
    }

    /// Removes all entries and returns their number.
    ///
    /// # Errors
    /// If an entry cannot be removed.
    pub fn clear(&self) -> io::Result<usize> {
        let entries = self.entries()?;
        for entry in &entries {
            remove(&self.path(&entry.key))?;
        }
        Ok(entries.len())
    }

    /// Creates a file that is locked while it is written. Removes the remains of killed processes.
    fn begin(&self) -> io::Result<tempfile::NamedTempFile> {
        // A new file is not locked yet, so no other process may clean now.
        let making = File::create(self.folder.join(MAKING))?;
        making.lock()?;
        self.clean();
        let file = tempfile::Builder::new().prefix(WRITING).tempfile_in(&self.folder)?;
        file.as_file().lock()?;
        Ok(file)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_extension(EXTENSION)
    }

    /// Evicts entries other than `newest`, least recently used first, until the store is small
    /// enough.
    fn evict(&self, newest: &str) -> io::Result<()> {
        let entries = self.entries()?;
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in entries.iter().filter(|entry| entry.key != newest) {
            if total <= self.max_bytes {
                break;
            }
            remove(&self.path(&entry.key))?;
            total -= entry.bytes;
        }
        Ok(())
    }

    /// Removes half-written files of killed processes, under the lock of [`begin`](Store::begin).
    /// Errors are ignored.
    fn clean(&self) {
        for file in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(WRITING)
                && let Ok(open) = File::open(file.path())
                && open.try_lock().is_ok()
            {
                let _ = fs::remove_file(file.path());
            }
        }
    }
}

/// Removes a file. Another process may have removed it already.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn entry(path: &Path) -> Option<Entry> {
    if path.extension()? != EXTENSION {
        return None;
    }
    let key = path.file_stem()?.to_str()?.to_owned();
    let mut file = File::open(path).ok()?;
    let found = file.metadata().ok()?;
    let mut header = [0; HEADER];
    // A damaged entry is listed too: it takes up space, and clearing removes it.
    let label = file.read_exact(&mut header).ok().and_then(|()| {
        let length = label_length(&header)?;
        let mut label = vec![0; length];
        file.read_exact(&mut label).ok()?;
        String::from_utf8(label).ok()
    });
    let label = label.unwrap_or_else(|| "damaged".to_owned());
    Some(Entry { key, label, bytes: found.len(), used: found.modified().ok()? })
}

fn label_length(header: &[u8]) -> Option<usize> {
    let length = header.get(HEADER - 4..HEADER)?.try_into().ok()?;
    let length = u32::from_le_bytes(length) as usize;
    (header.starts_with(MAGIC) && length <= MAX_LABEL).then_some(length)
}

/// The start of the payload, if the file is unchanged since it was written under `key`.
fn payload_start(key: &str, bytes: &[u8]) -> Option<usize> {
    let start = HEADER + label_length(bytes)?;
    let (label, payload) = (bytes.get(HEADER..start)?, &bytes[start..]);
    let written = &bytes[MAGIC.len()..MAGIC.len() + 32];
    (digest(key, label, payload).as_bytes() == written).then_some(start)
}

/// The digest of everything in a file and of the key, so that a file under another name is
/// rejected.
fn digest(key: &str, label: &[u8], payload: &[u8]) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    for part in [key.as_bytes(), label] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(payload);
    hash.finalize()
}
