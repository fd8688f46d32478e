//! Which parts of a design with functions are needed: for each use of a module, the outputs that
//! are read, the instances that they need, and the inputs.

use super::cells::{self, Kind, Signal};
use super::error::Error;
use super::netlist::{Driver, Netlist};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A module that becomes a function.
pub(super) struct Module {
    /// The name in the source.
    pub(super) name: String,
    pub(super) netlist: Netlist,
    /// The nets of the input ports' bits, in the order of ports.
    inputs: Vec<u32>,
    /// The signals of the output ports' bits.
    outputs: Vec<Signal>,
}

impl Module {
    /// The module `name` with the netlist `netlist`.
    pub(super) fn new(name: &str, netlist: Netlist) -> Result<Module, Error> {
        // `$paramod\add\WIDTH=8` is a version of the module `add`.
        let base = if name.starts_with('$') { name.split('\\').nth(1) } else { None };
        let net = |signal| match signal {
            Signal::Net(net) => Ok(net),
            _ => Err(Error::Netlist(format!("an input of {name} has a driver"))),
        };
        let inputs = netlist.inputs().map(net).collect::<Result<_, _>>()?;
        let outputs = netlist.outputs().collect();
        Ok(Module { name: base.unwrap_or(name).to_owned(), netlist, inputs, outputs })
    }

    /// Nets of the inputs that are read, in order.
    pub(super) fn inputs<'a>(&'a self, live: &'a Live) -> impl Iterator<Item = u32> + 'a {
        self.inputs.iter().zip(&live.inputs).filter(|(_, is_read)| **is_read).map(|(&net, _)| net)
    }

    /// Signals of those outputs that are `used`, in order.
    pub(super) fn outputs(&self, used: &[bool]) -> Vec<Signal> {
        let outputs = self.outputs.iter().zip(used);
        outputs.filter(|(_, used)| **used).map(|(&signal, _)| signal).collect()
    }
}

/// What a use of a module needs.
#[derive(Default)]
pub(super) struct Live {
    /// For each bit of the input ports: whether it is read.
    inputs: Vec<bool>,
    /// For each cell that is an instance and needed: which bits of its output ports are read.
    pub(super) instances: BTreeMap<u32, Vec<bool>>,
}

/// The number of a module, and the outputs that are read.
type Use = (u32, Vec<bool>);

/// The modules that become functions, each at the number by which instances name it.
pub(super) struct Design {
    pub(super) modules: Vec<Module>,
    /// What was found, by the number of the module and the outputs that are read.
    live: RefCell<HashMap<Use, Rc<Live>>>,
}

impl Design {
    pub(super) fn new(modules: Vec<Module>) -> Design {
        Design { modules, live: RefCell::default() }
    }

    /// What the module needs for those outputs that are `used`.
    pub(super) fn live(&self, module: u32, used: &[bool]) -> Rc<Live> {
        let key = (module, used.to_vec());
        if let Some(live) = self.live.borrow().get(&key) {
            return Rc::clone(live);
        }
        let found = &self.modules[module as usize];
        let (nets, instances) = self.trace(&found.netlist, &found.outputs(used));
        let inputs = found.inputs.iter().map(|&net| nets[net as usize]).collect();
        let live = Rc::new(Live { inputs, instances });
        self.live.borrow_mut().insert(key, Rc::clone(&live));
        live
    }

    /// What the outermost netlist needs for its outputs.
    pub(super) fn live_of_top(&self, netlist: &Netlist) -> Live {
        let outputs: Vec<Signal> = netlist.outputs().collect();
        let (_, instances) = self.trace(netlist, &outputs);
        Live { inputs: Vec::new(), instances }
    }

    /// The inputs that an instance reads if those of its outputs are read that are `used`.
    pub(super) fn reads(&self, netlist: &Netlist, cell: u32, used: &[bool]) -> Vec<Signal> {
        let cell = &netlist.cells[cell as usize];
        let Kind::Instance(module) = cell.kind else { return Vec::new() };
        let live = self.live(module, used);
        let inputs = cell.signals(cells::INSTANCE_INPUTS).iter().zip(&live.inputs);
        inputs.filter(|(_, is_read)| **is_read).map(|(&signal, _)| signal).collect()
    }

    /// Disconnects the inputs of instances that are not read.
    pub(super) fn disconnect(&self, netlist: &mut Netlist, live: &Live) {
        for (number, cell) in netlist.cells.iter_mut().enumerate() {
            let Kind::Instance(module) = cell.kind else { continue };
            let used = live.instances.get(&(number as u32));
            let read = used.map(|used| self.live(module, used));
            let mut inputs = cell.signals(cells::INSTANCE_INPUTS).to_vec();
            for (index, signal) in inputs.iter_mut().enumerate() {
                if read.as_ref().is_none_or(|live| !live.inputs[index]) {
                    *signal = Signal::Undefined;
                }
            }
            cell.connect(cells::INSTANCE_INPUTS, inputs);
        }
    }

    /// Returns for each net whether `wanted` depends on it, and for each instance needed which of
    /// its outputs are read.
    fn trace(&self, netlist: &Netlist, wanted: &[Signal]) -> (Vec<bool>, BTreeMap<u32, Vec<bool>>) {
        let mut nets = vec![false; netlist.nets()];
        let mut open = Vec::new();
        let mut need = |signals: &[Signal], open: &mut Vec<u32>| {
            for &signal in signals {
                if let Signal::Net(net) = signal
                    && !std::mem::replace(&mut nets[net as usize], true)
                {
                    open.push(net);
                }
            }
        };
        need(wanted, &mut open);
        let mut whole = BTreeSet::new();
        let mut instances: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        // The instances of which more outputs are read than before.
        let mut changed = BTreeSet::new();
        loop {
            while let Some(net) = open.pop() {
                let Driver::Cell { cell: number, bit } = netlist.driver(net) else { continue };
                let cell = &netlist.cells[number as usize];
                match cell.kind {
                    Kind::Instance(_) => {
                        let count = cell.signals(cells::INSTANCE_OUTPUTS).len();
                        instances.entry(number).or_insert_with(|| vec![false; count])
                            [bit as usize] = true;
                        changed.insert(number);
                    }
                    Kind::Bitwise(_) => need(&cell.reads(bit as usize), &mut open),
                    _ if whole.insert(number) => need(&cell.reads(0), &mut open),
                    _ => {}
                }
            }
            let Some(number) = changed.pop_first() else { break };
            need(&self.reads(netlist, number, &instances[&number]), &mut open);
        }
        (nets, instances)
    }
}
