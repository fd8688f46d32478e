//! Tests the output of successful commands: the shape of JSON, text, several runs.

use halfgate_tests::command::{
    self as common, Identities, folder_with, halfgate, pair, start_with_stdin, text,
};
use serde_json::json;

const PLAIN: &str = "--insecure-plaintext";

#[test]
fn json_has_the_promised_shape() {
    let done = halfgate(&["run", "millionaires:8", "--json", "--garbler", "9", "--evaluator", "5"]);
    assert_eq!(done.stderr, "");
    let json = done.json();
    let keys: Vec<_> = json.as_object().expect("an object").keys().cloned().collect();
    let mut expected = [
        "outputs",
        "suite",
        "program_hash",
        "engines",
        "gates",
        "and_gates",
        "cycles",
        "bytes_sent",
        "bytes_received",
        "setup_seconds",
        "seconds",
        "security",
    ];
    expected.sort_unstable();
    let mut sorted = keys;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let output = json!({
        "name": "a_richer", "bits": 1, "hex": "1", "value": 1,
        "learned_by": ["garbler", "evaluator"]
    });
    assert_eq!(json["outputs"], json!([output]));
    assert_eq!(json["suite"], "half-gates");
    assert_eq!(json["cycles"], 1);
    assert_eq!(json["program_hash"].as_str().expect("text").len(), 64);
    assert!(json["and_gates"].as_u64().expect("a number") <= 8);
    assert!(json["seconds"].as_f64().expect("a number") > 0.0);
}

#[test]
fn only_the_learner_learns() {
    let words = ["millionaires:8", PLAIN, "--learn", "evaluator", "--input"];
    let (garbler, evaluator) =
        pair(&[&words[..], &["1"]].concat(), &[&words[..], &["200"]].concat());
    assert_eq!(garbler.json()["outputs"][0]["hex"], json!(null));
    assert_eq!(garbler.json()["outputs"][0]["learned_by"], json!(["evaluator"]));
    assert_eq!(evaluator.json()["outputs"][0]["hex"], "0");

    let words = ["auction:2x8", PLAIN, "--input"];
    let learn = ["--learn", "none", "--learn", "price=garbler"];
    let (garbler, evaluator) = pair(
        &[&words[..], &["7"], &learn[..]].concat(),
        &[&words[..], &["200"], &learn[..]].concat(),
    );
    let (garbler, evaluator) = (garbler.json(), evaluator.json());
    assert_eq!(garbler["outputs"][0]["hex"], json!(null));
    assert_eq!(garbler["outputs"][1]["hex"], "07");
    assert_eq!(evaluator["outputs"][1]["hex"], json!(null));
    assert_eq!(evaluator["outputs"][0]["learned_by"], json!([]));
}

/// One party repeats its values; the other has values of its own for each run.
#[test]
fn one_value_for_several_runs() {
    let (garbler, evaluator) = pair(
        &["adder:8", PLAIN, "--input", "1", "--runs", "3"],
        &["adder:8", PLAIN, "--input", "10", "--input", "20", "--input", "30"],
    );
    for done in [garbler, evaluator] {
        let json = done.json();
        let runs = json["runs"].as_array().expect("several runs");
        let outputs: Vec<&str> =
            runs.iter().filter_map(|run| run["outputs"][0]["hex"].as_str()).collect();
        assert_eq!(outputs, ["0b", "15", "1f"]);
    }
    let two = ["adder:8", PLAIN, "--input", "1", "--input", "2", "--runs", "2"];
    let words: Vec<&str> = ["garble"].into_iter().chain(two).collect();
    let words = [&words[..], &["--connect", "127.0.0.1:9"]].concat();
    halfgate(&words).failed(2, &["--runs 2", "2 are given"]);
}

#[test]
fn several_runs_over_one_connection() {
    let (garbler, evaluator) = pair(
        &["adder:8", PLAIN, "--input", "1", "--input", "2", "--input", "3"],
        &["adder:8", PLAIN, "--input", "10", "--input", "20", "--input", "30"],
    );
    for done in [garbler, evaluator] {
        let json = done.json();
        let runs = json["runs"].as_array().expect("a list");
        let sums: Vec<_> = runs.iter().map(|run| run["outputs"][0]["hex"].clone()).collect();
        let sums: Vec<_> = sums
            .iter()
            .map(|hex| u32::from_str_radix(hex.as_str().expect("text"), 16).expect("hex"))
            .collect();
        assert_eq!(sums, [11, 22, 33]);
    }
}

#[test]
fn the_role_does_not_decide_who_dials() {
    let address = common::free_address();
    let words = ["evaluate", "adder:8", PLAIN, "--listen", &address, "--input", "1"];
    let evaluator = common::start(&words);
    let garbler =
        halfgate(&["garble", "adder:8", PLAIN, "--connect", &address, "--input", "2", "--json"]);
    assert_eq!(garbler.code, Some(0), "{garbler:?}");
    let evaluator = evaluator.wait();
    assert_eq!(evaluator.code, Some(0), "{evaluator:?}");
    assert!(evaluator.stdout.contains("= 3 "), "{evaluator:?}");
    assert!(evaluator.stderr.contains("command line"), "a literal value: {evaluator:?}");
}

#[test]
fn values_from_files_and_standard_input_give_no_warning() {
    let (_folder, path) = folder_with("b.json", r#"{"b": "0x20"}"#);
    let address = common::free_address();
    let words = ["garble", "adder:8", PLAIN, "--listen", &address, "--input", "-"];
    let garbler = start_with_stdin(&words, b"3\n");
    let at = format!("@{}", text(&path));
    let evaluator =
        halfgate(&["evaluate", "adder:8", PLAIN, "--connect", &address, "--input", &at]);
    assert!(evaluator.stdout.contains("= 35 "), "{evaluator:?}");
    // The only warning is that about missing encryption.
    assert_eq!(evaluator.stderr.matches("warning:").count(), 1, "{evaluator:?}");
    assert_eq!(garbler.wait().stderr.matches("warning:").count(), 1);
}

#[test]
fn other_suites_are_named_and_give_the_same_result() {
    let words =
        ["run", "adder:8", "--suite", "half-gates-fixed-key", "--garbler", "1", "--evaluator", "2"];
    let done = halfgate(&words);
    assert!(done.stdout.contains("= 3 "), "{done:?}");
    assert!(done.stderr.contains("half-gates-fixed-key"), "{done:?}");
    let rows = ["run", "adder:8", "--suite", "grr3", "--garbler", "1", "--evaluator", "2"];
    assert!(halfgate(&rows).stdout.contains("= 3 "));
    let weak = ["run", "adder:8", "--suite", "grr3-sha1", "--insecure-suite"];
    let weak = halfgate(&[&weak[..], &["--garbler", "1", "--evaluator", "2"]].concat());
    assert!(weak.stdout.contains("= 3 "), "{weak:?}");
    assert!(weak.stderr.contains("grr3-sha1, INSECURE"), "{weak:?}");
    let semi_honest =
        halfgate(&["run", "adder:8", "--ot", "semi-honest", "--garbler", "1", "--evaluator", "2"]);
    assert!(semi_honest.stdout.contains("= 3 "), "{semi_honest:?}");
}

#[test]
fn a_garbling_made_ahead_of_time_is_used_once() {
    let identities = Identities::new();
    let file = identities.path("tables");
    let done = halfgate(&["garble", "aes128", "--to", &file]);
    assert_eq!(done.code, Some(0), "{done:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let garbler = ["aes128", PLAIN, "--from", &file, "--input"];
    let garbler = [&garbler[..], &["bytes:000102030405060708090a0b0c0d0e0f"]].concat();
    let evaluator = ["aes128", PLAIN, "--input", "bytes:00112233445566778899aabbccddeeff"];
    let (garbled, evaluated) = pair(&garbler, &evaluator);
    for done in [garbled, evaluated] {
        assert_eq!(done.json()["outputs"][0]["hex"], "5ac5b47080b7cdd830047b6ad8e0c469");
    }
    let again = [&["garble", "--listen", "127.0.0.1:0"], &garbler[..]].concat();
    halfgate(&again).failed(12, &["used"]);
}

#[test]
fn inspect_counts_and_estimates() {
    let words = ["inspect", "adder:32", "--json", "--rate", "1e6", "--bandwidth", "1Mbit"];
    let json = halfgate(&words).json();
    assert_eq!(json["and_gates"], 31);
    assert_eq!(json["inputs"][0]["party"], "garbler");
    assert!(json["estimate"]["seconds"].as_f64().expect("a number") > 0.008);
    assert_eq!(json["program_hash"].as_str().expect("text").len(), 64);

    let slow = halfgate(&["inspect", "adder:32", "--json", "--rate", "1e6", "--delay", "1000"]);
    assert!(slow.json()["estimate"]["seconds"].as_f64().expect("a number") > 2.0);
    assert_eq!(halfgate(&["inspect", "adder:32"]).code, Some(0), "measures the rate itself");
}

#[test]
fn convert_there_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let [fashion, old, again] = ["a.txt", "b.txt", "c.txt"].map(|n| text(&folder.path().join(n)));
    assert_eq!(halfgate(&["convert", "adder:32", &fashion]).code, Some(0));
    for (from, to) in [(&fashion, &old), (&old, &again)] {
        let done = halfgate(&["convert", from, to]);
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    for file in [&fashion, &old, &again] {
        let words = ["run", file, "--json", "--garbler", "77", "--evaluator", "0xffffffff"];
        assert_eq!(halfgate(&words).json()["outputs"][0]["hex"], "0000004c", "{file}");
    }
}

#[test]
fn convert_takes_the_owners_of_inputs() {
    // A circuit with two inputs of two bits and one of one bit: the first two are XORed and ANDed
    // with the third.
    let circuit = "3 8\n3 2 2 1\n1 1\n\n2 1 0 2 5 XOR\n2 1 1 3 6 XOR\n2 1 5 4 7 AND\n";
    let (folder, path) = folder_with("three.txt", circuit);
    let old = text(&folder.path().join("old.txt"));
    let words = ["convert", &text(&path), &old, "--to", "bristol", "--parties"];
    let done = halfgate(&[&words[..], &["g,g,e"]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    // The garbler's two inputs become one of four bits: 0b0001 means 1 and 0.
    let json = halfgate(&["run", &old, "--garbler", "0b0001", "--evaluator", "1", "--json"]).json();
    assert_eq!(json["outputs"][0]["hex"], "1");
    let widths = std::fs::read_to_string(&old).expect("written");
    assert!(widths.lines().nth(1).expect("a line").starts_with("4 1 "), "{widths}");
    halfgate(&[&words[..], &["g,e,g"]].concat()).failed(3, &["has 3", "two inputs"]);
    halfgate(&[&words[..], &["g,e"]].concat()).failed(2, &["--parties", "2 inputs", "has 3"]);
}

#[test]
fn lists_are_json_too() {
    let programs = halfgate(&["programs", "--json"]).json();
    let programs = programs["programs"].as_array().expect("a list");
    let port = |program: &str, port: &str| {
        let program = programs.iter().find(|p| p["name"] == program).expect("a program");
        let types = program["types"].as_array().expect("a list");
        types.iter().find(|t| t["name"] == port).expect("a type").clone()
    };
    let sorted = serde_json::json!(
        { "name": "sorted", "element": "unsigned", "bits": "BITS", "set": false });
    assert_eq!(port("sort", "sorted"), sorted);
    assert_eq!(port("logistic", "x")["element"], "fixed");
    assert_eq!(port("logistic", "x")["fraction"], 12);
    assert_eq!(port("logistic", "x")["bits"], 16);
    assert!(port("sqrt64", "root")["bits"].is_null());
    assert_eq!(port("psi", "a")["set"], true);
    let engines = halfgate(&["engines", "--json"]).json();
    assert_eq!(engines["engines"][0]["name"], "cpu");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(halfgate_tests::command::binary())
        .args(["programs"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let done = child.wait_with_output().expect("ended");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    assert_eq!(done.status.code(), Some(0));
}
