//! The machine's methods for the command: engines, configurations, simulation, missing features.

use clap::Parser;
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::Engine;
use halfgate_machine::args::SimulateArgs;
use halfgate_machine::{EngineRequest, Kind, Machine};
use halfgate_toy::Toy;

fn engine(kind: Kind, text: &str, kernel: Option<&str>) -> Result<Box<dyn Engine>, Failure> {
    let whole = format!("{kind}:{text}");
    let roles = [Party::Garbler, Party::Evaluator];
    Toy.engine(&EngineRequest { kind, whole: &whole, text, kernel, roles: &roles, trace: None })
}

fn refused(result: Result<Box<dyn Engine>, Failure>, what: &str) {
    let error = result.err().expect("refused");
    assert_eq!(error.exit, Exit::Unknown);
    assert!(error.to_string().contains(what), "{error}");
}

#[test]
fn engines_are_found_by_name() {
    assert_eq!(engine(Kind::Model, "toy", None).unwrap().name(), "model:toy");
    assert!(engine(Kind::Model, "toy", Some("portable")).is_ok());
    refused(engine(Kind::Model, "toy", Some("quantum")), "unknown kernel");
    refused(engine(Kind::Model, "toy-2", None), "write model:toy, without options");
    refused(engine(Kind::Model, "toy,gates=2", None), "write model:toy, without options");
    refused(engine(Kind::Rtl, "toy", None), "machine toy has no RTL: use model:toy");
}

#[test]
fn its_configuration_has_its_name() {
    let configurations = Toy.configurations().unwrap();
    let names: Vec<_> = configurations.iter().map(|each| each.name.as_str()).collect();
    assert_eq!(names, ["toy"]);
    assert!(Toy.is_named("toy") && !Toy.is_named("toys"));
}

/// The options of `halfgate simulate`.
#[derive(Parser)]
struct Command {
    #[command(flatten)]
    simulate: SimulateArgs,
}

fn simulate(words: &[&str]) -> Result<(), Failure> {
    let all = ["simulate", "--machine", "toy"].iter().chain(words);
    Toy.simulate(&Command::parse_from(all).simulate)
}

#[test]
fn it_simulates() {
    simulate(&["adder:8"]).unwrap();
    simulate(&["adder:8", "--labels", "--json"]).unwrap();
    for (words, what) in [
        (["adder:8", "--model", "rtl"], "machine toy has no RTL"),
        (["adder:8", "--role", "garbler"], "--role garbler is not for machine toy"),
        (["adder:8", "--engines", "2"], "--engines is not for machine toy"),
        (["sha256:1000+1000", "--order", "given"], "more than the 65536 that the machine has"),
    ] {
        let error = simulate(&words).unwrap_err().to_string();
        assert!(error.contains(what), "{words:?}: {error}");
    }
}

#[test]
fn features_without_an_implementation_are_missing() {
    assert!(Toy.parts().is_empty() && Toy.benchmarks().is_empty() && Toy.commands().is_empty());
    let error = Toy.lacks("paper to reproduce").to_string();
    assert_eq!(error, "machine toy has no paper to reproduce");
}
