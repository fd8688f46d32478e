//! A session whose tables come from a file.

use super::FileError;
use super::format::{
    BODY, Description, FIXED, MAGIC, MAX_RECORD, OUTPUT_BYTES, RECORD_HEADER, Record, TAG, USED,
    VERSION, counters, tag,
};
use super::write::io_error;
use crate::channel::Channel;
use crate::handshake::LabelMode;
use crate::private;
use crate::session::inputs::{InputBits, InputOrder};
use crate::session::labels::{Garbling, LabelSource};
use crate::session::{
    Difference, Event, Inputs, PartyInputs, Report, RunOptions, SessionError, Source, serve,
    stopped,
};
use halfgate_circuit::Wire;
use halfgate_circuit::positioned::FileExt;
use halfgate_compiler::Program;
use halfgate_engine::{Counters, GarblerIo, Label, wipe};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use zeroize::Zeroizing;

/// The garbler's side of a session of one run whose tables come from `tables`.
///
/// # Errors
/// Those of [`garble`](crate::session::garble), and [`FileError`] if the file is damaged or
/// `options` do not match those with which it was opened. A session that fails before the end of
/// the handshake does not mark the file used.
pub fn garble_from_file(
    channel: &mut dyn Channel,
    mut tables: TableFile<'_>,
    inputs: &PartyInputs,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Report, SessionError> {
    let fits = || tables.check_options(options).map_err(SessionError::from);
    if let Err(error) = options.check_ahead_of_time().and_then(|()| fits()) {
        if let Some(reason) = error.for_peer() {
            channel.abort(&reason);
        }
        return Err(error);
    }
    let (program, runs) = (tables.program, std::slice::from_ref(inputs));
    let mut reports = serve(channel, program, &mut tables, Inputs::Given(runs), options, events)?;
    reports.pop().ok_or_else(|| SessionError::Usage("a session needs inputs".to_owned()))
}

/// An unused file of garbled tables, open and locked.
pub struct TableFile<'p> {
    file: BufReader<File>,
    path: &'p Path,
    program: &'p Program,
    description: Description,
}

impl<'p> TableFile<'p> {
    /// Opens the file at `path`, locks it, and reads its header.
    ///
    /// # Errors
    /// [`FileError`]: if it is not such a file, or it is used, truncated, in use, damaged in its
    /// header, or garbled for another program, order, suite or number of cycles.
    pub fn open(
        path: &'p Path,
        program: &'p Program,
        options: &RunOptions,
    ) -> Result<TableFile<'p>, SessionError> {
        options.check_ahead_of_time()?;
        let name = || path.display().to_string();
        let failed = |error| io_error(path, error);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => FileError::Busy { path: name() }.into(),
            TryLockError::Error(error) => failed(error),
        })?;
        let metadata = file.metadata().map_err(failed)?;
        if let Some(mode) = private::shared_mode(&metadata) {
            return Err(FileError::Permissions { path: name(), mode }.into());
        }
        let len = metadata.len();
        if len < BODY {
            return Err(FileError::Format { path: name(), what: "it is too short" }.into());
        }
        let mut header = Zeroizing::new(vec![0; BODY as usize]);
        file.read_exact(&mut header).map_err(failed)?;
        let format = |what| SessionError::from(FileError::Format { path: name(), what });
        if header[..8] != *MAGIC {
            return Err(format("it does not start with the magic bytes"));
        }
        if header[8..10] != VERSION.to_le_bytes() {
            return Err(format("it has another version"));
        }
        if header[11] != 1 {
            return Err(FileError::Incomplete { path: name() }.into());
        }
        if header[USED as usize] != 0 {
            return Err(FileError::Used { path: name() }.into());
        }
        let damaged = || FileError::Damaged { path: name(), place: "its header".to_owned() };
        let length = u32::from_le_bytes([header[12], header[13], header[14], header[15]]);
        let end = FIXED.checked_add(length as usize).ok_or_else(damaged)?;
        let text = header.get(FIXED..end).ok_or_else(damaged)?;
        let description =
            wipe::stack_after(|| Description::parse(text, &header[16..FIXED]).map(Box::new));
        let description = *description.ok_or_else(damaged)?;
        if len - BODY != description.body {
            return Err(FileError::Incomplete { path: name() }.into());
        }
        file.seek(SeekFrom::Start(BODY)).map_err(failed)?;
        let file = BufReader::with_capacity(1 << 16, file);
        let file = TableFile { file, path, program, description };
        file.check_options(options)?;
        tracing::info!(?path, bytes = len, "opened a file of garbled tables");
        Ok(file)
    }

    /// Reads the whole file once and checks the tag of every record. It is better to find damage
    /// before a peer waits and the file counts as used.
    ///
    /// # Errors
    /// [`FileError`] if it cannot be read or a record is damaged.
    pub fn check_records(&mut self) -> Result<(), SessionError> {
        let key = self.description.key();
        let mut payload = Zeroizing::new(Vec::new());
        let mut left = self.description.body;
        for index in 0.. {
            let (header, kind, len) = self.record_header(index)?;
            payload.resize(len, 0);
            self.record_payload(index, &key, header, &mut payload)?;
            left = left.saturating_sub((RECORD_HEADER + len + TAG) as u64);
            if kind == Record::End {
                break;
            }
        }
        if left != 0 {
            return Err(FileError::Incomplete { path: self.path.display().to_string() }.into());
        }
        let path = self.path;
        self.file.seek(SeekFrom::Start(BODY)).map_err(|error| io_error(path, error))?;
        Ok(())
    }

    /// Checks that the file was garbled for this session.
    fn check_options(&self, options: &RunOptions) -> Result<(), FileError> {
        let ours = &self.description;
        let file_hash = halfgate_compiler::ProgramHash(ours.program);
        let pairs = [
            (Difference::Suite, ours.suite.to_string(), options.suite.to_string()),
            (Difference::Order, ours.order.clone(), self.program.order.to_string()),
            (Difference::Program, file_hash.to_string(), self.program.hash.to_string()),
            (Difference::Cycles, ours.cycles.to_string(), options.cycles.to_string()),
        ];
        for (what, file, session) in pairs {
            if file != session {
                let path = self.path.display().to_string();
                return Err(FileError::Mismatch { path, what, file, session });
            }
        }
        Ok(())
    }

    fn damaged(&self, record: u64) -> SessionError {
        let place = format!("record {record}");
        FileError::Damaged { path: self.path.display().to_string(), place }.into()
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), SessionError> {
        let path = self.path;
        self.file.read_exact(bytes).map_err(|error| io_error(path, error))
    }

    /// Reads the header of record number `index`. Returns it with its kind and payload length.
    fn record_header(
        &mut self,
        index: u64,
    ) -> Result<([u8; RECORD_HEADER], Record, usize), SessionError> {
        let mut header = [0; RECORD_HEADER];
        self.read(&mut header)?;
        let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let kind = Record::from_number(header[0]).filter(|_| len <= MAX_RECORD);
        let kind = kind.ok_or_else(|| self.damaged(index))?;
        Ok((header, kind, len))
    }

    /// Reads the payload of record number `index` into `payload` and checks its tag.
    fn record_payload(
        &mut self,
        index: u64,
        key: &[u8; 32],
        header: [u8; RECORD_HEADER],
        payload: &mut [u8],
    ) -> Result<(), SessionError> {
        self.read(payload)?;
        let mut stored = [0; TAG];
        self.read(&mut stored)?;
        match tag(key, index, &header, payload) == stored {
            true => Ok(()),
            false => Err(self.damaged(index)),
        }
    }

    /// Plays the records back to a session.
    fn play(
        &mut self,
        labels: &LabelSource,
        io: &mut dyn GarblerIo,
        mut input_bits: InputBits<'_>,
    ) -> Result<Counters, SessionError> {
        let key = self.description.key();
        let mut payload = Zeroizing::new(Vec::new());
        let mut wires = Wires::default();
        let (mut ands, mut last_cycle, mut given) = (0, 0, 0);
        for index in 0.. {
            let (header, kind, len) = self.record_header(index)?;
            let tables = kind == Record::Tables;
            let space = if tables {
                // Read it directly into the send buffer.
                io.table_space(len).map_err(stopped)?
            } else {
                payload.resize(len, 0);
                &mut payload[..]
            };
            self.record_payload(index, &key, header, space)?;
            match kind {
                Record::Constant => drop(io.constant().map_err(stopped)?),
                Record::Tables => {
                    io.tables_ready().map_err(stopped)?;
                    ands += (len / self.description.suite.table_bytes()) as u64;
                    io.progress(last_cycle, ands).map_err(stopped)?;
                }
                Record::Inputs => {
                    let count: [u8; 4] = payload[..].try_into().map_err(|_| self.damaged(index))?;
                    let count = u32::from_le_bytes(count) as usize;
                    last_cycle = wires.give(io, input_bits.by_ref().take(count))?;
                }
                Record::Outputs => {
                    for output in payload.as_chunks::<OUTPUT_BYTES>().0 {
                        let (cycle, rest) = output.split_first_chunk().expect("28 bytes hold 8");
                        let (bit, label) = rest.split_first_chunk().expect("20 bytes hold 4");
                        let masked = Label::from_bytes(label.try_into().expect("16 are left"));
                        let label = masked ^ labels.mask(given);
                        given += 1;
                        let bit = u32::from_le_bytes(*bit);
                        io.output(u64::from_le_bytes(*cycle), &[bit], &[label]).map_err(stopped)?;
                    }
                }
                Record::End => {
                    return counters(&payload).ok_or_else(|| self.damaged(index));
                }
            }
        }
        unreachable!("records are counted by 64 bits")
    }
}

/// Buffers for the input bits of a record.
#[derive(Default)]
struct Wires {
    wires: Vec<Wire>,
    labels: Zeroizing<Vec<Label>>,
}

impl Wires {
    /// Requests the labels of `bits`. Returns the last cycle among them.
    fn give(
        &mut self,
        io: &mut dyn GarblerIo,
        bits: impl Iterator<Item = crate::session::inputs::InputBit>,
    ) -> Result<u64, SessionError> {
        let mut cycle = 0;
        for bit in bits {
            if bit.cycle != cycle {
                self.request(io, cycle)?;
                cycle = bit.cycle;
            }
            self.wires.push(bit.wire);
        }
        self.request(io, cycle)?;
        Ok(cycle)
    }

    fn request(&mut self, io: &mut dyn GarblerIo, cycle: u64) -> Result<(), SessionError> {
        let missing = self.wires.len().saturating_sub(self.labels.len());
        wipe::reserve(&mut self.labels, missing);
        self.labels.resize(self.wires.len(), Label::ZERO);
        io.false_labels(cycle, &self.wires, &mut self.labels).map_err(stopped)?;
        self.wires.clear();
        Ok(())
    }
}

impl Source for TableFile<'_> {
    fn engine(&self) -> String {
        format!("{}, ahead of time", self.description.engine)
    }

    fn label_mode(&self) -> LabelMode {
        LabelMode::Masked
    }

    fn has_parts(&self) -> bool {
        false
    }

    fn next_garbling(&mut self, _: &RunOptions) -> Result<Garbling, SessionError> {
        // Labels may be sent after this, so the mark must be on the disk first. The secrets are
        // erased as well, so that the used file reveals no inputs of a recorded session.
        let failed = |error| io_error(self.path, error);
        let file = self.file.get_ref();
        file.write_all_at(&[1], USED).map_err(failed)?;
        file.write_all_at(&[0; BODY as usize - FIXED], FIXED as u64).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        Ok(self.description.garbling())
    }

    fn prepare(&mut self, _: &mut dyn Channel) -> Result<(), SessionError> {
        Ok(())
    }

    fn run(
        &mut self,
        garbling: &Garbling,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, SessionError> {
        let order = InputOrder::of(self.program, cycles)?;
        self.play(&garbling.labels, io, order.input_bits())
    }
}
