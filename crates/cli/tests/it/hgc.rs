//! Tests HGC files as users handle them: a converted circuit keeps its ports, their types and its
//! program hash, and gives the same results.

use halfgate_tests::command::{Identities, folder_with, halfgate, pair, text, words};
use serde_json::Value;

const PLAIN: &str = "--insecure-plaintext";

fn inspect(circuit: &str) -> Value {
    let done = halfgate(&["inspect", circuit, "--rate", "1e6", "--order", "given", "--json"]);
    done.json()
}

/// Built-in programs with types, lists, flip-flops, per-cycle values and functions, and with an
/// order of input owners that no other format keeps.
#[test]
fn built_in_programs_keep_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = [
        "millionaires:16",
        "logistic:4",
        "aes128-chained:3",
        "auction:5x8",
        "edit-distance:4x8",
        "sqrt64",
        "decision-tree:2x2",
        "aes128-batch:20",
        "mlp:20-3-2",
    ];
    for (index, program) in programs.into_iter().enumerate() {
        let file = text(&folder.path().join(format!("{index}.hgc")));
        let done = halfgate(&["convert", program, &file]);
        assert_eq!((done.code, &done.stderr[..]), (Some(0), ""), "{done:?}");
        let (mut before, mut after) = (inspect(program), inspect(&file));
        assert!(before["inputs"][0]["type"].is_string(), "{program}: {before}");
        // The time of a run is an estimate and may differ.
        for facts in [&mut before, &mut after] {
            facts.as_object_mut().expect("an object").remove("estimate");
        }
        assert_eq!(before, after, "{program}");
    }
}

#[test]
fn a_converted_program_runs_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = text(&folder.path().join("m.hgc"));
    assert_eq!(halfgate(&["convert", "millionaires:16", &file]).code, Some(0));
    let run = |circuit: &str, more: &[&str]| {
        let words = ["run", circuit, "--garbler", "700", "--evaluator", "500", "--json"];
        halfgate(&[&words[..], more].concat()).json()
    };
    for order in ["given", "grouped"] {
        let (built_in, of_file) =
            (run("millionaires:16", &["--order", order]), run(&file, &["--order", order]));
        assert_eq!(of_file["outputs"][0]["name"], "a_richer");
        assert_eq!(of_file["outputs"][0]["hex"], "1");
        assert_eq!(of_file["program_hash"], built_in["program_hash"], "{order}");
    }
    // One party has the file, the other the built-in program.
    let garbler = [&file[..], PLAIN, "--input", "3"];
    let (garbled, evaluated) = pair(&garbler, &["millionaires:16", PLAIN, "--input", "4"]);
    assert_eq!(garbled.json()["outputs"][0]["hex"], "0");
    assert_eq!(evaluated.json()["outputs"][0]["hex"], "0");
}

/// A file with functions runs between two processes, with the program hash that `inspect` shows.
#[test]
fn functions_run_between_two_processes() {
    let (_folder, file) = folder_with("sums.hgc", SUMS);
    let file = text(&file);
    let identities = Identities::new();
    let party = |own, peer, input: &str| -> Vec<String> {
        let words = [&file[..], "--input", input].map(str::to_owned);
        words.into_iter().chain(identities.options(own, peer)).collect()
    };
    let hash = halfgate(&["inspect", &file, "--rate", "1e6", "--json"]).json();
    let garbler = party("alice", "bob", "[1,2,100,255]");
    let evaluator = party("bob", "alice", "[10,20,55,2]");
    let (garbled, evaluated) = pair(&words(&garbler), &words(&evaluator));
    for done in [garbled.json(), evaluated.json()] {
        assert_eq!(done["outputs"][0]["hex"], "019b160b");
        assert_eq!(done["program_hash"], hash["program_hash"]);
    }
    // The flat program is another one, and so is that of another function.
    let flat = halfgate(&["inspect", &file, "--rate", "1e6", "--order", "haac:full", "--json"]);
    assert_ne!(flat.json()["program_hash"], hash["program_hash"]);
    let (_folder, other) = folder_with("sums.hgc", SUMS.replace("return 6 7", "return 6 !7"));
    let other = text(&other);
    let garbler = [&file[..], PLAIN, "--input", "[1,2,3,4]"];
    let (garbled, evaluated) = pair(&garbler, &[&other, PLAIN, "--input", "[5,6,7,8]"]);
    for done in [garbled, evaluated] {
        assert!(done.code != Some(0) && done.stderr.contains("program"), "{done:?}");
    }
}

const SUMS: &str = include_str!("../../../frontends/testdata/sums.hgc");

/// Converts to HGC and back: files without names stay the same, byte for byte if possible.
#[test]
fn other_formats_by_way_of_hgc() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| text(&folder.path().join(name));
    let convert = |from: &str, to: &str| {
        let done = halfgate(&["convert", from, to]);
        assert_eq!((done.code, &done.stderr[..]), (Some(0), ""), "{done:?}");
    };
    let scd = "0 0 1 1 1 1 5\n0 1 3 3 6 \n2 2 1 4 2 \n6 6 6 8 6 \n5 \n7 \n-2 \n";
    std::fs::write(path("a.scd"), scd).expect("written");
    convert(&path("a.scd"), &path("a.hgc"));
    convert(&path("a.hgc"), &path("b.scd"));
    assert_eq!(std::fs::read_to_string(path("b.scd")).expect("a file"), scd);

    let fashion = "1 3\n2 1 1 \n1 1 \n\n2 1 0 1 2 AND\n".replace(" \n", "\n");
    std::fs::write(path("and.txt"), &fashion).expect("written");
    convert(&path("and.txt"), &path("and.hgc"));
    convert(&path("and.hgc"), &path("back.txt"));
    assert_eq!(std::fs::read_to_string(path("back.txt")).expect("a file"), fashion);
    let hgc = std::fs::read_to_string(path("and.hgc")).expect("a file");
    assert_eq!(
        hgc,
        "halfgate-circuit 1\n# gates: 1, ANDs: 1\ninput in0 garbler 1  # wire 0\n\
         input in1 evaluator 1  # wire 1\n2 = and 0 1\noutput out0 1\nbits 2\nend\n"
    );
    // The file name has no known extension, and --to names the format.
    let done = halfgate(&["convert", &path("and.txt"), &path("x"), "--to", "hgc"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(std::fs::read_to_string(path("x")).expect("a file"), hgc);
}

#[test]
fn losses_of_other_formats_are_noted_with_the_advice_to_use_hgc() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| text(&folder.path().join(name));
    for (to, format) in [("a.txt", "Bristol Fashion"), ("a.scd", "SCD"), ("a.hscd", "HSCD")] {
        let done = halfgate(&["convert", "millionaires:8", &path(to)]);
        assert_eq!(done.code, Some(0), "{done:?}");
        let expected = format!(
            "a file in {format} format does not keep the names of ports and the types of ports; HGC \
             does: use a name that ends in .hgc, or --to hgc"
        );
        assert!(done.stderr.contains(&expected), "{done:?}");
    }
    let done = halfgate(&["convert", "auction:4x8", &path("b.txt")]);
    assert!(done.stderr.contains("the types of ports and the owners of inputs"), "{done:?}");
    // A set stays a set, whose numbers may be given in any order.
    let done = halfgate(&["convert", "psi:4x8", &path("c.txt")]);
    assert!(done.stderr.contains("which inputs are sets"), "{done:?}");
    let done = halfgate(&["convert", "psi:4x8", &path("c.hgc")]);
    assert!(!done.stderr.contains("does not keep"), "{done:?}");
    for circuit in ["psi:4x8", &path("c.hgc")] {
        let values = ["--garbler", "[9,2,7]", "--evaluator", "[7,1,9,3]"];
        let done = halfgate(&[&["run", circuit, "--json"], &values[..]].concat());
        assert_eq!(done.json()["outputs"][0]["value"], 2, "{done:?}");
    }
    // A circuit without names and types loses nothing.
    let done = halfgate(&["convert", &path("a.txt"), &path("d.scd")]);
    assert_eq!((done.code, &done.stderr[..]), (Some(0), ""), "{done:?}");
}

#[test]
fn names_of_formats_that_are_only_read_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in [("x.aby", "ABY"), ("x.v", "Verilog"), ("x.sv", "Verilog")] {
        let file = folder.path().join(name);
        let done = halfgate(&["convert", "millionaires:8", &text(&file)]);
        done.failed(2, &[name, format, "is read, not written", "HGC"]);
        assert!(!file.exists());
    }
}

#[test]
fn options_of_other_formats_are_refused() {
    let circuit = "halfgate-circuit 1\ninput x garbler 1\ninput y evaluator 1\n2 = and 0 1\n\
                   output z 1\nbits 2\nend\n";
    let (_folder, file) = folder_with("x.hgc", circuit);
    let file = text(&file);
    let run = |more: &[&str]| {
        let words = ["run", &file, "--garbler", "1", "--evaluator", "1"];
        halfgate(&[&words[..], more].concat())
    };
    assert_eq!(run(&[]).code, Some(0));
    run(&["--parties", "g,e"]).failed(2, &["--parties", "states the owners"]);
    run(&["--outputs", "last"]).failed(2, &["--outputs", "HGC", "of which cycles"]);
    run(&["--top", "m"]).failed(2, &["--top", "no modules"]);
}

#[test]
fn malformed_files_are_refused_with_the_line() {
    let head = "halfgate-circuit 1\ninput x garbler 1\n";
    for (body, line, expected) in [
        ("1 = and 0 1\nend\n", 3, "reads lower wires only"),
        ("1 = not 0\n", 4, "cut short"),
        ("function f 1 1\nend\n", 3, "needs version 2"),
    ] {
        let (_folder, file) = folder_with("x.hgc", format!("{head}{body}"));
        let done = halfgate(&["run", &text(&file), "--garbler", "1"]);
        done.failed(3, &[&format!("x.hgc:{line}:"), expected]);
    }
    let (_folder, file) = folder_with("x", "halfgate-circuit 7\n");
    halfgate(&["inspect", &text(&file)]).failed(3, &["x:1:", "version 7", "newer Halfgate"]);
}

/// An ABY file's inputs all belong to the server, as ABY defines. An HGC file can split them
/// between the parties.
#[test]
fn an_aby_file_is_split_between_the_parties_as_hgc() {
    let aby = "# x and y\nS 0 1\nC\n0 -2\n1 -3\nA 0 1 2\n#Outputs\nO 2\n";
    let (folder, file) = folder_with("and.aby", aby);
    let run = |file: &str, inputs: &[&str]| {
        halfgate(&[&["run", file, "--json"], inputs].concat()).json()["outputs"][0]["hex"].clone()
    };
    assert_eq!(run(&text(&file), &["--garbler", "3"]), "1");
    assert_eq!(run(&text(&file), &["--parties", "e", "--evaluator", "2"]), "0");
    let hgc = folder.path().join("and.hgc");
    assert_eq!(halfgate(&["convert", &text(&file), &text(&hgc)]).code, Some(0));
    let converted = std::fs::read_to_string(&hgc).expect("a file");
    let line = "input server garbler 2  # wires 0 to 1\n";
    assert!(converted.contains(line), "{converted}");
    let split = converted.replace(line, "input x garbler 1\ninput y evaluator 1\n");
    std::fs::write(&hgc, split).expect("written");
    assert_eq!(run(&text(&hgc), &["--garbler", "1", "--evaluator", "1"]), "1");
    assert_eq!(run(&text(&hgc), &["--garbler", "1", "--evaluator", "0"]), "0");
}

/// A design keeps the names, owners and types of its ports, and its registers.
#[test]
fn a_verilog_design_keeps_its_ports() {
    let design = "module m (input clk, input rst,
  (* party = \"garbler\", per_cycle *) input signed [7:0] step,
  (* party = \"evaluator\", per_cycle *) input [3:0] \\odd[name , output reg signed [7:0] total);
  always @(posedge clk) if (rst) total <= 8'd3; else total <= total + step - \\odd[name ;
endmodule
";
    let (folder, file) = folder_with("m.v", design);
    let done = halfgate(&["inspect", &text(&file), "--rate", "1e6", "--order", "given", "--json"]);
    if done.stderr.contains("Yosys") {
        println!("NOT RUN: there is no Yosys here");
        return;
    }
    let mut before = done.json();
    let hgc = text(&folder.path().join("m.hgc"));
    let converted = halfgate(&["convert", &text(&file), &hgc]);
    assert_eq!((converted.code, &converted.stderr[..]), (Some(0), ""), "{converted:?}");
    let mut after = inspect(&hgc);
    for facts in [&mut before, &mut after] {
        facts.as_object_mut().expect("an object").remove("estimate");
    }
    assert_eq!(before, after);
    assert_eq!(after["inputs"][0]["type"], "signed");
    assert_eq!(after["inputs"][1]["name"], "odd[name");
    assert_eq!(after["flip_flops"], 8);
}

/// Functions are kept in HGC, and written out for other formats.
#[test]
fn functions_are_kept_or_written_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| text(&folder.path().join(name));
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontends/testdata/sums.hgc");
    let convert = |from: &str, to: &str| {
        let done = halfgate(&["convert", from, to]);
        assert_eq!(done.code, Some(0), "{done:?}");
        done.stdout
    };
    let summary = convert(sample, &path("a.hgc"));
    assert!(
        summary.contains("a.hgc: 164 gates, 32 ANDs when its 2 functions are written out"),
        "{summary}"
    );
    let kept = std::fs::read_to_string(path("a.hgc")).expect("a file");
    assert!(kept.contains("\n64..95 = call add map 4\n"), "{kept}");
    convert(&path("a.hgc"), &path("b.hgc"));
    assert_eq!(std::fs::read_to_string(path("b.hgc")).expect("a file"), kept);

    convert(sample, &path("a.txt"));
    convert(sample, &path("a.scd"));
    let run = |file: &str, garbler: &str, evaluator: &str| {
        let inputs = ["--garbler", garbler, "--evaluator", evaluator];
        halfgate(&[&["run", file, "--json"], &inputs[..]].concat()).json()["outputs"][0].clone()
    };
    let output = run(sample, "[1,2,100,255]", "[10,20,55,2]");
    assert_eq!(output["value"], serde_json::json!([11, 22, 155, 1]));
    for file in ["a.txt", "a.scd"] {
        let flat = run(&path(file), "0xff640201", "0x0237140a");
        assert_eq!(flat["hex"], output["hex"], "{file}");
    }
}

#[test]
fn inspecting_functions_shows_their_cost() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontends/testdata/sums.hgc");
    let facts = inspect(sample);
    assert_eq!((&facts["gates"], &facts["and_gates"]), (&164.into(), &32.into()));
    let structure = &facts["structure"];
    let expected = [
        ("functions", 2),
        ("calls", 2),
        ("nesting", 2),
        ("lanes", 4),
        ("gates_in_text", 6),
        ("ands_in_text", 1),
        ("gates", 164),
        ("and_gates", 32),
    ];
    for (field, number) in expected {
        assert_eq!(structure[field], number, "{field} of {structure}");
    }
    assert_eq!(structure["and_depth"], facts["and_depth"]);
    assert_eq!(structure["depth"], facts["depth"]);
    let adder = &structure["by_function"][0];
    assert_eq!((&adder["name"], &adder["runs"]), (&"full-adder".into(), &32.into()));
    assert_eq!((&adder["and_gates"], &adder["ands"]), (&1.into(), &32.into()));
    assert_eq!(structure["by_function"][1]["ands_each_run"], 8);
    assert_eq!(structure["by_function"][2]["name"], Value::Null);
    assert_eq!(inspect("millionaires:8")["structure"], Value::Null);

    let done = halfgate(&["inspect", sample, "--rate", "1e6"]);
    assert!(done.stdout.contains("functions  2, 2 calls, nested 2 deep"), "{done:?}");
    let line = done.stdout.lines().find(|line| line.contains("full-adder")).expect("a line");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words, ["full-adder", "32", "1", "32", "100.00"]);
}

/// A circuit that is too large to be written out is inspected all the same.
#[test]
fn a_large_flattening_is_inspected_and_not_run() {
    use std::fmt::Write as _;
    let input = "input x garbler 1\n";
    let mut doubled =
        "halfgate-circuit 2\nfunction f0 inputs 1 outputs 1\n1 = and 0 !0\nreturn 1\n\
                       end-function\n"
            .to_owned();
    for number in 1..=30 {
        let call = format!("call f{} once", number - 1);
        let _ = writeln!(
            doubled,
            "function f{number} inputs 1 outputs 1\n1 = {call}\nshared 0\n2 = {call}\nshared 1\n\
             return 2\nend-function"
        );
    }
    let end = "1 = call f30 once\nshared 0\noutput z 1\nbits 1\nend\n";
    let (_folder, file) = folder_with("x.hgc", format!("{doubled}{input}{end}"));
    let file = text(&file);
    let facts = inspect(&file);
    for field in ["gates", "and_gates", "and_depth", "depth"] {
        assert_eq!(facts[field], 1 << 30, "{field} of {facts}");
    }
    assert_eq!(facts["structure"]["by_function"][0]["runs"], 1 << 30);
    // 32 bytes for each AND, a label for the input and two hashes for the output.
    assert_eq!(facts["estimate"]["garbler_sends"], (32_u64 << 30) + 48);
    halfgate(&["inspect", &file, "--cycles", "5"]).failed(2, &["--cycles 5"]);
    let out = format!("{file}.txt");
    let flat = ["run", &file, "--garbler", "1", "--order", "haac:full"];
    for words in [&flat[..], &["convert", &file, &out]] {
        halfgate(words).failed(3, &["x.hgc", "with all functions written out", "wires"]);
    }
    assert_eq!(halfgate(&["convert", &file, &format!("{file}.copy.hgc")]).code, Some(0));

    let fold = "1 = call f0 fold 1152921504606846976 state 1\nshared 0\n";
    let end = "output z 1\nbits 1\nend\n";
    let (_folder, file) = folder_with("x.hgc", format!("{doubled}{input}{fold}{end}"));
    let done = halfgate(&["inspect", &text(&file)]);
    assert!(done.stdout.contains("(1,152,921,504,606,846,976 AND)"), "{done:?}");
    assert!(done.stdout.contains("depth      not measured"), "{done:?}");
    assert!(done.stdout.contains("bytes      garbler sends 18.4 EB"), "{done:?}");
}
