//! The tables of the documentation, between two fixed lines.

use crate::SpecError;
use crate::description::Description;
use crate::home::Home;
use crate::isa::{Isa, Width};
use std::fmt::Write;

/// Path of the document.
pub fn path(home: &Home) -> String {
    home.path("spec/isa.md")
}

const BEGIN: &str =
    "<!-- Generated from isa.toml and machines/: change those files and run `make spec`. -->";
const END: &str = "<!-- End of the generated tables. -->";

/// Returns the document with its tables brought up to date.
///
/// # Errors
/// If one of the two lines around the tables is missing.
pub fn with_tables(
    document: &str,
    isa: &Isa,
    machines: &[Description],
    home: &Home,
) -> Result<String, SpecError> {
    let lacks = |marker| SpecError::Marker(path(home), marker);
    let (before, rest) = document.split_once(BEGIN).ok_or_else(|| lacks(BEGIN))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| lacks(END))?;
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", tables(isa, machines)))
}

fn tables(isa: &Isa, machines: &[Description]) -> String {
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
    type Row = (&'static str, fn(&Description, &Isa) -> String);
    let rows: [Row; 16] = [
        ("engines", |m, _| m.engines.count.to_string()),
        ("labels of the window", |m, _| m.window.labels.to_string()),
        ("banks", |m, _| m.banks().to_string()),
        ("bits of an instruction, `plain`", |m, isa| m.instruction_bits(isa).to_string()),
        ("cycles of XOR", |m, _| m.latency.xor.to_string()),
        ("cycles of AND, garbling", |m, _| m.latency.and_garbler.to_string()),
        ("cycles of AND, evaluating", |m, _| m.latency.and_evaluator.to_string()),
        ("instruction queue, bytes", |m, _| m.queues.instruction_bytes.to_string()),
        ("input queue, labels", |m, _| m.queues.inputs.to_string()),
        ("issue queue per engine", |m, _| m.queues.issue.to_string()),
        ("table queue per engine", |m, _| m.queues.tables.to_string()),
        ("out-of-range addresses per engine", |m, _| m.queues.oor_addresses.to_string()),
        ("out-of-range labels per engine", |m, _| m.queues.oor_wires.to_string()),
        ("live labels per engine", |m, _| m.queues.live.to_string()),
        ("all queues, bytes", |m, isa| m.queue_bytes(isa).to_string()),
        ("MHz", |m, _| m.clock.mhz.to_string()),
    ];
    for (name, of) in rows {
        let values: Vec<String> = machines.iter().map(|m| of(m, isa)).collect();
        put(format!("| {name} | {} |", values.join(" | ")));
    }
    text
}
