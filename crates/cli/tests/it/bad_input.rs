//! Tests a user's mistakes on one computer: files, values, names. Each has its exit code, one line
//! on standard error and nothing on standard output.

use halfgate_tests::command::{Done, folder_with, halfgate, text};

/// Runs a circuit file with this content.
#[track_caller]
fn run_file(content: impl AsRef<[u8]>) -> Done {
    let (_folder, path) = folder_with("circuit.txt", content);
    halfgate(&["run", &text(&path), "--garbler", "1", "--evaluator", "1"])
}

/// An AND of two bits in Bristol Fashion.
const AND: &str = "1 3\n2 1 1\n1 1\n\n2 1 0 1 2 AND\n";

#[test]
fn a_good_file_runs() {
    let done = run_file(AND);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stdout.starts_with("out0 = 1 "), "{done:?}");
    assert_eq!(run_file(AND.replace('\n', "\r\n")).code, Some(0), "CRLF");
}

#[test]
fn malformed_files() {
    run_file("").failed(3, &["circuit.txt"]);
    run_file("hello\n").failed(3, &["circuit.txt:1:"]);
    run_file([0xff, 0xfe, 0, 1]).failed(3, &["circuit.txt:1:"]);
    run_file(AND.replace("AND", "MAJ")).failed(3, &["circuit.txt:5:", "MAJ"]);
    run_file(AND.replace("2 1 0 1 2", "2 1 0 1")).failed(3, &["circuit.txt:5:"]);
    run_file(AND.replace("2 1 0 1 2", "2 1 0 9 2")).failed(3, &["circuit.txt:5:"]);
}

#[test]
fn truncated_files() {
    // Cut at places that lose a gate or more.
    for end in [4, 10, 14, 20, 27] {
        run_file(&AND[..end.min(AND.len() - 4)]).failed(3, &["circuit.txt"]);
    }
}

#[test]
fn huge_headers() {
    let huge = "18446744073709551615";
    run_file(AND.replacen("1 3", &format!("{huge} {huge}"), 1)).failed(3, &["circuit.txt:1:"]);
    run_file(AND.replacen("1 3", "1000000000 1000000002", 1)).failed(3, &["circuit.txt:"]);
    run_file(AND.replacen("2 1 1", &format!("2 {huge} 1"), 1)).failed(3, &["circuit.txt:"]);
    run_file(AND.replacen("2 1 1", &format!("{huge} 1 1"), 1)).failed(3, &["circuit.txt:"]);
}

#[test]
fn cyclic_files() {
    let cyclic = "2 4\n2 1 1\n1 1\n\n2 1 0 3 2 AND\n2 1 1 2 3 AND\n";
    run_file(cyclic).failed(3, &["circuit.txt:"]);
    let itself = "1 3\n2 1 1\n1 1\n\n2 1 0 2 2 AND\n";
    run_file(itself).failed(3, &["circuit.txt:5:"]);
}

#[test]
fn files_that_are_not_there() {
    halfgate(&["run", "no/such/file.txt"]).failed(3, &["no/such/file.txt"]);
    halfgate(&["inspect", "."]).failed(3, &[]);
    halfgate(&["convert", "no-such.txt", "x.txt"]).failed(3, &["no-such.txt"]);
    halfgate(&["vectors", "no-such.json"]).failed(12, &["no-such.json"]);
}

#[track_caller]
fn adder(garbler: &str, evaluator: &str) -> Done {
    halfgate(&["run", "adder:8", "--garbler", garbler, "--evaluator", evaluator])
}

#[test]
fn wrong_values() {
    adder("256", "1").failed(4, &["garbler", "\"a\"", "not from 0 to 255", "8 unsigned bits"]);
    adder("1", "-1").failed(4, &["evaluator", "\"b\"", "not from 0 to 255"]);
    adder("1", "").failed(4, &["evaluator", "0 values given, 1 wanted: b"]);
    adder("1,2", "3").failed(4, &["garbler", "2 values given, 1 wanted: a"]);
    adder("one", "1").failed(4, &["garbler", "value 1", "not a decimal digit"]);
    adder("0xfg", "1").failed(4, &["character 2 is not a hexadecimal digit"]);
    adder("bytes:0102", "1").failed(4, &["2 bytes were given", "8 bits: 1 bytes"]);
    adder("@no-such-file", "1").failed(4, &["no-such-file"]);
    adder("-,1", "1").failed(4, &["2 values given"]);
}

#[test]
fn wrong_json_values() {
    let run = |content: &str| {
        let (_folder, path) = folder_with("values.json", content);
        adder(&format!("@{}", text(&path)), "1")
    };
    assert_eq!(run(r#"{"a": 7}"#).code, Some(0));
    run(r#"{"b": 7}"#).failed(4, &["values.json", "no input \"b\"", "inputs are a"]);
    run("{}").failed(4, &["no value for input \"a\""]);
    run("{\"a\":\n 7").failed(4, &["values.json", "line 2"]);
    run(r#"{"a": 1.5}"#).failed(4, &["\"a\"", "integer"]);
    run(r#"{"a": 999}"#).failed(4, &["not from 0 to 255"]);
    run(r#"{"a": 7, "a": 8}"#).failed(4, &["\"a\" appears more than once"]);
}

#[test]
fn raw_files_of_the_wrong_size() {
    let (_folder, path) = folder_with("raw", [1, 2, 3]);
    adder(&format!("bytes:@{}", text(&path)), "1")
        .failed(4, &["raw", "more than 1 bytes", "1 wanted"]);
    adder(&format!("@{}", text(&path)), "1").failed(4, &["no text in UTF-8", "bytes:@FILE"]);
}

#[test]
fn wrong_cycles() {
    let key = "bytes:000102030405060708090a0b0c0d0e0f";
    let ecb = |blocks: &str, more: &[&str]| {
        let words = ["run", "aes128-ecb", "--garbler", key, "--evaluator", blocks];
        halfgate(&[&words[..], more].concat())
    };
    ecb("bytes:00", &[]).failed(4, &["each cycle takes 16 bytes"]);
    ecb(&key.repeat(2).replace("fbytes:", "f"), &["--cycles", "3"])
        .failed(4, &["values for 2 cycles, the run has 3"]);
    ecb("bytes:", &[]).failed(4, &["0 cycles"]);
    halfgate(&["run", "adder:8", "--cycles", "2", "--garbler", "1", "--evaluator", "1"])
        .failed(2, &["--cycles 2"]);
}

#[test]
fn sets_out_of_order() {
    let (_folder, path) = folder_with("set.json", "[3, 1, 2]");
    let at = format!("@{}", text(&path));
    let words = ["run", "psi:3x16", "--garbler", &at, "--evaluator"];
    halfgate(&[&words[..], &["0x000300020001"]].concat());
    halfgate(&[&words[..], &["0x000100020003"]].concat()).failed(4, &["ascending order"]);
    halfgate(&[&words[..], &["5"]].concat()).failed(4, &["\"b\"", "the input is a list"]);
}

#[test]
fn unknown_names() {
    let run = |more: &[&str]| {
        halfgate(&[&["run", "adder:8", "--garbler", "1", "--evaluator", "1"], more].concat())
    };
    halfgate(&["run", "nonsense"]).failed(5, &["nonsense", "millionaires", "sort"]);
    halfgate(&["bench", "nonsense"]).failed(5, &["nonsense", "kernel"]);
    halfgate(&["scoreboard", "--results", "no-such-folder"]).failed(12, &["no-such-folder"]);
    halfgate(&["run", "adder:many"]).failed(5, &["adder", "many"]);
    halfgate(&["run", "adder:99999999999"]).failed(5, &["adder"]);
    run(&["--engine", "gpu"]).failed(5, &["engine", "gpu", "cpu"]);
    run(&["--garbler-engine", "fpga:x"]).failed(5, &["fpga:x", "cpu"]);
    run(&["--kernel", "neon"]).failed(5, &["neon", "portable"]);
    run(&["--suite", "quarter-gates"]).failed(5, &["quarter-gates", "half-gates"]);
    run(&["--suite", "half-gates-fase"]).failed(5, &["half-gates-fase", "broken"]);
    run(&["--suite", "grr3-sha1"]).failed(5, &["grr3-sha1", "80 bits", "--insecure-suite"]);
    run(&["--order", "random"]).failed(5, &["random", "grouped", "haac:segment"]);
    run(&["--order", "haac:best:engines=0"]).failed(5, &["engines", "1 to 256"]);
    run(&["--threads", "0"]).failed(2, &["--threads", "1 to 1024"]);
    run(&["--threads", "many"]).failed(2, &["--threads", "1 to 1024"]);
    let machine = format!("model:{}", halfgate_registry::DEFAULT);
    run(&["--threads", "2", "--engine", &machine]).failed(2, &["--threads", &machine]);
    run(&["--learn", "total=both"]).failed(2, &["total", "sum"]);
    run(&["--learn", "everyone"]).failed(2, &["everyone"]);
    run(&["--learn", "sum=garbler", "--learn", "sum=evaluator"]).failed(2, &["given twice", "sum"]);
    run(&["--learn", "none", "--learn", "both"]).failed(2, &["given twice"]);
}

#[test]
fn wrong_owners() {
    let (_folder, path) = folder_with("and.txt", AND);
    let run = |parties: &str| halfgate(&["run", &text(&path), "--parties", parties]);
    run("g").failed(2, &["--parties", "1 inputs", "has 2"]);
    run("g,x").failed(2, &["--parties", "\"x\""]);
    halfgate(&["run", "adder:8", "--parties", "g,e"]).failed(2, &["--parties"]);
    let both = halfgate(&["run", &text(&path), "--parties", "e,e", "--evaluator", "1,1"]);
    assert_eq!(both.code, Some(0), "{both:?}");
}

#[test]
fn invalid_command_lines() {
    halfgate(&["run"]).failed(2, &["<CIRCUIT>", "--help"]);
    halfgate(&["run", "adder:8", "--nonsense"]).failed(2, &["--nonsense"]);
    halfgate(&["nonsense"]).failed(2, &["nonsense"]);
    halfgate(&["run", "adder:8", "--timeout", "0"]).failed(2, &["--timeout", "0.1"]);
    halfgate(&["garble", "adder:8", "--listen", "a", "--connect", "b"]).failed(2, &["--connect"]);
    assert_eq!(halfgate(&["--help"]).code, Some(0));
}

#[test]
fn every_kernel_can_be_forced_or_gives_a_reason() {
    let engines = halfgate(&["engines", "--json"]).json();
    for kernel in engines["engines"][0]["kernels"].as_array().expect("a list") {
        let name = kernel["name"].as_str().expect("text");
        let words = ["run", "adder:8", "--kernel", name, "--garbler", "1", "--evaluator", "2"];
        let done = halfgate(&words);
        if kernel["works"] == true {
            assert!(done.stdout.contains("= 3 "), "{done:?}");
        } else {
            done.failed(5, &[name]);
        }
    }
}

#[test]
fn identities_that_cannot_be_used() {
    let plain = ["garble", "adder:8", "--listen", "127.0.0.1:0", "--input", "1"];
    let garble = |more: &[&str]| halfgate(&[&plain[..], more].concat());
    garble(&[]).failed(2, &["--identity", "--insecure-plaintext"]);
    garble(&["--identity", "no-such-key", "--trust-any-peer"]).failed(7, &["no-such-key"]);
    let folder = tempfile::tempdir().expect("a folder");
    let key = text(&folder.path().join("key"));
    assert_eq!(halfgate(&["keygen", &key]).code, Some(0));
    halfgate(&["keygen", &key]).failed(7, &["key"]);
    garble(&["--identity", &key]).failed(2, &["--peer"]);
    garble(&["--identity", &key, "--peer", "SHA256:nonsense"]).failed(7, &[]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).expect("set");
        garble(&["--identity", &key, "--trust-any-peer"]).failed(7, &["key"]);
    }
}

/// More ANDs than a fixed-key suite allows under one key: refused at once, with advice.
#[test]
fn a_run_with_too_many_ands_for_its_key() {
    let zeros = "0".repeat(32);
    let run = ["run", "aes128-chained:10", "--suite", "grr3", "--cycles", "99999999"];
    let refused = halfgate(&[&run[..], &["--garbler", &zeros, "--evaluator", &zeros]].concat());
    assert_eq!((refused.code, &*refused.stdout), (Some(2), ""), "{refused:?}");
    for word in ["grr3", "274877906944 ANDs under one key", "take suite half-gates"] {
        assert!(refused.stderr.contains(word), "{refused:?}");
    }
}
