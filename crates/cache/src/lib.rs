//! Finished work between commands: the folder that all of it is in, and a bounded store of files.
//!
//! A [`Store`] holds what can be made again: a file for each key. It never has to be there, and
//! what is damaged in it counts as absent, so it changes how long a command takes and nothing else.

mod store;

pub use store::{Entry, Store};

use etcetera::BaseStrategy;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
pub const VARIABLE: &str = "HALFGATE_RTL_DIR";

/// Where an installed program has its SystemVerilog, from its own folder: beside it, or as packages
/// of systems have it.
pub const INSTALLED: [&str; 2] = ["rtl", "../share/halfgate/rtl"];

/// The folder for finished work: `HALFGATE_RTL_DIR`, or `target/rtl` of the checkout in which this
/// was compiled, or, where the program is installed, the user's own (`$XDG_CACHE_HOME/halfgate`, or
/// `~/.cache/halfgate`). Never one that others may write to, since libraries are loaded from it.
/// `None` if the user has none.
pub fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let is_installed = program.and_then(|program| installed(&program)).is_some();
    match checkout().filter(|_| !is_installed) {
        Some(checkout) => Some(checkout.join("target/rtl")),
        None => etcetera::choose_base_strategy().ok().map(|base| base.cache_dir().join("halfgate")),
    }
}

/// The folder with the SystemVerilog of `program`, if it is installed.
pub fn installed(program: &Path) -> Option<PathBuf> {
    let mut places = INSTALLED.iter().map(|place| program.with_file_name(place));
    let rtl = places.find(|place| place.join("sim").is_dir())?;
    Some(rtl.canonicalize().unwrap_or(rtl))
}

/// The checkout in which this was compiled, if it is still there.
pub fn checkout() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    checkout.join("rtl").is_dir().then_some(checkout)
}
