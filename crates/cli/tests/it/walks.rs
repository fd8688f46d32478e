//! Runs the scripts in `examples/walks`, which take new users from their files to a result. Also
//! runs the commands that README.md, the pages in `docs` and the machines' READMEs show.

use halfgate_tests::command::binary;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a script, which ends with an error if a result is wrong.
#[track_caller]
fn walk(name: &str) {
    checked(&format!("examples/walks/{name}"));
}

#[track_caller]
fn checked(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut script = Command::new(root.join(name));
    script.env("HALFGATE", binary());
    // A runner that builds the whole workspace has already built the examples.
    let writes: PathBuf = binary().with_file_name("examples").join("salaries");
    if writes.exists() {
        script.env("WRITE", writes);
    }
    let done = script.current_dir(&root).output().expect("the script starts");
    let (printed, errors) =
        (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{name}: {printed}{errors}");
    printed.lines().filter(|line| line.contains("NOT RUN")).for_each(|line| eprintln!("{line}"));
    assert!(printed.contains("checked: ") || printed.contains("NOT RUN"), "{name}: {printed}");
}

#[test]
fn statistics_of_two_tables_over_tls() {
    walk("salaries.sh");
}

#[test]
fn a_circuit_of_another_project() {
    walk("other-circuit.sh");
}

#[test]
fn a_core_in_verilog_and_a_program_in_c() {
    walk("verilog-and-c.sh");
}

#[test]
fn the_pages_show_what_their_commands_print() {
    checked("scripts/page-examples.sh");
}
