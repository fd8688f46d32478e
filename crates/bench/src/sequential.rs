//! Measures sequential circuits: AES-128 with one round per cycle, over 10^9 gates, compared with
//! fewer gates and with straight-line code.

use halfgate_circuit::{Bit, Circuit, Gates, Init, Input, Party, Wire};
use halfgate_compiler::{Order, compile};
use halfgate_record::engine::{Measured, measure, program};
use halfgate_record::measure::Spread;
use halfgate_record::processes;
use halfgate_record::record::Figure;
use std::path::Path;

const INPUT: &str = "bytes:000102030405060708090a0b0c0d0e0f";
/// Cycles of the straight-line circuit, whose code is far larger than a cache.
const UNROLLED: u64 = 300;
/// Number of measurements of the short run.
const TURNS: usize = 5;

/// Measures the resident memory of each party for 10^9 gates, the rate for 10^9 gates divided by
/// the rate for 10^7, and the rate of the engine alone divided by its rate for straight-line code.
///
/// # Errors
/// If a program cannot be compiled, or a process fails.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let mut figures = straight_line(report)?;
    if !processes::can_read_memory() {
        let why = "this system has no /proc to read a process's memory from";
        figures.push(Figure::missing("aes128-rounds, resident memory", "MB", why));
        return Ok(figures);
    }
    let one = program("aes128-rounds:1")?;
    let gates = one.gates_per_cycle() * one.circuit.cycles;
    let spec = |gates_in_all: u64| format!("aes128-rounds:{}", gates_in_all.div_ceil(gates));
    let (small, large) = (spec(10_000_000), spec(1_000_000_000));
    report(&format!("  {small} and {large}"));
    let run = |spec: &str| processes::run(command, spec, [INPUT; 2]);
    // A run of 10^7 gates takes some ten milliseconds. So the best of several runs is taken.
    let small_rates: Result<Vec<f64>, String> = (0..TURNS).map(|_| Ok(run(&small)?.rate)).collect();
    let small_rate = small_rates?.into_iter().fold(0.0, f64::max);
    let runs: Vec<_> = (0..2).map(|_| run(&large)).collect::<Result<_, _>>()?;
    let most = |of: fn(&processes::Processes) -> u64| runs.iter().map(of).max().unwrap_or(0) as f64;
    let rate = runs.iter().map(|run| run.rate).fold(0.0, f64::max);
    let name = |what: &str| format!("aes128-rounds, 10^9 gates, {what}");
    figures.push(
        Figure::measured(
            &name("resident memory of the garbler"),
            "MB",
            most(|run| run.garbler_bytes) / 1e6,
        )
        .at_most(64.0),
    );
    figures.push(
        Figure::measured(
            &name("resident memory of the evaluator"),
            "MB",
            most(|run| run.evaluator_bytes) / 1e6,
        )
        .at_most(64.0),
    );
    figures.push(
        Figure::measured(&name("rate over that of 10^7"), "%", rate / small_rate * 100.0)
            .at_least(90.0)
            .note(format!(
                "{rate:.1} and {small_rate:.1} M AND/s, the best of 2 and of {TURNS} runs of two \
                 processes"
            )),
    );
    Ok(figures)
}

/// Measures the engine alone, on a sequential circuit and on a circuit that has the gates of all
/// these cycles in its body.
fn straight_line(report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    report(&format!("  aes128-rounds, {UNROLLED} cycles and unrolled, one core alone"));
    let circuit = halfgate_programs::build("aes128-rounds:1").map_err(|e| e.to_string())?;
    let unrolled = unroll(&circuit, UNROLLED).map_err(|e| e.to_string())?;
    let unrolled = compile(unrolled, Order::default()).map_err(|e| e.to_string())?;
    let sequential = program(&format!("aes128-rounds:{}", UNROLLED / circuit.cycles))?;
    let (sequential, unrolled) = (measure(&sequential)?, measure(&unrolled)?);
    let figure = |role: &str, of: fn(&Measured) -> Spread| {
        let rate = |measured| of(measured).map(|seconds| 1e-6 / seconds);
        let (rounds, straight) = (rate(&sequential), rate(&unrolled));
        let share = rounds.median / straight.median * 100.0;
        Figure::measured(&format!("aes128-rounds, {role}, rate over straight-line"), "%", share)
            .at_least(80.0)
            .note(format!("M AND/s: {rounds}; unrolled {straight}"))
    };
    Ok(vec![figure("garble", |m| m.garble), figure("evaluate", |m| m.evaluate)])
}

/// Puts the gates of `cycles` cycles into a body that runs once. A flip-flop that starts with a
/// constant gets an input bit instead; there must be no per-cycle ports.
fn unroll(circuit: &Circuit, cycles: u64) -> std::io::Result<Circuit> {
    let inputs = circuit.input_bits();
    let constants = circuit.flip_flops.len() as u32;
    let mut ports = circuit.inputs.clone();
    let (name, party) = ("constants".to_owned(), Party::Garbler);
    ports.push(Input {
        name,
        party,
        width: constants,
        per_cycle: false,
        elements: None,
        is_set: false,
    });
    let first = inputs as u32 + constants;
    let mut state: Vec<Bit> = (0..)
        .zip(&circuit.flip_flops)
        .map(|(index, flip_flop)| match flip_flop.init {
            Init::Constant(_) => Wire::new(inputs as u32 + index).bit(),
            Init::Input(wire) => wire.bit(),
        })
        .collect();
    let mut gates = Gates::new();
    let mut outputs = Vec::new();
    for _ in 0..cycles {
        let base = first + gates.len() as u32;
        let gate_wire = circuit.first_gate_wire();
        let rename = |wire: Wire| match wire.index() {
            index if index < inputs => wire.bit(),
            index if index < gate_wire => state[index - inputs],
            index => Wire::new(base + (index - gate_wire) as u32).bit(),
        };
        let bit = |bit: Bit| match bit.wire() {
            Some(wire) => rename(wire).invert_if(bit.is_inverted()),
            None => bit,
        };
        for gate in circuit.gates.iter() {
            gates.push(gate.map_operands(rename))?;
        }
        outputs = circuit.outputs.iter().map(|o| o.with_bits(o.bits.map(bit))).collect();
        state = circuit.flip_flops.iter().map(|flip_flop| bit(flip_flop.next)).collect();
    }
    Ok(Circuit { inputs: ports, flip_flops: Vec::new(), gates, outputs, cycles: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Bits, clear};

    #[test]
    fn an_unrolled_circuit_computes_the_same() {
        let circuit = halfgate_programs::build("aes128-rounds:2").unwrap();
        let mut inputs: Vec<Bits> = circuit
            .inputs
            .iter()
            .map(|input| (0..input.width).map(|i| i % 3 == 1).collect())
            .collect();
        let rounds = clear::evaluate(&circuit, &inputs, circuit.cycles).unwrap();
        let constant =
            |flip_flop: &halfgate_circuit::FlipFlop| matches!(flip_flop.init, Init::Constant(true));
        inputs.push(circuit.flip_flops.iter().map(constant).collect());
        let unrolled = unroll(&circuit, circuit.cycles).unwrap();
        halfgate_circuit::verify::verify(&unrolled).unwrap();
        assert_eq!(clear::evaluate(&unrolled, &inputs, 1).unwrap(), rounds);
    }
}
