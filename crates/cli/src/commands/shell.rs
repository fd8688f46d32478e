//! `halfgate completions` and `halfgate man`.

use crate::args;
use crate::tool_args::{CompletionsArgs, ManArgs};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;

const NAME: &str = "halfgate";

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), NAME, &mut text);
    print::line(String::from_utf8_lossy(&text).trim_end())
}

/// Writes one page for the command and one for each of its subcommands.
pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    let failed = |error| {
        Failure::new(
            Exit::Local,
            format!("cannot write man pages to {}: {error}", folder.display()),
        )
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    // `halfgate help` gets no page: it would repeat the other pages.
    let command = args::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).map_err(failed)?;
    print::line(&format!("{}", folder.join(format!("{NAME}.1")).display()))
}
