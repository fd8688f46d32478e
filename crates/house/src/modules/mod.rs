//! The rule on circles of imports between the modules of a crate.
//!
//! A module uses another one if it names an item that the other one defines, in a `use` or by a
//! path in its code. An item that is named through a re-export belongs to the module that defines
//! it. Modules and their own ancestors may name each other. Test modules do not count.
//!
//! - [`tree`]: the modules of a crate, each with its file;
//! - [`names`]: the names that a module defines, imports and uses;
//! - [`resolve`]: the module that defines the item that a path names;
//! - [`graph`]: the uses between files, and their circles.

pub mod graph;
pub mod names;
pub mod resolve;
pub mod tree;

use crate::report::Breach;
use crate::repository::Repository;
use graph::Uses;
use tree::Crate;

/// The circles of imports in all crates of the repository.
pub fn circles(repository: &Repository) -> Vec<Breach> {
    let crates = roots(repository).into_iter().map(|root| Crate::parse(repository, root));
    crates.flat_map(|parsed| of_crate(&parsed)).collect()
}

/// Root files of crates: the libraries and commands in the `src` folders of packages.
fn roots(repository: &Repository) -> Vec<&str> {
    let packages: Vec<&str> =
        repository.files().filter_map(|(path, _)| path.strip_suffix("Cargo.toml")).collect();
    let is_root = |path: &str| {
        packages.iter().filter_map(|folder| path.strip_prefix(folder)?.strip_prefix("src/")).any(
            |file| {
                let command = file.strip_prefix("bin/").is_some_and(|file| !file.contains('/'));
                file == "lib.rs" || file == "main.rs" || command
            },
        )
    };
    repository.rust().map(|(path, _)| path).filter(|path| is_root(path)).collect()
}

fn of_crate(parsed: &Crate) -> Vec<Breach> {
    let uses = Uses::of(parsed);
    uses.circles()
        .into_iter()
        .map(|circle| {
            let place = |file: usize| &parsed.files[file];
            let edges: Vec<_> = uses.among(&circle).collect();
            let details = edges.iter().map(|(from, to, edge)| {
                format!("{}:{} names {} of {}", place(*from), edge.line, edge.name, place(*to))
            });
            let (first, _, edge) = &edges[0];
            let files = circle.len();
            let what = format!(
                "circle of imports between {files} files; move the items that both sides use to \
                 a module below them, or to their parent"
            );
            Breach { details: details.collect(), ..Breach::new(place(*first), edge.line, what) }
        })
        .collect()
}

#[cfg(test)]
mod tests;
