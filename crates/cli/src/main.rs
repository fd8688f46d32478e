//! The halfgate command.

use clap::error::ErrorKind;
use halfgate_cli::{args, commands};
use halfgate_console::error::Failure;
use halfgate_console::print;
use std::process::ExitCode;

const NO_WORDS: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

fn main() -> ExitCode {
    let done = match args::command().try_get_matches() {
        Ok(matches) => commands::execute(&matches),
        // Help and version on request, and help for a command without arguments.
        Err(error) if !error.use_stderr() || error.kind() == NO_WORDS => error.exit(),
        Err(error) => Err(Failure::usage(&error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::error(&failure.to_string());
            ExitCode::from(failure.exit as u8)
        }
    }
}
