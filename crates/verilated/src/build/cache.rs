//! The folder with finished designs. Processes share it, so all waiting is for locks on files,
//! which end with the process that holds them.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;

/// Names of folders that are built in begin with it.
const BUILDING: &str = "building-";

/// Locked while a folder is made and not yet locked itself. Its name begins otherwise than theirs.
const MAKING: &str = "building.lock";

/// Time between two looks for a free slot.
const SLOT_INTERVAL: Duration = Duration::from_millis(50);

/// Waits until nobody else builds what this file stands for.
pub fn lock(cache: &Path, path: &Path) -> Result<File, Error> {
    let file = create(cache, path)?;
    file.lock().map_err(Error::io(path))?;
    Ok(file)
}

/// Waits until fewer designs are being built than there are cores.
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

/// A folder to build in, on the disk of the cache. It is removed when dropped, and what a killed
/// process left is removed by the next that makes one or looks for a design ([`tidy`]).
pub struct Workplace {
    folder: tempfile::TempDir,
    /// Held as long as somebody builds here; dropped last.
    lock: File,
}

impl Workplace {
    pub fn new(cache: &Path) -> Result<Workplace, Error> {
        // A folder that was made a moment ago is not locked yet.
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

    /// Makes the folder itself a part of the cache.
    pub fn finish(self, finished: &Path) -> Result<(), Error> {
        let Workplace { folder, lock: _lock } = self;
        fs::rename(folder.path(), finished).map_err(Error::io(finished))?;
        let _: PathBuf = folder.keep();
        Ok(())
    }
}

/// Removes what killed builds left, unless somebody makes a folder at the moment: whoever does
/// removes it as well. An error is no reason to stop: nothing that is needed is missing.
pub fn tidy(cache: &Path) {
    // Where there is nothing to remove, no file is made and nobody is kept from building.
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

/// Removes the folders that nobody builds in. Whoever calls it holds the lock of [`MAKING`], so
/// that each folder that is there is locked by the process that builds in it. Such a lock ends with
/// its process, however that ends: what has none is nobody's.
fn clean(cache: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(cache).map_err(Error::io(cache))? {
        let entry = entry.map_err(Error::io(cache))?;
        if !is_building(&entry) {
            continue;
        }
        // Another may be removing its own. A compiler that outlived its parent may still write:
        // then the next one cleans.
        if let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            let removed = fs::remove_dir_all(entry.path()).is_ok();
            tracing::debug!(folder = ?entry.path(), removed, "a killed build left this");
        }
    }
    Ok(())
}
