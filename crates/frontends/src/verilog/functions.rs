//! Reads a design whose repeated modules become functions.

use super::calls::Functions;
use super::cells::{self, Kind, Signal};
use super::error::Error;
use super::hierarchy::Hierarchy;
use super::live::{Design, Module};
use super::netlist::Netlist;
use super::ports::Ports;
use super::yosys::Session;
use super::{LARGE, Options, Stage, bypass, carry, lower};
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::structured::{StructuredCircuit, without_unused};
use halfgate_circuit::{Bit, Builder, Party};
use std::collections::HashMap;

/// Returns the circuit of the prepared design in `yosys`, of which some modules become functions,
/// or `None` if none is large enough for it.
pub(super) fn read(
    yosys: &mut Session<'_>,
    hierarchy: &Hierarchy,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Option<StructuredCircuit>, Error> {
    yosys.save()?;
    let candidates = hierarchy.functions(None);
    let mut plain = Parts::parse(&yosys.elaborate_modules(&candidates)?, yosys, &candidates)?;
    let names = hierarchy.functions(Some(&plain.sizes(&candidates)?));
    if names.is_empty() {
        return Ok(None);
    }
    if names != candidates {
        plain = Parts::parse(&yosys.elaborate_modules(&names)?, yosys, &names)?;
    }
    progress(Stage::Lowering);
    let is_large = plain.ands()?.iter().sum::<u64>() >= LARGE;
    progress(Stage::Optimising);
    let parts = match yosys.by_abc(is_large)? {
        Some(netlist) => plain.or_better(Parts::parse(&netlist, yosys, &names)?)?,
        None => plain,
    };
    progress(Stage::Lowering);
    let Parts { modules, mut top } = parts;
    let modules = names.iter().zip(modules).map(|(name, netlist)| Module::new(name, netlist));
    let design = Design::new(modules.collect::<Result<_, _>>()?);
    let live = design.live_of_top(&top);
    design.disconnect(&mut top, &live);
    let ports = Ports::of(&top, options)?;
    let functions = Functions::new(&design);
    let circuit = lower::structured(&top, &ports, &functions.of_body(&top, &live)?)?;
    // Yosys does not know which inputs a function reads, and an operator on words computes all bits
    // of its result.
    Ok(Some(without_unused(&circuit).map_err(BuildError::Spool)?))
}

/// The netlists of a design.
struct Parts {
    /// The modules that are not flattened, in the order in which they were named.
    modules: Vec<Netlist>,
    top: Netlist,
}

impl Parts {
    /// Parses netlists. `names` has each module after those that instantiate it.
    fn parse(text: &[u8], yosys: &Session<'_>, names: &[String]) -> Result<Parts, Error> {
        let (modules, top) = Netlist::parse_modules(text, yosys.file(), names)?;
        let mut parts = Parts { modules, top };
        let mut sources = vec![Vec::new(); names.len()];
        // A module comes after those that instantiate it.
        for (number, netlist) in parts.modules.iter_mut().enumerate().rev() {
            bypass::bypass(netlist, &sources)?;
            sources[number] = bypass::sources(netlist);
        }
        bypass::bypass(&mut parts.top, &sources)?;
        for netlist in parts.modules.iter_mut().chain([&mut parts.top]) {
            carry::take_as_carries(netlist);
            lower::check_operators(netlist)?;
        }
        Ok(parts)
    }

    /// ANDs of each module without those of modules in it, and then of the top module.
    fn ands(&self) -> Result<Vec<u64>, Error> {
        self.modules.iter().chain([&self.top]).map(ands).collect()
    }

    /// ANDs of each module with those of modules in it, by the modules' names. `names` has each
    /// module after those that instantiate it.
    fn sizes(&self, names: &[String]) -> Result<HashMap<String, u64>, Error> {
        let mut sizes = vec![0_u64; names.len()];
        for (number, netlist) in self.modules.iter().enumerate().rev() {
            let mut size = ands(netlist)?;
            for cell in &netlist.cells {
                if let Kind::Instance(module) = cell.kind {
                    size = size.saturating_add(sizes[module as usize]);
                }
            }
            sizes[number] = size;
        }
        Ok(names.iter().cloned().zip(sizes).collect())
    }

    /// For each module, the netlist of `other` if it has fewer ANDs and the same ports.
    fn or_better(self, other: Parts) -> Result<Parts, Error> {
        let better = |(plain, other): (Netlist, Netlist)| {
            let own = ands(&plain)?;
            // A netlist of ABC's that is no circuit is not better.
            let has_fewer = ands(&other).is_ok_and(|ands| ands < own);
            Ok(if has_fewer && has_ports_of(&other, &plain) { other } else { plain })
        };
        let modules = self.modules.into_iter().zip(other.modules).map(better);
        let modules = modules.collect::<Result<_, Error>>()?;
        Ok(Parts { modules, top: better((self.top, other.top))? })
    }
}

fn has_ports_of(a: &Netlist, b: &Netlist) -> bool {
    let ports = |netlist: &Netlist| {
        let ports = netlist.ports.iter();
        let ports = ports.map(|port| (port.name.clone(), port.direction.clone(), port.bits.len()));
        ports.collect::<Vec<_>>()
    };
    ports(a) == ports(b)
}

/// ANDs of a netlist without those of its instances.
fn ands(netlist: &Netlist) -> Result<u64, Error> {
    let instances = || netlist.cells.iter().filter(|cell| cell.is_instance());
    let of_instances =
        |port: &'static str| instances().flat_map(move |cell| cell.signals(port).iter().copied());
    let known = netlist.inputs().chain(of_instances(cells::INSTANCE_OUTPUTS));
    let known: Vec<u32> = known
        .filter_map(|signal| match signal {
            Signal::Net(net) => Some(net),
            _ => None,
        })
        .collect();
    let wanted = netlist.outputs().chain(of_instances(cells::INSTANCE_INPUTS));
    let wanted: Vec<Signal> = wanted.collect();
    let mut b = Builder::new();
    let bits = b.input("known", Party::Garbler, known.len() as u32);
    let known: Vec<(u32, Bit)> = known.into_iter().zip(bits).collect();
    lower::signals(netlist, &known, &wanted, None, &mut b)?;
    Ok(b.ands())
}
