//! `halfgate compile`.

use super::prepare;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{interrupt, print};
use halfgate_haac_model::code::Stats;
use halfgate_haac_model::hgp::{self, Header, WriteError};
use halfgate_machine::args::CompileArgs;
use serde_json::{Value, json};
use std::fmt::Write;

pub fn execute(args: &CompileArgs) -> Result<(), Failure> {
    let machine = prepare::machine(&args.machine)?;
    let compiled = prepare::compiled(&args.lowering, &machine, false)?;
    let (header, code) = (&compiled.header, &compiled.code);
    // Before this line, Ctrl-C ends the process without writing a file.
    let cancel = interrupt::flag_for("stopping; nothing is written")?;
    let bytes = hgp::write(&args.output, header, code, Some(&cancel)).map_err(failure)?;
    if args.json {
        let mut facts = json(header);
        facts["file"] = json!(args.output.display().to_string());
        facts["file_bytes"] = json!(bytes);
        return print::line(&facts.to_string());
    }
    print::line(&format!(
        "{}\nfile         {}, {}",
        text(header),
        args.output.display(),
        print::bytes(bytes)
    ))
}

/// The failure for an error in writing a program file.
pub(super) fn failure(error: WriteError) -> Failure {
    let exit = match error {
        WriteError::Interrupted { .. } => Exit::Cancelled,
        WriteError::Program { .. } => Exit::Circuit,
        WriteError::Io { .. } | WriteError::NoSpace { .. } => Exit::Local,
    };
    Failure::new(exit, error)
}

/// A program file's header as text.
pub(super) fn text(header: &Header) -> String {
    let Stats { rows, gates, ands, copies, invs, nops, live, oor_reads, .. } = header.stats;
    let n = print::grouped;
    let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let mut text = String::new();
    let _ = writeln!(text, "program      {}, order {}", header.source, header.order);
    let _ = writeln!(text, "hash         {}", header.program);
    let _ = writeln!(text, "made for     {}; either role", header.made_for());
    let _ = writeln!(text, "suite        {}", header.suite);
    let xors = gates.saturating_sub(ands);
    let _ = writeln!(text, "gates        {} ({} AND, {} XOR)", n(gates), n(ands), n(xors));
    let _ = writeln!(
        text,
        "instructions {} in {} rows: {} COPY, {} INV, {} no-ops",
        n(header.stats.instructions()),
        n(rows),
        n(copies),
        n(invs),
        n(nops)
    );
    let _ = writeln!(
        text,
        "live         {} ({:.2} % spent), {} of them outputs",
        n(live),
        100.0 - percent(live, header.stats.instructions()),
        n(header.stats.live_outputs)
    );
    let _ = writeln!(
        text,
        "out of range {} reads, {} of them of inputs; {} inputs loaded",
        n(oor_reads),
        n(header.stats.oor_input_reads),
        n(header.stats.inputs_loaded)
    );
    let _ = write!(text, "encoding     {}", header.encoding);
    text
}

/// A program file's header as JSON.
pub(super) fn json(header: &Header) -> Value {
    let s = header.stats;
    json!({
        "program": header.source,
        "order": header.order,
        "program_hash": header.program.to_string(),
        "machine": header.machine,
        "engines": header.shape.engines,
        "window": header.shape.window,
        "suite": header.suite,
        "encoding": header.encoding.name(),
        "cycles": header.cycles,
        "gates": s.gates,
        "and_gates": s.ands,
        "rows": s.rows,
        "instructions": s.instructions(),
        "copies": s.copies,
        "invs": s.invs,
        "nops": s.nops,
        "live": s.live,
        "live_outputs": s.live_outputs,
        "oor_reads": s.oor_reads,
        "oor_input_reads": s.oor_input_reads,
        "inputs_loaded": s.inputs_loaded,
    })
}
