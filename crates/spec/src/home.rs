//! A machine's folder, with its descriptions and the files generated from them.

use crate::{SpecError, names};
use std::path::Path;

/// A folder in `machines`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Home {
    /// Name of the folder and of the machine.
    pub name: String,
}

impl Home {
    /// Returns all folders with descriptions under `root`, the repository, sorted by name.
    ///
    /// # Errors
    /// If the folder `machines` cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Home>, SpecError> {
        let mut all: Vec<Home> =
            names(root, "machines")?.into_iter().map(|name| Home { name }).collect();
        all.retain(|home| root.join(home.path("spec")).is_dir());
        Ok(all)
    }

    /// Converts a path in the machine's folder to one from the repository's root.
    pub fn path(&self, rest: &str) -> String {
        format!("machines/{}/{rest}", self.name)
    }

    /// Like [`path`](Home::path), but `None` if `root` has no such file.
    pub fn file(&self, root: &Path, rest: &str) -> Option<String> {
        let path = self.path(rest);
        root.join(&path).is_file().then_some(path)
    }

    /// The name in capitals, for documentation.
    pub fn title(&self) -> String {
        self.name.to_uppercase()
    }
}

/// Text of the first file of this name in a machine's folder, for tests.
#[cfg(test)]
pub(crate) fn first(rest: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let homes = Home::all(&root).expect("a repository");
    let path = homes.iter().find_map(|home| home.file(&root, rest)).expect("a file");
    std::fs::read_to_string(root.join(path)).expect("it can be read")
}
