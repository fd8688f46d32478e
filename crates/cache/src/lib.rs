//! Finished work between commands: the folder that all of it is in, and a bounded store of files.
//!
//! A [`Store`] holds what can be made again: a file for each key. It never has to be there, and what
//! is damaged in it counts as absent, so it changes how long a command takes and nothing else.

mod store;

pub use store::{Entry, Store};

use std::path::{Path, PathBuf};

/// The variable that names the folder.
pub const VARIABLE: &str = "HALFGATE_RTL_DIR";

/// The folder for finished work: `HALFGATE_RTL_DIR`, or `target/rtl` below `home`.
pub fn folder(home: &Path) -> PathBuf {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    named.unwrap_or_else(|| home.join("target/rtl"))
}

/// The checkout in which this was compiled, if it is still there, else the folder of the program.
/// `None` if the system does not say where the program is.
pub fn home() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match checkout.canonicalize() {
        Ok(checkout) if checkout.join("rtl").is_dir() => Some(checkout),
        _ => Some(std::env::current_exe().ok()?.with_file_name("")),
    }
}
