//! Tests that a listening party continues to wait for its peer when unknown peers connect.

use halfgate_tests::command::{Identities, Running, free_address, halfgate, start, words};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

const PLAIN: &str = "--insecure-plaintext";

/// Connects as soon as a party listens at the address.
fn unknown_peer(address: &str, bytes: &[u8]) -> TcpStream {
    loop {
        if let Ok(mut socket) = TcpStream::connect(address) {
            let _ = socket.write_all(bytes);
            return socket;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Connects unknown peers: one closes at once, one sends HTTP, and many idle.
fn unknown_peers(address: &str) -> Vec<TcpStream> {
    drop(unknown_peer(address, b""));
    let scan = unknown_peer(address, b"GET / HTTP/1.0\r\n\r\nand more than a frame's header");
    (0..100).map(|_| unknown_peer(address, b"")).chain([scan]).collect()
}

/// A garbler that listens with a garbling made ahead of time.
fn garbler(file: &str, address: &str, security: &[&str]) -> Running {
    let own = ["garble", "adder:8", "--from", file, "--input", "1", "--json", "--listen", address];
    start(&[&own[..], security].concat())
}

#[test]
fn a_run_over_tls_succeeds_and_unknown_peers_use_up_no_garbling() {
    let identities = Identities::new();
    halfgate(&["keygen", &identities.path("carol")]);
    let file = identities.path("adder.garbling");
    assert_eq!(halfgate(&["garble", "adder:8", "--to", &file]).code, Some(0));
    let alice = identities.options("alice", "bob");
    let evaluates = |address: &str, own: &str| {
        let mut all = vec!["evaluate", "adder:8", "--input", "2", "--json", "--connect", address];
        let options = identities.options(own, "alice");
        all.extend(words(&options));
        halfgate(&all)
    };

    // Only unknown peers connect, one with a key of her own: the garbling remains unused.
    let address = free_address();
    let waits = garbler(&file, &address, &[&words(&alice)[..], &["--wait", "3"]].concat());
    let stay = unknown_peers(&address);
    evaluates(&address, "carol").failed(7, &["refuses this side's key"]);
    waits.wait().failed(7, &["did not connect", "the peer is not the one expected"]);
    drop(stay);

    let address = free_address();
    let waits = garbler(&file, &address, &words(&alice));
    let _stay = unknown_peers(&address);
    evaluates(&address, "carol").failed(7, &["refuses this side's key"]);
    assert_eq!(evaluates(&address, "bob").json()["outputs"][0]["hex"], "03");
    let garbler = waits.wait();
    assert_eq!(garbler.json()["outputs"][0]["hex"], "03");
    assert!(garbler.stderr.contains("refused an unknown peer from 127.0.0.1"), "{garbler:?}");
}

#[test]
fn a_plaintext_run_succeeds_and_unknown_peers_use_up_no_garbling() {
    let identities = Identities::new();
    let file = identities.path("adder.garbling");
    assert_eq!(halfgate(&["garble", "adder:8", "--to", &file]).code, Some(0));
    let address = free_address();
    let waits = garbler(&file, &address, &[PLAIN]);
    let _stay = unknown_peers(&address);
    // A party that expects TLS from this one is an unknown peer too.
    let mut tls = vec!["evaluate", "adder:8", "--input", "2", "--connect", &address];
    let options = identities.options("bob", "alice");
    tls.extend(words(&options));
    halfgate(&tls).failed(9, &["TLS"]);
    let evaluates = ["evaluate", "adder:8", "--input", "2", "--json", "--connect", &address, PLAIN];
    assert_eq!(halfgate(&evaluates).json()["outputs"][0]["hex"], "03");
    assert_eq!(waits.wait().json()["outputs"][0]["hex"], "03");
}
