//! Netlists of standard cells as Yosys writes them, with one pin on each line.

use std::collections::{BTreeMap, BTreeSet};

/// All pins of all cells: the pin, its net, and the cell.
pub fn pins(netlist: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut cell = "";
    netlist.lines().filter_map(move |line| {
        if let Some((pin, net)) = pin(line) {
            return Some((pin, net, cell));
        }
        if line.ends_with(" (") {
            cell = line.split_whitespace().next().unwrap_or_default();
        }
        None
    })
}

/// A cell's instance.
struct Instance<'n> {
    cell: &'n str,
    name: &'n str,
    pins: Vec<(&'n str, &'n str)>,
}

fn instances(netlist: &str) -> Vec<Instance<'_>> {
    let mut all: Vec<Instance<'_>> = Vec::new();
    for line in netlist.lines() {
        match (pin(line), all.last_mut()) {
            (Some(pin), Some(last)) => last.pins.push(pin),
            (None, _) if line.ends_with(" (") => {
                let mut words = line.split_whitespace();
                let cell = words.next().unwrap_or_default();
                let name = words.next().unwrap_or_default();
                all.push(Instance { cell, name, pins: Vec::new() });
            }
            _ => {}
        }
    }
    all
}

/// The registers behind the pins `asynchronous` (set and reset) of other registers, directly or
/// through buffers and inverters: those that synchronise a reset. `registers` has the output pins
/// of each register's cell.
pub fn resets<'n>(
    netlist: &'n str,
    asynchronous: &BTreeSet<String>,
    registers: &BTreeMap<String, Vec<String>>,
) -> Vec<&'n str> {
    let all = instances(netlist);
    let pins = all.iter().flat_map(|instance| &instance.pins);
    let mut nets: BTreeSet<&str> =
        pins.filter(|(pin, _)| asynchronous.contains(*pin)).map(|(_, net)| *net).collect();
    let mut found = Vec::new();
    for _ in 0..STEPS {
        let before = nets.len();
        found.clear();
        for instance in &all {
            let of = registers.get(instance.cell);
            let drives = |(pin, net): &(&str, &str)| {
                let is_output = of.is_some_and(|outputs| outputs.iter().any(|own| own == pin));
                is_output && nets.contains(net)
            };
            if instance.pins.iter().any(drives) {
                found.push(instance.name);
            }
            // The input and the output of a buffer or inverter.
            if let [(_, input), (_, output)] = instance.pins[..]
                && nets.contains(output)
            {
                nets.insert(input);
            }
        }
        if nets.len() == before {
            break;
        }
    }
    found
}

/// Most buffers and inverters in a row behind a reset's register.
const STEPS: usize = 8;

/// A pin and its net, from a line `.PIN(net),`.
pub fn pin(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().strip_prefix('.')?;
    let (pin, net) = line.split_once('(')?;
    let net = net.trim_end_matches(',').strip_suffix(')')?;
    Some((pin, net.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resets_register_is_found_behind_an_inverter() {
        let netlist = "  DFF _1_ (\n    .CLK(clk),\n    .D(1'h1),\n    .QN(_n_),\n    .RESETN(rst_ni)\n  );\n\
                       \x20 INV _2_ (\n    .A(_n_),\n    .Y(sync)\n  );\n\
                       \x20 DFF _3_ (\n    .CLK(clk),\n    .D(d),\n    .QN(q),\n    .RESETN(sync)\n  );\n";
        let asynchronous = BTreeSet::from(["RESETN".to_owned()]);
        let registers = BTreeMap::from([("DFF".to_owned(), vec!["QN".to_owned()])]);
        assert_eq!(resets(netlist, &asynchronous, &registers), ["_1_"]);
        assert!(resets(netlist, &BTreeSet::new(), &registers).is_empty());
    }
}
