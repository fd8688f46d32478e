//! Lowers a netlist to gates, from its outputs and registers back to its inputs.

use super::cells::{Cell, Kind, Signal};
use super::error::Error;
use super::netlist::{Driver, Netlist};
use super::ports::{Ports, Reset};
use super::registers::{self, Register, Registers};
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_circuit::{Bit, Builder, Circuit, Init, Output};

/// Builds the circuit of a netlist.
///
/// The netlist is lowered twice: first with an active reset, to find the initial values of
/// registers, then with an inactive reset, to build the circuit that runs.
pub(super) fn circuit(
    netlist: &Netlist,
    ports: &Ports,
    registers: &Registers,
) -> Result<Circuit, Error> {
    check_operators(netlist)?;
    let starts = starts(netlist, ports, registers)?;
    let mut b = Builder::new();
    let mut lowering = Lowering::new(netlist, ports, registers, &starts, &mut b);
    lowering.reset(&ports.resets, false);
    let mut outputs = Vec::new();
    for (output, signals) in &ports.outputs {
        let bits = signals.iter().map(|&signal| lowering.value(signal, &output.name));
        outputs.push((output, bits.collect::<Result<Vec<_>, _>>()?));
    }
    for ((register, start), &q) in registers.0.iter().zip(&starts).zip(&lowering.states.clone()) {
        for load in &register.loads {
            // With an inactive reset, nothing may trigger the load.
            if lowering.value(load.control, "")? != Bit::constant(!load.active) {
                return Err(asynchronous(netlist, register));
            }
        }
        let next = lowering.value(register.d, "")?;
        lowering.b.set_next(q, next.invert_if(start.inverted));
    }
    add_outputs(&mut b, netlist, outputs);
    Ok(b.finish()?)
}

/// Rejects a netlist with a cell that has no counterpart in circuits.
pub(super) fn check_operators(netlist: &Netlist) -> Result<(), Error> {
    match netlist.cells.iter().find(|cell| cell.kind == Kind::Unknown) {
        Some(cell) => Err(no_operator(netlist, cell)),
        None => Ok(()),
    }
}

/// Adds the outputs of a circuit, and its number of cycles.
fn add_outputs(b: &mut Builder, netlist: &Netlist, outputs: Vec<(&Output, Vec<Bit>)>) {
    for (output, bits) in outputs {
        match output.per_cycle {
            true => b.output_per_cycle(&output.name, &bits),
            false => b.output(&output.name, &bits),
        }
        b.describe_output(output.elements);
    }
    b.set_cycles(netlist.cycles.unwrap_or(1));
}

/// Computes the outputs of instances for [`structured`] and [`signals`].
pub(super) trait Calls {
    /// The signals that must be known before the instance in this cell is called.
    fn reads(&self, cell: u32) -> Vec<Signal>;

    /// Calls the instance in this cell, and others at once if that is possible. Returns all nets
    /// that are then known.
    fn call(
        &self,
        b: &mut Builder,
        cell: u32,
        value: &dyn Fn(Signal) -> Bit,
    ) -> Result<Vec<(u32, Bit)>, Error>;
}

/// Builds the circuit of a netlist without registers, whose instances are called by `calls`.
pub(super) fn structured(
    netlist: &Netlist,
    ports: &Ports,
    calls: &dyn Calls,
) -> Result<StructuredCircuit, Error> {
    let (none, mut b) = (Registers(Vec::new()), Builder::new());
    let mut lowering = Lowering::new(netlist, ports, &none, &[], &mut b);
    lowering.calls = Some(calls);
    lowering.reset(&ports.resets, false);
    let mut found = Vec::new();
    for (output, signals) in &ports.outputs {
        let bits = signals.iter().map(|&signal| lowering.value(signal, &output.name));
        found.push((output, bits.collect::<Result<Vec<_>, _>>()?));
    }
    add_outputs(&mut b, netlist, found);
    Ok(b.finish_structured()?)
}

/// Computes the signals `wanted` of a netlist without registers, of which some nets are known.
pub(super) fn signals(
    netlist: &Netlist,
    known: &[(u32, Bit)],
    wanted: &[Signal],
    calls: Option<&dyn Calls>,
    b: &mut Builder,
) -> Result<Vec<Bit>, Error> {
    let mut lowering = Lowering::empty(netlist, b);
    lowering.calls = calls;
    for &(net, bit) in known {
        lowering.values[net as usize] = Some(bit);
    }
    wanted.iter().map(|&signal| lowering.value(signal, "an output")).collect()
}

/// The initial value of a register, and whether the circuit stores the inverse of the design's
/// value.
#[derive(Clone, Copy)]
struct Start {
    init: Init,
    inverted: bool,
}

const ZERO: Start = Start { init: Init::Constant(false), inverted: false };

fn starts(netlist: &Netlist, ports: &Ports, registers: &Registers) -> Result<Vec<Start>, Error> {
    let unknown = vec![ZERO; registers.0.len()];
    let mut b = Builder::new();
    let mut lowering = Lowering::new(netlist, ports, registers, &unknown, &mut b);
    lowering.reset(&ports.resets, true);
    let mut starts = Vec::with_capacity(registers.0.len());
    for (number, register) in registers.0.iter().enumerate() {
        starts.push(lowering.start(number, register, ports)?);
    }
    Ok(starts)
}

/// The state of lowering a netlist.
struct Lowering<'a, 'b> {
    netlist: &'a Netlist,
    b: &'b mut Builder,
    /// Calls the functions of instances. A netlist without instances needs none.
    calls: Option<&'a dyn Calls>,
    /// The value of each net, if it is already computed.
    values: Vec<Option<Bit>>,
    /// For each net: whether it is being computed, to detect loops.
    open: Vec<bool>,
    /// For each net with a value: whether the value depends on the reset.
    touched_by_reset: Vec<bool>,
    /// The circuit's bit of each register.
    states: Vec<Bit>,
}

impl<'a, 'b> Lowering<'a, 'b> {
    /// The lowering of a netlist of which no net is known.
    fn empty(netlist: &'a Netlist, b: &'b mut Builder) -> Lowering<'a, 'b> {
        let nets = netlist.nets();
        let values = vec![None; nets];
        let (open, touched_by_reset) = (vec![false; nets], vec![false; nets]);
        let (calls, states) = (None, Vec::new());
        Lowering { netlist, b, calls, values, open, touched_by_reset, states }
    }

    fn new(
        netlist: &'a Netlist,
        ports: &Ports,
        registers: &Registers,
        starts: &[Start],
        b: &'b mut Builder,
    ) -> Lowering<'a, 'b> {
        let Lowering { b, mut values, .. } = Lowering::empty(netlist, b);
        for (input, nets) in &ports.inputs {
            let bits = match input.per_cycle {
                true => b.input_per_cycle(&input.name, input.party, input.width),
                false => b.input(&input.name, input.party, input.width),
            };
            b.describe_input(input.elements);
            for (&net, bit) in nets.iter().zip(bits) {
                values[net as usize] = Some(bit);
            }
        }
        let states: Vec<Bit> = starts.iter().map(|start| b.flip_flop(start.init)).collect();
        for ((register, &state), start) in registers.0.iter().zip(&states).zip(starts) {
            values[register.q as usize] = Some(state.invert_if(start.inverted));
        }
        Lowering { values, states, ..Lowering::empty(netlist, b) }
    }

    fn reset(&mut self, resets: &[Reset], on: bool) {
        for reset in resets {
            self.values[reset.net as usize] = Some(Bit::constant(reset.active == on));
            self.touched_by_reset[reset.net as usize] = true;
        }
    }

    /// Finds the initial value of a register, while the reset is active.
    fn start(&mut self, number: usize, register: &Register, ports: &Ports) -> Result<Start, Error> {
        for load in &register.loads {
            let control = self.value(load.control, "")?;
            if control == Bit::constant(load.active) {
                let value = self.value(load.value, "")?;
                return start(value, ports).ok_or_else(|| computed(self.netlist, register));
            }
            if control != Bit::constant(!load.active) {
                return Err(asynchronous(self.netlist, register));
            }
        }
        let next = self.value(register.d, "")?;
        let touched = matches!(register.d, Signal::Net(net) if self.touched_by_reset[net as usize]);
        // If the next value is the register itself, the reset does not set the register.
        if touched && next != self.states[number] {
            return start(next, ports).ok_or_else(|| computed(self.netlist, register));
        }
        Ok(Start { init: Init::Constant(register.init.unwrap_or(false)), inverted: false })
    }

    /// Returns the value of `signal`. In errors, `reader` is the name of the output that reads it.
    /// An empty `reader` stands for a register.
    fn value(&mut self, signal: Signal, reader: &str) -> Result<Bit, Error> {
        let net = match signal {
            Signal::Net(net) => net,
            Signal::Constant(value) => return Ok(Bit::constant(value)),
            Signal::Undefined => return Ok(Bit::FALSE),
            Signal::TriState => {
                let name = if reader.is_empty() { "a register's input" } else { reader };
                return Err(Error::TriState {
                    place: self.netlist.file().into(),
                    name: name.into(),
                });
            }
        };
        // Nets whose cells wait for the values of other nets. This is an explicit stack, because
        // chains of gates are long.
        let mut waiting = vec![net];
        // A net without a source line gets the line of the net that waits for it. For example,
        // gates of ABC have no lines, but lead to a signal that has a line.
        let mut lines = vec![self.netlist.line_of(net)];
        while let Some(&net) = waiting.last() {
            if self.values[net as usize].is_some() {
                waiting.pop();
                lines.pop();
                continue;
            }
            let (cell, bit) = self.driver(net, &waiting)?;
            let reads = match (self.calls, self.netlist.driver(net)) {
                (Some(calls), Driver::Cell { cell: number, .. }) if cell.is_instance() => {
                    calls.reads(number)
                }
                _ => cell.reads(bit),
            };
            self.open[net as usize] = true;
            let before = waiting.len();
            let line = lines[before - 1];
            for &signal in &reads {
                match signal {
                    Signal::Net(read) if self.values[read as usize].is_none() => {
                        if self.open[read as usize] {
                            let (name, _) = self.netlist.name(read);
                            return Err(Error::Loop { place: cell.place.clone(), name });
                        }
                        waiting.push(read);
                        let own = self.netlist.line_of(read);
                        lines.push(if own == 0 { line } else { own });
                    }
                    Signal::TriState => {
                        let (name, place) = self.netlist.name(net);
                        return Err(Error::TriState { place, name });
                    }
                    _ => {}
                }
            }
            if waiting.len() == before {
                waiting.pop();
                lines.pop();
                self.open[net as usize] = false;
                self.b.at_line(self.netlist.line(line));
                self.compute(net, cell, &reads)?;
            }
        }
        Ok(self.values[net as usize].expect("worked out above"))
    }

    /// Returns the cell that drives `net`, and the bit of its output. `waiting` has the nets that
    /// wait for `net`.
    fn driver(&self, net: u32, waiting: &[u32]) -> Result<(&'a Cell, usize), Error> {
        let netlist = self.netlist;
        if let Some(found) = netlist.driving_cell(net) {
            return Ok(found);
        }
        let (name, place) = netlist.name(net);
        let reader = waiting.len().checked_sub(2).and_then(|at| netlist.driving_cell(waiting[at]));
        match netlist.driver(net) {
            Driver::Input => {
                let place = reader.map_or(place, |(cell, _)| cell.place.clone());
                Err(Error::ClockAsValue { place, clock: name })
            }
            _ => Err(Error::Undriven { place, name }),
        }
    }

    /// Computes the value of `net`. For a word cell, computes the whole output.
    fn compute(&mut self, net: u32, cell: &Cell, reads: &[Signal]) -> Result<(), Error> {
        let values = &self.values;
        let value = |signal| match signal {
            Signal::Net(net) => values[net as usize].unwrap_or(Bit::FALSE),
            Signal::Constant(value) => Bit::constant(value),
            Signal::Undefined | Signal::TriState => Bit::FALSE,
        };
        let touched = reads.iter().any(
            |&signal| matches!(signal, Signal::Net(net) if self.touched_by_reset[net as usize]),
        );
        if let (Some(calls), Kind::Instance(_), Driver::Cell { cell, .. }) =
            (self.calls, cell.kind, self.netlist.driver(net))
        {
            for (net, bit) in calls.call(self.b, cell, &value)? {
                self.values[net as usize] = Some(bit);
            }
            if self.values[net as usize].is_none() {
                let (name, place) = self.netlist.name(net);
                return Err(Error::Undriven { place, name });
            }
            return Ok(());
        }
        if let Kind::Bitwise(bitwise) = cell.kind {
            let operands: Vec<Bit> = reads.iter().map(|&signal| value(signal)).collect();
            self.values[net as usize] = Some(bitwise.compute(self.b, &operands));
            self.touched_by_reset[net as usize] = touched;
            return Ok(());
        }
        let Some(bits) = cell.compute(self.b, &value) else {
            return Err(no_operator(self.netlist, cell));
        };
        for (&signal, bit) in cell.signals(cell.kind.output()).iter().zip(bits) {
            if let Signal::Net(net) = signal {
                self.values[net as usize] = Some(bit);
                self.touched_by_reset[net as usize] = touched;
            }
        }
        Ok(())
    }
}

/// Converts `value` to an initial value of a register: a constant, or a bit of a per-run input.
fn start(value: Bit, ports: &Ports) -> Option<Start> {
    let Some(wire) = value.wire() else {
        let init = Init::Constant(value.is_inverted());
        return Some(Start { init, inverted: false });
    };
    let mut first = 0;
    for (input, _) in &ports.inputs {
        let behind = first + input.width as usize;
        if wire.index() < behind {
            let start = Start { init: Init::Input(wire), inverted: value.is_inverted() };
            return (!input.per_cycle).then_some(start);
        }
        first = behind;
    }
    None
}

fn computed(netlist: &Netlist, register: &Register) -> Error {
    let cell = &netlist.cells[register.cell as usize];
    let name = registers::name(netlist, cell);
    Error::Start { place: cell.place.clone(), name, bit: register.bit }
}

fn asynchronous(netlist: &Netlist, register: &Register) -> Error {
    let cell = &netlist.cells[register.cell as usize];
    let name = registers::name(netlist, cell);
    Error::AsynchronousReset { place: cell.place.clone(), name }
}

fn no_operator(netlist: &Netlist, cell: &Cell) -> Error {
    let (place, kind) = (cell.place.clone(), cell.type_name.clone());
    if cell.kind == Kind::TriState {
        let output = cell.signals("Y").iter().find_map(|&signal| match signal {
            Signal::Net(net) => Some(netlist.name(net).0),
            _ => None,
        });
        return Error::TriState { place, name: output.unwrap_or(kind) };
    }
    let hint = match kind.as_str() {
        "$pow" => ": powers are computed of constants only; multiply instead",
        "$divfloor" | "$modfloor" => ": of signed numbers, / and % round towards zero",
        _ if !kind.starts_with('$') => ", and the design does not define it",
        "$mem_v2" | "$memrd" | "$memwr" => ": a memory that could not be made registers",
        _ => "",
    };
    Error::Unknown { place, kind, hint }
}
