//! The arguments of `halfgate serve`.

use crate::session_args::levels;
use clap::{Args, ValueEnum};
use halfgate_protocol::session::SecurityLevel;
use std::path::PathBuf;
use std::time::Duration;

/// `halfgate serve`.
#[derive(Args, Debug)]
#[command(after_help = SERVE_HELP)]
pub struct ServeArgs {
    /// The server's configuration: a TOML file with the peers, the programs that each may run, this
    /// side's inputs, and limits. docs/serve.md documents every key
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,

    /// Check the configuration and all files that it names, print what would be served, and exit
    #[arg(long)]
    pub check: bool,

    /// Security of sessions of the programs whose entry has no `security`; a peer must set the same
    #[arg(long, value_name = "LEVEL", default_value = "semi-honest", value_parser = levels())]
    pub security: SecurityLevel,

    /// When the server is stopped, let sessions in progress continue for this many seconds.
    /// Remaining sessions are then cancelled and their peers notified
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=86400))]
    pub grace: u64,

    /// Format of the log on standard error: text, or one JSON object per line
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// Same as --log-format json; with --check, print one object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Format of a server's log.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line of text for each event.
    Text,
    /// A JSON object for each event, on its own line.
    Json,
}

impl ServeArgs {
    /// Whether the log is JSON.
    pub fn logs_json(&self) -> bool {
        self.json || self.log_format == LogFormat::Json
    }

    /// How long sessions may continue after a stop.
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

SIGTERM or SIGINT stops the server once its sessions have ended, or --grace has passed; a second
signal stops it at once. SIGHUP reloads the configuration.
Each result reveals something about this side's inputs to a peer, so limits bound their number.";
