//! Runs every built-in program between two processes, over TLS, in plaintext and in malicious
//! sessions, and compares with evaluation in the clear.

use halfgate_circuit::{Bits, Circuit, Party, clear, random};
use halfgate_programs::ProgramInfo;
use halfgate_tests::command::{Done, Identities, halfgate, pair, words};
use halfgate_values::prepare_set;

/// Parameters that keep these tests short; other programs use their defaults.
fn spec(info: &ProgramInfo) -> String {
    match info.name {
        "psi" => "psi:8x16".to_owned(),
        "join" => "join:5x3".to_owned(),
        "mlp" => "mlp:5-3-2".to_owned(),
        "aes128-batch" => "aes128-batch:3".to_owned(),
        "sha256-chain" => "sha256-chain:2".to_owned(),
        "sort" => "sort:9x16".to_owned(),
        "aes128-chained" => "aes128-chained:3".to_owned(),
        "aes128-rounds" => "aes128-rounds:2".to_owned(),
        "vickrey" => "vickrey:11x16".to_owned(),
        "edit-distance" | "edit-distance-rows" => format!("{}:7x8", info.name),
        "decision-tree" => "decision-tree:3x5".to_owned(),
        "logistic" => "logistic:3".to_owned(),
        "knn" => "knn:6x2x3".to_owned(),
        "divide" => "divide:16".to_owned(),
        "bubble-sort" | "bubble-sort-folded" => format!("{}:5x8", info.name),
        "dot-product" | "dot-product-fast" | "dot-product-mapped" => format!("{}:5x8", info.name),
        "mersenne" | "mersenne-folded" => format!("{}:3", info.name),
        "triangle" | "triangle-mapped" => format!("{}:4x8", info.name),
        "matmult" | "matmult-fast" | "matmult-mapped" => format!("{}:3x8", info.name),
        "relu" | "relu-mapped" => format!("{}:5x8", info.name),
        "gradient-descent" | "gradient-descent-fast" => format!("{}:3x2", info.name),
        "gradient-descent-folded" => "gradient-descent-folded:2x3".to_owned(),
        "chain" => "chain:1000".to_owned(),
        "xors" => "xors:1000".to_owned(),
        name => name.to_owned(),
    }
}

/// Values for each input, and the number of cycles.
fn values(spec: &str, circuit: &Circuit) -> (Vec<Bits>, u64) {
    let per_cycle = circuit.inputs.iter().any(|input| input.per_cycle);
    let cycles = if per_cycle { 3 } else { circuit.cycles };
    if spec.starts_with("psi") {
        let set = |party, elements: &[u128]| prepare_set(party, elements, 8, 16).expect("a set");
        let sets = [
            set(Party::Garbler, &[7, 1, 900, 30_000]),
            set(Party::Evaluator, &[900, 2, 7, 8, 30_001]),
        ];
        return (sets.to_vec(), cycles);
    }
    let mut values = random::inputs_for(circuit, 17, cycles);
    if spec.starts_with("join") {
        // The command takes keys in ascending order only.
        for (input, value) in circuit.inputs.iter().zip(&mut values) {
            let step = match &input.name[..] {
                "a_keys" => 2,
                "b_keys" => 3,
                _ => continue,
            };
            *value = Bits::new();
            (0..input.width / 32).for_each(|row| {
                value.append(&Bits::from_integer(u128::from(step * row), 32));
            });
        }
    }
    (values, cycles)
}

/// One party's values in a user's notation.
fn written(circuit: &Circuit, values: &[Bits], party: Party) -> String {
    let own = circuit.inputs.iter().zip(values).filter(|(input, _)| input.party == party);
    let text = |(input, bits): (&halfgate_circuit::Input, &Bits)| {
        if input.per_cycle {
            assert_eq!(input.width % 8, 0, "cycles are whole bytes");
            let hex: String = bits.to_bytes().iter().map(|b| format!("{b:02x}")).collect();
            return format!("bytes:{hex}");
        }
        format!("0x{}", bits.to_hex())
    };
    own.map(text).collect::<Vec<_>>().join(",")
}

#[track_caller]
fn check(done: &Done, circuit: &Circuit, expected: &[Bits]) {
    let json = done.json();
    let outputs = json["outputs"].as_array().expect("a list");
    assert_eq!(outputs.len(), expected.len());
    for ((shown, output), expected) in outputs.iter().zip(&circuit.outputs).zip(expected) {
        assert_eq!(shown["name"], output.name.as_str());
        assert_eq!(shown["bits"], expected.len());
        assert_eq!(shown["hex"], expected.to_hex(), "{}", output.name);
    }
}

fn all_programs(security: [&[&str]; 2]) {
    for info in halfgate_programs::all() {
        let spec = spec(info);
        let circuit = halfgate_programs::build(&spec).expect("built");
        let (values, cycles) = values(&spec, &circuit);
        let expected = clear::evaluate(&circuit, &values, cycles).expect("evaluated");
        let cycles = cycles.to_string();
        let party = |party, security: &[&str]| -> Vec<String> {
            let input = written(&circuit, &values, party);
            let words = [&spec, "--cycles", &cycles, "--input", &input];
            words.iter().chain(security).map(|word| (*word).to_owned()).collect()
        };
        let garbler = party(Party::Garbler, security[0]);
        let evaluator = party(Party::Evaluator, security[1]);
        let (garbled, evaluated) = pair(&words(&garbler), &words(&evaluator));
        check(&garbled, &circuit, &expected);
        check(&evaluated, &circuit, &expected);
        let (garbled, evaluated) = (garbled.json(), evaluated.json());
        assert_eq!(garbled["program_hash"], evaluated["program_hash"]);
        for (sent, received) in [(&garbled, &evaluated), (&evaluated, &garbled)] {
            let sent = sent["bytes_sent"].as_u64().expect("a number");
            let received = received["bytes_received"].as_u64().expect("a number");
            // A heartbeat may still be in transit when its receiver has finished.
            assert!(received <= sent && sent - received <= 1000, "{spec}: {sent} {received}");
        }
    }
}

#[test]
fn all_programs_in_plaintext() {
    let plaintext: &[&str] = &["--insecure-plaintext"];
    all_programs([plaintext, plaintext]);
}

#[test]
fn all_programs_over_tls() {
    let identities = Identities::new();
    let (alice, bob) = (identities.options("alice", "bob"), identities.options("bob", "alice"));
    let (alice, bob) = (words(&alice), words(&bob));
    all_programs([&alice, &bob]);
}

#[test]
fn all_programs_in_malicious_sessions() {
    let identities = Identities::new();
    let party = |own, peer| {
        let level = ["--security", "malicious"].map(str::to_owned);
        [identities.options(own, peer), level.into()].concat()
    };
    let (alice, bob) = (party("alice", "bob"), party("bob", "alice"));
    let (alice, bob) = (words(&alice), words(&bob));
    all_programs([&alice, &bob]);
}

#[test]
fn all_programs_in_one_process() {
    for info in halfgate_programs::all() {
        let spec = spec(info);
        let circuit = halfgate_programs::build(&spec).expect("built");
        let (values, cycles) = values(&spec, &circuit);
        let expected = clear::evaluate(&circuit, &values, cycles).expect("evaluated");
        let garbler = written(&circuit, &values, Party::Garbler);
        let evaluator = written(&circuit, &values, Party::Evaluator);
        let words = ["run", &spec, "--json", "--garbler", &garbler, "--evaluator", &evaluator];
        check(&halfgate(&words), &circuit, &expected);
    }
}

#[test]
fn fips_197_in_byte_order() {
    let done = halfgate(&[
        "run",
        "aes128",
        "--json",
        "--garbler",
        "bytes:000102030405060708090a0b0c0d0e0f",
        "--evaluator",
        "bytes:00112233445566778899aabbccddeeff",
    ]);
    // Appendix C.1 has 69c4e0d86a7b0430d8cdb78070b4c55a: byte 0 is in the last two digits here.
    assert_eq!(done.json()["outputs"][0]["hex"], "5ac5b47080b7cdd830047b6ad8e0c469");
}

/// Runs with values in a user's notation and compares the outputs.
#[track_caller]
fn as_written(spec: &str, garbler: &str, evaluator: &str, expected: &[(&str, serde_json::Value)]) {
    let done =
        halfgate(&["run", spec, "--json", "--garbler", garbler, "--evaluator", evaluator]).json();
    for (name, value) in expected {
        let outputs = done["outputs"].as_array().expect("a list");
        let output = outputs.iter().find(|output| output["name"] == *name).expect("an output");
        let shown = output.get("value").cloned();
        let number = || u64::from_str_radix(output["hex"].as_str().expect("learned"), 16);
        assert_eq!(
            shown.unwrap_or_else(|| number().expect("hexadecimal").into()),
            *value,
            "{spec}"
        );
    }
}

#[test]
fn values_in_a_users_notation() {
    use serde_json::json;
    as_written("edit-distance:10x8", "text:kitten", "text:sitting", &[("distance", json!(3))]);
    // Bids of 300 and 200 from clients of the garbler, and 250 from one of the evaluator.
    let outputs = [("winner", json!(0)), ("price", json!(250))];
    as_written("vickrey:3x16", "[300,200,0]", "[0,0,250]", &outputs);
    // x[0] <= -3 takes the left branch; then x[1] <= 10.
    let outputs = [("class", json!(3))];
    as_written("decision-tree:2x2", "[0,0,1],[-3,5,10],[1,2,3,4]", "[-2,10]", &outputs);
    // sigmoid(2 * 1.5 - 2 * 0.5 - 1), of 1, lies on a node: 0.7310585…
    let outputs = [("probability", json!(47911.0 / 65536.0)), ("positive", json!(1))];
    as_written("logistic:2", "[2,-2],-1", "[1.5,0.5]", &outputs);
    as_written("knn:3x2x1", "[0,0,9,9,200,200],[4,5,6]", "[8,10]", &[("label", json!(5))]);
    let outputs = [("quotient", json!(142_857)), ("remainder", json!(1))];
    as_written("divide", "1000000", "7", &outputs);
    let outputs = [("root", json!(std::f64::consts::SQRT_2))];
    as_written("sqrt64", "2.0", "0", &outputs);
}

/// The network and an image of `examples/digits`, over TLS. Only the evaluator learns the class.
#[test]
fn a_handwritten_digit() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/digits");
    let (network, image) = (format!("@{folder}/network.json"), format!("@{folder}/images.csv:1"));
    let labels = std::fs::read_to_string(format!("{folder}/labels.csv")).expect("labels");
    let identities = Identities::new();
    let party = |own, peer, input: String| -> Vec<String> {
        let options = ["mlp:64-32-10/5", "--learn", "evaluator", "--input", &input];
        let options = options.map(str::to_owned).into_iter();
        options.chain(identities.options(own, peer)).collect()
    };
    let (garbler, evaluator) = (party("alice", "bob", network), party("bob", "alice", image));
    let (garbled, evaluated) = pair(&words(&garbler), &words(&evaluator));
    assert!(garbled.json()["outputs"][0]["hex"].is_null(), "{garbled:?}");
    assert_eq!(evaluated.json()["outputs"][0]["hex"].as_str(), labels.lines().nth(1));
}
