//! A memory as a TOML file: structure, controller, and times in clock cycles.

use crate::BURST;
use serde::Deserialize;

/// A memory that makes sense.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Name.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// The standard, which decides some rules of the simulator.
    pub protocol: Protocol,
    /// Clock of the commands; data moves at both of its edges.
    pub clock_mhz: u32,
    /// Channels, ranks, banks, rows and widths.
    pub structure: Structure,
    /// Queues, and the order of the address.
    pub controller: Controller,
    /// Times in clock cycles.
    pub timing: Timing,
}

/// Standards that the simulator knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Protocol {
    /// JESD79-3.
    DDR3,
    /// JESD79-4.
    DDR4,
    /// JESD235, later versions.
    HBM2,
}

/// What there is of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // The names are the field's.
pub struct Structure {
    pub channels: u32,
    pub ranks: u32,
    pub bank_groups: u32,
    pub banks_per_group: u32,
    pub rows: u32,
    pub columns: u32,
    pub device_bits: u32,
    pub bus_bits: u32,
    pub burst_length: u32,
}

/// The controller of every channel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controller {
    /// Parts of the address, from its greatest bits to its least. Each field has one part without a
    /// number, which has all of its bits that parts with a number leave.
    pub address: Vec<Part>,
    /// Whether channel, rank, bank and bank group are XORed with bits of the row.
    pub hashed: bool,
    /// Reads, and writes, that a channel holds until they are scheduled.
    pub queue: u32,
    /// Commands that a bank holds.
    pub bank_queue: u32,
    /// Nanoseconds from the machine to the queue and back.
    pub path_ns: u32,
}

/// A field of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are the field's.
pub enum Field {
    Channel,
    Rank,
    Group,
    Bank,
    Row,
    Column,
}

/// A part of the address: a field (`row`), or a number of its bits (`column:3`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Part {
    /// The field.
    pub field: Field,
    /// Its bits; `None` for those that are left.
    pub bits: Option<u32>,
}

impl TryFrom<String> for Part {
    type Error = String;

    fn try_from(text: String) -> Result<Part, String> {
        let wrong = || {
            format!(
                "{text:?} is no part of an address: write channel, rank, group, bank, row or \
                 column, perhaps with a number of bits, as in \"column:3\""
            )
        };
        let (name, bits) = match text.split_once(':') {
            Some((name, bits)) => (name, Some(bits.parse().map_err(|_| wrong())?)),
            None => (text.as_str(), None),
        };
        let field = match name {
            "channel" => Field::Channel,
            "rank" => Field::Rank,
            "group" => Field::Group,
            "bank" => Field::Bank,
            "row" => Field::Row,
            "column" => Field::Column,
            _ => return Err(wrong()),
        };
        Ok(Part { field, bits })
    }
}

/// Times in clock cycles, by their names in the standards without the `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // The names are the field's.
pub struct Timing {
    pub cl: u32,
    pub cwl: u32,
    pub rcd: u32,
    pub rp: u32,
    pub ras: u32,
    pub rfc: u32,
    pub refi: u32,
    pub rrd_s: u32,
    pub rrd_l: u32,
    pub wtr_s: u32,
    pub wtr_l: u32,
    pub faw: u32,
    pub wr: u32,
    pub rtp: u32,
    pub ccd_s: u32,
    pub ccd_l: u32,
    pub rtrs: u32,
}

/// Why a text is no memory.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// No built-in memory has the name.
    #[error(
        "no DRAM is called {name:?}: give one of {known}, or the path of a configuration (.toml)"
    )]
    Unknown {
        /// The requested name.
        name: String,
        /// Names of the built-in memories.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read the DRAM's configuration {origin}: {source}")]
    Read {
        /// The file.
        origin: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The text is not TOML, or a key is unknown, missing, or of the wrong type.
    #[error("{origin}:{line}: {message}")]
    Syntax {
        /// The file.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        message: String,
    },
    /// A value that no memory can have, alone or beside the others.
    #[error("{origin}: {key} is {value}: {must}")]
    Value {
        /// The file.
        origin: String,
        /// The key as `section.key`.
        key: &'static str,
        /// Its value.
        value: String,
        /// What to write instead.
        must: String,
    },
}

impl Configuration {
    /// Bytes of all channels together.
    pub fn bytes(&self) -> u64 {
        let Structure { channels, ranks, rows, .. } = self.structure;
        u64::from(channels) * u64::from(ranks) * self.banks() * u64::from(rows) * self.row_bytes()
    }

    /// Bytes that all channels together move in a second, at most.
    pub fn bytes_per_second(&self) -> u64 {
        let Structure { channels, bus_bits, .. } = self.structure;
        u64::from(channels) * u64::from(bus_bits / 8) * 2 * u64::from(self.clock_mhz) * 1_000_000
    }

    /// Banks of a rank.
    fn banks(&self) -> u64 {
        u64::from(self.structure.bank_groups) * u64::from(self.structure.banks_per_group)
    }

    /// Bytes of a row of all devices of a rank. The simulator counts two device widths a column for
    /// HBM.
    pub(crate) fn row_bytes(&self) -> u64 {
        let Structure { columns, bus_bits, .. } = self.structure;
        let wide = if self.protocol == Protocol::HBM2 { 2 } else { 1 };
        wide * u64::from(columns) * u64::from(bus_bits / 8)
    }

    /// Bits of a field in an address of bursts.
    pub(crate) fn bits(&self, field: Field) -> u32 {
        let Structure { channels, ranks, bank_groups, banks_per_group, rows, .. } = self.structure;
        match field {
            Field::Channel => channels.ilog2(),
            Field::Rank => ranks.ilog2(),
            Field::Group => bank_groups.ilog2(),
            Field::Bank => banks_per_group.ilog2(),
            Field::Row => rows.ilog2(),
            Field::Column => (self.row_bytes() / BURST).max(1).ilog2(),
        }
    }

    /// Clock cycles of a burst.
    pub(crate) fn burst_cycles(&self) -> u32 {
        self.structure.burst_length / 2
    }
}
