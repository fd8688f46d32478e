//! FASE: a garbler of sequential circuits with several pipelines over one label memory (Oishi,
//! Kadomoto, Irie and Sakai, 2023). The [model](halfgate_fase_model) is a separate package. This
//! package has the [engines](engine), the host of the [SystemVerilog](rtl), and the paper's
//! [tables](reproduce).

mod command;
pub mod engine;
pub mod reproduce;
pub mod rtl;
pub mod synthesis;

use command::engine::{self as named, NAMES};
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_engine::{Engine, Resource, Suite};
use halfgate_machine::args::{ReproduceArgs, SimulateArgs};
use halfgate_machine::{
    Configuration, EngineForm, EngineRequest, Kind, Machine, Reproduced, SizeOption,
};
use halfgate_record::part::Effort;
use halfgate_synthesis::silicon::Piece;

/// The machine.
pub struct Fase;

impl Machine for Fase {
    fn name(&self) -> &'static str {
        "fase"
    }

    fn summary(&self) -> &'static str {
        "a garbler of sequential circuits: pipelines over one label memory, driven by a schedule, or as published"
    }

    fn roles(&self) -> &'static [Party] {
        &[Party::Garbler]
    }

    fn suites(&self) -> &'static [Suite] {
        &[Suite::HalfGates, Suite::HalfGatesFixedKey, Suite::HalfGatesFase]
    }

    fn engines(&self) -> &'static [EngineForm] {
        &named::FORMS
    }

    fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
        let about =
            "the parallel FASE garbler: scheduled, with two XORs beside each AND, as published";
        Ok(vec![Configuration {
            name: NAMES.to_owned(),
            about: about.to_owned(),
            details: Vec::new(),
            facts: Vec::new(),
        }])
    }

    fn is_named(&self, name: &str) -> bool {
        named::Machine::named(name).is_ok()
    }

    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
        match requested.kind {
            Kind::Rtl => named::rtl(requested.text, requested.roles, requested.trace),
            _ => named::model(requested.text, requested.kernel, requested.roles),
        }
    }

    fn size_option(&self, engine: &str, resource: Resource) -> Option<SizeOption> {
        named::size_option(engine, resource)
    }

    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        command::simulate::simulate(args)
    }

    fn parts(&self) -> Vec<&'static str> {
        reproduce::PARTS.to_vec()
    }

    fn checks(&self) -> &'static [(&'static str, Effort)] {
        &reproduce::CHECKS
    }

    fn reproduce(&self, args: &ReproduceArgs) -> Result<Reproduced, Failure> {
        command::reproduce::reproduce(args)
    }

    fn silicon(&self, _: &mut dyn FnMut(&str)) -> Result<Vec<Piece>, String> {
        Ok(synthesis::pieces())
    }

    fn examples(&self, command: &str) -> &'static [&'static str] {
        match command {
            "simulate" => &["halfgate simulate programs/verilog/aes128.v --machine fase-2"],
            "reproduce" => &["halfgate reproduce fase --netlists FOLDER"],
            _ => &[],
        }
    }
}
