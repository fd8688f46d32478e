//! Reads and writes assembly.

use super::LowerError;
use crate::isa::{Form, Op};
use crate::word::REGISTERS;
use std::fmt;
use std::fmt::Write;

/// A line of assembly, or a part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// A directive or other text that is not executed.
    Text(String),
    /// The target of a jump.
    Label(String),
    Instruction(Instruction),
}

/// An instruction of the processor, or a pseudo-instruction of the assembler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) name: String,
    /// The processor's operation. `None` for a pseudo-instruction.
    pub(super) op: Option<Op>,
    pub(super) arguments: Vec<String>,
    /// For a jump, the instruction in its delay slot. `None` stands for `nop`.
    pub(super) slot: Option<Box<Instruction>>,
    /// File and line.
    pub(super) place: String,
}

impl Instruction {
    pub(super) fn new(op: Op, arguments: &[&str], place: &str) -> Instruction {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let (name, place) = (op.row().name.to_owned(), place.to_owned());
        Instruction { name, op: Some(op), arguments, slot: None, place }
    }

    pub(super) fn argument(&self, at: usize) -> &str {
        self.arguments.get(at).map_or("", String::as_str)
    }

    /// The number of the register in argument `at`.
    pub(super) fn register(&self, at: usize) -> Option<u32> {
        register(self.argument(at))
    }

    /// The number of the register in parentheses, in a load or store.
    pub(super) fn base(&self) -> Option<u32> {
        let (_, base) = self.argument(1).rsplit_once('(')?;
        register(base.trim_end_matches(')'))
    }

    /// The text before the register in parentheses.
    pub(super) fn offset(&self) -> &str {
        self.argument(1).rsplit_once('(').map_or("", |(offset, _)| offset)
    }

    /// Whether the instruction is a jump or branch.
    pub(super) fn jumps(&self) -> bool {
        JUMPS.contains(&self.name.as_str()) || Op::named(&self.name).is_some_and(Op::has_delay_slot)
    }

    pub(super) fn unknown(&self, why: &'static str) -> LowerError {
        LowerError::Unknown { place: self.place.clone(), text: self.to_string(), why }
    }
}

/// Pseudo-instructions that jump.
const JUMPS: [&str; 4] = ["b", "bal", "beqz", "bnez"];

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        // Without the operand `$0`, an assembler reads a pseudo-instruction that checks the
        // divisor.
        if matches!(self.op, Some(Op::Div | Op::Divu)) {
            f.write_str("\t$0,")?;
            return f.write_str(&self.arguments.join(","));
        }
        if !self.arguments.is_empty() {
            write!(f, "\t{}", self.arguments.join(","))?;
        }
        Ok(())
    }
}

/// Parses a register's number or name.
pub(super) fn register(text: &str) -> Option<u32> {
    let name = text.trim().strip_prefix('$')?;
    if let Ok(number) = name.parse() {
        return Some(number).filter(|&number| number < 32);
    }
    match name {
        "s8" => Some(30),
        _ => REGISTERS.iter().position(|register| *register == name).map(|number| number as u32),
    }
}

/// Parses a number in any notation of assemblers.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // Accepts only values that fit a word, signed or unsigned.
    (0..1 << 32).contains(&value).then_some(if negative { -value } else { value })
}

/// Parses `text`, and attaches the instructions in delay slots to their jumps.
pub(super) fn parse(text: &str, file: &str) -> Result<Vec<Item>, LowerError> {
    let mut items: Vec<Item> = Vec::new();
    let mut place = Place { files: Vec::new(), current: None, file };
    // `written`: delay slots are explicit here. `open`: the index of the jump whose delay slot
    // comes next.
    let (mut written, mut open) = (false, None);
    for (number, line) in text.lines().enumerate() {
        let mut rest = without_comment(line).trim();
        while let Some((label, behind)) = label(rest) {
            items.push(Item::Label(label.to_owned()));
            open = None;
            rest = behind.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words[..] {
            [".set", "noreorder"] => written = true,
            [".set", "reorder"] => (written, open) = (false, None),
            [".set", "macro" | "nomacro" | "at" | "noat"] | [".module" | ".nan", ..] => {}
            _ if rest.starts_with('.') || is_assignment(rest) => {
                place.note(&words);
                items.push(Item::Text(rest.to_owned()));
            }
            _ => {
                let instruction = instruction(rest, place.at(number + 1));
                if let Some(at) = open.take() {
                    let Item::Instruction(jump) = &mut items[at] else { unreachable!("a jump") };
                    if instruction.jumps() {
                        return Err(instruction.unknown("a delay slot cannot hold a jump"));
                    }
                    jump.slot = Some(Box::new(instruction)).filter(|found| found.name != "nop");
                    continue;
                }
                if written && instruction.jumps() {
                    open = Some(items.len());
                }
                items.push(Item::Instruction(instruction));
            }
        }
    }
    Ok(items)
}

/// Source location of the next instruction.
struct Place<'a> {
    /// Number and name from each `.file` directive.
    files: Vec<(String, String)>,
    current: Option<String>,
    file: &'a str,
}

impl Place<'_> {
    fn note(&mut self, words: &[&str]) {
        match words {
            [".file", number, name, ..] => {
                let name = name.trim_matches('"').rsplit('/').next().unwrap_or(name);
                self.files.push(((*number).to_owned(), name.to_owned()));
            }
            [".loc", number, line, ..] => {
                let file = self.files.iter().rev().find(|(known, _)| known == number);
                self.current = file.map(|(_, name)| format!("{name}:{line}"));
            }
            _ => {}
        }
    }

    fn at(&self, line: usize) -> String {
        self.current.clone().unwrap_or_else(|| format!("{}:{line}", self.file))
    }
}

/// Returns `items` as the text of an assembly file.
pub(super) fn write(items: &[Item]) -> String {
    let mut text = String::from("\t.set\tnoreorder\n\t.set\tnomacro\n\t.set\tnoat\n");
    for item in items {
        let _ = match item {
            Item::Text(line) => writeln!(text, "\t{line}"),
            Item::Label(label) => writeln!(text, "{label}:"),
            Item::Instruction(instruction) => {
                let slot = instruction.slot.as_ref();
                let written = writeln!(text, "\t{instruction}");
                match (instruction.jumps(), slot) {
                    (true, Some(slot)) => writeln!(text, "\t {slot}"),
                    (true, None) => writeln!(text, "\t nop"),
                    _ => written,
                }
            }
        };
    }
    text
}

fn instruction(text: &str, place: String) -> Instruction {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let arguments =
        rest.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
    Instruction {
        name: name.to_owned(),
        op: None,
        arguments: arguments.collect(),
        slot: None,
        place,
    }
}

/// Splits a leading label off `text`.
fn label(text: &str) -> Option<(&str, &str)> {
    let (label, behind) = text.split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    (!label.is_empty() && label.chars().all(plain)).then_some((label, behind))
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| !name.trim().contains([' ', '\t', ',', '(']))
}

/// Returns `line` up to the first `#` outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Whether `op` takes a constant as its last argument.
pub(super) fn takes_constant(op: Op) -> bool {
    matches!(op.row().form, Form::RtRsSigned | Form::RtRsUnsigned | Form::RdRtShift)
}
