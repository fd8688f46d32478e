//! Tests that a dump contains no secrets.

#![cfg(target_os = "linux")]

use halfgate_tests::command::{free_address, start};
use std::fs;
use std::net::TcpStream;
use std::time::Duration;

#[test]
fn a_party_leaves_no_dump() {
    let address = free_address();
    let words = ["garble", "adder:8", "--insecure-plaintext", "--input", "1", "--listen", &address];
    let party = start(&words);
    while TcpStream::connect(&address).is_err() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let limits = fs::read_to_string(format!("/proc/{}/limits", party.id())).expect("its limits");
    let line = limits.lines().find(|line| line.starts_with("Max core file size"));
    let words: Vec<_> = line.expect("a limit of dumps").split_whitespace().collect();
    assert_eq!(words[4..6], ["0", "0"], "{limits}");
    // A process that may not be traced has files in /proc that belong to root.
    let owner = fs::metadata(format!("/proc/{}/mem", party.id())).expect("its memory");
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&owner), 0);
}
