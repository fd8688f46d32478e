//! Tests failures between two parties: each side ends within its timeout, with one line, its own
//! exit code, and no result.

use halfgate_tests::command::{
    self as common, Identities, Running, free_address, halfgate, pair, start, words,
};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

const PLAIN: &str = "--insecure-plaintext";
/// A run of a minute or more, for tests that end it early.
const LONG: [&str; 3] = ["aes128-chained:1000000", PLAIN, "--input"];

#[test]
fn port_in_use() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    halfgate(&["garble", "adder:8", PLAIN, "--listen", &address, "--input", "1"])
        .failed(6, &[&address, "port"]);
}

#[test]
fn peer_not_there() {
    let address = free_address();
    let short = ["--timeout", "0.5", "--input", "1"];
    let dials = ["evaluate", "adder:8", PLAIN, "--connect", &address];
    halfgate(&[&dials[..], &short].concat()).failed(6, &[&address]);
    let listens = ["evaluate", "adder:8", PLAIN, "--listen", "127.0.0.1:0"];
    halfgate(&[&listens[..], &short].concat()).failed(6, &["nobody"]);
    let nowhere = ["evaluate", "adder:8", PLAIN, "--connect", "no port", "--input", "1"];
    halfgate(&nowhere).failed(6, &["no port"]);
}

#[test]
fn wrong_identity() {
    let identities = Identities::new();
    let strings = |own, peer| -> Vec<String> {
        let words = ["adder:8", "--input", "1", "--timeout", "2"].map(str::to_owned);
        words.into_iter().chain(identities.options(own, peer)).collect()
    };
    // Alice expects Bob, but a party with Alice's own key connects.
    let (alice, imposter) = (strings("alice", "bob"), strings("alice", "alice"));
    let (garbler, evaluator) = pair(&words(&alice), &words(&imposter));
    garbler.failed(7, &["SHA256:"]);
    evaluator.failed(7, &["SHA256:"]);
    // The party that connects expects another key.
    let (bob, wrong) = (strings("bob", "alice"), strings("alice", "alice"));
    let (garbler, evaluator) = pair(&words(&bob), &words(&wrong));
    garbler.failed(7, &["SHA256:"]);
    evaluator.failed(7, &["SHA256:"]);
    // Peers by fingerprint, or any peer.
    let fingerprint = |name| {
        let line = halfgate(&["keygen", &identities.path(name)]).stdout;
        let word = line.split_whitespace().find(|word| word.starts_with("SHA256:"));
        word.expect("a fingerprint").to_owned()
    };
    let carol = fingerprint("carol");
    let (key, own) = (identities.path("alice"), identities.path("carol"));
    let (garbler, evaluator) = pair(
        &["adder:8", "--input", "1", "--identity", &key, "--peer", &carol],
        &["adder:8", "--input", "2", "--identity", &own, "--trust-any-peer"],
    );
    assert_eq!(garbler.json()["outputs"][0]["hex"], "03");
    assert_eq!(evaluator.json()["outputs"][0]["hex"], "03");
    assert!(evaluator.stderr.contains("trusting the connected peer, SHA256:"), "{evaluator:?}");
}

/// Options that give up security also warn if standard error is quiet, and beside JSON on standard
/// output.
#[test]
fn options_that_give_up_security_warn() {
    let warned = |done: &common::Done, option: &str| {
        let warns = |line: &&str| line.starts_with("halfgate: warning:") && line.contains(option);
        assert_eq!(done.stderr.lines().filter(warns).count(), 1, "{option}: {done:?}");
        assert_eq!(done.json()["outputs"][0]["hex"], "03");
    };
    let common = ["adder:8", PLAIN, "--input"];
    let quiet = [&common[..], &["1", "--quiet"]].concat();
    let (garbler, evaluator) = pair(&quiet, &[&common[..], &["2"]].concat());
    warned(&garbler, PLAIN);
    warned(&evaluator, PLAIN);

    let identities = Identities::new();
    let (alice, bob) = (identities.path("alice"), identities.path("bob"));
    let common = ["adder:8", "--trust-any-peer", "--quiet", "--identity"];
    let (garbler, evaluator) = pair(
        &[&common[..], &[&alice, "--input", "1"]].concat(),
        &[&common[..], &[&bob, "--input", "2"]].concat(),
    );
    warned(&garbler, "--trust-any-peer");
    warned(&evaluator, "--trust-any-peer");
}

#[test]
fn plaintext_meets_tls() {
    let identities = Identities::new();
    let options = identities.options("alice", "bob");
    let mut tls = vec!["adder:8", "--timeout", "2", "--input", "1"];
    tls.extend(words(&options));
    let (garbler, evaluator) = pair(&tls, &["adder:8", PLAIN, "--timeout", "2", "--input", "1"]);
    // The listening party sees an unknown peer.
    garbler.failed(6, &["did not connect", "TLS"]);
    assert!(matches!(evaluator.code, Some(9 | 10)), "{evaluator:?}");
    assert_eq!((garbler.stdout.as_str(), evaluator.stdout.as_str()), ("", ""));
}

#[test]
fn parties_with_different_options_are_refused() {
    let differ = |garbler: &[&str], evaluator: &[&str], words: &[&str]| {
        let common = [PLAIN, "--input"];
        let (garbled, evaluated) =
            pair(&[garbler, &common, &["1"]].concat(), &[evaluator, &common, &["1"]].concat());
        garbled.failed(8, words);
        evaluated.failed(8, words);
    };
    let orders = ["adder:8", "--order", "grouped:7"];
    differ(&["adder:8", "--order", "given"], &orders, &["order", "given", "grouped:7"]);
    differ(&["adder:8"], &["multiplier:8"], &["program"]);
    differ(&["adder:8", "--ot", "semi-honest"], &["adder:8"], &["semi-honest", "malicious"]);
    differ(&["adder:8", "--input", "2"], &["adder:8"], &["runs"]);
    differ(&["adder:8", "--learn", "garbler"], &["adder:8", "--learn", "evaluator"], &["learn"]);
    differ(
        &["aes128-chained:10", "--cycles", "3"],
        &["aes128-chained:10"],
        &["cycles", "--cycles 3", "--cycles 10"],
    );
}

/// No party is refused for its field of the transfers: the larger of the two fields is used.
#[test]
fn parties_may_ask_for_different_fields() {
    let bytes = |garbler: &[&str], evaluator: &[&str]| {
        let common = ["millionaires:32", PLAIN, "--input", "7"];
        let (garbled, evaluated) =
            pair(&[&common, garbler].concat(), &[&common, evaluator].concat());
        assert_eq!(garbled.json()["outputs"], evaluated.json()["outputs"]);
        evaluated.json()["bytes_sent"].as_u64().expect("a number")
    };
    let eight = bytes(&["--ot-field", "8"], &["--ot-field", "8"]);
    assert_eq!(bytes(&["--ot-field", "8"], &[]), eight);
    assert_eq!(bytes(&["--ot-field", "1"], &["--ot-field", "8"]), eight);
    // On loopback the default is a field of 2.
    let two = bytes(&[], &[]);
    assert_eq!(bytes(&["--ot-field", "2"], &["--ot-field", "1"]), two);
    assert_ne!(two, eight);
    for field in ["0", "3", "16", "x"] {
        let refused = halfgate(&["run", "adder:8", "--ot-field", field]);
        refused.failed(2, &["--ot-field", "use 1, 2, 4 or 8"]);
    }
}

#[test]
fn the_garbler_names_the_order() {
    for order in ["given", "grouped:7", "haac:full", "haac:segment:50", "haac:best:window=64"] {
        let garbler = ["multiplier:8", PLAIN, "--input", "13", "--order", order];
        let evaluator = ["multiplier:8", PLAIN, "--input", "17"];
        let is_bounded = !["haac:full", "haac:best:window=64"].contains(&order);
        let any = if is_bounded { &[][..] } else { &["--any-order"] };
        let (garbled, evaluated) = pair(&garbler, &[&evaluator[..], any].concat());
        assert_eq!(garbled.json()["outputs"][0]["hex"], "dd");
        assert_eq!(evaluated.json()["outputs"][0]["hex"], "dd");
        if !is_bounded {
            let (garbled, evaluated) = pair(&garbler, &evaluator);
            evaluated.failed(8, &["the garbler names the order haac:", "--order", "--any-order"]);
            assert!(garbled.stderr.contains("the evaluator takes this order only"), "{garbled:?}");
        }
    }
}

#[test]
fn two_evaluators() {
    let address = free_address();
    let own = ["evaluate", "adder:8", PLAIN, "--input", "1"];
    let first = start(&[&own[..], &["--listen", &address]].concat());
    let second = start(&[&own[..], &["--connect", &address]].concat());
    first.wait().failed(8, &["role", "evaluator"]);
    second.wait().failed(8, &["role", "evaluator"]);
}

#[test]
fn another_suite() {
    let common = ["adder:8", PLAIN, "--input", "1"];
    let (garbled, evaluated) =
        pair(&common, &[&common[..], &["--suite", "half-gates-fixed-key"]].concat());
    garbled.failed(8, &["suite", "half-gates-fixed-key"]);
    assert_eq!(evaluated.code, Some(8), "{evaluated:?}");
    assert!(evaluated.stderr.contains("suite half-gates-fixed-key, not the default"));
}

#[test]
fn two_garblers() {
    let address = free_address();
    let listens = start(&["garble", "adder:8", PLAIN, "--listen", &address, "--input", "1"]);
    let dials = halfgate(&["garble", "adder:8", PLAIN, "--connect", &address, "--input", "1"]);
    dials.failed(8, &["role", "garbler"]);
    listens.wait().failed(8, &["role", "garbler"]);
}

/// Both parties of a long run, once labels are being sent.
fn long_run(timeout: &str) -> (Running, Running) {
    let address = free_address();
    let value = "bytes:000102030405060708090a0b0c0d0e0f";
    let more = [&[&address, "--timeout", timeout], &LONG[..], &[value]].concat();
    let garbler = start(&[&["garble", "--listen"], &more[..]].concat());
    let evaluator = start(&[&["evaluate", "--connect"], &more[..]].concat());
    std::thread::sleep(Duration::from_millis(1500));
    (garbler, evaluator)
}

#[test]
fn peer_killed() {
    let (garbler, mut evaluator) = long_run("5");
    evaluator.kill();
    garbler.wait().failed(9, &["evaluator"]);
    let (mut garbler, evaluator) = long_run("5");
    garbler.kill();
    evaluator.wait().failed(9, &["garbler"]);
}

#[cfg(unix)]
fn signal(process: &Running, name: &str) {
    let id = process.id().to_string();
    let status = std::process::Command::new("kill").args([name, &id]).status().expect("kill");
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn peer_stopped() {
    for stop_garbler in [true, false] {
        let (garbler, evaluator) = long_run("2");
        let (stopped, waits) =
            if stop_garbler { (garbler, evaluator) } else { (evaluator, garbler) };
        signal(&stopped, "-STOP");
        let begin = Instant::now();
        let peer = if stop_garbler { "garbler" } else { "evaluator" };
        waits.wait().failed(10, &[peer]);
        assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn interrupt_notifies_the_peer() {
    let (garbler, evaluator) = long_run("10");
    signal(&evaluator, "-INT");
    let (evaluator, garbler) = (evaluator.wait(), garbler.wait());
    assert_eq!(evaluator.code, Some(11), "{evaluator:?}");
    assert!(evaluator.stderr.contains("cancelled"), "{evaluator:?}");
    garbler.failed(9, &["evaluator", "cancel"]);
    assert_eq!(evaluator.stdout, "");
}

/// Runs a party against a peer that the test implements.
fn against(role: &str, security: &[&str], peer: impl FnOnce(TcpStream)) -> common::Done {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let common = [role, "adder:8", "--timeout", "2", "--connect", &address, "--input", "1"];
    let party = start(&[&common[..], security].concat());
    let (socket, _) = listener.accept().expect("a connection");
    peer(socket);
    party.wait()
}

#[test]
fn idle_peer() {
    for role in ["garble", "evaluate"] {
        let mut open = None;
        let done = against(role, &[PLAIN], |socket| open = Some(socket));
        done.failed(10, &[]);
        assert!(done.took < Duration::from_secs(5), "{:?}", done.took);
    }
    let identities = Identities::new();
    let options = identities.options("alice", "bob");
    let mut open = None;
    against("garble", &words(&options), |socket| open = Some(socket)).failed(10, &["TLS"]);
}

/// A byte from time to time resets the idle timeout, but is not a first message.
#[test]
fn dripping_peer() {
    let identities = Identities::new();
    let options = identities.options("alice", "bob");
    // The header of a frame, or of a TLS record, announces more bytes.
    let begins: [(&[&str], &[u8]); 2] = [(&[PLAIN], b""), (&words(&options), &[22, 3, 3, 0, 200])];
    for (security, begin) in begins {
        let done = against("evaluate", security, |mut socket| {
            let started = Instant::now();
            let _ = socket.write_all(begin);
            while started.elapsed() < Duration::from_secs(30) && socket.write_all(&[0]).is_ok() {
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        done.failed(10, &[]);
        assert!(done.took < Duration::from_secs(20), "{:?}", done.took);
    }
}

#[cfg(unix)]
#[test]
fn a_run_ends_at_its_deadline() {
    let address = free_address();
    let more = [&LONG[..], &["bytes:000102030405060708090a0b0c0d0e0f"]].concat();
    let limits = [&address, "--run-deadline", "1"];
    let garbler = start(&[&["garble", "--listen"], &limits[..], &more].concat());
    let evaluator = start(&[&["evaluate", "--connect", &address], &more[..]].concat());
    garbler.wait().failed(10, &["run", "deadline of 1 s"]);
    evaluator.wait().failed(9, &["garbler", "deadline"]);
}

#[test]
fn garbage_peer() {
    let garbage = |mut socket: TcpStream| {
        let noise: Vec<u8> = (0..10_000_u32).map(|i| ((i * i) >> 3) as u8 | 1).collect();
        let _ = socket.write_all(&noise);
        // Wait until the party closes the connection.
        let _ = socket.set_read_timeout(Some(Duration::from_secs(5)));
        let _ = socket.read_to_end(&mut Vec::new());
    };
    for role in ["garble", "evaluate"] {
        against(role, &[PLAIN], garbage).failed(9, &[]);
    }
    let identities = Identities::new();
    let options = identities.options("alice", "bob");
    against("garble", &words(&options), garbage).failed(9, &["TLS"]);
}

/// A file of garbled tables that cannot serve is refused at once, without waiting for a peer.
#[test]
fn garbling_files_that_cannot_serve() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("adder.garbling");
    let file = common::text(&path);
    let done = halfgate(&["garble", "adder:8", "--to", &file]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let whole = std::fs::read(&path).expect("the file");

    let refused = |circuit: &str, code: i32, words: &[&str]| {
        let own = ["garble", circuit, "--from", &file, PLAIN, "--input", "1"];
        let done = halfgate(&[&own[..], &["--listen", "127.0.0.1:0"]].concat());
        done.failed(code, words);
        assert!(!done.stderr.contains("listening"), "{done:?}");
        // The party does not connect either: nothing listens at that address.
        halfgate(&[&own[..], &["--connect", &free_address()]].concat()).failed(code, words);
    };
    refused("adder:9", 12, &["adder.garbling", "another program"]);
    let mut damaged = whole.clone();
    *damaged.last_mut().expect("a byte") ^= 1;
    std::fs::write(&path, &damaged).expect("written");
    refused("adder:8", 12, &["adder.garbling", "damaged", "record"]);
    std::fs::write(&path, &whole[..whole.len() - 1]).expect("written");
    refused("adder:8", 12, &["adder.garbling", "not complete"]);
    std::fs::write(&path, "hello").expect("written");
    refused("adder:8", 12, &["adder.garbling", "not a file of garbled tables"]);

    // The refused attempts did not use up the garbling; a run does.
    std::fs::write(&path, &whole).expect("written");
    let garbler = ["adder:8", PLAIN, "--from", &file, "--input", "1"];
    let (garbler, evaluator) = pair(&garbler, &["adder:8", PLAIN, "--input", "2"]);
    assert_eq!(garbler.json()["outputs"][0]["hex"], "03");
    assert_eq!(evaluator.json()["outputs"][0]["hex"], "03");
    refused("adder:8", 12, &["adder.garbling", "has been used"]);
}

#[test]
fn peer_that_hangs_up() {
    for role in ["garble", "evaluate"] {
        against(role, &[PLAIN], drop).failed(9, &[]);
    }
}

#[test]
fn each_cycle_prints_a_line_of_outputs() {
    let common = ["aes128-ecb:40", PLAIN, "--stream-outputs", "--input"];
    let blocks = format!("bytes:{}", "00112233445566778899aabbccddeeff".repeat(40));
    let key = "bytes:000102030405060708090a0b0c0d0e0f";
    let garbler = [&common[..], &[key, "--cycles", "40"]].concat();
    let evaluator = [&common[..], &[blocks.as_str()]].concat();
    let (garbled, evaluated) = pair(&garbler, &evaluator);
    assert_eq!((garbled.code, evaluated.code), (Some(0), Some(0)), "{garbled:?} {evaluated:?}");
    // FIPS 197, appendix C.1, with the last byte first.
    let hex = "5ac5b47080b7cdd830047b6ad8e0c469";
    for done in [garbled, evaluated] {
        let lines: Vec<serde_json::Value> =
            done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 41);
        for (cycle, line) in lines[..40].iter().enumerate() {
            assert_eq!(line["cycle"], cycle);
            assert_eq!(line["outputs"]["ciphertext"], hex);
        }
        assert_eq!(lines[40]["outputs"][0]["streamed"], true);
        assert_eq!(lines[40]["cycles"], 40);
    }
}
