//! Hashes all sources that determine into which circuit a Verilog design is turned. With this hash,
//! the cache ignores circuits that another version of this code has made.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    // In a published package of this crate `../circuit/src` does not exist. The package version
    // then stands for these sources.
    for folder in ["src/verilog", "../circuit/src"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    for file in files {
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        hash.update(file.to_string_lossy().as_bytes());
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    println!("cargo::rustc-env=HALFGATE_READER={}", hash.finalize().to_hex());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
