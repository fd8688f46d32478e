//! Splits bytes into lines of words.
//!
//! A line is read word by word, so it may have any length. Memory: one word.

use super::MAX_NAME_BYTES;
use super::error::Problem;
use crate::error::{ReadError, TextProblem};
use crate::text::{Text, is_end};
use std::io::BufRead;

/// Limit on the bytes of a word that is not a name. The longest valid word is a type.
const MAX_WORD: usize = 64;

/// Limit on the bytes of a `#line` comment.
const MAX_SOURCE: usize = 1 << 10;

/// How a call names its function.
pub(super) enum NumberOrName {
    /// A word that begins with a digit.
    Number(String),
    /// A name, without quotation marks.
    Name(String),
}

/// Reads a file word by word. Its position is within a line or between lines.
pub(super) struct Lexer<R> {
    text: Text<R>,
    word: String,
    /// Contents of the last `#line` comment.
    source: Option<String>,
}

impl<R: BufRead> Lexer<R> {
    /// Creates a lexer over `reader`. `file` is the file's name in messages.
    pub(super) fn new(reader: R, file: &str) -> Lexer<R> {
        Lexer { text: Text::new(reader, file), word: String::new(), source: None }
    }

    /// The number of the current line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.text.line()
    }

    /// Number of bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.text.bytes()
    }

    /// Makes an error of `problem` in the current line.
    pub(super) fn error(&self, problem: Problem) -> ReadError {
        self.text.error(problem)
    }

    /// Makes an error of `problem` in line `line`.
    pub(super) fn error_at(&self, line: u64, problem: Problem) -> ReadError {
        self.text.error_at(line, problem)
    }

    /// Returns the first word of the next line that has one, or `None` at the end of the file. The
    /// current line must have been read to its end.
    pub(super) fn first_word(&mut self) -> Result<Option<&str>, ReadError> {
        loop {
            if self.text.skip_blanks()? == Some(b'#') {
                self.source_line()?;
            }
            match self.next_byte()? {
                None => return Ok(None),
                Some(b'\n') => self.text.next_line(),
                Some(_) => return self.fill().map(Some),
            }
        }
    }

    /// Removes and returns the contents of the last `#line` comment.
    pub(super) fn take_source(&mut self) -> Option<String> {
        self.source.take()
    }

    /// Reads the comment at the current position. If it is a `#line` comment, stores its contents.
    fn source_line(&mut self) -> Result<(), ReadError> {
        let mut comment = Vec::new();
        while let Some(byte) = self.text.peek()?.filter(|&byte| byte != b'\n') {
            if comment.len() == MAX_SOURCE
                || !b"#line ".starts_with(&comment[..comment.len().min(6)])
            {
                self.text.skip_line()?;
                return Ok(());
            }
            comment.push(byte);
            self.text.bump();
        }
        let source = String::from_utf8(comment).ok();
        let source = source.as_deref().and_then(|source| source.strip_prefix("#line "));
        let source = source.map(str::trim).filter(|source| !source.contains(char::is_control));
        if let Some(source) = source {
            self.source = Some(source.to_owned());
        }
        Ok(())
    }

    /// Returns the next word of the current line, or `None` at its end.
    pub(super) fn word(&mut self) -> Result<Option<&str>, ReadError> {
        match self.next_byte()? {
            None | Some(b'\n') => Ok(None),
            Some(_) => self.fill().map(Some),
        }
    }

    /// Parses the next word of the current line with `parse`. In messages, `what` names the word,
    /// and `form` shows how the line is written.
    pub(super) fn field<T>(
        &mut self,
        what: &'static str,
        form: &'static str,
        parse: impl FnOnce(&str) -> Result<T, Problem>,
    ) -> Result<T, ReadError> {
        let parsed = match self.word()? {
            None => Err(Problem::Missing { what, form }),
            Some(word) => parse(word),
        };
        parsed.map_err(|problem| self.error(problem))
    }

    /// Checks that the current line, written like `form`, has no further word.
    pub(super) fn end_line(&mut self, form: &'static str) -> Result<(), ReadError> {
        let extra = self.word()?.map(|word| Problem::Extra { found: word.to_owned(), form });
        extra.map_or(Ok(()), |problem| Err(self.error(problem)))
    }

    /// Returns the next name of the current line, which is not empty, or `None` at the line's end.
    pub(super) fn name(&mut self) -> Result<Option<String>, ReadError> {
        match self.any_name()? {
            Some(name) if name.is_empty() => Err(self.error(Problem::EmptyName)),
            name => Ok(name),
        }
    }

    /// Returns the next word of the current line if it begins with a digit, or else the next name.
    pub(super) fn number_or_name(&mut self) -> Result<Option<NumberOrName>, ReadError> {
        if !self.next_byte()?.is_some_and(|byte| byte.is_ascii_digit()) {
            return Ok(self.any_name()?.map(NumberOrName::Name));
        }
        Ok(Some(NumberOrName::Number(self.fill()?.to_owned())))
    }

    /// Returns the next name of the current line, or `None` at the line's end. A name is a plain
    /// word or a JSON string, which may be empty.
    pub(super) fn any_name(&mut self) -> Result<Option<String>, ReadError> {
        match self.next_byte()? {
            None | Some(b'\n') => return Ok(None),
            Some(b'"') => {}
            Some(byte) if !is_plain_start(byte) => {
                return Err(self.error(Problem::NameNeedsQuotes(byte.into())));
            }
            Some(_) => {
                let mut name = String::new();
                while let Some(byte) = self.text.peek()?.filter(|byte| !is_end(*byte)) {
                    if !is_plain(byte) {
                        return Err(self.error(Problem::NameNeedsQuotes(byte.into())));
                    }
                    if name.len() == MAX_NAME_BYTES {
                        return Err(self.error(Problem::NameTooLong));
                    }
                    name.push(byte.into());
                    self.text.bump();
                }
                return Ok(Some(name));
            }
        }
        self.string().map(Some)
    }

    /// Reads the JSON string at the current position.
    fn string(&mut self) -> Result<String, ReadError> {
        let mut json = vec![b'"'];
        self.text.bump();
        loop {
            let byte = match self.text.peek()? {
                None | Some(b'\n') => return Err(self.error(Problem::OpenString)),
                Some(byte) => byte,
            };
            if json.len() == MAX_NAME_BYTES {
                return Err(self.error(Problem::NameTooLong));
            }
            json.push(byte);
            self.text.bump();
            match byte {
                b'"' => break,
                b'\\' => {
                    if let Some(escaped) = self.text.peek()?.filter(|&byte| byte != b'\n') {
                        json.push(escaped);
                        self.text.bump();
                    }
                }
                _ => {}
            }
        }
        if let Some(byte) = self.text.peek()?.filter(|byte| !is_end(*byte)) {
            return Err(self.error_of(TextProblem::Character(byte)));
        }
        let bad = |error: serde_json::Error| {
            let text = error.to_string();
            // The parser reports a position within the string, which is not the position in the
            // file. It is left out.
            let reason = text.split(" at line").next().unwrap_or_default();
            self.error(Problem::BadString(reason.to_owned()))
        };
        serde_json::from_slice(&json).map_err(bad)
    }

    /// Returns the next byte after blanks and a comment.
    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.text.skip_blanks()?;
        if byte != Some(b'#') {
            return Ok(byte);
        }
        self.text.skip_line()
    }

    /// Reads the word at the current position.
    fn fill(&mut self) -> Result<&str, ReadError> {
        self.word.clear();
        while let Some(byte) = self.text.peek()?.filter(|byte| !is_end(*byte)) {
            if !byte.is_ascii_graphic() {
                return Err(self.error_of(TextProblem::Character(byte)));
            }
            if self.word.len() == MAX_WORD {
                let start = self.word.chars().take(20).collect();
                return Err(self.error(Problem::WordTooLong(start)));
            }
            self.word.push(byte.into());
            self.text.bump();
        }
        Ok(&self.word)
    }

    fn error_of(&self, problem: TextProblem) -> ReadError {
        self.text.error(problem)
    }
}

/// Whether a name that begins with `byte` needs no quotation marks. `byte` must be a letter or `_`,
/// so that the name cannot be confused with a number.
pub(super) fn is_plain_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether `byte` may stand in a name without quotation marks.
pub(super) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.[]$-".contains(&byte)
}
