//! Gate orders. The garbler names one, the evaluator derives it itself.

use std::fmt;
use std::str::FromStr;

/// In which order a program runs its circuit's gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Order {
    /// As the circuit has them, every one of them.
    Given,
    /// Gates that reach no output are dropped, and copies; independent ANDs stand side by side in
    /// groups, taken from the `window` oldest gates that are left, so that a kernel finds enough
    /// of them at once. Fewer than `window` more wires are alive at once than in the given order.
    Grouped {
        /// How many gates are looked at, 1 to 2^24.
        window: u32,
    },
}

impl Order {
    /// The window of the default order: a serial program as bubble sort then has four ANDs or
    /// more in nearly every group, and the wires alive still fit a second-level cache.
    pub const DEFAULT_WINDOW: u32 = 1 << 17;
}

impl Default for Order {
    fn default() -> Order {
        Order::Grouped { window: Order::DEFAULT_WINDOW }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Given => f.write_str("given"),
            Order::Grouped { window } => write!(f, "grouped:{window}"),
        }
    }
}

/// A text that names no order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOrder(pub String);

impl fmt::Display for UnknownOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown order {:?}: use given, grouped, or grouped:GATES (1 to 2^24)", self.0)
    }
}

impl std::error::Error for UnknownOrder {}

impl FromStr for Order {
    type Err = UnknownOrder;
    fn from_str(text: &str) -> Result<Order, UnknownOrder> {
        let unknown = || UnknownOrder(text.to_owned());
        match text.split_once(':') {
            None if text == "given" => Ok(Order::Given),
            None if text == "grouped" => Ok(Order::default()),
            Some(("grouped", window)) => match window.parse() {
                Ok(window @ 1..=0x100_0000) => Ok(Order::Grouped { window }),
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }
}
