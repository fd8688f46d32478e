//! Verilator's headers, precompiled once for all designs. Without this, they take most of the
//! compile time of every file of a design.

use std::collections::BTreeSet;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{Build, lock};
use crate::error::Error;

/// Design name in error messages.
const NAME: &str = "Verilator's headers";

/// The header that all files of a design include first.
const HEADER: &str = "verilated.h";

/// Flags of Verilator's own makefiles. Code that is compiled with other flags cannot use the
/// precompiled headers.
pub const FLAGS: [&str; 2] = ["-faligned-new", "-fcf-protection=none"];

/// Optimisation of code that runs once.
pub const ONCE: &str = "-O0";

/// Flags that include the header first. A compiler does not use a precompiled header that is
/// included by another header.
pub const FIRST: [&str; 2] = ["-include", HEADER];

/// Puts links to the headers into `obj`, where the design's files are compiled. A compiler with
/// other flags ignores the precompiled headers.
pub fn place(build: &Build<'_>, obj: &Path) -> Result<(), Error> {
    let finished = build.cache.join(format!("headers-{}", key(build)));
    if !finished.is_dir() {
        let _lock = lock(&build.cache, &finished.with_extension("lock"))?;
        if !finished.is_dir() {
            compile(build, &finished)?;
        }
    }
    let finished = fs::canonicalize(&finished).map_err(Error::io(&finished))?;
    let header = header(build)?;
    // The compiler looks for a precompiled header beside the header, so both are linked. Later
    // includes need the header itself.
    let link = |to: &Path, place: PathBuf| symlink(to, &place).map_err(Error::io(&place));
    for folder in folders(obj)? {
        link(&header, folder.join(HEADER))?;
        link(&finished, folder.join(format!("{HEADER}.gch")))?;
    }
    Ok(())
}

/// Simulation on systems other than Unix is untested.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("SystemVerilog is simulated on Unix systems only"))
}

/// The folders in which files are compiled: `obj`, and its subfolders with the blocks of a
/// hierarchical design.
fn folders(obj: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut folders = vec![obj.to_path_buf()];
    for entry in fs::read_dir(obj).map_err(Error::io(obj))? {
        let path = entry.map_err(Error::io(obj))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    Ok(folders)
}

fn header(build: &Build<'_>) -> Result<PathBuf, Error> {
    Ok(build.tools.verilator_root()?.join("include").join(HEADER))
}

/// Precompiles the header with the flags for code that runs once, and with those for all other
/// code. The compiler selects the precompiled header that fits its flags.
fn compile(build: &Build<'_>, finished: &Path) -> Result<(), Error> {
    let header = header(build)?;
    let work = build.folder()?;
    for level in BTreeSet::from([ONCE, build.design.effort.level()]) {
        let mut arguments = build.compiler_flags();
        arguments.extend(FLAGS.map(String::from));
        arguments.extend(build.include_flags()?);
        arguments.extend([level, "-x", "c++-header", "-o"].map(String::from));
        arguments.extend([format!("of{level}"), header.display().to_string()]);
        build.tools.compile(work.path(), &arguments, NAME)?;
    }
    work.finish(finished)
}

fn key(build: &Build<'_>) -> String {
    let mut hash = blake3::Hasher::new();
    for flag in build.compiler_flags() {
        hash.update(flag.as_bytes());
    }
    hash.update(build.version.as_bytes());
    hash.update(build.tools.cxx.as_encoded_bytes());
    hash.update(&[u8::from(build.design.trace)]);
    hash.finalize().to_hex()[..16].to_string()
}
