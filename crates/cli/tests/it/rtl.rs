//! Machines in SystemVerilog as a user has them: engines of a run, `simulate --model rtl`, traces.
//!
//! Without Verilator those that simulate say so and are not run.

use crate::common::{self, halfgate, text};
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::paper::Size;
use halfgate_machines::garbledcpu::Machine as Evaluator;
use halfgate_machines::garbledcpu::encode::Size as EvaluatorSize;
use halfgate_machines::haac::description::{Description, Overrides};
use halfgate_machines::haac::machine::Role;
use halfgate_machines::overlay::Overlay;
use halfgate_rtl::garbledcpu::{Options as EvaluatorOptions, RtlGarbledCpu};
use halfgate_rtl::haac::{Options, RtlEngine};
use halfgate_rtl::{Aes, Toolchain, fase, mobile, overlay};
use std::path::Path;

const ENGINE: &str = "rtl:haac-1ge,aes=dpi";

/// Builds the smallest machine's garbler, which takes longer than the timer of a command allows.
fn is_built(waveforms: bool) -> bool {
    if let Err(error) = Toolchain::from_environment().version() {
        eprintln!("not run: {error}");
        return false;
    }
    let description = Description::built_in("haac-1ge").expect("built in");
    let machine = description.machine(&Overrides::default()).expect("possible");
    let waveforms = waveforms.then(|| Path::new("unused").to_owned());
    let options = Options { aes: Aes::Dpi, waveforms, ..Options::default() };
    RtlEngine::new(machine, options).build(Role::Garbler).expect("builds");
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
    // Over a connection, two runs on one machine.
    let words = ["adder:16", "--insecure-plaintext", "--input", "1", "--input", "2"];
    let (garbler, evaluator) = common::pair(&[&words[..], &["--engine", ENGINE]].concat(), &words);
    for json in [garbler.json(), evaluator.json()] {
        assert_eq!(json["runs"][1]["outputs"][0]["hex"], "0004", "{json}");
    }
}

/// What the circuit shows of itself is what the model shows of itself, to the byte.
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
fn waveforms_are_written_and_guarded() {
    if !is_built(true) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("adder.fst");
    let file = text(&path);
    let words = ["adder:8", "--garbler", "1", "--evaluator", "2", "--trace", &file];
    let done = halfgate(&[&["run"][..], &words, &["--garbler-engine", ENGINE]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    let waveforms = std::fs::read(&path).expect("written");
    // A header block of 329 bytes comes first in FST.
    assert_eq!(waveforms[..9], [0, 0, 0, 0, 0, 0, 0, 1, 73]);
    assert!(waveforms.len() > 10_000);

    // What has no waveforms, and two machines for one file.
    let run = |engines: &[&str]| halfgate(&[&["run"][..], &words, engines].concat());
    run(&[]).failed(2, &["--trace", "cpu", "rtl:"]);
    run(&["--engine", ENGINE]).failed(2, &["--trace", "one party"]);
}

/// Labels and delta do not go into a file without being asked for twice: no Verilator is needed.
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
fn fase_garbles_for_a_processor() {
    if let Err(error) = Toolchain::from_environment().version() {
        eprintln!("not run: {error}");
        return;
    }
    let options = fase::Options { aes: Aes::Dpi, ..fase::Options::default() };
    let built = fase::RtlFase::new(Shape::best(2), options).build();
    built.expect("builds, which takes longer than the timer of a command allows");
    let adder = ["adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let by =
        |engine| halfgate(&[&["run"][..], &adder, &["--garbler-engine", engine]].concat()).json();
    let [cpu, model, rtl] = ["cpu", "model:fase-2", "rtl:fase-2,aes=dpi"].map(by);
    assert_eq!(rtl["outputs"], cpu["outputs"]);
    let cycles = |of: &serde_json::Value| of["simulated"]["garbler"]["clock_cycles"].as_u64();
    assert!(cycles(&rtl) > Some(50) && cycles(&rtl) == cycles(&model), "{rtl} {model}");
    // Over a connection, two runs on one machine.
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
        let options = fase::Options { size: Some(size), ..fase::Options::default() };
        let built = fase::paper::RtlPaper::new(2, options).build();
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

#[test]
fn garbledcpu_evaluates_for_a_processor() {
    let adder = ["run", "adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let by = |engine| halfgate(&[&adder[..], &["--evaluator-engine", engine]].concat()).json();
    let [cpu, ours, paper] = ["cpu", "model:garbledcpu-2", "model:garbledcpu-paper"].map(by);
    let cycles = |of: &serde_json::Value| of["simulated"]["evaluator"]["clock_cycles"].as_u64();
    for machine in [&ours, &paper] {
        assert_eq!(machine["outputs"], cpu["outputs"]);
        assert!(cycles(machine) > Some(15 * 21), "{machine}");
    }
    let simulate = ["simulate", "adder:16", "--machine", "garbledcpu-2", "--json"];
    let time = halfgate(&simulate).json();
    assert_eq!(time["clocks"].as_u64(), cycles(&ours));
    assert_eq!((time["and_gates"].as_u64(), time["fused"].as_u64()), (Some(15), Some(14)));
    if Toolchain::from_environment().version().is_ok() {
        let size = EvaluatorSize { gates: 1024, bank: 128, inputs: 256 };
        let options = EvaluatorOptions { size: Some(size), ..EvaluatorOptions::default() };
        let machine = Evaluator::named("garbledcpu-2").expect("a machine");
        let built = RtlGarbledCpu::new(machine, options).build();
        built.expect("builds, which takes longer than the timer of a command allows");
        let rtl = by("rtl:garbledcpu-2,gates=1024,bank=128,inputs=256");
        assert_eq!((&rtl["outputs"], cycles(&rtl)), (&cpu["outputs"], cycles(&ours)));
        by_evaluator("rtl:garbledcpu-1,gates=100").failed(5, &["gates must be a power of two"]);
    }
    // The published machine's suite.
    let fixed = ["--suite", "half-gates-fixed-key", "--evaluator-engine", "model:garbledcpu-paper"];
    assert_eq!(halfgate(&[&adder[..], &fixed].concat()).json()["outputs"], cpu["outputs"]);
    for unknown in ["rtl:garbledcpu-0", "model:garbledcpu-5", "model:garbledcpu-paper-2"] {
        by_evaluator(unknown).failed(5, &["there is no machine", "garbledcpu-short-N"]);
    }
    by_evaluator("rtl:garbledcpu-1,kernel=64").failed(5, &["kernel=64", "gates=WORDS"]);
    halfgate(&[&adder[..], &["--engine", "model:garbledcpu-1"]].concat())
        .failed(2, &["evaluates only", "--evaluator-engine"]);
    halfgate(&[&simulate[..], &["--labels"]].concat()).failed(2, &["--evaluator-engine"]);
    halfgate(&[&simulate[..], &["--role", "garbler"]].concat()).failed(2, &["is an evaluator"]);
}

fn by_evaluator(engine: &str) -> common::Done {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--evaluator-engine"];
    halfgate(&[&words[..], &[engine]].concat())
}

#[test]
fn an_overlay_garbles_for_a_processor() {
    let adder = ["run", "adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let sha1 = ["--suite", "grr3-sha1", "--insecure-suite", "--garbler-engine"];
    let by = |suite: &[&str], engine| halfgate(&[&adder[..], suite, &[engine]].concat()).json();
    let default = ["--garbler-engine"];
    let cycles = |of: &serde_json::Value| of["simulated"]["garbler"]["clock_cycles"].as_u64();
    let [cpu, model] = ["cpu", "model:overlay"].map(|engine| by(&default, engine));
    let published = by(&sha1, "model:overlay");
    for by in [&model, &published] {
        assert_eq!(by["outputs"], cpu["outputs"]);
    }
    let simulate = ["simulate", "adder:16", "--machine", "overlay", "--json"];
    let time = halfgate(&simulate).json();
    assert_eq!(time["clocks"].as_u64(), cycles(&model), "{time}");
    if Toolchain::from_environment().version().is_ok() {
        let options = overlay::Options { aes: Aes::Dpi, ..overlay::Options::default() };
        let built = Overlay::named("overlay").expect("an overlay");
        let built = overlay::RtlOverlay::new(built, options).build();
        built.expect("builds, which takes longer than the timer of a command allows");
        // One build for both suites.
        for (suite, model) in [(&default[..], &model), (&sha1, &published)] {
            let rtl = by(suite, "rtl:overlay,aes=dpi");
            assert_eq!(rtl["outputs"], cpu["outputs"]);
            assert_eq!(cycles(&rtl), cycles(model));
        }
        // Over a connection, two runs on one machine.
        let words = ["adder:16", "--insecure-plaintext", "--input", "1", "--input", "2"];
        let engine = ["--engine", "rtl:overlay,aes=dpi"];
        let (garbler, evaluator) = common::pair(&[&words[..], &engine].concat(), &words);
        for json in [garbler.json(), evaluator.json()] {
            assert_eq!(json["runs"][1]["outputs"][0]["hex"], "0004", "{json}");
        }
    }
}

#[test]
fn a_mobile_coprocessor_evaluates() {
    let division = ["run", "divide:16", "--garbler", "50000", "--evaluator", "123", "--json"];
    let by = |engine, suite: &[&str]| {
        halfgate(&[&division[..], suite, &["--evaluator-engine", engine]].concat()).json()
    };
    let clocks = |of: &serde_json::Value| of["simulated"]["evaluator"]["clock_cycles"].as_u64();
    let has_verilator = Toolchain::from_environment().version().is_ok();
    if has_verilator {
        let built = mobile::RtlMobile::new(mobile::Options::default()).build();
        built.expect("builds, which takes longer than the timer of a command allows");
    }
    for suite in [&[][..], &["--suite", "grr3"]] {
        let [cpu, model] = ["cpu", "model:mobile"].map(|engine| by(engine, suite));
        assert_eq!(model["outputs"], cpu["outputs"]);
        if has_verilator {
            let rtl = by("rtl:mobile", suite);
            assert_eq!(rtl["outputs"], cpu["outputs"]);
            // Stuffing depends on labels, which are others in each session.
            let [rtl, model] =
                [&rtl, &model].map(|of| clocks(of).expect("they are counted") as f64);
            assert!((rtl / model - 1.0).abs() < 0.01, "{rtl} {model}");
        }
    }
    let slow = by("model:mobile,link=uart3", &[]);
    assert!(clocks(&slow) > clocks(&by("model:mobile", &[])));
    halfgate(&["run", "divide:16", "--garbler-engine", "model:mobile"])
        .failed(2, &["evaluates only"]);
    halfgate(&["run", "divide:16", "--evaluator-engine", "model:mobile,link=i2c"])
        .failed(5, &["link=i2c", "link=spi|uart3|uart12"]);
}

/// Three million gates are planned in sections, in 260 MB of addresses, program and all; whole they want more.
#[test]
#[cfg(target_os = "linux")]
fn memory_of_an_overlays_host_is_a_sections() {
    let halfgate = env!("CARGO_BIN_EXE_halfgate");
    let words = "simulate matmult:16x16 --match-paper --machine overlay-pcie4 --json";
    let script = format!("ulimit -v 260000; '{halfgate}' {words}");
    let done = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert!(json["gates"].as_u64() > Some(3_000_000), "{json}");
}

#[test]
fn wrong_overlays() {
    let run = |circuit: &str, more: &[&str]| {
        halfgate(&[&["run", circuit, "--garbler", "1", "--evaluator", "1"], more].concat())
    };
    for unknown in ["rtl:overlay-9", "model:overlay-x"] {
        run("adder:8", &["--garbler-engine", unknown]).failed(5, &["no overlay", "overlay-hbm"]);
    }
    run("adder:8", &["--garbler-engine", "rtl:overlay,rows=4"]).failed(5, &["rows=4", "aes="]);
    run("adder:8", &["--engine", "model:overlay"]).failed(2, &["garbles only"]);
    let paper = ["--garbler-engine", "model:overlay-paper"];
    run("adder:8", &paper).failed(12, &["half-gates"]);
    let sha1 = ["--suite", "grr3-sha1", "--insecure-suite"];
    let done = run("multiplier-full:8", &[&paper[..], &sha1].concat());
    assert_eq!(done.code, Some(12));
    assert!(done.stderr.contains("ANDs' numbers"), "{done:?}");
    assert!(done.stderr.contains("--order haac:full"), "{done:?}");
    // A description that makes no sense.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("overlay-mine.toml");
    for (wrong, why) in
        [("lanes = 3", "missing field"), ("lanes =", "line 1"), ("colour = 1", "colour")]
    {
        std::fs::write(&path, wrong).expect("written");
        let mine = format!("model:{}", text(&path));
        run("adder:8", &["--garbler-engine", &mine]).failed(5, &["overlay-mine.toml", why]);
    }
}

#[test]
fn wrong_circuits() {
    let run = |engine: &str| {
        halfgate(&["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--engine", engine])
    };
    run("rtl:cray").failed(5, &["\"cray\"", "haac-16ge"]);
    run("rtl:haac-4ge,aes=magic").failed(5, &["aes=magic", "composite"]);
    run("rtl:haac-4ge,build=slow").failed(5, &["build=slow", "quick|fast"]);
    let simulate = |more: &[&str]| {
        let words = ["simulate", "adder:8", "--machine", "haac-1ge", "--model", "rtl"];
        halfgate(&[&words[..], more].concat())
    };
    simulate(&["--preloaded"]).failed(2, &["--preloaded", "empty queues"]);
    simulate(&["--encoding", "compact"]).failed(2, &["plain"]);
}
