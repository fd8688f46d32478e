//! Compares two outputs of `halfgate reproduce --json`, or two files of results:
//! `cargo run -p halfgate-record --example compare -- OLD NEW [AGAIN]`.
//!
//! AGAIN is the output of a second run of the old program: figures that differ between OLD and
//! AGAIN depend on wall-clock time. Standard output has a line for each difference, with tabs
//! between part, row, field, old value and new value. The exit code is 1 if there is a difference,
//! and 2 if a file cannot be read.

use halfgate_record::compare::compare;
use serde_json::Value;
use std::process::ExitCode;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    match run(&paths) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the differences and returns whether there are none.
fn run(paths: &[String]) -> Result<bool, String> {
    let (old, new, again) = match paths {
        [old, new] => (read(old)?, read(new)?, None),
        [old, new, again] => (read(old)?, read(new)?, Some(read(again)?)),
        _ => return Err("usage: compare OLD NEW [AGAIN]".to_owned()),
    };
    let found = compare(&old, &new, again.as_ref())?;
    for different in &found.differences {
        let fields =
            [&different.part, &different.row, &different.field, &different.old, &different.new];
        println!("{}", fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t"));
    }
    let (differences, timed) = (found.differences.len(), found.timed.len());
    eprint!(
        "{} rows; {differences} differences; {timed} wall-clock figures not compared",
        found.rows
    );
    let apart = found.timed.iter().max_by(|a, b| a.apart().total_cmp(&b.apart()));
    match apart {
        Some(most) => eprintln!(
            ", farthest apart: {}, {}: {} and {}",
            most.part, most.row, most.old, most.new
        ),
        None => eprintln!(),
    }
    Ok(differences == 0)
}

fn read(path: &str) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}
