//! The files that git tracks.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Texts of the tracked files, by path from the repository's root. Binary files are left out.
#[derive(Default)]
pub struct Repository {
    texts: BTreeMap<String, String>,
}

impl Repository {
    /// Reads all tracked files of the repository at `root`. Files that were deleted but are still
    /// in the index are left out.
    pub fn read(root: &Path) -> Result<Self, String> {
        let listed = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("git ls-files cannot be run: {error}"))?;
        if !listed.status.success() {
            let reason = String::from_utf8_lossy(&listed.stderr);
            return Err(format!("git ls-files failed in {}: {reason}", root.display()));
        }
        let paths = String::from_utf8(listed.stdout)
            .map_err(|_| "a tracked file has a name that is not UTF-8; rename it".to_string())?;
        let texts = paths.split_terminator('\0').filter_map(|path| {
            Some((path.to_string(), std::fs::read_to_string(root.join(path)).ok()?))
        });
        Ok(Self { texts: texts.collect() })
    }

    /// A repository of these files, for tests.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let owned = |(path, text): &(&str, &str)| (path.to_string(), text.to_string());
        Self { texts: files.iter().map(owned).collect() }
    }

    /// Paths and texts of all files, in the order of paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust sources that were written by hand.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs") && !is_generated(path))
    }

    /// The text of the file at `path`, if it is tracked.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }
}

/// Whether `path` names a generated file: its file name contains `generated`.
pub fn is_generated(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains("generated"))
}
