//! Verilator's headers, compiled once for all designs: most of what each of a design's files costs.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{Build, lock};
use crate::error::Error;

/// Whose errors these are.
const NAME: &str = "Verilator's headers";

/// What all files of a design begin with.
const HEADER: &str = "verilated.h";

/// What Verilator's own makefiles compile with. Code compiled otherwise has no use of the headers.
pub const FLAGS: [&str; 2] = ["-faligned-new", "-fcf-protection=none"];

/// Includes the header first. The compiler takes no compiled header inside of another.
pub const FIRST: [&str; 2] = ["-include", HEADER];

/// Puts the headers where the design's files, in `obj`, are compiled. A compiler with other flags passes
/// over them.
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
    // The compiler looks for the compiled one beside the header. Later includes want the header itself.
    let link = |to: &Path, place: PathBuf| symlink(to, &place).map_err(Error::io(&place));
    for folder in folders(obj)? {
        link(&header, folder.join(HEADER))?;
        link(&finished, folder.join(format!("{HEADER}.gch")))?;
    }
    Ok(())
}

/// Nobody has tried to simulate designs on such a system.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("SystemVerilog is simulated on Unix systems only"))
}

/// Where files are compiled: `obj`, and a folder in it for each block of a hierarchy.
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

/// One file for code that runs once and one for the rest, of which the compiler takes the one that fits.
fn compile(build: &Build<'_>, finished: &Path) -> Result<(), Error> {
    let header = header(build)?;
    let work = build.folder()?;
    for level in ["-O0", build.level()] {
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
