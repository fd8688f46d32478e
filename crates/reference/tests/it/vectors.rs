//! The committed conformance vectors equal the reference's output. Vectors from other
//! implementations are known by name.

#[path = "../../examples/vectors/files.rs"]
mod files;

use std::collections::BTreeSet;
use std::path::Path;

/// Files from other implementations, which the reference does not write.
const ELSEWHERE: [&str; 2] = ["half-gates-emp.json", "half-gates-fase-rtl.json"];

#[test]
fn committed_vectors_are_not_stale() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    let made = files::all();
    for (name, text) in &made {
        let committed = std::fs::read_to_string(directory.join(name))
            .unwrap_or_else(|error| panic!("spec/vectors/{name}: {error}"));
        assert!(
            committed == *text,
            "spec/vectors/{name} is stale: cargo run -p halfgate-reference --example vectors -- \
             spec/vectors, and say in the commit why tables changed"
        );
    }
    let made = made.iter().map(|(name, _)| *name);
    let known: BTreeSet<String> = made.chain(ELSEWHERE).map(str::to_owned).collect();
    let there: BTreeSet<String> = std::fs::read_dir(&directory)
        .expect("spec/vectors can be listed")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(there, known, "unknown files in spec/vectors, or known files missing there");
}
