//! `halfgate instances`.

use halfgate_tests::command::{halfgate, text};
use std::fs;

/// The seed and the digest of `spec/instances.md`.
const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const DIGEST: &str = "7348d9ed6db23167a7a5e2ad5f4caf87f55833408c5bf6f4fc6308d6ed476a86";

#[test]
fn seeds_give_the_same_instances_again() {
    let folder = tempfile::tempdir().unwrap();
    let [seeds, tables, vector] =
        ["seeds", "tables", "vector"].map(|name| text(&folder.path().join(name)));
    let made = halfgate(&[
        "instances",
        "aes128",
        "--count",
        "5",
        "--seeds-to",
        &seeds,
        "--tables-to",
        &tables,
        "--threads",
        "2",
    ]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert_eq!(made.stdout.lines().count(), 5);
    let again = halfgate(&["instances", "aes128", "--seeds", &seeds, "--kernel", "portable"]);
    assert_eq!(again.stdout, made.stdout);
    for number in 0..5 {
        let tables = fs::read(folder.path().join(format!("tables/{number}.tables"))).unwrap();
        assert_eq!(tables.len(), 6_400 * 32);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&seeds).unwrap().permissions().mode() & 0o777, 0o600);
    }

    fs::write(&vector, format!("{SEED}\n")).unwrap();
    let known = halfgate(&["instances", "aes128", "--seeds", &vector]);
    assert_eq!(known.stdout, format!("0 {DIGEST}\n"));
    let json = halfgate(&["instances", "aes128", "--seeds", &vector, "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["instances"][0]["digest"], DIGEST);
}

#[test]
fn what_exists_or_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [seeds, tables] = ["seeds", "tables"].map(|name| text(&folder.path().join(name)));
    fs::write(&seeds, format!("{SEED}\n{}\n", &SEED[1..])).unwrap();
    let wrong = halfgate(&["instances", "aes128", "--seeds", &seeds]);
    assert!(!wrong.stderr.contains(&SEED[1..]), "no digit of a seed is shown");
    wrong.failed(4, &["seeds, line 2", "63 characters"]);
    halfgate(&["instances", "aes128", "--seeds-to", &seeds]).failed(12, &["seeds", "exists"]);
    fs::create_dir(&tables).unwrap();
    fs::write(folder.path().join("tables/1.tables"), "kept").unwrap();
    let new = text(&folder.path().join("new"));
    halfgate(&["instances", "aes128", "--tables-to", &tables, "--seeds-to", &new])
        .failed(12, &["1.tables exists"]);
    assert!(!folder.path().join("new").exists(), "nothing is written");
    fs::write(&seeds, format!("{SEED}\n{}\n", SEED.to_uppercase())).unwrap();
    halfgate(&["instances", "aes128", "--seeds", &seeds]).failed(4, &["line 2", "line 1"]);
    assert_eq!(fs::read_dir(&tables).unwrap().count(), 1, "nothing is left");
    halfgate(&["instances", "aes128", "--count", "0"]).failed(2, &["--count"]);
    halfgate(&["instances", "aes128", "--suite", "grr3-sha1"]).failed(5, &["80 bits"]);
}
