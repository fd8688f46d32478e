//! Tests programs for the garbled processor as users handle them: from C to a result of two parties
//! in each mode, and what is refused.

use halfgate_tests::command::{Done, halfgate, pair, text};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PLAIN: &str = "--insecure-plaintext";
const ACCEPT: &str = "--accept-secret-program";

/// Whether the tools are installed: Yosys reads the processor, and the compiler makes programs.
pub(crate) fn has_tools() -> bool {
    ["yosys", "mips-linux-gnu-gcc"].into_iter().all(|tool| {
        let mut version = Command::new(tool);
        let here =
            version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
        if !here {
            eprintln!("not run: there is no {tool} here (`make setup` installs it)");
        }
        here
    })
}

/// The path of a file of this repository.
fn ours(path: &str) -> String {
    text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path))
}

/// Builds `source` into the file `name` in `folder`.
pub(crate) fn build(folder: &tempfile::TempDir, source: &str, name: &str, more: &[&str]) -> String {
    let output = text(&folder.path().join(name));
    let done = halfgate(&[&["mips", "build", source, "-o", &output], more].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    output
}

fn value(done: &Done, number: usize) -> serde_json::Value {
    done.json()["outputs"][number]["value"].clone()
}

#[test]
fn a_function_goes_from_c_to_a_result_in_each_mode() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = ours("examples/mips/sum.c");
    let sizes = ["--memory", "32", "--steps", "50"];
    let full = build(&folder, &source, "sum.elf", &sizes);
    // Without multiplication the program takes longer.
    let more = ["--memory", "128,32", "--steps", "2000", "--set", "alu-shift"];
    let restricted = build(&folder, &source, "restricted.elf", &more);
    let values = ["--garbler", "[3,-4,5,6]", "--evaluator", "[10,20,30,-40]"];
    let clear = halfgate(&[&["mips", "run", &full, "--json"], &values[..]].concat()).json();
    assert_eq!((&clear["outputs"]["total"], &clear["status"]), (&(-140).into(), &"ended".into()));
    let clear = halfgate(&[&["mips", "run", &restricted, "--json"], &values[..]].concat()).json();
    assert_eq!(clear["outputs"]["total"], -140);
    for privacy in ["private", "public", "public-per-step", "public-skip", "public --shallow"] {
        let privacy: Vec<&str> = privacy.split(' ').collect();
        let run = [&["run", &full, "--json", "--privacy"], &privacy[..]].concat();
        let done = halfgate(&[&run, &values[..]].concat());
        assert_eq!((value(&done, 0), value(&done, 1)), (1.into(), (-140).into()), "{privacy:?}");
    }
    halfgate(&["run", "millionaires:8", "--shallow", "--garbler", "1", "--evaluator", "2"])
        .failed(2, &["--shallow", "garbled processor"]);
}

#[test]
fn gates_are_skipped_by_both_parties_and_branches_on_secrets_named() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = ours("programs/mips/hamming_branchless.c");
    let more = ["--memory", "64,16", "--steps", "300", "--", "-DBITS=16"];
    let program = build(&folder, &source, "hamming.elf", &more);
    let skip = ["--privacy", "public-skip"];
    let (garbler, evaluator) = pair(
        &[&[&program, PLAIN, "--input", "0x00ff"], &skip[..]].concat(),
        &[&[&program, PLAIN, "--input", "0x0ff0"], &skip[..]].concat(),
    );
    for party in [&garbler, &evaluator] {
        assert_eq!(value(party, 1), 8);
        // A bit is added to a count 16 times.
        assert_eq!(party.json()["and_gates"], 15 * 16 / 2);
        assert!(!party.stderr.contains("branch"), "{party:?}");
    }
    let facts = halfgate(&[&["inspect", &program, "--json"], &skip[..]].concat()).json();
    assert_eq!(facts["ands_left"], 15 * 16 / 2);
    assert!(facts["and_gates"].as_u64().unwrap() > 2000, "{facts}");

    // Only one of the parties skips.
    let (garbler, _) = pair(
        &[&[&program, PLAIN, "--input", "1"], &skip[..]].concat(),
        &[&program, PLAIN, "--input", "1", "--privacy", "public"],
    );
    garbler.failed(8, &["skipping of gates", "yes", "no"]);

    let source = ours("programs/mips/hamming.c");
    let program = build(&folder, &source, "branches.elf", &["--memory", "32,16", "--", "-DBITS=3"]);
    let values = ["--garbler", "5", "--evaluator", "2", "--cycles", "60"];
    let done = halfgate(&[&["run", &program, "--json"], &values[..], &skip].concat());
    assert_eq!(value(&done, 1), 3);
    assert_eq!(done.stderr.matches("branch on a secret, at hamming.c:").count(), 1, "{done:?}");

    // A file of tables cannot hold a program that skips.
    let tables = text(&folder.path().join("ahead.hgt"));
    let ahead = ["garble", &program, "--to", &tables, "--cycles", "60"];
    halfgate(&[&ahead, &skip[..]].concat()).failed(2, &["not ahead of time"]);
    assert!(!PathBuf::from(&tables).exists());
}

#[test]
fn the_evaluator_of_a_private_program_has_its_interface_only() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = ours("programs/mips/auction.c");
    let more = ["--memory", "64,32", "--steps", "100", "--set", "alu", "--", "-DBIDS=2", "-Os"];
    let program = build(&folder, &source, "auction.elf", &more);
    let interface = text(&folder.path().join("auction.json"));
    for privacy in ["private", "semi-private"] {
        let words = ["mips", "inspect", &program, "--interface", &interface, "--privacy", privacy];
        let done = halfgate(&words);
        assert!(done.stdout.contains("uses") && done.stdout.contains("mine"), "{done:?}");
        let has_set = std::fs::read_to_string(&interface).unwrap().contains("\"set\": \"alu\"");
        assert_eq!(has_set, privacy == "semi-private", "which set it was built for");
        let garbler = [&program, PLAIN, "--privacy", privacy, "--input", "[30,70]"];
        let evaluator = [&interface, PLAIN, "--privacy", privacy, "--input", "[50,60]", ACCEPT];
        // By default only the evaluator learns the program's outputs.
        let (garbled, evaluated) = pair(&garbler, &evaluator);
        assert_eq!(
            (value(&evaluated, 1), value(&evaluated, 2)),
            (1.into(), 60.into()),
            "{privacy}"
        );
        assert_eq!(value(&garbled, 2), serde_json::Value::Null);
        let warning =
            "the program is the garbler's secret, so it may compute anything from your inputs";
        assert!(evaluated.stderr.contains(warning), "{evaluated:?}");
        let both = ["--learn", "both"];
        let (garbled, _) = pair(&[&garbler[..], &both].concat(), &[&evaluator[..], &both].concat());
        assert_eq!((value(&garbled, 1), value(&garbled, 2)), (1.into(), 60.into()), "{privacy}");
        // An evaluator that has not accepted the program does not connect.
        let dial = ["--connect", "127.0.0.1:9"];
        let words = [&["evaluate"], &evaluator[..6], &dial].concat();
        halfgate(&words).failed(2, &[warning, "--accept-secret-program"]);
        let known = ["evaluate", "adder:8", PLAIN, "--input", "1", ACCEPT];
        halfgate(&[&known, &dial[..]].concat()).failed(2, &[ACCEPT, "this one is not"]);
    }
    // Parties in different modes run different circuits.
    let (garbler, _) = pair(
        &[&program, PLAIN, "--privacy", "private", "--input", "[30,70]"],
        &[&interface, PLAIN, "--privacy", "semi-private", "--input", "[50,60]", ACCEPT],
    );
    garbler.failed(8, &["program"]);
    halfgate(&["garble", &interface, PLAIN, "--connect", "127.0.0.1:9", "--input", "[1,2]"])
        .failed(2, &["interface", "the garbler needs the program"]);
    let public =
        ["run", &interface, "--privacy", "public", "--garbler", "[1,2]", "--evaluator", "[3,4]"];
    halfgate(&public).failed(2, &["needs the program"]);
}

#[test]
fn a_trap_or_an_unfinished_program_is_reported_to_its_learners() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = text(&folder.path().join("check.c"));
    let program = "#include <halfgate.h>\nGARBLER int a;\nEVALUATOR int b;\nOUTPUT int c;\n\
        void program(void) { if (b == 0) halfgate_trap(); c = a + b; }\n";
    std::fs::write(&source, program).unwrap();
    let program = build(&folder, &source, "check.elf", &["--memory", "32"]);
    let run = |b: &str, cycles: &str| {
        let words =
            ["run", &program, "--json", "--cycles", cycles, "--garbler", "5", "--evaluator", b];
        let done = halfgate(&words);
        (value(&done, 0), value(&done, 1))
    };
    assert_eq!(run("4", "30"), (1.into(), 9.into()));
    assert_eq!(run("0", "30"), (3.into(), 0.into()));
    // An unfinished program has no outputs.
    let unfinished: &[&str] = &["the program did not finish in 3 steps", "--steps"];
    let short = ["--steps", "3"];
    let values = ["--json", "--garbler", "5", "--evaluator", "4"];
    let done = halfgate(&[&["run", &program], &short[..], &values[..]].concat());
    done.failed(13, unfinished);
    let (garbler, evaluator) = pair(
        &[&program, PLAIN, "--input", "5", "--steps", "3"],
        &[&program, PLAIN, "--input", "4", "--cycles", "3", ACCEPT],
    );
    assert_eq!(garbler.code, Some(0), "it learns nothing: {garbler:?}");
    evaluator.failed(13, unfinished);
    // A party that learns an output must also learn whether the program finished.
    for (learn, party) in [("none", "garbler"), ("garbler", "evaluator")] {
        let more = ["--learn", "both", "--learn", &format!("status={learn}")];
        let done = halfgate(&[&["run", &program], &short[..], &values[..], &more[..]].concat());
        done.failed(2, &["--learn", &format!("the {party}"), "\"status\""]);
    }
    let words = ["mips", "run", &program, "--steps", "3", "--garbler", "5", "--evaluator", "4"];
    halfgate(&words).failed(13, unfinished);
    let words = ["run", &program, "--garbler", "5", "--evaluator", "4"];
    halfgate(&words).failed(2, &["how many steps", "--steps"]);
    let trap =
        halfgate(&["mips", "run", &program, "--json", "--garbler", "5", "--evaluator", "0"]).json();
    assert_eq!(trap["status"], "trapped");
}

#[test]
fn invalid_programs_and_options_are_refused() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = ours("examples/mips/sum.c");
    let output = text(&folder.path().join("bad.elf"));
    let refused = |words: &[&str], code, expected: &[&str]| {
        halfgate(&[&["mips", "build", &source, "-o", &output], words].concat())
            .failed(code, expected);
        assert!(!PathBuf::from(&output).exists());
    };
    refused(&["--set", "most"], 5, &["most", "alu-shift"]);
    refused(&["--memory", "48"], 2, &["48", "power of two"]);
    refused(&["--set", "hamming"], 3, &["sum.c:9", "hamming"]);
    refused(&["--memory", "16"], 3, &["its instructions take", "--memory"]);
    let broken = text(&folder.path().join("broken.c"));
    std::fs::write(&broken, "void program(void) { return 1 +; }\nint f(void) { return x; }\n")
        .unwrap();
    let done = halfgate(&["mips", "build", &broken, "-o", &output]);
    assert_eq!(done.code, Some(3));
    // The compiler's output is printed on separate lines.
    for line in 1..=2 {
        let place = format!("{broken}:{line}:");
        let error = |printed: &&str| printed.starts_with(&place) && printed.contains("error");
        assert!(done.stderr.lines().any(|printed| error(&printed)), "{done:?}");
    }
    assert!(
        done.stderr.ends_with("halfgate: mips-linux-gnu-gcc refuses the program\n"),
        "{done:?}"
    );
    let program = build(&folder, &source, "sum.elf", &["--memory", "32", "--steps", "50"]);
    let run = |words: &[&str], code, expected: &[&str]| {
        let given = ["--garbler", "[1,2,3,4]", "--evaluator", "[1,2,3,4]"];
        halfgate(&[&["run", &program], words, &given[..]].concat()).failed(code, expected);
    };
    run(&["--privacy", "secret"], 2, &["private", "public"]);
    run(&["--privacy", "semi-private"], 2, &["built for the set \"full\"", "alu"]);
    run(&["--parties", "g,e"], 2, &["--parties"]);
    halfgate(&["run", "adder:8", "--privacy", "public", "--garbler", "1", "--evaluator", "2"])
        .failed(2, &["--privacy"]);
    // A truncated program, and one for another processor.
    let bytes = std::fs::read(&program).unwrap();
    for (name, bytes) in [
        ("short.elf", bytes[..bytes.len() / 2].to_vec()),
        ("other.elf", {
            let mut bytes = bytes.clone();
            bytes[19] = 3;
            bytes
        }),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        halfgate(&["mips", "inspect", &text(&path)]).failed(3, &[name, "no program"]);
    }
}
