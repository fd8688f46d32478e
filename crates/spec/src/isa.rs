//! The instruction set of a machine, read from its `isa.toml`.

use crate::SpecError;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The instruction set. Field names are those of the file.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Isa {
    /// Name of the machine.
    pub name: String,
    /// Version, increased when older programs no longer run.
    pub version: u32,
    /// Fields of an instruction, the lowest first.
    pub field: Vec<Field>,
    /// Operations.
    pub operation: Vec<Code>,
    /// Values of field b of the operation `unary`.
    pub unary: Vec<Code>,
    /// Fields of a word of an out-of-range stream, the lowest first.
    pub oor_field: Vec<OorField>,
    /// What an engine can do in a cycle, in the order of the hardware's codes.
    pub cause: Vec<Cause>,
    /// Other sizes that hardware and software share.
    pub size: Size,
    /// Tables of the encoding `compact`.
    pub compact_table: Vec<CompactTable>,
}

/// A field of an instruction.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// `op`, `a`, `b`, `live`.
    pub name: String,
    /// Width of the field.
    pub width: Width,
    /// Meaning, for comments and documentation.
    pub about: String,
}

/// The width of a field.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(untagged)]
pub enum Width {
    /// A fixed number of bits.
    Bits(u32),
    /// The number of bits that selects a label of the window.
    OfWindow(Slot),
}

/// The keyword for a width that follows the window.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// `"slot"`.
    Slot,
}

/// A name with a code.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Name, in lower case.
    pub name: String,
    /// Value of the field.
    pub code: u32,
    /// What the operation does.
    pub about: String,
}

/// A field of an out-of-range word.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct OorField {
    /// `address`, `last`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Meaning, for comments and documentation.
    pub about: String,
}

/// An activity of an engine in a clock cycle, or the cause of a stall.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// Name in lower case, words joined by `_`.
    pub name: String,
    /// When the cause is counted.
    pub about: String,
}

/// Sizes in bits and bytes.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Bits of a wire's address.
    pub address_bits: u32,
    /// Bits of an AND's number in a launch.
    pub and_number_bits: u32,
    /// Bytes of a label.
    pub label_bytes: u32,
    /// Bytes of a table.
    pub table_bytes: u32,
    /// Bytes of a burst.
    pub burst_bytes: u32,
}

/// A table of the encoding `compact`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct CompactTable {
    /// Class names with numbers of bits: `oor`, `full`, `left 3`, `recent 4 5`.
    pub classes: Vec<String>,
}

/// A class of the encoding `compact`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Name in Rust: `Left`.
    pub name: &'static str,
    /// Bits of the parts of its field.
    pub widths: Vec<u32>,
}

/// Class names, their names in Rust, and how many numbers follow each.
const CLASSES: [(&str, &str, usize); 7] = [
    ("oor", "OutOfRange", 0),
    ("full", "Full", 0),
    ("distance", "Distance", 1),
    ("left", "Left", 1),
    ("up", "Up", 1),
    ("cross", "Cross", 1),
    ("recent", "Recent", 2),
];

impl Class {
    /// Parses a class such as `left 3`.
    pub fn parse(text: &str) -> Option<Class> {
        let mut words = text.split(' ');
        let word = words.next()?;
        let (_, name, numbers) = CLASSES.into_iter().find(|(known, ..)| *known == word)?;
        let bits = |word: &str| word.parse().ok().filter(|&bits| bits <= 28);
        let widths: Vec<u32> = words.map(bits).collect::<Option<_>>()?;
        (widths.len() == numbers).then_some(Class { name, widths })
    }
}

impl Isa {
    /// Parses the file's text.
    ///
    /// # Errors
    /// If the instruction set cannot be encoded: fields or codes that hardware and software rely on
    /// are missing, codes are equal or do not fit, or the tables cannot encode every operand.
    pub fn parse(text: &str) -> Result<Isa, SpecError> {
        let isa: Isa = toml::from_str(text).map_err(|error| SpecError::Isa(error.to_string()))?;
        isa.check().map_err(SpecError::Isa)?;
        Ok(isa)
    }

    fn check(&self) -> Result<(), String> {
        let fields: Vec<&str> = self.field.iter().map(|field| field.name.as_str()).collect();
        if fields != ["op", "a", "b", "live"] {
            return Err(format!("the fields are {fields:?}, but must be op, a, b, live"));
        }
        let Width::Bits(op @ 1..=8) = self.field[0].width else {
            return Err("field op must have 1 to 8 bits".to_owned());
        };
        let names = |codes: &[Code]| codes.iter().map(|code| code.name.clone()).collect::<Vec<_>>();
        let operations = names(&self.operation);
        if operations != ["nop", "xor", "and", "unary"] || names(&self.unary) != ["copy", "inv"] {
            return Err(
                "operations must be nop, xor, and, unary; of unary, copy and inv".to_owned()
            );
        }
        let distinct = |codes: &[Code], most: u32| {
            let set: BTreeSet<u32> = codes.iter().map(|code| code.code).collect();
            set.len() == codes.len() && set.last().is_none_or(|&last| last <= most)
        };
        if !distinct(&self.operation, (1 << op) - 1) || self.operation[0].code != 0 {
            return Err(format!(
                "operations must have different codes of {op} bits, with 0 for nop"
            ));
        }
        // Field value 0 always means out of range. The narrowest window has four bits.
        if !distinct(&self.unary, 15) || self.unary.iter().any(|code| code.code == 0) {
            return Err("copy and inv must have different codes from 1 to 15".to_owned());
        }
        let word: u32 = self.oor_field.iter().map(|field| field.width).sum();
        if word != 32 || self.oor_field.first().map(|f| f.width) != Some(self.size.address_bits) {
            return Err("an out-of-range word must have 32 bits, the lowest an address".to_owned());
        }
        self.check_causes()?;
        self.check_tables()
    }

    fn check_causes(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for Cause { name, .. } in &self.cause {
            let is_name = name.split('_').all(|word| {
                !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase())
            });
            if !is_name || !names.insert(name) {
                return Err(format!("cause {name:?} is not a valid name, or is used twice"));
            }
        }
        Ok(())
    }

    fn check_tables(&self) -> Result<(), String> {
        if !self.compact_table.len().is_power_of_two() {
            return Err("the number of compact tables must be a power of two".to_owned());
        }
        for (number, table) in self.compact_table.iter().enumerate() {
            if !table.classes.len().is_power_of_two() || table.classes.len() > 256 {
                return Err(format!("compact table {number}: must have 1, 2, 4, … or 256 classes"));
            }
            if let Some(bad) = table.classes.iter().find(|text| Class::parse(text).is_none()) {
                return Err(format!("compact table {number}: there is no class {bad:?}"));
            }
        }
        let full = |table: &CompactTable| table.classes.iter().any(|text| text == "full");
        if !self.compact_table.iter().any(full) {
            return Err("no compact table has the class full, so some operands cannot be encoded"
                .to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of the first such file in the repository.
    fn text() -> String {
        crate::home::first("spec/isa.toml")
    }

    #[test]
    fn instruction_sets_that_cannot_be_encoded_are_rejected() {
        Isa::parse(&text()).unwrap();
        for (from, to, expected) in [
            ("code = 3", "code = 4", "codes of 2 bits"),
            ("code = 3", "code = 2", "different codes"),
            ("code = 0", "code = 3", "different codes"),
            ("name = \"copy\"\ncode = 1", "name = \"copy\"\ncode = 0", "from 1 to 15"),
            ("name = \"live\"", "name = \"alive\"", "the fields are"),
            ("width = \"slot\"", "width = \"window\"", "width"),
            ("width = 31", "width = 30", "32 bits"),
            ("name = \"operand\"", "name = \"issue\"", "cause \"issue\""),
            ("name = \"oor_empty\"", "name = \"oor_\"", "cause \"oor_\""),
            ("\"full\"", "\"fool\"", "no class \"fool\""),
            ("\"full\"", "\"full\", \"oor\"", "1, 2, 4"),
            ("\"full\"", "\"distance 99\"", "no class"),
        ] {
            assert!(text().contains(from), "{from}");
            let error = Isa::parse(&text().replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with("isa.toml: ") && error.contains(expected), "{error}");
        }
        let without = text().replace("\"full\"", "\"distance 9\"");
        assert!(Isa::parse(&without).unwrap_err().to_string().contains("the class full"));
    }

    #[test]
    fn classes_are_a_word_and_numbers() {
        assert_eq!(Class::parse("left 3"), Some(Class { name: "Left", widths: vec![3] }));
        assert_eq!(Class::parse("oor"), Some(Class { name: "OutOfRange", widths: vec![] }));
        for bad in ["left", "oor 3", "left -1", "left  3", "left 29", "recent 3", "right 3", ""] {
            assert_eq!(Class::parse(bad), None, "{bad}");
        }
    }
}
