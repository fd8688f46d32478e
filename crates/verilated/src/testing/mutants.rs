//! What the tests that put faults into SystemVerilog share.

use crate::Mutation;
use std::fmt::Display;
use std::panic::{RefUnwindSafe, catch_unwind};

/// A file, what stands there, and what is put in its place.
pub type Mutant = (&'static str, &'static str, &'static str);

/// Puts each fault into the machine that it is for, and panics unless all are found, or if there are
/// none: `build` builds a machine with one, `find` says how it was found, if it was. A fault that
/// Verilator refuses is none that tests have found.
pub fn all_are_found<M, B, E: Display>(
    mutants: impl IntoIterator<Item = (M, Mutant)>,
    build: impl Fn(&M, &[Mutation]) -> Result<B, E>,
    find: impl Fn(&M, &[Mutation]) -> Option<String>,
) {
    let (mut count, mut missed) = (0, Vec::new());
    for (machine, (file, from, to)) in mutants {
        count += 1;
        let mutation = Mutation { file: file.into(), from: from.into(), to: to.into() };
        let mutations = std::slice::from_ref(&mutation);
        println!("{file}: {} -> {}", from.trim(), to.trim());
        let found = match build(&machine, mutations) {
            Ok(_) => find(&machine, mutations).ok_or_else(|| "NOT FOUND".to_owned()),
            Err(error) => Err(format!("NOT BUILT: {error}")),
        };
        let (Ok(what) | Err(what)) = &found;
        println!("    {}", what.lines().next().unwrap_or_default());
        if found.is_err() {
            missed.push(mutation);
        }
    }
    assert!(count > 0, "no faults");
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

/// What the first of these tests says that panics at a machine with these faults. For tests that
/// panic, as those of some machines do.
pub fn panics<T: Fn(&[Mutation]) + RefUnwindSafe>(
    tests: &[T],
    faults: &[Mutation],
) -> Option<String> {
    let what = tests.iter().find_map(|test| catch_unwind(|| test(faults)).err())?;
    Some(what.downcast::<String>().map_or("found".to_owned(), |what| *what))
}
