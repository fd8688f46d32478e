//! A run of a program in a malicious session, for both parties.

use super::correlate::Correlator;
use super::cost::Phase;
use super::job::{Job, Own, Secrets};
use super::link::Link;
use super::making::Making;
use super::meter::Meter;
use super::online::Online;
use super::outputs::Outputs;
use crate::session::SessionError;
use crate::session::reports::Ended;
use halfgate_engine::Counters;

/// Runs the program once.
///
/// # Errors
/// If the connection is lost, an engine fails, or a check fails.
pub(super) fn run(
    job: Job<'_>,
    link: &mut Link<'_>,
    correlator: &mut Correlator,
    own: &mut Own<'_, '_>,
) -> Result<(Ended, Counters), SessionError> {
    let secrets = Secrets::new(correlator)?;
    std::thread::scope(|scope| {
        let mut making = Making::start(scope, job, &secrets)?;
        let mut online = Online::start(scope, job, &secrets)?;
        let mut outputs = job.outputs();
        let mut meter = Meter::start(link);
        loop {
            own.begins(Phase::Correlations);
            let mut ready = making.masks(link, correlator, &outputs, own.events)?;
            meter.ended(Phase::Correlations, link);
            let masked = ready.masked(&mut own.values)?;
            // The evaluator's masked values travel while the tables do. They are an online message.
            online.begin(link, &masked)?;
            meter.ended(Phase::Online, link);
            own.begins(Phase::FunctionDependent);
            making.tables(link, &mut ready)?;
            meter.ended(Phase::FunctionDependent, link);
            own.begins(Phase::Online);
            let ended = ready.ended;
            making.reuse(online.window(link, (ready, masked), own, &mut outputs)?);
            meter.ended(Phase::Online, link);
            (own.events)(making.progress());
            if let Some(counters) = ended {
                return end(link, (outputs, meter), counters);
            }
        }
    })
}

/// Ends a run.
///
/// # Errors
/// If the connection is lost, and this party learns no output.
pub(super) fn end(
    link: &mut Link<'_>,
    (outputs, meter): (Outputs<'_>, Meter),
    counters: Counters,
) -> Result<(Ended, Counters), SessionError> {
    let end = link.end("ending the run");
    match end {
        Err(error) if !outputs.learned.is_something() => Err(error),
        end => {
            let (outputs, phases) = (outputs.learned.into_values(), meter.phases());
            let ended = Ended { outputs, phases, error: end.err() };
            Ok((ended, counters))
        }
    }
}
