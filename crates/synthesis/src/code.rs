//! The code of a design: what of the source files it is made of.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

/// The code of source files: all but white space and lines of comment.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// By file.
    files: BTreeMap<String, String>,
    /// The file of each module and package.
    of: BTreeMap<String, String>,
}

impl Code {
    /// Adds a file, or replaces it.
    pub fn add(&mut self, file: &str, text: &str) {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        for pair in code.windows(2).filter(|pair| matches!(pair[0], "module" | "package")) {
            let name = words(pair[1]).next().unwrap_or_default();
            self.of.insert(name.to_owned(), file.to_owned());
        }
        self.files.insert(file.to_owned(), code.join(" "));
    }

    /// A hash of what the modules `tops` are made of, down to the modules `left_out`, of which only
    /// the ports and their packages matter. Of all code if a top is not in it.
    pub fn hash_of(&self, tops: &[&str], left_out: &[&str]) -> u64 {
        let mut hash = DefaultHasher::new();
        if tops.iter().any(|top| !self.of.contains_key(*top)) {
            self.files.hash(&mut hash);
            return hash.finish();
        }
        let (mut found, mut open) = (BTreeSet::new(), tops.to_vec());
        while let Some(name) = open.pop() {
            let Some(file) = self.of.get(name).filter(|_| found.insert(name)) else { continue };
            let ends = left_out.contains(&name) && !tops.contains(&name);
            open.extend(words(&self.files[file]).filter(|word| !ends || word.ends_with("_pkg")));
        }
        let files: BTreeSet<&String> = found.iter().filter_map(|name| self.of.get(*name)).collect();
        files.iter().for_each(|file| (file, &self.files[*file]).hash(&mut hash));
        hash.finish()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
