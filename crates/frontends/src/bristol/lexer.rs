//! Splits bytes into lines. A line is a list of numbers, optionally followed by a gate's name.
//!
//! Every line of both formats has this form, apart from comments, which start with `#` or `//`.
//! Memory: the longest line, whose length is limited.

use super::error::Problem;
use crate::error::{ReadError, TextProblem};
use crate::text::{Text, is_end};
use std::io::BufRead;

/// Limit on the numbers of a line. A `MAND` of a million ANDs has three million.
pub(super) const MAX_NUMBERS: usize = 1 << 22;
/// Limit on the letters of a gate's name.
const MAX_NAME: usize = 8;

/// A line that is not blank.
#[derive(Default)]
pub(super) struct Line {
    /// Number of the line in the file, from 1.
    pub(super) number: u64,
    /// The numbers, at most [`MAX_NUMBERS`].
    pub(super) numbers: Vec<u64>,
    /// The word after the numbers, in capital letters. Empty if there is none.
    pub(super) name: String,
}

impl Line {
    /// Returns the line for a message, shortened if it is long.
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
    text: Text<R>,
    line: Line,
    /// Whether `line` is returned once more.
    held: bool,
}

impl<R: BufRead> Lexer<R> {
    /// Creates a lexer over `reader`. `file` is the file's name in messages.
    pub(super) fn new(reader: R, file: &str) -> Lexer<R> {
        Lexer { text: Text::new(reader, file), line: Line::default(), held: false }
    }

    /// Returns the next line that is not blank, or `None` at the end of the file.
    pub(super) fn next_line(&mut self) -> Result<Option<&Line>, ReadError> {
        if !std::mem::take(&mut self.held) {
            let mut line = std::mem::take(&mut self.line);
            let found = fill(&mut self.text, &mut line);
            self.line = line;
            if !found? {
                return Ok(None);
            }
        }
        Ok(Some(&self.line))
    }

    /// The line that was returned last.
    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    /// Makes [`next_line`](Lexer::next_line) return the current line once more.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// Makes an error of `problem` in the line that was returned last.
    pub(super) fn error(&self, problem: Problem) -> ReadError {
        self.error_at(self.line.number, problem)
    }

    /// Makes an error of `problem` at the current position, where something is missing.
    pub(super) fn error_at_end(&self, problem: Problem) -> ReadError {
        self.error_at(self.line.number.max(1), problem)
    }

    /// Makes an error of `problem` in line `line`.
    pub(super) fn error_at(&self, line: u64, problem: Problem) -> ReadError {
        self.text.error_at(line, problem)
    }

    /// The file's name in messages.
    pub(super) fn file(&self) -> &str {
        self.text.file()
    }
}

/// Fills `line`. Returns false at the end of the file.
fn fill<R: BufRead>(text: &mut Text<R>, line: &mut Line) -> Result<bool, ReadError> {
    line.numbers.clear();
    line.name.clear();
    loop {
        match text.skip_blanks()? {
            byte @ (Some(b'\n') | None) => {
                let number = text.line();
                if byte.is_some() {
                    text.next_line();
                }
                if !line.numbers.is_empty() || !line.name.is_empty() {
                    line.number = number;
                    return Ok(true);
                }
                if byte.is_none() {
                    return Ok(false);
                }
            }
            Some(b'#') => drop(text.skip_line()?),
            Some(b'/') => {
                text.bump();
                if text.peek()? != Some(b'/') {
                    return Err(text.error(TextProblem::Character(b'/')));
                }
                text.skip_line()?;
            }
            Some(byte) if !byte.is_ascii_alphanumeric() => {
                return Err(text.error(TextProblem::Character(byte)));
            }
            Some(byte) if !line.name.is_empty() => {
                return Err(text.error(Problem::AfterName(byte.into(), line.name.clone())));
            }
            Some(b'0'..=b'9') => {
                if line.numbers.len() == MAX_NUMBERS {
                    return Err(text.error(Problem::LineTooLong(MAX_NUMBERS)));
                }
                line.numbers.push(text.number()?);
            }
            Some(_) => name(text, &mut line.name)?,
        }
    }
}

fn name<R: BufRead>(text: &mut Text<R>, name: &mut String) -> Result<(), ReadError> {
    while let Some(byte) = text.peek()?.filter(|byte| !is_end(*byte)) {
        if byte.is_ascii_digit() {
            let problem = TextProblem::RunTogether { start: name.clone(), next: byte.into() };
            return Err(text.error(problem));
        } else if !byte.is_ascii_alphabetic() {
            return Err(text.error(TextProblem::Character(byte)));
        } else if name.len() == MAX_NAME {
            return Err(text.error(Problem::WordTooLong(name.clone())));
        }
        name.push(byte.to_ascii_uppercase().into());
        text.bump();
    }
    Ok(())
}
