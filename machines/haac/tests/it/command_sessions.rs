//! Sessions with HAAC as garbler or evaluator, and the reproduction of its paper.

use halfgate_tests::command::{self as common, folder, halfgate, simulated, text};

/// Circuits that use no input, or have no gates.
#[test]
fn machines_with_nothing_to_do() {
    let folder = folder();
    let file = folder.path().join("c.txt");
    let name = text(&file);
    let circuits = [
        ("2 4\n2 1 1\n1 2\n\n1 1 1 2 EQ\n1 1 0 3 EQ\n", "1"),
        ("1 3\n2 1 1\n1 1\n\n1 1 0 2 INV\n", "0"),
        ("0 2\n2 1 1\n1 1\n\n", "1"),
    ];
    for (circuit, result) in circuits {
        std::fs::write(&file, circuit).expect("written");
        for model in ["fast", "exact"] {
            let report = simulated(&[&name, "--role", "evaluator", "--model", model]);
            assert_eq!(report["gates"], 0, "{circuit}");
        }
        for engine in ["--garbler-engine", "--evaluator-engine"] {
            let inputs = ["--garbler", "1", "--evaluator", "1"];
            let words = ["run", &name, engine, "model:haac-1ge,window=16labels", "--json"];
            let run = halfgate(&[&words[..], &inputs].concat());
            assert_eq!(run.json()["outputs"][0]["hex"], result, "{circuit}");
        }
    }
}

/// Uses no timer for this command, which makes many runs.
#[test]
fn the_paper_is_reproduced_in_small() {
    let done = std::process::Command::new(common::binary())
        .args(["reproduce", "haac", "--quick", "--only", "table3", "--json"])
        .output()
        .expect("it starts");
    let printed: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let parts = printed["parts"].as_array().expect("parts");
    assert_eq!((parts.len(), &parts[0]["name"]), (1, &"table3".into()));
    let figures = parts[0]["figures"].as_array().expect("figures");
    let named = |what: &str| figures.iter().find(|figure| figure["name"] == what);
    for program in ["BubbSt", "MatMult", "GradDesc"] {
        let total = named(&format!("{program}, full, total")).expect("a figure");
        assert!(total["measured"].as_f64() > Some(0.0), "{total}");
    }
    halfgate(&["reproduce", "haac", "--netlists", "x"]).failed(2, &["--netlists is not for haac"]);
    halfgate(&["reproduce", "haac", "--only", "table4"]).failed(5, &["\"table4\"", "table5"]);
    halfgate(&["reproduce", "haac", "--quick", "--out", "x.json"]).failed(2, &["--out", "--quick"]);
}

/// The output of `run` with the given engines for garbler and evaluator.
fn run_with(garbler: &str, evaluator: &str, more: &[&str]) -> serde_json::Value {
    let words = ["run", "--json", "--garbler-engine", garbler, "--evaluator-engine", evaluator];
    halfgate(&[&words[..], more].concat()).json()
}

#[test]
fn machines_garble_and_evaluate_with_a_processor() {
    const MACHINE: &str = "model:haac-16ge,memory=hbm2,window=1MB";
    let adder = ["adder:64", "--garbler", "123456789", "--evaluator", "987654321"];
    // The program has an input and an output in each of three cycles.
    let (_folder, blocks) =
        common::folder_with("blocks", "sixteen bytes of three blocks of an input each c");
    let at = format!("text:@{}", text(&blocks));
    let chained = ["aes128-ecb", "--cycles", "3", "--garbler", "7", "--evaluator", &at];
    for words in [&adder[..], &chained[..]] {
        let plain = run_with("cpu", "cpu", words);
        assert!(plain.get("simulated").is_none());
        for (garbler, evaluator) in
            [(MACHINE, "cpu"), ("cpu", MACHINE), (MACHINE, "model:haac-1ge")]
        {
            let json = run_with(garbler, evaluator, words);
            assert_eq!(json["outputs"], plain["outputs"]);
            for (party, engine) in [("garbler", garbler), ("evaluator", evaluator)] {
                let time = json["simulated"].get(party);
                assert_eq!(time.is_some(), engine != "cpu", "{party}: {engine}");
                let Some(time) = time else { continue };
                let cycles = time["clock_cycles"].as_u64().expect("a number");
                let launches = time["launches"].as_u64().expect("a number");
                assert_eq!(launches, json["cycles"].as_u64().expect("a number"));
                assert!(cycles > 20 * launches, "{time}");
                let seconds = time["seconds"].as_f64().expect("a number");
                assert!((seconds * 1e9 - cycles as f64).abs() < 1e-3 * cycles as f64, "{time}");
            }
        }
    }
}

#[test]
fn machines_meet_a_processor_over_a_connection() {
    for (garbler, evaluator) in [("model:haac-4ge", "cpu"), ("cpu", "model:haac-4ge,model=exact")] {
        let words = ["adder:8", "--insecure-plaintext"];
        let more = |engine| ["--engine", engine, "--input", "1", "--input", "2"];
        let (one, other) = common::pair(
            &[&words[..], &more(garbler)].concat(),
            &[&words[..], &more(evaluator)].concat(),
        );
        for (party, engine, done) in [("garbler", garbler, one), ("evaluator", evaluator, other)] {
            let json = done.json();
            let runs = json["runs"].as_array().expect("a list");
            let sum = runs[1]["outputs"][0]["hex"].as_str().expect("text");
            assert_eq!(u32::from_str_radix(sum, 16), Ok(4));
            assert_eq!(runs[0].get("simulated").is_some(), engine != "cpu");
            if engine != "cpu" {
                let of = |run: usize| runs[run]["simulated"][party]["clock_cycles"].as_u64();
                assert!(of(0) == of(1) && of(0) > Some(10), "{json}");
            }
        }
    }
}

#[test]
fn the_simulated_time_is_printed() {
    let words =
        ["run", "adder:16", "--garbler", "1", "--evaluator", "2", "--engine", "model:haac-16ge"];
    let printed = halfgate(&words).stdout;
    for party in ["garbler", "evaluator"] {
        assert!(printed.contains(&format!("simulated: the {party}'s machine took ")), "{printed}");
    }
    assert!(printed.contains(" at 1 GHz; the run took "), "{printed}");
    let printed = halfgate(&["engines"]).stdout;
    assert!(
        printed.contains("cpu") && printed.contains("haac-16ge") && printed.contains("model:"),
        "{printed}"
    );
}

#[test]
fn wrong_engines() {
    let run = |engine: &str, suite: &str| {
        let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--engine"];
        halfgate(&[&words[..], &[engine, "--suite", suite]].concat())
    };
    let suite = "half-gates";
    run("model:cray", suite).failed(5, &["\"cray\"", "haac-16ge"]);
    run("model:no/such.toml", suite).failed(12, &["no/such.toml"]);
    run("model:haac-16ge,colour=red", suite).failed(5, &["colour=red", "window=SIZE"]);
    run("model:haac-16ge,memory=tape", suite).failed(2, &["tape", "ddr4"]);
    run("model:haac-16ge,window=7", suite).failed(2, &["window", "7"]);
    run("model:haac-16ge,model=slow", suite).failed(5, &["model=slow"]);
}
