//! Garbles instances.

use crate::instance::{Hashes, Instance, Job};
use crate::seed::{Secrets, Seed};
use halfgate_circuit::Wire;
use halfgate_engine::{
    EngineError, GarblerIo, Garbling, IoError, Label, LabelSeed, Prepared, wipe,
};
use std::io::{self, Write};

/// An instance could not be garbled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstancesError {
    /// The engine failed, or the function that watches stopped it.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// An instance could not be stored.
    #[error("{0}")]
    Write(#[from] WriteError),
}

/// The tables of an instance could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the tables of instance {instance}: {error}")]
pub struct WriteError {
    /// Number of the instance.
    pub instance: usize,
    /// Why not.
    #[source]
    pub error: io::Error,
}

/// Watches the work: called from time to time, on any thread, with the number of an instance, and
/// its cycles and ANDs done. An error stops everything.
pub type Watch<'a> = &'a (dyn Fn(usize, u64, u64) -> Result<(), IoError> + Sync);

/// Instances that are garbled in one call of the engine, which bounds the memory for them.
const AT_ONCE: usize = 256;

/// Bytes of tables of an instance that are hashed at a time. BLAKE3 is faster on many; those of all
/// instances that are garbled side by side should stay in the second-level cache.
const AT_A_TIME: usize = 128 << 10;

/// Where instances go.
pub trait Store {
    /// Takes the tables of an instance: whole ones, in program order.
    type Tables: Write + Send;

    /// Begins the instance with this number.
    ///
    /// # Errors
    /// If its tables cannot be stored; that ends the work.
    fn begin(&mut self, number: usize) -> io::Result<Self::Tables>;

    /// Ends the instance with this number. Instances end in their order, some hundreds at a time.
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
/// Memory: that of the engine for each of the instances that it garbles at once, and for each of up
/// to 256 instances 128 KiB for tables and a byte for each output bit.
///
/// # Errors
/// Those of the engine, of `store`, and of `watch`.
pub fn garble<S: Store>(
    prepared: &mut dyn Prepared,
    job: &Job<'_>,
    seeds: &[Seed],
    store: &mut S,
    watch: Watch<'_>,
) -> Result<(), InstancesError> {
    for (batch, seeds) in seeds.chunks(AT_ONCE).enumerate() {
        let first = batch * AT_ONCE;
        wipe::stack_after(|| some(prepared, job, (first, seeds), store, watch))?;
    }
    Ok(())
}

/// Garbles the instances from number `first` on, all at once.
fn some<S: Store>(
    prepared: &mut dyn Prepared,
    job: &Job<'_>,
    (first, seeds): (usize, &[Seed]),
    store: &mut S,
    watch: Watch<'_>,
) -> Result<(), InstancesError> {
    let secrets: Vec<Secrets> = seeds.iter().map(|seed| seed.secrets(job.suite)).collect();
    wipe::stack();
    let mut made = Vec::with_capacity(seeds.len());
    for (number, secrets) in (first..).zip(&secrets) {
        let writer = store.begin(number).map_err(failed(number))?;
        made.push(Making::new(number, secrets, writer, watch));
    }
    for (making, secrets) in made.iter_mut().zip(&secrets) {
        making.hashes.secret(secrets.delta.label());
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
        let (instance, writer) = made.finish()?;
        store.end(number, instance, writer).map_err(failed(number))?;
    }
    Ok(())
}

fn failed(instance: usize) -> impl FnOnce(io::Error) -> WriteError {
    move |error| WriteError { instance, error }
}

/// An instance that is being garbled.
struct Making<'a, W> {
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
    writer: W,
    watch: Watch<'a>,
}

impl<'a, W: Write> Making<'a, W> {
    fn new(number: usize, secrets: &'a Secrets, writer: W, watch: Watch<'a>) -> Making<'a, W> {
        let (hashes, buffer) = (Hashes::new(), Vec::new());
        let (inputs, whole, filling) = (0, 0, 0);
        Making { number, secrets, inputs, hashes, buffer, whole, filling, writer, watch }
    }

    /// Hashes and writes the tables in the buffer.
    fn drain(&mut self) -> Result<(), WriteError> {
        let tables = &self.buffer[..self.whole];
        self.hashes.tables(tables);
        self.whole = 0;
        self.writer.write_all(tables).map_err(failed(self.number))
    }

    fn finish(mut self) -> Result<(Instance, W), WriteError> {
        self.drain()?;
        Ok((self.hashes.finish(self.secrets), self.writer))
    }
}

impl<W: Write> GarblerIo for Making<'_, W> {
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
        if self.whole > 0 && self.whole + bytes > AT_A_TIME {
            self.drain()?;
        }
        let end = self.whole + bytes;
        if self.buffer.len() < end {
            self.buffer.resize(end.max(AT_A_TIME), 0);
        }
        self.filling = bytes;
        Ok(&mut self.buffer[self.whole..end])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        self.whole += self.filling;
        Ok(())
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.hashes.outputs(cycle, bits, labels);
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        (self.watch)(self.number, cycles, ands)
    }
}
