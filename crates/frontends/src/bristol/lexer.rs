//! From bytes to lines: some numbers, then perhaps a gate's name.
//!
//! Every line of both formats has this shape. Memory: the longest line, which is limited.

use super::error::{Problem, ReadError};
use std::io::BufRead;

/// Numbers that a line may hold: a `MAND` of a million ANDs has three million.
pub(super) const MAX_NUMBERS: usize = 1 << 22;
/// Letters that a gate's name may have.
const MAX_NAME: usize = 8;

/// A line that is not blank.
#[derive(Default)]
pub(super) struct Line {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// The numbers, at most [`MAX_NUMBERS`].
    pub(super) numbers: Vec<u64>,
    /// The word after the numbers; empty if there is none.
    pub(super) name: String,
}

impl Line {
    /// The line as a message shows it: shortened if long.
    pub(super) fn shown(&self) -> String {
        const SHOWN: usize = 8;
        let mut parts: Vec<String> = self.numbers.iter().take(SHOWN).map(u64::to_string).collect();
        if self.numbers.len() > SHOWN {
            parts.push("…".to_string());
        }
        if !self.name.is_empty() {
            parts.push(self.name.clone());
        }
        format!("`{}`", parts.join(" "))
    }
}

/// Reads a file line by line.
pub(super) struct Lexer<R> {
    reader: R,
    file: String,
    /// Line feeds seen so far.
    ended: u64,
    line: Line,
    /// Whether `line` is to be given out once more.
    held: bool,
}

impl<R: BufRead> Lexer<R> {
    /// A lexer over `reader`; `file` is the name for messages.
    pub(super) fn new(reader: R, file: &str) -> Lexer<R> {
        Lexer { reader, file: file.to_string(), ended: 0, line: Line::default(), held: false }
    }

    /// The next line that is not blank, or `None` at the end of the file.
    pub(super) fn next_line(&mut self) -> Result<Option<&Line>, ReadError> {
        if !std::mem::take(&mut self.held) {
            let mut line = std::mem::take(&mut self.line);
            let found = self.fill(&mut line);
            self.line = line;
            if !found? {
                return Ok(None);
            }
        }
        Ok(Some(&self.line))
    }

    /// The line given out last.
    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    /// Makes [`next_line`](Lexer::next_line) give out the present line once more.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// `problem` in the line given out last.
    pub(super) fn error(&self, problem: Problem) -> ReadError {
        self.error_at(self.line.number, problem)
    }

    /// `problem` at the place reached, for what is missing there.
    pub(super) fn error_at_end(&self, problem: Problem) -> ReadError {
        self.error_at(self.line.number.max(1), problem)
    }

    /// `problem` in line `line`.
    pub(super) fn error_at(&self, line: u64, problem: Problem) -> ReadError {
        ReadError::Malformed { file: self.file.clone(), line, problem }
    }

    /// The name for messages.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        match self.reader.fill_buf() {
            Ok(buffer) => Ok(buffer.first().copied()),
            // `BufRead` leaves it to the caller to retry.
            Err(source) if source.kind() == std::io::ErrorKind::Interrupted => self.peek(),
            Err(source) => Err(ReadError::Io { file: self.file.clone(), source }),
        }
    }

    /// Fills `line`; false at the end of the file.
    fn fill(&mut self, line: &mut Line) -> Result<bool, ReadError> {
        let fault = |lexer: &Self, problem| Err(lexer.error_at(lexer.ended + 1, problem));
        let mut number = self.ended + 1;
        line.numbers.clear();
        line.name.clear();
        loop {
            let byte = self.peek()?;
            match byte {
                Some(b'\n') | None => {
                    if byte.is_some() {
                        self.reader.consume(1);
                        self.ended += 1;
                    }
                    if !line.numbers.is_empty() || !line.name.is_empty() {
                        line.number = number;
                        return Ok(true);
                    }
                    if byte.is_none() {
                        return Ok(false);
                    }
                    number = self.ended + 1;
                }
                Some(b' ' | b'\t') => self.reader.consume(1),
                Some(b'\r') => {
                    self.reader.consume(1);
                    if !matches!(self.peek()?, Some(b'\n') | None) {
                        return fault(self, Problem::LoneCarriageReturn);
                    }
                }
                Some(byte) if !byte.is_ascii_alphanumeric() => {
                    return fault(self, Problem::Character(byte));
                }
                Some(byte) if !line.name.is_empty() => {
                    return fault(self, Problem::AfterName(byte.into(), line.name.clone()));
                }
                Some(b'0'..=b'9') => {
                    if line.numbers.len() == MAX_NUMBERS {
                        return fault(self, Problem::LineTooLong(MAX_NUMBERS));
                    }
                    let value = self.number()?;
                    line.numbers.push(value);
                }
                Some(_) => self.name(&mut line.name)?,
            }
        }
    }

    fn number(&mut self) -> Result<u64, ReadError> {
        let mut value = 0u64;
        while let Some(byte) = self.peek()?.filter(|byte| !is_end(*byte)) {
            if !byte.is_ascii_digit() {
                let problem = if byte.is_ascii_alphabetic() {
                    Problem::RunTogether { start: value.to_string(), next: byte.into() }
                } else {
                    Problem::Character(byte)
                };
                return Err(self.error_at(self.ended + 1, problem));
            }
            let next = value.checked_mul(10).and_then(|v| v.checked_add((byte - b'0').into()));
            value =
                next.ok_or_else(|| self.error_at(self.ended + 1, Problem::NumberTooLarge(value)))?;
            self.reader.consume(1);
        }
        Ok(value)
    }

    fn name(&mut self, name: &mut String) -> Result<(), ReadError> {
        while let Some(byte) = self.peek()?.filter(|byte| !is_end(*byte)) {
            let problem = if byte.is_ascii_digit() {
                Problem::RunTogether { start: name.clone(), next: byte.into() }
            } else if !byte.is_ascii_alphabetic() {
                Problem::Character(byte)
            } else if name.len() == MAX_NAME {
                Problem::WordTooLong(name.clone())
            } else {
                name.push(byte.into());
                self.reader.consume(1);
                continue;
            };
            return Err(self.error_at(self.ended + 1, problem));
        }
        Ok(())
    }
}

/// Whether `byte` ends a number or a name.
fn is_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
