//! Names of machines: where none may stand, and how many stand outside a machine's folder.
//!
//! A machine's name counts as a word of its own, in either case. Names of suites and orders of
//! gates are part of the protocol and do not count: `half-gates-NAME` and `NAME:ORDER`.

use std::collections::BTreeSet;

use crate::pattern::words;
use crate::report::{Breach, Measurement};
use crate::repository::Repository;

/// Folders below `machines/` that hold no machine.
const NO_MACHINES: [&str; 2] = ["registry", "scheduled"];

/// The machines: folders below `machines/` that have a file `src/lib.rs`.
pub fn names(repository: &Repository) -> Vec<String> {
    let machines: BTreeSet<&str> = repository
        .files()
        .filter_map(|(path, _)| {
            path.strip_prefix("machines/")?
                .strip_suffix("/src/lib.rs")
                .filter(|name| !name.contains('/') && !NO_MACHINES.contains(name))
        })
        .collect();
    machines.into_iter().map(str::to_string).collect()
}

/// Lines that name a machine below `crates/` and `scripts/` and in `Makefile`.
pub fn named_lines(repository: &Repository, names: &[String]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (path, text) in repository.files().filter(|(path, _)| names_no_machine(path)) {
        for (index, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            let named: Vec<&str> =
                names.iter().map(String::as_str).filter(|name| is_named(&line, name)).collect();
            if !named.is_empty() {
                let what = format!(
                    "names the machine {}; move it to the machine's folder or ask the registry",
                    named.join(" and ")
                );
                breaches.push(Breach::new(path, index + 1, what));
            }
        }
    }
    breaches
}

/// For each machine, the lines outside its folder and the registry that name it. Prose,
/// benchmarks' results and lists that tools keep are left out.
pub fn outside_lines(repository: &Repository, names: &[String], limit: usize) -> Vec<Measurement> {
    let measure = |name: &String| {
        let inside = format!("machines/{name}/");
        let count = repository
            .files()
            .filter(|(path, _)| !path.starts_with(&inside) && is_measured(path))
            .flat_map(|(_, text)| text.lines())
            .filter(|line| is_named(&line.to_lowercase(), name))
            .count();
        Measurement { name: name.clone(), count, limit }
    };
    names.iter().map(measure).collect()
}

fn names_no_machine(path: &str) -> bool {
    let here = path.starts_with("crates/") || path.starts_with("scripts/") || path == "Makefile";
    here && !path.ends_with("Cargo.lock")
}

fn is_measured(path: &str) -> bool {
    const PROSE: [&str; 4] = ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"];
    let file = path.rsplit('/').next().unwrap_or(path);
    let prose = PROSE.iter().any(|name| file.starts_with(name))
        || path.ends_with(".md") && (path.starts_with("docs/") || path.starts_with("spec/"));
    let kept = path.starts_with("bench/") || file == "Cargo.lock" || file == ".gitignore";
    !prose && !kept && !path.starts_with("machines/registry/")
}

/// Whether `line`, in lower case, has `name` as a word that is not part of a suite or an order.
fn is_named(line: &str, name: &str) -> bool {
    words(line, name).any(|at| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let order = after.strip_prefix(':').is_some_and(|order| {
            order.starts_with(|character: char| character.is_ascii_lowercase())
        });
        !before.ends_with("half-gates-") && !order
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alpha() -> Vec<String> {
        vec!["alpha".to_string()]
    }

    #[test]
    fn machines_are_folders_with_a_library() {
        let repository = Repository::of(&[
            ("machines/alpha/src/lib.rs", ""),
            ("machines/alpha/model/src/lib.rs", ""),
            ("machines/beta/README.md", ""),
            ("machines/registry/src/lib.rs", ""),
        ]);
        assert_eq!(names(&repository), alpha());
    }

    #[test]
    fn a_machine_named_in_a_crate_is_found() {
        let repository = Repository::of(&[
            ("crates/a/src/lib.rs", "use x;\nuse alpha::Alpha;\nuse alphabet;\n"),
            ("scripts/a.sh", "echo ALPHA\n"),
            ("Makefile", "alpha: setup\n"),
            ("machines/alpha/src/lib.rs", "//! Alpha.\n"),
            ("crates/Cargo.lock", "alpha\n"),
        ]);
        let places: Vec<_> = named_lines(&repository, &alpha())
            .into_iter()
            .map(|breach| (breach.path, breach.line))
            .collect();
        let expected = [("Makefile", 1), ("crates/a/src/lib.rs", 2), ("scripts/a.sh", 1)];
        assert_eq!(places, expected.map(|(path, line)| (path.to_string(), line)));
    }

    #[test]
    fn suites_and_orders_are_no_machines() {
        assert!(!is_named("suite half-gates-alpha, order alpha:best", "alpha"));
        assert!(is_named("alpha::model", "alpha"));
        assert!(is_named("alpha:best on alpha", "alpha"));
    }

    #[test]
    fn lines_outside_the_folder_are_counted() {
        let repository = Repository::of(&[
            ("machines/alpha/src/lib.rs", "alpha\n"),
            ("machines/registry/src/lib.rs", "alpha\n"),
            ("machines/beta/src/lib.rs", "alpha\n"),
            ("Cargo.toml", "alpha alpha\nalpha\n"),
            ("docs/a.md", "alpha\n"),
            ("README.md", "alpha\n"),
            ("bench/results/a.json", "alpha\n"),
        ]);
        assert_eq!(outside_lines(&repository, &alpha(), 2)[0].count, 3);
    }
}
