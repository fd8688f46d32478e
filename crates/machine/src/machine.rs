//! The trait.

use crate::args::{AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs};
use clap::ArgMatches;
use halfgate_circuit::{Circuit, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, Resource, Suite};
use halfgate_record::part::{Effort, Part};
use halfgate_record::record::Figure;
use std::fmt;
use std::path::Path;

/// What a machine offers to the command and the benchmarks. Everything that lists machines finds
/// them through this trait, in the registry.
///
/// A machine implements what it has: the rest is refused by name.
pub trait Machine: Sync {
    /// The name: that of its folder, and the first word of its configurations' names.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// The parties that it can be.
    fn roles(&self) -> &'static [Party];

    /// The suites that it runs.
    fn suites(&self) -> &'static [Suite];

    /// Its engines: how each kind is written, and what it is.
    fn engines(&self) -> &'static [EngineForm];

    /// Its configurations, as `halfgate machines` lists them.
    ///
    /// # Errors
    /// If a description that it ships is refused.
    fn configurations(&self) -> Result<Vec<Configuration>, Failure>;

    /// Whether `name`, without options, is one of its configurations: by its name, or as a file
    /// that describes one. A name that no machine takes is an error that lists those of all, so a
    /// machine whose configurations can be told apart should take its own only.
    fn is_named(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Whether a description (.toml) that no other machine takes by its file's name is this one's.
    fn reads_any_description(&self) -> bool {
        false
    }

    /// The engine that is asked for.
    ///
    /// # Errors
    /// If there is no such configuration or option, it has not the role, or it cannot be built.
    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure>;

    /// The option of its engine `engine` (as a user names it, without options) that says how much
    /// of `resource` there is; `None` where that cannot be chosen.
    fn size_option(&self, engine: &str, resource: Resource) -> Option<SizeOption> {
        let _ = (engine, resource);
        None
    }

    /// `halfgate simulate`.
    ///
    /// # Errors
    /// If an option is not for it, the circuit cannot be had, or anything differs that is compared.
    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("model to simulate alone"))
    }

    /// Whether it has program files (.hgp): then it compiles, and is asked about such files.
    fn has_program_files(&self) -> bool {
        false
    }

    /// `halfgate compile`.
    ///
    /// # Errors
    /// If the circuit cannot be had or lowered, or the file cannot be written.
    fn compile(&self, args: &CompileArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// `halfgate disassemble`.
    ///
    /// # Errors
    /// If the file is refused, or the text cannot be written.
    fn disassemble(&self, args: &DisassembleArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// `halfgate assemble`.
    ///
    /// # Errors
    /// If the text is refused, or the file cannot be written.
    fn assemble(&self, args: &AssembleArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// `halfgate inspect` of a program file.
    ///
    /// # Errors
    /// If the file is refused.
    fn inspect_program_file(&self, path: &Path, json: bool) -> Result<(), Failure> {
        let _ = (path, json);
        Err(self.lacks("program files"))
    }

    /// Adds its options to `halfgate inspect`.
    fn inspect_options(&self, command: clap::Command) -> clap::Command {
        command
    }

    /// Whether one of its options of `halfgate inspect` is given, so that it is to print.
    fn is_inspecting(&self, matches: &ArgMatches) -> bool {
        let _ = matches;
        false
    }

    /// `halfgate inspect` with one of its options.
    ///
    /// # Errors
    /// If the circuit is not for it.
    fn inspect(&self, matches: &ArgMatches, circuit: &Circuit, json: bool) -> Result<(), Failure> {
        let _ = (matches, circuit, json);
        Err(self.lacks("options of `halfgate inspect`"))
    }

    /// The parts of its paper that `halfgate reproduce` knows, for `--only`. Empty if there is no
    /// paper.
    fn parts(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Those of [`parts`](Machine::parts) whose recorded rows come out the same again, but for rows
    /// that are marked as timed, and what that takes: what `halfgate reproduce --check` runs.
    fn checks(&self) -> &'static [(&'static str, Effort)] {
        &[]
    }

    /// `halfgate reproduce`. The targets are at least those of the parts that are asked for, each
    /// with the name of its part.
    ///
    /// # Errors
    /// If an option is not for it, or a figure cannot be had for a reason that it does not print.
    fn reproduce(&self, args: &ReproduceArgs) -> Result<Reproduced, Failure> {
        let _ = args;
        Err(self.lacks("paper to reproduce"))
    }

    /// Groups of its own for `halfgate bench`: a name and what is measured.
    fn benchmarks(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Measures the group `name`; `command` is the `halfgate` binary, `report` gets what is being
    /// done.
    ///
    /// # Errors
    /// Whatever kept a measurement from being taken.
    fn benchmark(
        &self,
        name: &str,
        command: &Path,
        report: &mut dyn FnMut(&str),
    ) -> Result<Vec<Figure>, String> {
        let _ = (command, report);
        Err(format!("machine {} has no benchmark {name:?}", self.name()))
    }

    /// Commands of its own, such as one that synthesises it.
    fn commands(&self) -> Vec<clap::Command> {
        Vec::new()
    }

    /// Executes the command of its own called `name`.
    ///
    /// # Errors
    /// Those of the command.
    fn execute(&self, name: &str, matches: &ArgMatches) -> Result<(), Failure> {
        let _ = matches;
        Err(self.lacks(&format!("command {name:?}")))
    }

    /// Examples for the help of the command called `name`, a line each.
    fn examples(&self, name: &str) -> &'static [&'static str] {
        let _ = name;
        &[]
    }

    /// A refusal: it has no `what`.
    fn lacks(&self, what: &str) -> Failure {
        Failure::new(Exit::Unknown, format!("machine {} has no {what}", self.name()))
    }
}

/// Where an engine of a machine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// In its cycle model.
    Model,
    /// In its SystemVerilog, simulated.
    Rtl,
    /// On a device that is attached.
    Device,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Model => "model",
            Kind::Rtl => "rtl",
            Kind::Device => "device",
        })
    }
}

/// How an engine is written, and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineForm {
    /// Where it runs.
    pub kind: Kind,
    /// How a user writes it, its prefix first: `model:NAME[,KEY=VALUE…]`.
    pub form: &'static str,
    /// What it is.
    pub about: &'static str,
}

impl EngineForm {
    /// What stands before the first colon: `model`, `rtl`, or the name of a device.
    pub fn prefix(&self) -> &'static str {
        self.form.split(':').next().unwrap_or_default()
    }
}

/// An option of an engine that says how much there is of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeOption {
    /// The key, as in `rtl:NAME,KEY=VALUE`.
    pub key: &'static str,
    /// The most that it can say. It must be a power of two.
    pub most: u64,
}

/// A machine as it is built: its sizes and speed.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The name, or names that differ in a number: `name-N with 1 to 4 pipelines`.
    pub name: String,
    /// What it is.
    pub about: String,
    /// More lines for people.
    pub details: Vec<String>,
    /// More facts for `--json`.
    pub facts: Vec<(&'static str, serde_json::Value)>,
}

/// An engine that a user asks for.
#[derive(Clone, Copy, Debug)]
pub struct EngineRequest<'a> {
    /// Where it is to run.
    pub kind: Kind,
    /// The whole text, for messages.
    pub whole: &'a str,
    /// The text behind the prefix: a configuration or a port, and options.
    pub text: &'a str,
    /// The kernel that computes labels, if not the best one.
    pub kernel: Option<&'a str>,
    /// The parties that it will be.
    pub roles: &'a [Party],
    /// Where waveforms go; for SystemVerilog only.
    pub trace: Option<&'a Path>,
}

/// What came of a paper's figures.
#[derive(Default)]
pub struct Reproduced {
    /// Its tables and figures.
    pub parts: Vec<Part>,
    /// The targets for the scoreboard.
    pub targets: Vec<Figure>,
}
