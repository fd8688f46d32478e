//! The subcommands, one file each.

mod bench;
mod cache;
mod check;
mod convert;
mod doctor;
mod engines;
mod estimate;
mod figures;
mod inspect;
mod instances;
mod keygen;
mod machines;
mod mips;
mod one_party;
mod party;
mod preprocessing;
mod programs;
mod reproduce;
mod run;
mod serve;
mod shell;
mod silicon;
mod vectors;

use crate::args::{Cli, Command};
use crate::tool_args::LogArgs;
use crate::{guard, logging};
use clap::{ArgMatches, FromArgMatches};
use halfgate_console::error::Failure;
use halfgate_registry::{MACHINES, with_configuration, with_program_files};

/// The options of every command, which may precede or follow its name.
fn log_args(matches: &ArgMatches) -> Result<LogArgs, Failure> {
    let mut deepest = matches;
    while let Some((_, deeper)) = deepest.subcommand() {
        deepest = deeper;
    }
    LogArgs::from_arg_matches(deepest).map_err(|error| Failure::usage(&error))
}

/// Executes the command line.
///
/// # Errors
/// One line for the user and an exit code.
pub fn execute(matches: &ArgMatches) -> Result<(), Failure> {
    let log = log_args(matches)?;
    // A server's log has its own options.
    if matches.subcommand_name() != Some("serve") {
        logging::start(&log)?;
    }
    if let Some((name, own)) = matches.subcommand() {
        for machine in MACHINES {
            if machine.commands().iter().any(|command| command.get_name() == name) {
                return machine.execute(name, own);
            }
        }
    }
    let cli = Cli::from_arg_matches(matches).map_err(|error| Failure::usage(&error))?;
    let has_secrets = matches!(
        cli.command,
        Command::Run(_)
            | Command::Garble(_)
            | Command::Evaluate(_)
            | Command::Serve(_)
            | Command::Keygen(_)
            | Command::Instances(_)
    );
    if has_secrets {
        guard::forbid_dumps();
    }
    match cli.command {
        Command::Run(args) => run::execute(&args),
        Command::Garble(args) => party::garble(&args),
        Command::Evaluate(args) => party::evaluate(&args),
        Command::Serve(args) => serve::execute(&args, &log),
        Command::Inspect(args) => inspect::execute(&args, matches),
        Command::Instances(args) => instances::execute(&args),
        Command::Convert(args) => convert::execute(&args),
        Command::Vectors(args) => vectors::execute(&args),
        Command::Keygen(args) => keygen::execute(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Scoreboard(args) => bench::scoreboard(&args),
        Command::Silicon(args) => silicon::execute(&args),
        Command::Mips(command) => mips::execute(&command),
        Command::Programs(args) => programs::execute(&args),
        Command::Engines(args) => engines::execute(&args),
        Command::Compile(args) => with_configuration(&args.machine.machine)?.compile(&args),
        Command::Simulate(args) => with_configuration(&args.machine.machine)?.simulate(&args),
        Command::Disassemble(args) => with_program_files()?.disassemble(&args),
        Command::Assemble(args) => with_program_files()?.assemble(&args),
        Command::Reproduce(args) => reproduce::execute(&args),
        Command::Machines(args) => machines::execute(&args),
        Command::Doctor(args) => doctor::execute(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
        Command::Cache(args) => cache::execute(&args),
    }
}
