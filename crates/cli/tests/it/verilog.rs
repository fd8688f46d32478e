//! Tests Verilog as users handle it: from a file to a result of two parties, and what is refused.

use halfgate_tests::command::{Done, halfgate, pair, text};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PLAIN: &str = "--insecure-plaintext";

pub(crate) fn has_yosys() -> bool {
    let run = Command::new("yosys").arg("-V").stdout(Stdio::null()).status();
    if run.is_err() {
        eprintln!("not run: there is no Yosys here (`make setup` installs it)");
    }
    run.is_ok()
}

/// The path of a file of this repository.
pub(crate) fn ours(path: &str) -> String {
    text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path))
}

fn output(done: &Done, number: usize) -> String {
    done.json()["outputs"][number]["hex"].as_str().expect("hex").to_owned()
}

#[test]
fn a_design_goes_from_its_file_to_a_result_of_two_parties() {
    if !has_yosys() {
        return;
    }
    let file = ours("examples/verilog/score.v");
    let (garbler, evaluator) = pair(
        &[&file, PLAIN, "--input", "1149,[3,1,4]"],
        &[&file, PLAIN, "--input", "[100,50,200]"],
    );
    assert_eq!((output(&garbler, 0), output(&evaluator, 0)), ("1".into(), "1".into()));
    let run = |threshold: &str| {
        halfgate(&["run", &file, "--json", "--garbler", threshold, "--evaluator", "[100,50,200]"])
    };
    assert_eq!(output(&run("1150,[3,1,4]"), 0), "0");
}

#[test]
fn the_functions_run_between_two_parties() {
    if !has_yosys() {
        return;
    }
    let file = ours("programs/verilog/aes128.v");
    let (key, block) =
        ("bytes:000102030405060708090a0b0c0d0e0f", "bytes:00112233445566778899aabbccddeeff");
    let done = halfgate(&["run", &file, "--json", "--garbler", key, "--evaluator", block]);
    // FIPS 197, appendix C.1, as a number.
    assert_eq!(output(&done, 0), "5ac5b47080b7cdd830047b6ad8e0c469");

    let file = ours("programs/verilog/mac.v");
    let options = ["--top", "mac", "--parameter", "WIDTH=16", "--outputs", "last"];
    let values = ["--garbler", "[1000,2]", "--evaluator", "[3000,4]"];
    let done = halfgate(&[&["run", &file, "--json"], &options[..], &values[..]].concat());
    assert_eq!(output(&done, 0), "002dc6c8");
}

#[test]
fn a_design_is_compiled_and_converted() {
    if !has_yosys() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (program, netlist) =
        (text(&folder.path().join("a.hgp")), text(&folder.path().join("a.scd")));
    let file = ours("programs/verilog/mac.v");
    let done =
        halfgate(&["compile", &file, "--top", "mac", "--cycles", "4", "-o", &program, "--json"]);
    assert_eq!(done.json()["cycles"], 4);
    let done = halfgate(&["convert", &file, &netlist, "--top", "mac", "--parameter", "WIDTH=4"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let done = halfgate(&["run", &netlist, "--json", "--garbler", "[7]", "--evaluator", "[9]"]);
    assert_eq!(output(&done, 0), "3f");
}

#[test]
fn invalid_designs_are_refused() {
    if !has_yosys() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let latch = "module m (input g_input, e_input, output reg o);\nalways @* if (g_input) o = e_input;\nendmodule";
    let open = "module m (input a, b, output o);\nassign o = a & b;\nendmodule";
    for (name, design) in
        [("latch.v", latch), ("open.v", open), ("broken.v", "module m (input a b);")]
    {
        std::fs::write(folder.path().join(name), design).unwrap();
    }
    let file = |name: &str| text(&folder.path().join(name));
    halfgate(&["inspect", &file("latch.v")]).failed(3, &["latch.v:2: o is a latch"]);
    halfgate(&["inspect", &file("broken.v")]).failed(3, &["broken.v:1: syntax error"]);
    halfgate(&["inspect", &file("open.v")])
        .failed(3, &["open.v:1: inputs a and b are neither party's"]);
    let done = halfgate(&["inspect", &file("open.v"), "--parties", "g"]);
    done.failed(2, &["--parties: owners are given for 1 inputs"]);
    let done = halfgate(&["inspect", &file("open.v"), "--parties", "g,e"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let both = ["inspect", &file("open.v"), "--parties", "g,e", "--parameter", "W=1"];
    halfgate(&both).failed(3, &["open.v", "W"]);
    let done = halfgate(&["inspect", "millionaires", "--top", "m"]);
    done.failed(2, &["--top", "are for Verilog files"]);
    halfgate(&["inspect", &file("missing.v")]).failed(3, &["missing.v: No such file"]);
}

#[test]
fn repeated_modules_are_functions_in_all_commands() {
    if !has_yosys() {
        return;
    }
    let file = ours("examples/verilog/near.v");
    // The points (1, 2), (40, 50), (3, 4) and (255, 0); the radius is 13 squared.
    let (point, points) = (["--garbler", "1,2,169"], ["--evaluator", "0x00ff040332280201"]);
    let options = ["--parameter", "POINTS=4"];
    let all = [&["run", &file, "--json"], &options[..], &point[..], &points[..]].concat();
    assert_eq!(output(&halfgate(&all), 0), "5");
    let (garbler, evaluator) = pair(
        &[&[&file, PLAIN, "--input", point[1]], &options[..]].concat(),
        &[&[&file, PLAIN, "--input", points[1]], &options[..]].concat(),
    );
    assert_eq!((output(&garbler, 0), output(&evaluator, 0)), ("5".into(), "5".into()));

    let inspect = |circuit: &str, options: &[&str]| {
        let done = halfgate(&[&["inspect", circuit, "--json", "--rate", "1e8"], options].concat());
        done.json()
    };
    let of_design = inspect(&file, &options);
    assert_eq!(of_design["structure"]["functions"], 1, "{of_design}");
    assert_eq!(of_design["structure"]["lanes"], 4, "{of_design}");
    // A converted file has the same program, and so has a peer who reads it.
    let folder = tempfile::tempdir().unwrap();
    let converted = text(&folder.path().join("near.hgc"));
    let done = halfgate(&[&["convert", &file, &converted], &options[..]].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(inspect(&converted, &[])["program_hash"], of_design["program_hash"]);
    let flat = text(&folder.path().join("near.txt"));
    halfgate(&[&["convert", &file, &flat], &options[..]].concat());
    assert_eq!(inspect(&flat, &["--parties", "g,g,g,e"])["and_gates"], of_design["and_gates"]);
}

#[test]
fn a_design_is_kept_until_the_cache_is_cleared() {
    if !has_yosys() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let design = folder.path().join("and.v");
    let text =
        "module m (input g_input, e_input, output o); assign o = g_input & e_input; endmodule";
    std::fs::write(&design, text).unwrap();
    let run = |words: &[&str]| -> serde_json::Value {
        let done = Command::new(env!("CARGO_BIN_EXE_halfgate"))
            .args(words)
            .env("HALFGATE_RTL_DIR", folder.path().join("cache"))
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        assert!(done.stderr.is_empty(), "{done:?}");
        serde_json::from_slice(&done.stdout).unwrap()
    };
    let kept = || run(&["cache", "--json"])["circuits"].as_array().unwrap().len();
    assert_eq!(kept(), 0);
    let design = design.to_str().unwrap();
    let first = run(&["inspect", design, "--json"]);
    assert_eq!(run(&["inspect", design, "--json"])["program_hash"], first["program_hash"]);
    let listed = run(&["cache", "--json"]);
    assert_eq!(listed["circuits"][0]["design"], "and.v");
    assert!(listed["bytes"].as_u64().unwrap() <= listed["max_bytes"].as_u64().unwrap());
    assert_eq!(run(&["cache", "--clear", "--json"])["removed"], 1);
    assert_eq!(kept(), 0);
}
