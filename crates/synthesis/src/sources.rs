//! The SystemVerilog source files for the tools.

use crate::code::Code;
use crate::files::read;
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
/// first, and their code.
///
/// # Errors
/// If the sources cannot be read or copied, or there are none.
pub(crate) fn sources(folders: &[PathBuf], work: &Path) -> Result<(Vec<String>, Code), String> {
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
    let mut code = Code::default();
    for file in &files {
        code.add(file, &read(&work.join(file))?);
    }
    Ok((files, code))
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
    fn the_hash_changes_with_the_code_of_a_design_and_not_with_comments_or_other_modules() {
        let folder = tempfile::tempdir().expect("a folder");
        let (rtl, work) = (folder.path().join("rtl"), folder.path().join("work"));
        std::fs::create_dir_all(&rtl).expect("made");
        let write = |file: &str, text: &str| {
            std::fs::write(rtl.join(file), text).expect("written");
        };
        let hash = |left_out: &[&str]| {
            let (_, code) = sources(std::slice::from_ref(&rtl), &work).expect("sources");
            code.hash_of(&["a"], left_out)
        };
        write(
            "a.sv",
            "module a\n  import p_pkg::*;\n(input c);\n  // One.\n  b u_b(.c);\nendmodule\n",
        );
        write("b.sv", "module b(input c);\n  d u_d();\nendmodule\n");
        write("d.sv", "module d;\nendmodule\n");
        write("p_pkg.sv", "package p_pkg;\nendpackage\n");
        let (all, some) = (hash(&[]), hash(&["b"]));
        write("e.sv", "module e;\nendmodule\n");
        write("b.sv", "// Two.\n\nmodule  b(input c);\n  d u_d();\nendmodule\n");
        assert_eq!((hash(&[]), hash(&["b"])), (all, some));
        write("d.sv", "module d;\n  assign x = 1;\nendmodule\n");
        assert_eq!(hash(&["b"]), some);
        let changed = hash(&[]);
        assert_ne!(changed, all);
        write("p_pkg.sv", "package p_pkg;\n  int x;\nendpackage\n");
        assert!(hash(&[]) != changed && hash(&["b"]) != some);
        // A module that is not in these files may be made of any of them.
        let (_, code) = sources(std::slice::from_ref(&rtl), &work).expect("sources");
        let frame = code.hash_of(&["frame"], &[]);
        write("e.sv", "module e;\n  assign y = 1;\nendmodule\n");
        let (_, code) = sources(std::slice::from_ref(&rtl), &work).expect("sources");
        assert_ne!(code.hash_of(&["frame"], &[]), frame);
    }
}
