//! Prints figures as a text table.

use crate::record::Figure;
use std::fmt::Write;

/// One line per figure, with target, measured value, their ratio and the published value.
pub fn table(figures: &[Figure]) -> String {
    let mut rows =
        vec![["figure", "unit", "published", "target", "measured", "ratio", ""].map(str::to_owned)];
    for figure in figures {
        let bound = if figure.at_most { "<= " } else { ">= " };
        rows.push([
            figure.name.clone(),
            figure.unit.clone(),
            figure.published.map_or(String::new(), number),
            figure.target.map_or(String::new(), |t| bound.to_owned() + &number(t)),
            figure.measured.map_or("none".to_owned(), number),
            figure.ratio().map_or(String::new(), |r| format!("{r:.2}")),
            match figure.met {
                Some(true) => "met".to_owned(),
                Some(false) => "MISSED".to_owned(),
                None if figure.verdict().is_some() => "no verdict".to_owned(),
                None => String::new(),
            },
        ]);
    }
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            // Names and units are left-aligned, numbers right-aligned.
            let (left, right) =
                if matches!(column, 0 | 1 | 6) { ("", pad.as_str()) } else { (pad.as_str(), "") };
            let _ = write!(line, "{left}{cell}{right}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
        if i > 0 && !figures[i - 1].note.is_empty() {
            let _ = writeln!(text, "    {}", figures[i - 1].note);
        }
    }
    text
}

/// Formats to about four digits.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
