//! Programs of the garbled processor on this machine.

use halfgate_tests::command::{halfgate, text};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether Yosys, which reads the processor, and the compiler of programs are here.
fn has_tools() -> bool {
    ["yosys", "mips-linux-gnu-gcc"].into_iter().all(|tool| {
        let mut version = Command::new(tool);
        let version = version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        let here = version.status().is_ok();
        if !here {
            eprintln!("not run: there is no {tool} here (`make setup` installs it)");
        }
        here
    })
}

#[test]
fn it_evaluates_every_gate_and_skips_none() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/mips/hamming.c");
    let program = text(&folder.path().join("branches.elf"));
    let sizes = ["--memory", "32,16", "--", "-DBITS=3"];
    let built = halfgate(
        &[&["mips", "build", &text(Path::new(source)), "-o", &program], &sizes[..]].concat(),
    );
    assert_eq!(built.code, Some(0), "{built:?}");
    let skip = ["--privacy", "public-skip"];
    let values = ["--garbler", "5", "--evaluator", "2", "--cycles", "60"];
    let run = ["run", &program, "--evaluator-engine", "model:garbledcpu-1"];
    halfgate(&[&run, &values[..], &skip].concat()).failed(12, &["garbledcpu-1", "every gate"]);
    let simulate = ["simulate", &program, "--machine", "garbledcpu-1", "--cycles", "60"];
    halfgate(&[&simulate, &skip[..]].concat()).failed(2, &["public-skip", "it is public"]);
}
