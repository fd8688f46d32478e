//! Counts what lowering VIP-Bench's programs gives (HAAC, Table 3), and how fast it is:
//!
//! ```sh
//! cargo run --release -p halfgate-machines --example lowering -- [--code] [ORDER[/ORDER..] [PROGRAM..]]
//! ```
//!
//! The orders are `haac:segment` and `haac:full` unless given (with a slash between); programs are all eight, or built-in
//! ones by name. With `--code` the code is kept, verified and not only counted.

use halfgate_compiler::{Order, compile};
use halfgate_machines::haac::lower::{Lowering, lower, statistics};
use halfgate_machines::haac::machine::Shape;
use halfgate_machines::haac::verify::verify;
use halfgate_programs::vip::VIP;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let keep = args.first().is_some_and(|arg| arg == "--code");
    if keep {
        args.remove(0);
    }
    let mut args = args.into_iter();
    let orders = args.next().unwrap_or_else(|| "haac:segment/haac:full".to_owned());
    let mut programs: Vec<String> = args.collect();
    if programs.is_empty() {
        programs = VIP.iter().map(|benchmark| benchmark.program.to_owned()).collect();
    }
    let shape = Shape { engines: 16, window: 1 << 17 };
    let paper = Lowering { inversions: Lowering::BEST.inversions, ..Lowering::PAPER };
    let first_use = Lowering { inputs: Lowering::BEST.inputs, ..paper };
    let ways = [("paper", paper), ("first-use", first_use), ("best", Lowering::BEST)];
    println!(
        "{:18} {:14} {:10} {:>9} {:>8} {:>6} {:>6} {:>9} {:>8} {:>9} {:>9} {:>7}",
        "program",
        "order",
        "lowering",
        "gates",
        "ANDs",
        "COPYs",
        "INVs",
        "live",
        "outputs",
        "OoR",
        "of inputs",
        "Mgate/s"
    );
    for name in &programs {
        for order in orders.split('/') {
            let order: Order = order.parse()?;
            let program = compile(halfgate_programs::build(name)?, order)?;
            for (what, how) in ways {
                let start = Instant::now();
                let stats = match keep {
                    false => statistics(&program, shape, how)?,
                    true => {
                        let code = lower(&program, shape, how)?;
                        verify(&code, &program)?;
                        code.stats
                    }
                };
                let rate = stats.gates as f64 / start.elapsed().as_secs_f64() / 1e6;
                println!(
                    "{name:18} {order:14} {what:10} {:9} {:8} {:6} {:6} {:9} {:8} {:9} {:9} {rate:7.1}",
                    stats.gates,
                    stats.ands,
                    stats.copies,
                    stats.invs,
                    stats.live,
                    stats.live_outputs,
                    stats.oor_reads,
                    stats.oor_input_reads
                );
            }
        }
    }
    Ok(())
}
