//! Reads a text file byte by byte and counts lines. All lexers use it.

use crate::error::{Problem, ReadError, TextProblem};
use std::io::{BufRead, ErrorKind};

/// A file that is read byte by byte.
pub(crate) struct Text<R> {
    reader: R,
    file: String,
    /// Number of line feeds that were consumed so far.
    ended: u64,
    /// Number of bytes that were consumed so far.
    bytes: u64,
}

impl<R: BufRead> Text<R> {
    /// Creates the text of `reader`. `file` is the file's name in messages.
    pub(crate) fn new(reader: R, file: &str) -> Text<R> {
        Text { reader, file: file.to_string(), ended: 0, bytes: 0 }
    }

    /// The file's name in messages.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The number of the current line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.ended + 1
    }

    /// Number of bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes an error of `problem` in the current line.
    pub(crate) fn error(&self, problem: impl Into<Problem>) -> ReadError {
        self.error_at(self.line(), problem)
    }

    /// Makes an error of `problem` in line `line`.
    pub(crate) fn error_at(&self, line: u64, problem: impl Into<Problem>) -> ReadError {
        ReadError::Malformed { file: self.file.clone(), line, problem: problem.into() }
    }

    /// Returns the next byte without consuming it, or `None` at the end of the file.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.reader.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                // `BufRead` does not retry interrupted reads.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(ReadError::Io { file: self.file.clone(), source }),
            }
        }
    }

    /// Consumes the byte that [`peek`](Text::peek) returned, which must not be a line feed.
    pub(crate) fn bump(&mut self) {
        self.consume(1);
    }

    /// Consumes the line feed that [`peek`](Text::peek) returned.
    pub(crate) fn next_line(&mut self) {
        self.consume(1);
        self.ended += 1;
    }

    fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
        self.bytes += bytes as u64;
    }

    /// Consumes the rest of the line up to its line feed, and peeks.
    pub(crate) fn skip_line(&mut self) -> Result<Option<u8>, ReadError> {
        while self.peek()?.is_some() {
            let buffer = self.reader.fill_buf().unwrap_or_default();
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = buffer.len();
            self.consume(end.unwrap_or(length));
            if end.is_some() {
                return Ok(Some(b'\n'));
            }
        }
        Ok(None)
    }

    /// Consumes spaces, tabs, and a carriage return before a line feed or the end, and peeks.
    pub(crate) fn skip_blanks(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\t') => self.bump(),
                Some(b'\r') => {
                    self.bump();
                    if !matches!(self.peek()?, Some(b'\n') | None) {
                        return Err(self.error(TextProblem::LoneCarriageReturn));
                    }
                }
                byte => return Ok(byte),
            }
        }
    }

    /// Reads the decimal number at the current position.
    pub(crate) fn number(&mut self) -> Result<u64, ReadError> {
        let mut value = 0u64;
        while let Some(byte) = self.peek()?.filter(|byte| !is_end(*byte)) {
            if !byte.is_ascii_digit() {
                return Err(self.error(if byte.is_ascii_alphabetic() {
                    TextProblem::RunTogether { start: value.to_string(), next: byte.into() }
                } else {
                    TextProblem::Character(byte)
                }));
            }
            let next = value.checked_mul(10).and_then(|v| v.checked_add((byte - b'0').into()));
            value = next.ok_or_else(|| self.error(TextProblem::NumberTooLarge(value)))?;
            self.bump();
        }
        Ok(value)
    }
}

/// Whether `byte` ends a number or a name.
pub(crate) fn is_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
