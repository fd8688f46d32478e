//! The SystemVerilog source files for the tools.

use crate::tools;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The folders with hardware in a checkout: `rtl`, and the `rtl` folder of each machine.
///
/// # Errors
/// If there is no folder of machines.
pub fn folders(checkout: &Path) -> Result<Vec<PathBuf>, String> {
    let machines = checkout.join("machines");
    let failed = |e: std::io::Error| {
        format!("{}: {e}; run this in the repository's root, or give --rtl", machines.display())
    };
    let mut folders = vec![checkout.join("rtl")];
    for entry in std::fs::read_dir(&machines).map_err(failed)? {
        let rtl = entry.map_err(failed)?.path().join("rtl");
        if rtl.is_dir() {
            folders.push(rtl);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Copies the sources to the folder that the tools work in. Returns their names there, packages
/// first, and a hash of their code: of all but white space and lines of comment.
///
/// # Errors
/// If the sources cannot be read or copied, or there are none.
pub fn sources(folders: &[PathBuf], work: &Path) -> Result<(Vec<String>, u64), String> {
    let copies = work.join("rtl");
    // Sources deleted from the tree must not be read from an old copy.
    let _ = std::fs::remove_dir_all(&copies);
    let mut files = Vec::new();
    for (number, root) in folders.iter().enumerate() {
        copy(root, &copies.join(number.to_string()), work, &mut files)?;
    }
    if files.is_empty() {
        let names: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
        return Err(format!("{}: no SystemVerilog: give the folders with --rtl", names.join(", ")));
    }
    files.sort_by_key(|file| (!file.ends_with("_pkg.sv"), file.clone()));
    let mut hash = DefaultHasher::new();
    for file in &files {
        (file, code(&tools::read(&work.join(file))?)).hash(&mut hash);
    }
    Ok((files, hash.finish()))
}

/// What is between white space, without lines that are comments as a whole.
fn code(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(str::split_whitespace).collect()
}

/// Copies the SystemVerilog below `root` to `copies`, and adds the names below `work` to `files`.
fn copy(root: &Path, copies: &Path, work: &Path, files: &mut Vec<String>) -> Result<(), String> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                // Folders `formal` have proofs, which are not hardware.
                if !path.ends_with("formal") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "sv") {
                let to = copies.join(path.strip_prefix(root).map_err(|e| e.to_string())?);
                let parent = to.parent().unwrap_or(copies);
                std::fs::create_dir_all(parent)
                    .and_then(|()| std::fs::copy(&path, &to))
                    .map_err(failed)?;
                let name = to.strip_prefix(work).map_err(|e| e.to_string())?;
                files.push(name.to_string_lossy().into_owned());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_changes_with_the_code_and_not_with_lines_of_comment() {
        let folder = tempfile::tempdir().expect("a folder");
        let (rtl, work) = (folder.path().join("rtl"), folder.path().join("work"));
        std::fs::create_dir_all(&rtl).expect("made");
        let hash = |text: &str| {
            std::fs::write(rtl.join("a.sv"), text).expect("written");
            sources(std::slice::from_ref(&rtl), &work).expect("sources").1
        };
        let first = hash("module a;\n  // One.\nendmodule\n");
        assert_eq!(hash("// Two.\n\nmodule  a;\nendmodule\n"), first);
        assert_ne!(hash("module a;\n  assign b = 1;\nendmodule\n"), first);
    }
}
