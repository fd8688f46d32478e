//! The options for designs in Verilog.

use clap::Args;
use std::path::PathBuf;

/// Options for reading Verilog.
#[derive(Args, Debug, Clone, Default)]
pub struct VerilogArgs {
    /// The top module of a Verilog design, if it is unclear [default: the module that no other one
    /// contains]
    #[arg(long, value_name = "MODULE")]
    pub top: Option<String>,

    /// A parameter of the Verilog design's top module, a number or a constant such as 8'hff; may be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameter: Vec<(String, String)>,

    /// More Verilog files of the design, or folders, of which the .v and .sv files are read; may be
    /// repeated. It takes all words up to the next option, so write it after the circuit
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub source: Vec<PathBuf>,
}

impl VerilogArgs {
    /// Whether an option is given.
    pub fn is_used(&self) -> bool {
        self.top.is_some() || !self.parameter.is_empty() || !self.source.is_empty()
    }
}

/// Parses `NAME=VALUE`.
fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("not NAME=VALUE, as in WIDTH=32".to_owned()),
    }
}
