//! The garbled processor's instructions and instruction sets (`spec/mips.toml`), and the files
//! generated from them.

use crate::SpecError;
use crate::comment::{LICENCE, comment, sentence};
use serde::Deserialize;
use std::fmt::Write;

/// Path of the Rust table.
pub const RUST: &str = "crates/mips/src/isa/generated.rs";

/// Path of the Verilog constants. It is an include file, because not every Yosys supports imports.
pub const VERILOG: &str = "crates/mips/rtl/generated/mips_isa.svh";

/// The file. Field names are those of the file.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Mips {
    family: Vec<Family>,
    set: Vec<Set>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Family {
    name: String,
    about: String,
    instruction: Vec<Instruction>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Instruction {
    name: String,
    opcode: Option<u8>,
    special: Option<u8>,
    regimm: Option<u8>,
    form: String,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Set {
    name: String,
    about: String,
    families: Option<Vec<String>>,
    without: Option<Vec<String>>,
}

/// Operand forms: the assembly after an instruction's name, and the form's name in Rust.
const FORMS: [(&str, &str); 15] = [
    ("rd,rs,rt", "RdRsRt"),
    ("rt,rs,signed", "RtRsSigned"),
    ("rt,rs,unsigned", "RtRsUnsigned"),
    ("rt,unsigned", "RtUnsigned"),
    ("rd,rt,shift", "RdRtShift"),
    ("rd,rt,rs", "RdRtRs"),
    ("rs,rt", "RsRt"),
    ("rd", "Rd"),
    ("rs", "Rs"),
    ("rd,rs", "RdRs"),
    ("rt,signed(rs)", "RtMemory"),
    ("rs,rt,branch", "RsRtBranch"),
    ("rs,branch", "RsBranch"),
    ("jump", "Jump"),
    ("code", "Code"),
];

/// Families that every instruction set contains.
const ALWAYS: [&str; 1] = ["HALT"];

impl Instruction {
    /// Returns the field that identifies the instruction, by its Rust name, and the field's value.
    fn code(&self) -> Option<(&'static str, u8)> {
        match (self.opcode, self.special, self.regimm) {
            (Some(code @ 2..=63), None, None) => Some(("Opcode", code)),
            (None, Some(code @ 0..=63), None) => Some(("Special", code)),
            (None, None, Some(code @ 0..=31)) => Some(("RegImm", code)),
            _ => None,
        }
    }
}

impl Mips {
    /// Parses the file's text.
    ///
    /// # Errors
    /// If the text has another form, a code is missing or used twice, or a form or family does not
    /// exist.
    pub fn parse(text: &str) -> Result<Mips, SpecError> {
        let mips: Mips = toml::from_str(text).map_err(|e| SpecError::Mips(e.to_string()))?;
        let wrong = |name: &str, what: &str| Err(SpecError::Mips(format!("{name}: {what}")));
        let mut codes = Vec::new();
        for (_, instruction) in mips.instructions() {
            let name = &instruction.name;
            let Some(code) = instruction.code() else {
                return wrong(name, "must have exactly one code, and it must fit its field");
            };
            if codes.contains(&code) {
                return wrong(name, "has the code of another instruction");
            }
            if form(&instruction.form).is_none() {
                return wrong(name, "has an unknown form");
            }
            codes.push(code);
        }
        if codes.len() > 64 {
            return wrong("instructions", "are too many for a mask of 64 bits");
        }
        for set in &mips.set {
            let named = set.families.iter().chain(&set.without).flatten();
            for name in named {
                if !mips.family.iter().any(|family| family.name == *name) {
                    return wrong(&set.name, &format!("names the unknown family {name}"));
                }
            }
            if set.families.is_some() == set.without.is_some() {
                return wrong(&set.name, "must list either its families or the families it lacks");
            }
        }
        Ok(mips)
    }

    fn instructions(&self) -> impl Iterator<Item = (&Family, &Instruction)> {
        self.family
            .iter()
            .flat_map(|family| family.instruction.iter().map(move |found| (family, found)))
    }

    /// Returns the instructions of a set as a mask with a bit for each.
    fn mask(&self, set: &Set) -> u64 {
        let has = |family: &str| {
            let named =
                |list: &Option<Vec<String>>| list.as_ref().map(|l| l.iter().any(|n| n == family));
            ALWAYS.contains(&family)
                || named(&set.families).unwrap_or(false)
                || named(&set.without).is_some_and(|without| !without)
        };
        self.instructions()
            .enumerate()
            .filter(|(_, (family, _))| has(&family.name))
            .fold(0, |mask, (at, _)| mask | 1 << at)
    }

    /// Returns the text of the Rust module.
    pub fn rust(&self) -> String {
        let mut text = String::from(
            "//! The instructions and the sets.\n//!\n\
             //! Generated from `spec/mips.toml`: change that file and run `make spec`.\n\n\
             use super::{Code, Form, InstructionSet, Row};\n\n\
             /// An operation of the processor.\n\
             #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]\n\
             #[repr(u8)]\n\
             pub enum Op {\n",
        );
        for (family, instruction) in self.instructions() {
            let about = comment("    ///", &sentence(&family.about));
            let _ = writeln!(text, "{about}\n    {},", capital(&instruction.name));
        }
        text.push_str(
            "}\n\n/// Name, family, code and form of each operation, in the order of [`Op`].\n",
        );
        let count = self.instructions().count();
        let _ = writeln!(text, "pub const ROWS: [Row; {count}] = [");
        for (family, instruction) in self.instructions() {
            let (field, code) = instruction.code().expect("checked when it was read");
            let form = form(&instruction.form).expect("checked when it was read");
            let _ = writeln!(
                text,
                "    Row {{ op: Op::{}, name: {:?}, family: {:?}, code: Code::{field}({code:#04x}), form: Form::{form} }},",
                capital(&instruction.name),
                instruction.name,
                family.name,
            );
        }
        let _ = writeln!(
            text,
            "];\n\n/// The named sets.\npub const SETS: [InstructionSet; {}] = [",
            self.set.len()
        );
        for set in &self.set {
            let mask = self.mask(set);
            let Set { name, about, .. } = set;
            let _ = writeln!(
                text,
                "    InstructionSet {{ name: {name:?}, about: {about:?}, mask: {mask:#x} }},"
            );
        }
        text.push_str("];\n");
        text
    }

    /// Returns the text of the Verilog constants.
    pub fn verilog(&self) -> String {
        let mut text = format!(
            "{LICENCE}// Instructions of the garbled processor. Generated from spec/mips.toml: run `make spec`.\n\n\
             // A processor has only the instructions of its program.\n\
             /* verilator lint_off UNUSEDPARAM */\n\n\
             // An instruction's bit in the parameter that selects a processor's instructions.\n",
        );
        for (at, (_, instruction)) in self.instructions().enumerate() {
            let _ = writeln!(text, "localparam int Has{} = {at};", capital(&instruction.name));
        }
        let _ = writeln!(text, "localparam int NumInstructions = {};", self.instructions().count());
        text.push_str(
            "\n// Codes: the opcode, or the field that identifies an instruction with opcode 0 or 1.\n",
        );
        for (_, instruction) in self.instructions() {
            let (field, code) = instruction.code().expect("checked when it was read");
            let bits = if field == "RegImm" { 5 } else { 6 };
            let name = capital(&instruction.name);
            let _ = writeln!(
                text,
                "localparam logic [{}:0] Code{name} = {bits}'h{code:02x};",
                bits - 1
            );
        }
        text.push_str("\n// The named sets.\n");
        for set in &self.set {
            let name: String = set.name.split('-').map(capital).collect();
            let _ =
                writeln!(text, "localparam logic [63:0] Set{name} = 64'h{:016x};", self.mask(set));
        }
        text.push_str("\n/* verilator lint_on UNUSEDPARAM */\n");
        text
    }
}

fn form(text: &str) -> Option<&'static str> {
    FORMS.iter().find(|(form, _)| *form == text).map(|&(_, name)| name)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
