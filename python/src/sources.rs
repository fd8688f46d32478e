//! The SystemVerilog of the machines, which the package brings along.

use blake3::Hasher;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

/// Paths below the folder, and contents.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Writes the files into the cache, unless they are there, and lets simulations find them.
///
/// # Errors
/// If there is no cache folder, or it cannot be written.
pub fn provide() -> Result<(), String> {
    static DONE: OnceLock<Result<(), String>> = OnceLock::new();
    DONE.get_or_init(|| {
        let what = "there is no folder to keep simulated designs in: name one in HALFGATE_RTL_DIR";
        let named = std::env::var_os(halfgate_cache::VARIABLE).map(PathBuf::from);
        let cache = named.or_else(halfgate_cache::users_folder).ok_or(what)?;
        let rtl = cache.join(format!("sources-{}", hash()));
        if !rtl.is_dir() {
            write(&cache, &rtl).map_err(|error| format!("{}: {error}", rtl.display()))?;
        }
        halfgate_cache::bring(rtl);
        Ok(())
    })
    .clone()
}

/// Identifies the files.
fn hash() -> String {
    let mut hasher = Hasher::new();
    for (path, content) in FILES {
        for part in [path.as_bytes(), content] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// Writes the files to a new folder beside `rtl`, and renames it when it is complete.
fn write(cache: &Path, rtl: &Path) -> io::Result<()> {
    fs::create_dir_all(cache)?;
    let new = tempfile::tempdir_in(cache)?;
    for (path, content) in FILES {
        let path = new.path().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, content)?;
    }
    match fs::rename(new.path(), rtl) {
        // Another process was faster.
        Err(_) if rtl.is_dir() => Ok(()),
        result => result,
    }
}
