//! The longest path of a circuit, as text and JSON: its gates, the source lines that they come
//! from, and the depth of each output.

use crate::traffic::{Traffic, name_of, shown_lines};
use halfgate_circuit::{Circuit, Wire};
use halfgate_console::print;
use serde_json::{Value, json};
use std::fmt::Write;

/// ANDs of the path that the text lists; the JSON has all gates.
const SHOWN: usize = 12;

/// The path with the most ANDs in a netlist cycle, from an input or a flip-flop to an output or a
/// flip-flop's next state. Gates are counted from 0 in the circuit's own order, before reordering.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LongestPath {
    /// Names of its start and end, as shown to users; `None` if there is no path.
    pub ends: Option<[String; 2]>,
    /// Its gates in order, each with whether it is an AND.
    pub gates: Vec<(u64, bool)>,
    /// The source lines along the path, in order, with the path's ANDs in each. Empty if source
    /// lines are unknown. For gates without a source line, the text is empty.
    pub lines: Vec<(String, u64)>,
    /// For each output, and for all flip-flops together: the deepest bit and its depth in ANDs.
    pub outputs: Vec<(String, u32)>,
    /// The lines and wires that move the most data.
    pub traffic: Traffic,
}

impl LongestPath {
    /// Measures a valid circuit, in three passes over its gates.
    ///
    /// Memory: eight bytes per wire of the body, and 16 per gate of the path.
    pub fn of(circuit: &Circuit) -> LongestPath {
        let first = circuit.first_gate_wire();
        let mut ands = vec![0_u32; first];
        ands.reserve_exact(circuit.gates.len());
        for gate in circuit.gates.iter() {
            let before = gate.operands().map(|wire| ands[wire.index()]).max().unwrap_or(0);
            ands.push(before + u32::from(gate.is_and()));
        }
        let bits = |wires: Vec<(usize, Wire)>| {
            let deepest = wires.into_iter().rev().max_by_key(|(_, wire)| ands[wire.index()]);
            deepest.map(|(bit, wire)| (bit, wire, ands[wire.index()]))
        };
        let mut all = Vec::new();
        for output in &circuit.outputs {
            let wires = output.bits.iter().enumerate();
            let wires = wires.filter_map(|(i, bit)| Some((i, bit.wire()?))).collect();
            if let Some((bit, wire, ands)) = bits(wires) {
                all.push((format!("bit {bit} of {}", output.name), wire, ands));
            }
        }
        let nexts = circuit.flip_flops.iter().enumerate();
        let nexts = nexts.filter_map(|(i, flip_flop)| Some((i, flip_flop.next.wire()?))).collect();
        if let Some((number, wire, ands)) = bits(nexts) {
            all.push((format!("the next state of flip-flop {number}"), wire, ands));
        }
        let mut path = LongestPath::default();
        if let Some((end, wire, _)) = all.iter().rev().max_by_key(|(_, _, ands)| ands) {
            let start = path.follow_back(circuit, &ands, *wire);
            path.ends = Some([name_of(circuit, start.index()), end.clone()]);
        }
        path.outputs = all.into_iter().map(|(name, _, ands)| (name, ands)).collect();
        path.lines = path.lines(circuit);
        path.traffic = Traffic::of(circuit);
        path
    }

    /// Records the gates that lead to `wire`, and returns the wire where the path begins.
    fn follow_back(&mut self, circuit: &Circuit, ands: &[u32], mut wire: Wire) -> Wire {
        let wires = (circuit.first_gate_wire()..circuit.wires()).rev();
        for (made, gate) in wires.zip(circuit.gates.iter_rev()) {
            if made != wire.index() {
                continue;
            }
            self.gates.push(((made - circuit.first_gate_wire()) as u64, gate.is_and()));
            let deepest = gate.operands().max_by_key(|operand| ands[operand.index()]);
            match deepest {
                Some(operand) => wire = operand,
                None => break,
            }
        }
        self.gates.reverse();
        wire
    }

    /// The source lines of the gates.
    fn lines(&self, circuit: &Circuit) -> Vec<(String, u64)> {
        let Some(sources) = circuit.gates.sources() else { return Vec::new() };
        let mut lines: Vec<(String, u64)> = Vec::new();
        for &(gate, is_and) in &self.gates {
            let line = sources.line(gate).unwrap_or_default();
            match lines.last_mut() {
                Some((last, ands)) if last == line => *ands += u64::from(is_and),
                _ => lines.push((line.to_owned(), u64::from(is_and))),
            }
        }
        lines
    }

    /// The path as text.
    pub fn text(&self) -> String {
        let Some([start, end]) = &self.ends else {
            return "path         none: all outputs are constants".to_owned();
        };
        let n = |count: usize| print::grouped(count as u64);
        let ands: Vec<u64> = self.gates.iter().filter(|gate| gate.1).map(|gate| gate.0).collect();
        let mut text = format!(
            "path         {} ANDs and {} other gates one after the other, from {start} to {end}",
            n(ands.len()),
            n(self.gates.len() - ands.len())
        );
        let shown: Vec<_> = ands.iter().take(SHOWN).map(|&gate| print::grouped(gate)).collect();
        if !shown.is_empty() {
            let more = ands.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {} more", n(more)) } else { String::new() };
            let _ = write!(text, "\n  its ANDs are gates {}{more}", shown.join("; "));
        }
        let lines = self.lines.iter().filter(|(_, ands)| *ands > 0);
        text.push_str(&shown_lines("its ANDs are of", lines.cloned()));
        for (name, ands) in &self.outputs {
            let _ = write!(text, "\n  {:>8} ANDs to {name}", print::grouped((*ands).into()));
        }
        text.push_str(&self.traffic.text());
        text
    }

    /// The path as JSON.
    pub fn json(&self) -> Value {
        let gate = |&(gate, is_and): &(u64, bool)| json!({ "gate": gate, "and": is_and });
        let line = |(line, ands): &(String, u64)| json!({ "line": line, "ands": ands });
        let output = |(name, ands): &(String, u32)| json!({ "to": name, "ands": ands });
        json!({
            "from": self.ends.as_ref().map(|ends| &ends[0]),
            "to": self.ends.as_ref().map(|ends| &ends[1]),
            "ands": self.gates.iter().filter(|gate| gate.1).count(),
            "gates": self.gates.iter().map(gate).collect::<Vec<_>>(),
            "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
            "traffic": self.traffic.json(),
            "deepest": self.outputs.iter().map(output).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Init, Party};

    #[test]
    fn the_path_is_the_longest() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 2);
        let y = b.input("y", Party::Evaluator, 3);
        let state = b.flip_flop(Init::Constant(false));
        b.at_line("a.v:1");
        let one = b.and(x[1], y[0]);
        b.at_line("a.v:2");
        let side = b.and(x[0], state);
        b.at_line("a.v:3");
        let sum = b.xor(one, y[2]);
        let two = b.and(sum, y[1]);
        b.set_next(state, side);
        b.output("low", &[one, side]);
        b.output("high", &[side, two]);
        let circuit = b.finish().expect("a circuit");
        let path = LongestPath::of(&circuit);
        assert_eq!(path.lines, [("a.v:1".to_owned(), 1), ("a.v:3".to_owned(), 1)]);
        assert_eq!(path.gates, [(0, true), (2, false), (3, true)]);
        let [start, end] = path.ends.clone().expect("a path");
        assert!(["bit 1 of x", "bit 0 of y"].contains(&start.as_str()), "{start}");
        assert_eq!(end, "bit 1 of high");
        let depths: Vec<_> = path.outputs.iter().map(|(name, ands)| (&name[..], *ands)).collect();
        let expected =
            [("bit 0 of low", 1), ("bit 1 of high", 2), ("the next state of flip-flop 0", 1)];
        assert_eq!(depths, expected);
        assert!(path.text().contains("2 ANDs and 1 other gates"), "{}", path.text());
        assert_eq!(path.json()["ands"], 2);
    }

    #[test]
    fn constants_have_no_path() {
        let mut b = Builder::new();
        b.input("x", Party::Garbler, 1);
        b.output("one", &[halfgate_circuit::Bit::TRUE]);
        let path = LongestPath::of(&b.finish().expect("a circuit"));
        assert_eq!(path, LongestPath::default());
        assert!(path.text().contains("none"));
    }
}
