//! Per-cycle outputs, printed as they come.

use halfgate_circuit::{Bits, Output};
use halfgate_console::error::Failure;
use halfgate_console::print;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Prints a line for each cycle.
pub struct Stream {
    /// Name and width of each output of the circuit.
    outputs: Vec<(String, usize)>,
    json: bool,
    failed: Option<Failure>,
}

impl Stream {
    /// For a circuit with these outputs.
    pub fn of(outputs: &[Output], json: bool) -> Stream {
        let outputs = outputs.iter().map(|o| (o.name.clone(), o.bits.len())).collect();
        Stream { outputs, json, failed: None }
    }

    /// Prints the outputs of `cycles` cycles from `first` on: `values` has an entry for each output
    /// of the circuit.
    pub fn print(&mut self, first: u64, cycles: u64, values: &[Option<Bits>]) {
        let mut text = String::new();
        for index in 0..cycles {
            if index > 0 {
                text.push('\n');
            }
            self.cycle(&mut text, first + index, index as usize, values);
        }
        if self.failed.is_none() {
            self.failed = print::line(&text).err();
        }
    }

    fn cycle(&self, text: &mut String, cycle: u64, index: usize, values: &[Option<Bits>]) {
        let own = self.outputs.iter().zip(values).filter_map(|((name, width), value)| {
            Some((name, value.as_ref()?.slice(index * width, *width).to_hex()))
        });
        if self.json {
            let outputs: Map<String, Value> =
                own.map(|(name, hex)| (name.clone(), Value::String(hex))).collect();
            let _ = write!(text, "{}", json!({ "cycle": cycle, "outputs": outputs }));
            return;
        }
        let _ = write!(text, "cycle {cycle}:");
        for (name, hex) in own {
            let _ = write!(text, " {name} = 0x{hex}");
        }
    }

    /// # Errors
    /// If a line could not be printed.
    pub fn check(self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), Err)
    }
}
