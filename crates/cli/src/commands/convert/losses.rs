//! Reports on standard error the properties of a circuit that a file does not keep.

use halfgate_circuit::{Circuit, Party};
use halfgate_console::print;
use halfgate_frontends::Format;

/// Reports the properties of `circuit` that a file in format `to` does not keep.
pub(super) fn note(circuit: &Circuit, to: Format) {
    note_ports(circuit, to);
    note_cycles(circuit, to);
}

/// Reports the properties of ports that the file does not keep but an HGC file would. Names that a
/// reader made up, because its file had none, are not a loss.
fn note_ports(circuit: &Circuit, to: Format) {
    let inputs = circuit.inputs.iter().map(|input| (&input.name, input.elements));
    let outputs = circuit.outputs.iter().map(|output| (&output.name, output.elements));
    let ports: Vec<_> = inputs.chain(outputs).collect();
    let mut lost = Vec::new();
    if ports.iter().any(|(name, _)| !is_made_up(name)) {
        lost.push("the names of ports");
    }
    if ports.iter().any(|(_, elements)| elements.is_some()) {
        lost.push("the types of ports");
    }
    if circuit.inputs.iter().any(|input| input.is_set) {
        lost.push("which inputs are sets, whose values are sorted and filled up");
    }
    if !keeps_owners(circuit, to) {
        lost.push("the owners of inputs");
    }
    let Some((last, first)) = lost.split_last() else { return };
    let lost = match first {
        [] => (*last).to_owned(),
        first => format!("{} and {last}", first.join(", ")),
    };
    print::note(&format!(
        "a file in {to} format does not keep {lost}; HGC does: use a name that ends in .hgc, or --to hgc"
    ));
}

/// Whether readers use this name for ports of files without names.
fn is_made_up(name: &str) -> bool {
    const NAMES: [&str; 8] = ["a", "b", "out", "o", "g_init", "e_init", "g_input", "e_input"];
    const NUMBERED: [&str; 4] = ["in", "out", "server", "client"];
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    NAMES.contains(&name) || NUMBERED.contains(&stem)
}

/// Whether a reader of the file restores the owners of the inputs by default.
fn keeps_owners(circuit: &Circuit, to: Format) -> bool {
    let owners: Vec<Party> = circuit.inputs.iter().map(|input| input.party).collect();
    match (to, &owners[..]) {
        (Format::Fashion, [first, rest @ ..]) => {
            *first == Party::Garbler && rest.iter().all(|&party| party == Party::Evaluator)
        }
        (Format::Bristol, [first, second]) => {
            (*first, *second) == (Party::Garbler, Party::Evaluator)
        }
        // The writer puts a single input in its party's place, and joins several inputs party by
        // party.
        _ => true,
    }
}

/// Reports facts that a reader of the file needs and that the file lacks. For example, a value of
/// the last cycle must not be output in every cycle by mistake.
fn note_cycles(circuit: &Circuit, to: Format) {
    let per_cycle = circuit.inputs.iter().any(|input| input.per_cycle);
    if !matches!(to, Format::Scd | Format::Hscd) || !(circuit.is_sequential() || per_cycle) {
        return;
    }
    let last: Vec<_> =
        circuit.outputs.iter().filter(|o| !o.per_cycle).map(|o| o.name.as_str()).collect();
    let mut notes = Vec::new();
    if last.len() == circuit.outputs.len() {
        notes.push("that outputs are of the last cycle (read it with --outputs last)".to_owned());
    } else if !last.is_empty() {
        notes.push(format!(
            "that {} is of the last cycle only, unlike the other outputs",
            last.join(", ")
        ));
    }
    if circuit.cycles != 1 {
        notes.push(format!("the number of cycles (--cycles {})", circuit.cycles));
    }
    if !notes.is_empty() {
        print::note(&format!("the file does not store {}", notes.join(", nor ")));
    }
}
