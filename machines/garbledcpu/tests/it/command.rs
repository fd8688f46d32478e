//! Tests of programs of the garbled processor on this machine.

use halfgate_tests::command::{halfgate, text};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether Yosys, which reads the processor, and the compiler of programs are installed.
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
    halfgate(&[&simulate, &skip[..]].concat()).failed(2, &["public-skip", "no fixed circuit"]);
}

/// If each step has its own circuit, `simulate` attributes gates to lines of the program.
#[test]
fn lines_of_a_program_in_c_are_named() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (source, program) = (folder.path().join("both.c"), folder.path().join("both.elf"));
    let lines = "#include <halfgate.h>\nGARBLER unsigned a;\nEVALUATOR unsigned b;\n\
                 OUTPUT unsigned y;\nvoid program(void) {\n  unsigned sum = a + b;\n  y = sum & b;\n}\n";
    std::fs::write(&source, lines).expect("written");
    let (source, program) = (text(&source), text(&program));
    let built = halfgate(&["mips", "build", &source, "-o", &program, "--memory", "32,16"]);
    assert_eq!(built.code, Some(0), "{built:?}");
    let words = ["simulate", &program, "--machine", "garbledcpu-1", "--privacy", "public-per-step"];
    halfgate(&words).failed(2, &["how many steps", "--steps"]);
    let path = halfgate(&[&words[..], &["--steps", "40", "--path", "--json"]].concat()).json();
    let path = &path["path"];
    let lines = [["both.c:6", "31"], ["both.c:7", "32"]];
    let found = path["traffic"]["lines"].as_array().expect("lines").iter();
    let mut found: Vec<_> = found
        .map(|line| [line["line"].as_str().unwrap().to_owned(), line["ands"].to_string()])
        .collect();
    found.sort();
    assert_eq!(found, lines);
    let mut along = path["lines"].as_array().expect("lines").iter();
    assert!(along.any(|line| line["line"] == "both.c:6" && line["ands"] == 31), "{path}");
}
