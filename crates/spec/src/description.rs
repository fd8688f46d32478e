//! The description of a machine of gate engines (`spec/machines/*.toml` in its folder), from which
//! widths and depths follow. The machine's own reader checks the whole description; this one reads
//! only the keys it needs.

use crate::SpecError;
use crate::isa::{Isa, Width};
use serde::Deserialize;

/// A description. Field names are those of the file; other keys are ignored.
#[derive(Deserialize, Debug)]
pub struct Description {
    /// Name of the machine and of the file.
    pub name: String,
    /// Gate engines.
    pub engines: Engines,
    /// The window of labels.
    pub window: Window,
    /// Latencies of units and stages.
    pub latency: Latency,
    /// Depths of queues.
    pub queues: Queues,
    /// The machine in SystemVerilog.
    #[serde(default)]
    pub rtl: Rtl,
    /// The clock.
    pub clock: Clock,
}

/// Gate engines.
#[derive(Deserialize, Debug)]
pub struct Engines {
    /// Number of engines.
    pub count: u32,
}

/// The window of labels.
#[derive(Deserialize, Debug)]
pub struct Window {
    /// Number of labels, a power of two.
    pub labels: u32,
    /// Banks per engine. The total is rounded up to a power of two.
    pub banks_per_engine: u32,
}

/// Latencies of units and stages, in clock cycles.
#[derive(Deserialize, Debug)]
pub struct Latency {
    /// XOR.
    pub xor: u32,
    /// AND when garbling.
    pub and_garbler: u32,
    /// AND when evaluating.
    pub and_evaluator: u32,
    /// Pipeline stages before a unit.
    pub read: u32,
    /// Pipeline stages after a unit.
    pub write_back: u32,
}

/// Depths of queues, in entries; instructions are counted in bytes.
#[derive(Deserialize, Debug)]
pub struct Queues {
    /// Bytes of instructions, for all engines together.
    pub instruction_bytes: u32,
    /// Inputs, for all engines together.
    pub inputs: u32,
    /// Instructions waiting at each engine.
    pub issue: u32,
    /// Tables of each engine.
    pub tables: u32,
    /// Out-of-range addresses of each engine.
    pub oor_addresses: u32,
    /// Out-of-range labels of each engine.
    pub oor_wires: u32,
    /// Live labels of each engine.
    pub live: u32,
}

/// AXI4 ports. A description without this section has one port of 512 bits.
#[derive(Deserialize, Debug)]
#[serde(default)]
pub struct Rtl {
    /// Number of ports.
    pub ports: u32,
    /// Width of the data in bits.
    pub data_bits: u32,
}

impl Default for Rtl {
    fn default() -> Rtl {
        Rtl { ports: 1, data_bits: 512 }
    }
}

/// The clock.
#[derive(Deserialize, Debug)]
pub struct Clock {
    /// Frequency in MHz.
    pub mhz: u32,
}

impl Description {
    /// Parses the text of the file `path`.
    ///
    /// # Errors
    /// If a key is missing, or the sizes allow no window or instruction.
    pub fn parse(path: &str, text: &str) -> Result<Description, SpecError> {
        let wrong = |what: String| SpecError::Description(path.to_owned(), what);
        let found: Description = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let Description { name, window, engines, .. } = &found;
        if !window.labels.is_power_of_two() || window.labels < 2 {
            return Err(wrong(format!(
                "window.labels is {}, which is not a power of two",
                window.labels
            )));
        }
        let banks = engines.count.checked_mul(window.banks_per_engine);
        if !banks.is_some_and(|banks| (1..=1 << 16).contains(&banks)) {
            return Err(wrong(
                "engines.count times window.banks_per_engine must be 1 to 65536".to_owned(),
            ));
        }
        if !path.ends_with(&format!("/{name}.toml")) {
            return Err(wrong(format!("name is {name:?}, which is not the file's")));
        }
        Ok(found)
    }

    /// Number of the window's banks, a power of two.
    pub fn banks(&self) -> u32 {
        (self.engines.count * self.window.banks_per_engine).next_power_of_two()
    }

    /// Labels in half of the window, the distance by which it slides.
    pub fn half(&self) -> u32 {
        self.window.labels / 2
    }

    /// Bits of a slot number, which selects a label of the window.
    pub fn slot_bits(&self) -> u32 {
        self.window.labels.ilog2()
    }

    /// Bits of an instruction in the `plain` encoding.
    pub fn instruction_bits(&self, isa: &Isa) -> u32 {
        let bits = |width: Width| match width {
            Width::Bits(bits) => bits,
            Width::OfWindow(_) => self.slot_bits(),
        };
        isa.field.iter().map(|field| bits(field.width)).sum()
    }

    /// Bytes of all queues of all engines. Entries are exactly as wide as their contents. A live
    /// label and an input carry their address; a waiting instruction carries its output's address
    /// and its AND number.
    pub fn queue_bytes(&self, isa: &Isa) -> u64 {
        let (queues, size) = (&self.queues, &isa.size);
        let times = |depth: u32, bytes: u32| u64::from(depth) * u64::from(bytes);
        let address = size.address_bits.div_ceil(8);
        let issue_bits = self.instruction_bits(isa) + size.address_bits + size.and_number_bits;
        let oor_word: u32 = isa.oor_field.iter().map(|field| field.width).sum();
        let engine = times(queues.issue, issue_bits).div_ceil(8)
            + times(queues.tables, size.table_bytes)
            + times(queues.oor_addresses, oor_word / 8)
            + times(queues.oor_wires, size.label_bytes)
            + times(queues.live, size.label_bytes + address);
        engine * u64::from(self.engines.count)
            + u64::from(queues.instruction_bytes)
            + times(queues.inputs, size.label_bytes + address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = 'x'\n[engines]\ncount = 3\n[window]\nlabels = 1024\nbanks_per_engine = 2\n\
        [latency]\nxor = 1\nand_garbler = 21\nand_evaluator = 18\nread = 3\nwrite_back = 2\n\
        [queues]\ninstruction_bytes = 64\ninputs = 4\nissue = 4\ntables = 4\noor_addresses = 4\n\
        oor_wires = 4\nlive = 4\n[clock]\nmhz = 100\n";

    #[test]
    fn sizes_follow_from_a_description() {
        let found = Description::parse("a/x.toml", TEXT).unwrap();
        assert_eq!((found.banks(), found.half(), found.slot_bits()), (8, 512, 10));
        assert_eq!((found.rtl.ports, found.rtl.data_bits), (1, 512));
    }

    #[test]
    fn invalid_values_are_rejected_by_name() {
        for (from, to, expected) in [
            ("labels = 1024", "labels = 1000", "window.labels"),
            ("count = 3", "count = 0", "engines.count"),
            ("name = 'x'", "name = 'y'", "not the file's"),
            ("mhz = 100", "hz = 100", "mhz"),
        ] {
            let error = Description::parse("a/x.toml", &TEXT.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
