//! Streams of commands: what the host sends to an overlay, batch by batch.
//! `machines/overlay/spec/stream.md` describes the format.
//!
//! A command has the three addresses of a gate (section 3.3.3); the word before a batch shows
//! whether its gates are ANDs or XORs. A stream contains no label and no secret. It is written and
//! read one batch at a time.

use super::batches::Cells;
pub use super::build::Build;
use super::command::{Command, Form, Lacks};
use super::encode::{self, END};
use super::model::Waits;
use super::place::Place;
use super::plan::Plan;
use crc_fast::{CrcAlgorithm, Digest};
use std::io::{self, Read, Write};

/// Why a stream cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// Writing or reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A gate of the circuit cannot be encoded.
    #[error("gate {gate}: {lacks}")]
    Gate {
        /// Position of the gate in the body.
        gate: u32,
        /// Reason.
        lacks: Lacks,
    },
    /// The stream begins with other bytes.
    #[error("this is no stream of commands for an overlay: it begins with other bytes")]
    NotAStream,
    /// The stream has another version.
    #[error(
        "the stream has version {0}, but this program reads version {VERSION}: write the stream again"
    )]
    Version(u16),
    /// The commands have an unknown form.
    #[error("the stream has commands of an unknown form, {0}")]
    Form(u8),
    /// The stream is for another build.
    #[error("the stream is for an overlay of {stream}; this one has {here}")]
    OtherBuild {
        /// Build of the stream.
        stream: Build,
        /// Build of the reader.
        here: Build,
    },
    /// The stream ends too early.
    #[error("the stream is cut short: it ends within {0}")]
    CutShort(&'static str),
    /// A batch has no gates, or more than there are cells.
    #[error("batch {batch} has {gates} gates for {cells} cells")]
    Batch {
        /// Number of the batch.
        batch: u64,
        /// Number of gates in the batch.
        gates: u32,
        /// Maximum number of gates.
        cells: u32,
    },
    /// An address exceeds its memory.
    #[error("batch {batch} has an address beyond {memory}, which holds {labels} labels")]
    Address {
        /// Number of the batch.
        batch: u64,
        /// Name of the memory.
        memory: &'static str,
        /// Capacity of the memory in labels.
        labels: u32,
    },
    /// The number of gates differs from the number in the header.
    #[error("the stream has {found} gates where its header says {printed}")]
    Gates {
        /// Number in the header.
        printed: u64,
        /// Number of gates found.
        found: u64,
    },
    /// The checksum does not match.
    #[error("the stream was altered: its checksum differs")]
    Altered,
    /// Bytes follow the end of the stream.
    #[error("there are bytes after the end of the stream")]
    Behind,
}

const MAGIC: [u8; 4] = *b"HGOV";
const VERSION: u16 = 2;
const HEADER: usize = 32;

/// Writes a plan's stream. Returns its length in bytes.
///
/// # Errors
/// If writing fails. The bytes written so far are no valid stream.
pub fn write(out: &mut dyn Write, plan: &Plan<'_>, build: Build) -> Result<u64, StreamError> {
    let mut out = Summed { out, digest: digest(), bytes: 0 };
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&MAGIC);
    header[4..6].copy_from_slice(&VERSION.to_le_bytes());
    header[6] = build.form.code();
    let numbers = [build.cells.ands, build.cells.xors, build.block_ram, plan.in_ddr()];
    for (bytes, number) in header[8..24].chunks_exact_mut(4).zip(numbers) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    header[24..].copy_from_slice(&plan.gates().to_le_bytes());
    out.all(&header)?;
    let mut sending = plan.sending();
    while let Some(batch) = sending.next(Waits::default()) {
        for word in batch.words {
            out.all(&word.to_le_bytes())?;
        }
    }
    out.all(&END.to_le_bytes())?;
    let sum = out.digest.finalize() as u32;
    out.all(&sum.to_le_bytes())?;
    out.out.flush()?;
    Ok(out.bytes)
}

/// Reads a stream batch by batch.
pub struct Stream<R> {
    from: R,
    digest: Digest,
    build: Build,
    in_ddr: u32,
    gates: u64,
    found: u64,
    ands: u32,
    batches: u64,
    is_over: bool,
}

impl<R: Read> Stream<R> {
    /// Opens a stream and checks that it is for `build`.
    ///
    /// # Errors
    /// If the bytes are no stream, or the stream is for another build.
    pub fn open(from: R, build: Build) -> Result<Stream<R>, StreamError> {
        let stream = Stream::of_any(from)?;
        match stream.build == build {
            true => Ok(stream),
            false => Err(StreamError::OtherBuild { stream: stream.build, here: build }),
        }
    }

    /// Opens a stream for any build.
    ///
    /// # Errors
    /// If the bytes are no stream.
    pub fn of_any(mut from: R) -> Result<Stream<R>, StreamError> {
        let (mut header, mut digest) = ([0; HEADER], digest());
        whole(&mut from, &mut header, "its header")?;
        digest.update(&header);
        if header[..4] != MAGIC {
            return Err(StreamError::NotAStream);
        }
        let version = u16::from_le_bytes([header[4], header[5]]);
        if version != VERSION || header[7] != 0 {
            return Err(StreamError::Version(version));
        }
        let form = Form::of(header[6]).ok_or(StreamError::Form(header[6]))?;
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let cells = Cells { ands: number(8), xors: number(12) };
        let build = Build { cells, block_ram: number(16), form };
        let gates = u64::from(number(24)) | u64::from(number(28)) << 32;
        let in_ddr = number(20);
        Ok(Stream {
            from,
            digest,
            build,
            in_ddr,
            gates,
            found: 0,
            ands: 0,
            batches: 0,
            is_over: false,
        })
    }

    /// The build for which the stream was made.
    pub fn build(&self) -> Build {
        self.build
    }

    /// Number of labels in DDR that commands use, including constants and inputs.
    pub fn in_ddr(&self) -> u32 {
        self.in_ddr
    }

    /// Reads the next batch into `commands`. Returns whether its gates are ANDs; `None` after the
    /// last batch, if the stream is valid.
    ///
    /// # Errors
    /// If the stream is invalid. No batch is returned after an error.
    pub fn next_batch(&mut self, commands: &mut Vec<Command>) -> Result<Option<bool>, StreamError> {
        commands.clear();
        if self.is_over {
            return Ok(None);
        }
        let read = self.batch(commands);
        self.is_over = !matches!(read, Ok(Some(_)));
        read
    }

    fn batch(&mut self, commands: &mut Vec<Command>) -> Result<Option<bool>, StreamError> {
        let word = u32::from_le_bytes(self.take("the word of a batch")?);
        if word == END {
            return self.end().map(|()| None);
        }
        let ((gates, ands), batch) = (encode::of_batch(word), self.batches);
        let cells = if ands { self.build.cells.ands } else { self.build.cells.xors };
        if gates == 0 || gates > cells {
            return Err(StreamError::Batch { batch, gates, cells });
        }
        for _ in 0..gates {
            let mut registers = [0; Form::MOST];
            for register in &mut registers[..self.build.form.registers(ands)] {
                *register = u32::from_le_bytes(self.take("a command")?);
            }
            let command = self.build.form.decode(registers, if ands { self.ands } else { 0 });
            self.ands = self.ands.wrapping_add(u32::from(ands));
            for place in [command.a, command.b, command.out] {
                let (memory, at, labels) = match place {
                    Place::BlockRam(at) => ("block RAM", at, self.build.block_ram),
                    Place::Ddr(at) => ("DDR", at, self.in_ddr),
                };
                if at >= labels {
                    return Err(StreamError::Address { batch, memory, labels });
                }
            }
            commands.push(command);
        }
        (self.batches, self.found) = (batch + 1, self.found + u64::from(gates));
        Ok(Some(ands))
    }

    fn end(&mut self) -> Result<(), StreamError> {
        let sum = self.digest.finalize() as u32;
        if u32::from_le_bytes(self.take("its checksum")?) != sum {
            return Err(StreamError::Altered);
        }
        if self.found != self.gates {
            return Err(StreamError::Gates { printed: self.gates, found: self.found });
        }
        match self.from.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(StreamError::Behind),
        }
    }

    fn take(&mut self, what: &'static str) -> Result<[u8; 4], StreamError> {
        let mut bytes = [0; 4];
        whole(&mut self.from, &mut bytes, what)?;
        self.digest.update(&bytes);
        Ok(bytes)
    }
}

fn whole(from: &mut impl Read, bytes: &mut [u8], what: &'static str) -> Result<(), StreamError> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => StreamError::CutShort(what),
        _ => StreamError::Io(error),
    })
}

fn digest() -> Digest {
    Digest::new(CrcAlgorithm::Crc32Iscsi)
}

/// Writes bytes, and computes their checksum.
struct Summed<'w> {
    out: &'w mut dyn Write,
    digest: Digest,
    bytes: u64,
}

impl Summed<'_> {
    fn all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}
