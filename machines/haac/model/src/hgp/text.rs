//! A program file as text, and back. The parts other than instructions come before the assembly:
//! one chunk per line that begins with `;!`. Such a line is a comment to the assembler.
//!
//! ```text
//! ;!HEAD {"kind":"haac program","machine":"haac-1ge", …}
//! ;!INPS [{"name":"a","party":"garbler","width":1,"per_cycle":false}, …]
//! ;!ADDR 0 1
//! ;!RSLT 6
//! haac engines 1 window 16 first w3
//! row 0
//!   0: w3 = and w1 w2 live
//! ```
//!
//! The header's counts are recomputed from the instructions, so a text may be edited by hand.

use super::header::{Head, HeadStats, Header};
use super::read::{Loaded, assembled};
use super::write::{head, init_words, source_words};
use crate::asm::{AsmError, DisassembleError, assemble, disassemble};
use crate::code::Code;
use crate::encoding::Encoding;
use std::io::{self, BufRead, Read, Write};

/// Start of a line that holds a chunk.
const MARK: &[u8] = b";!";
/// Words per line.
const WORDS: usize = 32;
/// Longest line that holds a chunk, in bytes: the line of a full chunk of ports.
const LONGEST: u64 = super::chunk::MAX_PAYLOAD as u64 + 16;

/// Why a text is not a program file.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The text cannot be read, or a temporary file cannot be written.
    #[error("{name}: {error}")]
    Io {
        /// The text.
        name: String,
        /// The cause.
        error: io::Error,
    },
    /// A line is wrong.
    #[error("{name}:{line}: {what}")]
    Line {
        /// The text.
        name: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Each line is right by itself, but together they are inconsistent.
    #[error("{name}: {what}")]
    Whole {
        /// The text.
        name: String,
        /// The inconsistency.
        what: String,
    },
}

/// Writes `code` with `header` as text.
///
/// Memory: as for the disassembler.
///
/// # Errors
/// If `to` cannot be written, or the code lacks out-of-range words.
pub fn write_text(
    to: &mut impl Write,
    header: &Header,
    code: &Code,
) -> Result<(), DisassembleError> {
    line(to, "HEAD", &serde_json::to_string(&head(header, code)).map_err(io::Error::from)?)?;
    for (tag, ports) in [("INPS", &header.inputs), ("OUTS", &header.outputs)] {
        for some in ports.chunks(WORDS) {
            line(to, tag, &serde_json::to_string(some).map_err(io::Error::from)?)?;
        }
    }
    words(to, "INIT", init_words(&header.flip_flops))?;
    words(to, "ADDR", code.inputs.iter().map(|wire| wire.number()))?;
    words(to, "RSLT", source_words(&code.outputs))?;
    words(to, "NEXT", source_words(&code.nexts))?;
    disassemble(code, 0..u64::MAX, to)
}

fn line(to: &mut impl Write, tag: &str, text: &str) -> io::Result<()> {
    writeln!(to, ";!{tag} {text}")
}

fn words(to: &mut impl Write, tag: &str, words: impl Iterator<Item = u32>) -> io::Result<()> {
    let words: Vec<String> = words.map(|word| word.to_string()).collect();
    words.chunks(WORDS).try_for_each(|some| line(to, tag, &some.join(" ")))
}

/// Reads text that [`write_text`] has written; `name` is the text's name in error messages.
/// Instructions will be encoded as `encoding`, or as the text requests if it is `None`.
///
/// Memory: a line, and the in-memory shares of the code's lists.
///
/// # Errors
/// If a line is wrong (the message has its number), or lines are inconsistent.
pub fn read_text(
    mut text: impl BufRead,
    name: &str,
    encoding: Option<Encoding>,
) -> Result<Loaded, TextError> {
    let io = |error| TextError::Io { name: name.to_owned(), error };
    let (mut lines, mut header, mut chunks) = (0u64, None, Vec::new());
    while text.fill_buf().map_err(io)?.starts_with(MARK) {
        lines += 1;
        let mut bytes = Vec::new();
        text.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).map_err(io)?;
        let wrong = |what: String| TextError::Line { name: name.to_owned(), line: lines, what };
        let (tag, rest) = parts(&bytes).map_err(|what| wrong(what.to_owned()))?;
        if tag == *b"HEAD" {
            let found: Head = serde_json::from_str(rest).map_err(|e| wrong(e.to_string()))?;
            header = Some(found);
        } else {
            chunks.push((tag, payload(tag, rest).map_err(wrong)?));
        }
    }
    let whole = |what: String| TextError::Whole { name: name.to_owned(), what };
    let mut header = header.ok_or_else(|| {
        whole("it does not begin with ;!HEAD, as a disassembled program file does".to_owned())
    })?;
    if let Some(encoding) = encoding {
        header.encoding = encoding.to_string();
    }
    let listing = assemble(&mut text).map_err(|error| match error {
        AsmError::Io(error) => io(error),
        AsmError::Line { line, reason } => {
            TextError::Line { name: name.to_owned(), line: lines + line, what: reason }
        }
    })?;
    let HeadStats(stats) = &mut header.stats;
    // The statistics are recounted.
    *stats = Default::default();
    assembled(header, &chunks, listing).map_err(whole)
}

/// Splits a line that begins with [`MARK`] into the tag and the rest.
fn parts(line: &[u8]) -> Result<([u8; 4], &str), &'static str> {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    let (tag, rest) = line.split_first_chunk().ok_or("a tag of four letters is missing")?;
    let rest = str::from_utf8(rest).map_err(|_| "it is not valid UTF-8")?;
    if !rest.starts_with(' ') {
        return Err("a tag of four letters is missing");
    }
    Ok((*tag, rest.trim()))
}

/// The payload of the chunk that the line encodes.
fn payload(tag: [u8; 4], rest: &str) -> Result<Vec<u8>, String> {
    if matches!(&tag, b"INPS" | b"OUTS") {
        return Ok(rest.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    for word in rest.split_ascii_whitespace() {
        let word: u32 = word.parse().map_err(|_| format!("{word:?} is no number below 2^32"))?;
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    Ok(bytes)
}
