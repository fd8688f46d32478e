//! Measures the speed of simulating the machine in SystemVerilog.
//!
//! Each measurement starts the command as a process. The process fails if tables differ from those
//! of the CPU engine, or clock cycles or a counter from those of the model.

use super::netlists::written;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Netlist cycles of AES.
const CYCLES: &str = "220";

/// Measurements of each kind. The kinds alternate, and the median is reported.
const TURNS: usize = 3;

/// Simulated clock cycles per second.
pub struct Rates {
    /// The rate with AES in SystemVerilog.
    pub rtl: f64,
    /// The rate with AES as a DPI call.
    pub dpi: f64,
}

impl Rates {
    /// Simulates two pipelines on our AES, which runs one round per netlist cycle. The machines are
    /// built first, optimised for speed.
    ///
    /// # Errors
    /// If a machine cannot be built here, or its run fails.
    pub fn measure(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Rates, String> {
        let folder = written()?;
        let file = folder.path().join("aes128.v");
        let mut rates = [Vec::new(), Vec::new()];
        // The first measurement of each kind also builds the machine if needed.
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
