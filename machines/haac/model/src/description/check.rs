//! Checks the values of a description one by one.

use super::error::DescriptionError;
use crate::isa::{BURST_BYTES, LABEL_BYTES};
use crate::machine::{Forwarding, Shape};
use std::ops::RangeInclusive;

/// Checks single values. Its errors name the origin of the value.
pub(super) struct Checker<'a> {
    pub(super) origin: &'a str,
}

impl Checker<'_> {
    /// A number in the range `allowed`.
    pub(super) fn number(
        &self,
        key: impl Into<String>,
        value: i64,
        allowed: RangeInclusive<u32>,
    ) -> Result<u32, DescriptionError> {
        match u32::try_from(value) {
            Ok(number) if allowed.contains(&number) => Ok(number),
            _ if allowed.start() == allowed.end() => {
                Err(self.error(key, value, allowed.start().to_string()))
            }
            _ => Err(self.error(key, value, format!("{} to {}", allowed.start(), allowed.end()))),
        }
    }

    /// A depth in whole bursts of four labels.
    pub(super) fn multiple_of_4(&self, key: &str, value: i64) -> Result<u32, DescriptionError> {
        match u32::try_from(value) {
            Ok(depth) if depth.is_multiple_of(4) && (4..=1 << 16).contains(&depth) => Ok(depth),
            _ => Err(self.error(key, value, "a multiple of 4 from 4 to 65536")),
        }
    }

    /// A power of two in a range.
    pub(super) fn power_of_two(
        &self,
        key: &str,
        value: i64,
        allowed: RangeInclusive<u32>,
    ) -> Result<u32, DescriptionError> {
        match u32::try_from(value) {
            Ok(number) if number.is_power_of_two() && allowed.contains(&number) => Ok(number),
            _ => {
                let (least, most) = (allowed.start(), allowed.end());
                Err(self.error(key, value, format!("a power of two from {least} to {most}")))
            }
        }
    }

    /// Labels of a window.
    pub(super) fn window(&self, key: &str, value: i64) -> Result<u32, DescriptionError> {
        let labels = u64::try_from(value).unwrap_or(0);
        window_allowed(labels).map_err(|allowed| self.error(key, value, allowed))
    }

    /// Bytes of an access to a label.
    pub(super) fn wire_bytes(
        &self,
        key: impl Into<String>,
        value: i64,
    ) -> Result<u32, DescriptionError> {
        match u32::try_from(value) {
            Ok(bytes) if bytes == LABEL_BYTES || bytes == BURST_BYTES => Ok(bytes),
            _ => Err(self.error(key, value, "16 (a label) or 64 (a burst)")),
        }
    }

    /// The name of a form of forwarding.
    pub(super) fn forwarding(&self, key: &str, name: &str) -> Result<Forwarding, DescriptionError> {
        Forwarding::named(name).ok_or_else(|| {
            let known = Forwarding::NAMES.map(|(_, name)| name).join(" or ");
            self.error(key, format!("{:?}", shorten(name)), known)
        })
    }

    /// Power or area.
    pub(super) fn amount(&self, key: String, value: f64) -> Result<f64, DescriptionError> {
        if (0.0..=1e6).contains(&value) {
            return Ok(value);
        }
        Err(self.error(key, value, "0 to 1000000"))
    }

    /// A name that can be part of a file name and of an identifier.
    pub(super) fn name(&self, key: &str, name: &str) -> Result<(), DescriptionError> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.len() <= 40
            && name.chars().all(fits)
        {
            return Ok(());
        }
        let allowed = "at most 40 of a-z, 0-9 and -, the first a letter";
        Err(self.error(key, format!("{:?}", shorten(name)), allowed))
    }

    /// One line of text.
    pub(super) fn line(&self, key: &str, text: &str) -> Result<(), DescriptionError> {
        if text.len() <= 100 && !text.chars().any(char::is_control) {
            return Ok(());
        }
        let allowed = "one line of at most 100 bytes";
        Err(self.error(key, format!("{:?}", shorten(text)), allowed))
    }

    fn error(
        &self,
        key: impl Into<String>,
        value: impl std::fmt::Display,
        allowed: impl Into<String>,
    ) -> DescriptionError {
        DescriptionError::value(self.origin, key, value, allowed)
    }
}

/// The beginning of a text, for an error message.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The labels of a window, or the allowed values as the error.
pub(super) fn window_allowed(labels: u64) -> Result<u32, String> {
    let (least, most) = (u64::from(Shape::LEAST_WINDOW), u64::from(Shape::MOST_WINDOW));
    if labels.is_power_of_two() && (least..=most).contains(&labels) {
        return Ok(labels as u32);
    }
    Err(format!("a power of two from {least} to {most} labels of {LABEL_BYTES} bytes"))
}
