//! SIFO's overlay: an array of garbled AND and XOR cells, to which a host sends one command for
//! each gate (Fang, Ioannidis and Leeser). The [model](halfgate_overlay_model) is a separate
//! package. This crate has the [engines](engine), the host of the [SystemVerilog](rtl), and the
//! paper's [tables](reproduce).

mod command;
pub mod engine;
pub mod reproduce;
pub mod rtl;
pub mod synthesis;

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use command::args::{LayersArgs, OverlayCommand};
use command::engine as named;
use halfgate_circuit::{Circuit, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, Suite};
use halfgate_machine::args::{ReproduceArgs, SimulateArgs};
use halfgate_machine::{Configuration, EngineForm, EngineRequest, Kind, Machine, Reproduced};
use halfgate_overlay_model::description;
use halfgate_record::part::Effort;
use halfgate_synthesis::silicon::Piece;
use serde_json::json;

/// The machine's description for the command line.
pub struct Overlay;

impl Machine for Overlay {
    fn name(&self) -> &'static str {
        "overlay"
    }

    fn summary(&self) -> &'static str {
        "a garbler with AND and XOR cells, to which a host sends each gate; labels in block RAM and DDR"
    }

    fn roles(&self) -> &'static [Party] {
        &[Party::Garbler]
    }

    fn suites(&self) -> &'static [Suite] {
        &[Suite::HalfGates, Suite::Grr3Sha1]
    }

    fn engines(&self) -> &'static [EngineForm] {
        &named::FORMS
    }

    fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
        let mut all = Vec::new();
        for name in description::names() {
            let found = halfgate_overlay_model::Overlay::named(name);
            let found = found.map_err(Failure::with(Exit::Local))?;
            all.push(Configuration {
                name: name.to_owned(),
                about: format!("{}: {}", found.about, found.shape),
                details: Vec::new(),
                facts: vec![("mhz", json!(found.board.clock_mhz))],
            });
        }
        Ok(all)
    }

    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
        match requested.kind {
            Kind::Rtl => named::rtl(requested.text, requested.roles, requested.trace),
            _ => named::model(requested.text, requested.kernel, requested.roles),
        }
    }

    fn is_named(&self, name: &str) -> bool {
        named::is_named(name)
    }

    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        command::simulate::simulate(args)
    }

    fn inspect_options(&self, command: clap::Command) -> clap::Command {
        LayersArgs::augment_args(command)
    }

    fn is_inspecting(&self, matches: &ArgMatches) -> bool {
        matches.get_flag("layers")
    }

    fn inspect(&self, matches: &ArgMatches, circuit: &Circuit, json: bool) -> Result<(), Failure> {
        let args = LayersArgs::from_arg_matches(matches);
        command::layers::print(circuit, &args.map_err(|error| Failure::usage(&error))?, json)
    }

    fn commands(&self) -> Vec<clap::Command> {
        let about = "Write and read streams of commands for an overlay of garbled cells";
        let command = clap::Command::new("overlay").subcommand_required(true);
        vec![OverlayCommand::augment_subcommands(command.arg_required_else_help(true)).about(about)]
    }

    fn execute(&self, _: &str, matches: &ArgMatches) -> Result<(), Failure> {
        let command = OverlayCommand::from_arg_matches(matches);
        command::stream::execute(&command.map_err(|error| Failure::usage(&error))?)
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
            "simulate" => &["halfgate simulate aes128 --machine overlay-pcie4"],
            "reproduce" => &["halfgate reproduce overlay --only table8"],
            _ => &[],
        }
    }
}
