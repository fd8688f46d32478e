//! Garbles instances.

use crate::instance::{Hashes, Instance};
use crate::job::Job;
use crate::seed::{Secrets, Seed};
use halfgate_circuit::Wire;
use halfgate_engine::{
    EngineError, GarblerIo, Garbling, IoError, Label, LabelSeed, Prepared, Strength, wipe,
};
use std::io::{self, Write};

/// An instance could not be garbled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstancesError {
    /// The engine failed. As [`EngineError::Io`]: tables could not be stored, there are too many
    /// for the suite, or the function that watches stopped the work.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// An instance could not be stored before or after it was garbled.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The suite is broken.
    #[error("suite {0} is broken: one table reveals the offset, so no instance may use it")]
    BrokenSuite(&'static str),
    /// There are too many ANDs.
    #[error("{0}")]
    KeyLimit(#[from] KeyLimit),
}

/// An instance has more ANDs than its suite allows under one key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "suite {suite} is secure for {most} ANDs under one key, and an instance has more: take suite \
     half-gates, which has no such limit, or fewer cycles"
)]
pub struct KeyLimit {
    /// The suite's name.
    pub suite: &'static str,
    /// The most ANDs.
    pub most: u64,
}

/// An instance could not be stored.
#[derive(Debug, thiserror::Error)]
#[error("cannot store instance {instance}: {error}")]
pub struct StoreError {
    /// Number of the instance.
    pub instance: usize,
    /// Why not.
    #[source]
    pub error: io::Error,
}

/// Watches the work. It is called when an instance begins, from time to time, and when it ends, on
/// any thread, with the number of the instance, and its cycles and ANDs done. An error stops all.
pub type Watch<'a> = &'a (dyn Fn(usize, u64, u64) -> Result<(), IoError> + Sync);

/// Bytes of tables of an instance that are hashed at a time, unless an engine makes more at once.
/// BLAKE3 is slower on fewer (`bench/notes.md`).
const HASHED_BYTES: usize = 128 << 10;

/// Where instances go.
pub trait Store {
    /// Takes the tables of an instance: whole ones, in program order.
    type Tables: Write + Send;

    /// Begins the instance with this number.
    ///
    /// # Errors
    /// If its tables cannot be stored; that ends the work.
    fn begin(&mut self, number: usize) -> io::Result<Self::Tables>;

    /// The most instances that may have begun and not ended.
    fn most_at_once(&self) -> usize {
        usize::MAX
    }

    /// Ends the instance with this number. Instances end in their order, several at a time.
    ///
    /// # Errors
    /// As for [`begin`](Store::begin).
    fn end(&mut self, number: usize, made: Instance, tables: Self::Tables) -> io::Result<()>;
}

/// Keeps what is public about each instance, and no tables.
impl Store for Vec<Instance> {
    type Tables = io::Sink;

    fn begin(&mut self, _: usize) -> io::Result<io::Sink> {
        Ok(io::sink())
    }

    fn end(&mut self, _: usize, made: Instance, _: io::Sink) -> io::Result<()> {
        self.push(made);
        Ok(())
    }
}

/// Garbles an instance for each of `seeds`, which are numbered from 0 on, and gives it to `store`.
///
/// Memory: for each of the instances that the engine garbles together, that of the engine, 128 KiB
/// or the tables that the engine makes at once if they are more, 6 KiB, and a byte for each output
/// bit.
///
/// # Errors
/// Those of the engine, of `store`, and of `watch`; if the suite is broken, or an instance has more
/// ANDs than it allows under one key.
pub fn garble<S: Store>(
    prepared: &mut dyn Prepared,
    job: &Job<'_>,
    seeds: &[Seed],
    store: &mut S,
    watch: Watch<'_>,
) -> Result<(), InstancesError> {
    if job.suite.strength() == Strength::Broken {
        return Err(InstancesError::BrokenSuite(job.suite.name()));
    }
    if job.program.skips.is_none() {
        check_key(job, job.program.ands_per_cycle().saturating_mul(job.cycles))?;
    }
    let at_once = prepared.most_together().min(store.most_at_once()).max(1);
    for (batch, seeds) in seeds.chunks(at_once).enumerate() {
        let first = batch * at_once;
        wipe::stack_after(|| garble_batch(prepared, job, (first, seeds), store, watch))?;
    }
    Ok(())
}

/// Checks the number of ANDs under one key.
fn check_key(job: &Job<'_>, ands: u64) -> Result<(), KeyLimit> {
    match job.suite.max_ands() {
        Some(most) if ands > most => Err(KeyLimit { suite: job.suite.name(), most }),
        _ => Ok(()),
    }
}

/// Garbles the instances from number `first` on together.
fn garble_batch<S: Store>(
    prepared: &mut dyn Prepared,
    job: &Job<'_>,
    (first, seeds): (usize, &[Seed]),
    store: &mut S,
    watch: Watch<'_>,
) -> Result<(), InstancesError> {
    let secrets: Vec<Secrets> = seeds.iter().map(|seed| seed.secrets(job)).collect();
    wipe::stack();
    let mut made = Vec::with_capacity(seeds.len());
    for (number, secrets) in (first..).zip(&secrets) {
        watch(number, 0, 0).map_err(EngineError::Io)?;
        let writer = store.begin(number).map_err(failed(number))?;
        made.push(InstanceGarbler::new(job, number, secrets, writer, watch));
    }
    for (garbler, secrets) in made.iter_mut().zip(&secrets) {
        garbler.hashes.secret(secrets.delta.label());
    }
    let mut garblings: Vec<Garbling<'_>> = made
        .iter_mut()
        .zip(&secrets)
        .map(|(io, secrets)| Garbling { key: secrets.key, delta: &secrets.delta, io })
        .collect();
    let garbled = prepared.garble_together(job.cycles, &mut garblings);
    drop(garblings);
    garbled?;
    for (number, made) in (first..).zip(made) {
        let ands = made.ands();
        let (instance, writer) = made.finish()?;
        watch(number, job.cycles, ands).map_err(EngineError::Io)?;
        store.end(number, instance, writer).map_err(failed(number))?;
    }
    Ok(())
}

fn failed(instance: usize) -> impl FnOnce(io::Error) -> StoreError {
    move |error| StoreError { instance, error }
}

/// An instance that is being garbled.
struct InstanceGarbler<'a, W> {
    job: &'a Job<'a>,
    number: usize,
    secrets: &'a Secrets,
    /// Input bits that have their labels.
    inputs: u64,
    hashes: Hashes,
    /// Tables that are not hashed and written yet, and space for the next ones.
    buffer: Vec<u8>,
    /// Bytes of whole tables in the buffer, and of those that the engine fills.
    whole: usize,
    filling: usize,
    /// Bytes of all tables so far.
    tables: u64,
    writer: W,
    watch: Watch<'a>,
}

impl<'a, W: Write> InstanceGarbler<'a, W> {
    fn new(
        job: &'a Job<'a>,
        number: usize,
        secrets: &'a Secrets,
        writer: W,
        watch: Watch<'a>,
    ) -> InstanceGarbler<'a, W> {
        let (hashes, buffer) = (Hashes::new(), Vec::new());
        InstanceGarbler {
            job,
            number,
            secrets,
            inputs: 0,
            hashes,
            buffer,
            whole: 0,
            filling: 0,
            tables: 0,
            writer,
            watch,
        }
    }

    /// ANDs whose tables are made.
    fn ands(&self) -> u64 {
        self.tables / self.job.suite.table_bytes() as u64
    }

    /// Hashes and writes the tables in the buffer.
    fn drain(&mut self) -> Result<(), StoreError> {
        let tables = &self.buffer[..self.whole];
        self.hashes.tables(tables);
        self.whole = 0;
        self.writer.write_all(tables).map_err(failed(self.number))
    }

    fn finish(mut self) -> Result<(Instance, W), StoreError> {
        self.drain()?;
        Ok((self.hashes.finish(self.secrets), self.writer))
    }
}

impl<W: Write> GarblerIo for InstanceGarbler<'_, W> {
    fn false_labels(&mut self, _: u64, _: &[Wire], labels: &mut [Label]) -> Result<(), IoError> {
        for label in labels {
            *label = self.secrets.key.suite.clip(self.secrets.labels.label(self.inputs));
            self.inputs += 1;
            self.hashes.secret(*label);
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        Ok(self.secrets.constant)
    }

    fn label_seed(&mut self) -> Option<LabelSeed> {
        Some(LabelSeed::new(self.secrets.labels.bytes()))
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        if self.whole > 0 && self.whole + bytes > HASHED_BYTES {
            self.drain()?;
        }
        let end = self.whole + bytes;
        if self.buffer.len() < end {
            self.buffer.resize(end.max(HASHED_BYTES), 0);
        }
        self.filling = bytes;
        Ok(&mut self.buffer[self.whole..end])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        self.whole += self.filling;
        self.tables += self.filling as u64;
        Ok(check_key(self.job, self.ands())?)
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.hashes.outputs(cycle, bits, labels);
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        (self.watch)(self.number, cycles, ands)
    }
}
