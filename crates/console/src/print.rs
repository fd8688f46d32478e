//! Output that may be closed early (`halfgate … | head` must end quietly), and formatting of
//! numbers.

use crate::error::{Exit, Failure};
use halfgate_protocol::text::is_shown;
use std::borrow::Cow;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

/// Amount of output on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verbosity {
    /// Warnings and errors.
    Quiet,
    /// Notes and progress as well.
    Normal,
    /// Notes, progress and a log. Progress is then lines and not a bar, which the log would break
    /// up.
    Log,
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// Sets the verbosity of standard error for the whole process.
pub fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Whether notes and progress are suppressed.
pub fn is_quiet() -> bool {
    VERBOSITY.load(Ordering::Relaxed) == Verbosity::Quiet as u8
}

/// Whether progress is drawn as a bar: standard error is a terminal, and no log goes there.
pub fn draws() -> bool {
    VERBOSITY.load(Ordering::Relaxed) == Verbosity::Normal as u8 && std::io::stderr().is_terminal()
}

/// Writes `text` and a line end to standard output, with invisible characters escaped. A closed
/// standard output is not an error: the reader has read what it needs.
///
/// # Errors
/// If standard output fails in any other way (a full disk).
pub fn line(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    written(writeln!(out, "{}", visible(text)).and_then(|()| out.flush()))
}

/// Writes `value` as JSON and a line end to standard output, like [`line()`]. The text is not held
/// as a whole.
///
/// # Errors
/// As for [`line()`].
pub fn json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let result = serde_json::to_writer(Visible(&mut out), value).map_err(std::io::Error::from);
    written(result.and_then(|()| writeln!(out)).and_then(|()| out.flush()))
}

/// Passes on text with invisible characters escaped. Each call must write whole characters, as
/// `serde_json` does.
struct Visible<W>(W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(std::io::Error::other)?;
        self.0.write_all(visible(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

fn written(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Local, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes `halfgate: ` and a line to standard error, unless that is quiet. If standard error is
/// closed, the line is dropped.
pub fn note(text: &str) {
    if !is_quiet() {
        error(text);
    }
}

/// Writes a line that begins with `halfgate: warning: `, even if standard error is quiet.
pub fn warning(text: &str) {
    error(&format!("warning: {text}"));
}

/// Writes `halfgate: ` and a line to standard error, even if that is quiet.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "halfgate: {}", visible(text));
}

/// Escapes invisible characters of `text`, except tabs and line breaks. A name from a file or a
/// peer must not move the cursor, colour the text after it or reverse it.
fn visible(text: &str) -> Cow<'_, str> {
    let stays = |c: char| is_shown(c) || matches!(c, '\t' | '\n');
    if text.chars().all(stays) {
        return text.into();
    }
    let shown = text.chars().map(|c| match stays(c) {
        true => c.to_string(),
        false => c.escape_default().to_string(),
    });
    shown.collect()
}

/// `12,345,678`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes to three digits: `1.23 MB`.
pub fn bytes(count: u64) -> String {
    scaled(count as f64, &["B", "kB", "MB", "GB", "TB", "PB", "EB"])
}

/// The share of each part that is not 0, in percent of all parts: `issue 58.0 %, bank 42.0 %`.
pub fn shares(parts: &[(&str, u64)]) -> String {
    let all = parts.iter().map(|&(_, count)| count as f64).sum::<f64>().max(1.0);
    let share =
        |(name, count): &(&str, u64)| format!("{name} {:.1} %", 100.0 * *count as f64 / all);
    let some: Vec<_> = parts.iter().filter(|(_, count)| *count > 0).map(share).collect();
    some.join(", ")
}

/// A rate to three digits: `52.1 M AND/s`.
pub fn rate(per_second: f64, what: &str) -> String {
    format!("{}{what}/s", scaled(per_second, &["", "k ", "M ", "G "]))
}

/// A bandwidth to three digits: `1 Gbit/s`.
pub fn bandwidth(bits_per_second: f64) -> String {
    scaled(bits_per_second, &["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])
}

/// Seconds to three digits: `12.3 ms`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 120.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.2} us", s * 1e6),
        s => format!("{:.0} ns", s * 1e9),
    }
}

fn scaled(number: f64, units: &[&str]) -> String {
    let mut number = number;
    let mut units = units.iter().copied().peekable();
    let mut unit = units.next().unwrap_or_default();
    while number >= 999.5 && units.peek().is_some() {
        number /= 1000.0;
        unit = units.next().unwrap_or_default();
    }
    match number {
        n if n.fract() == 0.0 && n < 999.5 => format!("{n:.0} {unit}"),
        n if n < 10.0 => format!("{n:.2} {unit}"),
        n if n < 100.0 => format!("{n:.1} {unit}"),
        n => format!("{n:.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(visible("two\n\tlines"), "two\n\tlines");
        assert_eq!(visible("a\x1b[31mb\r\u{9b}c"), "a\\u{1b}[31mb\\r\\u{9b}c");
        assert_eq!(visible("\u{202e}fdp"), "\\u{202e}fdp");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_234_000), "1.23 MB");
        assert_eq!(rate(52_100_000.0, "AND"), "52.1 M AND/s");
        assert_eq!(seconds(0.0123), "12.30 ms");
        assert_eq!(seconds(50.947e-6), "50.95 us");
        assert_eq!(seconds(298e-9), "298 ns");
        assert_eq!(seconds(125.0), "2 min 5 s");
    }
}
