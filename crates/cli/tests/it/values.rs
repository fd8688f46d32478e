//! Tests values and outputs in the notation of new users: common mistakes give the right answer or
//! an error.

use halfgate_tests::command::{Done, Identities, folder_with, halfgate, pair, text, words};
use serde_json::json;
use std::process::{Command, Stdio};

const PLAIN: &str = "--insecure-plaintext";

/// Adds 32 bits on a circuit that declares no types.
const ADDER: &str = "adder32.txt";

fn bristol_adder() -> (tempfile::TempDir, String) {
    let (folder, path) = folder_with(ADDER, "");
    let done = halfgate(&["convert", "adder:32", &text(&path), "--to", "fashion"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    (folder, text(&path))
}

fn hex(done: &Done) -> String {
    done.json()["outputs"][0]["hex"].as_str().expect("hexadecimal").to_owned()
}

#[test]
fn a_number_in_a_text_file_is_that_number() {
    let (_folder, salary) = folder_with("s.txt", "500\n");
    let at = format!("@{}", text(&salary));
    let run = |circuit: &str, value: &str| {
        halfgate(&["run", circuit, "--json", "--garbler", value, "--evaluator", "1"])
    };
    let (_other, adder) = bristol_adder();
    for circuit in ["adder:32", &adder] {
        assert_eq!(hex(&run(circuit, &at)), "000001f5");
        run(circuit, &format!("bytes:{at}")).failed(4, &["printable text", "text:@FILE"]);
        // 500 and its line end are four bytes; only `bytes:` reads them as such.
        assert!(!run(circuit, &format!("bytes:{at}")).stdout.contains("hex"));
    }
    assert_eq!(hex(&run(&adder, &format!("text:{at}"))), "0a303036");
}

#[test]
fn a_negative_number_is_refused_for_an_unsigned_input() {
    for program in ["millionaires:32", "auction:2x32"] {
        halfgate(&["run", program, "--garbler", "-1", "--evaluator", "5"])
            .failed(4, &["the garbler's values", "not from 0 to 4294967295"]);
    }
    halfgate(&["run", "sort:4x8", "--garbler", "[1,2]", "--evaluator", "[3,-4]"])
        .failed(4, &["the evaluator's values: input \"b\", element 2", "not from 0 to 255"]);
    // For a file that declares no types, the number is two's complement.
    let (_folder, adder) = bristol_adder();
    let done = halfgate(&["run", &adder, "--json", "--garbler", "-1", "--evaluator", "5"]);
    assert_eq!(hex(&done), "00000004");
    halfgate(&["run", &adder, "--garbler", "-2147483649", "--evaluator", "5"])
        .failed(4, &["in0", "below -2^31"]);
}

/// The circuit of `join` does not check the order of keys, and would give a wrong result.
#[test]
fn keys_out_of_order_are_refused() {
    let run = |garbler: &str, evaluator: &str| {
        halfgate(&["run", "join:3x2", "--json", "--garbler", garbler, "--evaluator", evaluator])
    };
    let sorted = ["[3,256,700],[10,20,30]", "[256,257],[1,2]"];
    let done = run(sorted[0], sorted[1]).json();
    assert_eq!([&done["outputs"][0]["hex"], &done["outputs"][1]["hex"]], ["1", "0000000000000015"]);
    run("[256,3,700],[10,20,30]", sorted[1])
        .failed(4, &["the garbler's values: input \"a_keys\", element 2", "sort the rows by key"]);
    run(sorted[0], "[7,7],[1,2]")
        .failed(4, &["the evaluator's values: input \"b_keys\", element 2"]);
}

#[test]
fn a_list_of_the_wrong_length_is_refused() {
    let (_folder, adder) = bristol_adder();
    let run = |garbler: &str| {
        halfgate(&["run", &adder, "--json", "--garbler", garbler, "--evaluator", "0"])
    };
    run("[1,2]").failed(4, &["in0", "several ways", "u16:[…]"]);
    run("[1,2,3,4]").failed(4, &["u8:[…]"]);
    run("u8:[1,2]").failed(4, &["2 elements, 4 of 8 bits wanted"]);
    assert_eq!(hex(&run("u8:[1,2,3,4]")), "04030201");
}

#[test]
fn a_column_of_a_table_is_an_input() {
    let table = "name,price,amount\nann,100,3\nbob,20,4\n";
    let (_folder, path) = folder_with("goods.csv", table);
    let at = text(&path);
    let run = |garbler: &str, evaluator: &str| {
        let values = ["--garbler", garbler, "--evaluator", evaluator];
        halfgate(&[&["run", "dot-product:2x32", "--json"], &values[..]].concat())
    };
    let done = run(&format!("@{at}:price"), &format!("@{at}:3"));
    assert_eq!(done.json()["outputs"][0]["value"], 380, "{done:?}");
    run(&format!("@{at}:name"), "[3,4]").failed(4, &["goods.csv", "line 2", "column \"name\""]);
    run(&format!("@{at}:cost"), "[3,4]").failed(4, &["no column \"cost\"", "name, price, amount"]);
    let (_folder, path) = folder_with("goods.csv", table.replace("20", "-20"));
    run(&format!("@{}:price", text(&path)), "[3,4]").failed(4, &["line 3", "not from 0"]);
}

#[test]
fn outputs_of_several_cycles_are_a_list() {
    let (key, blocks) = (
        "bytes:000102030405060708090a0b0c0d0e0f",
        "bytes:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    );
    let words = ["run", "aes128-ecb", "--garbler", key, "--evaluator", blocks];
    let json = halfgate(&[&words[..], &["--json"]].concat()).json();
    let block = "bytes:69c4e0d86a7b0430d8cdb78070b4c55a";
    assert_eq!(json["outputs"][0]["value"], json!([block, block]));
    let done = halfgate(&words);
    assert!(done.stdout.contains(&format!("ciphertext = [{block}, {block}]")), "{done:?}");

    let done = halfgate(&[&words[..], &["--stream-outputs"]].concat());
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0], format!("cycle 0: ciphertext = {block}"));
    assert_eq!(lines[1], format!("cycle 1: ciphertext = {block}"));
    assert!(lines[2].contains("printed during the run"), "{done:?}");
    // An output that only the evaluator learns is streamed by the evaluator.
    let done = halfgate(&[&words[..], &["--stream-outputs", "--learn", "evaluator"]].concat());
    assert_eq!(done.stdout.lines().collect::<Vec<_>>()[..2], lines[..2], "{done:?}");
    let done = halfgate(&[&words[..], &["--stream-outputs", "--json"]].concat());
    let first: serde_json::Value =
        serde_json::from_str(done.stdout.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["cycle"], &first["values"]["ciphertext"]), (&json!(0), &json!(block)));
}

/// What a map gives is printed in order, in one line where all of it fits a part of the run and in
/// several otherwise, and is the same as without `--stream-outputs` and with fewer threads.
#[test]
fn outputs_of_maps_are_streamed() {
    for (blocks, fewest_lines) in [(3, 1), (100, 2)] {
        let spec = format!("aes128-batch:{blocks}");
        let data: String =
            (0..16 * blocks).map(|byte: u32| format!("{:02x}", byte as u8)).collect();
        let (key, data) = ("bytes:00112233445566778899aabbccddeeff", format!("bytes:{data}"));
        let words = ["run", &spec, "--json", "--garbler", key, "--evaluator", &data];
        let whole = halfgate(&words).json()["outputs"][0].clone();
        let streamed = halfgate(&[&words[..], &["--stream-outputs", "--threads", "3"]].concat());
        let mut lines: Vec<serde_json::Value> =
            streamed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let report = lines.pop().unwrap();
        assert_eq!(report["outputs"][0]["streamed"], true);
        assert_eq!(report["outputs"][0]["hex"], serde_json::Value::Null);
        assert!(lines.len() >= fewest_lines, "{} lines", lines.len());
        let (mut hex, mut bytes, mut bits) = (String::new(), "bytes:".to_owned(), 0);
        for line in &lines {
            assert_eq!((&line["output"], &line["first_bit"]), (&whole["name"], &bits.into()));
            bits += line["bits"].as_u64().unwrap();
            // The digits of later bits come first.
            hex = line["hex"].as_str().unwrap().to_owned() + &hex;
            bytes += line["value"].as_str().unwrap().strip_prefix("bytes:").unwrap();
        }
        assert_eq!(
            (hex, bytes),
            (whole["hex"].as_str().unwrap().into(), whole["value"].as_str().unwrap().into())
        );
    }
}

#[test]
fn parties_must_agree_on_learners() {
    let words = ["millionaires:8", PLAIN, "--input", "1"];
    let (garbler, evaluator) = pair(&[&words[..], &["--learn", "evaluator"]].concat(), &words);
    garbler.failed(8, &["learners", "ours is evaluator", "the evaluator's is both"]);
    evaluator.failed(8, &["learners", "ours is both", "the garbler's is evaluator"]);
}

/// Signed ports of Verilog are printed signed, and their ranges are checked.
#[test]
fn signed_ports_are_signed() {
    if Command::new("yosys").arg("-V").stdout(Stdio::null()).status().is_err() {
        eprintln!("not run: there is no Yosys here (`make setup` installs it)");
        return;
    }
    let source = "module less(
        (* party = \"garbler\" *) input signed [7:0] a,
        (* party = \"evaluator\" *) input [7:0] b,
        output signed [8:0] difference);
      assign difference = a - $signed({1'b0, b});
    endmodule\n";
    let (_folder, path) = folder_with("less.v", source);
    let run = |garbler: &str, evaluator: &str| {
        let file = text(&path);
        halfgate(&["run", &file, "--json", "--garbler", garbler, "--evaluator", evaluator])
    };
    assert_eq!(run("-5", "7").json()["outputs"][0]["value"], -12);
    run("128", "7").failed(4, &["\"a\"", "not from -128 to 127"]);
    run("5", "-7").failed(4, &["\"b\"", "not from 0 to 255"]);
}

/// Hundreds of malformed and ambiguous values: each is refused with an error that names the party,
/// or gives the result of an independent parser with plain integers.
#[test]
fn no_value_is_misread_silently() {
    let (_folder, adder) = bristol_adder();
    let run = |circuit: &str, value: &str| {
        halfgate(&["run", circuit, "--json", "--garbler", value, "--evaluator", "0"])
    };
    let mut tried = 0;
    for value in ambiguous() {
        for (circuit, is_declared) in [("adder:32", true), (adder.as_str(), false)] {
            tried += 1;
            let done = run(circuit, &value);
            match (done.code, plain(&value, is_declared)) {
                (Some(0), Some(expected)) => {
                    assert_eq!(hex(&done), format!("{expected:08x}"), "{value} on {circuit}");
                }
                (Some(4), None) => {
                    assert!(done.stderr.contains("the garbler's values"), "{done:?}")
                }
                (_, expected) => panic!("{value} on {circuit}: {expected:?}, {done:?}"),
            }
        }
    }
    assert!(tried >= 200, "{tried}");
}

/// Numbers at the ends of ranges in every notation, and near misses.
fn ambiguous() -> Vec<String> {
    let edges: [i64; 14] = [
        0,
        1,
        7,
        255,
        256,
        65535,
        i32::MAX.into(),
        1 << 31,
        u32::MAX.into(),
        1 << 32,
        -1,
        -128,
        i32::MIN.into(),
        -(1 << 31) - 1,
    ];
    let mut all: Vec<String> = Vec::new();
    for edge in edges {
        all.push(edge.to_string());
        all.push(format!(" {edge} "));
        all.push(format!("[{edge}]"));
        if edge >= 0 {
            all.push(format!("{edge:#x}"));
            all.push(format!("{edge:#b}"));
        }
    }
    let more = [
        "",
        ",",
        "1,",
        ",1",
        "1,2",
        "one",
        "1 2",
        "+1",
        "--1",
        "1_000",
        "1'000",
        "1.0",
        "1e3",
        "0x",
        "0xg",
        "0b2",
        "0o7",
        "1h",
        "0x1.8p1",
        "inf",
        "nan",
        "f32:",
        "f64:1",
        "bytes:",
        "bytes:1",
        "bytes:0102",
        "bytes:010203",
        "bytes:0102030405",
        "text:",
        "text:abc",
        "text:abcde",
        "text:\"abcd",
        "[",
        "]",
        "[]",
        "[1",
        "1]",
        "[1,2]",
        "[1,2,3]",
        "[1,2,3,4]",
        "[[1]]",
        "[1]]",
        "u8:[1,2]",
        "u8:[1,2,3,256]",
        "u8:[-1,2,3,4]",
        "i8:[128,0,0,0]",
        "u16:[1]",
        "u0:[]",
        "x8:[1]",
        "u8:1",
        "@",
        "@/no/such",
        "bytes:@",
        "text:@/no/such",
        "@/no/such.csv:a",
        "-0x",
    ];
    all.extend(more.map(str::to_owned));
    all
}

/// `value` as 32 bits, or `None` if it is invalid.
fn plain(value: &str, is_declared: bool) -> Option<u32> {
    let value = value.trim();
    let value = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')).unwrap_or(value);
    let number = match (value.strip_prefix("0x"), value.strip_prefix("0b")) {
        (Some(digits), _) => i64::from_str_radix(digits, 16).ok()?,
        (_, Some(digits)) => i64::from_str_radix(digits, 2).ok()?,
        _ if value.starts_with('+') => return None,
        _ => value.parse().ok()?,
    };
    let least = if is_declared { 0 } else { i64::from(i32::MIN) };
    (least..1 << 32).contains(&number).then_some(number as u32)
}

/// The same value from a file of each kind, over TLS.
#[test]
fn all_forms_of_a_value_mean_the_same() {
    let identities = Identities::new();
    let (_a, column) = folder_with("v.csv", "value\n7\n");
    let (_b, list) = folder_with("v.json", "{\"a\": 7}");
    let (_c, raw) = folder_with("v.bin", [7, 0, 0, 0]);
    let (_d, plain) = folder_with("v.txt", "0x7\n");
    let inputs: Vec<String> = [column, list, raw, plain]
        .iter()
        .flat_map(|path| ["--input".to_owned(), format!("@{}", text(path))])
        .collect();
    let garbler = [vec!["adder:32".to_owned()], identities.options("alice", "bob"), inputs];
    let mut evaluator = vec!["adder:32".to_owned()];
    evaluator.extend(identities.options("bob", "alice"));
    evaluator.extend((0..4).flat_map(|_| ["--input".to_owned(), "5".to_owned()]));
    let (garbler, _) = pair(&words(&garbler.concat()), &words(&evaluator));
    let json = garbler.json();
    let runs = json["runs"].as_array().expect("four runs");
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run["outputs"][0]["value"] == 12), "{json}");
}
