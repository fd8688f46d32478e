//! `halfgate simulate`.

use super::prepare::{self, Compiled};
use super::simulated::{self, Simulated, all_cycles, failure};
use super::{compared, program_file, rtl};
use crate::dram::{self, Attachment};
use crate::engine::Model as Labelled;
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::progress::Stage;
use halfgate_console::source;
use halfgate_haac_model::hgp::{self, Loaded};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::bounds::Bounds;
use halfgate_haac_model::model::packed::Packed;
use halfgate_haac_model::model::trace::Trace;
use halfgate_haac_model::model::{Options, exact, fast};
use halfgate_haac_model::report::Report;
use halfgate_machine::args::{Model, Objective, Pace, Roles, SimulateArgs};
use halfgate_machine::check_rtl_options;
use serde_json::json;
use std::path::Path;

pub fn execute(args: &SimulateArgs) -> Result<(), Failure> {
    check_rtl_options(args)?;
    let machine = prepare::machine(&args.machine)?;
    let dram = dram::requested(args.machine.memory.as_deref())?;
    if let Some(dram) = &dram {
        check_dram(dram, args)?;
    }
    check_options(args)?;
    let name = &args.lowering.circuit.circuit;
    let compiled = match source::is_program_file(name) {
        true => {
            let Loaded { header, code, .. } = loaded(args, &machine)?;
            let of = |header: &hgp::Header| {
                compared::program_of(&header.source, &header.order, &header.program.to_string())
            };
            let needed = args.labels || args.model == Model::Rtl;
            let program = needed.then(|| of(&header)).transpose()?;
            Compiled { program, code, header, path: None }
        }
        false => prepare::compiled(&args.lowering, &machine, args.path)?,
    };
    let roles = match args.role {
        Roles::Garbler => vec![Party::Garbler],
        Roles::Evaluator => vec![Party::Evaluator],
        Roles::Both => vec![Party::Garbler, Party::Evaluator],
    };
    if args.model == Model::Rtl {
        return rtl::execute(args, compiled, (&machine, dram), &roles);
    }
    let packed = Packed::of(&compiled.code, compiled.header.encoding);
    let packed = packed.map_err(|error| failure(error.into()))?;
    let mut all = Vec::new();
    let has_hbm2 = dram.as_ref().map_or(machine.memory.name == "hbm2", Attachment::is_hbm2);
    let bounding = bounding(&machine, dram.is_some());
    for role in roles {
        let report = run(args, &compiled, &packed, (&machine, dram.as_ref()), role)?;
        let options = Options { preloaded: args.preloaded, ..Options::new(role) };
        let bounds = Bounds::of(&compiled.code, &bounding, &options, &mut packed.sizes());
        let bounds = bounds.map_err(failure)?;
        let launches = compiled.header.cycles;
        all_cycles(launches, report.cycles)?;
        let (machine, preloaded) = (&machine, args.preloaded);
        all.push(Simulated { role, report, bounds, machine, preloaded, launches, has_hbm2 });
    }
    let Compiled { program, code, header, path } = compiled;
    let compared = match program {
        Some(program) if args.labels => {
            let model = match exactly(args) {
                true => Labelled::Exact,
                false => Labelled::Fast,
            };
            Some(compared::compare(&program, code, &machine, model)?)
        }
        _ => None,
    };
    if args.json {
        let mut facts = super::compile::json(&header);
        facts["machine"] = json!(machine.name);
        facts["memory"] = json!(machine.memory.name);
        facts["model"] = json!(if exactly(args) { "exact" } else { "fast" });
        facts["runs"] = all.iter().map(Simulated::json).collect();
        if let Some(path) = path {
            facts["path"] = path.json();
        }
        facts["labels"] = compared.map_or(serde_json::Value::Null, |compared| compared.json());
        return print::line(&facts.to_string());
    }
    print::line(&super::compile::text(&header))?;
    all.iter().try_for_each(|simulated| print::line(&simulated.text(header.stats.gates)))?;
    if let Some(compared) = compared {
        print::line(&compared.text())?;
    }
    path.map_or(Ok(()), |path| print::line(&format!("\n{}", path.text())))
}

/// The machine that bounds are of. A DRAM may answer a write sooner than the description's memory,
/// so that latency is no bound.
fn bounding(machine: &Machine, has_dram: bool) -> Machine {
    let mut bounding = machine.clone();
    if has_dram {
        bounding.memory.latency = 1;
    }
    bounding
}

/// Refuses options that do not go together.
fn check_options(args: &SimulateArgs) -> Result<(), Failure> {
    if args.trace.is_some() && args.role == Roles::Both {
        let what = "--trace shows one machine: give --role garbler or --role evaluator";
        return Err(Failure::new(Exit::Usage, what));
    }
    let name = &args.lowering.circuit.circuit;
    let has_no_path = match (source::is_program_file(name), args.model) {
        (true, _) => Some(
            "a program file has no circuit to analyse: give the circuit that it was compiled from",
        ),
        (_, Model::Rtl) => {
            Some("leave --model rtl out, which compares the hardware with the model")
        }
        _ => None,
    };
    if let Some(why) = has_no_path.filter(|_| args.path) {
        return Err(Failure::new(Exit::Usage, format!("--path: {why}")));
    }
    Ok(())
}

/// Refuses options that a DRAM does not support.
fn check_dram(dram: &Attachment, args: &SimulateArgs) -> Result<(), Failure> {
    dram.check_build()?;
    if args.pace != Pace::default() {
        let what = "--pace says who keeps the contract, and a DRAM has times of its own instead: \
                    leave --pace out";
        return Err(Failure::new(Exit::Usage, what));
    }
    let options = [("--trace", args.trace.is_some()), ("--labels", args.labels)];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let what = format!(
                "{option} is for the memories of the machine's description: give one of them, or \
                 leave {option} out. Labels follow a DRAM with the engine model:MACHINE,memory=dram:NAME"
            );
            Err(Failure::new(Exit::Usage, what))
        }
        None => Ok(()),
    }
}

/// Loads a program file for this machine.
fn loaded(args: &SimulateArgs, machine: &Machine) -> Result<Loaded, Failure> {
    let lowering = &args.lowering;
    let circuit = &lowering.circuit;
    let settled = [
        ("--order", circuit.order.is_some()),
        ("--as-given", circuit.as_given),
        ("--encoding", lowering.encoding.is_some()),
        ("--objective", lowering.objective == Objective::Latency),
        ("--paper", lowering.paper),
        ("--no-copies", lowering.no_copies),
        ("--cycles", lowering.cycles.is_some()),
        ("--parties", circuit.parties.is_some()),
        ("--outputs", circuit.outputs.is_some()),
        ("--privacy", circuit.privacy.is_some()),
        ("--shallow", circuit.shallow),
        ("--match-paper", circuit.match_paper.is_some()),
        ("--steps", circuit.steps.is_some()),
        ("--top or --source", circuit.verilog.is_used()),
    ];
    if let Some((option, _)) = settled.iter().find(|(_, is_given)| *is_given) {
        let what = format!(
            "{option} is for `halfgate compile`: a program file has its circuit, its order and its lowering"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    let path = Path::new(&lowering.circuit.circuit);
    let loaded = program_file::open(path)?;
    let name = path.display().to_string();
    let fits = loaded.check_machine(&name, &machine.name, machine.shape);
    fits.map_err(program_file::failure)?;
    Ok(loaded)
}

/// Whether to run the exact model. A trace needs it.
fn exactly(args: &SimulateArgs) -> bool {
    args.model == Model::Exact || args.trace.is_some()
}

fn run(
    args: &SimulateArgs,
    compiled: &Compiled,
    packed: &Packed,
    (machine, dram): (&Machine, Option<&Attachment>),
    role: Party,
) -> Result<Report, Failure> {
    let Compiled { code, header, .. } = compiled;
    let options = Options { preloaded: args.preloaded, ..Options::new(role) };
    let gates = print::grouped(header.stats.gates);
    let _stage = Stage::begin(&format!("simulating {gates} gates"));
    let mut sizes = packed.sizes();
    if let Some(dram) = dram {
        let how = (&options, exactly(args));
        return dram
            .run(code, machine, how, &mut sizes, &mut NoSink)
            .map_err(simulated::dram_failure);
    }
    if let Some(path) = &args.trace {
        return hgp::file::whole(path, None, None, |out| {
            let mut trace = Trace::new(out, 0..u64::MAX, 16, machine.shape.engines, machine.mhz)?;
            let extra = exact::Extra::default();
            let report = exact::run_with(
                code,
                machine,
                &options,
                &mut sizes,
                &mut NoSink,
                &mut trace,
                extra,
            );
            trace.finish()?;
            Ok(report)
        })
        .map_err(super::compile::failure)?
        .map_err(failure);
    }
    match exactly(args) {
        true => exact::run(code, machine, &options, &mut sizes, &mut NoSink),
        false => fast::run(code, machine, &options, &mut sizes, &mut NoSink),
    }
    .map_err(failure)
}
