//! The netlist that both readers build and check, and its conversion to a circuit.

use super::error::{Place, Problem};
use super::gate_type::GateType;
use super::{Options, Outputs};
use crate::error::ReadError;
use crate::renumber::{ONE, Step, ZERO, renumber};
use crate::spool::Spool;
use halfgate_circuit::{BitRuns, Circuit, FlipFlop, Init, Input, Output, Party, Wire};
use std::collections::HashSet;
use std::io;

/// An entry in place of a wire: no wire.
pub(super) const NONE: i64 = -1;
/// An entry in place of a wire: the constant 0.
pub(super) const CONST_ZERO: i64 = -2;
/// An entry in place of a wire: the constant 1.
pub(super) const CONST_ONE: i64 = -3;

/// The sizes in a file's header. The number of wires that they add up to is valid. No memory is
/// allocated for sizes that are only declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    /// Bits of g_init, e_init, g_input and e_input.
    pub(super) inputs: [u32; 4],
    pub(super) flip_flops: u32,
    pub(super) outputs: u64,
    pub(super) gates: u32,
}

impl Sizes {
    /// Takes the sizes in the order of an SCD file.
    pub(super) fn new(sizes: [u64; 7]) -> Result<Sizes, Problem> {
        let [g_init, e_init, g_input, e_input, flip_flops, outputs, gates] = sizes;
        let all = [g_init, e_init, g_input, e_input, flip_flops, gates];
        let wires: u128 = all.iter().map(|&size| u128::from(size)).sum();
        if wires > Wire::MAX.into() {
            return Err(Problem::TooLarge { wires });
        }
        let inputs = [g_init, e_init, g_input, e_input].map(|size| size as u32);
        Ok(Sizes { inputs, flip_flops: flip_flops as u32, outputs, gates: gates as u32 })
    }

    pub(super) fn input_bits(&self) -> u32 {
        self.inputs.iter().sum()
    }

    pub(super) fn first_gate(&self) -> u32 {
        self.input_bits() + self.flip_flops
    }

    pub(super) fn wires(&self) -> u32 {
        self.first_gate() + self.gates
    }

    /// Converts a constant or wire of the file to an operand of a [`Step`].
    pub(super) fn operand(&self, place: Place, wire: i64) -> Result<u32, Problem> {
        match wire {
            NONE => Err(Problem::NoWire { place }),
            CONST_ZERO => Ok(ZERO),
            CONST_ONE => Ok(ONE),
            _ => match u32::try_from(wire) {
                Ok(wire) if wire < self.wires() => Ok(wire),
                _ => Err(Problem::WireRange { place, wire, wires: self.wires() }),
            },
        }
    }

    /// Like [`operand`](Sizes::operand), for an input of gate `gate`. The wire must exist before
    /// the gate.
    pub(super) fn gate_operand(&self, gate: u32, place: Place, wire: i64) -> Result<u32, Problem> {
        let operand = self.operand(place, wire)?;
        let own = self.first_gate() + gate;
        match operand {
            ZERO | ONE => Ok(operand),
            wire if wire == own => Err(Problem::ReadsItself { place, wire }),
            wire if wire > own => {
                let driver = u64::from(wire - self.first_gate());
                Err(Problem::ReadTooEarly { place, wire, driver })
            }
            _ => Ok(operand),
        }
    }

    /// Returns the initial value of a flip-flop: a constant or a wire of an init port.
    pub(super) fn init(&self, flip_flop: u64, wire: i64) -> Result<Init, Problem> {
        let [g_init, e_init, ..] = self.inputs;
        let what = match wire {
            CONST_ZERO => return Ok(Init::Constant(false)),
            CONST_ONE => return Ok(Init::Constant(true)),
            NONE => "none",
            wire if wire < 0 => "which is none",
            wire if wire < i64::from(g_init + e_init) => {
                return Ok(Init::Input(Wire::new(wire as u32)));
            }
            wire if wire < self.input_bits().into() => "an input of each cycle",
            wire if wire < self.first_gate().into() => "a flip-flop",
            wire if wire < self.wires().into() => "a gate, which reads flip-flops",
            _ => "which does not exist",
        };
        Err(Problem::InitialWire { flip_flop, wire, what })
    }
}

/// The contents of a file while it is read.
///
/// Memory: 13 bytes for each gate up to 32 MiB, beyond that a temporary file; 12 bytes for each
/// flip-flop and 4 for each output.
pub(super) struct Netlist {
    pub(super) sizes: Sizes,
    steps: Spool<Step>,
    gates: u32,
    free: u64,
    data: Vec<u32>,
    init: Vec<Init>,
    outputs: Vec<u32>,
}

impl Netlist {
    pub(super) fn new(sizes: Sizes) -> Netlist {
        Netlist {
            sizes,
            steps: Spool::new(),
            gates: 0,
            free: 0,
            data: Vec::new(),
            init: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Number of free gates so far.
    pub(super) fn free(&self) -> u64 {
        self.free
    }

    /// Number of outputs so far.
    pub(super) fn outputs(&self) -> u64 {
        self.outputs.len() as u64
    }

    /// The wire of the last record, a flip-flop or a gate.
    pub(super) fn last_wire(&self) -> u32 {
        self.sizes.input_bits() + self.data.len() as u32 + self.gates - 1
    }

    pub(super) fn output(&mut self, wire: u32) {
        self.outputs.push(wire);
    }

    pub(super) fn data(&mut self, data: u32) {
        self.data.push(data);
    }

    pub(super) fn init(&mut self, init: Init) {
        self.init.push(init);
    }

    /// Adds the next gate. `a` must have been checked. `b` is checked here, because only some gates
    /// have a second input.
    pub(super) fn gate(&mut self, a: u32, b: i64, code: i64) -> Result<io::Result<()>, Problem> {
        let gate = u64::from(self.gates);
        let Some(gate_type) = GateType::of_code(code) else {
            return Err(Problem::UnknownType { gate, code });
        };
        let b = match (gate_type.is_unary(), b) {
            (true, NONE) => 0,
            (true, _) => return Err(Problem::SecondInput { gate }),
            (false, NONE) => {
                return Err(Problem::NoSecondInput { gate, name: gate_type.name });
            }
            (false, b) => self.sizes.gate_operand(self.gates, Place::Second(gate), b)?,
        };
        let out = self.sizes.first_gate() + self.gates;
        self.gates += 1;
        self.free += u64::from(gate_type.is_free());
        Ok(self.steps.push(Step::new(gate_type.op, gate_type.inversions, a, b, out)))
    }

    /// Returns the circuit, and the largest number of wires that were held at once.
    ///
    /// Memory: about 30 bytes for each wire alive at once, each output and each flip-flop.
    pub(super) fn into_circuit(self, options: &Options) -> Result<(Circuit, usize), ReadError> {
        let sizes = self.sizes;
        let kept: HashSet<u32> = self.outputs.iter().chain(&self.data).copied().collect();
        let first_gate = sizes.first_gate();
        let done = renumber(self.steps, first_gate, |wire| kept.contains(&wire), options.as_given)?;

        let [g_init, e_init, g_input, e_input] = sizes.inputs;
        let combinational = sizes.flip_flops == 0
            && (g_init + e_init == 0 || g_input + e_input == 0)
            && options.outputs != Some(Outputs::EveryCycle);
        let ports = [
            ("g_init", Party::Garbler, false),
            ("e_init", Party::Evaluator, false),
            ("g_input", Party::Garbler, !combinational),
            ("e_input", Party::Evaluator, !combinational),
        ];
        let inputs = ports
            .into_iter()
            .zip(sizes.inputs)
            .filter(|(_, width)| *width > 0)
            .map(|((name, party, per_cycle), width)| Input {
                name: name.to_string(),
                party,
                width,
                per_cycle,
                elements: None,
                is_set: false,
            })
            .collect();
        let flip_flops = self
            .data
            .iter()
            .zip(&self.init)
            .map(|(&data, &init)| FlipFlop { init, next: done.bit(data) })
            .collect();
        let bits: BitRuns = self.outputs.iter().map(|&wire| done.bit(wire)).collect();
        let per_cycle = !combinational && options.outputs != Some(Outputs::Last);
        let outputs = match bits.is_empty() {
            true => Vec::new(),
            false => vec![Output { name: "o".to_string(), bits, per_cycle, elements: None }],
        };
        let most_alive = done.most_alive;
        Ok((Circuit { inputs, flip_flops, gates: done.gates, outputs, cycles: 1 }, most_alive))
    }
}
