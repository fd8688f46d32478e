//! Program files as arguments of commands: reads and inspects them.

use super::compile;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_haac_model::hgp::{self, EngineCounts, Loaded, ReadError};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// Reads and checks a program file.
///
/// # Errors
/// If the file cannot be read, or is rejected.
pub(super) fn open(path: &Path) -> Result<Loaded, Failure> {
    hgp::open(path).map_err(failure)
}

/// The failure for a rejected program file.
pub(super) fn failure(error: ReadError) -> Failure {
    let exit = match error {
        ReadError::OtherMachine { .. } => Exit::Mismatch,
        _ => Exit::Circuit,
    };
    Failure::new(exit, error)
}

/// `halfgate inspect FILE.hgp`.
///
/// # Errors
/// If the file is rejected.
pub fn inspect(path: &Path, as_json: bool) -> Result<(), Failure> {
    let Loaded { header, engines, bytes, .. } = open(path)?;
    if as_json {
        let mut facts = compile::json(&header);
        facts["file_bytes"] = json!(bytes);
        let engine = |e: &EngineCounts| {
            json!({
                "instructions": e.instructions,
                "ands": e.ands,
                "table_bursts": e.table_bursts(),
                "oor_words": e.oor_words,
                "live": e.live,
            })
        };
        facts["per_engine"] = engines.iter().map(engine).collect();
        facts["inputs"] = json!(header.inputs);
        facts["outputs"] = json!(header.outputs);
        facts["flip_flops"] = json!(header.flip_flops.len());
        return print::line(&facts.to_string());
    }
    let mut text = String::new();
    let each = |per_cycle| if per_cycle { " each cycle" } else { "" };
    for port in header.inputs.iter().chain(&header.outputs) {
        let kind = if port.party.is_some() { "input" } else { "output" };
        let bits = format!("{} bits{}", port.width, each(port.per_cycle));
        let party = port.party.map_or(String::new(), |party| party.to_string());
        let _ = writeln!(
            text,
            "{}",
            format!("{kind:12} {:16} {bits:24} {party}", port.name).trim_end()
        );
    }
    text += &compile::text(&header);
    let least = |of: fn(&EngineCounts) -> u64| engines.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&EngineCounts) -> u64| engines.iter().map(of).max().unwrap_or(0);
    let _ = write!(
        text,
        "\nan engine    {} to {} instructions, {} to {} ANDs, {} to {} out-of-range words",
        print::grouped(least(|e| e.instructions)),
        print::grouped(most(|e| e.instructions)),
        print::grouped(least(|e| e.ands)),
        print::grouped(most(|e| e.ands)),
        print::grouped(least(|e| e.oor_words)),
        print::grouped(most(|e| e.oor_words)),
    );
    let _ = write!(
        text,
        "\nfile         {}, {}, all checksums fit",
        path.display(),
        print::bytes(bytes)
    );
    print::line(&text)
}
