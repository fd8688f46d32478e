//! The SystemVerilog through the command line: engines of a run, `simulate --model rtl`, traces.
//!
//! Without Verilator the tests that simulate print that they are skipped.

use halfgate_circuit::Party;
use halfgate_haac::rtl::{Options, RtlEngine};
use halfgate_haac_model::description::{Description, Overrides};
use halfgate_tests::command::{self as common, halfgate, text};
use halfgate_verilated::{Aes, Toolchain};
use std::path::Path;

const ENGINE: &str = "rtl:haac-1ge,aes=dpi";

/// Builds the garbler of the smallest machine. This takes longer than a command's timer allows.
fn is_built(waveforms: bool) -> bool {
    if let Err(error) = Toolchain::from_environment().version() {
        eprintln!("not run: {error}");
        return false;
    }
    let description = Description::built_in("haac-1ge").expect("built in");
    let machine = description.machine(&Overrides::default()).expect("possible");
    let waveforms = waveforms.then(|| Path::new("unused").to_owned());
    let options = Options { aes: Aes::Dpi, waveforms, ..Options::default() };
    RtlEngine::new(machine, options).build(Party::Garbler).expect("builds");
    true
}

#[test]
fn a_circuit_garbles_for_a_processor() {
    if !is_built(false) {
        return;
    }
    let adder = ["adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let by =
        |engine| halfgate(&[&["run"][..], &adder, &["--garbler-engine", engine]].concat()).json();
    let [cpu, model, rtl] = ["cpu", "model:haac-1ge", ENGINE].map(by);
    assert_eq!(rtl["outputs"], cpu["outputs"]);
    let cycles = |of: &serde_json::Value| of["simulated"]["garbler"]["clock_cycles"].as_u64();
    assert!(cycles(&rtl) > Some(50) && cycles(&rtl) == cycles(&model), "{rtl} {model}");
    // Two runs over one connection, on one machine.
    let words = ["adder:16", "--insecure-plaintext", "--input", "1", "--input", "2"];
    let (garbler, evaluator) = common::pair(&[&words[..], &["--engine", ENGINE]].concat(), &words);
    for json in [garbler.json(), evaluator.json()] {
        assert_eq!(json["runs"][1]["outputs"][0]["hex"], "0004", "{json}");
    }
}

/// The trace of the RTL equals the trace of the model, byte for byte.
#[test]
fn occupancy_is_the_models() {
    if !is_built(false) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let trace = |model: &str| {
        let path = text(&folder.path().join(model));
        let words = ["--machine", "haac-1ge", "--role", "garbler", "--model", model, "--json"];
        let program = ["simulate", "psi:3x5", "--order", "haac:full", "--trace", &path];
        let aes: &[&str] = if model == "rtl" { &["--aes", "dpi"] } else { &[] };
        let json = halfgate(&[&program[..], &words, aes].concat()).json();
        let trace = std::fs::read_to_string(&path).expect("written");
        (json["runs"][0]["cycles"].as_u64().expect("a count"), trace)
    };
    let ((hardware, circuit), (cycles, model)) = (trace("rtl"), trace("exact"));
    assert!(hardware == cycles && cycles > 100);
    assert!(model.len() > 10_000);
    let differs = circuit.lines().zip(model.lines()).find(|(circuit, model)| circuit != model);
    assert_eq!(differs, None);
    assert_eq!(circuit.len(), model.len());
}

#[test]
#[ignore = "long: make rtl"]
fn waveforms_are_written() {
    if !is_built(true) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("adder.fst");
    let file = text(&path);
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "2", "--trace", &file];
    let done = halfgate(&[&words[..], &["--garbler-engine", ENGINE]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    let waveforms = std::fs::read(&path).expect("written");
    // An FST file begins with a header block of 329 bytes.
    assert_eq!(waveforms[..9], [0, 0, 0, 0, 0, 0, 0, 1, 73]);
    assert!(waveforms.len() > 10_000);
}

/// Engines that have no waveforms, and two machines for one file. Needs no Verilator.
#[test]
fn waveforms_are_of_one_simulated_machine() {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "2", "--trace", "unwritten"];
    let run = |engines: &[&str]| halfgate(&[&words[..], engines].concat());
    run(&[]).failed(2, &["--trace", "cpu", "rtl:"]);
    run(&["--engine", ENGINE]).failed(2, &["--trace", "one party"]);
}

/// Labels and delta are written to a file only with a second, explicit flag. Needs no Verilator.
#[test]
fn a_session_writes_no_waveforms_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret.fst");
    for role in ["garble", "evaluate"] {
        let way = if role == "garble" { "--listen" } else { "--connect" };
        let address = common::free_address();
        let words = [role, "adder:8", way, &address, "--insecure-plaintext", "--input", "1"];
        let trace = ["--engine", ENGINE, "--trace", &text(&path)];
        halfgate(&[&words[..], &trace].concat()).failed(2, &["--trace-secrets", "delta"]);
        assert!(!path.exists());
    }
}

#[test]
fn wrong_circuits() {
    let run = |engine: &str| {
        halfgate(&["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--engine", engine])
    };
    run("rtl:cray").failed(5, &["\"cray\"", "haac-16ge"]);
    run("rtl:haac").failed(5, &["\"haac\"", "haac-4ge"]);
    run("rtl:haac-4ge,aes=magic").failed(5, &["aes=magic", "composite"]);
    run("rtl:haac-4ge,build=slow").failed(5, &["build=slow", "quick|fast"]);
    let simulate = |more: &[&str]| {
        let words = ["simulate", "adder:8", "--machine", "haac-1ge", "--model", "rtl"];
        halfgate(&[&words[..], more].concat())
    };
    simulate(&["--preloaded"]).failed(2, &["--preloaded", "empty queues"]);
    simulate(&["--encoding", "compact"]).failed(2, &["plain"]);
}

/// An image has what the machine reads and what it must write. Needs no Verilator.
#[test]
fn an_image_is_the_memory_of_a_launch() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("image.json");
    let image = |program: &[&str], role: &str| {
        let file = text(&path);
        let words = ["--machine", "haac-1ge", "--role", role, "-o", &file];
        halfgate(&[&["image"][..], program, &words].concat())
    };
    for (role, tables) in [("garbler", "after"), ("evaluator", "before")] {
        assert_eq!(image(&["adder:8"], role).code, Some(0));
        let found = std::fs::read_to_string(&path).expect("written");
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        let pieces = |list: &str| found[list].as_array().expect("a list").clone();
        let named = |list, what: &str| pieces(list).into_iter().find(|piece| piece["what"] == what);
        // The bytes of "HGGL" in order, at the address in the register.
        let descriptor = named("before", "descriptor").expect("there is one");
        assert!(descriptor["bytes"].as_str().expect("bytes").starts_with("4847474c"));
        let address = descriptor["address"].as_u64().expect("a number");
        let register: String = address.to_le_bytes().iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(found["registers"]["program"], register);
        assert_eq!(found["registers"]["delta"].is_string(), role == "garbler");
        let tables = named(tables, "tables of engine 0").expect("there are tables");
        let ands = found["and_gates"].as_u64().expect("a number") as usize;
        let bytes = tables["bytes"].as_str().expect("bytes").len() / 2;
        assert_eq!(bytes.div_ceil(64), (32 * ands).div_ceil(64));
        let outputs =
            pieces("after").iter().filter(|piece| piece["what"] != tables["what"]).count();
        assert_eq!(outputs, 8);
    }
    std::fs::remove_file(&path).expect("it was written");
    let header = folder.path().join("program.h");
    let to = ["-o", header.to_str().expect("text")];
    let image_to =
        |machine| halfgate(&[&["image", "adder:8", "--machine", machine][..], &to].concat());
    assert_eq!(image_to("haac-1ge").code, Some(0));
    let text = std::fs::read_to_string(&header).expect("written");
    assert!(text.contains("#define PROGRAM_INPUT_BITS 0x10"), "{text}");
    image_to("haac-4ge").failed(5, &["one engine"]);
    let packed = ["image", "adder:8", "--machine", "haac-1ge", "--memory", "dram:hbm2+packed"];
    halfgate(&[&packed[..], &to].concat()).failed(2, &["SystemVerilog has not"]);
    image(&["adder:8"], "both").failed(2, &["--role garbler"]);
    image(&["aes128-ecb", "--cycles", "2"], "garbler").failed(3, &["several cycles"]);
    assert!(!path.exists());
}

/// Without the machine's pacing its own time shows: some cycles more or less with the same memory,
/// far fewer with one that responds at once. Tables and outputs are compared in each run.
#[test]
fn pacing_changes_cycles_alone() {
    if !is_built(false) {
        return;
    }
    let cycles = |pace: &str| {
        let words =
            ["--machine", "haac-1ge", "--role", "garbler", "--model", "rtl", "--aes", "dpi"];
        let program = ["simulate", "psi:3x5", "--pace", pace, "--json"];
        let run = halfgate(&[&program[..], &words].concat()).json()["runs"][0].clone();
        assert_eq!((&run["equal"], &run["pace"]), (&(pace == "registers").into(), &pace.into()));
        run["cycles"].as_u64().expect("a count")
    };
    let [registers, memory, nobody] = ["registers", "memory", "nobody"].map(cycles);
    let apart = memory.abs_diff(registers);
    assert!((1..20).contains(&apart) && nobody + 50 < registers, "{registers} {memory} {nobody}");
    let words = ["simulate", "adder:8", "--machine", "haac-1ge", "--pace", "memory"];
    halfgate(&words).failed(2, &["--pace", "--model rtl"]);
}
