//! Problems of the overlay and streams of commands on the command line.

use halfgate_tests::command::{folder, halfgate, text};

#[test]
fn problems_of_the_overlay_are_counted() {
    let layers = |words: &[&str]| halfgate(&[&["inspect", "--layers"], words].concat());
    let text = layers(&["hamming:10", "--match-paper"]).stdout;
    let parts =
        ["22;", "110: 20 ANDs and 90 XORs", "140, 6.4 per layer", "55 (39.29 %", "120,370 labels"];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    let printed = layers(&["adder:4", "--cells", "2", "--json"]).stdout;
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!((&printed["and_gates"], &printed["batches"]), (&3.into(), &3.into()));
    assert_eq!(
        printed["each_layer"].as_array().map(Vec::len),
        printed["layers"].as_u64().map(|n| n as usize)
    );
    layers(&["psi:4x4", "--match-paper"]).failed(5, &["'psi'", "multiplier-full"]);
    layers(&["adder:4", "--cells", "0"]).failed(2, &["--cells"]);
    halfgate(&["inspect", "adder:4", "--cells", "3"]).failed(2, &["--layers"]);
    // Both parties run the circuit like any other.
    let run =
        ["run", "sort:6x4", "--match-paper", "--garbler", "[5,1,7]", "--evaluator", "[2,6,0]"];
    assert!(halfgate(&run).stdout.contains("[0, 1, 2, 5, 6, 7]"));
    let only = ["--only", "table3", "--only", "table1", "--json"];
    let printed = halfgate(&[&["reproduce", "overlay"][..], &only].concat()).stdout;
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let parts = printed["parts"].as_array().expect("parts").iter().map(|part| &part["name"]);
    assert_eq!(parts.collect::<Vec<_>>(), ["table1", "table3"]);
    halfgate(&["reproduce", "overlay", "--only", "table12"]).failed(5, &["\"table12\"", "table3"]);
    halfgate(&["reproduce", "overlay", "--quick"]).failed(2, &["--quick"]);
    let printed = halfgate(&["reproduce", "mobile", "--only", "gates"]).stdout;
    for line in ["AND   ", "XOR with the result before", "cycles      247.0     50.00"] {
        assert!(printed.contains(line), "{printed}");
    }
    halfgate(&["reproduce", "mobile", "--only", "gate"]).failed(5, &["\"gate\"", "link"]);
}

#[test]
fn streams_for_the_overlay_are_written_and_read() {
    let folder = folder();
    let path = text(&folder.path().join("x.hgo"));
    let stream = |words: &[&str]| halfgate(&[&["overlay", "stream", "-o", &path], words].concat());
    let printed = stream(&["hamming:10", "--match-paper", "--form", "two", "--ands", "5"]).stdout;
    assert!(printed.contains("110 gates") && printed.contains("220 registers"), "{printed}");
    let show = || halfgate(&["overlay", "show", &path]);
    for part in ["5 AND and 15 XOR cells", "two registers", "20 ANDs", "90 XORs"] {
        assert!(show().stdout.contains(part), "{part}: {:?}", show());
    }
    let printed = stream(&["aes128", "--window", "256", "--block-ram", "512", "--json"]).stdout;
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert!(
        printed["block_ram_used"].as_u64() <= Some(512) && printed["batches"].as_u64() > Some(0)
    );
    // Gates of our own circuits invert.
    let good = std::fs::read(&path).expect("written");
    stream(&["aes128", "--form", "two"]).failed(3, &["cannot invert", "--match-paper"]);
    stream(&["adder:8", "--policy", "directly-used", "--window", "9"]).failed(2, &["--window"]);
    assert_eq!(std::fs::read(&path).expect("still there"), good);
    std::fs::write(&path, &good[..good.len() - 5]).expect("written");
    show().failed(3, &["x.hgo", "cut short"]);
    let mut bad = good.clone();
    bad[100] ^= 1;
    std::fs::write(&path, &bad).expect("written");
    show().failed(3, &["x.hgo"]);
    std::fs::write(&path, "nothing of the kind, but long enough for one").expect("written");
    show().failed(3, &["no stream of commands"]);
    halfgate(&["overlay", "show", "no/such.hgo"]).failed(12, &["no/such.hgo"]);
}
