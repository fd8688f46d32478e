//! The ports of a circuit.

use halfgate_circuit::structured::StructuredOutput;
use halfgate_circuit::{ElementType, Input, Output};
use halfgate_frontends::hgc;
use serde_json::{Value, json};
use std::fmt::Write;

/// An output of either kind of circuit.
pub(super) trait OutputPort {
    /// The name, the number of bits, whether it is per cycle, and the type.
    fn parts(&self) -> (&str, usize, bool, Option<ElementType>);
}

impl OutputPort for Output {
    fn parts(&self) -> (&str, usize, bool, Option<ElementType>) {
        (&self.name, self.bits.len(), self.per_cycle, self.elements)
    }
}

impl OutputPort for StructuredOutput {
    fn parts(&self) -> (&str, usize, bool, Option<ElementType>) {
        (&self.name, self.bits.len(), self.per_cycle, self.elements)
    }
}

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

pub(super) fn outputs_json(outputs: &[impl OutputPort]) -> Vec<Value> {
    let port = |output: &_| {
        let (name, bits, per_cycle, elements) = OutputPort::parts(output);
        json!({
            "name": name,
            "bits": bits,
            "per_cycle": per_cycle,
            "type": type_word(elements, bits as u32),
        })
    };
    outputs.iter().map(port).collect()
}

pub(super) fn text(inputs: &[Input], outputs: &[impl OutputPort]) -> String {
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
        let (name, width, per_cycle, elements) = output.parts();
        let bits = format!("{width} bits{}", each(per_cycle));
        let word = type_word(elements, width as u32).unwrap_or_default();
        let line = format!("output     {name:16} {bits:24} {:10} {word}", "");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A port's type in the notation of HGC files, if one is declared.
fn type_word(elements: Option<ElementType>, width: u32) -> Option<String> {
    elements.and_then(|elements| hgc::type_word(elements, width).ok())
}
