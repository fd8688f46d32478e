//! Tests that programs of the library end with the same error line as the command.

use halfgate_tests::command::{binary, halfgate};
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// The last lines of a program of the library and of the command, for the same fault.
fn both(identity: &str, peer: &str, address: &str) -> [String; 2] {
    let program = binary().with_file_name("examples").join("library_main");
    let ended = Command::new(program).args([identity, peer, address]).output();
    let ended = ended.expect("the example is built with the tests of this package");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let library = String::from_utf8(ended.stderr).expect("text");
    let library = library.strip_prefix("Error: ").expect("main returns an error").trim_end();

    let words = ["--identity", identity, "--peer", peer, "--connect", address, "--quiet"];
    let ended = halfgate(&[&["garble", "adder:8", "--input", "1"], &words[..]].concat());
    // Warnings precede the error.
    let mut lines = ended.stderr.lines().rev();
    let command = lines.find_map(|line| line.strip_prefix("halfgate: ")).expect("an error");
    [library.to_owned(), command.to_owned()]
}

#[test]
fn a_main_that_returns_the_error_prints_the_commands_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (own, other) = (file("own"), file("other"));
    for name in [&own, &other] {
        assert_eq!(halfgate(&["keygen", name]).code, Some(0));
    }
    let public = format!("{other}.pub");
    assert!(Path::new(&public).exists());

    let [library, command] = both(&file("missing"), &public, "127.0.0.1:1");
    assert!(library.contains("missing"), "{library}");
    assert_eq!(library, command);

    let [library, command] = both(&own, &other, "127.0.0.1:1");
    assert!(library.contains("it is the private key"), "{library}");
    assert_eq!(library, command);

    // This listener closes the connection after the greeting, which causes a TLS error in the
    // library.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        // Read the greeting before closing, or the peer may or may not see a reset.
        listener.incoming().for_each(|socket| drop(socket.map(|mut it| it.read(&mut [0; 4096]))));
    });
    let [library, command] = both(&own, &public, &address);
    assert!(!library.contains('{') && !library.contains("Tls("), "{library}");
    assert_eq!(library, command);
}
