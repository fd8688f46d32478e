//! Writes a file that appears under its name only when it is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempPath;

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file cannot be created, written or renamed.
    #[error("cannot write {path}: {error}")]
    Io {
        /// The path of the file.
        path: String,
        /// The system's error.
        error: io::Error,
    },
    /// The disk does not have, or did not have, enough space for the file.
    #[error(
        "no space for {path}: it needs {needed}, and its disk has {free} bytes free; nothing was written under that name"
    )]
    NoSpace {
        /// The path of the file.
        path: String,
        /// "about N bytes", or "more than N bytes" if the size is not known in advance.
        needed: String,
        /// Free bytes, as reported by the system.
        free: u64,
    },
    /// The caller's flag was set.
    #[error("interrupted while {path} was being written; nothing was written under that name")]
    Interrupted {
        /// The path of the file.
        path: String,
    },
    /// The program does not fit the format or cannot be read from its spool.
    #[error("cannot write {path}: {what}")]
    Program {
        /// The path of the file.
        path: String,
        /// The reason.
        what: String,
    },
}

/// A flag that stops the writing once it is set, for example by Ctrl-C.
pub type Cancel<'a> = Option<&'a AtomicBool>;

/// Lets `body` write a file, which gets the name `path` once all of it is on the disk. `needed` is
/// the least size of the file in bytes. If the disk has fewer bytes free, nothing is written.
///
/// # Errors
/// Those of `body` and of the system, too little space, or `cancel`. The temporary file is then
/// removed.
pub fn whole<T>(
    path: &Path,
    needed: Option<u64>,
    cancel: Cancel,
    body: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, WriteError> {
    // A pipe or a device cannot be replaced by a file.
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let stream = OpenOptions::new().write(true).open(path);
        let stream = stream.map_err(|e| failed(path, needed, 0, e))?;
        return into(path, stream, needed, cancel, body).map(|(result, _)| result);
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    if let (Some(needed), Some(free)) = (needed, free(&folder))
        && needed > free
    {
        return Err(no_space(path, Some(needed), 0, free));
    }
    let io = |error| failed(path, needed, 0, error);
    let (result, part) = match unnamed(&folder) {
        Some(file) => {
            let (result, file) = into(path, file, needed, cancel, body)?;
            file.sync_all().map_err(io)?;
            (result, named(&file, &folder).map_err(io)?)
        }
        None => {
            let mut builder = builder();
            set_mode(&mut builder);
            let file = builder.tempfile_in(&folder);
            let (result, file) = into(path, file.map_err(io)?, needed, cancel, body)?;
            file.as_file().sync_all().map_err(io)?;
            (result, file.into_temp_path())
        }
    };
    part.persist(&target).map_err(|error| io(error.error))?;
    // This makes the new name survive a crash too; some file systems do not support it and do not
    // need it.
    let _ = File::open(&folder).and_then(|folder| folder.sync_all());
    Ok(result)
}

/// A program is not secret: the umask decides who may read the file.
#[cfg(unix)]
const MODE: u32 = 0o666;

#[cfg(unix)]
fn set_mode(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(MODE));
}

#[cfg(not(unix))]
fn set_mode(_: &mut tempfile::Builder<'_, '_>) {}

fn builder<'a>() -> tempfile::Builder<'a, 'a> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".halfgate-").suffix(".part");
    builder
}

/// Opens a file in `folder` without a name, so that nothing of it remains however the process ends.
/// `None` if the system or the file system does not support such files.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits() as i32;
    let file = OpenOptions::new().write(true).mode(MODE).custom_flags(flags).open(folder).ok()?;
    path_of(&file).exists().then_some(file)
}

/// Gives an unnamed file a name that is not in use.
#[cfg(target_os = "linux")]
fn named(file: &File, folder: &Path) -> io::Result<TempPath> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let link = |name: &Path| {
        linkat(CWD, path_of(file), CWD, name, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
    };
    builder().make_in(folder, link).map(tempfile::NamedTempFile::into_temp_path)
}

#[cfg(target_os = "linux")]
fn path_of(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn named(_: &File, _: &Path) -> io::Result<TempPath> {
    Err(ErrorKind::Unsupported.into())
}

fn into<T, W: Write>(
    path: &Path,
    to: W,
    needed: Option<u64>,
    cancel: Cancel,
    body: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(T, W), WriteError> {
    let mut writer = Watched { to: BufWriter::with_capacity(1 << 16, to), cancel, bytes: 0 };
    let result = body(&mut writer).and_then(|result| writer.flush().map(|()| result));
    let bytes = writer.bytes;
    match result {
        Ok(result) => {
            let to =
                writer.to.into_inner().map_err(|e| failed(path, needed, bytes, e.into_error()))?;
            Ok((result, to))
        }
        Err(error) => Err(failed(path, needed, bytes, error)),
    }
}

/// Counts the bytes written and checks the flag.
struct Watched<'a, W: Write> {
    to: BufWriter<W>,
    cancel: Cancel<'a>,
    bytes: u64,
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::SeqCst)) {
            return Err(io::Error::other(Cancelled));
        }
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Cancelled;

fn failed(path: &Path, needed: Option<u64>, written: u64, error: io::Error) -> WriteError {
    let name = path.display().to_string();
    if error.get_ref().is_some_and(|inner| inner.is::<Cancelled>()) {
        return WriteError::Interrupted { path: name };
    }
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            no_space(path, needed, written, free(folder.unwrap_or(Path::new("."))).unwrap_or(0))
        }
        ErrorKind::InvalidInput => WriteError::Program { path: name, what: error.to_string() },
        _ => WriteError::Io { path: name, error },
    }
}

fn no_space(path: &Path, needed: Option<u64>, written: u64, free: u64) -> WriteError {
    let needed = match needed {
        Some(needed) if needed > written => format!("at least {needed} bytes"),
        _ => format!("more than {written} bytes"),
    };
    WriteError::NoSpace { path: path.display().to_string(), needed, free }
}

/// Free bytes for a file in `folder`, if the system reports them.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}
