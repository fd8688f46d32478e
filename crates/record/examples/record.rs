//! Adds figures that a script measured to a record: `… --example record -- FILE <LINES`.
//!
//! A line is NAME, UNIT, `at_most` or `at_least`, TARGET, MEASURED and a NOTE, separated by tabs.
//! MEASURED may be `-` for a figure that is not available; the note then gives the reason. Figures
//! in the file that no line names are kept, each with its date and commit.

use halfgate_record::{Figure, Results};
use std::path::Path;

fn main() -> Result<(), String> {
    let out = std::env::args().nth(1).ok_or("usage: record FILE <LINES")?;
    let out = Path::new(&out);
    let text = std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string())?;
    let figures = text.lines().map(figure).collect::<Result<Vec<_>, _>>()?;
    let mut results = Results::here(figures);
    if out.exists() {
        results.keep(Results::read(out)?);
    }
    results.write(out)
}

fn figure(line: &str) -> Result<Figure, String> {
    let wrong = || format!("not NAME, UNIT, at_most or at_least, TARGET, MEASURED, NOTE: {line:?}");
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, unit, bound, target, measured, note] = fields[..] else { return Err(wrong()) };
    let target: f64 = target.parse().map_err(|_| wrong())?;
    let figure = match measured {
        "-" => Figure::missing(name, unit, note),
        _ => Figure::measured(name, unit, measured.parse().map_err(|_| wrong())?).note(note),
    };
    match bound {
        "at_most" => Ok(figure.at_most(target)),
        "at_least" => Ok(figure.at_least(target)),
        _ => Err(wrong()),
    }
}
