//! Garbles instances.

use crate::instance::{Hashes, Instance};
use crate::seed::{Secrets, Seed};
use halfgate_circuit::Wire;
use halfgate_compiler::Program;
use halfgate_engine::{
    EngineError, GarblerIo, Garbling, IoError, Label, LabelSeed, Prepared, Suite, wipe,
};
use std::io::{self, Write};

/// What is garbled.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The program.
    pub program: &'a Program,
    /// The suite.
    pub suite: Suite,
    /// Number of cycles.
    pub cycles: u64,
}

/// An instance could not be garbled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstancesError {
    /// The engine failed, or the function that watches stopped it.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// The last tables of an instance could not be written.
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

/// Garbles an instance for each of `seeds`, and writes its tables to the writer of the same number:
/// whole tables in program order. [`io::sink`] is the writer for those who want the digest only.
///
/// Memory: that of the engine for each of the instances that it garbles at once, and for each of up
/// to 256 instances 128 KiB for tables and a byte for each output bit.
///
/// # Errors
/// Those of the engine, of a writer, and of `watch`.
///
/// # Panics
/// If there are not as many writers as seeds.
pub fn garble<W: Write + Send>(
    prepared: &mut dyn Prepared,
    job: &Job<'_>,
    seeds: &[Seed],
    writers: &mut [W],
    watch: Watch<'_>,
) -> Result<Vec<Instance>, InstancesError> {
    assert_eq!(seeds.len(), writers.len(), "a writer for each instance");
    let mut instances = Vec::with_capacity(seeds.len());
    for (seeds, writers) in seeds.chunks(AT_ONCE).zip(writers.chunks_mut(AT_ONCE)) {
        let first = instances.len();
        let secrets: Vec<Secrets> = seeds.iter().map(|seed| seed.secrets(job.suite)).collect();
        let mut made: Vec<Making<'_, W>> = (first..)
            .zip(secrets.iter().zip(writers))
            .map(|(number, (secrets, writer))| Making::new(number, secrets, writer, watch))
            .collect();
        let mut garblings: Vec<Garbling<'_>> = made
            .iter_mut()
            .zip(&secrets)
            .map(|(io, secrets)| Garbling { key: secrets.key, delta: &secrets.delta, io })
            .collect();
        let garbled = prepared.garble_together(job.cycles, &mut garblings);
        drop(garblings);
        if garbled.is_ok() {
            let finished = made.into_iter().map(Making::finish);
            instances.extend(finished.collect::<Result<Vec<_>, _>>()?);
        }
        wipe::stack();
        garbled?;
    }
    Ok(instances)
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
    writer: &'a mut W,
    watch: Watch<'a>,
}

impl<'a, W: Write> Making<'a, W> {
    fn new(
        number: usize,
        secrets: &'a Secrets,
        writer: &'a mut W,
        watch: Watch<'a>,
    ) -> Making<'a, W> {
        let (hashes, buffer) = (Hashes::new(secrets), Vec::new());
        let (inputs, whole, filling) = (0, 0, 0);
        Making { number, secrets, inputs, hashes, buffer, whole, filling, writer, watch }
    }

    /// Hashes and writes the tables in the buffer.
    fn drain(&mut self) -> Result<(), WriteError> {
        let (instance, tables) = (self.number, &self.buffer[..self.whole]);
        self.hashes.tables(tables);
        self.whole = 0;
        self.writer.write_all(tables).map_err(|error| WriteError { instance, error })
    }

    fn finish(mut self) -> Result<Instance, WriteError> {
        self.drain()?;
        Ok(self.hashes.finish(self.secrets))
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
