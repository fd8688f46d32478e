//! Maps the ports of a design to those of a circuit.

use super::Options;
use super::cells::Signal;
use super::error::Error;
use super::netlist::{Netlist, Port};
use super::registers::Clock;
use crate::scd::Outputs;
use halfgate_circuit::{BitRuns, Input, Output, Party};

/// The ports of a design.
pub(super) struct Ports {
    /// Each input with its nets.
    pub(super) inputs: Vec<(Input, Vec<u32>)>,
    /// Each output with its signals. The bits of the output are added later.
    pub(super) outputs: Vec<(Output, Vec<Signal>)>,
    pub(super) clock: Option<u32>,
    pub(super) resets: Vec<Reset>,
}

/// A port that resets registers before the first cycle.
#[derive(Clone, Copy)]
pub(super) struct Reset {
    pub(super) net: u32,
    /// The value at which the reset is active.
    pub(super) active: bool,
}

// Names of ports, which are compared without case.
const CLOCKS: [&str; 3] = ["clk", "clk_i", "clock"];
const RESETS: [&str; 9] =
    ["rst", "rst_i", "reset", "reset_i", "arst", "arst_i", "areset", "areset_i", "srst"];
const INVERTED_RESETS: [&str; 18] = [
    "rst_n",
    "rst_ni",
    "rst_n_i",
    "rstn",
    "rstn_i",
    "nrst",
    "reset_n",
    "reset_ni",
    "reset_n_i",
    "resetn",
    "resetn_i",
    "nreset",
    "arst_n",
    "arst_ni",
    "arstn",
    "areset_n",
    "aresetn",
    "aresetn_i",
];

pub(super) fn is_clock(name: &str) -> bool {
    is_one_of(&CLOCKS, name)
}

/// Returns the value at which a reset called `name` is active, or `None` if `name` is not the name
/// of a reset.
pub(super) fn reset(name: &str) -> Option<bool> {
    match name {
        _ if is_one_of(&RESETS, name) => Some(true),
        _ if is_one_of(&INVERTED_RESETS, name) => Some(false),
        _ => None,
    }
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the owner of an input that follows from its name, and whether the name is that of a
/// per-run input.
pub(super) fn by_name(name: &str) -> (Option<Party>, bool) {
    match name {
        "g_init" => (Some(Party::Garbler), true),
        "e_init" => (Some(Party::Evaluator), true),
        "g_input" => (Some(Party::Garbler), false),
        "e_input" => (Some(Party::Evaluator), false),
        _ => (None, false),
    }
}

impl Ports {
    pub(super) fn of(netlist: &Netlist, options: &Options) -> Result<Ports, Error> {
        let clock = Clock::of(netlist)?.map(|clock| clock.net);
        let sequential = clock.is_some();
        let mut ports =
            Ports { inputs: Vec::new(), outputs: Vec::new(), clock, resets: Vec::new() };
        // The inputs for which the design states no owner, by their index in the list of inputs.
        let mut open = Vec::new();
        for port in &netlist.ports {
            match port.direction.as_str() {
                "input" => ports.input(netlist, port, sequential, &mut open)?,
                "output" => ports.output(port, sequential, options.outputs)?,
                _ => {
                    let (place, port) = (port.place.clone(), port.name.clone());
                    return Err(Error::Inout { place, port });
                }
            }
        }
        match &options.parties {
            Some(parties) if parties.len() == open.len() => {
                for ((at, _), &party) in open.iter().zip(parties) {
                    ports.inputs[*at].0.party = party;
                }
            }
            Some(parties) => {
                let names = open.iter().map(|(_, port)| port.name.as_str());
                return Err(Error::parties(parties.len(), names));
            }
            None => {
                if let Some((_, first)) = open.first() {
                    let names = open.iter().map(|(_, port)| port.name.as_str());
                    return Err(Error::no_party(&first.place, names));
                }
            }
        }
        Ok(ports)
    }

    fn input<'a>(
        &mut self,
        netlist: &Netlist,
        port: &'a Port,
        sequential: bool,
        open: &mut Vec<(usize, &'a Port)>,
    ) -> Result<(), Error> {
        let nets: Vec<u32> = port.bits.iter().filter_map(|&bit| net(bit)).collect();
        let (place, name) = (&port.place, &port.name);
        if nets.len() < port.bits.len() {
            return Err(Error::DrivenTwice { place: place.clone(), name: format!("input {name}") });
        }
        if nets.len() > 1 && self.clock.is_some_and(|clock| nets.contains(&clock)) {
            return Err(Error::ClockInWord { place: place.clone(), port: name.clone() });
        }
        let named = party(port)?;
        let name = port.name.as_str();
        if let ([net], None) = (nets.as_slice(), named) {
            if self.clock == Some(*net) || !sequential && is_clock(name) {
                return Ok(());
            }
            // In a design without registers, an input with the name of a reset is an ordinary
            // value, if it is read.
            if let Some(active) = reset(name).filter(|_| sequential || !netlist.is_read(*net)) {
                self.resets.push(Reset { net: *net, active });
                return Ok(());
            }
        }
        let (known, held) = by_name(name);
        let per_cycle = sequential && !held && !port.has("per_run");
        let owner = named.or(known);
        if owner.is_none() {
            open.push((self.inputs.len(), port));
        }
        let party = owner.unwrap_or(Party::Garbler);
        let width = nets.len() as u32;
        let (name, elements) = (name.to_owned(), Some(port.elements()));
        self.inputs.push((Input { name, party, width, per_cycle, elements, is_set: false }, nets));
        Ok(())
    }

    fn output(
        &mut self,
        port: &Port,
        sequential: bool,
        requested: Option<Outputs>,
    ) -> Result<(), Error> {
        if port.attribute("party").is_some() {
            return Err(Error::Attribute {
                place: port.place.clone(),
                port: port.name.clone(),
                attribute: "party",
                why: "an output has no owner; who learns it is agreed on for each run (--learn)",
            });
        }
        let per_cycle = match requested {
            Some(Outputs::EveryCycle) => true,
            Some(Outputs::Last) => false,
            None => sequential && !port.has("per_run"),
        };
        let (name, elements) = (port.name.clone(), Some(port.elements()));
        let output = Output { name, bits: BitRuns::new(), per_cycle, elements };
        self.outputs.push((output, port.bits.clone()));
        Ok(())
    }
}

/// Returns the owner of the port, if an attribute states it.
fn party(port: &Port) -> Result<Option<Party>, Error> {
    match port.attribute("party").as_deref() {
        None => Ok(None),
        Some("garbler" | "g") => Ok(Some(Party::Garbler)),
        Some("evaluator" | "e") => Ok(Some(Party::Evaluator)),
        Some(other) => Err(Error::Party {
            place: port.place.clone(),
            port: port.name.clone(),
            value: other.to_owned(),
        }),
    }
}

fn net(bit: Signal) -> Option<u32> {
    match bit {
        Signal::Net(net) => Some(net),
        _ => None,
    }
}
