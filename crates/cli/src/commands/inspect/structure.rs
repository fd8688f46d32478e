//! The functions and calls of a circuit, and the cost of each function.

use super::ports;
use crate::commands::estimate::Expected;
use halfgate_circuit::structured::depth::{Depth, depth_within};
use halfgate_circuit::structured::flatten::steps;
use halfgate_circuit::structured::{Body, FunctionId, Size, Sizes, StructuredCircuit};
use halfgate_console::print;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// Most steps of a flattening for which a circuit is flattened to inspect it.
const MAX_FLATTENED: u64 = 1 << 26;
/// Most steps for measuring the depth. A fold over 2^60 steps would never be measured.
const MAX_DEPTH_STEPS: u64 = 1 << 25;

/// What a circuit with calls consists of.
pub(super) struct Structure {
    /// Functions, and the outermost body at the end.
    bodies: Vec<BodyCost>,
    /// Gates and ANDs in the text.
    text: (u64, u64),
    /// Of the flattening.
    size: Size,
    /// Of the flattening; `None` if measuring it takes too long.
    depth: Option<Depth>,
    steps: u64,
}

/// The cost of a body.
#[derive(Serialize)]
struct BodyCost {
    /// The name of the function; `null` for the outermost body.
    name: Option<String>,
    inputs: u64,
    outputs: u64,
    /// Gates of the body, without those of functions that it calls.
    gates: u64,
    and_gates: u64,
    calls: u64,
    /// ANDs of a run, with those of functions that it calls.
    ands_each_run: u64,
    /// How often it runs in a cycle.
    runs: u64,
    /// ANDs of the body in all its runs, without those of functions that it calls.
    ands: u64,
}

impl Structure {
    /// Measures a valid circuit. Returns `None` if it has no calls.
    pub(super) fn of(circuit: &StructuredCircuit) -> Option<Structure> {
        if circuit.body.calls.is_empty() {
            return None;
        }
        let sizes = Sizes::of(&circuit.functions).expect("a valid circuit's gates can be counted");
        let size = sizes.of_body(&circuit.body).expect("as above");
        let runs = runs(circuit);
        let cost = |body: &Body, runs: u64| BodyCost {
            name: None,
            inputs: 0,
            outputs: 0,
            gates: body.gates.len() as u64,
            and_gates: body.gates.ands(),
            calls: body.calls.len() as u64,
            ands_each_run: size.ands,
            runs,
            ands: body.gates.ands().saturating_mul(runs),
        };
        let functions = circuit.functions.iter().zip(&runs).zip(0..);
        let mut bodies: Vec<BodyCost> = functions
            .map(|((function, &runs), number)| BodyCost {
                name: Some(function.name.clone()),
                inputs: function.inputs.into(),
                outputs: function.outputs.len() as u64,
                ands_each_run: sizes.get(FunctionId(number)).ands,
                ..cost(&function.body, runs)
            })
            .collect();
        bodies.push(BodyCost {
            inputs: circuit.first_item_wire() as u64,
            outputs: circuit.outputs.iter().map(|output| output.bits.len() as u64).sum(),
            ..cost(&circuit.body, 1)
        });
        let text = bodies.iter().map(|body| (body.gates, body.and_gates));
        let text = text.fold((0, 0), |sum, body| (sum.0 + body.0, sum.1 + body.1));
        let depth = depth_within(circuit, MAX_DEPTH_STEPS);
        Some(Structure { bodies, text, size, depth, steps: steps(circuit) })
    }

    /// Whether the circuit is inspected without flattening it.
    pub(super) fn is_large(&self) -> bool {
        self.steps > MAX_FLATTENED
    }

    /// ANDs of a cycle.
    pub(super) fn ands(&self) -> u64 {
        self.size.ands
    }

    fn calls(&self) -> u64 {
        self.bodies.iter().map(|body| body.calls).sum()
    }

    /// Number of functions.
    fn functions(&self) -> u64 {
        self.bodies.len() as u64 - 1
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "functions": self.functions(),
            "calls": self.calls(),
            "nesting": self.size.nesting,
            "lanes": self.size.lanes,
            "gates_in_text": self.text.0,
            "ands_in_text": self.text.1,
            "gates": self.size.gates,
            "and_gates": self.size.ands,
            "depth": self.depth.map(|depth| depth.gates),
            "and_depth": self.depth.map(|depth| depth.ands),
            "by_function": self.bodies,
        })
    }

    /// All facts about a circuit that is not flattened. Those that need that are missing.
    pub(super) fn json_alone(
        &self,
        circuit: &StructuredCircuit,
        cycles: u64,
        estimate: &Expected,
    ) -> Value {
        json!({
            "inputs": ports::inputs_json(&circuit.inputs),
            "outputs": ports::outputs_json(&circuit.outputs),
            "flip_flops": circuit.flip_flops.len(),
            "gates": self.size.gates,
            "and_gates": self.size.ands,
            "depth": self.depth.map(|depth| depth.gates),
            "and_depth": self.depth.map(|depth| depth.ands),
            "cycles": cycles,
            "estimate": estimate,
            "structure": self.json(),
        })
    }

    pub(super) fn text_alone(&self, circuit: &StructuredCircuit, cycles: u64) -> String {
        let mut text = ports::text(&circuit.inputs, &circuit.outputs);
        let n = print::grouped;
        let _ = writeln!(text, "gates      {} ({} AND)", n(self.size.gates), n(self.size.ands));
        let _ = match self.depth {
            Some(depth) => {
                writeln!(text, "depth      {} ANDs, {} gates", n(depth.ands), n(depth.gates))
            }
            None => writeln!(text, "depth      not measured, which would take long"),
        };
        if cycles != 1 {
            let _ = writeln!(text, "cycles     {}", n(cycles));
        }
        text + &self.text()
    }

    /// Lines about functions, and a table with the cost of each.
    pub(super) fn text(&self) -> String {
        let n = print::grouped;
        let mut text = format!(
            "functions  {}, {} calls, nested {} deep, at most {} lanes side by side\n",
            n(self.functions()),
            n(self.calls()),
            self.size.nesting,
            self.size.lanes
        );
        let (gates, ands) = self.text;
        let _ = writeln!(
            text,
            "text       {} gates ({} AND); {} ({} AND) with all functions written out",
            n(gates),
            n(ands),
            n(self.size.gates),
            n(self.size.ands)
        );
        let [runs, own, all] = ["runs", "own ANDs", "in all runs"];
        let _ = writeln!(text, "function   {:24} {runs:>14} {own:>16} {all:>16}       %", "");
        for body in &self.bodies {
            let name = body.name.as_deref().map_or("(outermost body)".to_owned(), shown);
            let part = 100.0 * body.ands as f64 / self.size.ands.max(1) as f64;
            let (runs, own, all) = (n(body.runs), n(body.and_gates), n(body.ands));
            let _ =
                writeln!(text, "           {name:24} {runs:>14} {own:>16} {all:>16} {part:>7.2}");
        }
        text
    }
}

/// A function's name, which may be any text, in a line.
fn shown(name: &str) -> String {
    let is_plain = !name.is_empty() && !name.contains(|c: char| c.is_control());
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

/// How often each function runs in a cycle; [`u64::MAX`] if 64 bits cannot count it.
fn runs(circuit: &StructuredCircuit) -> Vec<u64> {
    let mut runs = vec![0_u64; circuit.functions.len()];
    let add = |body: &Body, of_body: u64, runs: &mut [u64]| {
        for call in &body.calls {
            let found = &mut runs[call.function.index()];
            *found = found.saturating_add(of_body.saturating_mul(call.form.runs()));
        }
    };
    add(&circuit.body, 1, &mut runs);
    // A function calls earlier ones only, so all runs of a function are known before its calls.
    for (number, function) in circuit.functions.iter().enumerate().rev() {
        let of_body = runs[number];
        add(&function.body, of_body, &mut runs);
    }
    runs
}
