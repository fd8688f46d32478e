//! How fast the machine in SystemVerilog is simulated.
//!
//! Each measurement is a process of the command, which ends with an error if tables, clocks or a counter are not
//! those of the CPU engine and of the model.

use super::netlists::written;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Netlist cycles of AES.
const CYCLES: &str = "220";

/// Turns of each, one after the other; the middle one counts.
const TURNS: usize = 3;

/// Clocks a second.
pub struct Rates {
    /// With AES in SystemVerilog.
    pub rtl: f64,
    /// With AES as a call of the simulation.
    pub dpi: f64,
}

impl Rates {
    /// Simulates two pipelines on our AES, a round a netlist cycle; builds the machines first, for speed.
    ///
    /// # Errors
    /// If a machine cannot be built here, or goes wrong.
    pub fn measure(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Rates, String> {
        let folder = written()?;
        let file = folder.path().join("aes128.v");
        let mut rates = [Vec::new(), Vec::new()];
        // The first of each builds the machine, unless that was done.
        for turn in 0..=TURNS {
            for (aes, rates) in ["table", "dpi"].into_iter().zip(&mut rates) {
                report(&format!("aes128.v on rtl:fase-2, AES {aes}, built for speed"));
                let rate = simulate(command, &file, aes)?;
                if turn > 0 {
                    rates.push(rate);
                }
            }
        }
        let [rtl, dpi] = rates.map(|mut rates: Vec<f64>| {
            rates.sort_by(f64::total_cmp);
            rates[TURNS / 2]
        });
        Ok(Rates { rtl, dpi })
    }
}

fn simulate(command: &Path, file: &Path, aes: &str) -> Result<f64, String> {
    let mut process = Command::new(command);
    process.arg("simulate").arg(file);
    process.args(["--machine", "fase-2", "--model", "rtl", "--build", "fast", "--cycles", CYCLES]);
    process.args(["--aes", aes, "--json"]).stdin(Stdio::null());
    let output = process.output().map_err(|error| format!("{}: {error}", command.display()))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("simulating rtl:fase-2 (AES {aes}): {}", why.trim()));
    }
    let found: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let rate = found["simulated_clocks_s"].as_f64();
    rate.ok_or_else(|| format!("no simulated_clocks_s in {found}"))
}
