//! Toy: an accelerator with one gate engine, which executes one gate at a time. It exists to show
//! how a machine is added to Halfgate; `docs/add-a-machine.md` walks through these files.
//!
//! The [cycle model](halfgate_toy_model) is a separate package, without labels. This package has
//! the [engine](ToyEngine), which computes labels along with the model, and the implementation of
//! [`Machine`] for the command.

mod engine;
mod role;
mod simulate;

pub use engine::{SUITES, ToyEngine};

use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, Suite, kernels};
use halfgate_machine::args::SimulateArgs;
use halfgate_machine::{Configuration, EngineForm, EngineRequest, Kind, Machine};
use halfgate_toy_model::{AND_CYCLES, MHZ, SLOTS, XOR_CYCLES};
use serde_json::json;

const NAME: &str = "toy";
const SUMMARY: &str = "one gate engine that executes one gate at a time; an example to copy";
const FORMS: [EngineForm; 1] = [EngineForm {
    kind: Kind::Model,
    form: "model:toy",
    about: "garbler and evaluator, as a cycle model",
}];

/// The machine, as the registry lists it.
pub struct Toy;

impl Machine for Toy {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        SUMMARY
    }

    fn roles(&self) -> &'static [Party] {
        &[Party::Garbler, Party::Evaluator]
    }

    fn suites(&self) -> &'static [Suite] {
        &SUITES
    }

    fn engines(&self) -> &'static [EngineForm] {
        &FORMS
    }

    fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
        Ok(vec![Configuration {
            name: NAME.to_owned(),
            about: SUMMARY.to_owned(),
            details: vec![format!(
                "an XOR takes {XOR_CYCLES} clock cycle, an AND {AND_CYCLES}; {SLOTS} labels, {MHZ} MHz"
            )],
            facts: vec![
                ("xor_cycles", json!(XOR_CYCLES)),
                ("and_cycles", json!(AND_CYCLES)),
                ("slots", json!(SLOTS)),
                ("mhz", json!(MHZ)),
            ],
        }])
    }

    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
        if requested.kind != Kind::Model {
            return Err(self.lacks("RTL: use model:toy"));
        }
        if requested.text != NAME {
            let what =
                format!("engine {:?}: write {}, without options", requested.whole, FORMS[0].form);
            return Err(Failure::new(Exit::Unknown, what));
        }
        let kernel = match requested.kernel {
            Some(name) => kernels::by_name(name).map_err(Failure::with(Exit::Unknown))?,
            None => kernels::best(),
        };
        Ok(Box::new(ToyEngine::new(kernel)))
    }

    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        simulate::simulate(self, args)
    }

    fn examples(&self, command: &str) -> &'static [&'static str] {
        match command {
            "simulate" => &["halfgate simulate adder:8 --machine toy --labels"],
            _ => &[],
        }
    }
}
