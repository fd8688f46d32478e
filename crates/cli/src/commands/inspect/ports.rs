//! The ports of a circuit.

use halfgate_circuit::{ElementType, Input, Output};
use halfgate_frontends::hgc;
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) fn inputs_json(inputs: &[Input]) -> Vec<Value> {
    let port = |input: &Input| {
        json!({
            "name": input.name,
            "party": input.party.to_string(),
            "bits": input.width,
            "per_cycle": input.per_cycle,
            "type": type_word(input.elements, input.width),
        })
    };
    inputs.iter().map(port).collect()
}

pub(super) fn outputs_json(outputs: &[Output]) -> Vec<Value> {
    let port = |output: &Output| {
        json!({
            "name": output.name,
            "bits": output.bits.len(),
            "per_cycle": output.per_cycle,
            "type": type_word(output.elements, output.bits.len() as u32),
        })
    };
    outputs.iter().map(port).collect()
}

pub(super) fn text(inputs: &[Input], outputs: &[Output]) -> String {
    let mut text = String::new();
    let each = |per_cycle| if per_cycle { " each cycle" } else { "" };
    for input in inputs {
        let party = input.party.to_string();
        let bits = format!("{} bits{}", input.width, each(input.per_cycle));
        let word = type_word(input.elements, input.width).unwrap_or_default();
        let line = format!("input      {:16} {bits:24} {party:10} {word}", input.name);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for output in outputs {
        let width = output.bits.len();
        let bits = format!("{width} bits{}", each(output.per_cycle));
        let word = type_word(output.elements, width as u32).unwrap_or_default();
        let line = format!("output     {:16} {bits:24} {:10} {word}", output.name, "");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A port's type in the notation of HGC files, if one is declared.
fn type_word(elements: Option<ElementType>, width: u32) -> Option<String> {
    elements.and_then(|elements| hgc::type_word(elements, width).ok())
}
