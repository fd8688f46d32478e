//! `halfgate instances`.

use crate::failures;
use crate::instances_args::{InstancesArgs, MAX_INSTANCES};
use crate::logging;
use crate::options;
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Progress;
use halfgate_console::source::cycles;
use halfgate_console::{interrupt, print, source};
use halfgate_engine::wipe;
use halfgate_engine::{EngineError, IoError};
use halfgate_instances::{Instance, InstancesError, Job, Seed, SeedError, Store, garble};
use halfgate_protocol::session::{Event, SessionError};
use halfgate_registry::OnCpu;
use halfgate_server::secret_file;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tempfile::NamedTempFile;

pub(super) fn execute(args: &InstancesArgs) -> Result<(), Failure> {
    let suite = options::suite(&args.suite.name, args.suite.insecure_suite)?;
    let on = OnCpu { kernel: args.kernel.as_deref(), threads: args.threads, is_shared: false };
    let engine = halfgate_registry::engine(&args.engine, on, &[Party::Garbler], None)?;
    let seeds = wipe::stack_after(|| match &args.seeds {
        Some(path) => read_seeds(path),
        None => fresh_seeds(args.count),
    })?;
    let program = source::program(&args.circuit)?;
    logging::program(&args.circuit.circuit, &program);
    let cycles = cycles(args.cycles, None, &program.circuit)?;
    let job = Job { program: &program, suite, cycles };
    let mut prepared = engine.prepare(&program).map_err(engine_failure)?;
    if let Some(folder) = &args.tables_to {
        prepare_folder(folder, seeds.len())?;
    }
    if let Some(path) = &args.seeds_to {
        wipe::stack_after(|| write_seeds(path, &seeds))?;
    }

    let cancel = interrupt::flag_for("stopping")?;
    let tally = Tally::new(seeds.len(), program.ands_per_cycle().saturating_mul(cycles));
    let mut out = Out { job, folder: args.tables_to.clone(), json: args.json, made: Vec::new() };
    let start = Instant::now();
    let watch = |instance, _, ands| tally.watch(instance, ands, &cancel);
    let garbled = garble(&mut *prepared, &job, &seeds, &mut out, &watch);
    let seconds = start.elapsed().as_secs_f64();
    tally.finish();
    garbled.map_err(|error| match error {
        _ if cancel.load(Ordering::SeqCst) => Failure::new(Exit::Cancelled, "cancelled"),
        InstancesError::Engine(error) => engine_failure(error),
        error => Failure::new(Exit::Local, error),
    })?;
    let (count, ands) = (seeds.len() as u64, tally.ands_each);
    if args.json {
        return print::json(&json!({
            "program": program.hash.to_string(),
            "suite": suite.name(),
            "cycles": cycles,
            "ands": ands,
            "instances": out.made,
            "seconds": seconds,
        }));
    }
    print::note(&format!(
        "{count} instance{} of {} ANDs in {}: {}",
        if count == 1 { "" } else { "s" },
        print::grouped(ands),
        print::seconds(seconds),
        print::rate((count * ands) as f64 / seconds.max(1e-9), "AND"),
    ));
    Ok(())
}

fn local(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Local, format!("{what} {}: {error}", path.display()))
}

/// Makes the folder for tables, or checks that it has none of the files that will be written.
fn prepare_folder(folder: &Path, instances: usize) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| local("cannot make the folder", folder, &error))?;
    match (0..instances).map(|number| table_file(folder, number)).find(|file| file.exists()) {
        None => Ok(()),
        Some(file) => {
            let what = format!("{} exists; name another folder", file.display());
            Err(Failure::new(Exit::Local, what))
        }
    }
}

fn fresh_seeds(count: u32) -> Result<Vec<Seed>, Failure> {
    let mut seeds = Vec::with_capacity(count as usize);
    for _ in 0..count {
        seeds.push(Seed::random().map_err(Failure::with(Exit::Local))?);
    }
    Ok(seeds)
}

/// The most bytes of a file of seeds: 64 digits and a line end of two characters for each.
const MAX_SEED_BYTES: usize = 66 * MAX_INSTANCES as usize;

/// Reads seeds, one a line. Errors name the line and show nothing of it.
fn read_seeds(path: &Path) -> Result<Vec<Seed>, Failure> {
    let bytes = secret_file::read(path, MAX_SEED_BYTES)
        .map_err(|error| local("cannot read", path, &error))?;
    let wrong = |line: usize, what: &dyn std::fmt::Display| {
        Failure::new(Exit::Value, format!("{}, line {line}: {what}", path.display()))
    };
    let lines = || bytes.trim_ascii_end().split(|&byte| byte == b'\n');
    let count = lines().count();
    if count as i64 > MAX_INSTANCES {
        return Err(wrong(count, &format!("there are at most {MAX_INSTANCES} seeds")));
    }
    // A vector that grew would leave copies of seeds.
    let mut seeds: Vec<Seed> = Vec::with_capacity(count);
    let mut seen = HashMap::with_capacity(count);
    for (number, line) in (1..).zip(lines()) {
        let line = line.trim_ascii();
        let text = std::str::from_utf8(line).map_err(|_| wrong(number, &"not a text"))?;
        let seed: Seed = text.parse().map_err(|error: SeedError| wrong(number, &error))?;
        if let Some(first) = seen.insert(seed.fingerprint(), number) {
            return Err(wrong(number, &format!("the seed of line {first}; each may occur once")));
        }
        seeds.push(seed);
    }
    Ok(seeds)
}

/// Writes seeds to a new file, which only its owner may read.
fn write_seeds(path: &Path, seeds: &[Seed]) -> Result<(), Failure> {
    let written = secret_file::write(path, |file| {
        seeds.iter().try_for_each(|seed| {
            file.write_all(seed.digits().as_bytes())?;
            file.write_all(b"\n")
        })
    });
    written.map_err(|error| local("cannot write the seeds to", path, &error))
}

/// An engine's error, for the user.
fn engine_failure(error: EngineError) -> Failure {
    match error {
        // A file failed, there are too many ANDs, or the user stopped the work.
        EngineError::Io(error) => Failure::new(Exit::Local, error),
        error => failures::failure(SessionError::Engine(error)),
    }
}

/// Counts the ANDs of all instances, and shows the progress.
struct Tally {
    ands_each: u64,
    total: u64,
    /// ANDs of each instance, of all, and what shows them.
    state: Mutex<(Vec<u64>, u64, Progress)>,
}

impl Tally {
    fn new(count: usize, ands_each: u64) -> Tally {
        let total = ands_each.saturating_mul(count as u64);
        Tally { ands_each, total, state: Mutex::new((vec![0; count], 0, Progress::start())) }
    }

    fn watch(&self, instance: usize, ands: u64, cancel: &AtomicBool) -> Result<(), IoError> {
        if cancel.load(Ordering::SeqCst) {
            return Err(IoError::kept());
        }
        if let Ok(mut state) = self.state.lock() {
            let (each, all, progress) = &mut *state;
            *all += ands.saturating_sub(std::mem::replace(&mut each[instance], ands));
            progress.event(Event::Progress { cycles: 0, ands: *all, total_ands: self.total });
        }
        Ok(())
    }

    fn finish(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.2.finish();
        }
    }
}

/// Prints each instance when it is done, or keeps it for JSON, and names its file of tables.
struct Out<'a> {
    job: Job<'a>,
    folder: Option<PathBuf>,
    json: bool,
    made: Vec<Value>,
}

/// A file of tables without its name, or nothing.
struct Tables(Option<NamedTempFile>);

impl Write for Tables {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), NamedTempFile::flush)
    }
}

impl Store for Out<'_> {
    type Tables = Tables;

    fn begin(&mut self, _: usize) -> io::Result<Tables> {
        Ok(Tables(self.folder.as_ref().map(NamedTempFile::new_in).transpose()?))
    }

    fn most_at_once(&self) -> usize {
        // Each has an open file, and systems allow a process 256 or more.
        if self.folder.is_some() { 64 } else { usize::MAX }
    }

    fn end(&mut self, number: usize, made: Instance, tables: Tables) -> io::Result<()> {
        if let (Some(folder), Some(file)) = (&self.folder, tables.0) {
            file.persist_noclobber(table_file(folder, number)).map_err(|error| error.error)?;
        }
        let digest = hexadecimal(&made.digest(&self.job));
        if self.json {
            self.made.push(json!({
                "digest": digest,
                "point": hexadecimal(&made.point),
                "constant": hexadecimal(&made.constant),
                "tables": hexadecimal(&made.tables),
                "outputs": hexadecimal(&made.outputs),
                "secrets": hexadecimal(&made.secrets),
            }));
            return Ok(());
        }
        print::line(&format!("{number} {digest}")).map_err(io::Error::other)
    }
}

fn table_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.tables"))
}

/// Bytes as digits, in order.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
