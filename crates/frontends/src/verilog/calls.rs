//! Makes functions of modules, and calls and maps of their instances.
//!
//! A function is a module for the outputs that are read, for the constants among the inputs, and
//! for the inputs that are equal. So an instance whose inputs have other constants than another's,
//! or of which other outputs are read, calls another function, and takes no more ANDs for them than
//! if it were written out.

use super::cells::{self, Kind, Signal};
use super::error::Error;
use super::lanes::Groups;
use super::live::{Design, Live};
use super::lower::{self, Calls};
use super::netlist::Netlist;
use halfgate_circuit::builder::{Arg, Defined};
use halfgate_circuit::{Bit, Builder};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The functions made so far.
pub(super) struct Functions<'a> {
    design: &'a Design,
    made: RefCell<HashMap<Key, Rc<Made>>>,
}

/// A module's number, the outputs that are read, and the inputs that are read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    module: u32,
    used: Vec<bool>,
    inputs: Vec<Input>,
}

/// What is known of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Input {
    Constant(bool),
    /// It is an input of the function, of this number.
    Free(usize),
    /// It is the inverse of an input of the function.
    Inverse(usize),
}

/// Returns what is known of inputs with these bits, and the inputs of the function.
fn inputs(bits: &[Bit]) -> (Vec<Input>, Vec<Bit>) {
    let (mut free, mut numbers) = (Vec::new(), HashMap::new());
    let input = |&bit: &Bit| {
        let Some(wire) = bit.wire() else { return Input::Constant(bit.is_inverted()) };
        let &mut (number, first) = numbers.entry(wire).or_insert((free.len(), bit));
        if number == free.len() {
            free.push(bit);
        }
        if bit == first { Input::Free(number) } else { Input::Inverse(number) }
    };
    (bits.iter().map(input).collect(), free)
}

impl Key {
    /// The number of the function's inputs.
    fn free(&self) -> usize {
        let numbers = self.inputs.iter().map(|input| match input {
            Input::Constant(_) => 0,
            Input::Free(number) | Input::Inverse(number) => number + 1,
        });
        numbers.max().unwrap_or(0)
    }
}

impl Input {
    /// The bit of the input, in a function with these input bits.
    fn bit(self, free: &[Bit]) -> Bit {
        match self {
            Input::Constant(value) => Bit::constant(value),
            Input::Free(number) => free[number],
            Input::Inverse(number) => !free[number],
        }
    }
}

/// A function of the circuit.
struct Made {
    function: Defined,
    /// For each output that is read.
    outputs: Vec<Given>,
}

/// What a function gives as an output.
#[derive(Clone, Copy)]
enum Given {
    /// A constant, or an input of the function, perhaps inverted: the caller has it.
    Constant(bool),
    Input(usize, bool),
    /// An output of the function of the circuit.
    Output(usize),
}

impl<'a> Functions<'a> {
    pub(super) fn new(design: &'a Design) -> Functions<'a> {
        Functions { design, made: RefCell::default() }
    }

    /// Calls for the body of `netlist`, of which `live` is needed.
    pub(super) fn of_body(
        &'a self,
        netlist: &'a Netlist,
        live: &'a Live,
    ) -> Result<OfBody<'a>, Error> {
        let groups = Groups::of(self.design, netlist, live)?;
        Ok(OfBody { functions: self, netlist, live, groups, known: RefCell::default() })
    }

    /// Writes a module's body in place, and returns the outputs that are used. `inputs` are those
    /// that are read.
    fn write(
        &self,
        b: &mut Builder,
        module: u32,
        used: &[bool],
        inputs: &[Bit],
    ) -> Result<Vec<Bit>, Error> {
        let live = self.design.live(module, used);
        let module = &self.design.modules[module as usize];
        let known: Vec<(u32, Bit)> = module.inputs(&live).zip(inputs.iter().copied()).collect();
        let body = self.of_body(&module.netlist, &live)?;
        lower::signals(&module.netlist, &known, &module.outputs(used), Some(&body), b)
    }

    /// The function for `key`, which has an input.
    fn make(&self, b: &mut Builder, key: &Key) -> Result<Rc<Made>, Error> {
        if let Some(made) = self.made.borrow().get(key) {
            return Ok(Rc::clone(made));
        }
        let name = &self.design.modules[key.module as usize].name;
        let inputs = key.free();
        let mut outputs = Ok(Vec::new());
        let function = b.function(name, inputs, |b, bits| {
            let all: Vec<Bit> = key.inputs.iter().map(|input| input.bit(bits)).collect();
            let written = self.write(b, key.module, &key.used, &all);
            let (given, results) = match written {
                Ok(written) => give(&written, inputs),
                Err(error) => {
                    outputs = Err(error);
                    return Vec::new();
                }
            };
            outputs = Ok(given);
            results
        });
        let made = Rc::new(Made { function, outputs: outputs? });
        self.made.borrow_mut().insert(key.clone(), Rc::clone(&made));
        Ok(made)
    }

    /// Calls a function once, or maps it over several lanes, which are the bits of its inputs.
    /// Returns the outputs that are used, for each lane.
    fn call(&self, b: &mut Builder, key: &Key, lanes: &[Vec<Bit>]) -> Result<Vec<Vec<Bit>>, Error> {
        if key.free() == 0 {
            let inputs: Vec<Bit> = key.inputs.iter().map(|input| input.bit(&[])).collect();
            let outputs = self.write(b, key.module, &key.used, &inputs)?;
            return Ok(vec![outputs; lanes.len()]);
        }
        let made = self.make(b, key)?;
        let is_called = made.outputs.iter().any(|given| matches!(given, Given::Output(_)));
        let driven = match lanes {
            _ if !is_called => vec![Vec::new(); lanes.len()],
            [lane] => vec![b.call(&made.function, lane)],
            lanes => {
                let parts = parts(lanes);
                let arguments: Vec<Arg<'_>> = parts.iter().map(Part::argument).collect();
                let results = b.map_defined(&made.function, lanes.len() as u64, &arguments);
                (0..lanes.len().min(results.len())).map(|lane| results.element(lane)).collect()
            }
        };
        let outputs = |(lane, driven): (&Vec<Bit>, Vec<Bit>)| {
            let output = |given: &Given| match *given {
                Given::Constant(value) => Bit::constant(value),
                Given::Input(input, inverted) => lane[input].invert_if(inverted),
                Given::Output(output) => driven[output],
            };
            made.outputs.iter().map(output).collect()
        };
        Ok(lanes.iter().zip(driven).map(outputs).collect())
    }
}

/// Divides the outputs of a function with this number of inputs into what its caller has and what
/// the function returns.
fn give(outputs: &[Bit], inputs: usize) -> (Vec<Given>, Vec<Bit>) {
    let mut results: Vec<Bit> = Vec::new();
    let mut numbers = HashMap::new();
    let given = outputs.iter().map(|&bit| match bit.wire() {
        None => Given::Constant(bit.is_inverted()),
        Some(wire) if wire.index() < inputs => Given::Input(wire.index(), bit.is_inverted()),
        Some(_) => {
            let number = *numbers.entry(bit).or_insert(results.len());
            if number == results.len() {
                results.push(bit);
            }
            Given::Output(number)
        }
    });
    (given.collect(), results)
}

/// An argument of a map.
enum Part {
    Shared(Vec<Bit>),
    /// The bits of lane 0, those of lane 1, …
    Sliced(Vec<Bit>),
}

impl Part {
    fn argument(&self) -> Arg<'_> {
        match self {
            Part::Shared(bits) => Arg::Shared(bits),
            Part::Sliced(bits) => Arg::Sliced(bits),
        }
    }
}

/// Divides the inputs of a map into arguments: the inputs that are equal in all lanes; those that
/// are regular slices; the others. Each argument has as many inputs as possible.
fn parts(lanes: &[Vec<Bit>]) -> Vec<Part> {
    let kinds: Vec<Step> = (0..lanes[0].len()).map(|input| Step::of(lanes, input)).collect();
    let mut parts = Vec::new();
    let mut first = 0;
    while first < kinds.len() {
        let mut behind = first + 1;
        while behind < kinds.len() && kinds[first].goes_on_with(&kinds[first + 1..=behind]) {
            behind += 1;
        }
        parts.push(match kinds[first] {
            Step::None => Part::Shared(lanes[0][first..behind].to_vec()),
            _ => {
                let bits = lanes.iter().flat_map(|lane| &lane[first..behind]);
                Part::Sliced(bits.copied().collect())
            }
        });
        first = behind;
    }
    parts
}

/// How the bit of an input changes from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// All lanes have the same bit.
    None,
    /// The wires have a constant distance. Lane 0 has wire `first`.
    Regular {
        first: u32,
        stride: u32,
    },
    Irregular,
}

impl Step {
    fn of(lanes: &[Vec<Bit>], input: usize) -> Step {
        let mut bits = lanes.iter().map(|lane| lane[input]);
        if lanes.iter().all(|lane| lane[input] == lanes[0][input]) {
            return Step::None;
        }
        let number = |bit: Bit| bit.wire().filter(|_| !bit.is_inverted()).map(|w| w.number());
        let numbers: Option<Vec<u32>> = bits.by_ref().map(number).collect();
        let Some(numbers) = numbers else { return Step::Irregular };
        let Some(stride) = numbers[1].checked_sub(numbers[0]) else { return Step::Irregular };
        let is_next = |pair: &[u32]| pair[1].checked_sub(pair[0]) == Some(stride);
        match numbers.windows(2).all(is_next) {
            true => Step::Regular { first: numbers[0], stride },
            false => Step::Irregular,
        }
    }

    /// Whether the inputs `next`, of which all but the last follow this one in its argument, are
    /// one argument with it.
    fn goes_on_with(self, next: &[Step]) -> bool {
        let last = next[next.len() - 1];
        match (self, next[0], last) {
            (
                Step::Regular { first, stride },
                Step::Regular { first: second, .. },
                Step::Regular { first: last, stride: other },
            ) => {
                let distance = second.checked_sub(first).map(u64::from);
                let wanted = distance.map(|distance| distance * next.len() as u64);
                stride == other && wanted == last.checked_sub(first).map(u64::from)
            }
            (Step::Regular { .. }, ..) => false,
            _ => self == last,
        }
    }
}

/// The function that an instance calls, and the bits of its inputs.
type Lane = (Rc<Key>, Vec<Bit>);

/// The calls of a body.
pub(super) struct OfBody<'a> {
    functions: &'a Functions<'a>,
    netlist: &'a Netlist,
    live: &'a Live,
    groups: Groups,
    /// The outputs of calls so far, by the function and the bits passed: equal calls are made once.
    known: RefCell<HashMap<Lane, Vec<Bit>>>,
}

impl OfBody<'_> {
    fn inputs(&self, cell: u32) -> Vec<Signal> {
        self.functions.design.reads(self.netlist, cell, &self.live.instances[&cell])
    }
}

impl Calls for OfBody<'_> {
    fn reads(&self, cell: u32) -> Vec<Signal> {
        self.groups.with(cell).iter().flat_map(|&cell| self.inputs(cell)).collect()
    }

    fn call(
        &self,
        b: &mut Builder,
        cell: u32,
        value: &dyn Fn(Signal) -> Bit,
    ) -> Result<Vec<(u32, Bit)>, Error> {
        // The distinct lanes of each function, in the order of their first lanes.
        let mut calls: Vec<(Rc<Key>, Vec<Vec<Bit>>)> = Vec::new();
        let mut numbers: HashMap<Rc<Key>, usize> = HashMap::new();
        let mut passed = Vec::new();
        let mut known = self.known.borrow_mut();
        for &cell in self.groups.with(cell) {
            let Kind::Instance(module) = self.netlist.cells[cell as usize].kind else { continue };
            let bits: Vec<Bit> = self.inputs(cell).into_iter().map(value).collect();
            let (inputs, bits) = inputs(&bits);
            let used = self.live.instances[&cell].clone();
            let key = Rc::new(Key { module, used, inputs });
            let number = *numbers.entry(Rc::clone(&key)).or_insert(calls.len());
            if number == calls.len() {
                calls.push((Rc::clone(&key), Vec::new()));
            }
            let lane = (key, bits);
            if !known.contains_key(&lane) {
                known.insert(lane.clone(), Vec::new());
                calls[number].1.push(lane.1.clone());
            }
            passed.push((cell, lane));
        }
        for (key, lanes) in calls.into_iter().filter(|(_, lanes)| !lanes.is_empty()) {
            let outputs = self.functions.call(b, &key, &lanes)?;
            for (lane, outputs) in lanes.into_iter().zip(outputs) {
                known.insert((Rc::clone(&key), lane), outputs);
            }
        }
        let mut nets = Vec::new();
        for (cell, lane) in passed {
            let signals = self.netlist.cells[cell as usize].signals(cells::INSTANCE_OUTPUTS);
            let signals = signals.iter().zip(&lane.0.used).filter(|(_, used)| **used);
            for ((&signal, _), &bit) in signals.zip(&known[&lane]) {
                if let Signal::Net(net) = signal {
                    nets.push((net, bit));
                }
            }
        }
        Ok(nets)
    }
}
