//! The mobile coprocessor on the command line: at a port, or simulated behind a pseudo-terminal.

use halfgate_mobile::engine::{self, wide};
use halfgate_mobile::rtl as mobile;
use halfgate_mobile_model::model::Form;
use halfgate_tests::command::{self as common, halfgate};
use halfgate_verilated::Toolchain;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const DIVISION: [&str; 6] = ["run", "divide:16", "--garbler", "50000", "--evaluator", "123"];

/// Whether Verilator is installed. If it is not, prints which test was not run.
fn has_verilator(what: &str) -> bool {
    let has = Toolchain::from_environment().version().is_ok();
    if !has {
        println!("not run: {what}: there is no Verilator here (`make setup` installs it)");
    }
    has
}

fn build_chip() {
    let built = mobile::RtlMobile::new(mobile::Options::default()).build();
    built.expect("builds, which takes longer than the timer of a command allows");
}

fn division(engine: &str) -> common::Done {
    halfgate(&[&DIVISION[..], &["--json", "--evaluator-engine", engine]].concat())
}

#[test]
fn a_simulated_chip_evaluates() {
    let cpu = division("cpu").json();
    let mut engines = vec![
        "mobile:sim,chip=model",
        "mobile:sim,chip=model,aes=round",
        "mobile:sim,chip=model,link=uart12,faults=2000",
    ];
    if has_verilator("mobile:sim in SystemVerilog") {
        build_chip();
        let built = mobile::WideDevice::design().build();
        built.expect("builds, which takes longer than the timer of a command allows");
        let round = mobile::Options { form: Form::Round, ..mobile::Options::default() };
        mobile::RtlMobile::new(round).build().expect("builds");
        engines.extend([
            "mobile:sim,aes=round",
            "mobile:sim",
            "mobile:sim,faults=2000",
            "mobile:sim,chip=wide,link=uart3,faults=2000",
        ]);
    }
    for name in engines {
        let done = division(name).json();
        assert_eq!(done["outputs"], cpu["outputs"], "{name}");
        let link = &done["link"]["evaluator"];
        assert!(link["to_device"].as_u64() > Some(1000), "{done}");
        assert_eq!(link["frames_again"].as_u64() > Some(0), name.contains("faults"), "{done}");
        let simulated = &done["simulated"]["evaluator"];
        assert!(simulated["seconds"].as_f64() > Some(0.0), "{done}");
        // The clock of the simulated chip's board.
        let is_wide = name.contains("wide");
        let mhz = if is_wide { wide::MHZ } else { engine::MHZ };
        assert_eq!(simulated["mhz"].as_f64(), Some(mhz), "{done}");
    }
}

/// The time of a run includes the transfer of all bytes on the link and the chip's own time, even
/// if the simulation is faster.
#[test]
fn bytes_take_their_time_on_the_link() {
    let words = ["run", "divide:64", "--garbler", "50000", "--evaluator", "123", "--json"];
    let engine = ["--evaluator-engine", "mobile:sim,chip=model,link=uart3"];
    let json = halfgate(&[&words[..], &engine].concat()).json();
    let bytes = json["link"]["evaluator"]["to_device"].as_u64().expect("a number");
    // A byte takes ten bits at 3 Mbaud. The last bytes, which acknowledge the end, are sent after
    // the result.
    let least = (bytes - 20) as f64 / 300e3;
    let simulated = json["simulated"]["evaluator"]["seconds"].as_f64().expect("a number");
    let took = json["seconds"].as_f64().expect("a number");
    println!("{bytes} bytes: {least} s, {simulated} s, {took} s");
    assert!(least > 0.3, "{json}");
    assert!(took > least && simulated > least, "{least} s: {json}");
}

#[test]
fn the_wide_core_evaluates() {
    let cpu = division("cpu").json();
    let mut engines = vec!["model:mobile-wide", "model:mobile-wide,units=2"];
    if has_verilator("rtl:mobile-wide") {
        let built = mobile::WideOptions::default().design().build();
        built.expect("builds, which takes longer than the timer of a command allows");
        engines.push("rtl:mobile-wide");
    }
    for engine in engines {
        let done = division(engine).json();
        assert_eq!(done["outputs"], cpu["outputs"], "{engine}");
        assert!(done["simulated"]["evaluator"]["seconds"].as_f64() > Some(0.0), "{done}");
    }
    division("model:mobile-wide,units=9").failed(5, &["units=9", "it is written model:mobile"]);
    division("model:mobile-wide,link=spi").failed(5, &["link=spi"]);
    let words = ["--evaluator-engine", "model:mobile-wide", "--suite", "grr3"];
    let done = halfgate(&[&DIVISION[..], &words].concat());
    assert_eq!(done.code, Some(12), "{done:?}");
    assert!(done.stderr.contains("the coprocessor does not support this suite"), "{done:?}");
}

/// A circuit with more wires than the chip has slots, in SystemVerilog.
#[test]
fn any_circuit_runs() {
    if !has_verilator("rtl:mobile") {
        return;
    }
    build_chip();
    // Each input is one block.
    let key = "0x0f0e0d0c0b0a09080706050403020100";
    for (circuit, garbler, evaluator) in
        [("aes128", key, "0xffeeddccbbaa99887766554433221100"), ("sha256", "0x1234", "0x5678")]
    {
        let words = ["run", circuit, "--garbler", garbler, "--evaluator", evaluator, "--json"];
        let by = |engine| halfgate(&[&words[..], &["--evaluator-engine", engine]].concat()).json();
        assert_eq!(by("rtl:mobile")["outputs"], by("cpu")["outputs"], "{circuit}");
    }
}

/// A simulated chip in another process.
struct Chip {
    child: Child,
    engine: String,
}

impl Chip {
    fn start(options: &str) -> Chip {
        let mut child = Command::new(halfgate_tests::command::binary())
            .args(["chip", "--options", options])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut engine = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut engine).expect("it prints its engine");
        Chip { child, engine: engine.trim().to_owned() }
    }
}

impl Drop for Chip {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_chip_at_a_port_evaluates_for_two_parties() {
    let mut chip = Chip::start("chip=model");
    assert!(chip.engine.starts_with("mobile:/dev/"), "{}", chip.engine);
    let garbler = ["divide:16", "--insecure-plaintext", "--input", "50000"];
    let words = ["divide:16", "--insecure-plaintext", "--input", "123"];
    let evaluator = [&words[..], &["--engine", &chip.engine]].concat();
    let (garbler, evaluator) = common::pair(&garbler, &evaluator);
    for json in [garbler.json(), evaluator.json()] {
        assert_eq!(json["outputs"][0]["hex"], "0196", "{json}");
    }
    let json = evaluator.json();
    assert!(json["link"]["evaluator"]["to_device"].as_u64() > Some(1000), "{json}");
    assert!(json.get("simulated").is_none(), "its clocks are unknown: {json}");
    // If the chip is missing, the engine is rejected before a peer is connected.
    chip.child.kill().expect("killed");
    chip.child.wait().expect("ended");
    division(&chip.engine).failed(12, &["cannot open the port"]);
}

#[test]
fn a_chip_that_goes_away_is_reported() {
    let mut engines = vec!["mobile:sim,chip=model,unplug=3000"];
    if has_verilator("mobile:sim in SystemVerilog, unplugged") {
        build_chip();
        engines.push("mobile:sim,unplug=3000");
    }
    for engine in engines {
        division(engine).failed(12, &["is gone; was the coprocessor unplugged?"]);
    }
    let chip = Chip::start("chip=model,unplug=3000");
    division(&chip.engine).failed(12, &["is gone; was the coprocessor unplugged?"]);
}

#[test]
fn wrong_ports() {
    division("mobile:/dev/null").failed(12, &["/dev/null is no serial port"]);
    division("mobile:/dev/nothing-here").failed(12, &["/dev/nothing-here", "cannot open"]);
    division("mobile:").failed(12, &["cannot open the port"]);
    for keys in [
        "chip=i",
        "link=i2c",
        "faults=0",
        "faults=x",
        "unplug=-1",
        "baud=9600",
        "aes=whole",
        "chip=wide,aes=round",
    ] {
        let engine = format!("mobile:sim,{keys}");
        division(&engine).failed(5, &[keys, "it is written mobile:PORT"]);
    }
    for engine in ["model:mobile", "mobile:sim,chip=model", "mobile:/dev/null"] {
        let words = ["--evaluator-engine", engine, "--kernel", "none"];
        halfgate(&[&DIVISION[..], &words].concat()).failed(5, &["none"]);
    }
    division("mobile:/dev/null,baud=0").failed(5, &["baud=0"]);
    division("mobile:/dev/spidev9.9").failed(12, &["/dev/spidev9.9", "cannot open"]);
    for key in ["mhz=0", "mhz=5000", "baud=9600"] {
        let engine = format!("mobile:/dev/spidev9.9,{key}");
        division(&engine).failed(5, &[key, "it is written mobile:PORT"]);
    }
    halfgate(&["chip", "--options", "slots=3"]).failed(5, &["slots=3"]);
    halfgate(&["run", "divide:16", "--garbler-engine", "mobile:sim"])
        .failed(2, &["evaluates only"]);
}

#[test]
fn it_is_simulated() {
    let run = ["run", "divide:16", "--garbler", "50000", "--evaluator", "123", "--json"];
    for machine in ["mobile", "mobile-wide"] {
        let simulate = ["simulate", "divide:16", "--machine", machine];
        let printed = halfgate(&[&simulate[..], &["--json"]].concat()).json();
        assert_eq!((&printed["machine"], &printed["netlist_cycles"]), (&machine.into(), &1.into()));
        assert_eq!(printed["output_labels_equal"], 32);
        // Byte stuffing depends on the labels, which are different in each session.
        let engine = format!("model:{machine}");
        let run = halfgate(&[&run[..], &["--evaluator-engine", &engine]].concat()).json();
        let clocks = run["simulated"]["evaluator"]["clock_cycles"].as_f64().expect("a number");
        let found = printed["clocks"].as_f64().expect("a number");
        assert!((found / clocks - 1.0).abs() < 0.01, "{found} {clocks}");
        let text = halfgate(&simulate).stdout;
        assert!(text.contains("time ") && text.contains("output labels equal"), "{text}");
        assert!(text.contains("bytes to the chip"), "{text}");
        halfgate(&[&simulate[..], &["--role", "garbler"]].concat()).failed(2, &["an evaluator"]);
    }
    let simulate = ["simulate", "divide:16", "--machine"];
    halfgate(&[&simulate[..], &["mobile-9"]].concat()).failed(5, &["mobile-9", "mobile-wide"]);
    let rtl = ["mobile", "--model", "rtl", "--aes", "dpi"];
    halfgate(&[&simulate[..], &rtl].concat()).failed(2, &["--aes"]);
}

/// Each clock cycle has exactly one cause. The model and the RTL have the same counts.
#[test]
fn simulate_reports_clocks_by_cause() {
    let mut words = vec![["mobile", "fast"], ["mobile-wide", "fast"]];
    if has_verilator("simulate --model rtl") {
        build_chip();
        let built = mobile::WideOptions::default().design().build();
        built.expect("builds, which takes longer than the timer of a command allows");
        words.extend([["mobile", "rtl"], ["mobile-wide", "rtl"]]);
    }
    let mut found = Vec::new();
    for [machine, model] in words {
        let words = ["simulate", "divide:16", "--machine", machine, "--model", model, "--json"];
        let json = halfgate(&words).json();
        let causes = json["clocks_went"].as_object().expect("causes").values();
        let clocks: u64 = causes.map(|clocks| clocks.as_u64().expect("a count")).sum();
        assert_eq!(json["clocks"], clocks, "{json}");
        found.push(json["clocks_went"].clone());
    }
    assert!(found[0]["link"].as_u64() > Some(0) && found[1]["operands"].as_u64() > Some(0));
    if let [.., chip, wide] = &found[2..] {
        assert_eq!([chip, wide], [&found[0], &found[1]]);
    }
}
