//! Prints outputs during the run: those of cycles, and those that maps give.

use crate::report::SHOW_ALL;
use halfgate_circuit::{Bits, Element, Output};
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_values::{Elements, show};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Properties of an output of the circuit.
struct Port {
    name: String,
    /// Bits per cycle.
    width: usize,
    elements: Elements,
}

/// Prints a line for each cycle, or for the bits of an output that are decoded together.
pub struct Stream {
    outputs: Vec<Port>,
    json: bool,
    failed: Option<Failure>,
}

impl Stream {
    /// Makes a stream for a circuit with these outputs.
    pub fn of(outputs: &[Output], json: bool) -> Stream {
        let port = |output: &Output| Port {
            name: output.name.clone(),
            width: output.bits.len(),
            elements: Elements::of(output.elements),
        };
        Stream { outputs: outputs.iter().map(port).collect(), json, failed: None }
    }

    /// Prints the outputs of `cycles` cycles from `first` on. `values` has an entry for each output
    /// of the circuit. Prints nothing if no output is to be shown.
    pub fn print(&mut self, first: u64, cycles: u64, values: &[Option<Bits>]) {
        if values.iter().all(Option::is_none) {
            return;
        }
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

    /// Prints bits of output number `output`, of which the first has number `first`.
    pub fn print_bits(&mut self, output: usize, first: usize, bits: &Bits) {
        let Some(port) = self.outputs.get(output) else { return };
        // Bits that are not whole elements are shown without their type.
        let width = match port.elements {
            Elements::List { element: Element::Bytes, .. } => 8,
            Elements::List { width, .. } => width,
            Elements::Set { .. } | Elements::Unknown => 0,
        };
        let is_whole = |bits: usize| width > 0 && bits.is_multiple_of(width);
        let whole = (is_whole(first) && is_whole(bits.len())).then_some(width);
        let shown = whole.and_then(|width| Some((width, show::elements(bits, port.elements)?)));
        let (name, hex) = (&port.name, bits.to_hex());
        let text = if self.json {
            let mut line =
                json!({ "output": name, "first_bit": first, "bits": bits.len(), "hex": hex });
            if let Some((_, shown)) = shown {
                line["value"] = show::json(shown);
            }
            line.to_string()
        } else {
            match shown {
                Some((width, shown)) => {
                    format!("{name} from {}: {}", first / width, show::list(&shown, SHOW_ALL))
                }
                None => format!("{name} from bit {first}: 0x{hex}"),
            }
        };
        if self.failed.is_none() {
            self.failed = print::line(&text).err();
        }
    }

    fn cycle(&self, text: &mut String, cycle: u64, index: usize, values: &[Option<Bits>]) {
        let own = self.outputs.iter().zip(values).filter_map(|(port, value)| {
            let bits = value.as_ref()?.slice(index * port.width, port.width);
            Some((port, show::elements(&bits, port.elements), bits.to_hex()))
        });
        if self.json {
            let (mut outputs, mut typed) = (Map::new(), Map::new());
            for (port, shown, hex) in own {
                outputs.insert(port.name.clone(), Value::String(hex));
                if let Some(shown) = shown {
                    typed.insert(port.name.clone(), show::json(shown));
                }
            }
            let _ =
                write!(text, "{}", json!({ "cycle": cycle, "outputs": outputs, "values": typed }));
            return;
        }
        let _ = write!(text, "cycle {cycle}:");
        for (port, shown, hex) in own {
            let value = match shown {
                Some(shown) => show::list(&shown, SHOW_ALL),
                None => format!("0x{hex}"),
            };
            let _ = write!(text, " {} = {value}", port.name);
        }
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// If a line could not be printed.
    pub fn check(self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), Err)
    }
}
