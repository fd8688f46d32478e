//! Tests of the command with the RTL engine.

use halfgate_garbledcpu::rtl::{Options, RtlGarbledCpu};
use halfgate_garbledcpu_model::Machine;
use halfgate_garbledcpu_model::encode::Size;
use halfgate_tests::command::{Done, halfgate};
use halfgate_verilated::Toolchain;

#[test]
fn garbledcpu_evaluates_for_a_processor() {
    let adder = ["run", "adder:16", "--garbler", "1234", "--evaluator", "4321", "--json"];
    let by = |engine| halfgate(&[&adder[..], &["--evaluator-engine", engine]].concat()).json();
    let [cpu, ours, paper] = ["cpu", "model:garbledcpu-2", "model:garbledcpu-paper"].map(by);
    let cycles = |of: &serde_json::Value| of["simulated"]["evaluator"]["clock_cycles"].as_u64();
    for machine in [&ours, &paper] {
        assert_eq!(machine["outputs"], cpu["outputs"]);
        assert!(cycles(machine) > Some(15 * 21), "{machine}");
    }
    let simulate = ["simulate", "adder:16", "--machine", "garbledcpu-2", "--json"];
    let time = halfgate(&simulate).json();
    assert_eq!(time["clocks"].as_u64(), cycles(&ours));
    assert_eq!((time["and_gates"].as_u64(), time["fused"].as_u64()), (Some(15), Some(14)));
    if Toolchain::from_environment().version().is_ok() {
        let size = Size { gates: 1024, bank: 128, inputs: 256 };
        let options = Options { size: Some(size), ..Options::default() };
        let machine = Machine::named("garbledcpu-2").expect("a machine");
        let built = RtlGarbledCpu::new(machine, options).build();
        built.expect("builds, which takes longer than the timer of a command allows");
        let rtl = by("rtl:garbledcpu-2,gates=1024,bank=128,inputs=256");
        assert_eq!((&rtl["outputs"], cycles(&rtl)), (&cpu["outputs"], cycles(&ours)));
        by_evaluator("rtl:garbledcpu-1,gates=100").failed(5, &["gates must be a power of two"]);
    }
    // The published machine's suite.
    let fixed = ["--suite", "half-gates-fixed-key", "--evaluator-engine", "model:garbledcpu-paper"];
    assert_eq!(halfgate(&[&adder[..], &fixed].concat()).json()["outputs"], cpu["outputs"]);
    for unknown in ["rtl:garbledcpu-0", "model:garbledcpu-5", "model:garbledcpu-paper-2"] {
        by_evaluator(unknown).failed(5, &["there is no machine", "garbledcpu-short-N"]);
    }
    by_evaluator("rtl:garbledcpu-1,kernel=64").failed(5, &["kernel=64", "gates=WORDS"]);
    halfgate(&[&adder[..], &["--engine", "model:garbledcpu-1"]].concat())
        .failed(2, &["evaluates only", "--evaluator-engine"]);
    halfgate(&[&simulate[..], &["--labels"]].concat()).failed(2, &["--evaluator-engine"]);
    halfgate(&[&simulate[..], &["--role", "garbler"]].concat()).failed(2, &["is an evaluator"]);
}

fn by_evaluator(engine: &str) -> Done {
    let words = ["run", "adder:8", "--garbler", "1", "--evaluator", "1", "--evaluator-engine"];
    halfgate(&[&words[..], &[engine]].concat())
}
