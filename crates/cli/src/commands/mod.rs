//! The subcommands, one file each.

mod bench;
mod chip;
mod convert;
mod engines;
mod estimate;
mod fase;
mod fase_labels;
mod garbledcpu;
mod haac;
mod inspect;
mod keygen;
mod layers;
mod mips;
mod overlay;
pub(crate) mod overlay_time;
mod party;
mod programs;
mod reproduce;
mod run;
mod synth;
mod vectors;

use crate::args::{Cli, Command};
use crate::error::Failure;

/// Does what the command line says.
///
/// # Errors
/// With one line for the user and an exit code.
pub fn execute(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Run(args) => run::execute(&args),
        Command::Garble(args) => party::garble(&args),
        Command::Evaluate(args) => party::evaluate(&args),
        Command::Inspect(args) => inspect::execute(&args),
        Command::Convert(args) => convert::execute(&args),
        Command::Vectors(args) => vectors::execute(&args),
        Command::Keygen(args) => keygen::execute(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Scoreboard(args) => bench::scoreboard(&args),
        Command::Synth(args) => synth::execute(&args),
        Command::Mips(command) => mips::execute(&command),
        Command::Overlay(command) => overlay::execute(&command),
        Command::Chip(args) => chip::execute(&args),
        Command::Programs(args) => programs::execute(&args),
        Command::Engines(args) => engines::execute(&args),
        Command::Compile(args) => haac::compile(&args),
        Command::Simulate(args) => haac::simulate(&args),
        Command::Disassemble(args) => haac::disassemble(&args),
        Command::Assemble(args) => haac::assemble(&args),
        Command::Reproduce(args) => reproduce::execute(&args),
        Command::Machines(args) => haac::machines(&args),
    }
}
