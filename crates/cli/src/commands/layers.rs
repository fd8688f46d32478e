//! `halfgate inspect --layers`: a circuit as the SIFO overlay sees it.

use crate::error::Failure;
use crate::print;
use halfgate_circuit::Circuit;
use halfgate_circuit::layers::Layers;
use serde_json::json;
use std::fmt::Write;

/// Prints the layers of `circuit`, and their batches of up to `cells` ANDs.
pub(super) fn print(circuit: &Circuit, cells: u64, as_json: bool) -> Result<(), Failure> {
    let layers = Layers::of(circuit);
    print::line(&if as_json {
        json(circuit, &layers, cells)
    } else {
        text(circuit, &layers, cells)
    })
}

fn json(circuit: &Circuit, layers: &Layers, cells: u64) -> String {
    let total = layers.total();
    let each = |layer: &halfgate_circuit::layers::Layer| json!({ "and_gates": layer.ands, "xor_gates": layer.xors, "direct_wires": layer.direct });
    json!({
        "layers": layers.layers.len(),
        "input_bits": circuit.input_bits(),
        "flip_flops": circuit.flip_flops.len(),
        "output_bits": circuit.output_bits(),
        "and_gates": total.ands,
        "xor_gates": total.xors,
        "wires": layers.wires,
        "one_to_one_wires": layers.one_to_one,
        "adjacent_wires": layers.adjacent,
        "most_adjacent_in_a_layer": layers.most_direct(),
        "cells": cells,
        "batches": layers.batches(cells),
        "reprogrammings": total.ands.div_ceil(cells),
        "each_layer": layers.layers.iter().map(each).collect::<Vec<_>>(),
    })
    .to_string()
}

fn text(circuit: &Circuit, layers: &Layers, cells: u64) -> String {
    let (total, n) = (layers.total(), print::grouped);
    let gates = total.ands + total.xors;
    let most = |of: fn(&halfgate_circuit::layers::Layer) -> u64| {
        n(layers.layers.iter().map(of).max().unwrap_or(0))
    };
    let part = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "layers     {}; in one at most {} gates, {} of them ANDs",
        n(layers.layers.len() as u64),
        most(|layer| layer.ands + layer.xors),
        most(|layer| layer.ands)
    );
    let _ = writeln!(
        text,
        "ports      {} input bits, {} output bits, {} flip-flops (constants are such)",
        n(circuit.input_bits() as u64),
        n(circuit.output_bits() as u64),
        n(circuit.flip_flops.len() as u64)
    );
    let _ = writeln!(
        text,
        "gates      {}: {} ANDs and {} XORs, inverters and copies counted",
        n(gates),
        n(total.ands),
        n(total.xors)
    );
    let each = layers.wires as f64 / layers.layers.len().max(1) as f64;
    let _ = writeln!(text, "wires      {}, {each:.1} a layer", n(layers.wires));
    let _ = writeln!(
        text,
        "one-to-one {} ({:.2} % of all) are read by one gate and nothing else; {} of these ({:.1} %) in the next layer, at most {} in one",
        n(layers.one_to_one),
        part(layers.one_to_one, layers.wires),
        n(layers.adjacent),
        part(layers.adjacent, layers.one_to_one),
        n(layers.most_direct())
    );
    let _ = write!(
        text,
        "batches    {} of up to {} ANDs, layer by layer; a fixed circuit of so many AND cells would be programmed {} times",
        n(layers.batches(cells)),
        n(cells),
        n(total.ands.div_ceil(cells))
    );
    text
}
