//! Tests that a verified result is printed even if the connection is lost afterwards, and that an
//! unverified one is not.

use halfgate_tests::command::{Done, free_address, start};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

/// Kinds of frames, by their number on the connection.
const OUTPUT_LABELS: u8 = 12;
const DECODING: u8 = 13;
const DONE: u8 = 14;

/// Forwards the frames of one party until frame number `last.1` of the kind `last.0` is due, then
/// closes the connection.
fn pass(mut from: TcpStream, mut to: TcpStream, last: Option<(u8, u32)>) {
    let mut header = [0; 16];
    let mut seen = 0;
    while from.read_exact(&mut header).is_ok() {
        let length = u32::from_le_bytes([header[4], header[5], header[6], 0]);
        let mut payload = vec![0; length as usize];
        if from.read_exact(&mut payload).is_err() {
            break;
        }
        if last.is_some_and(|(kind, number)| header[7] == kind && seen == number) {
            let _ = from.shutdown(Shutdown::Both);
            break;
        }
        seen += u32::from(last.is_some_and(|(kind, _)| header[7] == kind));
        if to.write_all(&header).and_then(|()| to.write_all(&payload)).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Runs both parties over a connection that closes before the given frame of the garbler or the
/// evaluator.
fn cut(words: &[&str], garbler: Option<(u8, u32)>, evaluator: Option<(u8, u32)>) -> [Done; 2] {
    let way = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (address, middle) = (free_address(), way.local_addr().expect("an address").to_string());
    let party = |role, how, at: &str| {
        let common = [role, "adder:8", "--insecure-plaintext", "--timeout", "5", how, at];
        start(&[&common[..], words].concat())
    };
    let garbles = party("garble", "--listen", &address);
    let evaluates = party("evaluate", "--connect", &middle);
    let (near, _) = way.accept().expect("the evaluator");
    let far = loop {
        match TcpStream::connect(&address) {
            Ok(far) => break far,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    std::thread::scope(|scope| {
        let (from, to) = (far.try_clone().expect("a socket"), near.try_clone().expect("a socket"));
        scope.spawn(move || pass(from, to, garbler));
        pass(near, far, evaluator);
    });
    [garbles.wait(), evaluates.wait()]
}

/// Checks for a result with a warning: standard output, standard error, and the exit code.
#[track_caller]
fn unconfirmed(done: &Done, peer: &str) {
    assert_eq!(done.code, Some(14), "{done:?}");
    let json: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(json["outputs"][0]["hex"], "02", "{done:?}");
    let reason = json["unconfirmed"].as_str().expect("a reason");
    assert!(reason.contains(peer), "{reason}");
    let warns = |line: &&str| line.starts_with("halfgate: warning: the result is verified");
    let warning = done.stderr.lines().find(warns).expect("a warning");
    assert!(warning.contains("did not confirm") && warning.contains(reason), "{warning}");
}

#[test]
fn a_garbler_whose_peer_is_lost_at_the_end_keeps_its_result() {
    let words = ["--input", "1", "--json"];
    let [garbler, evaluator] = cut(&words, None, Some((DONE, 0)));
    unconfirmed(&garbler, "evaluator");
    // The evaluator's last frame was sent: it has confirmation that the garbler has its result.
    assert!(matches!(evaluator.code, Some(0 | 14)), "{evaluator:?}");
    assert!(evaluator.stdout.contains("\"02\""), "{evaluator:?}");
}

#[test]
fn an_evaluator_whose_peer_is_lost_at_the_end_keeps_its_result() {
    let words = ["--input", "1", "--json"];
    let [garbler, evaluator] = cut(&words, Some((DONE, 0)), None);
    unconfirmed(&garbler, "evaluator");
    unconfirmed(&evaluator, "garbler");
}

#[test]
fn an_unverified_result_is_not_printed() {
    let words = ["--input", "1", "--json"];
    // The evaluator has no decoding data, so only the garbler has a result.
    let [garbler, evaluator] = cut(&words, Some((DECODING, 0)), None);
    unconfirmed(&garbler, "evaluator");
    evaluator.failed(9, &["garbler"]);
    let [garbler, evaluator] = cut(&words, None, Some((OUTPUT_LABELS, 0)));
    garbler.failed(9, &["evaluator"]);
    evaluator.failed(9, &["garbler"]);
    // A garbler that learns nothing has no result without the evaluator's confirmation.
    let words = ["--input", "1", "--json", "--learn", "evaluator"];
    let [garbler, _] = cut(&words, None, Some((DONE, 0)));
    garbler.failed(9, &["evaluator"]);
}

#[test]
fn runs_before_the_one_that_failed_are_printed() {
    let words = ["--input", "1", "--input", "2", "--json"];
    for done in cut(&words, None, Some((OUTPUT_LABELS, 1))) {
        assert_eq!(done.code, Some(9), "{done:?}");
        let json: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
        let runs = json["runs"].as_array().expect("a list");
        assert_eq!((runs.len(), &runs[0]["outputs"][0]["hex"]), (1, &"02".into()), "{json}");
        assert!(json["error"].as_str().is_some_and(|text| done.stderr.contains(text)), "{done:?}");
    }
}
