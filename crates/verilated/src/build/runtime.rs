//! Verilator's runtime and the DPI functions, compiled once for all designs.

use std::fs;
use std::path::PathBuf;

use super::{Build, lock, read};
use crate::error::Error;

/// Design name in error messages.
const NAME: &str = "the runtime";

/// Returns the path of the object file with the runtime, and compiles it first if it is missing.
pub fn object(build: &Build<'_>) -> Result<PathBuf, Error> {
    let finished = build.cache.join(format!("runtime-{}.o", key(build)?));
    if finished.is_file() {
        return Ok(finished);
    }
    let _lock = lock(&build.cache, &finished.with_extension("lock"))?;
    if finished.is_file() {
        return Ok(finished);
    }
    let work = build.folder()?;
    let files = files(build)?;
    let mut arguments: Vec<String> =
        ["-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-std=gnu++17", "-w", "-O2", "-c"]
            .map(String::from)
            .into();
    // The harness replaces the functions that print or end the process.
    arguments.extend(["-include", "harness.h"].map(String::from));
    arguments.extend(["-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVL_USER_FINISH"].map(String::from));
    arguments.extend(build.include_flags()?);
    arguments.extend(files.iter().map(|file| file.display().to_string()));
    build.tools.compile(work.path(), &arguments, NAME)?;
    let stems = files.iter().filter_map(|file| file.file_stem());
    let objects = stems.map(|stem| format!("{}.o", stem.to_string_lossy()));
    let together = ["-r", "-nostdlib", "-o", "runtime.o"].map(String::from);
    let arguments: Vec<String> = together.into_iter().chain(objects).collect();
    build.tools.compile(work.path(), &arguments, NAME)?;
    fs::rename(work.path().join("runtime.o"), &finished).map_err(Error::io(&finished))?;
    Ok(finished)
}

fn files(build: &Build<'_>) -> Result<Vec<PathBuf>, Error> {
    let include = build.tools.verilator_root()?.join("include");
    let mut names = vec!["verilated.cpp", "verilated_threads.cpp", "verilated_dpi.cpp"];
    if build.design.trace {
        names.push("verilated_fst_c.cpp");
    }
    let mut files: Vec<PathBuf> = names.into_iter().map(|name| include.join(name)).collect();
    files.push(build.sim.join("aes_dpi.cpp"));
    Ok(files)
}

fn key(build: &Build<'_>) -> Result<String, Error> {
    let mut hash = blake3::Hasher::new();
    for file in ["aes_dpi.cpp", "harness.h"] {
        hash.update(read(&build.sim.join(file))?.as_bytes());
    }
    hash.update(build.version.as_bytes());
    hash.update(&[u8::from(build.design.trace)]);
    Ok(hash.finalize().to_hex()[..16].to_string())
}
