//! The arguments of `halfgate serve`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `halfgate serve`.
#[derive(Args, Debug)]
#[command(after_help = SERVE_HELP)]
pub struct ServeArgs {
    /// The server's configuration: a TOML file that names peers, the programs that each may run,
    /// this side's inputs, and limits. docs/serve.md has every key
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,

    /// Check the configuration and all that it names, print what would be served, and exit
    #[arg(long)]
    pub check: bool,

    /// When the server is told to stop, let sessions in progress go on for so many seconds. Those
    /// that are left are cancelled then, and their peers told
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=86400))]
    pub grace: u64,

    /// The log on standard error: text, or an object a line
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// The same as --log-format json; with --check one object on standard output
    #[arg(long)]
    pub json: bool,
}

/// How the log of a server is written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line of text for each event.
    Text,
    /// An object for each event, on a line of its own.
    Json,
}

impl ServeArgs {
    /// Whether the log is JSON.
    pub fn logs_json(&self) -> bool {
        self.json || self.log_format == LogFormat::Json
    }

    /// How long sessions may go on after the end.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.grace)
    }
}

const SERVE_HELP: &str = "\
Examples:
  halfgate keygen server
  halfgate serve serve.toml --check
  halfgate serve serve.toml
with this serve.toml:
  listen = \":7766\"
  identity = \"server\"
  metrics = \"127.0.0.1:9766\"

  [[peer]]
  name = \"alice\"
  key = \"alice.pub\"
  programs = [\"compare\"]
  limits = { sessions = 2, rate = 30 }

  [[program]]
  name = \"compare\"
  circuit = \"millionaires:32\"
  role = \"garbler\"
  inputs = { file = \"wealth.json\" }
  learn = \"evaluator\"
A peer runs the ordinary command, and names the program if it may run several:
  halfgate evaluate millionaires:32 --identity alice --peer server.pub --connect HOST:7766 \\
      --program-name compare --learn evaluator --input @own.json

SIGTERM or SIGINT ends it in order, a second one at once; SIGHUP reads the configuration again.
Each answer tells a peer something about this side's inputs: limits bound how many it gets.";
