//! The interface of host and hardware apart from instructions, read from `registers.toml`:
//! registers, counters, error codes and the launch descriptor.

pub mod c;
pub mod markdown;
pub mod rust;
pub mod system_verilog;

use crate::SpecError;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The whole file. Field names are those of the file.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// Version, increased when older hosts no longer work.
    pub version: u32,
    /// Registers, in the order of their offsets.
    pub register: Vec<Register>,
    /// Counters of the machine.
    pub counters: Counters,
    /// Counters of each engine, one per cause.
    pub causes: Causes,
    /// Address range of all registers.
    pub span: Span,
    /// Values of the field `state`.
    pub state: Vec<Code>,
    /// Values of the field `code` of an error.
    pub error: Vec<Code>,
    /// Values of the field `stream` of an error: the stream in which it occurred.
    pub stream: Vec<Code>,
    /// The launch descriptor.
    pub descriptor: Descriptor,
}

/// A register of one or more words.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Name, in lower case.
    pub name: String,
    /// Offset in bytes.
    pub offset: u32,
    /// Words of 32 bits.
    #[serde(default = "one")]
    pub words: u32,
    /// `ro`, `wo`, `rw`.
    pub access: Access,
    /// Meaning, for comments and documentation.
    pub about: String,
    /// Bit fields of the register, which then has one word.
    #[serde(default)]
    pub fields: Vec<BitField>,
}

impl Register {
    /// A sentence about it, for comments.
    fn described(&self) -> String {
        let words = match self.words {
            1 => String::new(),
            words => format!(", {words} words"),
        };
        let Register { name, about, .. } = self;
        format!("Register `{name}` ({}{words}): {about}.", self.access.name())
    }

    /// A sentence about one of its fields, for comments.
    fn described_field(&self, field: &BitField) -> String {
        format!("Field `{}` of `{}`: {}.", field.name, self.name, field.about)
    }
}

/// How the host may access a register.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Read only.
    Ro,
    /// Write only; reads return 0.
    Wo,
    /// Read and write.
    Rw,
}

impl Access {
    /// The access as written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Access::Ro => "ro",
            Access::Wo => "wo",
            Access::Rw => "rw",
        }
    }
}

/// A bit field of a word.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct BitField {
    /// Name, in lower case.
    pub name: String,
    /// Lowest bit.
    pub low: u32,
    /// Width in bits.
    pub width: u32,
    /// Meaning, for comments and documentation.
    pub about: String,
}

/// Counters of eight bytes each.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Offset of the first counter.
    pub base: u32,
    /// Width of a counter in bits.
    pub width: u32,
    /// Names, in the order of offsets.
    pub names: Vec<String>,
}

/// Counters per engine and cause.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Causes {
    /// Offset of the counters of engine 0.
    pub base: u32,
    /// Distance from one engine's counters to the next.
    pub stride: u32,
}

/// The address range of all registers.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Width of an address in bits.
    pub bits: u32,
}

/// A name with a code.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Name, in lower case.
    pub name: String,
    /// Value of the code.
    pub code: u32,
    /// Meaning, for comments and documentation.
    pub about: String,
}

/// The launch descriptor, which the machine reads at the start.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// First word.
    pub magic: u32,
    /// Bytes of the header: one burst.
    pub header_bytes: u32,
    /// Bytes of an engine's entry.
    pub engine_bytes: u32,
    /// Parts of the header.
    pub header: Vec<Part>,
    /// Parts of an entry.
    pub engine: Vec<Part>,
}

/// Some bytes of the descriptor.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Name, in lower case.
    pub name: String,
    /// Offset of the lowest byte.
    pub offset: u32,
    /// Number of bytes.
    pub bytes: u32,
    /// Meaning, for comments and documentation.
    pub about: String,
}

fn one() -> u32 {
    1
}

impl Registers {
    /// Parses `text`.
    ///
    /// # Errors
    /// If the text has another form, or entries overlap.
    pub fn parse(text: &str) -> Result<Registers, SpecError> {
        let registers: Registers =
            toml::from_str(text).map_err(|error| SpecError::Registers(error.to_string()))?;
        registers.check().map_err(SpecError::Registers)?;
        Ok(registers)
    }

    fn check(&self) -> Result<(), String> {
        let mut end = 0;
        for register in &self.register {
            let Register { name, offset, words, .. } = register;
            if *offset < end || offset % 4 != 0 || *words == 0 {
                return Err(format!("register {name} is not at a free word"));
            }
            end = offset.saturating_add(words.saturating_mul(4));
            if *words > 1 && !register.fields.is_empty() {
                return Err(format!("register {name} has fields, so it must have one word"));
            }
            let fields = register.fields.iter().map(|field| (field.low, field.width, &field.name));
            apart(fields, 32).map_err(|field| {
                format!("register {name}: {field} overlaps another field or the register's end")
            })?;
        }
        let counters = u64::from(self.counters.base) + 8 * self.counters.names.len() as u64;
        if self.counters.base < end || counters > u64::from(self.causes.base) {
            return Err("the counters overlap other registers".to_owned());
        }
        // At most 64 engines; 13 causes of 8 bytes each.
        let causes = u64::from(self.causes.base) + 64 * u64::from(self.causes.stride);
        if self.causes.stride < 13 * 8 || self.span.bits > 20 || causes > 1 << self.span.bits {
            return Err("the counters of causes do not fit".to_owned());
        }
        for (what, codes) in
            [("states", &self.state), ("errors", &self.error), ("streams", &self.stream)]
        {
            let set: BTreeSet<u32> = codes.iter().map(|code| code.code).collect();
            if set.len() != codes.len() || set.last().is_some_and(|&last| last > 255) {
                return Err(format!("{what} must have different codes of 8 bits"));
            }
        }
        let Descriptor { header_bytes, engine_bytes, header, engine, .. } = &self.descriptor;
        if *header_bytes != 64 || *engine_bytes != 32 {
            return Err("a header must have 64 bytes and an entry 32: whole bursts".to_owned());
        }
        for (bytes, parts) in [(*header_bytes, header), (*engine_bytes, engine)] {
            let parts = parts.iter().map(|part| (part.offset, part.bytes, &part.name));
            apart(parts, bytes).map_err(|part| {
                format!("descriptor: {part} overlaps another part or the descriptor's end")
            })?;
        }
        Ok(())
    }
}

/// Checks that ranges of a start and a length come in order, do not overlap and end below `end`.
/// Returns the name of one that does not.
fn apart<'a>(
    things: impl Iterator<Item = (u32, u32, &'a String)>,
    end: u32,
) -> Result<(), &'a String> {
    let mut next = 0;
    for (start, length, name) in things {
        if start < next || length == 0 || length > end || start > end - length {
            return Err(name);
        }
        next = start + length;
    }
    Ok(())
}

/// Converts `other_version` to `OtherVersion`.
fn camel(name: &str) -> String {
    let word = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_uppercase() + rest,
        None => String::new(),
    };
    name.split('_').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of the first such file in the repository.
    fn text() -> String {
        crate::home::first("spec/registers.toml")
    }

    #[test]
    fn overlapping_entries_are_rejected() {
        Registers::parse(&text()).unwrap();
        for (from, to, expected) in [
            ("offset = 0x008", "offset = 0x004", "config is not at a free word"),
            ("offset = 0x008", "offset = 0x00a", "config is not at a free word"),
            ("name = \"isa\", low = 16", "name = \"isa\", low = 15", "isa overlaps another"),
            ("name = \"isa\", low = 16, width = 16", "name = \"isa\", low = 16, width = 17", "isa"),
            ("base = 0x100\n", "base = 0x60\n", "counters"),
            ("stride = 0x80", "stride = 0x40", "causes"),
            ("code = 3\nabout = \"the program is", "code = 2\nabout = \"the program is", "errors"),
            ("offset = 12, bytes = 4", "offset = 8, bytes = 4", "rows overlaps another"),
            ("access = \"wo\"", "access = \"no\"", "access"),
        ] {
            assert!(text().contains(from), "{from}");
            let error = Registers::parse(&text().replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with("registers.toml: ") && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn names_of_types_have_capitals() {
        assert_eq!(camel("not_a_program"), "NotAProgram");
        assert_eq!(camel("idle"), "Idle");
    }
}
