//! Tests of `--preprocess-to` and `--preprocessed`: the two halves of a malicious session.

use halfgate_tests::command::{Done, folder, halfgate, pair, text};
use std::path::{Path, PathBuf};

const COMMON: [&str; 4] = ["adder:8", "--insecure-plaintext", "--security", "malicious"];

/// Files of the two parties in a folder.
struct Parties {
    folder: tempfile::TempDir,
}

impl Parties {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Both parties' commands with these words, and each its own file for `option`.
    fn pair(&self, option: &str, more: &[&str], files: [&str; 2]) -> (Done, Done) {
        let words = files.map(|file| text(&self.path(file)));
        let [garbler, evaluator] =
            words.each_ref().map(|file| [&COMMON[..], &[option, file], more].concat());
        pair(&garbler, &evaluator)
    }

    fn preprocess(&self, more: &[&str], files: [&str; 2]) -> (Done, Done) {
        self.pair("--preprocess-to", more, files)
    }

    fn run(&self, more: &[&str], files: [&str; 2]) -> (Done, Done) {
        let ledger = text(&self.path("ledger"));
        let own = [&["--input", "3", "--preprocess-ledger", &ledger], more].concat();
        self.pair("--preprocessed", &own, files)
    }

    /// A garbler that refuses a file before it listens.
    fn refused(&self, file: &str, more: &[&str], words: &[&str]) {
        let (file, ledger) = (text(&self.path(file)), text(&self.path("ledger")));
        let own = ["garble", "--input", "3", "--listen", "127.0.0.1:0", "--preprocessed", &file];
        let words_of = [&own[..], &COMMON, &["--preprocess-ledger", &ledger], more].concat();
        let done = halfgate(&words_of);
        done.failed(12, words);
        assert!(!done.stderr.contains("listening"), "{done:?}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::copy(from, to).expect("copied");
}

#[test]
fn a_preprocessing_serves_one_run() {
    let parties = Parties { folder: folder() };
    let files = ["g", "e"];
    let (garbler, evaluator) = parties.preprocess(&[], files);
    let (garbler, evaluator) = (garbler.json(), evaluator.json());
    assert_eq!(garbler["generation"], evaluator["generation"]);
    assert_eq!(garbler["security"], "malicious");
    for (report, file) in [(&garbler, "g"), (&evaluator, "e")] {
        let length = std::fs::metadata(parties.path(file)).expect("the file").len();
        assert_eq!(report["bytes"], length);
    }
    copy(&parties.path("g"), &parties.path("copy"));

    // It replaces no file, and says so before it waits.
    let target = text(&parties.path("g"));
    let again = ["garble", "--listen", "127.0.0.1:0", "--preprocess-to", &target];
    halfgate(&[&again[..], &COMMON].concat()).failed(12, &["exists and is never overwritten"]);

    let (garbled, evaluated) = parties.run(&[], files);
    for done in [garbled, evaluated] {
        let result = done.json();
        assert_eq!(result["outputs"][0]["hex"], "06");
        assert_eq!(result["security"], "malicious");
    }
    parties.refused("g", &[], &["has been used", "preprocess again"]);
    parties.refused("copy", &[], &["is a copy of a file that has been used", "ledger"]);
}

#[test]
fn files_can_be_encrypted() {
    let parties = Parties { folder: folder() };
    let names = ["key", "other", "words", "short"].map(|name| parties.path(name));
    let contents = ["k".repeat(32), "o".repeat(32), "correct horse\n".to_owned(), "s".to_owned()];
    for (path, content) in names.iter().zip(&contents) {
        std::fs::write(path, content).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let private = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(path, private).expect("its mode");
        }
    }
    let [key, other, words, short] = names.each_ref().map(|path| text(path));
    let with_key = ["--preprocess-key", &key];
    let with_words = ["--preprocess-passphrase-file", &words];
    for (index, secret) in [with_key, with_words].iter().enumerate() {
        let files = ["g", "e"].map(|party| format!("{party}{index}"));
        let files = [files[0].as_str(), &files[1]];
        let (garbler, evaluator) = parties.preprocess(secret, files);
        assert_eq!(garbler.json()["generation"], evaluator.json()["generation"]);
        parties.refused(files[0], &[], &["is encrypted under a"]);
        let (garbled, evaluated) = parties.run(secret, files);
        for done in [garbled, evaluated] {
            assert_eq!(done.json()["outputs"][0]["hex"], "06");
        }
    }
    parties.preprocess(&with_key, ["g", "e"]).0.json();
    parties.refused("g", &["--preprocess-key", &other], &["cannot be unlocked", "a key file"]);
    let target = text(&parties.path("new"));
    let new = ["garble", "--listen", "127.0.0.1:0", "--preprocess-to", &target];
    let new = [&new[..], &COMMON, &["--preprocess-key", &short]].concat();
    halfgate(&new).failed(2, &["the key file has 1 bytes", "at least 32"]);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let parties = Parties { folder: folder() };
    let file = text(&parties.path("file"));
    for role in ["garble", "evaluate"] {
        let party = |more: &[&str]| {
            let own = [role, "--connect", "127.0.0.1:1"];
            halfgate(&[&own[..], &COMMON, more].concat())
        };
        party(&["--preprocess-to", &file, "--input", "1"]).failed(2, &["--input"]);
        party(&["--preprocess-to", &file, "--preprocessed", &file]).failed(2, &["--preprocessed"]);
        party(&["--preprocess-key", &file]).failed(2, &["--preprocess-key"]);
        party(&["--preprocess-to", &file, "--security", "semi-honest"]).failed(2, &["--security"]);
        let plain = [role, "adder:8", "--insecure-plaintext", "--connect", "127.0.0.1:1"];
        let semi_honest = [&plain[..], &["--preprocess-to", &file]].concat();
        halfgate(&semi_honest).failed(2, &["is for --security malicious"]);
        let nowhere = text(&parties.path("none/file"));
        party(&["--preprocess-to", &nowhere]).failed(12, &["none", "no folder"]);
        party(&["--preprocessed", &file, "--input", "1"]).failed(12, &["file", "No such file"]);
    }
}

/// A key that would encrypt nothing is refused, not ignored.
#[test]
fn a_key_is_not_for_files_of_tables() {
    let folder = folder();
    let file = text(&folder.path().join("tables"));
    for option in ["--preprocess-key", "--preprocess-passphrase-file"] {
        for way in ["--to", "--from"] {
            halfgate(&["garble", "adder:8", way, &file, option, &file]).failed(2, &[way, option]);
        }
    }
}

#[test]
fn one_half_needs_the_same_half_of_the_peer() {
    let parties = Parties { folder: folder() };
    let file = text(&parties.path("file"));
    let garbler = [&COMMON[..], &["--preprocess-to", &file]].concat();
    let evaluator = [&COMMON[..], &["--input", "1"]].concat();
    let (garbled, evaluated) = pair(&garbler, &evaluator);
    for done in [garbled, evaluated] {
        assert!(matches!(done.code, Some(8 | 11)), "{done:?}");
        assert!(done.stderr.contains("use of preprocessing"), "{done:?}");
    }
    assert!(!parties.path("file").exists());
}
