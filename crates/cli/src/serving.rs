//! The command as a server's host: circuits, values and results in the notation of the command.

use crate::inputs::Given;
use crate::options;
use crate::ports;
use crate::report::{self, Session};
use clap::ValueEnum;
use halfgate_console::circuit_args::{CircuitArgs, FIRST_PAPER, OutputCycles};
use halfgate_console::error::Failure;
use halfgate_console::verilog_args::VerilogArgs;
use halfgate_console::{mips_source, source};
use halfgate_engine::{Engine, Suite};
use halfgate_mips::privacy::{Privacy, PrivacyError};
use halfgate_protocol::session::{Learn, PartyInputs, Report, SecurityLevel};
use halfgate_registry::{CPU, OnCpu};
use halfgate_server::config::Program;
use halfgate_server::host::{Host, Loaded, State, Values};
use std::io::Read;
use std::num::NonZeroUsize;

/// The command, used as a server's host.
pub struct Command {
    /// The security level of programs whose entry has none.
    pub security: SecurityLevel,
}

impl Host for Command {
    fn load(&self, program: &Program) -> Result<Loaded, String> {
        load(program, program.security.unwrap_or(self.security))
    }

    fn engine(&self) -> Result<Box<dyn Engine>, String> {
        // Sessions run side by side, each on one thread.
        let on = OnCpu { threads: Some(NonZeroUsize::MIN), ..OnCpu::default() };
        halfgate_registry::engine(CPU.0, on, &[], None).map_err(text)
    }

    fn inputs(&self, program: &Loaded, values: Values<'_>) -> Result<PartyInputs, String> {
        let nothing: &[u8] = &[];
        let (written, mut stdin) = match values {
            Values::None => (String::new(), nothing),
            Values::File(file) => (format!("@{}", file.display()), nothing),
            Values::Text(text) => ("-".to_owned(), text),
            Values::Bytes(bytes) => ("bytes:-".to_owned(), bytes),
        };
        if written.contains(',') {
            return Err("the name of a file with values must not contain a comma".to_owned());
        }
        let stdin: &mut Option<&mut dyn Read> = &mut Some(&mut stdin);
        let (circuit, role) = (&program.program.circuit, program.config.role);
        let given = Given::read(&written, &program.config.circuit, circuit, role, stdin);
        given.and_then(|given| given.bits(circuit, program.cycles)).map_err(text)
    }

    fn result(&self, program: &Loaded, report: Report) -> Result<String, String> {
        let circuit = circuit_args(&program.config)?;
        let (circuit, _) = mips_source::steps_of(&circuit, program.config.cycles);
        let outputs = &program.program.circuit.outputs;
        ports::check_finished(&circuit, outputs, &report.outputs).map_err(text)?;
        let session = Session {
            program: &program.program,
            suite: program.suite,
            party: Some(program.config.role),
            runs: 1,
            simulated: Vec::new(),
            links: Vec::new(),
        };
        Ok(report::json(&session.result(report)))
    }

    fn notify(&self, state: State) {
        notify(state);
    }
}

fn text(failure: Failure) -> String {
    failure.to_string()
}

fn load(config: &Program, security: SecurityLevel) -> Result<Loaded, String> {
    let circuit = circuit_args(config)?;
    let spec = &circuit.circuit;
    let steps = config.cycles;
    if mips_source::is_one(spec) && steps.is_none() {
        let image = mips_source::image(spec).map_err(text)?;
        image.steps.ok_or_else(|| format!("{spec}: {}", PrivacyError::NoSteps))?;
    }
    let (circuit, cycles) = mips_source::steps_of(&circuit, steps);
    let is_secret = mips_source::is_secret(&circuit);
    if is_secret && config.role == halfgate_circuit::Party::Evaluator {
        return Err(
            "a program that is the garbler's secret may compute anything from this server's \
                    inputs and is not served; set privacy = \"public\""
                .to_owned(),
        );
    }
    let program = source::program(&circuit).map_err(text)?;
    let cycles = source::cycles(cycles, None, &program.circuit).map_err(text)?;
    let outputs = &program.circuit.outputs;
    let mut learn = options::learn(&config.learn, outputs).map_err(text)?;
    ports::check_learn(&circuit, outputs, &learn).map_err(text)?;
    if learn.is_empty() && is_secret {
        learn = vec![Learn::Evaluator; outputs.len()];
    }
    let suite = match &config.suite {
        None => Suite::HalfGates,
        Some(name) => options::suite(name, false).map_err(text)?,
    };
    Ok(Loaded { config: config.clone(), program, cycles, learn, suite, security })
}

fn circuit_args(config: &Program) -> Result<CircuitArgs, String> {
    let given = &config.options;
    let outputs = given.outputs.as_deref().map(|text| OutputCycles::from_str(text, false));
    let privacy = given.privacy.as_deref().map(|text| text.parse::<Privacy>());
    let parameter = given.parameter.iter().map(|text| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(format!("parameter = {text:?}: write NAME=VALUE, as in WIDTH=32")),
    });
    Ok(CircuitArgs {
        circuit: config.circuit.clone(),
        parties: given.parties.clone(),
        order: given.order.clone(),
        as_given: given.as_given,
        outputs: outputs.transpose().map_err(|error| format!("outputs: {error}"))?,
        verilog: VerilogArgs {
            top: given.top.clone(),
            parameter: parameter.collect::<Result<_, _>>()?,
            source: given.source.clone(),
        },
        privacy: privacy.transpose().map_err(|error| format!("privacy: {error}"))?,
        shallow: given.shallow,
        match_paper: given.match_paper.then(|| FIRST_PAPER.to_owned()),
        steps: None,
    })
}

/// Notifies systemd, if it started this process and requests notification.
#[cfg(unix)]
fn notify(state: State) {
    use sd_notify::NotifyState;
    let sent = match state {
        State::Ready(_) => sd_notify::notify(&[NotifyState::Ready]),
        State::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
        State::Reloading => match NotifyState::monotonic_usec_now() {
            Ok(now) => sd_notify::notify(&[NotifyState::Reloading, now]),
            Err(error) => Err(error),
        },
    };
    if let Err(error) = sent {
        tracing::warn!(%error, "cannot notify systemd");
    }
}

#[cfg(not(unix))]
fn notify(_state: State) {}
