//! Arguments that concern the command itself: its output on standard error, shell completions, man
//! pages, and the tools of this computer.

use clap::{ArgAction, Args};
use std::path::PathBuf;

/// Amount of output on standard error. Every command has these options.
#[derive(Args, Debug, Clone, Default)]
pub struct LogArgs {
    /// Log the work done, with times, on standard error: -v the steps, -vv the details, -vvv all.
    /// Without -v, RUST_LOG selects by target. No log has a value, a label or a key
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// No notes and no progress on standard error: warnings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// `halfgate completions`.
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  halfgate completions bash >~/.local/share/bash-completion/completions/halfgate
  halfgate completions zsh >~/.zfunc/_halfgate
  halfgate completions fish >~/.config/fish/completions/halfgate.fish";

/// `halfgate man`.
#[derive(Args, Debug)]
#[command(after_help = MAN_HELP)]
pub struct ManArgs {
    /// The folder to write to; it is created if missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

const MAN_HELP: &str = "\
Examples:
  halfgate man ~/.local/share/man/man1
  man halfgate-garble";

/// `halfgate doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}
