//! Measures the lowerings of VIP-Bench's programs (HAAC, Table 3), and the speed of lowering:
//!
//! ```sh
//! cargo run --release -p halfgate-haac-model --example lowering -- [--code] [ORDER[/ORDER..]
//! [PROGRAM..]]
//! ```
//!
//! The default orders are `haac:segment` and `haac:full`; several orders are separated by slashes.
//! Without PROGRAM, all eight programs are lowered; any built-in program can be named. Megabytes
//! are those that a run moves: instructions of 37 bits, tables, labels of 16 bytes, out-of-range
//! words of 4. Rates are per second of processor time. With `--code` the code is also stored and
//! verified; otherwise it is only counted.

use halfgate_compiler::{Order, compile};
use halfgate_haac_model::lower::{Copies, Lowering, lower, statistics};
use halfgate_haac_model::machine::Shape;
use halfgate_haac_model::verify::verify;
use halfgate_programs::vip::VIP;
use std::error::Error;

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
    let keep_for = |halves| Lowering { copies: Copies::Keep { halves }, ..Lowering::BEST };
    let ways = [
        ("paper", paper),
        ("first-use", first_use),
        ("copies", Lowering { copies: Copies::Auto, ..Lowering::BEST }),
        ("keep:1", keep_for(1)),
        ("keep:2", keep_for(2)),
        ("keep:3", keep_for(3)),
        ("keep:5", keep_for(5)),
    ];
    println!(
        "{:18} {:14} {:10} {:>9} {:>8} {:>6} {:>6} {:>9} {:>8} {:>9} {:>9} {:>7} {:>7}",
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
        "MB",
        "Mgate/s"
    );
    for name in &programs {
        for order in orders.split('/') {
            let order: Order = order.parse()?;
            let program = compile(halfgate_programs::build(name)?, order)?;
            for (what, how) in ways {
                let start = cpu_seconds();
                let stats = match keep {
                    false => statistics(&program, shape, how)?,
                    true => {
                        let code = lower(&program, shape, how)?;
                        verify(&code, &program)?;
                        code.stats
                    }
                };
                let rate = stats.gates as f64 / (cpu_seconds() - start) / 1e6;
                let bytes = (stats.instructions() * 37).div_ceil(8)
                    + 16 * (stats.live + stats.oor_reads + stats.inputs_loaded)
                    + 4 * stats.oor_reads
                    + 32 * stats.ands;
                println!(
                    "{name:18} {order:14} {what:10} {:9} {:8} {:6} {:6} {:9} {:8} {:9} {:9} {:7.2} {rate:7.1}",
                    stats.gates,
                    stats.ands,
                    stats.copies,
                    stats.invs,
                    stats.live,
                    stats.live_outputs,
                    stats.oor_reads,
                    stats.oor_input_reads,
                    bytes as f64 / 1e6
                );
            }
        }
    }
    Ok(())
}

/// Processor time of this process in seconds. It does not include other processes.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    first.unwrap_or(f64::NAN) / 1e9
}
