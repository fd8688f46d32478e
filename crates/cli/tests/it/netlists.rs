//! Tests circuit files, mainly SCD and HSCD, as users handle them: run by two parties, converted,
//! inspected, and refused.

use halfgate_circuit::{Bits, Circuit, Input, Party, clear, random};
use halfgate_frontends as frontends;
use halfgate_tests::command::{Done, folder_with, halfgate, pair, text, words};
use std::path::{Path, PathBuf};

const PLAIN: &str = "--insecure-plaintext";

/// Adds two numbers, one bit per cycle, lowest first. Wires 0 and 1 are the numbers' bits,
/// flip-flop 2 is the carry. `o = a ^ b ^ c`, `c' = ((a ^ c) & (b ^ c)) ^ c`.
fn adder() -> String {
    "0 0 1 1 1 1 5\n0 1 3 3 6 \n2 2 1 4 2 \n6 6 6 8 6 \n5 \n7 \n-2 \n".to_owned()
}

/// The values of `party` in a user's notation: bits, or a list with one element per cycle.
fn written(inputs: &[Input], values: &[Bits], party: Party) -> String {
    let own = inputs.iter().zip(values).filter(|(input, _)| input.party == party);
    let text = |(input, bits): (&Input, &Bits)| {
        if !input.per_cycle {
            return format!("0x{}", bits.to_hex());
        }
        let width = input.width as usize;
        let cycle = |i| format!("0x{}", bits.slice(i * width, width).to_hex());
        format!("[{}]", (0..bits.len() / width).map(cycle).collect::<Vec<_>>().join(","))
    };
    own.map(text).collect::<Vec<_>>().join(",")
}

#[track_caller]
fn check(done: &Done, expected: &[Bits]) {
    let json = done.json();
    let outputs = json["outputs"].as_array().expect("a list");
    let hex: Vec<_> = outputs.iter().map(|output| output["hex"].as_str().expect("hex")).collect();
    let expected: Vec<_> = expected.iter().map(Bits::to_hex).collect();
    assert_eq!(hex, expected);
}

/// Runs the file between two parties, with these options for both, and compares the result with
/// evaluation in the clear.
fn two_parties(file: &Path, cycles: u64, options: &[&str]) -> Circuit {
    let circuit = frontends::open(file, &frontends::Options::default()).expect("a netlist");
    let values = random::inputs_for(&circuit, 99, cycles);
    let expected = clear::evaluate(&circuit, &values, cycles).expect("evaluated");
    let party = |party| -> Vec<String> {
        let input = written(&circuit.inputs, &values, party);
        let own = [text(file), PLAIN.into(), "--input".into(), input];
        own.into_iter().chain(options.iter().map(|word| (*word).to_owned())).collect()
    };
    let (garbler, evaluator) = (party(Party::Garbler), party(Party::Evaluator));
    let (garbled, evaluated) = pair(&words(&garbler), &words(&evaluator));
    check(&garbled, &expected);
    check(&evaluated, &expected);
    circuit
}

/// A folder of circuits that others made, if it exists.
fn made_elsewhere(name: &str) -> Option<PathBuf> {
    let circuits = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/circuits");
    let folder = circuits.join(name);
    if !folder.exists() {
        println!("not run: {} is not there", folder.display());
    }
    folder.exists().then_some(folder)
}

#[test]
fn bristol_files_of_others_between_two_parties() {
    for folder in ["bristol", "bristol-fashion"].into_iter().filter_map(made_elsewhere) {
        let files = std::fs::read_dir(folder).expect("the folder can be read");
        let mut count = 0;
        for file in files.map(|file| file.expect("a file").path()) {
            two_parties(&file, 1, &[]);
            two_parties(&file, 1, &["--as-given"]);
            count += 1;
        }
        assert!(count > 0);
    }
}

#[test]
fn netlists_of_others_between_two_parties() {
    let Some(folder) = made_elsewhere("sequential") else { return };
    for (name, cycles) in [
        ("Mill_8_8", 8),
        ("Add_8_8", 8),
        ("Hamm_32_32", 32),
        ("MAC_8_1", 5),
        ("CORDIC_32_31", 32),
        ("AES_128_11", 11),
    ] {
        for extension in ["scd", "hscd"] {
            let file = folder.join(name).with_extension(extension);
            let given = cycles.to_string();
            two_parties(&file, cycles, &["--cycles", &given]);
            two_parties(&file, cycles, &["--cycles", &given, "--as-given"]);
        }
    }
}

/// Neither party sets the number of cycles: it follows from the number of values of each.
#[test]
fn our_adder_between_two_parties() {
    let (folder, file) = folder_with("add.scd", adder());
    let circuit = two_parties(&file, 20, &[]);
    assert_eq!(circuit.gates.ands(), 1);
    let words_file = folder.path().join("add.hscd");
    let done = halfgate(&["convert", &text(&file), &text(&words_file)]);
    assert_eq!((done.code, &done.stderr[..]), (Some(0), ""), "{done:?}");
    two_parties(&words_file, 7, &[]);

    // 13 + 11, lowest bit first, in files whose format is recognised by content.
    for (name, content) in [("a", adder().into_bytes()), ("b", std::fs::read(&words_file).unwrap())]
    {
        let (_folder, file) = folder_with(name, content);
        let run = |more: &[&str]| {
            let bits = ["--garbler", "[1,0,1,1,0]", "--evaluator", "[1,1,0,1,0]", "--json"];
            halfgate(&[&["run", &text(&file)], &bits[..], more].concat())
        };
        assert_eq!(run(&[]).json()["outputs"][0]["hex"], "18", "24 over five cycles");
        assert_eq!(run(&["--outputs", "last"]).json()["outputs"][0]["hex"], "1");
        let given = run(&["--as-given"]).json();
        assert_eq!(given["program_hash"], run(&["--order", "given"]).json()["program_hash"]);
        assert_eq!(given["gates"], 25);
        run(&["--cycles", "6"]).failed(4, &["\"g_input\"", "5 bits given, 6 needed"]);
        run(&["--as-given", "--order", "grouped"]).failed(2, &["--as-given", "grouped"]);
        run(&["--parties", "g,e"]).failed(2, &["--parties", "states the owners"]);
    }
}

#[test]
fn an_evaluator_follows_its_garbler_to_the_order_as_given() {
    let (_folder, file) = folder_with("add.scd", adder());
    let words = [&text(&file)[..], PLAIN, "--input", "[1,1,1]"];
    let (garbled, evaluated) = pair(&[&words[..], &["--as-given"]].concat(), &words);
    assert_eq!(garbled.json()["outputs"][0]["hex"], "6");
    assert_eq!(garbled.json()["program_hash"], evaluated.json()["program_hash"]);
    let (garbled, evaluated) = pair(&words, &[&words[..], &["--outputs", "last"]].concat());
    garbled.failed(8, &["program"]);
    evaluated.failed(8, &["program"]);
}

#[test]
fn conversions_in_both_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| text(&folder.path().join(name));
    let files = ["a.txt", "b.scd", "c.txt", "d.hscd", "e.scd", "f.txt"].map(path);
    let mut from = "adder:32";
    for to in &files {
        let done = halfgate(&["convert", from, to]);
        assert_eq!(done.code, Some(0), "{done:?}");
        // Properties that these files cannot store are noted at the first conversion; later ones
        // have lost them already.
        assert_eq!(done.stderr.is_empty(), from != "adder:32", "{done:?}");
        let words = ["run", to, "--json", "--garbler", "77", "--evaluator", "0xffffffff"];
        assert_eq!(halfgate(&words).json()["outputs"][0]["hex"], "0000004c", "{to}");
        from = to;
    }
    let done = halfgate(&["convert", &files[1], &path("g.bin"), "--to", "hscd"]);
    assert_eq!(done.code, Some(0), "{done:?}");

    let (_folder, adder) = folder_with("add.scd", adder());
    halfgate(&["convert", &text(&adder), &path("h.txt")]).failed(3, &["h.txt", "flip-flops"]);
    halfgate(&["convert", "multiplier:128", &path("i.hscd")]).failed(3, &["field of 14 bits"]);
    assert!(!folder.path().join("i.hscd").exists());
}

/// A file never replaces a link, a pipe or a device (such as `/dev/null`, when run as root).
#[test]
fn conversions_through_links_and_into_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, path(name)).expect("a link");
    link("real.scd", "link.scd");
    std::fs::write(path("real.scd"), "old").expect("a file");
    let done = halfgate(&["convert", "adder:8", &text(&path("link.scd"))]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(path("link.scd").is_symlink());
    let written = std::fs::read_to_string(path("real.scd")).expect("a file");
    assert!(written.starts_with("0 0 8 8 0 8 "), "{written}");

    link("/dev/stdout", "stream.scd");
    let done = halfgate(&["convert", "adder:8", &text(&path("stream.scd"))]);
    assert_eq!((done.code, &done.stdout), (Some(0), &written), "{}", done.stderr);
    assert!(done.stderr.contains("7 ANDs"), "{done:?}");
    assert!(path("stream.scd").is_symlink());
}

#[test]
fn properties_that_a_netlist_does_not_store_are_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = text(&folder.path().join("aes.scd"));
    let done = halfgate(&["convert", "aes128-chained:3", &file]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stderr.contains("--outputs last"), "{done:?}");
    assert!(done.stderr.contains("--cycles 3"), "{done:?}");
    let values = ["--garbler", "0x1234", "--evaluator", "0x99", "--json"];
    let expected = halfgate(&[&["run", "aes128-chained:3"], &values[..]].concat()).json();
    let more = ["--outputs", "last", "--cycles", "3"];
    let json = halfgate(&[&["run", &file], &values[..], &more].concat()).json();
    assert_eq!(json["outputs"][0]["hex"], expected["outputs"][0]["hex"]);
    assert_eq!(json["and_gates"], expected["and_gates"]);
}

#[test]
fn inspect_shows_flip_flops_and_cycles() {
    let (_folder, file) = folder_with("add.scd", adder());
    let words = ["inspect", &text(&file), "--cycles", "8", "--rate", "1e6"];
    let done = halfgate(&words);
    assert!(done.stdout.contains("8 (8 AND together), 1 flip-flops"), "{done:?}");
    assert!(done.stdout.contains("1 bits each cycle"), "{done:?}");
    let json = halfgate(&[&words[..], &["--json"]].concat()).json();
    assert_eq!((&json["flip_flops"], &json["cycles"]), (&1.into(), &8.into()));
    assert_eq!(json["inputs"][1]["name"], "e_input");
    assert_eq!(json["inputs"][1]["per_cycle"], true);
}

#[test]
fn malformed_netlists_are_refused() {
    let run = |name: &str, content: &str| {
        let (_folder, file) = folder_with(name, content);
        halfgate(&["run", &text(&file), "--garbler", "1", "--evaluator", "1"])
    };
    let scd = adder();
    run("x.scd", &scd.replace("6 6 6 8 6", "6 6 6 3 6")).failed(3, &["x.scd:4:", "type 3"]);
    run("x.scd", &scd.replace("0 1 3 3 6", "0 1 9 3 6")).failed(3, &["x.scd:2:", "wire 9"]);
    run("x.scd", &scd.replace("0 1 3 3 6", "0 1 6 3 6")).failed(3, &["x.scd:2:", "loops"]);
    run("x.scd", &scd.replace("-2", "6")).failed(3, &["x.scd:7:", "first cycle"]);
    run("x.scd", scd.lines().next().expect("sizes")).failed(3, &["x.scd:1:", "ends before"]);
    run("x", &scd.replace("7 \n-2 \n", "")).failed(3, &["x:6:", "data wires"]);
    run("x.hscd", &scd).failed(3, &["x.hscd:1:", "hexadecimal"]);
    let and = "1 3\n2 1 1\n1 1\n\n2 1 0 1 2 AND\n";
    let (_folder, file) = folder_with("and.txt", and);
    halfgate(&["run", &text(&file), "--outputs", "last"]).failed(2, &["--outputs", "one cycle"]);
    halfgate(&["run", "adder:8", "--outputs", "last"]).failed(2, &["--outputs"]);
}
