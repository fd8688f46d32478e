//! The uses between the files of a crate, and their circles.

use std::collections::{BTreeMap, BTreeSet};

use super::resolve::Named;
use super::tree::Crate;

/// A use of one file by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The first line with this use.
    pub line: usize,
    /// The path in this line.
    pub name: String,
}

/// The uses between the files of a crate.
pub struct Uses {
    files: usize,
    edges: BTreeMap<(usize, usize), Use>,
}

impl Uses {
    /// Finds the uses of each file of the crate.
    pub fn of(parsed: &Crate) -> Self {
        let mut edges: BTreeMap<(usize, usize), Use> = BTreeMap::new();
        let owners: Vec<usize> =
            (0..parsed.files.len()).map(|file| parsed.module_of(file)).collect();
        for (index, module) in parsed.modules.iter().enumerate() {
            for mention in &module.names.mentions {
                for used in used(parsed, index, &mention.path) {
                    let (from, to) = (module.file, parsed.modules[used].file);
                    if parsed.are_related(owners[from], owners[to]) {
                        continue;
                    }
                    let found = Use { line: mention.line, name: mention.path.join("::") };
                    let edge = edges.entry((from, to)).or_insert_with(|| found.clone());
                    if found.line < edge.line {
                        *edge = found;
                    }
                }
            }
        }
        Self { files: parsed.files.len(), edges }
    }

    /// Sets of two or more files that all reach each other.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let reached: Vec<BTreeSet<usize>> = (0..self.files).map(|file| self.reach(file)).collect();
        let mut circles: Vec<Vec<usize>> = Vec::new();
        let mut seen = BTreeSet::new();
        for file in 0..self.files {
            let circle: Vec<usize> = reached[file]
                .iter()
                .copied()
                .filter(|&other| reached[other].contains(&file))
                .collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                circles.push(circle);
            }
        }
        circles
    }

    /// The uses between these files.
    pub fn among<'a>(
        &'a self,
        files: &'a [usize],
    ) -> impl Iterator<Item = (usize, usize, &'a Use)> + 'a {
        let inside = |file: &usize| files.contains(file);
        let edges = self.edges.iter().map(|(&(from, to), edge)| (from, to, edge));
        edges.filter(move |(from, to, _)| inside(from) && inside(to))
    }

    /// The files that `file` uses, directly or not.
    fn reach(&self, file: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut frontier = vec![file];
        while let Some(at) = frontier.pop() {
            let uses = self.edges.range((at, 0)..(at + 1, 0)).map(|(&(_, to), _)| to);
            frontier.extend(uses.filter(|&to| reached.insert(to)));
        }
        reached
    }
}

/// The modules whose contents `path` names in `module`.
fn used(parsed: &Crate, module: usize, path: &[String]) -> Vec<usize> {
    match parsed.resolve(module, path) {
        Some(Named::Item { module, mut through }) => {
            through.push(module);
            through
        }
        Some(Named::Module(_)) | None => Vec::new(),
    }
}
