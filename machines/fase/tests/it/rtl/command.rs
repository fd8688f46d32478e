//! Tests of the commands with the RTL engines.
//!
//! Without Verilator, tests that simulate SystemVerilog print that they are not run.

use halfgate_fase::rtl;
use halfgate_fase_model::Shape;
use halfgate_fase_model::paper::Size;
use halfgate_tests::command::{self as common, halfgate};
use halfgate_verilated::{Aes, Toolchain};

#[test]
fn fase_garbles_for_a_processor() {
    if let Err(error) = Toolchain::from_environment().version() {
        eprintln!("not run: {error}");
        return;
    }
    let options = rtl::Options { aes: Aes::Dpi, ..rtl::Options::default() };
    let built = rtl::RtlFase::new(Shape::best(2), options).build();
    built.expect("builds, which takes longer than the timer of a command allows");
    let adder = ["adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let by =
        |engine| halfgate(&[&["run"][..], &adder, &["--garbler-engine", engine]].concat()).json();
    let [cpu, model, rtl] = ["cpu", "model:fase-2", "rtl:fase-2,aes=dpi"].map(by);
    assert_eq!(rtl["outputs"], cpu["outputs"]);
    let cycles = |of: &serde_json::Value| of["simulated"]["garbler"]["clock_cycles"].as_u64();
    assert!(cycles(&rtl) > Some(50) && cycles(&rtl) == cycles(&model), "{rtl} {model}");
    // Two runs on one machine, over a connection.
    let words = ["adder:16", "--insecure-plaintext", "--input", "1", "--input", "2"];
    let engine = ["--engine", "rtl:fase-2,aes=dpi"];
    let (garbler, evaluator) = common::pair(&[&words[..], &engine].concat(), &words);
    for json in [garbler.json(), evaluator.json()] {
        assert_eq!(json["runs"][1]["outputs"][0]["hex"], "0004", "{json}");
    }
    let simulate = ["simulate", "psi:3x5", "--machine", "fase-2", "--model", "rtl"];
    let json = halfgate(&[&simulate[..], &["--aes", "dpi", "--json"]].concat()).json();
    assert_eq!(json["hardware"], json["model"]);
    assert!(json["tables_equal"].as_u64() == json["and_gates"].as_u64(), "{json}");
}

#[test]
fn published_fase_machines_garble() {
    let adder = ["run", "adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let suite = ["--suite", "half-gates-fixed-key", "--garbler-engine"];
    let by = |engine| halfgate(&[&adder[..], &suite, &[engine]].concat()).json();
    let [cpu, one, two] = ["cpu", "model:fase-paper-1", "model:fase-paper-2"].map(by);
    let cycles = |of: &serde_json::Value| of["simulated"]["garbler"]["clock_cycles"].as_u64();
    for published in [&one, &two] {
        assert_eq!(published["outputs"], cpu["outputs"]);
    }
    assert!(cycles(&one) >= cycles(&two) && cycles(&two) > Some(200), "{one} {two}");
    let simulate = ["simulate", "adder:16", "--machine", "fase-paper-2", "--json"];
    let time = halfgate(&simulate).json();
    assert_eq!(time["clocks"].as_u64(), cycles(&two));
    let labels = halfgate(&[&simulate[..], &["--labels"]].concat()).json();
    assert_eq!(labels["tables_equal"], labels["and_gates"]);
    if Toolchain::from_environment().version().is_ok() {
        let size = Size { slots: 1024, inputs: 512, outputs: 512 };
        let options = rtl::Options { size: Some(size), ..rtl::Options::default() };
        let built = rtl::paper::RtlPaper::new(2, options).build();
        built.expect("builds, which takes longer than the timer of a command allows");
        let rtl = by("rtl:fase-paper-2,slots=1024,inputs=512,outputs=512");
        assert_eq!(rtl["outputs"], cpu["outputs"]);
        assert_eq!(cycles(&rtl), cycles(&two));
    }
}

#[test]
fn wrong_fase_machines() {
    let run = |circuit: &str, option: &str, engine: &str| {
        halfgate(&["run", circuit, "--garbler", "1", "--evaluator", "1", option, engine])
    };
    let garbler = |engine: &str| run("adder:8", "--garbler-engine", engine);
    for unknown in
        ["rtl:fase-0", "rtl:fase-x2", "rtl:fase-9", "model:fase-wide-5", "model:fase-wide"]
    {
        garbler(unknown).failed(5, &["there is no machine", "fase-wide-N"]);
    }
    garbler("rtl:fase-paper-2,kernel=64").failed(5, &["kernel=64", "slots=N"]);
    garbler("model:fase-paper-1").failed(12, &["half-gates-fixed-key"]);
    garbler("rtl:fase-2,aes=magic").failed(5, &["aes=magic", "composite"]);
    garbler("rtl:fase-2,kernel=many").failed(5, &["kernel=many"]);
    for engine in ["rtl:fase-2", "model:fase-2"] {
        run("adder:8", "--engine", engine).failed(2, &["garbles only", "--garbler-engine"]);
    }
    if Toolchain::from_environment().version().is_ok() {
        garbler("rtl:fase-2,kernel=100").failed(5, &["kernel must be a power of two", "100"]);
        garbler("rtl:fase-paper-9").failed(5, &["1 to 4 pipelines"]);
        garbler("rtl:fase-paper-2,aes=dpi").failed(5, &["aes=rtl"]);
    }
    let aes = ["run", "aes128", "--garbler", "1", "--evaluator", "1", "--garbler-engine"];
    let done = halfgate(&[&aes[..], &["model:fase-2"]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
}
