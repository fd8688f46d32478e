//! The cache of built designs. Processes share the cache. They wait for each other only by file
//! locks, which end with the process that holds them.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;

/// Prefix of the names of build folders.
const BUILDING: &str = "building-";

/// Name of a lock file. A process holds this lock while it makes a build folder, until the folder
/// itself is locked. The name does not start with [`BUILDING`].
const MAKING: &str = "building.lock";

/// Time between two attempts to get a build slot.
const SLOT_INTERVAL: Duration = Duration::from_millis(50);

/// Locks the file `path`. Blocks while another process holds the lock, that is, while it builds the
/// same library.
pub fn lock(cache: &Path, path: &Path) -> Result<File, Error> {
    let file = create(cache, path)?;
    file.lock().map_err(Error::io(path))?;
    Ok(file)
}

/// Takes a build slot. Blocks while the number of designs that are being built equals the number of
/// cores.
pub fn slot(cache: &Path) -> Result<File, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    loop {
        for slot in 0..cores {
            let path = cache.join(format!("slot-{slot}.lock"));
            let file = create(cache, &path)?;
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
            }
        }
        std::thread::sleep(SLOT_INTERVAL);
    }
}

fn create(cache: &Path, path: &Path) -> Result<File, Error> {
    fs::create_dir_all(cache).map_err(Error::io(cache))?;
    File::create(path).map_err(Error::io(path))
}

/// A build folder, on the disk of the cache. It is removed when dropped. If the process is killed,
/// the next process that makes a build folder or looks for a design ([`tidy`]) removes the folder.
pub struct Workplace {
    folder: tempfile::TempDir,
    /// The lock on the folder, held during the build. It is the last field, so it is dropped last.
    lock: File,
}

impl Workplace {
    pub fn new(cache: &Path) -> Result<Workplace, Error> {
        // Protects the new folder from removal until the folder itself is locked.
        let _making = lock(cache, &cache.join(MAKING))?;
        clean(cache)?;
        let builder = tempfile::Builder::new().prefix(BUILDING).tempdir_in(cache);
        let folder = builder.map_err(Error::io(cache))?;
        let lock = File::open(folder.path()).map_err(Error::io(folder.path()))?;
        lock.lock().map_err(Error::io(folder.path()))?;
        Ok(Workplace { folder, lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Moves the folder into the cache as `finished`.
    pub fn finish(self, finished: &Path) -> Result<(), Error> {
        let Workplace { folder, lock: _lock } = self;
        fs::rename(folder.path(), finished).map_err(Error::io(finished))?;
        let _: PathBuf = folder.keep();
        Ok(())
    }
}

/// Removes the folders of killed builds. If another process is making a build folder, that process
/// removes them instead. Errors are ignored, because such a folder only takes space.
pub fn tidy(cache: &Path) {
    // If there are no such folders, no lock is taken, so no other process is delayed.
    let unfinished = |entry: io::Result<DirEntry>| entry.is_ok_and(|entry| is_building(&entry));
    if !fs::read_dir(cache).is_ok_and(|mut entries| entries.any(unfinished)) {
        return;
    }
    let Ok(making) = create(cache, &cache.join(MAKING)) else { return };
    if making.try_lock().is_ok() {
        let _ = clean(cache);
    }
}

fn is_building(entry: &DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with(BUILDING)
}

/// Removes build folders that are not in use. The caller holds the lock of [`MAKING`], so every
/// folder in use is locked by the process that builds in it. That lock ends with the process, so a
/// folder without a lock is not in use.
fn clean(cache: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(cache).map_err(Error::io(cache))? {
        let entry = entry.map_err(Error::io(cache))?;
        if !is_building(&entry) {
            continue;
        }
        // Removal may fail: another process may be removing its own folder, or a compiler that
        // outlived its parent may still write into this one. The next call then removes it.
        if let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            let removed = fs::remove_dir_all(entry.path()).is_ok();
            tracing::debug!(folder = ?entry.path(), removed, "a killed build left this");
        }
    }
    Ok(())
}
