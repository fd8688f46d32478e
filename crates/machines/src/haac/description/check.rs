//! What the values of a description may be, one by one and together.

use super::error::DescriptionError;
use super::{Description, Overrides};
use crate::haac::isa::{
    ADDRESS_BITS, AND_NUMBER_BITS, BURST_BYTES, LABEL_BYTES, OOR_WORD_BYTES, TABLE_BYTES,
};
use crate::haac::machine::{Machine, Memory, Queues, Rtl, Shape};
use crate::haac::model::config::MAX_ENGINES;
use std::ops::RangeInclusive;

/// Checks values by themselves; errors name where they come from.
pub(super) struct Checker<'a> {
    pub(super) origin: &'a str,
}

impl Checker<'_> {
    /// A number in a range, which holds nothing negative.
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

    /// A window's labels.
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

    /// Power or area.
    pub(super) fn amount(&self, key: String, value: f64) -> Result<f64, DescriptionError> {
        if (0.0..=1e6).contains(&value) {
            return Ok(value);
        }
        Err(self.error(key, value, "0 to 1000000"))
    }

    /// A name that can be part of a file's name and of an identifier.
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

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The labels of a window, or what they may be.
pub(super) fn window_allowed(labels: u64) -> Result<u32, String> {
    let (least, most) = (u64::from(Shape::LEAST_WINDOW), u64::from(Shape::MOST_WINDOW));
    if labels.is_power_of_two() && (least..=most).contains(&labels) {
        return Ok(labels as u32);
    }
    Err(format!("a power of two from {least} to {most} labels of {LABEL_BYTES} bytes"))
}

/// The machine that a description and overrides make; checks what hangs together.
pub(super) fn machine(
    description: &Description,
    overrides: &Overrides,
) -> Result<Machine, DescriptionError> {
    let given = Checker { origin: "the command line" };
    let engines = match overrides.engines {
        Some(engines) => given.number("engines", engines.into(), 1..=MAX_ENGINES)?,
        None => description.engines,
    };
    let window = match overrides.window {
        Some(labels) => given.window("window", labels.into())?,
        None => description.window,
    };
    let mut memory = attached(description, overrides)?;
    if let Some(bytes) = overrides.wire_bytes {
        memory.wire_bytes = given.wire_bytes("wire_bytes", bytes.into())?;
    }
    // More engines than described bring their share of what is shared.
    let share = engines.div_ceil(description.engines);
    let queues = Queues {
        instruction_bytes: description.queues.instruction_bytes.saturating_mul(share),
        ..description.queues
    };
    let machine = Machine {
        name: description.name.clone(),
        shape: Shape { engines, window },
        banks_per_engine: description.banks_per_engine,
        latency: description.latency,
        queues,
        memory,
        // No port is without an engine.
        rtl: Rtl { ports: description.rtl.ports.min(1 << engines.ilog2()), ..description.rtl },
        mhz: description.mhz,
        silicon: description.silicon,
    };
    fits_together(&description.origin, &machine)?;
    let there_are = u64::from(description.queue_memory) * u64::from(share);
    let needed = queue_bytes(&machine.queues, machine.shape);
    if needed > there_are {
        return Err(DescriptionError::value(
            &description.origin,
            "queues.bytes",
            there_are,
            format!("at least {needed}, which the depths of {engines} engines' queues need"),
        ));
    }
    Ok(machine)
}

/// The memory that is asked for, or the default one.
fn attached(description: &Description, overrides: &Overrides) -> Result<Memory, DescriptionError> {
    let name = overrides.memory.as_ref().unwrap_or(&description.default_memory);
    description.memories.iter().find(|memory| memory.name == *name).cloned().ok_or_else(|| {
        let known: Vec<&str> = description.memories().collect();
        DescriptionError::value(
            "the command line",
            "memory",
            format!("{:?}", shorten(name)),
            format!("one of {}'s: {}", description.name, known.join(", ")),
        )
    })
}

/// Window and instruction queue against the engines.
fn fits_together(origin: &str, machine: &Machine) -> Result<(), DescriptionError> {
    let Shape { engines, window } = machine.shape;
    let error = |key: &str, value: u32, allowed: String| {
        Err(DescriptionError::value(origin, key, value, allowed))
    };
    let least = (2 * engines).next_power_of_two();
    if window < least {
        let allowed = format!("at least {least} labels, two for each of {engines} engines");
        return error("window.labels", window, allowed);
    }
    let least = least_instruction_bytes(machine.shape);
    let bytes = machine.queues.instruction_bytes;
    if bytes < least || !bytes.is_multiple_of(BURST_BYTES) {
        let allowed = format!(
            "bursts of {BURST_BYTES}, {least} bytes or more: the longest row of {engines} engines"
        );
        return error("queues.instruction_bytes", bytes, allowed);
    }
    Ok(())
}

/// Bytes of the longest row that an encoding has, where it begins anywhere in a burst, and of one
/// burst more, in whole bursts.
fn least_instruction_bytes(shape: Shape) -> u32 {
    let row =
        (u64::from(shape.engines.max(16)) * u64::from(2 * shape.slot_bits() + 16)).div_ceil(8);
    (row as u32 + BURST_BYTES).next_multiple_of(BURST_BYTES) + BURST_BYTES
}

/// Bytes of memory that queues of such depths need for all engines of `shape`: entries are as wide
/// as what they hold. A live label has its address with it, and so has an input; an instruction
/// that waits to be issued has its output's address and its AND number.
pub fn queue_bytes(queues: &Queues, shape: Shape) -> u64 {
    let times = |depth: u32, bytes: u32| u64::from(depth) * u64::from(bytes);
    let address = ADDRESS_BITS.div_ceil(8);
    let issue_bits = shape.instruction_bits() + ADDRESS_BITS + AND_NUMBER_BITS;
    let engine = times(queues.issue, issue_bits).div_ceil(8)
        + times(queues.tables, TABLE_BYTES)
        + times(queues.oor_addresses, OOR_WORD_BYTES)
        + times(queues.oor_wires, LABEL_BYTES)
        + times(queues.live, LABEL_BYTES + address);
    engine * u64::from(shape.engines)
        + u64::from(queues.instruction_bytes)
        + times(queues.inputs, LABEL_BYTES + address)
}
