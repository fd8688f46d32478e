//! The rules on names of machines: places where none may be named, and the number of lines outside
//! a machine's folder that name its package.
//!
//! A machine's name counts only as a whole word, in upper or lower case. Names of suites
//! (`half-gates-NAME`) and gate orders (`NAME:ORDER`) are part of the protocol and do not count.

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
                    "names the machine {}; move it to the machine's folder or use the registry",
                    named.join(" and ")
                );
                breaches.push(Breach::new(path, index + 1, what));
            }
        }
    }
    breaches
}

/// For each machine, the number of lines outside its folder that name its package or its model's
/// package: the lines that adding a machine takes. Prose, results of benchmarks and `Cargo.lock` do
/// not count.
pub fn registrations(repository: &Repository, names: &[String], limit: usize) -> Vec<Measurement> {
    let measure = |name: &String| Measurement {
        name: name.clone(),
        count: registered(repository, name).len(),
        limit,
    };
    names.iter().map(measure).collect()
}

/// These lines, for machines that have more than `limit` of them.
pub fn far_registered(repository: &Repository, names: &[String], limit: usize) -> Vec<Breach> {
    let lines = |name: &String| registered(repository, name);
    names.iter().map(lines).filter(|lines| lines.len() > limit).flatten().collect()
}

fn registered(repository: &Repository, name: &str) -> Vec<Breach> {
    let inside = format!("machines/{name}/");
    let packages = ["", "-model"].map(|part| {
        [format!("halfgate-{name}{part}"), format!("halfgate_{name}{part}").replace('-', "_")]
    });
    let mut lines = Vec::new();
    for (path, text) in repository.files() {
        if path.starts_with(&inside) || !is_measured(path) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let is_package = |package: &String| {
                words(line, package).any(|at| !line[at + package.len()..].starts_with('-'))
            };
            if packages.iter().flatten().any(is_package) {
                let what =
                    format!("names a package of the machine {name}; use the registry instead");
                lines.push(Breach::new(path, index + 1, what));
            }
        }
    }
    lines
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
    !prose && !kept
}

/// Whether `line`, which is in lower case, has `name` as a word outside names of suites and orders.
fn is_named(line: &str, name: &str) -> bool {
    words(line, name).any(|at| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let order = after.strip_prefix(':').and_then(|order| order.chars().next());
        let order = order.is_some_and(|next| next != ':' && !next.is_whitespace());
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
    fn registrations_are_counted() {
        let repository = Repository::of(&[
            ("machines/alpha/src/lib.rs", "use halfgate_alpha_model::A;\n"),
            ("machines/registry/src/lib.rs", "    &halfgate_alpha::Alpha,\n// alpha\n"),
            ("machines/registry/Cargo.toml", "halfgate-alpha = { path = \"../alpha\" }\n"),
            ("machines/beta/src/lib.rs", "use halfgate_alphabet::A;\n"),
            ("machines/beta/Cargo.toml", "halfgate-alpha-more = 1\n"),
            ("docs/a.md", "halfgate-alpha\n"),
            ("README.md", "halfgate-alpha\n"),
            ("bench/results/a.json", "halfgate-alpha\n"),
        ]);
        assert_eq!(registrations(&repository, &alpha(), 2)[0].count, 2);
        assert!(far_registered(&repository, &alpha(), 2).is_empty());
        let places = far_registered(&repository, &alpha(), 1);
        assert_eq!(places.len(), 2);
    }
}
