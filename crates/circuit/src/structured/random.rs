//! Random structured circuits for tests, the same for the same seed on every computer.
//!
//! They have nested calls of every form, maps of maps, folds in maps and maps in folds; shared,
//! sliced and listed arguments; inverted and repeated arguments; outputs of functions that are
//! inputs, inverted or repeated; and maps of fewer, as many and more lanes than a block.

use super::argument::Argument;
use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, Function, FunctionId};
use super::size::{BLOCK, Sizes};
use crate::bit_runs::BitRuns;
use crate::circuit::{FlipFlop, Init, Input, Output, Party};
use crate::gate::Gate;
use crate::gates::Gates;
use crate::id::{Bit, Wire};
use crate::random::Random;

/// The size of a random structured circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Functions.
    pub functions: u32,
    /// Gates of each body.
    pub gates: u32,
    /// Calls in each body but that of the first function, as far as `most_gates` allows.
    pub calls: u32,
    /// Most gates of the flattening of a function.
    pub most_gates: u64,
    /// Flip-flops. If there are any, the circuit also has per-cycle ports and several cycles.
    pub flip_flops: u32,
}

impl Default for Shape {
    /// Five functions of 12 gates and 3 calls, at most 3,000 gates each when written out.
    fn default() -> Shape {
        Shape { functions: 5, gates: 12, calls: 3, most_gates: 3_000, flip_flops: 0 }
    }
}

/// Returns a valid circuit of the given shape. The inputs are `garbler` and `evaluator`, and with
/// flip-flops the per-cycle `garbler_cycle`; the outputs `out` and, with flip-flops, the per-cycle
/// `out_cycle`.
pub fn circuit(seed: u64, shape: &Shape) -> StructuredCircuit {
    let mut maker = Maker { random: Random::new(seed), shape: *shape, functions: Vec::new() };
    for number in 0..shape.functions {
        let function = maker.function(number);
        maker.functions.push(function);
    }
    maker.circuit()
}

struct Maker {
    random: Random,
    shape: Shape,
    functions: Vec<Function>,
}

impl Maker {
    fn function(&mut self, number: u32) -> Function {
        let inputs = 1 + self.random.below(8) as u32;
        let (body, wires) = self.body(inputs);
        let outputs = (0..1 + self.random.below(6)).map(|_| self.bit(wires)).collect();
        Function { name: format!("f{number}"), inputs, body, outputs }
    }

    fn circuit(mut self) -> StructuredCircuit {
        let is_sequential = self.shape.flip_flops > 0;
        let mut inputs = vec![
            ("garbler", Party::Garbler, 5 + self.random.below(20) as u32, false),
            ("evaluator", Party::Evaluator, 5 + self.random.below(40) as u32, false),
        ];
        if is_sequential {
            inputs.push(("garbler_cycle", Party::Garbler, 4, true));
        }
        let inputs: Vec<Input> = inputs.into_iter().map(input).collect();
        let per_run: u32 =
            inputs.iter().filter(|port| !port.per_cycle).map(|port| port.width).sum();
        let bits: u32 = inputs.iter().map(|port| port.width).sum();
        let (body, wires) = self.body(bits + self.shape.flip_flops);
        let count = self.shape.flip_flops;
        let flip_flop = |_| FlipFlop {
            init: match self.random.coin() {
                true => Init::Constant(self.random.coin()),
                false => Init::Input(Wire::new(self.random.below(per_run.into()) as u32)),
            },
            next: self.bit(wires),
        };
        let flip_flops = (0..count).map(flip_flop).collect();
        let mut names = vec![("out", false)];
        names.extend(is_sequential.then_some(("out_cycle", true)));
        let mut output = |(name, per_cycle): (&str, bool)| Output {
            name: name.to_owned(),
            bits: self.output_bits(wires),
            per_cycle,
            elements: None,
        };
        let outputs = names.into_iter().map(&mut output).collect();
        let cycles = if is_sequential { 2 + self.random.below(3) } else { 1 };
        StructuredCircuit { inputs, flip_flops, functions: self.functions, body, outputs, cycles }
    }

    /// A body whose items follow `wires` wires, and the number of wires after it.
    fn body(&mut self, mut wires: u32) -> (Body, u32) {
        let mut body = Body { gates: Gates::new(), calls: Vec::new() };
        let (gates, calls) = (self.shape.gates, self.shape.calls);
        let calls = if self.functions.is_empty() { 0 } else { calls };
        for at in 0..gates + calls {
            // Calls are spread over the body, some next to each other and at its end.
            let is_call = body.calls.len() < calls as usize
                && (at >= gates || self.random.below(u64::from(gates)) < u64::from(calls));
            if is_call {
                if let Some((call, driven)) = self.call(&body, wires) {
                    body.calls.push(call);
                    wires += driven;
                }
            } else if body.gates.len() < gates as usize {
                body.gates.push(self.gate(wires)).expect("few gates are held in memory");
                wires += 1;
            }
        }
        (body, wires)
    }

    fn gate(&mut self, wires: u32) -> Gate {
        let (a, b, invert) = (self.bit(wires), self.bit(wires), self.random.coin());
        match self.random.below(8) {
            0 => Gate::copy(a, invert),
            1..4 => Gate::xor(a, b, invert),
            _ => Gate::and(a, b, invert),
        }
    }

    /// A wire below `wires`, perhaps inverted; in half of the cases one of the 16 newest.
    fn bit(&mut self, wires: u32) -> Bit {
        let reach = if self.random.coin() { wires.min(16) } else { wires };
        let wire = Wire::new(wires - 1 - self.random.below(reach.into()) as u32);
        Bit::new(wire, self.random.coin())
    }

    /// A call at the end of `body`, and the number of wires that it drives; none if it would exceed
    /// the size of a body.
    fn call(&mut self, body: &Body, wires: u32) -> Option<(Call, u32)> {
        let number = self.random.below(self.functions.len() as u64) as u32;
        let (inputs, outputs) = {
            let function = &self.functions[number as usize];
            (function.inputs, function.outputs.len() as u32)
        };
        let runs = match self.random.below(4) {
            0 => 1 + self.random.below(4),
            1 => BLOCK,
            2 => BLOCK + 1 + self.random.below(2 * BLOCK),
            _ => 1 + self.random.below(BLOCK),
        };
        let form = match self.random.below(4) {
            0 => Form::Once,
            1 => {
                let state = self.random.below(u64::from(inputs.min(outputs)) + 1) as u32;
                Form::Fold { steps: runs, state }
            }
            _ => Form::Map { lanes: runs },
        };
        let arguments = self.arguments(form, inputs, wires);
        let after = body.gates.len();
        let call = Call { after, function: FunctionId(number), form, arguments };
        let driven = call.wires(outputs as usize)? as u32;
        let sizes = Sizes::of(&self.functions).ok()?;
        let added = sizes.get(call.function).gates * form.runs();
        let fits = sizes.of_body(body)?.gates + added <= self.shape.most_gates;
        fits.then_some((call, driven))
    }

    fn arguments(&mut self, form: Form, inputs: u32, wires: u32) -> Vec<Argument> {
        let (state, runs) = (form.state(), form.runs());
        let mut arguments = Vec::new();
        if state > 0 {
            arguments.push(Argument::Shared((0..state).map(|_| self.bit(wires)).collect()));
        }
        let mut left = inputs - state;
        while left > 0 {
            let width = 1 + self.random.below(left.into()) as u32;
            left -= width;
            let bits = |maker: &mut Maker, runs| (0..runs).map(|_| maker.bit(wires)).collect();
            arguments.push(match self.random.below(3) {
                0 => Argument::Shared(bits(self, u64::from(width))),
                1 => Argument::Listed { width, bits: bits(self, runs * u64::from(width)) },
                _ => self.slice(width, runs, wires),
            });
        }
        arguments
    }

    /// A slice that stays below `wires`.
    fn slice(&mut self, width: u32, runs: u64, wires: u32) -> Argument {
        let mut strides = [self.random.below(5) as u32, self.random.below(3) as u32];
        let reach = |[run, bit]: [u32; 2]| (runs as u32 - 1) * run + (width - 1) * bit;
        while reach(strides) >= wires {
            strides = strides.map(|stride| stride / 2);
        }
        let first = Wire::new(self.random.below(u64::from(wires - reach(strides))) as u32);
        Argument::Sliced { width, first, run_stride: strides[0], bit_stride: strides[1] }
    }

    /// Some of the newest wires, and other bits, some of them constants.
    fn output_bits(&mut self, wires: u32) -> BitRuns {
        let newest = wires.min(40);
        let mut bits = BitRuns::of_wires(Wire::new(wires - newest), newest);
        for _ in 0..8 {
            bits.push(match self.random.below(6) {
                0 => Bit::constant(self.random.coin()),
                _ => self.bit(wires),
            });
        }
        bits
    }
}

fn input((name, party, width, per_cycle): (&str, Party, u32, bool)) -> Input {
    Input { name: name.to_owned(), party, width, per_cycle, elements: None, is_set: false }
}
