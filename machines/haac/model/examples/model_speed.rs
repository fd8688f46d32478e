//! Measures the speed of the fast model, without a sink, on random code for the paper's machine:
//! `cargo run --release -p halfgate-haac-model --example model_speed`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{Recipe, paper_machine, random_code};
use halfgate_circuit::Party;
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::model::{Options, fast, rows::Plain};

/// Processor time of this process in seconds (Linux; resolution 10 ms).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has this file");
    let fields = stat.rsplit(')').next().expect("there is a name").split_whitespace();
    let ticks = |field: &str| field.parse::<f64>().expect("a number");
    fields.skip(11).take(2).map(ticks).sum::<f64>() / 100.0
}

fn main() {
    let count = std::env::args().nth(2).map_or(3_000_000, |count| count.parse().expect("a number"));
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (what, near, far, nops) in [
        ("wide", 60_000, 0, 0),
        ("wide, out of range", 60_000, 2, 0),
        ("narrow", 300, 0, 0),
        ("serial", 40, 0, 0),
        ("half no-ops", 60_000, 0, 50),
    ] {
        if !what.starts_with(&wanted) {
            continue;
        }
        for (name, bytes_per_cycle) in [("hbm2", (512, 1)), ("ddr4", (352, 10))] {
            let mut machine = paper_machine();
            machine.memory.bytes_per_cycle = bytes_per_cycle;
            let recipe = Recipe {
                shape: machine.shape,
                inputs: 2000,
                instructions: count,
                and_percent: 33,
                unary_percent: 0,
                nop_percent: nops,
                far_percent: far,
                near,
                outputs: 10,
            };
            let random = random_code(1, &recipe);
            for role in [Party::Garbler, Party::Evaluator] {
                let start = cpu_seconds();
                let mut sizes = Plain::new(machine.shape);
                let options = Options::new(role);
                let report =
                    fast::run(&random.code, &machine, &options, &mut sizes, &mut NoSink).unwrap();
                let seconds = cpu_seconds() - start;
                println!(
                    "{what:20} {name} {role:?}: {:.1} M gates/s, {:.0} ns/cycle, {:.2} gates/cycle",
                    f64::from(count) / 1e6 / seconds,
                    seconds * 1e9 / report.cycles as f64,
                    f64::from(count) / report.cycles as f64,
                );
            }
        }
    }
}
