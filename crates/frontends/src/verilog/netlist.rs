//! A design as Yosys has processed it: cells, and the driver of each net.

use super::cells::{self, Cell, Kind, Signal};
use super::error::Error;
use super::json::{self, Value};
use halfgate_circuit::{Element, ElementType};
use std::collections::{BTreeMap, HashMap};

/// A module. Modules that do not become functions are flattened into it.
pub(super) struct Netlist {
    /// The number of cycles, if the design states it.
    pub(super) cycles: Option<u64>,
    pub(super) ports: Vec<Port>,
    pub(super) cells: Vec<Cell>,
    drivers: Vec<Driver>,
    names: Vec<(String, json::Name)>,
    /// Name of the file, used where Yosys does not report a source position.
    file: String,
    /// For each net: the index in `lines` of the source line that computes it.
    line_of: Vec<u32>,
    /// The source lines. The first one is empty.
    lines: Vec<String>,
}

pub(super) struct Port {
    pub(super) name: String,
    pub(super) direction: String,
    pub(super) bits: Vec<Signal>,
    /// Whether the port was declared `signed`.
    signed: bool,
    attributes: HashMap<String, Value>,
    pub(super) place: String,
}

impl Port {
    /// Returns the attribute `name`, if the port has it.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes.get(name).map(Value::text)
    }

    /// Returns the type of the port, a single integer.
    pub(super) fn elements(&self) -> ElementType {
        let element = if self.signed { Element::Signed } else { Element::Unsigned };
        ElementType { element, width: self.bits.len() as u32 }
    }

    /// Whether the port has the attribute `name` with a value other than 0.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|value| value.number() != Some(0))
    }
}

/// The driver of a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Driver {
    Nothing,
    /// An input port.
    Input,
    /// Bit `bit` of the output of cell `cell`.
    Cell {
        cell: u32,
        bit: u32,
    },
}

impl Netlist {
    /// Parses the netlist in `text`, which is JSON, made from `file`.
    pub(super) fn parse(text: &[u8], file: &str) -> Result<Netlist, Error> {
        let (_, top) = Netlist::parse_modules(text, file, &[])?;
        Ok(top)
    }

    /// Parses the netlists of the modules called `names`, in this order, and that of the top
    /// module. A cell that is an instance of one of them has the module's number in `names`.
    pub(super) fn parse_modules(
        text: &[u8],
        file: &str,
        names: &[String],
    ) -> Result<(Vec<Netlist>, Netlist), Error> {
        let parsed: json::File =
            serde_json::from_slice(text).map_err(|error| Error::Netlist(error.to_string()))?;
        let mut parts: Vec<Option<json::Module>> = names.iter().map(|_| None).collect();
        let mut top = None;
        for (name, module) in parsed.modules.0 {
            if module.attributes.contains_key("top") {
                top = top.or(Some(module));
            } else if let Some(number) = names.iter().position(|wanted| *wanted == name) {
                parts[number] = Some(module);
            }
        }
        let Some(top) = top else {
            return Err(Error::NoModule { file: file.to_owned(), top: None });
        };
        let mut modules = Modules::new();
        let mut found = Vec::new();
        for (number, (name, part)) in names.iter().zip(parts).enumerate() {
            let part = part.ok_or_else(|| Error::Netlist(format!("it has no module {name}")))?;
            modules.insert(name, Interface::of(number as u32, &part));
            found.push(part);
        }
        let parts = found.into_iter().map(|part| Netlist::of(part, file, &modules));
        let parts = parts.collect::<Result<Vec<_>, Error>>()?;
        Ok((parts, Netlist::of(top, file, &modules)?))
    }

    fn of(module: json::Module, file: &str, modules: &Modules<'_>) -> Result<Netlist, Error> {
        let cycles = module.attributes.get("cycles").and_then(Value::number);
        let names = module.netnames.0;
        let attributes: HashMap<&str, &HashMap<String, Value>> =
            names.iter().map(|(name, found)| (name.as_str(), &found.attributes)).collect();
        let ports = module.ports.0.into_iter().map(|(name, port)| {
            let attributes = attributes.get(name.as_str()).copied().cloned().unwrap_or_default();
            let (place, bits) = (place(&attributes, file), signals(port.bits)?);
            let (direction, signed) = (port.direction, port.signed != 0);
            Ok(Port { name, direction, bits, signed, attributes, place })
        });
        let ports = ports.collect::<Result<Vec<_>, Error>>()?;
        let cells = module.cells.0.into_iter().map(|(name, cell)| {
            let connections = cell.connections.into_iter();
            let connections = connections.map(|(port, bits)| Ok((port, signals(bits)?)));
            let connections = connections.collect::<Result<_, Error>>()?;
            let (kind, instance, connections) = match modules.get(cell.kind.as_str()) {
                Some(module) => {
                    (Kind::Instance(module.number), name, module.connect(&cell.kind, connections)?)
                }
                None => (Kind::of(&cell.kind), String::new(), connections),
            };
            Ok(Cell {
                kind,
                type_name: cell.kind,
                instance,
                place: place(&cell.attributes, file),
                parameters: cell.parameters,
                connections,
            })
        });
        let mut cells = cells.collect::<Result<Vec<_>, Error>>()?;
        cells = cells.into_iter().flat_map(Cell::ports_of_table).collect();
        let mut netlist = Netlist {
            cycles,
            ports,
            cells,
            drivers: Vec::new(),
            names,
            file: file.to_owned(),
            line_of: Vec::new(),
            lines: Vec::new(),
        };
        netlist.drivers = netlist.find_drivers()?;
        (netlist.line_of, netlist.lines) = netlist.find_lines();
        Ok(netlist)
    }

    /// The bits of the input ports, in the order of ports.
    pub(super) fn inputs(&self) -> impl Iterator<Item = Signal> {
        self.port_bits(true)
    }

    /// The bits of all other ports, in the order of ports.
    pub(super) fn outputs(&self) -> impl Iterator<Item = Signal> {
        self.port_bits(false)
    }

    fn port_bits(&self, of_inputs: bool) -> impl Iterator<Item = Signal> {
        let ports = self.ports.iter();
        let ports = ports.filter(move |port| (port.direction == "input") == of_inputs);
        ports.flat_map(|port| port.bits.iter().copied())
    }

    /// Adds cells, and finds the drivers of nets anew.
    pub(super) fn add(&mut self, cells: Vec<Cell>) -> Result<(), Error> {
        self.cells.extend(cells);
        self.drivers = self.find_drivers()?;
        (self.line_of, self.lines) = self.find_lines();
        Ok(())
    }

    /// Name of the file from which the netlist was made.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The highest number of a net plus one.
    pub(super) fn nets(&self) -> usize {
        self.drivers.len()
    }

    pub(super) fn driver(&self, net: u32) -> Driver {
        self.drivers[net as usize]
    }

    /// Returns the cell that drives `net`, and the bit of its output.
    pub(super) fn driving_cell(&self, net: u32) -> Option<(&Cell, usize)> {
        self.driving_cell_number(net).map(|(cell, bit)| (&self.cells[cell], bit))
    }

    /// Like [`driving_cell`](Netlist::driving_cell), with the cell's number.
    pub(super) fn driving_cell_number(&self, net: u32) -> Option<(usize, usize)> {
        match self.driver(net) {
            Driver::Cell { cell, bit } => Some((cell as usize, bit as usize)),
            Driver::Nothing | Driver::Input => None,
        }
    }

    /// Whether a cell or an output of the design reads `net`.
    pub(super) fn is_read(&self, net: u32) -> bool {
        let outputs = self.ports.iter().filter(|port| port.direction != "input");
        let outputs = outputs.flat_map(|port| port.bits.iter().copied());
        let mut reads = self.cells.iter().flat_map(Cell::inputs).chain(outputs);
        reads.any(|signal| matches!(signal, Signal::Net(read) if read == net))
    }

    /// Returns the name of a net for messages, and the source position of its declaration. If a net
    /// has several names, names from the source are preferred to generated ones (with `$`), then
    /// internal names to names of ports, then shorter names.
    pub(super) fn name(&self, net: u32) -> (String, String) {
        let is_it = |bit: &json::Signal| matches!(bit, json::Signal::Net(found) if *found == net);
        let found = self
            .names
            .iter()
            .filter_map(|(name, wire)| Some((name, wire, wire.bits.iter().position(is_it)?)));
        let quality = |name: &String| {
            let is_port = self.ports.iter().any(|port| &port.name == name);
            (name.contains('$'), is_port, name.len())
        };
        let Some((name, wire, bit)) = found.min_by_key(|(name, ..)| quality(name)) else {
            return ("a wire without a name".to_owned(), self.file.clone());
        };
        let name = if wire.bits.len() > 1 { format!("{name}[{bit}]") } else { name.clone() };
        (name, place(&wire.attributes, &self.file))
    }

    /// Returns the index of the source line that computes `net`, for [`line`](Netlist::line).
    /// Returns 0 if the line is unknown.
    pub(super) fn line_of(&self, net: u32) -> u32 {
        self.line_of[net as usize]
    }

    /// Returns the source line with this index as `file:line`. For index 0 it is empty.
    pub(super) fn line(&self, number: u32) -> &str {
        &self.lines[number as usize]
    }

    /// Returns the initial values that the design gives to nets.
    pub(super) fn initial_values(&self) -> HashMap<u32, bool> {
        let mut values = HashMap::new();
        for (_, wire) in &self.names {
            let Some(init) = wire.attributes.get("init") else { continue };
            for (bit, digit) in wire.bits.iter().zip(init.text().bytes().rev()) {
                if let (json::Signal::Net(net), b'0' | b'1') = (bit, digit) {
                    values.insert(*net, digit == b'1');
                }
            }
        }
        values
    }

    /// Finds the source line that computes each net. Returns, for each net, an index into the
    /// lines, and the lines. The line of the driving cell has priority over the line of a
    /// declaration.
    fn find_lines(&self) -> (Vec<u32>, Vec<String>) {
        let (mut lines, mut numbers) = (vec![String::new()], HashMap::new());
        let mut number = |place: String| {
            if !place.contains(':') || place == self.file {
                return 0;
            }
            *numbers.entry(place).or_insert_with_key(|place| {
                lines.push(place.clone());
                lines.len() as u32 - 1
            })
        };
        let mut line_of = vec![0; self.nets()];
        for (name, wire) in &self.names {
            if name.contains('$') {
                continue;
            }
            let line = number(place(&wire.attributes, &self.file));
            for bit in &wire.bits {
                // Names may refer to nets without driver and readers, whose numbers may be higher
                // than the list is long.
                if let json::Signal::Net(net) = bit
                    && let Some(of_net) = line_of.get_mut(*net as usize)
                {
                    *of_net = line;
                }
            }
        }
        for cell in &self.cells {
            let line = number(cell.place.clone());
            for &signal in cell.signals(cell.kind.output()) {
                if let (Signal::Net(net), true) = (signal, line != 0) {
                    line_of[net as usize] = line;
                }
            }
        }
        (line_of, lines)
    }

    fn find_drivers(&self) -> Result<Vec<Driver>, Error> {
        let mut drivers = Vec::new();
        let mut drive = |net: u32, driver| {
            let net = net as usize;
            if net >= drivers.len() {
                drivers.resize(net + 1, Driver::Nothing);
            }
            std::mem::replace(&mut drivers[net], driver) == Driver::Nothing
        };
        for port in self.ports.iter().filter(|port| port.direction == "input") {
            for &bit in &port.bits {
                if let Signal::Net(net) = bit {
                    drive(net, Driver::Input);
                }
            }
        }
        for (number, cell) in self.cells.iter().enumerate() {
            for (bit, &signal) in cell.signals(cell.kind.output()).iter().enumerate() {
                let Signal::Net(net) = signal else { continue };
                let driver = Driver::Cell { cell: number as u32, bit: bit as u32 };
                if !drive(net, driver) {
                    let (name, _) = self.name(net);
                    return Err(Error::DrivenTwice { place: cell.place.clone(), name });
                }
            }
        }
        // Nets that have readers but no driver count too.
        let reads = self.cells.iter().flat_map(Cell::inputs);
        let outputs = self.ports.iter().flat_map(|port| port.bits.iter().copied());
        let highest = reads.chain(outputs).filter_map(|signal| match signal {
            Signal::Net(net) => Some(net as usize + 1),
            _ => None,
        });
        let nets = highest.max().unwrap_or(0).max(drivers.len());
        drivers.resize(nets, Driver::Nothing);
        Ok(drivers)
    }
}

/// The modules of which a netlist may have instances, by their names.
type Modules<'a> = HashMap<&'a str, Interface>;

/// The ports of a module of which there are instances.
struct Interface {
    number: u32,
    /// Names and widths, in the order of ports.
    inputs: Vec<(String, usize)>,
    outputs: Vec<(String, usize)>,
}

impl Interface {
    fn of(number: u32, module: &json::Module) -> Interface {
        let ports = |direction: &str| {
            let ports = module.ports.0.iter().filter(|(_, port)| port.direction == direction);
            ports.map(|(name, port)| (name.clone(), port.bits.len())).collect()
        };
        Interface { number, inputs: ports("input"), outputs: ports("output") }
    }

    /// Joins the connections of an instance's inputs to one, and those of its outputs.
    fn connect(
        &self,
        name: &str,
        mut connections: BTreeMap<String, Vec<Signal>>,
    ) -> Result<BTreeMap<String, Vec<Signal>>, Error> {
        let mut joined = |ports: &[(String, usize)]| {
            let mut all = Vec::new();
            for (port, width) in ports {
                let signals = connections.remove(port);
                let signals = signals.unwrap_or_else(|| vec![Signal::Undefined; *width]);
                if signals.len() != *width {
                    let found = signals.len();
                    let what = format!("{found} bits for the {width} of {name}'s port {port}");
                    return Err(Error::Netlist(what));
                }
                all.extend(signals);
            }
            Ok(all)
        };
        let (inputs, outputs) = (joined(&self.inputs)?, joined(&self.outputs)?);
        Ok([(cells::INSTANCE_INPUTS, inputs), (cells::INSTANCE_OUTPUTS, outputs)]
            .map(|(port, signals)| (port.to_owned(), signals))
            .into())
    }
}

/// Returns `file:line` of the object with these attributes.
fn place(attributes: &HashMap<String, Value>, file: &str) -> String {
    let sources = attributes.get("src").map(Value::text).unwrap_or_default();
    let known = sources.split('|').find(|source| !source.is_empty() && !source.contains(":0.0"));
    let Some((name, range)) = known.and_then(|source| source.rsplit_once(':')) else {
        return file.to_owned();
    };
    let line = range.split(['.', '-']).next().unwrap_or(range);
    format!("{name}:{line}")
}

fn signals(bits: Vec<json::Signal>) -> Result<Vec<Signal>, Error> {
    let signal = |bit| match bit {
        // Yosys numbers nets densely, and lowering takes memory for every number. So very high
        // numbers are rejected.
        json::Signal::Net(net) if net < 1 << 30 => Ok(Signal::Net(net)),
        json::Signal::Net(net) => Err(Error::Netlist(format!("a net has the number {net}"))),
        json::Signal::Constant(text) => match text.as_str() {
            "0" => Ok(Signal::Constant(false)),
            "1" => Ok(Signal::Constant(true)),
            "x" => Ok(Signal::Undefined),
            "z" => Ok(Signal::TriState),
            _ => Err(Error::Netlist(format!("{text:?} is no bit"))),
        },
    };
    bits.into_iter().map(signal).collect()
}
