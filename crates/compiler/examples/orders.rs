//! Compares gate orders on built-in programs: how many gates each order leaves, and how fast it
//! compiles. `cargo run --release -p halfgate-compiler --example orders -- sort:256x32
//! sha256:32+23`. Orders among the arguments restrict the comparison to those orders.

use halfgate_compiler::gate_engines::inverted_inputs;
use halfgate_compiler::{Order, compile};
use std::time::Instant;

const ORDERS: [&str; 6] =
    ["given", "grouped", "haac:baseline", "haac:full", "haac:segment", "haac:best"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_order = |text: &String| text.parse::<Order>().is_ok();
    let (mut orders, specs): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(is_order);
    if orders.is_empty() {
        orders = ORDERS.map(str::to_owned).to_vec();
    }
    println!("order, ANDs, other gates, M gates/s of those given");
    for spec in specs {
        let inverted = inverted_inputs(&halfgate_programs::build(&spec)?)?;
        println!("{spec}: ANDs read {} inputs inverted, {} wires", inverted.inputs, inverted.wires);
        for order in &orders {
            let circuit = halfgate_programs::build(&spec)?;
            let gates = circuit.gates.len() as f64;
            let start = Instant::now();
            let program = compile(circuit, order.parse::<Order>()?)?;
            let rate = gates / start.elapsed().as_secs_f64() * 1e-6;
            let (ands, gates) = (program.ands_per_cycle(), program.gates_per_cycle());
            println!("  {order:<14} {ands:>10} {:>10} {rate:>6.1}", gates - ands);
        }
    }
    Ok(())
}
