//! The paper's programs in SystemVerilog with three ways to pace memory: the small programs of its
//! Table 5, garbled on 16 engines, and the eight of its Table 2, evaluated on four. The contract in
//! the machine's registers hides the time that the machine takes between its units and its ports;
//! without it, that time shows.

use super::{EQUAL, number, programs, simulate, why_not};
use halfgate_machine::args::Pace;
use halfgate_programs::vip::{SMALL, VIP};
use halfgate_record::record::Figure;
use std::path::Path;

/// The machine of Table 5, with AES as rounds in SystemVerilog.
const SIXTEEN: [&str; 8] =
    ["--machine", "haac-16ge-1mb", "--memory", "hbm2", "--role", "garbler", "--aes", "rtl"];

/// Ways to pace memory, and what they mean.
const PACES: [(Pace, &str, &str); 3] = [
    (Pace::Registers, "paced by its registers", EQUAL),
    (
        Pace::Memory,
        "paced by memory",
        "memory at the ports has the same latency and bandwidth; tables and outputs equal the CPU \
         engine's",
    ),
    (
        Pace::Nobody,
        "not paced",
        "memory accepts all requests and responds in the next cycle; tables and outputs equal the \
         CPU engine's",
    ),
];

/// Runs each program in each way. [`programs`] has the eight programs paced by registers.
///
/// # Errors
/// If a machine cannot be built, or a table or an output is wrong.
pub fn run(command: &Path, report: &mut dyn FnMut(&str)) -> Result<Vec<Figure>, String> {
    let four = programs::words();
    let small =
        SMALL.iter().map(|of| (of, "garbled on the 16-engine RTL", &SIXTEEN[..], &PACES[..]));
    let large = VIP.iter().map(|of| (of, "evaluated on the 4-engine RTL", &four[..], &PACES[1..]));
    let mut figures = Vec::new();
    for (benchmark, on, machine, paces) in small.chain(large) {
        for (pace, how, note) in paces {
            let name = format!("{} {on}, {how}", benchmark.paper);
            if let Some(why) = why_not() {
                figures.push(Figure::not_run(&name, "cycles", why));
                continue;
            }
            let words = [&[benchmark.program, "--pace", pace.name()][..], machine].concat();
            let found = simulate(command, &words, None)?;
            let cycles = number(&found, "cycles")?;
            report(&format!("  {name}: {cycles} cycles"));
            let [order, memory] =
                ["order", "memory"].map(|of| found[of].as_str().unwrap_or_default());
            let note = format!("{}, {order}, {memory}, AES in RTL; {note}", benchmark.program);
            figures.push(Figure::measured(&name, "cycles", cycles).note(note));
        }
    }
    Ok(figures)
}
