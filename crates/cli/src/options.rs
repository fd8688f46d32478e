//! Converts the options' texts to the options of a session.

use crate::ports;
use crate::session_args::{CommonArgs, Ot};
use halfgate_circuit::Output;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_engine::{Engine, Strength, Suite, kernels};
use halfgate_protocol::session::{
    Deadlines, Learn, OtMode, RunOptions, SecurityLevel, SessionError,
};
use halfgate_registry::{CPU, OnCpu, engine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Returns the suite if a session may use it; `insecure` allows a weak one.
///
/// # Errors
/// If the suite is unknown, or broken, or weak and not allowed.
pub fn suite(name: &str, insecure: bool) -> Result<Suite, Failure> {
    let suite: Suite = name.parse().map_err(Failure::with(Exit::Unknown))?;
    let default = Suite::HalfGates;
    let refused = match suite.strength() {
        Strength::Broken => format!(
            "suite {suite} is broken: one table reveals the offset, so no session may use it; use {default}"
        ),
        Strength::Weak if !insecure => format!(
            "suite {suite} has labels of {} bits, below today's level: to use it all the same, add \
             --insecure-suite; {default} is the default",
            suite.label_bits()
        ),
        Strength::Weak | Strength::Sound => return Ok(suite),
    };
    Err(Failure::new(Exit::Unknown, refused))
}

/// Checks that the suite, the transfers and the `engines` suit the security level. Callers do so
/// before they build an engine or wait for a peer.
///
/// # Errors
/// If the suite is unknown, or a malicious session was given something that it cannot use.
pub fn check_security(common: &CommonArgs, engines: &[&str]) -> Result<(), Failure> {
    if common.security == SecurityLevel::SemiHonest {
        return Ok(());
    }
    let suite: Suite = common.suite.name.parse().map_err(Failure::with(Exit::Unknown))?;
    let (security, ot) = (common.security, mode(common.ot));
    let options = RunOptions { suite, security, ot, ..RunOptions::default() };
    options.check_security()?;
    match engines.iter().find(|&&engine| engine != CPU.0) {
        Some(&engine) => Err(SessionError::Unauthenticated { engine: engine.to_owned() }.into()),
        None => Ok(()),
    }
}

fn mode(ot: Ot) -> OtMode {
    match ot {
        Ot::SemiHonest => OtMode::SemiHonest,
        Ot::Malicious => OtMode::Malicious,
    }
}

/// Makes the options of a session over `outputs`, for `cycles` cycles. If the suite is not the
/// default, it is named on standard error.
///
/// # Errors
/// If the suite or an output of `--learn` is unknown.
pub fn session(
    common: &CommonArgs,
    outputs: &[Output],
    cycles: u64,
    cancel: &Arc<AtomicBool>,
) -> Result<RunOptions, Failure> {
    let suite = suite(&common.suite.name, common.suite.insecure_suite)?;
    if suite != Suite::HalfGates {
        let how = match suite.strength() {
            Strength::Sound => "",
            _ => ", INSECURE",
        };
        print::note(&format!("suite {suite}{how}, not the default {}", Suite::HalfGates));
    }
    let learn = learn(&common.learn, outputs)?;
    ports::check_learn(&common.circuit, outputs, &learn)?;
    Ok(RunOptions {
        suite,
        insecure_suite: common.suite.insecure_suite,
        cycles,
        learn,
        security: common.security,
        ot: mode(common.ot),
        ot_field: common.ot_field,
        timeout: Duration::from_secs_f64(common.timeout),
        deadlines: Deadlines::default(),
        feed: None,
        stream: common.stream_outputs,
        cancel: Arc::clone(cancel),
        program_name: String::new(),
    })
}

/// Who learns each output. Empty if the user did not set it: both parties learn all of them.
///
/// # Errors
/// If a text does not name an output or a party.
pub fn learn(texts: &[String], outputs: &[Output]) -> Result<Vec<Learn>, Failure> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    // The general choice comes first, wherever it stands: the choice for an output is beside it.
    let (mut general, mut own) = (None, vec![None; outputs.len()]);
    let choose = |place: &mut Option<Learn>, who: Learn, what: &str| match place.replace(who) {
        Some(before) if before != who => {
            let what = format!("--learn: {what} is given twice, with different parties");
            Err(Failure::new(Exit::Usage, what))
        }
        _ => Ok(()),
    };
    for text in texts {
        match text.rsplit_once('=') {
            None => choose(&mut general, learner(text)?, "the choice for all outputs")?,
            Some((name, text)) => {
                let learner = learner(text)?;
                let mut found = false;
                for (output, own) in outputs.iter().zip(&mut own) {
                    if output.name == name {
                        found = true;
                        choose(own, learner, &format!("output {name:?}"))?;
                    }
                }
                if !found {
                    let names: Vec<_> = outputs.iter().map(|o| o.name.as_str()).collect();
                    let what = format!(
                        "--learn: there is no output {name:?}; the outputs are {}",
                        names.join(", ")
                    );
                    return Err(Failure::new(Exit::Usage, what));
                }
            }
        }
    }
    let general = general.unwrap_or(Learn::Both);
    Ok(own.into_iter().map(|own| own.unwrap_or(general)).collect())
}

fn learner(text: &str) -> Result<Learn, Failure> {
    match text {
        "garbler" => Ok(Learn::Garbler),
        "evaluator" => Ok(Learn::Evaluator),
        "both" => Ok(Learn::Both),
        "none" => Ok(Learn::None),
        other => {
            let what =
                format!("--learn: {other:?} is not one of garbler, evaluator, both and none");
            Err(Failure::new(Exit::Usage, what))
        }
    }
}

/// The CPU engine with each kernel that works on this computer, best first. A line on standard
/// error names the others.
///
/// # Errors
/// If a kernel that should work fails.
pub fn every_kernel() -> Result<Vec<Box<dyn Engine>>, Failure> {
    let mut engines = Vec::new();
    for kernel in kernels::KERNELS {
        if kernel.is_available() {
            let on = OnCpu { kernel: Some(kernel.name), ..OnCpu::default() };
            engines.push(engine(CPU.0, on, &[], None)?);
        } else {
            print::note(&format!("kernel {} not run: this processor lacks it", kernel.name));
        }
    }
    Ok(engines)
}
