//! `halfgate inspect`: the contents and the cost of a circuit.

mod ports;
mod structure;

use super::estimate::authenticated::PhasesEstimate;
use super::estimate::{Estimate, Expected, On, measured};
use crate::args::InspectArgs;
use crate::live;
use clap::ArgMatches;
use halfgate_circuit::{Input, Output, Stats};
use halfgate_compiler::{Program, skip};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Stage;
use halfgate_console::{mips_source, print, source};
use halfgate_machine::Machine;
use halfgate_protocol::session::SecurityLevel;
use halfgate_registry::MACHINES;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use structure::Structure;

pub(super) fn execute(args: &InspectArgs, matches: &ArgMatches) -> Result<(), Failure> {
    check(args, matches)?;
    if source::is_program_file(&args.circuit.circuit) {
        let path = Path::new(&args.circuit.circuit);
        return halfgate_registry::with_program_files()?.inspect_program_file(path, args.json);
    }
    if let Some(inspected) = by_machine(args, matches)? {
        return inspected;
    }
    let (circuit, cycles) = mips_source::steps_of(&args.circuit, args.cycles);
    let (compiled, structure) = match mips_source::is_one(&circuit.circuit) {
        true => (source::program(&circuit)?, None),
        false => {
            let order = source::order(&circuit)?;
            let read = source::structured(&circuit)?;
            let structure = Structure::of(&read);
            if let Some(large) = structure.as_ref().filter(|structure| structure.is_large()) {
                let own = cycles.unwrap_or(read.cycles);
                let cycles = source::checked_cycles(own, read.has_cycles())?;
                let ands = large.ands().saturating_mul(cycles);
                let estimate = estimated(args, (&read.inputs, &read.outputs), (cycles, ands))?;
                return print::line(&match args.json {
                    true => large.json_alone(&read, cycles, &estimate).to_string(),
                    false => large.text_alone(&read, cycles) + &estimate.text(args.rate.is_none()),
                });
            }
            (source::compiled(read, order, &circuit.circuit)?, structure)
        }
    };
    let program = match &compiled.structure {
        Some(structured) => structured.flat().map_err(Failure::with(Exit::Circuit))?,
        None => &compiled,
    };
    let circuit = &program.circuit;
    let cycles = source::cycles(cycles, None, circuit)?;
    let stats = Stats::of(circuit);
    let left = program.skips.is_some().then(|| {
        let _stage = Stage::begin("deciding which gates of each cycle remain");
        skip::left(program, cycles, &mut print::note)
    });
    let ands = left.unwrap_or(stats.ands.saturating_mul(cycles));
    let estimate = estimated(args, (&circuit.inputs, &circuit.outputs), (cycles, ands))?;
    let facts = Facts { stats, structure, live: live::peak(circuit), cycles, left, estimate };
    let text = match args.json {
        true => facts.json(program).to_string(),
        false => facts.text(program, args.rate.is_none()),
    };
    print::line(&text)
}

/// Checks the options that only one security level has.
fn check(args: &InspectArgs, matches: &ArgMatches) -> Result<(), Failure> {
    let is_malicious = args.security == SecurityLevel::Malicious;
    let by_machine =
        machine_for(matches).is_some() || source::is_program_file(&args.circuit.circuit);
    let what = if !is_malicious && args.ot_field.is_some() {
        "--ot-field is for --security malicious"
    } else if is_malicious && args.rate.is_some() {
        "--rate is for --security semi-honest: each phase of a malicious session has a rate of its \
         own, which is measured here"
    } else if is_malicious && by_machine {
        "a machine cannot run authenticated garbling, which --security malicious needs"
    } else {
        return Ok(());
    };
    Err(Failure::new(Exit::Usage, what))
}

/// Estimates a run of `cycles` cycles with `ands` ANDs in total, at the session's security level.
fn estimated(
    args: &InspectArgs,
    ports: (&[Input], &[Output]),
    (cycles, ands): (u64, u64),
) -> Result<Expected, Failure> {
    if args.security == SecurityLevel::Malicious {
        let link = (args.bandwidth, args.delay / 1e3);
        return PhasesEstimate::measured(ands, args.ot_field, link).map(Expected::Malicious);
    }
    let ands_per_second = args.rate.map_or_else(measured::rate, Ok)?;
    let delay_seconds = args.delay / 1e3;
    let on = On { bandwidth: args.bandwidth, delay_seconds, ands_per_second };
    Ok(Expected::SemiHonest(Estimate::of(ports, (cycles, ands), on)))
}

/// Lets a machine handle its own options, if one is given.
fn by_machine(
    args: &InspectArgs,
    matches: &ArgMatches,
) -> Result<Option<Result<(), Failure>>, Failure> {
    let Some((machine, matches)) = machine_for(matches) else { return Ok(None) };
    let circuit = source::circuit(&args.circuit)?;
    Ok(Some(machine.inspect(matches, &circuit, args.json)))
}

/// The machine whose own options were given, and the arguments of the command.
fn machine_for(matches: &ArgMatches) -> Option<(&'static dyn Machine, &ArgMatches)> {
    let (_, matches) = matches.subcommand()?;
    let machine = MACHINES.iter().find(|machine| machine.is_inspecting(matches))?;
    Some((*machine, matches))
}

struct Facts {
    stats: Stats,
    /// Of a circuit that calls functions.
    structure: Option<Structure>,
    live: u64,
    cycles: u64,
    /// For a program that skips gates, the ANDs that are not skipped.
    left: Option<u64>,
    estimate: Expected,
}

impl Facts {
    fn json(&self, program: &Program) -> Value {
        let circuit = &program.circuit;
        json!({
            "inputs": ports::inputs_json(&circuit.inputs),
            "outputs": ports::outputs_json(&circuit.outputs),
            "flip_flops": circuit.flip_flops.len(),
            "gates": self.stats.gates,
            "and_gates": self.stats.ands,
            "xor_gates": self.stats.xors,
            "copies": self.stats.copies,
            "depth": self.stats.depth,
            "and_depth": self.stats.and_depth,
            "peak_live_wires": self.live,
            "cycles": self.cycles,
            "ands_left": self.left,
            "order": program.order.to_string(),
            "program_hash": program.hash.to_string(),
            "estimate": self.estimate,
            "structure": self.structure.as_ref().map(Structure::json),
        })
    }

    fn text(&self, program: &Program, measured: bool) -> String {
        let (circuit, stats) = (&program.circuit, &self.stats);
        let mut text = ports::text(&circuit.inputs, &circuit.outputs);
        let n = print::grouped;
        let each = if self.cycles == 1 { "" } else { ", each cycle" };
        let _ = writeln!(
            text,
            "gates      {} ({} AND, {} XOR, {} copies){each}",
            n(stats.gates),
            n(stats.ands),
            n(stats.xors),
            n(stats.copies)
        );
        let _ = writeln!(
            text,
            "depth      {} ANDs, {} gates{each}",
            n(stats.and_depth.into()),
            n(stats.depth.into())
        );
        if circuit.is_sequential() || self.cycles != 1 {
            let (flip_flops, cycles) = (circuit.flip_flops.len() as u64, self.cycles);
            let _ = writeln!(
                text,
                "cycles     {} ({} AND together), {} flip-flops",
                n(cycles),
                n(stats.ands.saturating_mul(cycles)),
                n(flip_flops)
            );
        }
        if let Some(left) = self.left {
            let all = stats.ands.saturating_mul(self.cycles).max(1);
            let part = 100.0 * left as f64 / all as f64;
            let _ = writeln!(text, "skipping   {} ANDs are left, {part:.2} %", n(left));
        }
        let labels = self.live.saturating_mul(16);
        let _ = writeln!(
            text,
            "live wires {} at most ({} of labels)",
            n(self.live),
            print::bytes(labels)
        );
        if let Some(structure) = &self.structure {
            text += &structure.text();
        }
        let _ = writeln!(text, "order      {}", program.order);
        let _ = writeln!(text, "program    {}", program.hash);
        text += &self.estimate.text(measured);
        text
    }
}
