//! Tests of `--security`: what a malicious session refuses, and what it would cost.

use halfgate_tests::command::{folder, halfgate, pair, text};
use serde_json::Value;

const PLAIN: &str = "--insecure-plaintext";
const MALICIOUS: [&str; 2] = ["--security", "malicious"];

#[test]
fn results_have_the_level() {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "2"];
    for level in [&[][..], &["--security", "semi-honest"]] {
        let words = [&words[..], level].concat();
        assert!(halfgate(&words).stdout.contains("; security semi-honest; sent "));
        assert_eq!(halfgate(&[&words[..], &["--json"]].concat()).json()["security"], "semi-honest");
    }
    halfgate(&[&words[..], &["--security", "covert"]].concat())
        .failed(2, &["--security", "semi-honest, malicious"]);
}

#[test]
fn the_log_has_the_level() {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "2", "-vv"];
    let log = halfgate(&words).stderr;
    let line = log.lines().find(|line| line.contains("the parties agree")).expect("an event");
    assert!(line.contains("security=semi-honest"), "{line}");
}

#[test]
fn parties_of_different_levels_are_refused() {
    let plain = ["adder:8", PLAIN, "--input", "1"];
    let malicious = [&plain[..], &MALICIOUS].concat();
    for order in [&[][..], &["--order", "given"]] {
        let [plain, malicious] = [&plain[..], &malicious].map(|words| [words, order].concat());
        for (garbler, evaluator) in [(&plain, &malicious), (&malicious, &plain)] {
            let (garbled, evaluated) = pair(garbler, evaluator);
            for done in [garbled, evaluated] {
                let words = ["security level", "semi-honest", "malicious"];
                assert!(words.iter().all(|word| done.stderr.contains(word)), "{done:?}");
                // Whoever reads the other's abort first ends with that.
                assert!(matches!(done.code, Some(8 | 11)), "{done:?}");
            }
        }
    }
}

#[test]
fn malicious_sessions_refuse_what_they_cannot_use() {
    let folder = folder();
    let file = text(&folder.path().join("tables"));
    let party = |role| {
        move |more: &[&str]| {
            let plain: &[&str] = if role == "run" { &[] } else { &[PLAIN] };
            halfgate(&[&[role, "adder:8"], plain, &MALICIOUS, more].concat())
        }
    };
    for role in ["run", "garble", "evaluate"] {
        let refused = party(role);
        refused(&["--ot", "semi-honest"]).failed(2, &["--ot semi-honest cannot be used"]);
        refused(&["--suite", "grr3"]).failed(2, &["suite grr3 cannot be used", "half-gates"]);
        refused(&["--engine", "model:none"]).failed(
            2,
            &["engine model:none cannot run authenticated garbling", "use --engine cpu"],
        );
    }
    party("run")(&["--evaluator-engine", "model:none"]).failed(2, &["engine model:none cannot"]);
    for option in ["--to", "--from"] {
        party("garble")(&[option, &file]).failed(2, &["garbled ahead of time"]);
    }
    assert!(!folder.path().join("tables").exists());
}

#[test]
fn a_server_has_a_level_for_each_program() {
    let folder = folder();
    let [server, alice, config] =
        ["server", "alice", "serve.toml"].map(|name| text(&folder.path().join(name)));
    for key in [&server, &alice] {
        assert_eq!(halfgate(&["keygen", key]).code, Some(0));
    }
    std::fs::write(folder.path().join("values.json"), "{\"a\": 5}").expect("a file");
    let write = |more: &str| {
        let entry = |name: &str, more: &str| {
            format!(
                "[[program]]\nname = \"{name}\"\ncircuit = \"millionaires:32\"\nrole = \
                 \"garbler\"\ninputs = {{ file = \"values.json\" }}\nlearn = \"evaluator\"\n{more}\n"
            )
        };
        let text = format!(
            "listen = \"127.0.0.1:0\"\nidentity = \"server\"\n[[peer]]\nname = \"alice\"\nkey = \
             \"alice.pub\"\nprograms = []\n{}{}",
            entry("first", more),
            entry("second", "security = \"semi-honest\"")
        );
        std::fs::write(&config, text).expect("a file");
    };
    let levels = |words: &[&str]| -> Vec<Value> {
        let all = [&["serve", &config, "--check", "--json"], words].concat();
        let all = halfgate(&all).json();
        all["programs"].as_array().expect("a list").iter().map(|p| p["security"].clone()).collect()
    };
    write("");
    assert_eq!(levels(&[]), ["semi-honest"; 2]);
    assert_eq!(levels(&MALICIOUS), ["malicious", "semi-honest"]);
    write("security = \"malicious\"");
    assert_eq!(levels(&[]), ["malicious", "semi-honest"]);
    let shown = halfgate(&["serve", &config, "--check"]);
    assert!(shown.stdout.contains("security malicious"), "{shown:?}");
    for (more, words) in [
        ("security = \"covert\"", ": program first: security = \"covert\": \"semi-honest\" or"),
        ("security = \"malicious\"\not = \"semi-honest\"", "--ot semi-honest cannot be used"),
        ("security = \"malicious\"\nsuite = \"grr3\"", "suite grr3 cannot be used"),
    ] {
        write(more);
        halfgate(&["serve", &config, "--check"]).failed(2, &[words]);
    }
}

const SHOWN: [&str; 4] = [
    "(89.000 bytes per AND)",
    "15 rounds per window",
    " of computation, ",
    "an estimate from this machine, where both parties just ran 6,400 ANDs of AES-128",
];

#[test]
fn inspect_shows_the_price_of_a_malicious_session() {
    let inspect =
        |more: &[&str]| halfgate(&[&["inspect", "aes128"], &MALICIOUS[..], more].concat());
    let json =
        inspect(&["--json", "--ot-field", "8", "--bandwidth", "100M", "--delay", "10"]).json();
    let estimate = &json["estimate"];
    for (key, value) in [
        ("security", Value::from("malicious")),
        ("ands", 6400.into()),
        ("window_ands", 6400.into()),
        ("windows", 1.into()),
        ("bucket_size", 4.into()),
        ("ot_field", 8.into()),
        ("rounds_per_window", 15.into()),
        ("garbler_sends", 775_200.into()),
        ("evaluator_sends", 570_400.into()),
    ] {
        assert_eq!(estimate[key], value, "{key}");
    }
    let seconds = estimate["link_seconds"].as_f64().expect("a number");
    let expected = 8.0 * (775_200.0 + 570_400.0) / 100e6 + 15.0 * 0.01;
    assert!((seconds - expected).abs() < 1e-9, "{seconds}");
    let phases = ["correlations", "function-dependent", "online"];
    for (phase, name) in estimate["phases"].as_array().expect("a list").iter().zip(phases) {
        assert_eq!(phase["phase"], name);
    }
    assert_eq!(estimate["phases"][0]["garbler_bytes_per_and"], 89.0);
    assert_eq!(estimate["phases"][1]["garbler_bytes_per_and"], 32.125);
    assert_eq!(estimate["phases"][2]["evaluator_bytes_per_and"], 0.125);
    let number = |value: &Value| value.as_f64().expect("a number");
    assert_eq!(estimate["measured_ands"], 6400);
    let [setup, computing, all] =
        ["setup_seconds", "computing_seconds", "seconds"].map(|key| number(&estimate[key]));
    assert!(setup > 10.0 * 0.01 && computing > 0.0);
    assert!((setup + computing + seconds - all).abs() < 1e-9, "{estimate}");
    for phase in estimate["phases"].as_array().expect("a list") {
        let each = number(&phase["nanoseconds_per_and"]);
        assert!(each > 0.0, "{phase}");
        assert!((number(&phase["seconds"]) - 6400.0 * each / 1e9).abs() < 1e-9, "{phase}");
    }
    // The parties choose the field by the round trip.
    for (delay, field) in [("0", 2), ("1", 4), ("20", 8)] {
        assert_eq!(inspect(&["--json", "--delay", delay]).json()["estimate"]["ot_field"], field);
    }
    let shown = inspect(&["--ot-field", "8"]).stdout;
    for words in phases.iter().copied().chain(SHOWN) {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    inspect(&["--rate", "1e6"]).failed(2, &["--rate is for --security semi-honest"]);
    let semi_honest = halfgate(&["inspect", "adder:8", "--rate", "1e6", "--json"]).json();
    assert_eq!(semi_honest["estimate"]["security"], "semi-honest");
    halfgate(&["inspect", "adder:8", "--ot-field", "2"])
        .failed(2, &["--ot-field is for --security malicious"]);
}

/// Only an option of a machine is refused, wherever the level is on the command line.
#[test]
fn inspect_takes_the_level_for_all_kinds_of_programs() {
    for (circuit, windows) in [
        ("adder:8", 1),
        ("aes128-batch:200", 8),
        ("aes128-chained:3", 1),
        ("sha256-chain:2", 1),
        ("edit-distance-rows:7x8", 1),
        ("mersenne-folded:3", 1),
    ] {
        let [option, level] = MALICIOUS;
        for words in [["inspect", circuit, option, level], ["inspect", option, level, circuit]] {
            let json = halfgate(&[&words[..], &["--json"]].concat()).json();
            assert_eq!(json["estimate"]["windows"], windows, "{circuit}");
            assert!(halfgate(&words).stdout.contains("malicious  "), "{circuit}");
        }
    }
    halfgate(&["inspect", "aes128", "--layers", "--security", "malicious"])
        .failed(2, &["a machine cannot run authenticated garbling"]);
}
