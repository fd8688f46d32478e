//! The mobile coprocessor (Kulp): a streaming evaluator on a small FPGA behind a phone's serial
//! link, and a wide core for a larger FPGA. The [model](halfgate_mobile_model) is a separate
//! package. This crate has the [engines](engine) with the host of the link, the host of the
//! [SystemVerilog](rtl), and the paper's [figures](reproduce).

mod command;
pub mod engine;
pub mod reproduce;
pub mod rtl;
mod synthesis;

use clap::{ArgMatches, Args, FromArgMatches};
use command::chip::ChipArgs;
use command::{device, engine as named};
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_engine::{Engine, Suite};
use halfgate_machine::args::{ReproduceArgs, SimulateArgs};
use halfgate_machine::{Configuration, EngineForm, EngineRequest, Kind, Machine, Reproduced};
use halfgate_record::part::Effort;
use halfgate_synthesis::silicon::Piece;
use serde_json::json;

/// The machine's description for the command line.
pub struct Mobile;

impl Machine for Mobile {
    fn name(&self) -> &'static str {
        "mobile"
    }

    fn summary(&self) -> &'static str {
        "an evaluator on a small FPGA behind a serial link, and a wide core for a larger FPGA"
    }

    fn roles(&self) -> &'static [Party] {
        &[Party::Evaluator]
    }

    fn suites(&self) -> &'static [Suite] {
        &engine::SUITES
    }

    fn engines(&self) -> &'static [EngineForm] {
        &named::FORMS
    }

    fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
        let small = "the coprocessor on an iCE40 UP5K, behind SPI at 30 MHz or a serial line";
        let wide = "a wide core on an ECP5: several ANDs in parallel, 16 bytes per clock cycle";
        let of = |name: &str, about: &str, mhz: f64| Configuration {
            name: name.to_owned(),
            about: about.to_owned(),
            details: vec![format!("{mhz} MHz")],
            facts: vec![("mhz", json!(mhz))],
        };
        Ok(vec![of("mobile", small, engine::MHZ), of("mobile-wide", wide, engine::wide::MHZ)])
    }

    fn is_named(&self, name: &str) -> bool {
        matches!(name, "mobile" | "mobile-wide")
    }

    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
        let EngineRequest { text, kernel, roles, trace, .. } = *requested;
        Ok(match requested.kind {
            Kind::Model => named::model(text, kernel, roles)?.engine(),
            Kind::Rtl => named::rtl(text, roles, trace)?.0,
            Kind::Device => Box::new(device::engine(text, kernel, roles)?),
        })
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

    fn commands(&self) -> Vec<clap::Command> {
        let about =
            "Simulate a mobile coprocessor at a pseudo-terminal, for a party in another process";
        vec![ChipArgs::augment_args(clap::Command::new("chip")).about(about)]
    }

    fn execute(&self, _: &str, matches: &ArgMatches) -> Result<(), Failure> {
        let args = ChipArgs::from_arg_matches(matches);
        command::chip::execute(&args.map_err(|error| Failure::usage(&error))?)
    }

    fn examples(&self, command: &str) -> &'static [&'static str] {
        match command {
            "simulate" => &["halfgate simulate divide:64 --machine mobile"],
            "reproduce" => &["halfgate reproduce mobile --only link"],
            _ => &[],
        }
    }
}
