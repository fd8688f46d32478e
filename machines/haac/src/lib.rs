//! HAAC: parallel gate engines with a sliding window of wires and three streams (Mo, Gopinath and
//! Reagen, ISCA 2023). The [model](halfgate_haac_model) is a package of its own. This package has
//! the [engines](engine), the host of the [SystemVerilog](rtl), the [hardware costs](synthesis),
//! and the paper's [tables and figures](reproduce).

mod benchmark;
mod command;
pub mod dram;
pub mod engine;
pub mod reproduce;
pub mod rtl;
pub mod synthesis;

use clap::{ArgMatches, Args, FromArgMatches};
use command::image::ImageArgs;
use command::synth::SynthArgs;
use command::{model, program_file, rtl_engine};
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_engine::{Engine, Suite};
use halfgate_haac_model::{Description, Overrides};
use halfgate_machine::args::{
    AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs,
};
use halfgate_machine::{Configuration, EngineForm, EngineRequest, Kind, Machine, Reproduced};
use halfgate_record::part::{Effort, Part};
use halfgate_record::record::Figure;
use halfgate_synthesis::silicon::{Found, Piece};
use serde_json::json;
use std::path::Path;
use synthesis::silicon;

/// The machine.
pub struct Haac;

impl Machine for Haac {
    fn name(&self) -> &'static str {
        "haac"
    }

    fn summary(&self) -> &'static str {
        "parallel gate engines with a sliding window of wires and three streams; garbler, evaluator"
    }

    fn roles(&self) -> &'static [Party] {
        &[Party::Garbler, Party::Evaluator]
    }

    fn suites(&self) -> &'static [Suite] {
        &[Suite::HalfGates]
    }

    fn engines(&self) -> &'static [EngineForm] {
        &model::FORMS
    }

    fn configurations(&self) -> Result<Vec<Configuration>, Failure> {
        Description::names().map(configuration).collect()
    }

    fn is_named(&self, name: &str) -> bool {
        Description::names().any(|known| known == name)
    }

    fn reads_any_description(&self) -> bool {
        true
    }

    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure> {
        Ok(match requested.kind {
            Kind::Rtl => {
                Box::new(rtl_engine::engine(requested.text, requested.roles, requested.trace)?)
            }
            _ => Box::new(model::engine(requested.text, requested.kernel)?),
        })
    }

    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        command::simulate(args)
    }

    fn has_program_files(&self) -> bool {
        true
    }

    fn compile(&self, args: &CompileArgs) -> Result<(), Failure> {
        command::compile(args)
    }

    fn disassemble(&self, args: &DisassembleArgs) -> Result<(), Failure> {
        command::disassemble(args)
    }

    fn assemble(&self, args: &AssembleArgs) -> Result<(), Failure> {
        command::assemble(args)
    }

    fn inspect_program_file(&self, path: &Path, json: bool) -> Result<(), Failure> {
        program_file::inspect(path, json)
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

    fn benchmarks(&self) -> &'static [(&'static str, &'static str)] {
        &benchmark::GROUPS
    }

    fn benchmark(
        &self,
        name: &str,
        command: &Path,
        report: &mut dyn FnMut(&str),
    ) -> Result<Vec<Figure>, String> {
        benchmark::run(name, command, report)
    }

    fn silicon(&self, report: &mut dyn FnMut(&str)) -> Result<Vec<Piece>, String> {
        silicon::pieces(report)
    }

    fn in_silicon(&self, found: &Found) -> Vec<Part> {
        silicon::parts(found)
    }

    fn commands(&self) -> Vec<clap::Command> {
        let about = "Synthesise the RTL of gate engines: counts for FPGAs, place and route on ECP5";
        let image =
            "Write the memory of a launch, and what must be in it afterwards, for test benches";
        vec![
            SynthArgs::augment_args(clap::Command::new("synth")).about(about),
            ImageArgs::augment_args(clap::Command::new("image")).about(image),
        ]
    }

    fn execute(&self, name: &str, matches: &ArgMatches) -> Result<(), Failure> {
        let usage = |error| Failure::usage(&error);
        match name {
            "image" => {
                command::image::execute(&ImageArgs::from_arg_matches(matches).map_err(usage)?)
            }
            _ => command::synth::execute(&SynthArgs::from_arg_matches(matches).map_err(usage)?),
        }
    }

    fn examples(&self, command: &str) -> &'static [&'static str] {
        match command {
            "compile" => &[
                "halfgate compile dot-product:128x32 -o dot.hgp",
                "halfgate compile matmult:8x32 --order haac:segment --paper -o matmult.hgp",
                "halfgate compile adder.txt --machine haac-1ge --encoding compact -o adder.hgp",
                "halfgate compile design.v --top NAME --cycles 32 -o design.hgp",
            ],
            "simulate" => &[
                "halfgate simulate dot-product:128x32",
                "halfgate simulate dot.hgp --memory hbm2 --role evaluator --json",
                "halfgate simulate adder:16 --machine haac-16ge-1mb --preloaded --trace adder.json --role garbler",
                "halfgate simulate aes128 --machine haac-4ge --model rtl --role garbler",
            ],
            "assemble" | "disassemble" => &[
                "halfgate compile adder:8 --machine haac-1ge -o adder.hgp",
                "halfgate disassemble adder.hgp -o adder.hga",
                "halfgate assemble adder.hga --encoding compact -o again.hgp",
            ],
            "reproduce" => &[
                "halfgate reproduce haac",
                "halfgate reproduce haac --only table3",
                "halfgate reproduce haac --out bench/results/haac.json",
            ],
            _ => &[],
        }
    }
}

/// A built-in description, in the form that `halfgate machines` prints.
fn configuration(name: &'static str) -> Result<Configuration, Failure> {
    let found = Description::built_in(name).map_err(model::failure)?;
    let machine = found.machine(&Overrides::default()).map_err(model::failure)?;
    let (engines, window) = (machine.shape.engines, machine.shape.window);
    let memories: Vec<_> = found.memories().collect();
    let details = format!(
        "{engines} {}, {} labels in {} banks, {} MHz; memories {} (default {}; see --memory)",
        if engines == 1 { "engine" } else { "engines" },
        print::grouped(window.into()),
        machine.banks(),
        machine.mhz,
        memories.join(", "),
        machine.memory.name
    );
    Ok(Configuration {
        name: name.to_owned(),
        about: found.about().to_owned(),
        details: vec![details],
        facts: vec![
            ("engines", json!(engines)),
            ("window", json!(window)),
            ("banks", json!(machine.banks())),
            ("memories", json!(memories)),
            ("memory", json!(machine.memory.name)),
            ("mhz", json!(machine.mhz)),
        ],
    })
}
