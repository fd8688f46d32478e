//! A cell of the netlist: its kind, its parameters, and the connections of its ports.

use super::Kind;
use crate::verilog::json::Value;
use std::collections::{BTreeMap, HashMap};

/// One bit of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::verilog) enum Signal {
    /// A net, by the number that Yosys gave it.
    Net(u32),
    /// A constant.
    Constant(bool),
    /// A value that the design leaves undefined (`x`).
    Undefined,
    /// A value without a driver (`z`).
    TriState,
}

/// An operator, a register or a table.
pub(in crate::verilog) struct Cell {
    pub(in crate::verilog) kind: Kind,
    /// Yosys' name of the kind.
    pub(in crate::verilog) type_name: String,
    /// The name of an instance; empty for other cells.
    pub(in crate::verilog) instance: String,
    pub(in crate::verilog) parameters: HashMap<String, Value>,
    pub(in crate::verilog) connections: BTreeMap<String, Vec<Signal>>,
    pub(in crate::verilog) place: String,
}

impl Cell {
    /// For a one-bit cell such as `$_DFFSR_PNP_`, returns its kind (`DFFSR`) and the letters after
    /// the kind.
    pub(in crate::verilog) fn gate_letters(&self) -> Option<(&str, &[u8])> {
        let (kind, letters) = self.type_name.strip_prefix("$_")?.split_once('_')?;
        Some((kind, letters.trim_end_matches('_').as_bytes()))
    }

    /// Returns the signals that are connected to `port`. The list is empty if there is no such
    /// port.
    pub(in crate::verilog) fn signals(&self, port: &str) -> &[Signal] {
        self.connections.get(port).map_or(&[], Vec::as_slice)
    }

    /// Returns a parameter as a number, or 0 if there is no such parameter.
    pub(in crate::verilog) fn number(&self, parameter: &str) -> u64 {
        self.parameters.get(parameter).and_then(Value::number).unwrap_or(0)
    }

    /// Connects `signals` to the input `port`, replacing its connection.
    pub(in crate::verilog) fn connect(&mut self, port: &str, signals: Vec<Signal>) {
        self.connections.insert(port.to_owned(), signals);
    }

    /// Sets a parameter.
    pub(in crate::verilog) fn set(&mut self, parameter: &str, value: u64) {
        self.parameters.insert(parameter.to_owned(), Value::Number(value));
    }

    /// Returns a parameter's digits, the highest bit first.
    pub(in crate::verilog) fn digits(&self, parameter: &str) -> String {
        self.parameters.get(parameter).map(Value::text).unwrap_or_default()
    }

    /// Splits a table with several read ports into one table per port, because the address of one
    /// port may depend on the output of another.
    pub(in crate::verilog) fn ports_of_table(self) -> Vec<Cell> {
        let ports = self.number("RD_PORTS") as usize;
        if self.kind != Kind::Table || self.number("WR_PORTS") != 0 || ports < 2 {
            return vec![self];
        }
        let part = |name: &str, port: usize| {
            let all = self.signals(name);
            let width = all.len() / ports;
            (name.to_owned(), all[port * width..(port + 1) * width].to_vec())
        };
        let one = |port| Cell {
            connections: ["RD_ADDR", "RD_DATA"].map(|name| part(name, port)).into(),
            type_name: self.type_name.clone(),
            instance: String::new(),
            parameters: self.parameters.clone(),
            place: self.place.clone(),
            ..self
        };
        (0..ports).map(one).collect()
    }

    pub(in crate::verilog) fn is_instance(&self) -> bool {
        matches!(self.kind, Kind::Instance(_))
    }

    /// Returns the signals of all inputs.
    pub(in crate::verilog) fn inputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let output = self.kind.output();
        let inputs = self.connections.iter().filter(move |(port, _)| port.as_str() != output);
        inputs.flat_map(|(_, signals)| signals.iter().copied())
    }
}
