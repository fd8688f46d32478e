//! The log on standard error, beside notes and errors, if the user requests it.
//!
//! Only our own crates log with `-v`. `halfgate_protocol` documents what they may log.

use crate::tool_args::LogArgs;
use halfgate_compiler::Program;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print::{self, Verbosity};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::time::uptime;

const VARIABLE: &str = "RUST_LOG";

/// Starts the log that the options request, or else `RUST_LOG`.
///
/// # Errors
/// If `RUST_LOG` is not a valid filter.
pub fn start(args: &LogArgs) -> Result<(), Failure> {
    if args.quiet {
        print::set_verbosity(Verbosity::Quiet);
        return Ok(());
    }
    let filter = match args.verbose {
        0 => match std::env::var(VARIABLE) {
            Ok(text) if !text.trim().is_empty() => text,
            _ => return Ok(()),
        },
        1 => "halfgate=info".to_owned(),
        2 => "halfgate=debug".to_owned(),
        _ => "halfgate=trace".to_owned(),
    };
    let filter = filter_of(&filter)?;
    print::set_verbosity(Verbosity::Log);
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_timer(uptime())
        // A closed standard error must not end the process.
        .log_internal_errors(false);
    // A second start in one process, as in tests, keeps the first.
    let _ = log.try_init();
    tracing::debug!(version = env!("CARGO_PKG_VERSION"), "halfgate");
    Ok(())
}

/// Starts the log of a server on standard error: its own events, and with -v those of sessions.
///
/// # Errors
/// If `RUST_LOG` is not a valid filter.
pub fn start_server(args: &LogArgs, json: bool) -> Result<(), Failure> {
    // Notes and progress are for interactive use.
    print::set_verbosity(Verbosity::Quiet);
    let given = std::env::var(VARIABLE).ok().filter(|text| !text.trim().is_empty());
    let filter = match (args.quiet, args.verbose, given) {
        (true, ..) => "warn".to_owned(),
        (false, 0, Some(text)) => text,
        (false, 0, None) => "halfgate_server=info".to_owned(),
        (false, 1, _) => "halfgate=info".to_owned(),
        (false, 2, _) => "halfgate=debug".to_owned(),
        (false, ..) => "halfgate=trace".to_owned(),
    };
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter_of(&filter)?)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .log_internal_errors(false);
    let _ = match json {
        true => log.json().flatten_event(true).try_init(),
        false => log.try_init(),
    };
    Ok(())
}

fn filter_of(filter: &str) -> Result<EnvFilter, Failure> {
    EnvFilter::builder().parse(filter).map_err(|error| {
        let what = format!(
            "{VARIABLE}={filter:?} is not a filter: {error}; write a level (info, debug, trace) or \
             TARGET=LEVEL,…, such as halfgate_protocol=debug"
        );
        Failure::new(Exit::Usage, what)
    })
}

/// Logs the program of a run.
pub fn program(name: &str, program: &Program) {
    tracing::info!(
        circuit = ?name,
        gates = program.gates_per_cycle(),
        ands = program.ands_per_cycle(),
        hash = %program.hash,
        "the program is compiled"
    );
}
