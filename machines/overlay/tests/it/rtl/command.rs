//! Sessions with the overlay's engines.
//!
//! Without Verilator, tests of the SystemVerilog report that they are not run.

use halfgate_overlay::rtl;
use halfgate_overlay_model::Overlay;
use halfgate_tests::command::{self as common, halfgate, text};
use halfgate_verilated::{Aes, Toolchain};

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
    let went = time["clocks_went"].as_object().expect("causes").values();
    let went: u64 = went.filter_map(|clocks| clocks.as_u64()).sum();
    assert_eq!(Some(went), time["clocks"].as_u64(), "{time}");
    if Toolchain::from_environment().version().is_ok() {
        let options = rtl::Options { aes: Aes::Dpi, ..rtl::Options::default() };
        let built = Overlay::named("overlay").expect("an overlay");
        let built = rtl::RtlOverlay::new(built, options).build();
        built.expect("builds, which takes longer than the timer of a command allows");
        // One build supports both suites.
        for (suite, model) in [(&default[..], &model), (&sha1, &published)] {
            let rtl = by(suite, "rtl:overlay,aes=dpi");
            assert_eq!(rtl["outputs"], cpu["outputs"]);
            assert_eq!(cycles(&rtl), cycles(model));
        }
        // Two sessions over a connection, on one machine.
        let words = ["adder:16", "--insecure-plaintext", "--input", "1", "--input", "2"];
        let engine = ["--engine", "rtl:overlay,aes=dpi"];
        let (garbler, evaluator) = common::pair(&[&words[..], &engine].concat(), &words);
        for json in [garbler.json(), evaluator.json()] {
            assert_eq!(json["runs"][1]["outputs"][0]["hex"], "0004", "{json}");
        }
    }
}

/// The host plans three million gates in sections, within 260 MB of address space, including the
/// program. Planning all gates at once would exceed this space.
#[test]
#[cfg(target_os = "linux")]
fn a_host_needs_the_memory_of_one_section() {
    let halfgate = common::binary();
    let words = "simulate matmult:16x16 --match-paper --machine overlay-pcie4 --json";
    let script = format!("ulimit -v 260000; '{}' {words}", halfgate.display());
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
    for (form, unknown) in [("rtl", "overlay-9"), ("model", "overlay-x")] {
        let engine = format!("{form}:{unknown}");
        let named = format!("no machine \"{unknown}\"");
        run("adder:8", &["--garbler-engine", &engine]).failed(5, &[&named, "overlay-hbm"]);
    }
    run("adder:8", &["--garbler-engine", "rtl:overlay,rows=4"]).failed(5, &["rows=4", "aes="]);
    run("adder:8", &["--engine", "model:overlay"]).failed(2, &["garbles only"]);
    let paper = ["--garbler-engine", "model:overlay-paper"];
    run("adder:8", &paper).failed(12, &["half-gates"]);
    let sha1 = ["--suite", "grr3-sha1", "--insecure-suite"];
    let done = run("multiplier-full:8", &[&paper[..], &sha1].concat());
    assert_eq!(done.code, Some(12));
    assert!(done.stderr.contains("report their numbers"), "{done:?}");
    assert!(done.stderr.contains("--order haac:full"), "{done:?}");
    // A description with invalid values.
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
