//! Rows of the given benchmark if its netlist is missing. All rows are kept, each with the reason
//! why it has no figure.

use super::{GIVEN, GIVEN_GATES, OURS, PUBLISHED_BYTES, mix, time};
use halfgate_record::record::Figure;

/// Returns, for each row of our own division, the row of the given benchmark without a figure.
pub fn rows(of: &[Figure], why: &str) -> Vec<Figure> {
    let row = |figure: &Figure| {
        let what = figure.name.strip_prefix(OURS)?;
        let published = match (what, &figure.unit[..]) {
            (": to the chip" | ": bytes for gates", _) => Some(mix(GIVEN_GATES, PUBLISHED_BYTES)),
            (": bytes an AND", _) => Some(PUBLISHED_BYTES[0]),
            (": bytes an XOR", _) => Some(PUBLISHED_BYTES[1]),
            (what, "ms" | "times") if !what.contains("ECP5") => time::published(what),
            _ => None,
        };
        let missing = Figure::not_run(&format!("{GIVEN}{what}"), &figure.unit, why);
        let Figure { target, at_most, how, timed, .. } = *figure;
        Some(Figure { published, target, at_most, how, timed, ..missing })
    };
    of.iter().filter_map(row).collect()
}
