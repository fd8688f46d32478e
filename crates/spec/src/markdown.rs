//! The tables of the documentation, between two lines that stay.

use crate::SpecError;
use crate::isa::{Isa, Width};
use halfgate_machines::haac::Machine;
use halfgate_machines::haac::description::queue_bytes;
use std::fmt::Write;

/// The document.
pub const PATH: &str = "spec/isa.md";

const BEGIN: &str = "<!-- Generated from isa.toml and machines/ by `make spec`: change those. -->";
const END: &str = "<!-- End of what is generated. -->";

/// The document with its tables as they should be.
///
/// # Errors
/// If a line between which they stand is missing.
pub fn with_tables(document: &str, isa: &Isa, machines: &[Machine]) -> Result<String, SpecError> {
    let (before, rest) = document.split_once(BEGIN).ok_or(SpecError::Marker(PATH, BEGIN))?;
    let (_, after) = rest.split_once(END).ok_or(SpecError::Marker(PATH, END))?;
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", tables(isa, machines)))
}

fn tables(isa: &Isa, machines: &[Machine]) -> String {
    let mut text = String::new();
    let mut put = |line: String| writeln!(text, "{line}").expect("a string takes everything");
    put("| field, lowest first | bits | |\n|---|---|---|".to_owned());
    for field in &isa.field {
        let bits = match field.width {
            Width::Bits(bits) => bits.to_string(),
            Width::OfWindow(_) => "log2(labels of the window)".to_owned(),
        };
        put(format!("| `{}` | {bits} | {} |", field.name, field.about));
    }
    put("\n| operation | code | |\n|---|---|---|".to_owned());
    for code in &isa.operation {
        put(format!("| {} | {} | {} |", code.name.to_uppercase(), code.code, code.about));
    }
    for code in &isa.unary {
        let name = code.name.to_uppercase();
        put(format!("| UNARY, b = {}: {name} | | {} |", code.code, code.about));
    }
    put("\n| out-of-range word, lowest first | bits | |\n|---|---|---|".to_owned());
    for field in &isa.oor_field {
        put(format!("| `{}` | {} | {} |", field.name, field.width, field.about));
    }
    put("\n| cause of a cycle | code | |\n|---|---|---|".to_owned());
    for (code, cause) in isa.cause.iter().enumerate() {
        put(format!("| `{}` | {code} | {} |", cause.name, cause.about));
    }
    put("\n| table of `compact` | bits of a class | classes |\n|---|---|---|".to_owned());
    for (number, table) in isa.compact_table.iter().enumerate() {
        let bits = table.classes.len().ilog2();
        put(format!("| {number} | {bits} | {} |", table.classes.join(", ")));
    }
    let head: Vec<&str> = machines.iter().map(|machine| machine.name.as_str()).collect();
    put(format!("\n| machine | {} |\n|---{}|", head.join(" | "), "|---".repeat(head.len())));
    type Row = (&'static str, fn(&Machine) -> String);
    let rows: [Row; 16] = [
        ("engines", |m| m.shape.engines.to_string()),
        ("labels of the window", |m| m.shape.window.to_string()),
        ("banks", |m| m.banks().to_string()),
        ("bits of an instruction, `plain`", |m| m.shape.instruction_bits().to_string()),
        ("cycles of XOR", |m| m.latency.xor.to_string()),
        ("cycles of AND, garbling", |m| m.latency.and_garbler.to_string()),
        ("cycles of AND, evaluating", |m| m.latency.and_evaluator.to_string()),
        ("instruction queue, bytes", |m| m.queues.instruction_bytes.to_string()),
        ("input queue, labels", |m| m.queues.inputs.to_string()),
        ("issue queue, an engine", |m| m.queues.issue.to_string()),
        ("table queue, an engine", |m| m.queues.tables.to_string()),
        ("out-of-range addresses, an engine", |m| m.queues.oor_addresses.to_string()),
        ("out-of-range labels, an engine", |m| m.queues.oor_wires.to_string()),
        ("live labels, an engine", |m| m.queues.live.to_string()),
        ("all queues, bytes", |m| queue_bytes(&m.queues, m.shape).to_string()),
        ("MHz", |m| m.mhz.to_string()),
    ];
    for (name, of) in rows {
        let values: Vec<String> = machines.iter().map(of).collect();
        put(format!("| {name} | {} |", values.join(" | ")));
    }
    text
}
