//! Prints sizes of the HAAC paper's benchmarks: gates, ANDs, XORs, inverted inputs of ANDs, the
//! number of wires that these inputs read, and the longest path in clock cycles of HAAC's gate
//! engine, where an XOR takes 1 and an AND 21. Arguments select the programs whose names begin with
//! one of them; without arguments, all are printed.

use halfgate_circuit::{Bit, Circuit, GateKind};
use halfgate_programs::vip::{SHRINKING_BUBBLE_SORT, SMALL, VIP};

fn main() -> Result<(), halfgate_programs::ProgramError> {
    println!(
        "{:<28} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "program", "gates", "ANDs", "XORs", "inverted", "of wires", "path", "gates/16"
    );
    let only: Vec<String> = std::env::args().skip(1).collect();
    let rows = VIP.iter().chain([&SHRINKING_BUBBLE_SORT]).chain(&SMALL);
    for program in rows.flat_map(|row| [Some(row.program), row.latency]).flatten() {
        if only.is_empty() || only.iter().any(|name| program.starts_with(name.as_str())) {
            print(program, &halfgate_programs::build(program)?);
        }
    }
    Ok(())
}

fn print(program: &str, circuit: &Circuit) {
    let mut times = vec![0u32; circuit.first_gate_wire()];
    let (mut ands, mut inverted) = (0, 0);
    let mut inverted_wires = vec![false; circuit.wires()];
    for gate in circuit.gates.iter() {
        let start = gate.operands().map(|wire| times[wire.index()]).max().unwrap_or(0);
        let cycles = match gate.kind() {
            GateKind::And { a, b, .. } => {
                ands += 1;
                for wire in [a, b].iter().filter(|bit| bit.is_inverted()).filter_map(|b| b.wire()) {
                    inverted += 1;
                    inverted_wires[wire.index()] = true;
                }
                21
            }
            GateKind::Xor { .. } => 1,
            GateKind::Copy { .. } => 0,
        };
        times.push(start + cycles);
    }
    let ends = circuit.outputs.iter().flat_map(|output| &output.bits);
    let path = ends.filter_map(|bit: Bit| bit.wire()).map(|wire| times[wire.index()]).max();
    let gates = circuit.gates.len();
    let inverted_wires = inverted_wires.iter().filter(|&&inverted| inverted).count();
    println!(
        "{program:<28} {gates:>9} {ands:>8} {:>9} {inverted:>9} {inverted_wires:>9} {:>9} {:>9}",
        gates - ands,
        path.unwrap_or(0),
        gates.div_ceil(16)
    );
}
