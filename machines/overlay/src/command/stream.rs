//! `halfgate overlay`: streams of commands for SIFO's overlay.

use super::args::{OverlayCommand, ShowArgs, StreamArgs};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{print, source};
use halfgate_model::file;
use halfgate_overlay_model::{Build, Cells, How, Plan, Policy, Stream, StreamError, stream};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufReader};

/// Executes `halfgate overlay`.
///
/// # Errors
/// If the circuit or the stream cannot be read, or is rejected.
pub fn execute(command: &OverlayCommand) -> Result<(), Failure> {
    match command {
        OverlayCommand::Stream(args) => write(args),
        OverlayCommand::Show(args) => show(args),
    }
}

fn write(args: &StreamArgs) -> Result<(), Failure> {
    let policy = Policy::from(args.policy);
    if policy == Policy::DirectlyUsed && args.window.is_some() {
        let what = "--policy directly-used needs layers of the whole circuit: leave --window out";
        return Err(Failure::new(Exit::Usage, what));
    }
    let circuit = source::circuit(&args.circuit)?;
    let cells = Cells { ands: args.ands, xors: args.xors };
    let build = Build { cells, block_ram: args.block_ram, form: args.form.into() };
    let how = How {
        policy,
        cells,
        block_ram: args.block_ram,
        form: build.form,
        window: args.window.map(|window| window.min(How::SECTION as u64) as u32),
        section: How::SECTION,
    };
    let lacks = |(gate, lacks)| StreamError::Gate { gate, lacks };
    let plan = Plan::new(&circuit, how).map_err(lacks).map_err(Failure::with(Exit::Circuit))?;
    // Write to a sink first, to find the length of the file.
    let bytes = stream::write(&mut io::sink(), &plan, build)
        .map_err(Failure::with::<StreamError>(Exit::Circuit))?;
    file::whole(&args.output, Some(bytes), None, |out| {
        stream::write(out, &plan, build).map_err(|error| match error {
            StreamError::Io(error) => error,
            other => io::Error::other(other),
        })
    })
    .map_err(Failure::with(Exit::Local))?;

    let (traffic, count, words) = (plan.traffic(), plan.batches(), plan.block_ram());
    let gates = circuit.gates.len() as u64;
    let ands = circuit.gates.iter().filter(|gate| gate.is_and()).count() as u64;
    let registers = ands * build.form.registers(true) as u64
        + (gates - ands) * build.form.registers(false) as u64;
    if args.json {
        let printed = json!({
            "file": args.output,
            "gates": gates,
            "batches": count,
            "registers": registers,
            "bytes": bytes,
            "block_ram_used": words,
            "ddr_accesses": traffic.ddr(),
            "ddr_accesses_of_inputs_and_outputs": traffic.ddr() - traffic.spilled(),
            "block_ram_accesses": traffic.block_ram,
        });
        return print::line(&printed.to_string());
    }
    let n = print::grouped;
    print::line(&format!(
        "{}: {} gates in {} batches, {} registers, {} bytes\n{} labels of block RAM used; {} accesses of DDR, {} of these \
         for inputs and outputs",
        args.output.display(),
        n(gates),
        n(count),
        n(registers),
        n(bytes),
        n(words.into()),
        n(traffic.ddr()),
        n(traffic.ddr() - traffic.spilled())
    ))
}

fn show(args: &ShowArgs) -> Result<(), Failure> {
    let name = args.file.display();
    let wrong = |error: StreamError| {
        let exit = if matches!(error, StreamError::Io(_)) { Exit::Local } else { Exit::Circuit };
        Failure::new(exit, format!("{name}: {error}"))
    };
    let file = File::open(&args.file);
    let file = file.map_err(|error| Failure::new(Exit::Local, format!("{name}: {error}")))?;
    let mut stream = Stream::of_any(BufReader::new(file)).map_err(wrong)?;
    let (mut commands, mut batches, mut gates) = (Vec::new(), [0_u64; 2], [0_u64; 2]);
    while let Some(ands) = stream.next_batch(&mut commands).map_err(wrong)? {
        batches[usize::from(ands)] += 1;
        gates[usize::from(ands)] += commands.len() as u64;
    }
    let build = stream.build();
    if args.json {
        let printed = json!({
            "and_cells": build.cells.ands,
            "xor_cells": build.cells.xors,
            "block_ram_labels": build.block_ram,
            "form": build.form.to_string(),
            "ddr_labels": stream.in_ddr(),
            "and_gates": gates[1],
            "xor_gates": gates[0],
            "and_batches": batches[1],
            "xor_batches": batches[0],
        });
        return print::line(&printed.to_string());
    }
    let n = print::grouped;
    print::line(&format!(
        "{name}: for {build}\n{} ANDs in {} batches, {} XORs in {} batches; {} labels in DDR",
        n(gates[1]),
        n(batches[1]),
        n(gates[0]),
        n(batches[0]),
        n(stream.in_ddr().into())
    ))
}
