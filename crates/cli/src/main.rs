//! The halfgate command.

use clap::Parser;
use clap::error::ErrorKind;
use halfgate_cli::args::Cli;
use halfgate_cli::error::Failure;
use halfgate_cli::{commands, print};
use std::process::ExitCode;

const NO_WORDS: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => commands::execute(cli),
        // Help and version, asked for, and help for a command without any word.
        Err(error) if !error.use_stderr() || error.kind() == NO_WORDS => error.exit(),
        Err(error) => Err(Failure::usage(&error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::note(&failure.to_string());
            ExitCode::from(failure.exit as u8)
        }
    }
}
