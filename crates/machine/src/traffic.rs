//! Finds the source lines and the wires of a circuit that move the most data.

use halfgate_circuit::{Bit, Circuit};
use halfgate_console::print;
use halfgate_engine::Suite;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;

/// Lines and wires that the text lists.
const SHOWN: usize = 12;

/// Bytes of a garbled table.
const TABLE_BYTES: u64 = Suite::HalfGates.table_bytes() as u64;

/// The data of a netlist cycle: tables by source line, and labels by number of reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// The ANDs of each line, which have one table each, in descending order. Empty if source lines
    /// are unknown. For gates without a source line, the text is empty.
    pub lines: Vec<(String, u64)>,
    /// The wires whose labels gates read most often, in descending order: description and number of
    /// reads.
    pub wires: Vec<(String, u32)>,
}

impl Traffic {
    /// Measures a valid circuit in one pass over its gates. Gates that no output and no next state
    /// depends on are not counted, since they are not garbled.
    ///
    /// Memory: five bytes per wire of the body.
    pub fn of(circuit: &Circuit) -> Traffic {
        let mut reads = vec![0_u32; circuit.wires()];
        let mut matters = vec![false; circuit.wires()];
        let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
        let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
        ends.filter_map(Bit::wire).for_each(|wire| matters[wire.index()] = true);
        let sources = circuit.gates.sources();
        let mut ands: HashMap<&str, u64> = HashMap::new();
        for (number, gate) in (0..circuit.gates.len()).rev().zip(circuit.gates.iter_rev()) {
            if !matters[circuit.first_gate_wire() + number] {
                continue;
            }
            for operand in gate.operands() {
                reads[operand.index()] += 1;
                matters[operand.index()] = true;
            }
            if let (Some(sources), true) = (sources, gate.is_and()) {
                *ands.entry(sources.line(number as u64).unwrap_or_default()).or_default() += 1;
            }
        }
        let mut lines: Vec<_> = ands.into_iter().map(|(line, n)| (line.to_owned(), n)).collect();
        lines.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut most: Vec<usize> = (0..reads.len()).filter(|&wire| reads[wire] > 1).collect();
        most.sort_by_key(|&wire| (Reverse(reads[wire]), wire));
        most.truncate(SHOWN);
        let wires = most.into_iter().map(|wire| (name_of(circuit, wire), reads[wire])).collect();
        Traffic { lines, wires }
    }

    /// Lines of text, each after a line break.
    pub fn text(&self) -> String {
        let all: u64 = self.lines.iter().map(|(_, ands)| ands).sum();
        let mut text = String::new();
        if all > 0 {
            let _ =
                write!(text, "\n  most tables  of {} bytes:", print::grouped(all * TABLE_BYTES));
            for (line, ands) in self.lines.iter().take(SHOWN) {
                let (bytes, share) = (ands * TABLE_BYTES, *ands as f64 / all as f64 * 100.0);
                let (line, bytes) = (known(line), print::grouped(bytes));
                let _ = write!(text, "\n  {bytes:>12} ({share:4.1} %) {line}");
            }
            let more = self.lines.len().saturating_sub(SHOWN);
            if more > 0 {
                let _ = write!(text, "\n  {:>12} more lines", print::grouped(more as u64));
            }
        }
        if !self.wires.is_empty() {
            let shown = self.wires.iter().take(SHOWN / 3);
            let shown = shown.map(|(wire, reads)| {
                format!("{} ({} times)", wire, print::grouped((*reads).into()))
            });
            let shown: Vec<_> = shown.collect();
            let _ = write!(text, "\n  most read    {}", shown.join("; "));
        }
        text
    }

    /// The data as JSON.
    pub fn json(&self) -> Value {
        let line = |(line, ands): &(String, u64)| json!({ "line": line, "ands": ands, "table_bytes": ands * TABLE_BYTES });
        let wire = |(wire, reads): &(String, u32)| json!({ "wire": wire, "reads": reads });
        json!({
            "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
            "most_read": self.wires.iter().map(wire).collect::<Vec<_>>(),
        })
    }
}

/// Text of source lines and their ANDs after a line break, introduced by `what`; empty if there are
/// none.
pub(crate) fn shown_lines(what: &str, lines: impl Iterator<Item = (String, u64)>) -> String {
    let lines: Vec<_> = lines.collect();
    if lines.iter().all(|(line, _)| line.is_empty()) {
        return String::new();
    }
    let shown = lines.iter().take(SHOWN);
    let shown = shown.map(|(line, ands)| format!("{} ({})", known(line), print::grouped(*ands)));
    let shown: Vec<_> = shown.collect();
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {} more", print::grouped(more as u64)),
    };
    format!("\n  {what} {}{more}", shown.join("; "))
}

fn known(line: &str) -> &str {
    if line.is_empty() { "no known line" } else { line }
}

/// The name of a wire, as shown to users.
pub(crate) fn name_of(circuit: &Circuit, wire: usize) -> String {
    if let Some(gate) = wire.checked_sub(circuit.first_gate_wire()) {
        let line = circuit.gates.sources().and_then(|sources| sources.line(gate as u64));
        let line = line.map_or(String::new(), |line| format!(" of {line}"));
        return format!("gate {}{line}", print::grouped(gate as u64));
    }
    let holds = circuit.inputs_with_wires().find(|(first, input)| {
        (first.index()..first.index() + input.width as usize).contains(&wire)
    });
    match holds {
        Some((first, input)) => format!("bit {} of {}", wire - first.index(), input.name),
        None => format!("flip-flop {}", wire - circuit.input_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Party};

    #[test]
    fn tables_and_reads_are_counted() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 3);
        let y = b.input("y", Party::Evaluator, 1);
        b.at_line("sum.v:7");
        let both = b.and(x[0], y[0]);
        b.at_line("sum.v:9");
        let two: Vec<_> = x[1..].iter().map(|&bit| b.and(bit, y[0])).collect();
        // This gate is not garbled.
        b.and(both, two[0]);
        let last = b.xor(both, two[0]);
        b.output("z", &[last, two[1]]);
        let traffic = Traffic::of(&b.finish().expect("a circuit"));
        assert_eq!(traffic.lines, [("sum.v:9".to_owned(), 2), ("sum.v:7".to_owned(), 1)]);
        assert_eq!(traffic.wires, [("bit 0 of y".to_owned(), 3)]);
        assert!(traffic.text().contains("66.7 %) sum.v:9"), "{}", traffic.text());
        assert_eq!(traffic.json()["lines"][0]["table_bytes"], 64);
    }
}
