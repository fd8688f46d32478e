//! Garbling into a file.

use super::FileError;
use super::format::{
    BODY, Description, MAX_RECORD, OUTPUT_BYTES, RECORD_HEADER, Record, counters_bytes, tag,
};
use crate::private;
use crate::session::inputs::{InputBits, InputOrder};
use crate::session::labels::Garbling;
use crate::session::{Event, RunOptions, SessionError, Stopped, contract};
use halfgate_circuit::positioned::FileExt;
use halfgate_circuit::{Party, Wire};
use halfgate_compiler::Program;
use halfgate_engine::wipe::Buffer;
use halfgate_engine::{
    ContractError, Counters, Engine, GarblerIo, IoError, Label, LabelSeed, wipe,
};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// The result of garbling into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileReport {
    /// Counters of the executed gates and cycles.
    pub counters: Counters,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Total time, including lowering.
    pub total: Duration,
}

/// Garbles `program` into a new file at `path`. Only the suite, the cycles and the cancel flag of
/// `options` are used. The file is removed again if garbling fails.
///
/// # Errors
/// [`FileError`] if the file exists or cannot be written, [`SessionError::BrokenSuite`],
/// [`SessionError::Engine`]. A set cancel flag gives a [`FileError::Io`] of kind `Interrupted`.
pub fn garble_to_file(
    program: &Program,
    engine: &dyn Engine,
    options: &RunOptions,
    path: &Path,
    events: &mut dyn FnMut(Event),
) -> Result<FileReport, SessionError> {
    let begin = Instant::now();
    options.check_ahead_of_time()?;
    crate::session::check_program(program, options)?;
    if program.skips.is_some() {
        let what = "a program that skips gates is garbled while it runs, not ahead of time";
        return Err(SessionError::Usage(what.to_owned()));
    }
    let failed = |error| io_error(path, error);
    let mut private = OpenOptions::new();
    private::set_mode(private.write(true).create_new(true), 0o600);
    let file = private.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => failed(io::Error::new(error.kind(), EXISTS)),
        _ => failed(error),
    })?;
    let result = wipe::stack_after(|| {
        write(program, engine, options, (file, path), events).map_err(SessionError::fresh)
    });
    if result.is_err() {
        // The rest of the file is useless, and holds secrets.
        let _ = std::fs::remove_file(path);
    }
    let (counters, bytes) = result.map_err(|error| *error)?;
    tracing::info!(?path, bytes, ands = counters.ands, "garbled into a file");
    Ok(FileReport { counters, bytes, total: begin.elapsed() })
}

fn write(
    program: &Program,
    engine: &dyn Engine,
    options: &RunOptions,
    (file, path): (File, &Path),
    events: &mut dyn FnMut(Event),
) -> Result<(Counters, u64), SessionError> {
    let start = Instant::now();
    let mut prepared = engine.prepare(program)?;
    events(Event::Prepared { after: start.elapsed() });
    let (garbling, seed) = Garbling::random(options.suite)?;
    let mut description = Description {
        suite: options.suite,
        order: program.order.to_string(),
        engine: engine.name(),
        program: program.hash.0,
        cycles: options.cycles,
        point: garbling.key.point,
        delta: Box::new(Zeroizing::new(garbling.delta.label().to_bytes())),
        seed: Box::new(seed),
        body: 0,
    };
    let order = InputOrder::of(program, options.cycles)?;
    let failed = |error| io_error(path, error);
    // The header bypasses the buffer, because the buffer is not wiped.
    file.write_all_at(&description.encode(false), 0).map_err(failed)?;
    (&file).seek(SeekFrom::Start(BODY)).map_err(failed)?;
    let mut side = FileSide {
        file: BufWriter::with_capacity(1 << 18, file),
        path,
        key: description.key(),
        record: 0,
        written: 0,
        garbling: &garbling,
        order: &order,
        input_bits: order.input_bits(),
        tables: Vec::with_capacity(TABLES),
        outputs: Buffer::with_capacity(TABLES),
        given: 0,
        cycle_bytes: program.ands_per_cycle() * options.suite.table_bytes() as u64,
        made: 0,
        cancel: &options.cancel,
        events,
        total_ands: program.ands_per_cycle().saturating_mul(options.cycles),
        stopped: Stopped::default(),
    };
    let ran = prepared.garble(garbling.key, &garbling.delta, options.cycles, &mut side);
    let counters = side.stopped.or(ran.map_err(SessionError::Engine))?;
    side.flush_tables()?;
    side.flush_outputs()?;
    side.record(Record::End, &counters_bytes(counters))?;
    description.body = side.written;
    side.file.flush().map_err(failed)?;
    let file = side.file.get_ref();
    // The header must not be marked complete on the disk before the records are there.
    file.sync_all().map_err(failed)?;
    file.write_all_at(&description.encode(true), 0).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    Ok((counters, BODY + description.body))
}

/// Bytes of tables in one record, if the engine's pieces permit.
const TABLES: usize = 128 << 10;
/// The existing file may be a garbling that is still to be used.
const EXISTS: &str = "the file exists and is never overwritten: remove it or choose another name";

struct FileSide<'s> {
    file: BufWriter<File>,
    path: &'s Path,
    key: Zeroizing<[u8; 32]>,
    record: u64,
    written: u64,
    garbling: &'s Garbling,
    order: &'s InputOrder,
    input_bits: InputBits<'s>,
    tables: Vec<u8>,
    outputs: Buffer,
    /// Output labels written so far.
    given: u64,
    /// Bytes of tables of a cycle, and bytes written so far.
    cycle_bytes: u64,
    made: u64,
    cancel: &'s AtomicBool,
    events: &'s mut dyn FnMut(Event),
    total_ands: u64,
    /// Why the engine was stopped.
    stopped: Stopped,
}

impl FileSide<'_> {
    fn record(&mut self, kind: Record, payload: &[u8]) -> Result<(), SessionError> {
        let mut header = [0; RECORD_HEADER];
        header[0] = kind as u8;
        header[4..].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        let tag = tag(&self.key, self.record, &header, payload);
        let path = self.path;
        for part in [&header[..], payload, &tag] {
            self.file.write_all(part).map_err(|error| io_error(path, error))?;
            self.written += part.len() as u64;
        }
        self.record += 1;
        Ok(())
    }

    fn flush_tables(&mut self) -> Result<(), SessionError> {
        let tables = std::mem::take(&mut self.tables);
        for chunk in tables.chunks(MAX_RECORD) {
            self.record(Record::Tables, chunk)?;
        }
        self.tables = tables;
        self.tables.clear();
        Ok(())
    }

    fn flush_outputs(&mut self) -> Result<(), SessionError> {
        if self.outputs.is_empty() {
            return Ok(());
        }
        let mut outputs = std::mem::take(&mut self.outputs);
        self.record(Record::Outputs, &outputs)?;
        outputs.clear();
        self.outputs = outputs;
        Ok(())
    }

    fn inputs(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), SessionError> {
        self.flush_tables()?;
        if bits.iter().any(|wire| self.order.owner(*wire) == Some(Party::Evaluator)) {
            // At this point a session waits for the evaluator, which may itself wait for a
            // checkpoint that follows these outputs.
            self.flush_outputs()?;
        }
        for (&wire, label) in bits.iter().zip(labels) {
            let bit = self.input_bits.next().filter(|bit| bit.wire == wire && bit.cycle == cycle);
            let bit = bit.ok_or_else(|| contract(ContractError::InputOrder))?;
            *label = self.garbling.labels.label(bit.sequence);
        }
        self.record(Record::Inputs, &(bits.len() as u32).to_le_bytes())
    }
}

impl GarblerIo for FileSide<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.inputs(cycle, bits, labels).map_err(|error| self.stopped.by(error))
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        self.flush_tables().map_err(|error| self.stopped.by(error))?;
        self.record(Record::Constant, &[]).map_err(|error| self.stopped.by(error))?;
        Ok(self.garbling.labels.constant())
    }

    fn label_seed(&mut self) -> Option<LabelSeed> {
        Some(self.garbling.labels.seed())
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        // A session exchanges the inputs of a cycle at the cycle's first table. All outputs of the
        // cycle before must have been given by then.
        let turns = self.order.has_per_cycle() && self.made.is_multiple_of(self.cycle_bytes);
        if turns || self.tables.len() + bytes > TABLES {
            self.flush_tables().map_err(|error| self.stopped.by(error))?;
            // Outputs of a cycle must not follow many tables: the evaluator waits for them.
            self.flush_outputs().map_err(|error| self.stopped.by(error))?;
        }
        self.made += bytes as u64;
        let start = self.tables.len();
        self.tables.resize(start + bytes, 0);
        Ok(&mut self.tables[start..])
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        for (bit, label) in bits.iter().zip(labels) {
            self.outputs.extend_from_slice(&cycle.to_le_bytes());
            self.outputs.extend_from_slice(&bit.to_le_bytes());
            let masked = *label ^ self.garbling.labels.mask(self.given);
            self.outputs.extend_from_slice(&masked.to_bytes());
            self.given += 1;
            if self.outputs.len() + OUTPUT_BYTES > TABLES {
                // The checkpoint for these outputs covers the tables that they come from.
                self.flush_tables().map_err(|error| self.stopped.by(error))?;
                self.flush_outputs().map_err(|error| self.stopped.by(error))?;
            }
        }
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        if self.cancel.load(Ordering::Relaxed) {
            let error = io::Error::new(io::ErrorKind::Interrupted, "garbling was cancelled");
            return Err(self.stopped.by(io_error(self.path, error)));
        }
        (self.events)(Event::Progress { cycles, ands, total_ands: self.total_ands });
        Ok(())
    }
}

pub(super) fn io_error(path: &Path, error: io::Error) -> SessionError {
    SessionError::File(FileError::Io { path: path.display().to_string(), error })
}
