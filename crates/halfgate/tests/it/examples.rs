//! Every example runs successfully; each checks its own result.

use std::path::PathBuf;
use std::process::Command;

#[test]
fn examples_run() {
    // `cargo test` builds the examples beside the tests.
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("target/PROFILE/deps");
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut ran = 0;
    for source in std::fs::read_dir(sources).expect("there are examples") {
        let source = source.expect("the folder can be read").path();
        if source.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let name = source.file_stem().expect("a file has a name");
        let output = Command::new(folder.join("examples").join(name)).output();
        let output = output.unwrap_or_else(|error| {
            panic!("{name:?}: {error}; build it with `cargo build -p halfgate --examples`")
        });
        assert!(output.status.success(), "{name:?}: {}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    assert!(ran >= 5, "only {ran} examples were found");
}
