//! Cycles of VIP-Bench's programs under different lowerings, by the fast model (evaluator, 16
//! engines, 2 MB, instructions of 37 bits):
//!
//! ```sh
//! cargo run --release -p halfgate-haac-model --example lowering_time -- [--chosen]
//! [ORDER[/ORDER..] [PROGRAM..]]
//! ```
//!
//! With `--chosen`, only the lowering that [`choose`] returns is shown.

use halfgate_circuit::Party;
use halfgate_compiler::{Order, compile};
use halfgate_haac_model::encoding::Encoding;
use halfgate_haac_model::lower::choose::{Goal, choose};
use halfgate_haac_model::lower::{Assignment, Copies, Lowering, Timing, lower};
use halfgate_haac_model::model::{Options, fast, rows::Plain};
use halfgate_haac_model::{Description, Overrides, issue::NoSink};
use halfgate_programs::vip::VIP;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    let chosen_only = args.next_if(|arg| arg == "--chosen").is_some();
    let orders = args.next().unwrap_or_else(|| "haac:segment/haac:full".to_owned());
    let mut programs: Vec<String> = args.collect();
    if programs.is_empty() {
        programs = VIP.iter().map(|benchmark| benchmark.program.to_owned()).collect();
    }
    let description = Description::built_in("haac-16ge")?;
    for name in &programs {
        for order in orders.split('/') {
            let order: Order = order.parse()?;
            let program = compile(halfgate_programs::build(name)?, order)?;
            for memory in ["ddr4", "hbm2"] {
                let memory = Some(memory.to_owned());
                let machine = description.machine(&Overrides { memory, ..Overrides::default() })?;
                let timing = Timing::of(&machine, Party::Evaluator);
                let goal =
                    Goal { machine: &machine, role: Party::Evaluator, encoding: Encoding::Plain };
                let best = choose(&program, goal, Lowering::BEST)?;
                println!(
                    "{name:18} {order:18} {:5} chosen  {:9} cycles: {:?}, {:?}, {:?}",
                    machine.memory.name,
                    best.report.cycles,
                    best.how.copies,
                    best.how.assignment,
                    best.code.stats
                );
                if chosen_only {
                    continue;
                }
                let ways = [
                    ("never", Copies::Never),
                    ("copies", Copies::Auto),
                    ("keep:1", Copies::Keep { halves: 1 }),
                    ("keep:3", Copies::Keep { halves: 3 }),
                    ("keep:5", Copies::Keep { halves: 5 }),
                ];
                for (what, copies) in ways {
                    print!("{name:18} {order:18} {:5} {what:7}", machine.memory.name);
                    for assignment in [Assignment::RoundRobin, Assignment::Simulated(timing)] {
                        let how = Lowering { copies, assignment, ..Lowering::BEST };
                        let code = lower(&program, machine.shape, how)?;
                        let mut bits = Plain::new(machine.shape);
                        let options = Options::new(Party::Evaluator);
                        let report = fast::run(&code, &machine, &options, &mut bits, &mut NoSink)?;
                        print!(" {:9} cycles {:8} no-ops", report.cycles, code.stats.nops);
                    }
                    println!();
                }
            }
        }
    }
    Ok(())
}
