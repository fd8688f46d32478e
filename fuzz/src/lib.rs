//! Replays the seeds of fuzz targets, and simple mutations of them, as ordinary tests. Has what
//! several targets share. `fuzz/README.md` describes targets and how they are fuzzed.
//!
//! A package lists its targets in `tests/it/fuzz_seeds.rs`:
//!
//! ```text
//! #[path = "../../fuzz/frame.rs"]
//! mod frame;
//!
//! halfgate_fuzz::replay!(frame);
//! ```

mod peer;

pub use peer::Peer;

use std::fmt;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Most mutated inputs that one test runs.
const MAX_MUTATIONS: usize = 2000;
/// Time after which a test starts no further mutated input. Seeds are always run.
const MUTATION_TIME: Duration = Duration::from_millis(1500);

/// Defines a test for each of these modules, and one that fails if the package has a fuzz target
/// that is not listed.
#[macro_export]
macro_rules! replay {
    ($($target:ident),+ $(,)?) => {
        $(
            #[test]
            fn $target() {
                $crate::replay(env!("CARGO_MANIFEST_DIR"), stringify!($target), $target::run);
            }
        )+

        #[test]
        fn every_target_is_listed() {
            $crate::assert_all(env!("CARGO_MANIFEST_DIR"), &[$(stringify!($target)),+]);
        }
    };
}

/// Calls `run` with each seed of `target` in the package folder `package`, and with mutations of
/// them. The mutations are the same each time, but a slow target may not reach all of them.
///
/// # Panics
/// If `run` panics, with the seed's file and the mutation in the message; or if there are no seeds.
pub fn replay(package: &str, target: &str, run: fn(&[u8])) {
    let seeds: Vec<(PathBuf, Vec<u8>)> = seed_files(Path::new(package), target)
        .into_iter()
        .map(|path| {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            (path, bytes)
        })
        .collect();
    let start = Instant::now();
    for (path, seed) in &seeds {
        check(run, seed, path, &Mutation::None);
    }
    let each = MAX_MUTATIONS / seeds.len();
    for number in 0..each {
        for (path, seed) in &seeds {
            if start.elapsed() > MUTATION_TIME {
                return;
            }
            if let Some(mutation) = Mutation::new(number, each, seed.len()) {
                check(run, &mutation.apply(seed), path, &mutation);
            }
        }
    }
}

/// Checks that `listed` contains all fuzz targets in the package folder `package`.
///
/// # Panics
/// If a target is not listed.
pub fn assert_all(package: &str, listed: &[&str]) {
    let folder = Path::new(package).join("fuzz");
    for file in entries(&folder) {
        let is_target = file.extension().is_some_and(|extension| extension == "rs");
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        assert!(
            !is_target || listed.contains(&name),
            "{} is a fuzz target whose seeds are not replayed: add it to tests/it/fuzz_seeds.rs",
            file.display()
        );
    }
}

/// The seeds of `target`: the files in `fuzz/seeds/TARGET`, and in the folders that the target's
/// module comment names.
fn seed_files(package: &Path, target: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let source = package.join("fuzz").join(format!("{target}.rs"));
    let text =
        fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let mut folders: Vec<PathBuf> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! seeds: "))
        .map(|folder| root.join(folder.trim()))
        .collect();
    let own = package.join("fuzz/seeds").join(target);
    if own.exists() || folders.is_empty() {
        folders.push(own);
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            if entry.is_dir() { folders.push(entry) } else { files.push(entry) }
        }
    }
    assert!(!files.is_empty(), "{}: the target has no seeds", source.display());
    files
}

/// The entries of `folder`, sorted by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>());
    let mut entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.sort();
    entries
}

/// Runs one input; if it panics, the message names the input.
fn check(run: fn(&[u8]), input: &[u8], path: &Path, mutation: &Mutation) {
    if catch_unwind(|| run(input)).is_err() {
        panic!("the fuzz target failed on the seed {}{mutation}", path.display());
    }
}

/// A change to a seed.
#[derive(Debug, PartialEq, Eq)]
enum Mutation {
    None,
    /// Keeps only this many bytes.
    Cut(usize),
    /// XORs the byte at this place with this value.
    Flip(usize, u8),
}

impl Mutation {
    /// Returns mutation `number`, below `most`, of a seed of `length` bytes. At each byte, or at
    /// evenly spread places if that is more than `most` mutations, the seed is cut and a bit is
    /// flipped.
    fn new(number: usize, most: usize, length: usize) -> Option<Mutation> {
        /// A prime above any number of places, so that its multiples visit all of them. The
        /// mutations that a slow target reaches are then spread over the seed.
        const STEP: usize = 7919;
        let places = length.min(most / 2);
        if number >= 2 * places {
            return None;
        }
        let place = number / 2 * STEP % places * length / places;
        Some(match number % 2 {
            0 => Mutation::Cut(place),
            _ => Mutation::Flip(place, 1 << (number / 2 % 8)),
        })
    }

    fn apply(&self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        match *self {
            Mutation::None => {}
            Mutation::Cut(length) => bytes.truncate(length),
            Mutation::Flip(place, bits) => bytes[place] ^= bits,
        }
        bytes
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutation::None => Ok(()),
            Mutation::Cut(length) => write!(f, ", cut to {length} bytes"),
            Mutation::Flip(place, bits) => write!(f, ", byte {place} XORed with {bits:#04x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_short_seed_is_cut_and_flipped_at_each_byte() {
        let all: Vec<_> = (0..100).filter_map(|number| Mutation::new(number, 100, 7)).collect();
        assert_eq!(all.len(), 14);
        for place in 0..7 {
            assert!(all.contains(&Mutation::Cut(place)));
            assert!(
                all.iter()
                    .any(|mutation| matches!(mutation, Mutation::Flip(at, _) if *at == place))
            );
        }
        assert_eq!(Mutation::new(0, 100, 0), None);
    }

    #[test]
    fn mutations_are_spread_over_a_long_seed() {
        let cuts: BTreeSet<usize> = (0..20)
            .filter_map(|number| match Mutation::new(number, 20, 1000) {
                Some(Mutation::Cut(place)) => Some(place),
                _ => None,
            })
            .collect();
        assert_eq!(
            cuts.into_iter().collect::<Vec<_>>(),
            (0..1000).step_by(100).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_failure_names_the_seed_and_the_mutation() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        let failure = catch_unwind(|| {
            check(|bytes| assert_eq!(bytes.len(), 3), &[1, 2], &folder, &Mutation::Cut(2));
        });
        let message = *failure.expect_err("it panics").downcast::<String>().expect("a text");
        assert!(message.ends_with("README.md, cut to 2 bytes"), "{message}");
    }
}
