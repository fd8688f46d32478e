//! Which files a design is made of.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::design::Design;
use crate::error::Error;

/// A file to be read by Verilator.
pub struct Source {
    /// The name of its module or package.
    pub module: String,
    /// Its text, with mutations.
    pub text: String,
}

/// The folder `rtl/`: `HALFGATE_RTL_SOURCES`, or where this crate was compiled, or beside the program.
///
/// # Errors
/// If it is in none of them.
pub fn root() -> Result<PathBuf, Error> {
    if let Some(folder) = std::env::var_os("HALFGATE_RTL_SOURCES") {
        let folder = PathBuf::from(folder);
        return if folder.is_dir() { Ok(folder) } else { Err(Error::NoSources(folder)) };
    }
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
    if let Ok(folder) = compiled.canonicalize() {
        return Ok(folder);
    }
    let program = std::env::current_exe().map_err(Error::io(Path::new("this program")))?;
    let beside = program.with_file_name("rtl");
    if beside.is_dir() { Ok(beside) } else { Err(Error::NoSources(beside)) }
}

/// The files that `design`'s top needs, what is needed before what needs it.
pub fn of(design: &Design, root: &Path) -> Result<Vec<Source>, Error> {
    let mut tree = Tree { root, files: BTreeMap::new(), extra: design, seen: HashSet::new() };
    find(root, &mut tree.files)?;
    let mut sources = Vec::new();
    tree.add(&design.top, &mut sources)?;
    mutate(design, &mut sources)?;
    Ok(sources)
}

struct Tree<'a> {
    root: &'a Path,
    files: BTreeMap<String, PathBuf>,
    extra: &'a Design,
    seen: HashSet<String>,
}

impl Tree<'_> {
    /// Adds what `module` needs and then itself. A word that is a file's name counts as needed.
    fn add(&mut self, module: &str, sources: &mut Vec<Source>) -> Result<(), Error> {
        if !self.seen.insert(module.to_string()) {
            return Ok(());
        }
        let text = self.text(module)?.ok_or_else(|| Error::NoModule {
            module: module.to_string(),
            folder: self.root.to_path_buf(),
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

fn find(folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<(), Error> {
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
