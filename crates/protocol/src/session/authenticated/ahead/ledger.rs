//! The ledger of used preprocessing on this computer.
//!
//! A file's own mark does not survive if the file is restored from a copy. The ledger outlives it:
//! it has a line of 64 hexadecimal digits for each generation that was used. It is appended to and
//! never shortened.

use super::error::PreprocessedError;
use crate::private;
use halfgate_circuit::positioned::FileExt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Bytes of a line.
const LINE: usize = 65;

/// Whether the ledger at `path` has `entry`. A ledger that does not exist is created empty, so that
/// one that cannot be written is found before the peer uses its file.
///
/// # Errors
/// If it cannot be read and written, or is not a ledger.
pub(super) fn has(path: &Path, entry: &[u8; 32]) -> Result<bool, PreprocessedError> {
    find(path, &open(path)?, entry).map(|(found, _)| found)
}

/// Adds `entry` to the ledger at `path`, which is created if it does not exist, and waits until it
/// is on the disk. Returns whether the entry is new.
///
/// # Errors
/// If the ledger cannot be written, or is not a ledger.
pub(super) fn add(path: &Path, entry: &[u8; 32]) -> Result<bool, PreprocessedError> {
    let failed = |error| io_error(path, error);
    let file = open(path)?;
    // Another process may add an entry at the same time. The lock ends with the file.
    file.lock().map_err(failed)?;
    let (found, end) = find(path, &file, entry)?;
    if found {
        return Ok(false);
    }
    file.write_all_at(&line(entry), end).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    // The folder, and the folder in which it may have been created.
    let folder = folder_of(path);
    sync_folder(folder).map_err(failed)?;
    sync_folder(folder_of(folder)).map_err(failed)?;
    Ok(true)
}

/// Opens a ledger, and creates it if it does not exist.
fn open(path: &Path) -> Result<File, PreprocessedError> {
    let failed = |error| io_error(path, error);
    std::fs::create_dir_all(folder_of(path)).map_err(failed)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    private::set_mode(&mut options, 0o600);
    options.open(path).map_err(failed)
}

/// Whether a ledger has an entry, and where its last complete line ends. A line that was cut short
/// belongs to a run that had not begun: the line is synced before the run's first message.
fn find(path: &Path, file: &File, entry: &[u8; 32]) -> Result<(bool, u64), PreprocessedError> {
    let wanted = line(entry);
    let mut reader = BufReader::new(file);
    let mut next = [0; LINE];
    let mut end = 0;
    loop {
        match reader.read_exact(&mut next) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok((false, end)),
            read => read.map_err(|error| io_error(path, error))?,
        }
        if next == wanted {
            return Ok((true, end));
        }
        let (digits, newline) = next.split_at(LINE - 1);
        let is_digit = |digit: &u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(digit);
        if newline != b"\n" || !digits.iter().all(is_digit) {
            return Err(PreprocessedError::Ledger { path: path.display().to_string() });
        }
        end += LINE as u64;
    }
}

fn line(entry: &[u8; 32]) -> [u8; LINE] {
    let mut line = [b'\n'; LINE];
    for (digits, byte) in line.chunks_exact_mut(2).zip(entry) {
        digits.copy_from_slice(format!("{byte:02x}").as_bytes());
    }
    line
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes new names in a folder survive a crash. Windows does not open folders, and needs no such
/// call.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    File::open(folder)?.sync_all()
}

pub(super) fn io_error(path: &Path, error: io::Error) -> PreprocessedError {
    PreprocessedError::Io { path: path.display().to_string(), error }
}
