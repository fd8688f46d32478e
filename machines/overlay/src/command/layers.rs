//! `halfgate inspect --layers`: a circuit as the SIFO overlay sees it.

use super::args::LayersArgs;
use halfgate_circuit::Circuit;
use halfgate_circuit::layers::Layers;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_overlay_model::{Allocation, Batches, Cells, Policy, Traffic};
use serde_json::json;
use std::fmt::Write;

/// Prints the layers of `circuit`, their batches, and the accesses of block RAM and DDR.
///
/// # Errors
/// If standard output fails.
pub fn print(circuit: &Circuit, args: &LayersArgs, as_json: bool) -> Result<(), Failure> {
    let layers = Layers::of(circuit);
    let memory = Memory::of(circuit, args.block_ram);
    print::line(&match as_json {
        true => json(circuit, &layers, &memory, args.cells),
        false => text(circuit, &layers, &memory, args.cells),
    })
}

/// Gates per window, where batches follow the circuit's own gate order.
const WINDOW: usize = 1024;

/// Accesses of DDR under each policy for block RAM.
struct Memory {
    labels: u32,
    ways: [(&'static str, Traffic); 4],
}

impl Memory {
    fn of(circuit: &Circuit, labels: u32) -> Memory {
        // The number of cells matters little: it only decides after which batch a place becomes
        // free.
        let cells = Cells { ands: 15, xors: 15 };
        let layers = Batches::by_layers(circuit, cells);
        let windows = Batches::by_windows(circuit, cells, WINDOW);
        let traffic =
            |batches, policy| Allocation::new(circuit, batches, policy, labels).traffic(circuit);
        Memory {
            labels,
            ways: [
                ("directly_used", traffic(&layers, Policy::DirectlyUsed)),
                ("most_frequently_used", traffic(&layers, Policy::MostFrequentlyUsed)),
                ("live_range", traffic(&layers, Policy::LiveRange)),
                ("live_range_in_windows", traffic(&windows, Policy::LiveRange)),
            ],
        }
    }
}

fn json(circuit: &Circuit, layers: &Layers, memory: &Memory, cells: u64) -> String {
    let way = |&(name, traffic): &(&str, Traffic)| {
        let counts = json!({
            "ddr": traffic.ddr(),
            "inputs": traffic.input_reads + traffic.constants,
            "outputs": traffic.outputs,
            "block_ram": traffic.block_ram,
        });
        (name.to_owned(), counts)
    };
    let accesses: serde_json::Map<_, _> = memory.ways.iter().map(way).collect();
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
        "block_ram_labels": memory.labels,
        "accesses": accesses,
        "each_layer": layers.layers.iter().map(each).collect::<Vec<_>>(),
    })
    .to_string()
}

fn text(circuit: &Circuit, layers: &Layers, memory: &Memory, cells: u64) -> String {
    let (total, n) = (layers.total(), print::grouped);
    let gates = total.ands + total.xors;
    let most = |of: fn(&halfgate_circuit::layers::Layer) -> u64| {
        n(layers.layers.iter().map(of).max().unwrap_or(0))
    };
    let part = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "layers     {}; at most {} gates and {} ANDs per layer",
        n(layers.layers.len() as u64),
        most(|layer| layer.ands + layer.xors),
        most(|layer| layer.ands)
    );
    let _ = writeln!(
        text,
        "ports      {} input bits, {} output bits, {} flip-flops (a constant counts as one)",
        n(circuit.input_bits() as u64),
        n(circuit.output_bits() as u64),
        n(circuit.flip_flops.len() as u64)
    );
    let _ = writeln!(
        text,
        "gates      {}: {} ANDs and {} XORs, including inverters and copies",
        n(gates),
        n(total.ands),
        n(total.xors)
    );
    let each = layers.wires as f64 / layers.layers.len().max(1) as f64;
    let _ = writeln!(text, "wires      {}, {each:.1} per layer", n(layers.wires));
    let _ = writeln!(
        text,
        "one-to-one {} ({:.2} % of all) are read by exactly one gate; for {} of these ({:.1} %) that gate is in the next layer, at most {} in any one layer",
        n(layers.one_to_one),
        part(layers.one_to_one, layers.wires),
        n(layers.adjacent),
        part(layers.adjacent, layers.one_to_one),
        n(layers.most_direct())
    );
    let _ = writeln!(
        text,
        "batches    {} of up to {} ANDs, layer by layer; a fixed circuit with that many AND cells would need {} programmings",
        n(layers.batches(cells)),
        n(cells),
        n(total.ands.div_ceil(cells))
    );
    let [direct, frequent, live, windows] = memory.ways.map(|(_, traffic)| n(traffic.ddr()));
    let Traffic { input_reads, constants, outputs, .. } = memory.ways[3].1;
    let _ = writeln!(
        text,
        "memory     DDR accesses if block RAM holds {} labels, in layer order, by what it holds: labels used directly {direct}, \
         labels used most frequently {frequent}, labels chosen by live range {live}",
        n(memory.labels.into())
    );
    let _ = write!(
        text,
        "           labels chosen by live range, in the circuit's own order and windows of {} gates: {windows}, {} of these for inputs and outputs",
        n(WINDOW as u64),
        n(input_reads + constants + outputs)
    );
    text
}
