//! What both readers gather, checked as it comes, and the way from there to a circuit.

use super::error::{Place, Problem};
use super::gate_type::GateType;
use super::{Options, Outputs};
use crate::error::ReadError;
use crate::renumber::{ONE, Step, ZERO, renumber};
use crate::spool::Spool;
use halfgate_circuit::{Circuit, FlipFlop, Init, Input, Output, Party, Wire};
use std::collections::HashSet;
use std::io;

/// In place of a wire: nothing.
pub(super) const NONE: i64 = -1;
/// In place of a wire: the constant 0.
pub(super) const CONST_ZERO: i64 = -2;
/// In place of a wire: the constant 1.
pub(super) const CONST_ONE: i64 = -3;

/// The sizes of a file's header, which make a number of wires that a circuit may have. Nothing
/// is allocated for what they announce.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    /// Bits of g_init, e_init, g_input and e_input.
    pub(super) inputs: [u32; 4],
    pub(super) flip_flops: u32,
    pub(super) outputs: u64,
    pub(super) gates: u32,
}

impl Sizes {
    /// The sizes in the order of an SCD file.
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

    /// A constant or a wire of the file, as a [`Step`] names it.
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

    /// [`operand`](Sizes::operand) of gate `gate`, which must be there before the gate.
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

    /// What a flip-flop starts from: a constant or a wire of an init port.
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

/// A file's content while it is read.
///
/// Memory: 13 bytes a gate up to 32 MiB, a temporary file beyond; 12 bytes a flip-flop, 4 an
/// output.
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

    /// Free gates so far.
    pub(super) fn free(&self) -> u64 {
        self.free
    }

    /// Outputs so far.
    pub(super) fn outputs(&self) -> u64 {
        self.outputs.len() as u64
    }

    /// The wire of the record read last, a flip-flop or a gate.
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

    /// The next gate; `a` is checked, `b` only for the gates that have one.
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

    /// The circuit, and the most wires that were held at once on the way.
    ///
    /// Memory: some 30 bytes for each wire that is alive at once, each output and each flip-flop.
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
        let bits: Vec<_> = self.outputs.iter().map(|&wire| done.bit(wire)).collect();
        let per_cycle = !combinational && options.outputs != Some(Outputs::Last);
        let outputs = match bits.is_empty() {
            true => Vec::new(),
            false => vec![Output { name: "o".to_string(), bits, per_cycle, elements: None }],
        };
        let most_alive = done.most_alive;
        Ok((Circuit { inputs, flip_flops, gates: done.gates, outputs, cycles: 1 }, most_alive))
    }
}
