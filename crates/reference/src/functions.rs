//! Functions: a circuit that calls functions, and its flattening, as `spec/functions.md` defines
//! them.
//!
//! The page words the flattening twice. This module implements the second wording: inner calls are
//! flattened first, so that every function becomes a list of gates; a call then writes every gate
//! of that list once for each lane of a block before the next gate follows.
//!
//! The file contains, in this order: functions, the lanes of a block ([`sizes`]), and the
//! flattening ([`flatten`]).

use crate::Gate;

#[cfg(test)]
mod tests;

// ---------------------------------------------------------------------------------- functions

/// A wire, perhaps inverted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bit {
    /// Number of the wire.
    pub wire: usize,
    /// Whether the bit is the inverse of the wire.
    pub invert: bool,
}

/// An item of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A gate over wires of the body. It drives the next wire of the body.
    Gate(Gate),
    /// A call of a function. It drives several wires of the body.
    Call(Call),
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Index of the function, which comes before the one whose body contains the call.
    pub function: usize,
    /// How the function is called.
    pub form: Form,
    /// The function's input bits for every run: the only run, every lane or every step.
    pub runs: Vec<Vec<Bit>>,
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The function runs once.
    Once,
    /// The function runs in several lanes, which are independent of each other.
    Map,
    /// The function runs in several steps, each with the state that the step before it left.
    Fold {
        /// Bits of state: the function's first inputs and its first outputs. A call's bits for
        /// these inputs count in step 0 only.
        state: usize,
    },
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Number of input bits, the first wires of the body.
    pub inputs: usize,
    /// The body: what drives the other wires, in order.
    pub items: Vec<Item>,
    /// The output bits.
    pub outputs: Vec<Bit>,
}

// --------------------------------------------------------------------------- lanes of a block

/// Numbers of a body that decide how many lanes a block has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// ANDs of the body's flattening.
    pub ands: u64,
    /// The most lanes side by side.
    pub lanes: u64,
    /// ANDs in wide maps.
    pub wide: u64,
}

impl Size {
    /// Returns the number of lanes of a block, `B`, of a function with such a body.
    pub fn block(self) -> u64 {
        let mostly_maps = self.wide != 0 && self.wide / 3 >= self.ands - self.wide;
        if self.lanes > 16 || mostly_maps { 1 } else { 16 }
    }
}

/// Returns the size of every function.
///
/// # Panics
/// If a function calls itself or a later one.
pub fn sizes(functions: &[Function]) -> Vec<Size> {
    let mut sizes = Vec::new();
    for function in functions {
        sizes.push(size(&function.items, &sizes));
    }
    sizes
}

/// Returns the size of a body that calls functions of these sizes.
fn size(items: &[Item], functions: &[Size]) -> Size {
    let (mut ands, mut lanes, mut wide) = (0, Vec::new(), 0);
    for item in items {
        match item {
            Item::Gate(gate) => ands += u64::from(matches!(gate, Gate::And { .. })),
            Item::Call(call) => {
                let callee = functions[call.function];
                let k = call.runs.len() as u64;
                let side_by_side = match call.form {
                    Form::Map => callee.block().min(k) * callee.lanes,
                    Form::Once | Form::Fold { .. } => callee.lanes,
                };
                ands += k * callee.ands;
                lanes.push(side_by_side);
                let is_wide = call.form == Form::Map && side_by_side >= 8;
                wide += k * if is_wide { callee.ands } else { callee.wide };
            }
        }
    }
    Size { ands, lanes: lanes.into_iter().max().unwrap_or(1), wide }
}

// --------------------------------------------------------------------------------- flattening

/// A list of gates that computes what a body computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flat {
    /// The gates. They drive the wires after the inputs, in order.
    pub gates: Vec<Gate>,
    /// For every wire of the body, the bit of the flattening that it is.
    pub wires: Vec<Bit>,
}

/// Flattens the outermost body of a circuit: `inputs` counts its input bits and flip-flops.
///
/// # Panics
/// If a function calls itself or a later one, an item names a wire that no earlier item drives, a
/// gate does not drive the body's next wire, or a call has the wrong number of runs or of bits.
pub fn flatten(functions: &[Function], inputs: usize, items: &[Item]) -> Flat {
    let sizes = sizes(functions);
    let mut flattened = Vec::new();
    for function in functions {
        flattened.push(flatten_function(function, &flattened, &sizes));
    }
    flatten_body(inputs, items, &flattened, &sizes)
}

/// A function without calls.
struct FlatFunction {
    inputs: usize,
    gates: Vec<Gate>,
    outputs: Vec<Bit>,
}

fn flatten_function(function: &Function, callees: &[FlatFunction], sizes: &[Size]) -> FlatFunction {
    let Flat { gates, wires } = flatten_body(function.inputs, &function.items, callees, sizes);
    let outputs = function.outputs.iter().map(|&bit| substitute(bit, &wires)).collect();
    FlatFunction { inputs: function.inputs, gates, outputs }
}

fn flatten_body(inputs: usize, items: &[Item], callees: &[FlatFunction], sizes: &[Size]) -> Flat {
    let mut written = Written { inputs, gates: Vec::new() };
    let mut wires: Vec<Bit> = (0..inputs).map(|wire| Bit { wire, invert: false }).collect();
    for item in items {
        let driven = match item {
            Item::Gate(gate) => {
                assert_eq!(gate.out(), wires.len(), "a gate drives the next wire");
                vec![written.write(*gate, &wires)]
            }
            Item::Call(call) => {
                let bits =
                    |run: &Vec<Bit>| run.iter().map(|&bit| substitute(bit, &wires)).collect();
                let runs: Vec<Vec<Bit>> = call.runs.iter().map(bits).collect();
                let block = sizes[call.function].block() as usize;
                written.call(&callees[call.function], block, call.form, &runs)
            }
        };
        wires.extend(driven);
    }
    Flat { gates: written.gates, wires }
}

/// Replaces a wire of a body by the bit that it is in the flattening.
fn substitute(bit: Bit, wires: &[Bit]) -> Bit {
    let Bit { wire, invert } = wires[bit.wire];
    Bit { wire, invert: invert ^ bit.invert }
}

/// The gates of a flattening that are written so far.
struct Written {
    inputs: usize,
    gates: Vec<Gate>,
}

impl Written {
    /// Writes a gate over wires that are these bits of the flattening. Inverted operands become
    /// inversions of the gate.
    fn write(&mut self, gate: Gate, wires: &[Bit]) -> Bit {
        let out = self.inputs + self.gates.len();
        self.gates.push(match gate {
            Gate::Xor { a, b, invert, .. } => {
                let (a, b) = (wires[a], wires[b]);
                Gate::Xor { a: a.wire, b: b.wire, out, invert: invert ^ a.invert ^ b.invert }
            }
            Gate::And { a, b, invert_a, invert_b, invert_out, .. } => {
                let (a, b) = (wires[a], wires[b]);
                let (invert_a, invert_b) = (invert_a ^ a.invert, invert_b ^ b.invert);
                Gate::And { a: a.wire, b: b.wire, out, invert_a, invert_b, invert_out }
            }
            Gate::Copy { a, invert, .. } => {
                Gate::Copy { a: wires[a].wire, out, invert: invert ^ wires[a].invert }
            }
        });
        Bit { wire: out, invert: false }
    }

    /// Writes every gate of a function once for each lane before the next gate. `lanes` holds the
    /// function's inputs in every lane; the result holds its outputs in every lane.
    fn block(&mut self, function: &FlatFunction, lanes: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
        assert!(lanes.iter().all(|lane| lane.len() == function.inputs), "bits for every input");
        let mut wires = lanes.to_vec();
        for &gate in &function.gates {
            for lane in &mut wires {
                let out = self.write(gate, lane);
                lane.push(out);
            }
        }
        let outputs =
            |lane: &Vec<Bit>| function.outputs.iter().map(|&bit| substitute(bit, lane)).collect();
        wires.iter().map(outputs).collect()
    }

    /// Writes a call. `runs` holds the function's inputs for every run; the result is what the call
    /// drives.
    fn call(
        &mut self,
        function: &FlatFunction,
        block: usize,
        form: Form,
        runs: &[Vec<Bit>],
    ) -> Vec<Bit> {
        match form {
            Form::Once => {
                assert_eq!(runs.len(), 1, "runs of a call once");
                self.block(function, runs).concat()
            }
            Form::Map => {
                let blocks = runs.chunks(block).map(|lanes| self.block(function, lanes).concat());
                blocks.collect::<Vec<_>>().concat()
            }
            Form::Fold { state: bits } => {
                let mut state = runs[0][..bits].to_vec();
                let mut others = Vec::new();
                for run in runs {
                    let inputs = [&state, &run[bits..]].concat();
                    let outputs = self.block(function, &[inputs]).concat();
                    state = outputs[..bits].to_vec();
                    others.extend_from_slice(&outputs[bits..]);
                }
                [state, others].concat()
            }
        }
    }
}
