//! The halfgate command.

use clap::Parser;
use halfgate_cli::args::Cli;
use halfgate_cli::{commands, print};
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::execute(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            print::note(&failure.to_string());
            ExitCode::from(failure.exit as u8)
        }
    }
}
