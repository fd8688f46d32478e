//! Tests what concerns the command itself: logs, completions, man pages, the configuration file,
//! and the doctor.

use halfgate_tests::command::{
    Done, Identities, binary, folder, folder_with, free_address, halfgate, pair, start, text, words,
};
use std::path::Path;
use std::process::Command;

/// Runs `halfgate` with one variable set, and without the other variables that the environment may
/// have.
fn with_variable(name: &str, value: &str, words: &[&str]) -> Done {
    let mut command = Command::new(binary());
    for own in ["RUST_LOG", "HALFGATE_CONFIG", "HALFGATE_YOSYS", "VERILATOR", "CXX"] {
        command.env_remove(own);
    }
    let output = command.args(words).env(name, value).output().expect("it starts");
    Done {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        took: std::time::Duration::ZERO,
    }
}

const KEY: &str = "c35a91e7604db82f1763fa0e9d4482bb";
const BLOCK: &str = "8e1d27c4ab3f560918e2d7709cb5fa34";

/// Checks that no word of `log` is a value, a label or delta: as hexadecimal digits, as a number,
/// or as a list of bytes. Programs' hashes and fingerprints are removed first.
fn assert_no_secrets(log: &str, secrets: &[Vec<u8>]) {
    for line in log.lines() {
        let mut rest = line.to_lowercase();
        for public in ["program=", "hash="] {
            if let Some(at) = rest.find(public) {
                let digits = rest[at + public.len()..].split(' ').next().expect("a word").len();
                rest.replace_range(at + public.len()..at + public.len() + digits, "");
            }
        }
        let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).map(str::len).max();
        assert!(digits < Some(24), "digits like those of a label: {line}");
        for (at, _) in rest.match_indices('[') {
            let list = rest[at + 1..].split(']').next().expect("a list");
            let bytes = list.split(", ").filter(|word| word.parse::<u8>().is_ok()).count();
            assert!(bytes < 4, "bytes: {line}");
        }
    }
    let log = log.to_lowercase();
    for secret in secrets {
        let hex = |bytes: &mut dyn Iterator<Item = &u8>| -> String {
            bytes.map(|byte| format!("{byte:02x}")).collect()
        };
        let forwards = hex(&mut secret.iter());
        assert!(!log.contains(&forwards), "{forwards}");
        let backwards = hex(&mut secret.iter().rev());
        assert!(!log.contains(&backwards), "{backwards}");
        let list = secret.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        assert!(!log.contains(&list), "{list}");
        if let Ok(bytes) = <[u8; 16]>::try_from(&secret[..]) {
            for number in [u128::from_le_bytes(bytes), u128::from_be_bytes(bytes)] {
                assert!(!log.contains(&number.to_string()), "{number}");
            }
        }
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn no_log_has_a_secret() {
    let identities = Identities::new();
    let (folder, key) = folder_with("key.bin", bytes(KEY));
    let block = folder.path().join("block.bin");
    std::fs::write(&block, bytes(BLOCK)).expect("written");
    let (key, block) = (format!("@{}", text(&key)), format!("@{}", text(&block)));
    let tables = text(&folder.path().join("tables"));
    let made = halfgate(&["garble", "aes128", "--to", &tables, "-vvv"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    // The header contains the start point, delta and the labels' seed.
    let header = std::fs::read(&tables).expect("a file of tables")[48..1024].to_vec();
    let used = header.iter().rposition(|byte| *byte != 0).expect("a description");
    let mut secrets: Vec<Vec<u8>> = vec![bytes(KEY), bytes(BLOCK)];
    // Starts at the cycles, after the program's hash, which is not secret.
    let first = used.saturating_sub(16 * 3 + 8);
    secrets.extend((first..=used - 15).map(|at| header[at..at + 16].to_vec()));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();

    let (alice, bob) = (identities.options("alice", "bob"), identities.options("bob", "alice"));
    let mut logs = made.stderr;
    for from in [true, false] {
        let mut garbler = vec!["aes128", "-vvv", "--input", &key];
        garbler.extend(words(&alice));
        if from {
            garbler.extend(["--from", &tables]);
        } else {
            garbler.extend(["--ot", "semi-honest"]);
        }
        let mut evaluator = vec!["aes128", "-vvv", "--input", &block];
        evaluator.extend(words(&bob));
        if !from {
            evaluator.extend(["--ot", "semi-honest"]);
        }
        let (garbler, evaluator) = pair(&garbler, &evaluator);
        let output = garbler.json()["outputs"][0]["hex"].as_str().expect("hex").to_owned();
        secrets.push(bytes(&output));
        assert_eq!(evaluator.code, Some(0), "{evaluator:?}");
        logs.push_str(&garbler.stderr);
        logs.push_str(&evaluator.stderr);
    }
    // Log all targets of all crates, with both parties in one process.
    let run = ["run", "aes128", "--garbler", &key, "--evaluator", &block];
    let run = with_variable("RUST_LOG", "trace", &run);
    assert_eq!(run.code, Some(0), "{run:?}");
    logs.push_str(&run.stderr);
    for words in ["the parties agree", "transferred labels", "TLS 1.3", "the run is done", "TRACE"]
    {
        assert!(logs.contains(words), "{words:?} in {logs}");
    }
    assert_no_secrets(&logs, &secrets);
    // The check detects leaked secrets.
    for leak in [hex(&secrets[0]), format!("{:?}", secrets[1])] {
        let check = || assert_no_secrets(&format!("label={leak}"), &secrets);
        assert!(std::panic::catch_unwind(check).is_err(), "{leak}");
    }
}

#[test]
fn the_log_has_the_requested_detail() {
    let run = |more: &[&str]| {
        let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "2"];
        let done = halfgate(&[&words[..], more].concat());
        assert_eq!(done.code, Some(0), "{done:?}");
        done
    };
    let lines: Vec<_> = [&[][..], &["-v"], &["-vv"], &["-vvv"]]
        .iter()
        .map(|more| run(more).stderr.lines().count())
        .collect();
    assert_eq!(lines[0], 0);
    assert!(lines.is_sorted_by(|less, more| less < more), "{lines:?}");
    let debug = run(&["-vv"]).stderr;
    assert!(debug.contains(" INFO halfgate") && debug.contains("DEBUG halfgate"), "{debug}");
    // The option may precede the command, and overrides the variable.
    let words = ["-v", "run", "adder:8", "--garbler", "1", "--evaluator", "2"];
    let done = with_variable("RUST_LOG", "trace", &words);
    assert!(done.stderr.contains(" INFO ") && !done.stderr.contains("TRACE"), "{done:?}");
    let done = with_variable("RUST_LOG", "halfgate_cli=info", &words[1..]);
    let cli = |line: &str| line.contains("halfgate_cli");
    assert!(!done.stderr.is_empty() && done.stderr.lines().all(cli), "{done:?}");
    with_variable("RUST_LOG", "halfgate=loud", &words[1..]).failed(2, &["RUST_LOG", "loud"]);
}

#[test]
fn quiet_leaves_warnings_and_errors() {
    let suite = ["run", "adder:8", "--garbler", "1", "--evaluator", "2"];
    let suite = [&suite[..], &["--suite", "half-gates-fixed-key"]].concat();
    assert!(halfgate(&suite).stderr.contains("suite"));
    let quiet = halfgate(&[&suite[..], &["--quiet"]].concat());
    assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""));
    assert!(!quiet.stdout.is_empty());
    halfgate(&["run", "none", "-q"]).failed(5, &["none"]);
    halfgate(&["run", "adder:8", "-q", "-v"]).failed(2, &["--quiet", "--verbose"]);
    let address = free_address();
    let plain = ["--insecure-plaintext", "--quiet", "--timeout", "0.2", "--input", "1"];
    let done = halfgate(&[&["garble", "adder:8", "--listen", &address], &plain[..]].concat());
    assert!(done.stderr.contains("warning: a value") && !done.stderr.contains("listening"));
}

#[test]
fn completions_and_man_pages_have_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = halfgate(&["completions", shell]);
        assert_eq!(done.code, Some(0), "{done:?}");
        for word in ["garble", "doctor", "insecure-plaintext"] {
            assert!(done.stdout.contains(word), "{shell}: {word}");
        }
    }
    halfgate(&["completions", "tcsh"]).failed(2, &["tcsh", "bash"]);
    let folder = folder();
    let pages = folder.path().join("share/man1");
    let done = halfgate(&["man", &text(&pages)]);
    assert_eq!(done.code, Some(0), "{done:?}");
    for page in ["halfgate.1", "halfgate-garble.1", "halfgate-mips-build.1", "halfgate-doctor.1"] {
        let page = std::fs::read_to_string(pages.join(page)).expect(page);
        assert!(page.contains(".TH") && page.contains("SYNOPSIS"), "{page}");
    }
    let page = std::fs::read_to_string(pages.join("halfgate-garble.1")).expect("a page");
    assert!(page.contains("insecure") && page.contains("Examples"), "{page}");
    halfgate(&["man", "/dev/null/x"]).failed(12, &["man pages", "/dev/null/x"]);
}

/// Writes a configuration in the folder of `identities`, with the peers alice and bob.
fn configuration(identities: &Identities, own: &str, address: &str) -> String {
    let path = identities.path(&format!("{own}.toml"));
    let text = format!(
        "identity = \"{own}\"\n[peer.bob]\nkey = \"bob.pub\"\naddress = \"{address}\"\n\
         [peer.alice]\nkey = \"alice.pub\"\naddress = \"{address}\"\n"
    );
    std::fs::write(&path, text).expect("written");
    path
}

#[test]
fn peers_are_called_by_name() {
    let identities = Identities::new();
    let address = free_address();
    let alice = configuration(&identities, "alice", &address);
    let bob = configuration(&identities, "bob", &address);
    let garbler = start(&[
        "garble", "adder:8", "--json", "--listen", &address, "--config", &alice, "--peer", "bob",
        "--input", "1",
    ]);
    // The party that connects finds the address in the file.
    let words = ["evaluate", "adder:8", "--json", "--peer", "alice", "--input", "2"];
    let evaluator = with_variable("HALFGATE_CONFIG", &bob, &words);
    assert_eq!(evaluator.json()["outputs"][0]["hex"], "03");
    assert_eq!(garbler.wait().json()["outputs"][0]["hex"], "03");
}

#[test]
fn options_override_the_configuration() {
    let identities = Identities::new();
    let nobody = free_address();
    let alice = configuration(&identities, "alice", &nobody);
    let address = free_address();
    // An identity and an address other than those in the file.
    let own = identities.path("bob");
    let garbler = start(&[
        "garble",
        "adder:8",
        "--listen",
        &address,
        "--config",
        &alice,
        "--identity",
        &own,
        "--peer",
        "alice",
        "--input",
        "1",
        "--json",
    ]);
    let words = [
        "evaluate",
        "adder:8",
        "--json",
        "--connect",
        &address,
        "--config",
        &alice,
        "--peer",
        "bob",
        "--input",
        "2",
    ];
    // The option also overrides the variable.
    let evaluator = with_variable("HALFGATE_CONFIG", "/none", &words);
    assert_eq!(evaluator.json()["outputs"][0]["hex"], "03");
    assert_eq!(garbler.wait().code, Some(0));
}

#[test]
fn a_configuration_that_cannot_be_used_is_refused() {
    let (folder, path) = folder_with("config.toml", "identity = \"alice\"\n[peer.bob]\nkeys = 1\n");
    let path = text(&path);
    let evaluate = |config: &str, peer: &str| {
        halfgate(&["evaluate", "adder:8", "--config", config, "--peer", peer, "--input", "1"])
    };
    evaluate(&path, "bob").failed(2, &["config.toml:3: ", "keys"]);
    evaluate("/none/config.toml", "bob").failed(2, &["/none/config.toml", "cannot read"]);
    std::fs::write(&path, "[peer.bob]\nkey = \"bob.pub\"\n").expect("written");
    evaluate(&path, "bob").failed(7, &["config.toml:2: peer bob: ", "bob.pub"]);
    let own = text(folder.path());
    let words = ["evaluate", "adder:8", "--connect", "127.0.0.1:1", "--identity", &own, "--config"];
    let more = [&path, "--peer", "carol", "--input", "1"];
    halfgate(&[&words[..], &more].concat()).failed(7, &["carol", "config.toml"]);
}

#[test]
fn the_usual_place_is_that_of_xdg() {
    let identities = Identities::new();
    let home = folder();
    std::fs::create_dir(home.path().join("halfgate")).expect("made");
    let path = home.path().join("halfgate/config.toml");
    std::fs::write(&path, "nonsense").expect("written");
    let own = identities.path("alice");
    let words = ["evaluate", "adder:8", "--identity", &own, "--peer", "bob", "--input", "1"];
    let home = text(home.path());
    with_variable("XDG_CONFIG_HOME", &home, &words).failed(2, &["halfgate/config.toml:1: "]);
    // Without names, the configuration is not read.
    let plain = ["evaluate", "adder:8", "--insecure-plaintext", "--connect", "127.0.0.1:1"];
    let plain = [&plain[..], &["--timeout", "0.1", "--input", "1"]].concat();
    with_variable("XDG_CONFIG_HOME", &home, &plain).failed(6, &["127.0.0.1:1"]);
}

#[test]
fn the_doctor_names_what_is_missing() {
    let report = halfgate(&["doctor", "--json"]).json();
    let chosen = |kernel: &&serde_json::Value| kernel["chosen"] == true;
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.iter().filter(chosen).count(), 1, "{report}");
    assert!(!report["processor"]["architecture"].as_str().expect("a name").is_empty());
    // If no tool is installed, each tool is listed with the features that need it and how to
    // install it.
    let empty = folder();
    let path = text(Path::new(empty.path()));
    let none = with_variable("PATH", &path, &["doctor", "--json"]).json();
    for tool in none["tools"].as_array().expect("tools") {
        assert_eq!(tool["found"], false, "{tool}");
        assert!(tool["enables"].as_str().is_some_and(|text| !text.is_empty()), "{tool}");
    }
    let none = with_variable("PATH", &path, &["doctor"]);
    assert_eq!(none.code, Some(0), "{none:?}");
    assert!(none.stdout.contains("apt-get install yosys gcc-mips-linux-gnu verilator"), "{none:?}");
    let named = with_variable("HALFGATE_YOSYS", "/bin/true", &["doctor", "--json"]).json();
    let yosys = &named["tools"][0];
    assert_eq!((&yosys["found"], &yosys["program"]), (&true.into(), &"/bin/true".into()));
}

#[test]
fn the_public_half_is_no_identity() {
    let identities = Identities::new();
    let (public, private) = (identities.path("alice.pub"), identities.path("alice"));
    let words = ["garble", "adder:8", "--listen", ":0", "--identity", &public, "--peer", &public];
    halfgate(&words).failed(7, &["alice.pub is the public half", &format!("file: {private}")]);
}

#[test]
fn the_error_of_an_unknown_machine_lists_all() {
    let machines = halfgate(&["machines", "--json"]).json();
    let machines = machines["machines"].as_array().expect("a list");
    let names: Vec<_> = machines.iter().map(|m| m["name"].as_str().expect("a name")).collect();
    // All machines are listed, even if the name begins like the configurations of one machine.
    let similar = format!("{}-99", machines[0]["machine"].as_str().expect("a name"));
    for unknown in ["xyz", &similar] {
        let words = ["simulate", "aes128", "--machine", unknown];
        halfgate(&words).failed(5, &[&[unknown], &names[..]].concat());
    }
}
