//! Connects readers of an instance's output to what the output stands for, if the module only
//! passes it on: an input or a constant, perhaps inverted.

use super::cells::{self, Cell, Kind, Signal};
use super::error::Error;
use super::netlist::{Driver, Netlist};

/// The source of an output that a module passes on.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Constant(Signal),
    /// The number of the bit among those of the input ports.
    Input(usize),
}

/// For each bit of the output ports of a netlist: its source, and whether it is inverted.
pub(super) fn sources(netlist: &Netlist) -> Vec<Option<(Source, bool)>> {
    let inputs: Vec<Signal> = netlist.inputs().collect();
    netlist.outputs().map(|output| source(netlist, &inputs, output)).collect()
}

fn source(netlist: &Netlist, inputs: &[Signal], output: Signal) -> Option<(Source, bool)> {
    let (mut signal, mut inverted) = (output, false);
    // A chain of as many cells as there are is a loop.
    for _ in 0..=netlist.cells.len() {
        let Signal::Net(net) = signal else { return Some((Source::Constant(signal), inverted)) };
        match netlist.driver(net) {
            Driver::Nothing => return None,
            Driver::Input => {
                let input = inputs.iter().position(|&input| input == signal)?;
                return Some((Source::Input(input), inverted));
            }
            Driver::Cell { cell, bit } => {
                let cell = &netlist.cells[cell as usize];
                inverted ^= match cell.type_name.as_str() {
                    "$not" | "$_NOT_" => true,
                    "$pos" | "$_BUF_" => false,
                    _ => return None,
                };
                let [read] = cell.reads(bit as usize)[..] else { return None };
                signal = read;
            }
        }
    }
    None
}

/// Connects the readers of instances in `netlist`. `sources` has those of each module.
pub(super) fn bypass(
    netlist: &mut Netlist,
    sources: &[Vec<Option<(Source, bool)>>],
) -> Result<(), Error> {
    let mut added = Vec::new();
    for cell in &mut netlist.cells {
        let Kind::Instance(module) = cell.kind else { continue };
        let inputs = cell.signals(cells::INSTANCE_INPUTS).to_vec();
        let mut outputs = cell.signals(cells::INSTANCE_OUTPUTS).to_vec();
        for (output, source) in outputs.iter_mut().zip(&sources[module as usize]) {
            let (Signal::Net(_), &Some((source, inverted))) = (*output, source) else { continue };
            let read = match source {
                Source::Constant(signal) => signal,
                Source::Input(input) => inputs[input],
            };
            let kind = if inverted { "$_NOT_" } else { "$_BUF_" };
            let connections = [("A", read), ("Y", *output)];
            added.push(Cell {
                kind: Kind::of(kind),
                type_name: kind.to_owned(),
                instance: String::new(),
                parameters: [].into(),
                connections: connections.map(|(port, bit)| (port.to_owned(), vec![bit])).into(),
                place: cell.place.clone(),
            });
            *output = Signal::Undefined;
        }
        cell.connect(cells::INSTANCE_OUTPUTS, outputs);
    }
    netlist.add(added)
}
