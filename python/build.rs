//! Collects the SystemVerilog of all machines and the harness that simulates it, so that the
//! package has them where there is no checkout. The layout is that of an installed command.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    let mut text = String::from("&[\n");
    add(&mut text, &root.join("rtl"), Path::new(""))?;
    add(&mut text, &root.join("crates/verilated/sim"), Path::new("sim"))?;
    for parent in ["machines", "crates"] {
        for entry in sorted(&root.join(parent))? {
            let name = entry.file_name().unwrap_or_default();
            if entry.join("rtl").is_dir() {
                add(&mut text, &entry.join("rtl"), Path::new(name))?;
            }
        }
    }
    text.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("sources.rs"), text)
}

/// Adds the files of a folder and its subfolders, as pairs of a path below `to` and the content.
fn add(text: &mut String, folder: &Path, to: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for path in sorted(folder)? {
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            add(text, &path, &to)?;
        } else {
            let path = fs::canonicalize(&path)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "({to:?}, include_bytes!({path:?}).as_slice()),");
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
