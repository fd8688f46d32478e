//! Writes a program file, front to back.

use super::chunk::{ChunkWriter, MAX_PAYLOAD};
use super::file::{self, Cancel};
use super::header::{EngineCounts, Head, HeadStats, Header, Port, init_word};
use crate::code::{Code, Source};
use crate::encoding::{EncodeError, Encoder, Encoding};
use crate::instruction::{Instruction, Op};
use halfgate_circuit::Init;
use halfgate_model::file::WriteError;
use std::io::{self, Write};
use std::path::Path;

/// Instructions per chunk of rows; their out-of-range words fit in a chunk, too.
pub(super) const BLOCK: usize = 1 << 15;
/// Ports per chunk.
const PORTS: usize = 128;
/// The header's `kind`.
pub(super) const KIND: &str = "haac program";
/// The header's `roles`: the code is the same for garbler and evaluator.
pub(super) const ROLES: &str = "garbler or evaluator";

/// Writes `code` with `header` to `path`, either whole or not at all. A new file beside `path` is
/// written, synced to the disk, and renamed to `path`, which replaces an old file. If `path` is a
/// device or a pipe, it is written directly. Returns the number of bytes written.
///
/// Memory: a block of instructions with its streams (under 3 MiB).
///
/// # Errors
/// If the disk is full, `cancel` was set, the header does not fit the format, or the system fails.
/// Then `path` is as it was before.
pub fn write(path: &Path, header: &Header, code: &Code, cancel: Cancel) -> Result<u64, WriteError> {
    file::whole(path, least_bytes(header, code), cancel, |out| write_to(out, header, code))
}

/// Writes to `out`; returns the number of bytes.
///
/// # Errors
/// Those of `out` and of the code's temporary files, and [`io::ErrorKind::InvalidInput`] if the
/// header does not fit the format.
pub fn write_to(out: impl Write, header: &Header, code: &Code) -> io::Result<u64> {
    let mut to = ChunkWriter::new(out)?;
    let head = serde_json::to_vec(&head(header, code))?;
    chunk(&mut to, *b"HEAD", &head)?;
    ports(&mut to, *b"INPS", &header.inputs)?;
    ports(&mut to, *b"OUTS", &header.outputs)?;
    words(&mut to, *b"INIT", init_words(&header.flip_flops))?;
    words(&mut to, *b"ADDR", code.inputs.iter().map(|wire| wire.number()))?;
    let counts = rows(&mut to, header, code)?;
    words(&mut to, *b"RSLT", source_words(&code.outputs))?;
    words(&mut to, *b"NEXT", source_words(&code.nexts))?;
    words(&mut to, *b"ENGS", counts.iter().flat_map(counts_words))?;
    let bytes = to.bytes() + 32 + super::chunk::OVERHEAD as u64;
    to.finish()?;
    Ok(bytes)
}

/// The smallest possible size of the file: all of its lists, if instructions are not compressed. It
/// is checked against the free disk space.
fn least_bytes(header: &Header, code: &Code) -> Option<u64> {
    let oor: u64 = code.oor.iter().map(|words| words.len()).sum();
    let lists = code.inputs.len() + code.outputs.len() + code.nexts.len();
    let bits = u64::from(header.shape.instruction_bits());
    let instructions = header.stats.rows.saturating_mul(u64::from(header.shape.engines));
    let rows = match header.encoding {
        Encoding::Plain => instructions.saturating_mul(bits) / 8,
        // A group of no-ops has modes and tables only.
        Encoding::Compact => 0,
    };
    Some(rows.saturating_add(4 * (oor + lists as u64)))
}

pub(super) fn head(header: &Header, code: &Code) -> Head {
    Head {
        kind: KIND.to_owned(),
        machine: header.machine.clone(),
        engines: header.shape.engines,
        window: header.shape.window,
        suite: header.suite.clone(),
        roles: ROLES.to_owned(),
        source: header.source.clone(),
        order: header.order.clone(),
        program_hash: header.program.to_string(),
        encoding: header.encoding.to_string(),
        cycles: header.cycles,
        first_output: code.first_output,
        inputs_in_memory_only: code.inputs_in_memory_only as u64,
        stats: HeadStats(header.stats),
    }
}

fn ports(to: &mut ChunkWriter<impl Write>, tag: [u8; 4], ports: &[Port]) -> io::Result<()> {
    for some in ports.chunks(PORTS) {
        chunk(to, tag, &serde_json::to_vec(some)?)?;
    }
    Ok(())
}

fn words(
    to: &mut ChunkWriter<impl Write>,
    tag: [u8; 4],
    words: impl Iterator<Item = u32>,
) -> io::Result<()> {
    let mut payload = Vec::new();
    for word in words {
        payload.extend_from_slice(&word.to_le_bytes());
        if payload.len() == MAX_PAYLOAD {
            chunk(to, tag, &payload)?;
            payload.clear();
        }
    }
    if payload.is_empty() { Ok(()) } else { chunk(to, tag, &payload) }
}

/// Writes instructions and, before each block of them, the out-of-range words that the block takes.
fn rows(
    to: &mut ChunkWriter<impl Write>,
    header: &Header,
    code: &Code,
) -> io::Result<Vec<EngineCounts>> {
    let engines = code.shape.engines as usize;
    let rows_per_block = (BLOCK / engines).max(1) as u64;
    let mut counts = vec![EngineCounts::default(); engines];
    let mut oor: Vec<_> = code.oor.iter().map(|words| words.reader()).collect();
    let mut encoder = Encoder::new(header.encoding, code.shape, code.first_output);
    let mut instructions = code.rows.reader();
    let (mut row, mut bytes) = (vec![Instruction::NOP; engines], Vec::new());
    let mut left = header.stats.rows;
    while left > 0 {
        let mut taken = vec![0u32; engines];
        for _ in 0..left.min(rows_per_block) {
            for (engine, instruction) in row.iter_mut().enumerate() {
                let bits = instructions.next()?.ok_or_else(|| invalid("rows are missing"))?;
                *instruction = Instruction::from_bits(u64::from_le_bytes(bits));
                count(&mut counts[engine], *instruction);
                taken[engine] += instruction.pops();
            }
            encoder.row(&row, &mut bytes).map_err(not_encoded)?;
        }
        let mut payload = Vec::new();
        for (engine, (words, &taken)) in oor.iter_mut().zip(&taken).enumerate() {
            if taken == 0 {
                continue;
            }
            payload.extend_from_slice(&(engine as u32).to_le_bytes());
            payload.extend_from_slice(&taken.to_le_bytes());
            for _ in 0..taken {
                let word = words.next()?.ok_or_else(|| {
                    invalid("an engine's stream of out-of-range words is too short")
                })?;
                payload.extend_from_slice(&word);
            }
        }
        if !payload.is_empty() {
            chunk(to, *b"OORW", &payload)?;
        }
        left -= left.min(rows_per_block);
        if left > 0 {
            chunk(to, *b"ROWS", &bytes)?;
            bytes.clear();
        }
    }
    encoder.finish(&mut bytes);
    if !bytes.is_empty() {
        chunk(to, *b"ROWS", &bytes)?;
    }
    if instructions.next()?.is_some() {
        return Err(invalid("there are more instructions than rows"));
    }
    for words in &mut oor {
        if words.next()?.is_some() {
            return Err(invalid("an engine's stream of out-of-range words is too long"));
        }
    }
    Ok(counts)
}

/// Adds an instruction to its engine's counts.
pub(super) fn count(counts: &mut EngineCounts, instruction: Instruction) {
    counts.instructions += u64::from(!instruction.is_nop());
    counts.ands += u64::from(instruction.op() == Op::And);
    counts.oor_words += u64::from(instruction.pops());
    counts.live += u64::from(!instruction.is_nop() && instruction.is_live());
}

/// The counts in eight words: four numbers of 64 bits.
pub(super) fn counts_words(counts: &EngineCounts) -> [u32; 8] {
    let EngineCounts { instructions, ands, oor_words, live } = *counts;
    let mut words = [0; 8];
    for (pair, number) in words.chunks_mut(2).zip([instructions, ands, oor_words, live]) {
        pair.copy_from_slice(&[number as u32, (number >> 32) as u32]);
    }
    words
}

/// Initial values of flip-flops as words.
pub(super) fn init_words(inits: &[Init]) -> impl Iterator<Item = u32> {
    inits.iter().map(|&init| init_word(init))
}

/// Sources as words.
pub(super) fn source_words(sources: &[Source]) -> impl Iterator<Item = u32> {
    sources.iter().map(|&source| source_word(source))
}

/// A source as a word: 0 and 1 are constants, others are twice the address, plus 1 if inverted.
fn source_word(source: Source) -> u32 {
    match source {
        Source::Constant(value) => u32::from(value),
        Source::Wire { address, invert } => address << 1 | u32::from(invert),
    }
}

fn chunk(to: &mut ChunkWriter<impl Write>, tag: [u8; 4], payload: &[u8]) -> io::Result<()> {
    if payload.len() > MAX_PAYLOAD {
        return Err(invalid("names of ports, or of the program, are too long"));
    }
    to.chunk(tag, payload)
}

fn not_encoded(error: EncodeError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}
