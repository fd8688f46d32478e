//! The HSCD reader. A line has one word. Each record is checked and passed on when it is read.

use super::Options;
use super::error::{Place, Problem};
use super::netlist::{Netlist, Sizes};
use crate::error::ReadError;
use crate::text::{Text, is_end};
use halfgate_circuit::Circuit;
use std::io::BufRead;

/// Reads a circuit in HSCD format; `name` is the file's name in messages.
///
/// Memory: about 30 bytes for each wire alive at once, each output and each flip-flop. The format's
/// fields limit a file to 16,383 gates.
///
/// # Errors
/// [`ReadError::Malformed`] with line and reason if the file is not a circuit; and if the file
/// cannot be read.
pub fn read_hex(reader: impl BufRead, name: &str, options: &Options) -> Result<Circuit, ReadError> {
    let mut words = Words { text: Text::new(reader, name), line: 1, digits: None };
    let mut header = [(0, 0); 4];
    for counts in &mut header {
        let Some((word, _)) = words.next(&[8], "8")? else {
            return Err(words.error(Problem::EndsBefore("the four words of the header")));
        };
        if word >> 28 != 0 {
            return Err(words.error(Problem::HeaderBits(word >> 28)));
        }
        *counts = (u64::from(word >> 14 & 0x3fff), u64::from(word & 0x3fff));
    }
    let [(e_init, g_init), (e_input, g_input), (flip_flops, outputs), (free, gates)] = header;
    let sizes = Sizes::new([g_init, e_init, g_input, e_input, flip_flops, outputs, gates])
        .map_err(|problem| words.error(problem))?;

    let mut netlist = Netlist::new(sizes);
    let records = flip_flops + gates;
    for found in 0..records {
        let Some(word) = words.record()? else {
            return Err(words.error(Problem::MissingRecords { announced: records, found }));
        };
        let taken = match found.checked_sub(flip_flops) {
            None => flip_flop(&mut netlist, found, word).map(Ok),
            Some(gate) => {
                let first = i64::from(word >> 19);
                sizes
                    .gate_operand(gate as u32, Place::First(gate), first)
                    .and_then(|a| netlist.gate(a, signed(word >> 5), (word >> 1 & 15).into()))
            }
        };
        taken.map_err(|problem| words.error(problem))??;
        if word & 1 == 1 {
            netlist.output(netlist.last_wire());
        }
    }
    if words.record()?.is_some() {
        return Err(words.error(Problem::TrailingRecord(records)));
    }
    let (announced, found) = (outputs, netlist.outputs());
    if announced != found {
        return Err(words.error_in_line(3, Problem::OutputCount { announced, found }));
    }
    let (announced, found) = (free, netlist.free());
    if announced != found {
        return Err(words.error_in_line(4, Problem::FreeCount { announced, found }));
    }
    netlist.into_circuit(options).map(|(circuit, _)| circuit)
}

fn flip_flop(netlist: &mut Netlist, index: u64, word: u32) -> Result<(), Problem> {
    let code = word >> 1 & 15;
    if code != 15 {
        return Err(Problem::FlipFlopType { flip_flop: index, code });
    }
    let data = netlist.sizes.operand(Place::Data(index), (word >> 19).into())?;
    let init = netlist.sizes.init(index, signed(word >> 5))?;
    netlist.data(data);
    netlist.init(init);
    Ok(())
}

/// Decodes 14 bits as a wire, or as -1, -2 or -3.
fn signed(field: u32) -> i64 {
    match i64::from(field & 0x3fff) {
        value @ 0x3ffd.. => value - 0x4000,
        wire => wire,
    }
}

/// The words of a file.
struct Words<R> {
    text: Text<R>,
    /// Line of the last word, for errors.
    line: u64,
    /// Number of digits of the first record. All other records must have as many digits, so that a
    /// truncated word is detected.
    digits: Option<u64>,
}

impl<R: BufRead> Words<R> {
    fn error(&self, problem: Problem) -> ReadError {
        self.error_in_line(self.line, problem)
    }

    fn error_in_line(&self, line: u64, problem: Problem) -> ReadError {
        self.text.error_at(line, problem)
    }

    /// Returns the next word after the header.
    fn record(&mut self) -> Result<Option<u32>, ReadError> {
        let word = match self.digits {
            Some(9) => self.next(&[9], "9")?,
            Some(_) => self.next(&[8], "8")?,
            None => self.next(&[8, 9], "8 or 9")?,
        };
        self.digits = self.digits.or(word.map(|(_, digits)| digits));
        Ok(word.map(|(word, _)| word))
    }

    /// Returns the next word and its number of digits, which must be one of `lengths`. Returns
    /// `None` at the end of the file.
    fn next(
        &mut self,
        lengths: &[u64],
        expected: &'static str,
    ) -> Result<Option<(u32, u64)>, ReadError> {
        while self.text.skip_blanks()? == Some(b'\n') {
            self.text.next_line();
        }
        if self.text.peek()?.is_none() {
            return Ok(None);
        }
        self.line = self.text.line();
        let (mut word, mut digits) = (0_u64, 0);
        while let Some(byte) = self.text.peek()?.filter(|byte| !is_end(*byte)) {
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.error(Problem::NotHex(byte.into())));
            };
            digits += 1;
            if digits > 9 {
                return Err(self.error(Problem::Digits { expected, found: digits }));
            }
            word = word << 4 | u64::from(digit);
            self.text.bump();
        }
        if !lengths.contains(&digits) {
            return Err(self.error(Problem::Digits { expected, found: digits }));
        }
        if !matches!(self.text.skip_blanks()?, Some(b'\n') | None) {
            return Err(self.error(Problem::SecondWord));
        }
        match u32::try_from(word) {
            Ok(word) => Ok(Some((word, digits))),
            Err(_) => Err(self.error(Problem::WordTooWide(word))),
        }
    }
}
