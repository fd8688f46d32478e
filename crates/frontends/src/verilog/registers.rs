//! The registers of a design, bit by bit, and their single clock.

use super::cells::{Cell, Kind, Signal};
use super::error::Error;
use super::netlist::Netlist;

/// A register of one bit.
pub(super) struct Register {
    /// The net that carries the register's value.
    pub(super) q: u32,
    /// The register's value after the next clock edge.
    pub(super) d: Signal,
    /// Asynchronous loads.
    pub(super) loads: Vec<Load>,
    /// The register's initial value, if the design states one.
    pub(super) init: Option<bool>,
    /// The register's cell, and the bit within the cell, for messages.
    pub(super) cell: u32,
    pub(super) bit: usize,
}

/// An asynchronous load: while `control` is `active`, the register holds `value`.
pub(super) struct Load {
    pub(super) control: Signal,
    pub(super) active: bool,
    pub(super) value: Signal,
}

/// The registers of a design, in the order of their cells.
pub(super) struct Registers(pub(super) Vec<Register>);

impl Registers {
    pub(super) fn of(netlist: &Netlist) -> Result<Registers, Error> {
        let init = netlist.initial_values();
        let mut registers = Vec::new();
        for (number, cell) in netlist.cells.iter().enumerate() {
            let name = || name(netlist, cell);
            match cell.kind {
                Kind::Register => {}
                Kind::Latch => {
                    return Err(Error::Latch { place: cell.place.clone(), name: name() });
                }
                _ => continue,
            }
            let (q, d) = (cell.signals("Q"), cell.signals("D"));
            for (bit, (&q, &d)) in q.iter().zip(d).enumerate() {
                let Signal::Net(q) = q else { continue };
                let (loads, init) = (loads(cell, bit), init.get(&q).copied());
                registers.push(Register { q, d, loads, init, cell: number as u32, bit });
            }
        }
        Ok(Registers(registers))
    }
}

/// Returns the name of the register in `cell`.
pub(super) fn name(netlist: &Netlist, cell: &Cell) -> String {
    let nets = cell.signals("Q").iter().filter_map(|&signal| match signal {
        Signal::Net(net) => Some(net),
        _ => None,
    });
    let name = nets.take(1).map(|net| netlist.name(net).0).next();
    let name = name.unwrap_or_else(|| "a register".to_owned());
    // The name of the word, without the bit.
    name.split('[').next().unwrap_or(&name).to_owned()
}

fn loads(cell: &Cell, bit: usize) -> Vec<Load> {
    let signal = |port: &str, bit: usize| cell.signals(port).get(bit).copied();
    // In a one-bit cell, letters of its name stand for the parameters of a word cell.
    if let Some((kind, letters)) = cell.gate_letters() {
        let at = |place: usize| letters[place] == b'P';
        let load = |port: &str, place: usize, value: Signal| {
            signal(port, 0).map(|control| Load { control, active: at(place), value })
        };
        let loads = match (kind, letters.len()) {
            ("DFF", 3) => vec![load("R", 1, Signal::Constant(letters[2] == b'1'))],
            ("ALDFF", _) => vec![load("L", 1, signal("AD", 0).unwrap_or(Signal::Undefined))],
            ("DFFSR", _) => {
                vec![load("R", 2, Signal::Constant(false)), load("S", 1, Signal::Constant(true))]
            }
            _ => Vec::new(),
        };
        return loads.into_iter().flatten().collect();
    }
    let active = |parameter: &str| cell.number(parameter) == 1;
    let mut loads = Vec::new();
    let mut load = |control: Option<Signal>, active: bool, value: Signal| {
        loads.extend(control.map(|control| Load { control, active, value }));
    };
    match cell.type_name.as_str() {
        "$adff" => {
            let digits = cell.digits("ARST_VALUE");
            let one = digits.bytes().rev().nth(bit) == Some(b'1');
            load(signal("ARST", 0), active("ARST_POLARITY"), Signal::Constant(one));
        }
        "$aldff" => {
            let value = signal("AD", bit).unwrap_or(Signal::Undefined);
            load(signal("ALOAD", 0), active("ALOAD_POLARITY"), value);
        }
        "$dffsr" => {
            load(signal("CLR", bit), active("CLR_POLARITY"), Signal::Constant(false));
            load(signal("SET", bit), active("SET_POLARITY"), Signal::Constant(true));
        }
        _ => {}
    }
    loads
}

/// The clock of all registers.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) net: u32,
    rising: bool,
}

impl Clock {
    /// Returns the single clock of the registers of `netlist`, or `None` if there are no registers.
    pub(super) fn of(netlist: &Netlist) -> Result<Option<Clock>, Error> {
        let mut found: Option<Clock> = None;
        for cell in netlist.cells.iter().filter(|cell| cell.kind == Kind::Register) {
            let clock = Clock::of_cell(netlist, cell)?;
            let other = *found.get_or_insert(clock);
            if (other.net, other.rising) != (clock.net, clock.rising) {
                return Err(Error::Clocks {
                    place: cell.place.clone(),
                    name: name(netlist, cell),
                    clock: clock.describe(netlist),
                    other: other.describe(netlist),
                });
            }
        }
        Ok(found)
    }

    fn of_cell(netlist: &Netlist, cell: &Cell) -> Result<Clock, Error> {
        let gated = |clock: String| Error::GatedClock {
            place: cell.place.clone(),
            name: name(netlist, cell),
            clock,
        };
        let &[Signal::Net(net)] =
            cell.signals(if cell.gate_letters().is_some() { "C" } else { "CLK" })
        else {
            return Err(gated("a constant".to_owned()));
        };
        if netlist.driver(net) != super::netlist::Driver::Input {
            return Err(gated(netlist.name(net).0));
        }
        let rising = match cell.gate_letters() {
            Some((_, letters)) => letters[0] == b'P',
            None => cell.number("CLK_POLARITY") == 1,
        };
        Ok(Clock { net, rising })
    }

    fn describe(&self, netlist: &Netlist) -> String {
        let edge = if self.rising { "rising" } else { "falling" };
        format!("the {edge} edge of {}", netlist.name(self.net).0)
    }
}
