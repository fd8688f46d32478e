//! Gate orders. The garbler names an order, and the evaluator derives it independently.

pub(crate) mod number;

use crate::gate_engines::BestParams;
use number::digits;
use std::fmt;
use std::str::FromStr;

/// The order in which a program runs its circuit's gates.
///
/// [`gate_engines`](crate::gate_engines) makes the `haac:` orders. Their gates have no inversions,
/// for machines whose gates have none. An order with different parameters leads to a different
/// program with its own hash, so the parameters are part of the order's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Order {
    /// The circuit's own order, with all of its gates.
    Given,
    /// Dead gates and copies are dropped. Independent ANDs stand side by side in groups, taken from
    /// the `window` oldest remaining gates, so that a kernel finds enough of them at once. Compared
    /// with the given order, fewer than `window` additional wires are alive at once.
    ///
    /// In a program with functions nothing is dropped. Calls of small functions are written out,
    /// and gates stay between the calls that they stand between. Functions that always run in eight
    /// lanes or more stay as they are.
    Grouped {
        /// Number of gates that are considered at a time, 1 to 2^24.
        window: u32,
    },
    /// The circuit's own order without dead gates, copies and inversions. Circuits are written
    /// value by value, so this order is depth first: producers stand next to consumers.
    HaacBaseline,
    /// The gates of the baseline, sorted by level (breadth first).
    HaacFull,
    /// The gates of the baseline in pieces. Each piece is sorted by level.
    HaacSegment {
        /// Gates of a piece, 1 to 2^24.
        gates: u32,
    },
    /// An order scheduled for one machine.
    HaacBest(BestParams),
}

impl Order {
    /// The window of the default order. With it, a serial program such as bubble sort has four ANDs
    /// or more in nearly every group, and the wires alive still fit a second-level cache.
    pub const DEFAULT_WINDOW: u32 = 1 << 17;
    /// The default piece of `haac:segment` in gates: half of a window of 2 MB of labels.
    pub const DEFAULT_SEGMENT: u32 = 1 << 16;
    /// The largest window or piece, in gates, that an untrusted peer may choose. It takes 96 MiB.
    const MAX_BOUNDED: u32 = 1 << 20;
    /// The largest window or piece in gates.
    const MAX_GATES: u32 = 1 << 24;
    /// The syntax of order names, for help texts and errors.
    pub const NAMES: &str = "given, grouped[:GATES], haac:baseline, haac:full, \
        haac:segment[:GATES], haac:best[:engines=N,window=N,and=N,memory=N.N]";

    /// Whether compilation in this order takes little time per gate, and memory that grows only
    /// with the wires alive at once. If so, a party can compile a program whose order an untrusted
    /// peer has chosen.
    pub fn is_bounded(self) -> bool {
        match self {
            Order::Given | Order::HaacBaseline => true,
            Order::Grouped { window: gates } | Order::HaacSegment { gates } => {
                gates <= Order::MAX_BOUNDED
            }
            // `HaacFull` keeps all gates in memory. `HaacBest` considers hundreds of gates for each
            // gate.
            Order::HaacFull | Order::HaacBest(_) => false,
        }
    }
}

impl Default for Order {
    fn default() -> Order {
        Order::Grouped { window: Order::DEFAULT_WINDOW }
    }
}

/// Writes the order's full name with all parameters. [`FromStr`] parses it, and the two parties
/// compare it.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Given => f.write_str("given"),
            Order::Grouped { window } => write!(f, "grouped:{window}"),
            Order::HaacBaseline => f.write_str("haac:baseline"),
            Order::HaacFull => f.write_str("haac:full"),
            Order::HaacSegment { gates } => write!(f, "haac:segment:{gates}"),
            Order::HaacBest(params) => write!(f, "haac:best:{params}"),
        }
    }
}

/// The error for a text that names no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// There is no order of this name.
    #[error("unknown order {0:?}: use one of {names}", names = Order::NAMES)]
    Unknown(String),
    /// The order exists, but not with these parameters.
    #[error("order {order:?}: {why}")]
    Parameters {
        /// The text that was parsed.
        order: String,
        /// What is wrong with the text, and what is allowed.
        why: String,
    },
}

impl FromStr for Order {
    type Err = OrderError;
    fn from_str(text: &str) -> Result<Order, OrderError> {
        let unknown = || OrderError::Unknown(text.to_owned());
        let wrong = |why| OrderError::Parameters { order: text.to_owned(), why };
        let (name, parameters) = split(text);
        match (name, parameters) {
            ("given", None) => Ok(Order::Given),
            ("grouped", None) => Ok(Order::default()),
            ("grouped", Some(gates)) => Ok(Order::Grouped { window: count(gates).map_err(wrong)? }),
            ("haac:baseline", None) => Ok(Order::HaacBaseline),
            ("haac:full", None) => Ok(Order::HaacFull),
            ("haac:segment", None) => Ok(Order::HaacSegment { gates: Order::DEFAULT_SEGMENT }),
            ("haac:segment", Some(gates)) => {
                Ok(Order::HaacSegment { gates: count(gates).map_err(wrong)? })
            }
            ("haac:best", None) => Ok(Order::HaacBest(BestParams::default())),
            ("haac:best", Some(params)) => Ok(Order::HaacBest(params.parse().map_err(wrong)?)),
            ("given" | "haac:baseline" | "haac:full", Some(_)) => {
                Err(wrong(format!("{name} takes no parameters")))
            }
            _ => Err(unknown()),
        }
    }
}

/// Splits an order's name from its parameters.
fn split(text: &str) -> (&str, Option<&str>) {
    let family = if text.starts_with("haac:") { "haac:".len() } else { 0 };
    match text[family..].find(':') {
        Some(colon) => (&text[..family + colon], Some(&text[family + colon + 1..])),
        None => (text, None),
    }
}

/// Parses a number of gates.
fn count(text: &str) -> Result<u32, String> {
    match digits(text) {
        Some(gates @ 1..=Order::MAX_GATES) => Ok(gates),
        _ => Err(format!("{text:?} is no number of gates from 1 to {}", Order::MAX_GATES)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn orders() -> impl Strategy<Value = Order> {
        let gates = 1..=Order::MAX_GATES;
        let best = (1u32..=256, 4u32..=24, 1u32..=1000, 1u32..=1_000_000).prop_map(
            |(engines, bits, and_latency, memory)| {
                Order::HaacBest(BestParams { engines, window: 1 << bits, and_latency, memory })
            },
        );
        prop_oneof![
            Just(Order::Given),
            gates.clone().prop_map(|window| Order::Grouped { window }),
            Just(Order::HaacBaseline),
            Just(Order::HaacFull),
            gates.prop_map(|gates| Order::HaacSegment { gates }),
            best,
        ]
    }

    proptest! {
        #[test]
        fn orders_are_read_as_they_are_written(order in orders()) {
            prop_assert_eq!(order.to_string().parse(), Ok(order));
        }

        #[test]
        fn no_text_is_too_much(text in "(haac:|grouped:|best:|,|=|engines|window|é|[0-9.:]){0,8}") {
            if let Ok(order) = text.parse::<Order>() {
                prop_assert_eq!(order.to_string().parse(), Ok(order));
            }
        }
    }

    #[test]
    fn what_a_peer_may_ask_for_is_bounded() {
        let is_bounded = |text: &str| text.parse::<Order>().unwrap().is_bounded();
        for text in ["given", "grouped", "grouped:1048576", "haac:baseline", "haac:segment"] {
            assert!(is_bounded(text), "{text}");
        }
        for text in ["grouped:1048577", "haac:full", "haac:segment:16777216", "haac:best"] {
            assert!(!is_bounded(text), "{text}");
        }
    }

    #[test]
    fn short_names_stand_for_the_defaults() {
        let full = |text: &str| text.parse::<Order>().unwrap().to_string();
        assert_eq!(full("grouped"), "grouped:131072");
        assert_eq!(full("haac:segment"), "haac:segment:65536");
        let best = "haac:best:engines=16,window=131072,and=21,memory=35.2";
        assert_eq!(full("haac:best"), best);
        assert_eq!(full("haac:best:memory=35.20"), best);
        assert_eq!(
            full("haac:best:memory=512.0,engines=4"),
            "haac:best:engines=4,window=131072,and=21,memory=512"
        );
    }

    #[test]
    fn errors_name_the_problem() {
        let error = |text: &str| text.parse::<Order>().unwrap_err().to_string();
        for text in
            ["", "random", &"haac:full"[..4], "haac:", "haac:worst", "haac:segmented:7", "Given"]
        {
            assert!(error(text).contains("haac:segment"), "{}", error(text));
        }
        for (text, words) in [
            ("given:7", "no parameters"),
            ("haac:full:7", "no parameters"),
            ("grouped:0", "from 1 to 16777216"),
            ("grouped:+7", "+7"),
            ("haac:segment:", "no number of gates"),
            ("haac:segment:16777217", "from 1 to 16777216"),
            ("haac:best:", "name=value"),
            ("haac:best:engines", "name=value"),
            ("haac:best:motors=2", "motors"),
            ("haac:best:engines=0", "1 to 256"),
            ("haac:best:engines=257", "1 to 256"),
            ("haac:best:engines=1,engines=1", "twice"),
            ("haac:best:window=8", "power of two"),
            ("haac:best:window=48", "power of two"),
            ("haac:best:window=33554432", "power of two"),
            ("haac:best:and=0", "1 to 1000"),
            ("haac:best:memory=0.05", "0.1 to 100000"),
            ("haac:best:memory=100000.1", "0.1 to 100000"),
            ("haac:best:memory=1.25", "one decimal"),
            ("haac:best:memory=.5", "0.1 to 100000"),
            ("haac:best:memory=5.", "0.1 to 100000"),
            ("haac:best:memory=99999999999", "0.1 to 100000"),
        ] {
            assert!(error(text).contains(words), "{text}: {}", error(text));
        }
    }
}
