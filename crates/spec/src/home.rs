//! A machine's folder: where its descriptions are, and where what is generated from them belongs.

use crate::{SpecError, names};
use std::path::Path;

/// A folder below `machines`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Home {
    /// The folder's name, which is the machine's.
    pub name: String,
}

impl Home {
    /// All folders with descriptions under `root`, the repository, in the order of their names.
    ///
    /// # Errors
    /// If the folder `machines` cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Home>, SpecError> {
        let mut all: Vec<Home> =
            names(root, "machines")?.into_iter().map(|name| Home { name }).collect();
        all.retain(|home| root.join(home.path("spec")).is_dir());
        Ok(all)
    }

    /// A path in the machine's folder, from the repository's root.
    pub fn path(&self, rest: &str) -> String {
        format!("machines/{}/{rest}", self.name)
    }

    /// The same, if there is such a file under `root`.
    pub fn file(&self, root: &Path, rest: &str) -> Option<String> {
        let path = self.path(rest);
        root.join(&path).is_file().then_some(path)
    }

    /// The name in capitals, for prose.
    pub fn title(&self) -> String {
        self.name.to_uppercase()
    }
}

/// The text of the first file of this name in a machine's folder, for tests.
#[cfg(test)]
pub(crate) fn first(rest: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let homes = Home::all(&root).expect("a repository");
    let path = homes.iter().find_map(|home| home.file(&root, rest)).expect("a file");
    std::fs::read_to_string(root.join(path)).expect("it can be read")
}
