//! The commands for HAAC's program files: files are compiled, inspected and simulated, and wrong
//! ones are rejected.

use halfgate_tests::command::{compiled, folder, halfgate, simulated, start, text};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_program_is_compiled_and_looked_at() {
    let folder = folder();
    let (path, printed) = compiled(folder.path(), &["adder:16", "--machine", "haac-4ge"]);
    assert_eq!(printed["engines"], 4);
    assert!(
        printed["order"].as_str().expect("a text").starts_with("haac:best:engines=4,"),
        "{printed}"
    );
    assert_eq!(printed["file_bytes"], path.metadata().expect("there").len());

    let seen = halfgate(&["inspect", &text(&path), "--json"]).json();
    for field in ["program_hash", "order", "and_gates", "rows", "window", "program", "file_bytes"] {
        assert_eq!(seen[field], printed[field], "{field}");
    }
    assert_eq!(seen["inputs"][1]["party"], "evaluator");
    let ands = seen["per_engine"].as_array().expect("a list").iter();
    let ands: u64 = ands.map(|engine| engine["ands"].as_u64().expect("a count")).sum();
    assert_eq!(ands, seen["and_gates"]);

    // With the printed order, the uncompiled program has the same hash, which two parties would
    // compare.
    let order = printed["order"].as_str().expect("a text");
    let again = halfgate(&["inspect", "adder:16", "--order", order, "--rate", "1e6", "--json"]);
    assert_eq!(again.json()["program_hash"], printed["program_hash"]);

    let done = halfgate(&["inspect", &text(&path)]);
    assert!(done.stdout.contains("made for     haac-4ge (4 engines"), "{done:?}");
}

#[test]
fn small_windows_spill() {
    let folder = folder();
    let words = ["sort:8x8", "--machine", "haac-1ge", "--window", "64labels", "--no-copies"];
    // haac:best plans copies itself, as gates of the program.
    let (_, printed) = compiled(folder.path(), &[&words[..], &["--order", "haac:full"]].concat());
    assert_eq!((&printed["window"], &printed["engines"]), (&64.into(), &1.into()));
    assert!(printed["oor_reads"].as_u64() > Some(0) && printed["copies"] == 0, "{printed}");
    // By default, the model chooses among several lowerings. Its choice is no slower than the
    // lowering without copies.
    let cycles = |more: &[&str]| {
        let printed = simulated(&[&words[..5], more, &["--role", "evaluator"]].concat());
        printed["runs"][0]["cycles"].as_u64().expect("a count")
    };
    assert!(cycles(&[]) <= cycles(&["--no-copies"]));
    let words = ["sort:8x8", "--order", "haac:segment", "--paper", "--window", "512KB"];
    let (_, paper) = compiled(folder.path(), &words);
    assert_eq!((&paper["copies"], &paper["invs"]), (&0.into(), &0.into()));
    assert_eq!(paper["order"], "haac:segment:16384");
}

#[test]
fn a_shorter_path_is_another_program() {
    let folder = folder();
    let (_, printed) = compiled(folder.path(), &["adder:16", "--objective", "latency"]);
    assert_eq!(printed["program"], "adder-fast:16");
    let file = text(&folder.path().join("y.hgp"));
    halfgate(&["compile", "hamming:50", "--objective", "latency", "-o", &file])
        .failed(5, &["--objective latency", "hamming:50"]);
}

#[test]
fn machines_are_listed() {
    let printed = halfgate(&["machines", "--json"]).json();
    let names: Vec<_> = printed["machines"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| m["name"].as_str())
        .collect();
    assert!(names.contains(&Some("haac-16ge")), "{names:?}");
    assert!(halfgate(&["machines"]).stdout.contains("131,072 labels"));
}

#[test]
fn wrong_words() {
    let folder = folder();
    let file = text(&folder.path().join("x.hgp"));
    let compile = |words: &[&str]| {
        let mut all = vec!["compile", "-o", &file];
        all.extend(words);
        halfgate(&all)
    };
    compile(&["adder:16", "--machine", "cray"]).failed(5, &["\"cray\"", "haac-16ge"]);
    compile(&["adder:16", "--machine", "no/such.toml"]).failed(12, &["no/such.toml"]);
    compile(&["adder:16", "--window", "3MB"]).failed(2, &["window", "3MB"]);
    compile(&["adder:16", "--memory", "core"]).failed(2, &["core"]);
    compile(&["adder:16", "--order", "haac:worst"]).failed(5, &["haac:worst"]);
    compile(&["adder:16", "--encoding", "morse"]).failed(5, &["morse", "plain"]);
    compile(&["no-such-program"]).failed(5, &["no-such-program"]);
    let description = folder.path().join("m.toml");
    std::fs::write(&description, "name = \"m\"\nengines = \"many\"\n").expect("written");
    compile(&["adder:16", "--machine", &text(&description)]).failed(3, &["m.toml"]);
    std::fs::write(&description, b"\xff\x00").expect("written");
    compile(&["adder:16", "--machine", &text(&description)]).failed(3, &["m.toml"]);
    let both = ["adder:16", "--as-given", "--order", "haac:full"];
    compile(&both).failed(2, &["--as-given", "haac:full"]);
    assert!(!Path::new(&file).exists(), "nothing was written");
    let nowhere = text(&folder.path().join("no/such/folder/x.hgp"));
    halfgate(&["compile", "adder:16", "-o", &nowhere]).failed(12, &["x.hgp"]);
}

#[test]
fn altered_files_are_refused() {
    let folder = folder();
    let (path, _) = compiled(folder.path(), &["adder:16"]);
    let good = std::fs::read(&path).expect("there");
    let refused = |bytes: &[u8], words: &[&str]| {
        std::fs::write(&path, bytes).expect("written");
        halfgate(&["inspect", &text(&path)]).failed(3, words);
    };
    for words in [&["run"][..], &["compile", "-o", "again.hgp"]] {
        let name = text(&path);
        let all = [words, &[&name]].concat();
        halfgate(&all).failed(3, &["x.hgp is a compiled program"]);
    }
    let settled = [
        &["--encoding", "compact"][..],
        &["--as-given"],
        &["--objective", "latency"],
        &["--cycles", "5"],
        &["--match-paper"],
    ];
    for words in settled {
        let name = text(&path);
        let all = [&["simulate", &name], words].concat();
        halfgate(&all).failed(2, &[words[0], "halfgate compile"]);
    }
    refused(&good[..good.len() / 2], &["x.hgp is cut short", "chunk"]);
    refused(&good[..5], &["x.hgp is no Halfgate program file"]);
    refused(b"2 1 0 1 2 AND\n", &["x.hgp is no Halfgate program file"]);
    let mut bad = good.clone();
    bad[100] ^= 1;
    refused(&bad, &["x.hgp is damaged: chunk 0 (HEAD) at byte 12", "checksum"]);
    let mut later = good.clone();
    later[8] = 9;
    refused(&later, &["version 9", "knows version 1"]);
}

/// Commands check whether their input is a program file. This check must not remove bytes from a
/// pipe.
#[test]
fn circuits_come_through_pipes() {
    let halfgate = halfgate_tests::command::binary().display();
    let circuit = "1 3\n1 1 1\n\n2 1 0 1 2 AND\n";
    for command in ["inspect", "simulate --role garbler"] {
        let script = format!("printf '{circuit}' | '{halfgate}' {command} /dev/stdin");
        let done =
            std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

/// Ctrl-C arrives while the file is being written. The exit code is 11, and there is no file of
/// that name.
#[test]
fn an_interrupt_in_the_middle_of_writing() {
    let folder = folder();
    let pipe = folder.path().join("pipe.hgp");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("not run: there is no mkfifo");
        return;
    }
    // A pipe holds 64 KiB, and the file is longer. So the writer blocks until the pipe is read.
    let name = text(&pipe);
    let running = start(&["compile", "sort:32x32", "--order", "haac:baseline", "-o", &name]);
    let mut reader = std::fs::File::open(&pipe).expect("the other end");
    reader.read_exact(&mut [0; 100]).expect("the start of a file");
    let kill = ["-INT".to_owned(), running.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().expect("kill").success());
    std::thread::sleep(Duration::from_millis(200));
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).expect("what there was");
    let done = running.wait();
    assert_eq!(done.code, Some(11), "{done:?}");
    assert!(done.stderr.contains("interrupted while"), "{done:?}");
    assert!(rest.len() < 400_000, "it went on: {}", rest.len());
}

/// The file system is too small. No file of that name is left, and the message has the cause.
#[test]
fn a_full_disk() {
    let folder = folder();
    let path = text(&folder.path().join("x.hgp"));
    let halfgate = halfgate_tests::command::binary().display();
    // Files may have at most 100 blocks of 512 bytes. A write beyond that sends the signal XFSZ. If
    // the process ignores the signal, the write fails with an error instead.
    let limited = |before: &str| {
        let script = format!(
            "{before} ulimit -f 100; '{halfgate}' compile sort:32x32 --order haac:baseline -o '{path}'"
        );
        std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell")
    };
    // If the signal is not ignored, it ends the process like a kill. The unnamed temporary file is
    // then gone.
    if cfg!(target_os = "linux") {
        assert!(!limited("").status.success());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
    let done = limited("trap '' XFSZ;");
    let printed = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(12), "{printed}");
    assert!(printed.contains("no space for") && printed.contains("at least"), "{printed}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_file_and_its_program_take_the_same_time() {
    let folder = folder();
    let (path, _) = compiled(folder.path(), &["sort:8x8", "--machine", "haac-4ge"]);
    let file = simulated(&[&text(&path), "--machine", "haac-4ge"]);
    let program = simulated(&["sort:8x8", "--machine", "haac-4ge"]);
    assert_eq!(file["runs"], program["runs"]);
    let runs = file["runs"].as_array().expect("a list");
    assert_eq!((&runs[0]["role"], &runs[1]["role"]), (&"garbler".into(), &"evaluator".into()));
    for run in runs {
        let cycles = run["cycles"].as_u64().expect("a count");
        assert!(cycles >= run["bounds"]["cycles"].as_u64().expect("a count"), "{run}");
        let causes = run["engine_cycles"].as_object().expect("counts");
        let sum: u64 = causes.values().filter_map(|cycles| cycles.as_u64()).sum();
        assert_eq!(sum, 4 * cycles, "each cycle of each engine has one cause: {run}");
        let issued = causes["issue"].as_u64();
        assert_eq!(issued, file["instructions"].as_u64());
        assert!(run["bytes_64"]["all"].as_u64() >= run["bytes_16"]["all"].as_u64());
    }
    // More bytes per label can only add clock cycles.
    let slow = simulated(&[&text(&path), "--machine", "haac-4ge", "--wire-bytes", "64"]);
    assert!(slow["runs"][0]["cycles"].as_u64() >= file["runs"][0]["cycles"].as_u64());
    halfgate(&["simulate", &text(&path)])
        .failed(8, &["haac-4ge (4 engines", "haac-16ge (16 engines"]);
    halfgate(&["simulate", &text(&path), "--paper"]).failed(2, &["--paper"]);
}

#[test]
fn the_output_shows_where_time_went() {
    let done = halfgate(&["simulate", "adder:16", "--role", "garbler", "--preloaded"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    for words in ["garbler with ddr4", "bound", "cycles went", "issue", "tables", "energy"] {
        assert!(done.stdout.contains(words), "{words}: {done:?}");
    }
}

/// `--cycles` counts launches. In a session the body is launched once per netlist cycle, and each
/// launch takes the same number of clock cycles.
#[test]
fn cycles_are_launches() {
    let words = ["aes128-ecb", "--machine", "haac-4ge"];
    let request = |more: &[&str]| simulated(&[&words[..], more].concat());
    let (one, three) = (request(&[]), request(&["--cycles", "3"]));
    assert_eq!(one["cycles"], 1);
    for (one, three) in
        one["runs"].as_array().into_iter().flatten().zip([0, 1].map(|k| &three["runs"][k]))
    {
        let each = one["cycles"].as_u64().expect("a count");
        assert_eq!((&one["launches"], &one["launch_cycles"]), (&1.into(), &each.into()));
        assert_eq!((&three["launches"], &three["launch_cycles"]), (&3.into(), &each.into()));
        assert_eq!(three["cycles"].as_u64(), Some(3 * each));
        assert_eq!(three["bounds"], one["bounds"], "of one launch");
    }
    let exact = request(&["--cycles", "3", "--model", "exact", "--role", "garbler"]);
    assert_eq!(exact["runs"][0]["cycles"], three["runs"][0]["cycles"]);

    let order = three["order"].as_str().expect("a text");
    let engines = ["--garbler-engine", "model:haac-4ge", "--order", order, "--cycles", "3"];
    let blocks = format!("bytes:{}", "00".repeat(48));
    let run = [&["run", "aes128-ecb", "--garbler", "7", "--json"][..], &engines].concat();
    let session = halfgate(&[&run[..], &["--evaluator", &blocks]].concat()).json();
    let session = &session["simulated"]["garbler"];
    assert_eq!(session["clock_cycles"], three["runs"][0]["cycles"]);
    assert_eq!(session["launches"], 3);

    let printed = halfgate(&[&["simulate"], &words[..], &["--cycles", "3"]].concat()).stdout;
    assert!(printed.contains("launches     3 of "), "{printed}");
    let combinational = ["simulate", "adder:16", "--machine", "haac-4ge", "--cycles", "3"];
    halfgate(&combinational).failed(2, &["--cycles 3", "neither state nor per-cycle"]);
    let many = u64::MAX.to_string();
    let many = [&["simulate"], &words[..], &["--cycles", &many]].concat();
    halfgate(&many).failed(2, &["--cycles 18446744073709551615", "64 bits"]);
}

/// The path is that of the circuit file's gates, so it is the same in any order and on any machine.
#[test]
fn the_longest_path_is_named() {
    let words = ["adder:16", "--machine", "haac-4ge", "--path"];
    let path = simulated(&words)["path"].clone();
    assert_eq!(path, simulated(&[&words[..], &["--order", "haac:full"]].concat())["path"]);
    let ands = path["gates"].as_array().expect("gates").iter().filter(|gate| gate["and"] == true);
    assert_eq!((&path["ands"], ands.count()), (&15.into(), 15));
    assert_eq!(path["to"], "bit 15 of sum");
    assert_eq!(path["deepest"][0]["ands"], 15);
    assert!(simulated(&words[..3])["path"].is_null());
    let printed = halfgate(&[&["simulate"], &words[..]].concat()).stdout;
    assert!(
        printed.contains("path         15 ANDs and") && printed.contains("to bit 15 of sum"),
        "{printed}"
    );

    let folder = folder();
    let (file, _) = compiled(folder.path(), &["adder:16", "--machine", "haac-4ge"]);
    halfgate(&["simulate", &text(&file), "--machine", "haac-4ge", "--path"])
        .failed(2, &["--path", "program file"]);
}

/// The circuit file has line numbers of its source. A name from the file is escaped before it is
/// printed.
#[test]
fn lines_of_a_source_are_named() {
    let folder = folder();
    let file = folder.path().join("sum.hgc");
    let lines = "halfgate-circuit 1\ninput \"a\\u001b[31m\" garbler 2\ninput b evaluator 1\n\
                 #line sum.rs:4\n3 = and 0 1\n#line sum.rs:7\n4 = and 3 2\n5 = and 0 2\n\
                 output y 2\nbits 4 5\nend\n";
    std::fs::write(&file, lines).expect("written");
    let file = text(&file);
    let words = ["simulate", &file, "--machine", "haac-4ge", "--path"];
    let printed = halfgate(&words).stdout;
    assert!(printed.contains("its ANDs are of sum.rs:4 (1); sum.rs:7 (1)"), "{printed}");
    assert!(
        printed.contains("64 (66.7 %) sum.rs:7") && printed.contains("32 (33.3 %) sum.rs:4"),
        "{printed}"
    );
    assert!(printed.contains("bit 0 of a\\u{1b}[31m (2 times)"), "{printed:?}");
    let path = simulated(&words[1..])["path"].clone();
    assert_eq!(path["lines"][0]["line"], "sum.rs:4");
    assert_eq!(path["traffic"]["lines"][0]["table_bytes"], 64);
}

#[test]
fn a_trace_is_json_that_adds_up() {
    let folder = folder();
    let path = text(&folder.path().join("trace.json"));
    let printed =
        simulated(&["adder:16", "--role", "garbler", "--trace", &path, "--machine", "haac-4ge"]);
    let trace = std::fs::read_to_string(&path).expect("written");
    let trace: serde_json::Value = serde_json::from_str(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let slices = events.iter().filter(|event| event["ph"] == "X");
    let us: f64 = slices.clone().filter_map(|event| event["dur"].as_f64()).sum();
    let cycles = printed["runs"][0]["cycles"].as_f64().expect("a count");
    assert!((us * 1000.0 - 4.0 * cycles).abs() < 0.5, "{us} us for {cycles} cycles of 4 engines");
    let issue: f64 =
        slices.filter(|e| e["name"] == "issue").filter_map(|e| e["dur"].as_f64()).sum();
    assert_eq!(Some((issue * 1000.0).round() as u64), printed["instructions"].as_u64());
    halfgate(&["simulate", "adder:16", "--trace", &path]).failed(2, &["--role"]);
}

#[test]
fn labels_are_those_of_the_cpu() {
    let folder = folder();
    let machine = ["--machine", "haac-4ge", "--window", "64labels"];
    let words = [&["sort:8x8", "--encoding", "compact"][..], &machine].concat();
    let (path, _) = compiled(folder.path(), &words);
    let file = text(&path);
    for more in [&["--model", "fast"][..], &["--model", "exact"]] {
        let printed = simulated(&[&[&file, "--labels"][..], &machine, more].concat());
        assert_eq!(printed["labels"]["tables_equal"], printed["and_gates"]);
        assert_eq!(printed["labels"]["output_labels_equal"], 64);
    }
    // In a sequential program, labels continue from cycle to cycle.
    let printed = simulated(&["aes128-rounds", "--labels", "--machine", "haac-4ge"]);
    let ands = printed["and_gates"].as_u64().expect("a count");
    assert_eq!(
        printed["labels"]["tables_equal"].as_u64(),
        Some(ands * printed["cycles"].as_u64().expect("a count"))
    );
}

#[test]
fn a_file_goes_through_text_unchanged() {
    let folder = folder();
    let words =
        ["sort:8x8", "--machine", "haac-4ge", "--window", "64labels", "--encoding", "compact"];
    let (path, _) = compiled(folder.path(), &words);
    let [hga, again] = ["x.hga", "again.hgp"].map(|name| text(&folder.path().join(name)));
    let done = halfgate(&["disassemble", &text(&path), "-o", &hga]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let done = halfgate(&["assemble", &hga, "-o", &again]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let bytes = |name: &Path| std::fs::read(name).expect("written");
    assert!(bytes(&path) == bytes(Path::new(&again)), "the same file, byte for byte");
    let shown = halfgate(&["disassemble", &again]).stdout;
    assert_eq!(shown, std::fs::read_to_string(&hga).expect("written"));

    // Two edits of the text are refused: `more` has an additional row of no-ops, so later rows have
    // wrong numbers; `wrong` has an unknown operation.
    let more = shown.replacen("  0: ", "  0: nop\n  1: nop\n  2: nop\n  3: nop\nrow 1\n  0: ", 1);
    let wrong = shown.replacen(" = and ", " = nand ", 1);
    for (name, text_of, good) in [("more.hga", &more, false), ("wrong.hga", &wrong, false)] {
        let path = text(&folder.path().join(name));
        std::fs::write(&path, text_of).expect("written");
        let done = halfgate(&["assemble", &path, "-o", &again]);
        assert_eq!(done.code == Some(0), good, "{done:?}");
        done.failed(3, &[name]);
    }
    let none = text(&folder.path().join("none.hga"));
    std::fs::write(&none, "haac engines 1 window 16 first w3\n").expect("written");
    halfgate(&["assemble", &none, "-o", &again]).failed(3, &["none.hga", ";!HEAD"]);
}
