//! `halfgate simulate --machine overlay…`: the time that an overlay takes for a circuit.

use super::engine::named;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_machine::args::{Model, Roles, SimulateArgs};
use halfgate_machine::{Named, check_options, program};
use halfgate_overlay_model::model::Timing;
use halfgate_overlay_model::{Overlay, Plan};
use serde_json::{Map, Value, json};

/// Simulates the circuit of `args` on the overlay of `args`.
///
/// # Errors
/// If there is no such overlay, or the overlay does not support an option or the circuit.
pub fn simulate(args: &SimulateArgs) -> Result<(), Failure> {
    let name = &args.machine.machine;
    let overlay = named(name)?;
    check_options(args, Roles::Evaluator, "an overlay only garbles, and has one model")?;
    if args.labels || args.model == Model::Rtl {
        let what = format!(
            "simulate runs the model without labels. To run with labels: halfgate run CIRCUIT --garbler-engine model:{name}, or rtl:{name}"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    let stage = Stage::begin("reading the circuit");
    let Named { program, path } = program(args)?;
    let cycles = program.circuit.cycles;
    stage.then("placing labels");
    let plan = overlay.plan(&program.circuit).map_err(Failure::with(Exit::Circuit))?;
    stage.then("running the model");
    let timing = Timing::of(&overlay, &plan).map_err(Failure::with(Exit::Local))?;
    drop(stage);
    if args.json {
        let mut printed = json(&overlay, &plan, &timing, cycles);
        if let Some(path) = path {
            printed["path"] = path.json();
        }
        return print::line(&printed.to_string());
    }
    print::line(&text(&overlay, &plan, &timing, cycles))?;
    path.map_or(Ok(()), |path| print::line(&path.text()))
}

/// Returns the largest lower bound of the time: its name, and nanoseconds.
fn bound(timing: &Timing) -> (&'static str, f64) {
    let bound = [
        ("the link", timing.link_ns),
        ("DDR", timing.ddr_ns),
        ("the transfer of tables", timing.tables_ns),
    ];
    bound.into_iter().fold(bound[0], |a, b| if b.1 > a.1 { b } else { a })
}

fn json(overlay: &Overlay, plan: &Plan<'_>, timing: &Timing, cycles: u64) -> Value {
    let (counters, all) = (timing.counters, timing.ns * cycles as f64);
    let (what, most) = bound(timing);
    let went = timing.went.named().map(|(cause, clocks)| (cause.to_owned(), json!(clocks)));
    json!({
        "machine": overlay.name,
        "netlist_cycles": cycles,
        "gates": counters.gates,
        "ands": counters.ands,
        "batches": counters.batches,
        "clocks": counters.clocks,
        "mhz": overlay.board.clock_mhz,
        "ns": timing.ns,
        "ns_all": all,
        "link_ns": timing.link_ns,
        "ddr_ns": timing.ddr_ns,
        "tables_ns": timing.tables_ns,
        "bound": what,
        "bound_ns": most,
        "words": plan.words(),
        "ddr_reads": counters.reads,
        "ddr_writes": counters.writes,
        "block_ram_used": plan.block_ram(),
        "starved_clocks": counters.starved,
        "fenced_clocks": counters.fenced,
        "clocks_went": Map::from_iter(went),
    })
}

fn text(overlay: &Overlay, plan: &Plan<'_>, timing: &Timing, cycles: u64) -> String {
    let (counters, all) = (timing.counters, timing.ns * cycles as f64);
    let (what, most) = bound(timing);
    let n = print::grouped;
    let micros = |ns: f64| format!("{:.1} us", ns / 1000.0);
    format!(
        "machine      {}: {}\n\
         netlist      {} gates, {} ANDs among them, in {} batches\n\
         time         {} ({} clocks of {} MHz){}\n\
         clocks went  {}\n\
         bound        {}, by {what}: {:.0} % of the time\n\
         link         {} words, {}\n\
         DDR          {} reads and {} writes of labels, {}; {} labels of block RAM used\n\
         waiting      {} clocks for commands, {} for the batch before",
        overlay.name,
        overlay.about,
        n(counters.gates),
        n(counters.ands),
        n(counters.batches),
        micros(timing.ns),
        n(counters.clocks),
        overlay.board.clock_mhz,
        if cycles > 1 {
            format!(", {} for {} netlist cycles", micros(all), n(cycles))
        } else {
            String::new()
        },
        print::shares(&timing.went.named()),
        micros(most),
        100.0 * most / timing.ns.max(1.0),
        n(plan.words()),
        micros(timing.link_ns),
        n(counters.reads),
        n(counters.writes),
        micros(timing.ddr_ns),
        n(plan.block_ram().into()),
        n(counters.starved),
        n(counters.fenced),
    )
}
