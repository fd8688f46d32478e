//! Finds the source files of a design.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::design::Design;
use crate::error::Error;

/// A file for Verilator to read.
pub struct Source {
    /// The name of the file's module or package.
    pub module: String,
    /// The file's text, with mutations applied.
    pub text: String,
}

/// The folders of sources and of the C++ harness.
#[derive(Clone, Debug)]
pub struct Folders {
    /// Folders with SystemVerilog, including their subfolders.
    pub sources: Vec<PathBuf>,
    /// The C++ harness.
    pub harness: PathBuf,
}

/// Variable with folders of sources, separated as in `PATH`.
const VARIABLE: &str = "HALFGATE_RTL_SOURCES";

impl Folders {
    /// Finds the folders of an installed program (`rtl` beside it, or `../share/halfgate/rtl`), or
    /// else those of the checkout in which this crate was compiled (`rtl`, and `rtl` of each
    /// machine and crate). If `HALFGATE_RTL_SOURCES` is set, it names the folders instead.
    ///
    /// # Errors
    /// If a folder is missing.
    pub fn find() -> Result<Folders, Error> {
        let program = std::env::current_exe().and_then(|path| path.canonicalize());
        let program = program.map_err(Error::io(Path::new("this program")))?;
        let mut found = match (Folders::installed(&program), halfgate_cache::checkout()) {
            (Some(installed), _) => installed,
            (None, Some(checkout)) => Folders {
                sources: of_checkout(&checkout)?,
                harness: checkout.join("crates/verilated/sim"),
            },
            (None, None) => {
                let place = halfgate_cache::INSTALLED[1];
                return Err(Error::NoSources(program.with_file_name(place)));
            }
        };
        if let Some(named) = std::env::var_os(VARIABLE) {
            found.sources = std::env::split_paths(&named).collect();
        }
        match found.sources.iter().find(|folder| !folder.is_dir()) {
            Some(missing) => Err(Error::NoSources(missing.clone())),
            None => Ok(found),
        }
    }

    /// The folders of an installed program.
    fn installed(program: &Path) -> Option<Folders> {
        let rtl = halfgate_cache::installed(program)?;
        Some(Folders { harness: rtl.join("sim"), sources: vec![rtl] })
    }
}

/// The folder `rtl`, and those of machines and crates.
fn of_checkout(checkout: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut folders = vec![checkout.join("rtl")];
    for parent in ["machines", "crates"] {
        let parent = checkout.join(parent);
        for entry in std::fs::read_dir(&parent).map_err(Error::io(&parent))? {
            let rtl = entry.map_err(Error::io(&parent))?.path().join("rtl");
            if rtl.is_dir() {
                folders.push(rtl);
            }
        }
    }
    folders.sort();
    Ok(folders)
}

/// Returns the files that the top module of `design` needs. Each file comes after the files that it
/// needs itself.
pub fn of(design: &Design, folders: &[PathBuf]) -> Result<Vec<Source>, Error> {
    let mut tree = Tree { folders, files: BTreeMap::new(), extra: design, seen: HashSet::new() };
    for folder in folders {
        find(folder, &mut tree.files)?;
    }
    let mut sources = Vec::new();
    tree.add(&design.top, &mut sources)?;
    mutate(design, &mut sources)?;
    Ok(sources)
}

struct Tree<'a> {
    folders: &'a [PathBuf],
    files: BTreeMap<String, PathBuf>,
    extra: &'a Design,
    seen: HashSet<String>,
}

impl Tree<'_> {
    /// Adds the modules that `module` needs, and then `module` itself. Every word of its code that
    /// is the name of a source file counts as a needed module.
    fn add(&mut self, module: &str, sources: &mut Vec<Source>) -> Result<(), Error> {
        if !self.seen.insert(module.to_string()) {
            return Ok(());
        }
        let text = self.text(module)?.ok_or_else(|| Error::NoModule {
            module: module.to_string(),
            folders: self.folders.to_vec(),
        })?;
        let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).fold(
            String::new(),
            |mut code, line| {
                code.push_str(line);
                code.push('\n');
                code
            },
        );
        for word in code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if self.knows(word) {
                self.add(word, sources)?;
            }
        }
        sources.push(Source { module: module.to_string(), text });
        Ok(())
    }

    fn knows(&self, module: &str) -> bool {
        self.files.contains_key(module) || self.extra.extra.iter().any(|(name, _)| name == module)
    }

    fn text(&self, module: &str) -> Result<Option<String>, Error> {
        if let Some((_, text)) = self.extra.extra.iter().find(|(name, _)| name == module) {
            return Ok(Some(text.clone()));
        }
        let Some(path) = self.files.get(module) else { return Ok(None) };
        std::fs::read_to_string(path).map(Some).map_err(Error::io(path))
    }
}

/// Adds the SystemVerilog below `folder` to `files`, by module.
pub(crate) fn find(folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "sv")
            && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
            && files.insert(stem.to_string(), path.clone()).is_some()
        {
            return Err(Error::SameName(stem.to_string()));
        }
    }
    Ok(())
}

fn mutate(design: &Design, sources: &mut [Source]) -> Result<(), Error> {
    for mutation in &design.mutations {
        let stem = mutation.file.trim_end_matches(".sv");
        let source = sources.iter_mut().find(|source| source.module == stem);
        let found = source.as_ref().map_or(0, |source| source.text.matches(&mutation.from).count());
        match source {
            Some(source) if found == 1 => {
                source.text = source.text.replacen(&mutation.from, &mutation.to, 1);
            }
            _ => {
                let (file, from) = (mutation.file.clone(), mutation.from.clone());
                return Err(Error::Mutation { file, from, found });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_program_finds_its_sources_without_a_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("usr/bin/halfgate");
        assert!(Folders::installed(&program).is_none());
        let rtl = folder.path().join("usr/share/halfgate/rtl");
        std::fs::create_dir_all(rtl.join("sim")).unwrap();
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        let found = Folders::installed(&program).unwrap();
        assert_eq!(found.sources, [rtl.canonicalize().unwrap()]);
        assert_eq!(found.harness.canonicalize().unwrap(), rtl.join("sim").canonicalize().unwrap());
        // Folders beside the program come first.
        let beside = program.with_file_name("rtl");
        std::fs::create_dir_all(beside.join("sim")).unwrap();
        assert_eq!(Folders::installed(&program).unwrap().sources, [beside.canonicalize().unwrap()]);
    }
}
