//! Splits bytes into lines. A line is a word and then numbers.

use super::error::Problem;
use crate::error::{ReadError, TextProblem};
use crate::text::{Text, is_end};
use std::io::BufRead;

/// Limit on the letters of the word that begins a line.
const MAX_WORD: usize = 16;

/// Reads a file number by number. Its position is within a line or between lines.
pub(super) struct Lexer<R> {
    text: Text<R>,
}

impl<R: BufRead> Lexer<R> {
    /// Creates a lexer over `reader`. `file` is the file's name in messages.
    pub(super) fn new(reader: R, file: &str) -> Lexer<R> {
        Lexer { text: Text::new(reader, file) }
    }

    /// Returns the first word of the next line that is neither blank nor a comment, or `None` at
    /// the end of the file. The current line must have been read to its end.
    pub(super) fn line(&mut self) -> Result<Option<String>, ReadError> {
        loop {
            match self.next_byte()? {
                None => return Ok(None),
                Some(b'\n') => self.text.next_line(),
                Some(_) => return self.word().map(Some),
            }
        }
    }

    /// Returns the next number of the current line, or `None` at the end of the line.
    pub(super) fn number(&mut self) -> Result<Option<i64>, ReadError> {
        let byte = match self.next_byte()? {
            None | Some(b'\n') => return Ok(None),
            Some(byte) => byte,
        };
        let negative = byte == b'-';
        if negative {
            self.text.bump();
        }
        match self.text.peek()? {
            Some(digit) if digit.is_ascii_digit() => {}
            _ => return Err(self.text.error(TextProblem::Character(byte))),
        }
        let number = self.text.number()?;
        let Ok(number) = i64::try_from(number) else {
            return Err(self.text.error(TextProblem::NumberTooLarge(number)));
        };
        Ok(Some(if negative { -number } else { number }))
    }

    /// The number of the current line, from 1.
    pub(super) fn line_number(&self) -> u64 {
        self.text.line()
    }

    /// Makes an error of `problem` in the current line.
    pub(super) fn error(&self, problem: Problem) -> ReadError {
        self.text.error(problem)
    }

    /// Makes an error of `problem` in line `line`.
    pub(super) fn error_at(&self, line: u64, problem: Problem) -> ReadError {
        self.text.error_at(line, problem)
    }

    /// The file's name in messages.
    pub(super) fn file(&self) -> &str {
        self.text.file()
    }

    /// Returns the next byte after blanks and a comment.
    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        match self.text.skip_blanks()? {
            Some(b'#') => self.text.skip_line(),
            byte => Ok(byte),
        }
    }

    fn word(&mut self) -> Result<String, ReadError> {
        let mut word = String::new();
        while let Some(byte) = self.text.peek()?.filter(|byte| !is_end(*byte)) {
            if !byte.is_ascii_graphic() {
                return Err(self.text.error(TextProblem::Character(byte)));
            }
            if word.len() == MAX_WORD {
                return Err(self.error(Problem::UnknownLine(word)));
            }
            word.push(byte.into());
            self.text.bump();
        }
        Ok(word)
    }
}
