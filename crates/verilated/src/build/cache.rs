//! The cache of built designs. Processes share it and wait only for file locks, which end with the
//! process that holds them.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;

/// Prefix of the names of build folders.
const BUILDING: &str = "building-";

/// Locked while a build folder exists that is not locked itself. Its name lacks the prefix
/// [`BUILDING`].
const MAKING: &str = "building.lock";

/// Time between two attempts to get a build slot.
const SLOT_INTERVAL: Duration = Duration::from_millis(50);

/// Locks the file `path`. Blocks while another process holds the lock, that is while it builds the
/// same thing.
pub fn lock(cache: &Path, path: &Path) -> Result<File, Error> {
    let file = create(cache, path)?;
    file.lock().map_err(Error::io(path))?;
    Ok(file)
}

/// Blocks until fewer designs are being built than there are cores, and takes a slot.
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

/// A build folder, on the disk of the cache. It is removed when dropped. A folder of a killed
/// process is removed by the next process that makes a build folder or looks for a design
/// ([`tidy`]).
pub struct Workplace {
    folder: tempfile::TempDir,
    /// Held during the build; dropped last.
    lock: File,
}

impl Workplace {
    pub fn new(cache: &Path) -> Result<Workplace, Error> {
        // Protects the new folder from removal until it is locked itself.
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

/// Removes the folders of killed builds, unless another process is making a build folder: that
/// process removes them as well. Errors are ignored, because such a folder only takes space.
pub fn tidy(cache: &Path) {
    // Without such folders no lock file is made, and no process is kept from building.
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

/// Removes build folders that no process builds in. The caller holds the lock of [`MAKING`], so
/// every folder in use is locked by the process that builds in it. That lock ends with the
/// process: a folder without a lock is not in use.
fn clean(cache: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(cache).map_err(Error::io(cache))? {
        let entry = entry.map_err(Error::io(cache))?;
        if !is_building(&entry) {
            continue;
        }
        // Another process may be removing its own folder. A compiler that outlived its parent may
        // still write into this one, and then the next call cleans.
        if let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            let removed = fs::remove_dir_all(entry.path()).is_ok();
            tracing::debug!(folder = ?entry.path(), removed, "a killed build left this");
        }
    }
    Ok(())
}
