//! Build time, clock cycles per second, and the cycles of AES-128 on the largest machine.

use super::{EQUAL, number, simulate, why_not};
use halfgate_record::measure::Spread;
use halfgate_record::record::Figure;
use std::path::Path;

/// Rounds of measurements. Each round has one measurement of every kind.
const TURNS: usize = 3;

/// AES-128, 20 times in a chain: 200,000 clock cycles of four engines.
const LONG: [&str; 5] = ["aes128-chained:20", "--order", "haac:full", "--machine", "haac-4ge"];

/// AES-128 in the order for the paper's machine.
const SHORT: [&str; 7] = [
    "aes128",
    "--order",
    "haac:best:engines=16,window=131072,and=21,memory=512",
    "--machine",
    "haac-16ge",
    "--memory",
    "hbm2",
];

/// Builds a machine of four engines into an empty cache, and simulates it.
///
/// # Errors
/// If a machine cannot be built, or differs from the model.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let names = ["built", "simulated, S-boxes as tables", "AES by DPI over tables"];
    let [built, table, dpi] = names.map(|what| format!("4-engine garbler, {what}"));
    let cycles = "AES-128 garbled on the 16-engine RTL".to_owned();
    if let Some(why) = why_not() {
        let missing = |name: &String, unit| Figure::missing(name, unit, why);
        let units = ["min", "k cycles/s", "x", "cycles"];
        return Ok([built, table, dpi, cycles]
            .iter()
            .zip(units)
            .map(|(n, u)| missing(n, u))
            .collect());
    }
    let cache = tempfile::tempdir().map_err(|error| format!("no folder to build in: {error}"))?;
    let mut long = |aes: &str| {
        report(&format!("  {} on {}, AES {aes}", LONG[0], LONG[4]));
        let words = [&LONG[..], &["--build", "fast", "--aes", aes, "--role", "garbler"]].concat();
        simulate(command, &words, Some(cache.path()))
    };
    let first = long("table")?;
    let minutes = number(&first, "built_s")? / 60.0;
    long("dpi")?;
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (aes, rates) in ["table", "dpi"].into_iter().zip(&mut rates) {
            rates.push(number(&long(aes)?, "simulated_cycles_s")? / 1e3);
        }
    }
    let ratio =
        Spread::of(rates[1].iter().zip(&rates[0]).map(|(dpi, table)| dpi / table).collect());
    let [table_rate, dpi_rate] = rates.map(Spread::of);
    // No build time is measured here, so the machine may come from the cache.
    report(&format!("  {} on {}", SHORT[0], SHORT[4]));
    let words = [&SHORT[..], &["--aes", "dpi", "--role", "garbler"]].concat();
    let short = simulate(command, &words, None)?;
    let figures = [
        Figure::measured(&built, "min", minutes).at_most(4.0).note("compiled for speed, two jobs"),
        Figure::measured(&table, "k cycles/s", table_rate.median)
            .at_least(50.0)
            .note(format!("{table_rate}; {EQUAL}")),
        Figure::measured(&dpi, "x", ratio.median)
            .at_least(3.0)
            .note(format!("{ratio}; {:.1} k cycles/s, {dpi_rate}", dpi_rate.median)),
        Figure::measured(&cycles, "cycles", number(&short, "cycles")?)
            .at_most(2450.0)
            .note(format!("program aes128, {}, hbm2; {EQUAL}", SHORT[2]))
            .unlike("AES is a call of the simulation, so not all of the machine is RTL here"),
    ];
    Ok(figures.into())
}
