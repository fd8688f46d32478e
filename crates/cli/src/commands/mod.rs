//! The subcommands, one file each.

mod bench;
mod convert;
mod engines;
mod estimate;
mod inspect;
mod keygen;
mod machines;
mod mips;
mod party;
mod programs;
mod reproduce;
mod run;
mod vectors;

use crate::args::{Cli, Command};
use clap::{ArgMatches, FromArgMatches};
use halfgate_console::error::Failure;
use halfgate_registry::{MACHINES, with_configuration, with_program_files};

/// Does what the command line says.
///
/// # Errors
/// With one line for the user and an exit code.
pub fn execute(matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((name, own)) = matches.subcommand() {
        for machine in MACHINES {
            if machine.commands().iter().any(|command| command.get_name() == name) {
                return machine.execute(name, own);
            }
        }
    }
    let cli = Cli::from_arg_matches(matches).map_err(|error| Failure::usage(&error))?;
    match cli.command {
        Command::Run(args) => run::execute(&args),
        Command::Garble(args) => party::garble(&args),
        Command::Evaluate(args) => party::evaluate(&args),
        Command::Inspect(args) => inspect::execute(&args, matches),
        Command::Convert(args) => convert::execute(&args),
        Command::Vectors(args) => vectors::execute(&args),
        Command::Keygen(args) => keygen::execute(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Scoreboard(args) => bench::scoreboard(&args),
        Command::Mips(command) => mips::execute(&command),
        Command::Programs(args) => programs::execute(&args),
        Command::Engines(args) => engines::execute(&args),
        Command::Compile(args) => with_configuration(&args.machine.machine)?.compile(&args),
        Command::Simulate(args) => with_configuration(&args.machine.machine)?.simulate(&args),
        Command::Disassemble(args) => with_program_files()?.disassemble(&args),
        Command::Assemble(args) => with_program_files()?.assemble(&args),
        Command::Reproduce(args) => reproduce::execute(&args),
        Command::Machines(args) => machines::execute(&args),
    }
}
