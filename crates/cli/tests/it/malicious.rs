//! Malicious sessions as users run them: designs in Verilog, programs in C, maps and folds, and a
//! server. Results must be those of semi-honest sessions.

use crate::mips::{build, has_tools};
use crate::serve::Server;
use crate::verilog::{has_yosys, ours};
use halfgate_tests::command::{Done, folder, halfgate, pair, text};
use serde_json::Value;

const PLAIN: &str = "--insecure-plaintext";
const LEVELS: [&str; 2] = ["semi-honest", "malicious"];

/// Runs two processes at each level, and compares all outputs. Returns the values that the
/// evaluator learned.
#[track_caller]
fn pair_at_both_levels(garbler: &[&str], evaluator: &[&str]) -> Vec<Value> {
    let [semi_honest, malicious] = LEVELS.map(|level| {
        let more = [PLAIN, "--security", level];
        let (garbled, evaluated) = pair(&[garbler, &more].concat(), &[evaluator, &more].concat());
        [garbled, evaluated].map(|done| outputs(&done, level))
    });
    assert_eq!(semi_honest, malicious);
    values(&malicious[1])
}

/// Runs both parties in one process at each level, and compares all outputs. Returns their values.
#[track_caller]
fn run_at_both_levels(words: &[&str]) -> Vec<Value> {
    let [semi_honest, malicious] = LEVELS.map(|level| {
        let more = ["--json", "--security", level];
        outputs(&halfgate(&[&["run"], words, &more].concat()), level)
    });
    assert_eq!(semi_honest, malicious);
    values(&malicious)
}

#[track_caller]
fn outputs(done: &Done, level: &str) -> Value {
    let json = done.json();
    assert_eq!(json["security"], level);
    json["outputs"].clone()
}

fn values(outputs: &Value) -> Vec<Value> {
    let outputs = outputs.as_array().expect("a list");
    let value = |output: &Value| output.get("value").unwrap_or(&output["hex"]).clone();
    outputs.iter().map(value).collect()
}

#[test]
fn designs_in_verilog() {
    if !has_yosys() {
        return;
    }
    let file = ours("examples/verilog/score.v");
    let scores = pair_at_both_levels(
        &[&file, "--input", "1149,[3,1,4]"],
        &[&file, "--input", "[100,50,200]"],
    );
    assert_eq!(scores, [1]);
    // A design with registers, of which the last cycle's outputs count.
    let file = ours("programs/verilog/mac.v");
    let options = ["--top", "mac", "--parameter", "WIDTH=16", "--outputs", "last"];
    let inputs = ["--garbler", "[1000,2]", "--evaluator", "[3000,4]"];
    let sums = run_at_both_levels(&[&[&file[..]], &options[..], &inputs[..]].concat());
    assert_eq!(sums, [3_000_008]);
    // Modules that are instantiated several times are maps.
    let file = ours("examples/verilog/near.v");
    let inputs = ["--garbler", "1,2,169", "--evaluator", "0x00ff040332280201"];
    let near = run_at_both_levels(&[&[&file, "--parameter", "POINTS=4"], &inputs[..]].concat());
    assert_eq!(near, [5]);
}

#[test]
fn programs_in_c() {
    if !has_tools() {
        return;
    }
    let folder = folder();
    let source = ours("examples/mips/sum.c");
    let sizes = ["--memory", "32", "--steps", "50"];
    let program = build(&folder, &source, "sum.elf", &sizes);
    let inputs = ["--garbler", "[3,-4,5,6]", "--evaluator", "[10,20,30,-40]"];
    for privacy in ["public", "public-skip"] {
        let words = [&[&program, "--privacy", privacy], &inputs[..]].concat();
        assert_eq!(run_at_both_levels(&words), [1, -140], "{privacy}");
    }
    // Both parties leave out the same gates.
    let source = ours("programs/mips/hamming_branchless.c");
    let more = ["--memory", "64,16", "--steps", "300", "--", "-DBITS=16"];
    let program = build(&folder, &source, "hamming.elf", &more);
    let learned = pair_at_both_levels(
        &[&program, "--privacy", "public-skip", "--input", "0x00ff"],
        &[&program, "--privacy", "public-skip", "--input", "0x0ff0"],
    );
    assert_eq!(learned, [1, 8]);
}

/// The garbler's secret program: the evaluator has its interface alone.
#[test]
fn secret_programs_in_c() {
    if !has_tools() {
        return;
    }
    let folder = folder();
    let source = text(&folder.path().join("sum.c"));
    let program = "#include <halfgate.h>\nGARBLER int a;\nEVALUATOR int b;\nOUTPUT int c;\n\
        void program(void) { c = a + b; }\n";
    std::fs::write(&source, program).expect("a file");
    let sizes = ["--memory", "16", "--steps", "12", "--set", "alu"];
    let program = build(&folder, &source, "sum.elf", &sizes);
    let interface = text(&folder.path().join("sum.json"));
    let privacy = ["--privacy", "semi-private"];
    let words = ["mips", "inspect", &program, "--interface", &interface];
    assert_eq!(halfgate(&[&words, &privacy[..]].concat()).code, Some(0));
    let learned = pair_at_both_levels(
        &[&[&program, "--input", "5"], &privacy[..]].concat(),
        &[&[&interface, "--input", "4", "--accept-secret-program"], &privacy[..]].concat(),
    );
    assert_eq!(learned, [1, 9]);
}

/// Runs a built-in program with some values between two processes at each level.
#[track_caller]
fn built_in(spec: &str) {
    let facts = halfgate(&["inspect", spec, "--json", "--rate", "1e8"]).json();
    let mut inputs = [Vec::new(), Vec::new()];
    for port in facts["inputs"].as_array().expect("a list") {
        let digits = 0..port["bits"].as_u64().expect("a width") / 4;
        let digits = digits.map(|at| char::from(b"1e3779b97f4a7c15"[at as usize % 16]));
        let party = usize::from(port["party"] == "evaluator");
        inputs[party].push(format!("0x{}", digits.collect::<String>()));
    }
    let [garbler, evaluator] = inputs.map(|values| values.join(","));
    pair_at_both_levels(&[spec, "--input", &garbler], &[spec, "--input", &evaluator]);
}

/// Lanes of a map and steps of a fold, in more than one window of ANDs.
#[test]
fn maps_and_folds() {
    built_in("aes128-batch:30");
    built_in("edit-distance-rows:32x8");
}

#[test]
#[ignore = "minutes"]
fn large_programs() {
    for spec in ["aes128-batch:400", "sort-network:1000x32", "edit-distance-rows:256x8"] {
        built_in(spec);
    }
}

#[cfg(unix)]
#[test]
fn a_server_and_peers_of_both_levels() {
    let server = Server::new();
    let entry = |name: &str, more: &str| {
        format!(
            "[[program]]\nname = \"{name}\"\ncircuit = \"millionaires:32\"\nrole = \
             \"garbler\"\ninputs = {{ file = \"wealth.json\" }}\nlearn = \"evaluator\"\n{more}\n"
        )
    };
    let programs = entry("strict", "security = \"malicious\"") + &entry("plain", "");
    server.configure("programs = [\"strict\", \"plain\"]", &programs);
    let _running = server.start(&[]);
    let session = |who, name, level: &[&str], input| {
        let words = [&["--program-name", name, "--input", input], level].concat();
        server.peer(who, "millionaires:32", &words)
    };
    let malicious = ["--security", "malicious"];
    // The server has 1,234,567,891.
    let sessions = [
        session("alice", "strict", &malicious, "1234567890"),
        session("bob", "strict", &malicious, "1234567892"),
        session("alice", "plain", &[], "1234567890"),
    ];
    for (session, richer) in sessions.into_iter().zip(["1", "0", "1"]) {
        assert_eq!(session.wait().json()["outputs"][0]["hex"], richer);
    }
    for (name, level) in [("strict", &[][..]), ("plain", &malicious)] {
        let done = session("alice", name, level, "5").wait();
        assert!(matches!(done.code, Some(8 | 11)), "{done:?}");
        let words = ["security level", "semi-honest", "malicious"];
        assert!(words.iter().all(|word| done.stderr.contains(word)), "{done:?}");
    }
    for (name, ok) in [("strict", 2.0), ("plain", 1.0)] {
        let metric = |outcome: &str| {
            let label = format!("program=\"{name}\",outcome=\"{outcome}\"");
            server.metric(&format!("halfgate_sessions_total{{{label}}}"))
        };
        assert_eq!(metric("ok"), ok, "{name}");
    }
}
