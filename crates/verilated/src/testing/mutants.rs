//! Shared code of tests that put mutants into SystemVerilog.

use crate::{Folders, Mutation, sources};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::{RefUnwindSafe, catch_unwind};

/// A mutant: a file, a text in it, and the replacement of the text.
pub type Mutant = (&'static str, &'static str, &'static str);

/// Builds a machine with each mutant, and panics if a test does not find one of them, or if the
/// list is empty. `build` builds a machine with a mutant. `find` returns how a test found the
/// mutant, or `None`. A mutant that Verilator rejects counts as not found.
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

/// Panics if a text does not occur exactly once in its file, so that its mutant cannot be built. It
/// takes no simulator, and so finds stale mutants long before [`all_are_found`].
pub fn texts_occur_once<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let folders = Folders::find().expect("the folders of sources");
    let mut files = BTreeMap::new();
    for folder in &folders.sources {
        sources::find(folder, &mut files).expect("the names of sources");
    }
    let occurrences = |file: &str, text: &str| {
        let path = files.get(file.trim_end_matches(".sv"))?;
        Some(std::fs::read_to_string(path).expect("a source").matches(text).count())
    };
    let texts = texts.into_iter().map(|(file, text)| (file, text, occurrences(file, text)));
    let wrong: Vec<_> = texts.filter(|(.., count)| *count != Some(1)).collect();
    assert!(wrong.is_empty(), "these texts do not occur once in their files: {wrong:#?}");
}

/// Runs `tests` on a machine with these faults, and returns the panic message of the first test
/// that panics. It is for machines whose tests panic if they find a fault.
pub fn panics<T: Fn(&[Mutation]) + RefUnwindSafe>(
    tests: &[T],
    faults: &[Mutation],
) -> Option<String> {
    let what = tests.iter().find_map(|test| catch_unwind(|| test(faults)).err())?;
    Some(what.downcast::<String>().map_or("found".to_owned(), |what| *what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_not_there_are_found() {
        texts_occur_once([("reset_sync.sv", "module reset_sync")]);
        for (file, text) in
            [("reset_sync.sv", "no such text"), ("reset_sync.sv", "rst_ni"), ("none.sv", "")]
        {
            assert!(catch_unwind(|| texts_occur_once([(file, text)])).is_err(), "{file}: {text}");
        }
    }
}
