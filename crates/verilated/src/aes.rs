//! The implementations of AES that a machine can be built with.

use std::fmt;
use std::str::FromStr;

/// Implementation of AES in the half-gate units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aes {
    /// Rounds in SystemVerilog, S-boxes as tables.
    #[default]
    Table,
    /// Rounds in SystemVerilog, S-boxes in the form for synthesis.
    Composite,
    /// A DPI call with the same latency. It is not RTL, and simulates several times as fast.
    Dpi,
}

impl Aes {
    /// All names with their values.
    const NAMES: [(&'static str, Aes); 3] =
        [("table", Aes::Table), ("composite", Aes::Composite), ("dpi", Aes::Dpi)];
}

impl fmt::Display for Aes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Aes::NAMES.iter().find(|(_, aes)| aes == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

impl FromStr for Aes {
    type Err = String;

    fn from_str(text: &str) -> Result<Aes, String> {
        // `rtl` stands for the form in SystemVerilog that simulates fastest.
        let text = if text == "rtl" { "table" } else { text };
        let found = Aes::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, aes)| *aes).ok_or_else(|| {
            format!("unknown AES {text:?}: there are rtl (that is table), composite and dpi")
        })
    }
}
