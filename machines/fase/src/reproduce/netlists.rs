//! Finds the circuits: our Verilog functions, and given netlists.

use super::published::{ROWS, Row};
use halfgate_circuit::Circuit;
use halfgate_compiler::{Order, compile};
use halfgate_fase_model::Netlist;
use halfgate_frontends as frontends;
use halfgate_frontends::verilog::{self, Options};
use halfgate_programs::verilog::FILES;
use std::path::Path;
use tempfile::TempDir;

/// The note of rows whose functions of ours are missing.
pub const NO_YOSYS: &str = "our function is in Verilog, and there is no Yosys here to read it";

/// The note of rows whose netlists of the paper are missing.
pub const NO_NETLISTS: &str = "wants the netlists that the paper used: --netlists FOLDER";

/// A function of the paper with a netlist.
pub struct Found {
    /// The paper's row.
    pub row: Row,
    /// The origin of the netlist.
    pub source: String,
    /// The circuit.
    pub circuit: Circuit,
    /// The circuit's netlist.
    pub netlist: Netlist,
}

/// Our module for one of the paper's functions, and the parameter that sets the paper's size.
struct Ours {
    name: &'static str,
    top: &'static str,
    parameter: Option<(&'static str, u32)>,
}

#[rustfmt::skip]
const OURS: [Ours; 12] = [
    Ours { name: "Mill_8_8", top: "millionaires", parameter: None },
    Ours { name: "Add_8_1", top: "add", parameter: Some(("WIDTH", 8)) },
    Ours { name: "Add_8_8", top: "add_serial", parameter: None },
    Ours { name: "Hamm_32_1", top: "hamming", parameter: Some(("BITS", 32)) },
    Ours { name: "Hamm_32_32", top: "hamming_serial", parameter: Some(("WIDTH", 6)) },
    Ours { name: "Hamm_512_512", top: "hamming_serial", parameter: Some(("WIDTH", 10)) },
    Ours { name: "Mult_256_512", top: "multiply_serial", parameter: Some(("WIDTH", 256)) },
    Ours { name: "MAC_8_1", top: "mac", parameter: Some(("WIDTH", 8)) },
    Ours { name: "MAC_16_1", top: "mac", parameter: Some(("WIDTH", 16)) },
    Ours { name: "MAC_32_1", top: "mac", parameter: Some(("WIDTH", 32)) },
    Ours { name: "CORDIC_32_31", top: "cordic", parameter: None },
    Ours { name: "AES_128_11", top: "aes128", parameter: None },
];

/// Writes the files of our functions to a temporary folder.
///
/// # Errors
/// If the folder or a file cannot be written.
pub fn written() -> Result<TempDir, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    for (name, text) in FILES {
        let written = std::fs::write(folder.path().join(name), text);
        written.map_err(|error| format!("a temporary file: {error}"))?;
    }
    Ok(folder)
}

/// Reads our functions. Without Yosys, reports this and returns none.
///
/// # Errors
/// If a function cannot be read.
pub fn ours(report: &mut dyn FnMut(&str)) -> Result<Vec<Found>, String> {
    let folder = written()?;
    let mut all = Vec::new();
    for Ours { name, top, parameter } in OURS {
        let row = ROWS.iter().find(|row| row.name == name).expect("a function of the paper");
        let parameters: Vec<(String, String)> =
            parameter.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
        let source = match parameter {
            Some((name, value)) => format!("{top}.v, {name} = {value}"),
            None => format!("{top}.v"),
        };
        let options = Options { top: Some(top.to_owned()), parameters, ..Options::default() };
        let path = folder.path().join(top).with_extension("v");
        let circuit = match verilog::read(&path, &options) {
            Err(verilog::Error::NoYosys { .. }) => {
                report(NO_YOSYS);
                return Ok(Vec::new());
            }
            read => read.map_err(|error| format!("{source}: {error}"))?,
        };
        let program =
            compile(circuit, Order::default()).map_err(|error| format!("{source}: {error}"))?;
        let netlist = Netlist::of(&program.circuit);
        all.push(Found { row: *row, source, circuit: program.circuit, netlist });
    }
    Ok(all)
}

/// Reads those of the paper's netlists that are in `folder`, and keeps all their gates.
///
/// # Errors
/// If the folder has none of the netlists, or a netlist cannot be read.
pub fn given(folder: &Path) -> Result<Vec<Found>, String> {
    let options = frontends::Options { as_given: true, ..frontends::Options::default() };
    let mut all = Vec::new();
    for row in ROWS.iter() {
        let path = folder.join(row.name).with_extension("scd");
        if !path.exists() {
            continue;
        }
        let circuit = frontends::open(&path, &options).map_err(|error| error.to_string())?;
        let netlist = Netlist::of(&circuit);
        let source = format!("{}.scd, as given", row.name);
        all.push(Found { row: *row, source, circuit, netlist });
    }
    if all.is_empty() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        return Err(format!("{}: none of {} (.scd) is there", folder.display(), names.join(", ")));
    }
    Ok(all)
}
