//! The parameters of the machine for which `haac:best` schedules, as written in the order's name.

use crate::order::number::digits;
use std::fmt;
use std::str::FromStr;

/// Parameters of a machine for `haac:best`. All of them are public and part of the program's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct BestParams {
    /// Gate engines, 1 to 256.
    pub engines: u32,
    /// Labels in the window, a power of two from 16 to 2^24.
    pub window: u32,
    /// Clock cycles from an AND's issue to the first cycle in which its result can be used, 1 to
    /// 1,000.
    pub and_latency: u32,
    /// Tenths of bytes that memory moves per clock cycle, 1 to 1,000,000. For example, DDR4 at 35.2
    /// GB/s with engines at 1 GHz has 352.
    pub memory: u32,
}

impl Default for BestParams {
    /// The paper's garbling machine: 16 engines, 2 MB, DDR4-4400 (section 5).
    fn default() -> BestParams {
        BestParams { engines: 16, window: 1 << 17, and_latency: 21, memory: 352 }
    }
}

impl fmt::Display for BestParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BestParams { engines, window, and_latency, memory } = self;
        write!(f, "engines={engines},window={window},and={and_latency},memory={}", memory / 10)?;
        if memory % 10 > 0 { write!(f, ".{}", memory % 10) } else { Ok(()) }
    }
}

/// Parses `name=value,…`. Names are in any order, each at most once. Parameters without a value
/// have their defaults. The error states what is wrong and which values are allowed.
impl FromStr for BestParams {
    type Err = String;
    fn from_str(text: &str) -> Result<BestParams, String> {
        let mut params = BestParams::default();
        let mut seen = Vec::new();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                format!("{part:?} is not name=value; the names are engines, window, and, memory")
            })?;
            if seen.contains(&name) {
                return Err(format!("{name} is given twice"));
            }
            seen.push(name);
            let number = digits(value);
            let wrong = |may: &str| format!("{name} is {value:?}, but must be {may}");
            match name {
                "engines" => {
                    let engines = number.filter(|n| (1..=256).contains(n));
                    params.engines = engines.ok_or_else(|| wrong("1 to 256"))?;
                }
                "window" => {
                    let in_range = |n: &u32| n.is_power_of_two() && (1 << 4..=1 << 24).contains(n);
                    let window = number.filter(in_range);
                    params.window =
                        window.ok_or_else(|| wrong("a power of two from 16 to 16777216"))?;
                }
                "and" => {
                    let latency = number.filter(|n| (1..=1000).contains(n));
                    params.and_latency = latency.ok_or_else(|| wrong("1 to 1000"))?;
                }
                "memory" => {
                    let memory = tenths(value).filter(|n| (1..=1_000_000).contains(n));
                    params.memory = memory.ok_or_else(|| {
                        wrong("bytes a cycle with at most one decimal, 0.1 to 100000")
                    })?;
                }
                _ => {
                    let names = "engines, window, and, memory";
                    return Err(format!("there is no parameter {name:?}, only {names}"));
                }
            }
        }
        Ok(params)
    }
}

/// Parses a number with at most one decimal. Returns ten times the number, or `None` for 0.
fn tenths(text: &str) -> Option<u32> {
    let (whole, decimals) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, decimals)) => (whole, decimals),
        None => (text, "0"),
    };
    let (tenth, rest) = decimals.split_at_checked(1)?;
    if rest.bytes().any(|byte| byte != b'0') {
        return None;
    }
    digits(whole)?.checked_mul(10)?.checked_add(digits(tenth)?)
}
