//! The trait of all machines.

use crate::args::{AssembleArgs, CompileArgs, DisassembleArgs, ReproduceArgs, SimulateArgs};
use clap::ArgMatches;
use halfgate_circuit::{Circuit, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, Resource, Suite};
use halfgate_record::part::{Effort, Part};
use halfgate_record::record::Figure;
use halfgate_synthesis::silicon::{Found, Piece};
use std::fmt;
use std::path::Path;

/// The interface of a machine to the command and the benchmarks. Everything that lists machines
/// finds them through this trait, in the registry.
///
/// A machine implements the methods that it supports; the default methods refuse by name.
pub trait Machine: Sync {
    /// The name: that of its folder, and the first word of the names of its configurations.
    fn name(&self) -> &'static str;

    /// A description in one line.
    fn summary(&self) -> &'static str;

    /// The supported parties.
    fn roles(&self) -> &'static [Party];

    /// The supported suites.
    fn suites(&self) -> &'static [Suite];

    /// Its engines: for each kind its syntax and a description.
    fn engines(&self) -> &'static [EngineForm];

    /// Its configurations, as `halfgate machines` lists them.
    ///
    /// # Errors
    /// If a description that it ships is invalid.
    fn configurations(&self) -> Result<Vec<Configuration>, Failure>;

    /// Whether `name`, without options, is one of its configurations: a name, or a file with a
    /// description. If no machine accepts a name, the error lists the names of all. So a machine
    /// that can recognise its own configurations should accept only those.
    fn is_named(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Whether this machine reads a description (.toml) that no other machine accepts by its file
    /// name.
    fn reads_any_description(&self) -> bool {
        false
    }

    /// Creates the requested engine.
    ///
    /// # Errors
    /// If the configuration or option is unknown, the machine lacks the role, or the engine cannot
    /// be built.
    fn engine(&self, requested: &EngineRequest<'_>) -> Result<Box<dyn Engine>, Failure>;

    /// The option of its engine `engine` (named without options) that sets the size of `resource`;
    /// `None` if that size is fixed.
    fn size_option(&self, engine: &str, resource: Resource) -> Option<SizeOption> {
        let _ = (engine, resource);
        None
    }

    /// Runs `halfgate simulate`.
    ///
    /// # Errors
    /// If the machine does not support an option, the circuit cannot be read, or a compared value
    /// differs.
    fn simulate(&self, args: &SimulateArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("model to simulate alone"))
    }

    /// Whether it has program files (.hgp). Then it supports `halfgate compile` and reads such
    /// files.
    fn has_program_files(&self) -> bool {
        false
    }

    /// Runs `halfgate compile`.
    ///
    /// # Errors
    /// If the circuit cannot be read or lowered, or the file cannot be written.
    fn compile(&self, args: &CompileArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// Runs `halfgate disassemble`.
    ///
    /// # Errors
    /// If the file is invalid, or the text cannot be written.
    fn disassemble(&self, args: &DisassembleArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// Runs `halfgate assemble`.
    ///
    /// # Errors
    /// If the text is invalid, or the file cannot be written.
    fn assemble(&self, args: &AssembleArgs) -> Result<(), Failure> {
        let _ = args;
        Err(self.lacks("program files"))
    }

    /// Runs `halfgate inspect` on a program file.
    ///
    /// # Errors
    /// If the file is invalid.
    fn inspect_program_file(&self, path: &Path, json: bool) -> Result<(), Failure> {
        let _ = (path, json);
        Err(self.lacks("program files"))
    }

    /// Adds its options to `halfgate inspect`.
    fn inspect_options(&self, command: clap::Command) -> clap::Command {
        command
    }

    /// Whether `matches` has one of its options of `halfgate inspect`.
    fn is_inspecting(&self, matches: &ArgMatches) -> bool {
        let _ = matches;
        false
    }

    /// Runs `halfgate inspect` with one of its options.
    ///
    /// # Errors
    /// If the circuit does not suit the machine.
    fn inspect(&self, matches: &ArgMatches, circuit: &Circuit, json: bool) -> Result<(), Failure> {
        let _ = (matches, circuit, json);
        Err(self.lacks("options of `halfgate inspect`"))
    }

    /// The parts of its paper that `halfgate reproduce` supports, for `--only`. Empty if it has no
    /// paper.
    fn parts(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The parts, among [`parts`](Machine::parts), whose recorded rows are equal on every computer
    /// (except rows marked as timed), each with the time that it takes. `halfgate reproduce
    /// --check` runs these.
    fn checks(&self) -> &'static [(&'static str, Effort)] {
        &[]
    }

    /// Runs `halfgate reproduce`. The returned targets include at least those of the requested
    /// parts, each with the name of its part.
    ///
    /// # Errors
    /// If the machine does not support an option, or a figure cannot be computed and the method
    /// does not print the reason.
    fn reproduce(&self, args: &ReproduceArgs) -> Result<Reproduced, Failure> {
        let _ = args;
        Err(self.lacks("paper to reproduce"))
    }

    /// Its own groups for `halfgate bench`: a name and a description of what is measured.
    fn benchmarks(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Measures the group `name`. `command` is the `halfgate` binary; `report` receives a
    /// description of each step.
    ///
    /// # Errors
    /// The reason why a measurement could not be taken.
    fn benchmark(
        &self,
        name: &str,
        command: &Path,
        report: &mut dyn FnMut(&str),
    ) -> Result<Vec<Figure>, String> {
        let _ = (command, report);
        Err(format!("machine {} has no benchmark {name:?}", self.name()))
    }

    /// Its parts that `halfgate silicon` measures in standard cells, and how much of the time
    /// programs use them. `report` receives a description of each step.
    ///
    /// # Errors
    /// If a description that it ships is invalid, or a program cannot be simulated.
    fn silicon(&self, report: &mut dyn FnMut(&str)) -> Result<Vec<Piece>, String> {
        let _ = report;
        Ok(Vec::new())
    }

    /// What follows from its parts in standard cells, such as a paper's table beside ours. Parts
    /// that were not measured leave gaps with a reason.
    fn in_silicon(&self, found: &Found) -> Vec<Part> {
        let _ = found;
        Vec::new()
    }

    /// Its own commands, such as one for synthesis.
    fn commands(&self) -> Vec<clap::Command> {
        Vec::new()
    }

    /// Executes its own command called `name`.
    ///
    /// # Errors
    /// Those of the command.
    fn execute(&self, name: &str, matches: &ArgMatches) -> Result<(), Failure> {
        let _ = matches;
        Err(self.lacks(&format!("command {name:?}")))
    }

    /// Examples for the help of the command called `name`, one per line.
    fn examples(&self, name: &str) -> &'static [&'static str] {
        let _ = name;
        &[]
    }

    /// The error that it has no `what`.
    fn lacks(&self, what: &str) -> Failure {
        Failure::new(Exit::Unknown, format!("machine {} has no {what}", self.name()))
    }
}

/// Where an engine of a machine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// In the cycle model.
    Model,
    /// In simulated SystemVerilog.
    Rtl,
    /// On an attached device.
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

/// The syntax of an engine, and its description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineForm {
    /// Where it runs.
    pub kind: Kind,
    /// The syntax, prefix first: `model:NAME[,KEY=VALUE…]`.
    pub form: &'static str,
    /// The description.
    pub about: &'static str,
}

impl EngineForm {
    /// The text before the first colon: `model`, `rtl`, or the name of a device.
    pub fn prefix(&self) -> &'static str {
        self.form.split(':').next().unwrap_or_default()
    }
}

/// An option of an engine that sets the size of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeOption {
    /// The key, as in `rtl:NAME,KEY=VALUE`.
    pub key: &'static str,
    /// The largest value, which must be a power of two.
    pub most: u64,
}

/// A configuration of a machine: its sizes and speed.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The name, or a pattern for names that differ in a number: `name-N with 1 to 4 pipelines`.
    pub name: String,
    /// The description.
    pub about: String,
    /// Further lines of the text output.
    pub details: Vec<String>,
    /// Further fields of the `--json` output.
    pub facts: Vec<(&'static str, serde_json::Value)>,
}

/// A user's request for an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineRequest<'a> {
    /// Where the engine runs.
    pub kind: Kind,
    /// The whole text, for messages.
    pub whole: &'a str,
    /// The text after the prefix: a configuration or a port, and options.
    pub text: &'a str,
    /// The kernel that computes labels, if a certain one is requested.
    pub kernel: Option<&'a str>,
    /// The roles that the engine is used for.
    pub roles: &'a [Party],
    /// The file for waveforms; for SystemVerilog only.
    pub trace: Option<&'a Path>,
}

/// The reproduced figures of a paper.
#[derive(Default)]
pub struct Reproduced {
    /// Its tables and figures.
    pub parts: Vec<Part>,
    /// The targets for the scoreboard.
    pub targets: Vec<Figure>,
}
