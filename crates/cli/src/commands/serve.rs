//! `halfgate serve`: serves programs to several peers.

use crate::connection::net_failure;
use crate::logging;
use crate::serve_args::ServeArgs;
use crate::serving::Command;
use crate::tool_args::LogArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_server::config::{Config, ConfigError};
use halfgate_server::setup::Setup;
use halfgate_server::{Control, ServeError};
use serde_json::{Value, json};

pub(super) fn execute(args: &ServeArgs, log: &LogArgs) -> Result<(), Failure> {
    if args.check {
        logging::start(log)?;
        return check(args);
    }
    bound_the_heap();
    logging::start_server(log, args.logs_json())?;
    report_panics();
    let control = control()?;
    let host = Command { security: args.security };
    let summary = halfgate_server::serve(&host, &args.config, &control, args.grace());
    match summary.map_err(failure)?.cancelled {
        0 => Ok(()),
        some => {
            let what = format!("{some} sessions did not end within --grace and were cancelled");
            Err(Failure::new(Exit::Cancelled, what))
        }
    }
}

/// Settings with which glibc's heap returns the memory of sessions: few arenas, and separate
/// mappings for long buffers. Without them, 64 sessions at a time leave some 80 MB behind, even in
/// a heap that is trimmed between them. The amount grows over hours, as each thread's arena keeps
/// free memory between blocks in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAP: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "2"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

/// Restarts this process with the heap settings, which are read at its start only. A process that
/// already has any of these settings continues unchanged. The process ID stays the same.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn bound_the_heap() {
    use std::env;
    use std::os::unix::process::CommandExt;
    if HEAP.iter().any(|(name, _)| env::var_os(name).is_some()) {
        return;
    }
    let (Ok(program), mut words) = (env::current_exe(), env::args_os()) else { return };
    let Some(name) = words.next() else { return };
    let error = std::process::Command::new(program).arg0(name).args(words).envs(HEAP).exec();
    // If the restart fails, the process keeps the default heap, which uses more memory but works.
    print::note(&format!("cannot change the heap settings, using the defaults: {error}"));
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn bound_the_heap() {}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Config(error) => config_failure(error),
        ServeError::Net(error) => net_failure(error),
    }
}

fn config_failure(error: ConfigError) -> Failure {
    Failure::new(Exit::Usage, error)
}

/// Prints what would be served.
fn check(args: &ServeArgs) -> Result<(), Failure> {
    let config = Config::read(&args.config).map_err(config_failure)?;
    let setup =
        Setup::load(config, &Command { security: args.security }).map_err(config_failure)?;
    setup.check_limits().map_err(config_failure)?;
    let peers = setup.peers.iter().map(|(peer, key)| {
        let limits = &peer.limits;
        json!({
            "name": peer.name,
            "key": key.to_string(),
            "programs": peer.programs,
            "limits": {
                "sessions": limits.sessions,
                "rate": limits.rate,
                "ands": limits.ands,
                "bytes": limits.bytes,
                "deadline": limits.deadline.as_secs(),
            },
        })
    });
    let programs = setup.programs.iter().map(|program| {
        let ands = program.program.ands_per_cycle().saturating_mul(program.cycles);
        json!({
            "name": program.config.name,
            "circuit": program.config.circuit,
            "role": program.config.role.to_string(),
            "suite": program.suite.name(),
            "security": program.security.name(),
            "order": program.program.order.to_string(),
            "program_hash": program.program.hash.to_string(),
            "cycles": program.cycles,
            "and_gates": ands,
        })
    });
    let (peers, programs): (Vec<_>, Vec<_>) = (peers.collect(), programs.collect());
    if args.json {
        let all = json!({ "listen": setup.config.listen, "peers": peers, "programs": programs });
        return print::line(&all.to_string());
    }
    let mut lines =
        vec![format!("{}: all is well; on {}:", args.config.display(), setup.config.listen)];
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for program in &programs {
        lines.push(format!(
            "  program {}: {} of {}, {} ANDs a session, security {}, hash {}",
            word(&program["name"]),
            word(&program["role"]),
            word(&program["circuit"]),
            print::grouped(program["and_gates"].as_u64().unwrap_or_default()),
            word(&program["security"]),
            word(&program["program_hash"]),
        ));
    }
    for (peer, key) in &setup.peers {
        let programs: Vec<_> = peer.programs.iter().map(String::as_str).collect();
        let programs = if programs.is_empty() { "none".to_owned() } else { programs.join(", ") };
        let limits = &peer.limits;
        lines.push(format!(
            "  peer {}, {key}: programs {programs}; {} at a time, {} a minute",
            peer.name, limits.sessions, limits.rate
        ));
    }
    print::line(&lines.join("\n"))
}

/// Logs the place of a panic, but not its message, which may contain a value.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let (thread, place) = (thread.name().unwrap_or("unnamed"), panic.location());
        let place = place.map(tracing::field::display);
        tracing::error!(target: "halfgate_server", thread, place, "a panic: please report it");
    }));
}

/// Flags that signals set. The first SIGTERM or SIGINT lets the server's sessions end and then
/// stops it. The second signal stops it at once.
#[cfg(unix)]
fn control() -> Result<Control, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    use std::sync::Arc;
    let control = Control::default();
    let watch = || {
        for signal in [SIGTERM, SIGINT] {
            let exit = Exit::Cancelled as i32;
            flag::register_conditional_shutdown(signal, exit, Arc::clone(&control.stop))?;
            flag::register(signal, Arc::clone(&control.stop))?;
        }
        flag::register(SIGHUP, Arc::clone(&control.reload)).map(drop)
    };
    let watch: std::io::Result<()> = watch();
    watch
        .map_err(|error| Failure::new(Exit::Local, format!("cannot watch for signals: {error}")))?;
    Ok(control)
}

#[cfg(not(unix))]
fn control() -> Result<Control, Failure> {
    let stop =
        halfgate_console::interrupt::flag_for("no new sessions; waiting for those in progress")?;
    Ok(Control { stop, ..Control::default() })
}
