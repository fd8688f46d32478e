//! Results that one command keeps for later ones: the folder for them, and a bounded store of
//! files.
//!
//! A [`Store`] holds results that can be recomputed, one file per key. The store may be missing,
//! and damaged files count as absent. So a store changes only how long a command takes.

mod store;

pub use store::{Entry, Store};

use etcetera::BaseStrategy;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The environment variable that names the folder.
pub const VARIABLE: &str = "HALFGATE_RTL_DIR";

/// Folders in which an installed program has its SystemVerilog, relative to its own folder: beside
/// it, or where system packages put it.
pub const INSTALLED: [&str; 2] = ["rtl", "../share/halfgate/rtl"];

/// The SystemVerilog that this library brought along.
static BROUGHT: OnceLock<PathBuf> = OnceLock::new();

/// Names the folder with the SystemVerilog of a host that is a library, such as a Python package:
/// then the place of the program says nothing. The folder is laid out as that of an installed
/// program. Only the first call counts.
pub fn bring(rtl: PathBuf) {
    // A second folder has the same files: it comes from the same library.
    let _ = BROUGHT.set(rtl);
}

/// The folder for kept results: `HALFGATE_RTL_DIR`, or `target/rtl` of the checkout in which this
/// was compiled, or, for an installed program, the [user's own](users_folder). Other users must not
/// be able to write to it, since libraries are loaded from it. `None` if the user has no such
/// folder.
pub fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let is_installed = program.and_then(|program| installed(&program)).is_some();
    match checkout().filter(|_| !is_installed) {
        Some(checkout) => Some(checkout.join("target/rtl")),
        None => users_folder(),
    }
}

/// The user's own folder: `$XDG_CACHE_HOME/halfgate`, or `~/.cache/halfgate`.
pub fn users_folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.cache_dir().join("halfgate"))
}

/// The folder with the SystemVerilog of `program`, if the program is installed, or that of
/// [`bring`].
pub fn installed(program: &Path) -> Option<PathBuf> {
    if let Some(rtl) = BROUGHT.get() {
        return Some(rtl.clone());
    }
    let mut places = INSTALLED.iter().map(|place| program.with_file_name(place));
    let rtl = places.find(|place| place.join("sim").is_dir())?;
    Some(rtl.canonicalize().unwrap_or(rtl))
}

/// The checkout in which this was compiled, if it still exists.
pub fn checkout() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    checkout.join("rtl").is_dir().then_some(checkout)
}
