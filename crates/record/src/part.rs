//! A reproduced table or figure of a paper. Each number has its published value, the value here,
//! the ratio, and how the value was obtained.

use crate::record::{Figure, How};
use serde::Serialize;
use std::fmt::Write;

/// A table or figure.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Its name on the command line: `table3`.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// Its numbers.
    pub figures: Vec<Figure>,
    /// Remarks that readers need.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Part {
    /// Creates a part without numbers.
    pub fn new(name: &'static str, title: &str) -> Part {
        Part { name, title: title.to_owned(), figures: Vec::new(), notes: Vec::new() }
    }

    /// Adds a number from a model, with the published one if there is one.
    pub fn model(&mut self, name: &str, unit: &str, published: Option<f64>, value: f64) {
        self.push(name, unit, published, value, How::Model);
    }

    /// Adds a number measured on this computer, or counted.
    pub fn measured(&mut self, name: &str, unit: &str, published: Option<f64>, value: f64) {
        self.push(name, unit, published, value, How::Measured);
    }

    /// Adds a published number that is not available here, with the reason.
    pub fn missing(&mut self, name: &str, unit: &str, published: f64, why: &str) {
        self.figures.push(Figure::missing(name, unit, why).published(published));
    }

    /// Adds a remark to the number added last.
    pub fn note(&mut self, note: impl Into<String>) {
        if let Some(figure) = self.figures.last_mut() {
            figure.note = note.into();
        }
    }

    /// Adds a remark on the whole part.
    pub fn remark(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn push(&mut self, name: &str, unit: &str, published: Option<f64>, value: f64, how: How) {
        let figure = Figure { how, published, ..Figure::measured(name, unit, value) };
        self.figures.push(figure);
    }

    /// The part as text.
    pub fn text(&self) -> String {
        let head = ["", "unit", "published", "measured", "ratio", "how"].map(str::to_owned);
        let rows: Vec<[String; 6]> =
            std::iter::once(head).chain(self.figures.iter().map(cells)).collect();
        let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max();
        let widths: [usize; 6] = std::array::from_fn(|column| width(column).unwrap_or(0));
        let mut text = format!("{}: {}\n", self.name, self.title);
        for (i, row) in rows.iter().enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[column] - cell.chars().count());
                let _ = match column {
                    0 | 1 | 5 => write!(line, "  {cell}{pad}"),
                    _ => write!(line, "  {pad}{cell}"),
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
            if i > 0 && !self.figures[i - 1].note.is_empty() {
                let _ = writeln!(text, "      {}", self.figures[i - 1].note);
            }
        }
        for note in &self.notes {
            let _ = writeln!(text, "  * {note}");
        }
        text
    }
}

fn cells(figure: &Figure) -> [String; 6] {
    let ratio = match (figure.measured, figure.published) {
        (Some(measured), Some(published)) if published != 0.0 => number(measured / published),
        _ => String::new(),
    };
    let how = match (figure.measured, figure.how) {
        (None, _) => "none",
        (_, How::Measured) => "measured",
        (_, How::Model) => "model",
        (_, How::Rtl) => "rtl",
        (_, How::Synthesis) => "synthesis",
    };
    [
        figure.name.clone(),
        figure.unit.clone(),
        figure.published.map_or(String::new(), number),
        figure.measured.map_or(String::new(), number),
        ratio,
        how.to_owned(),
    ]
}

/// Time to reproduce a part's recorded rows on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Under two seconds each, and a few seconds for all; run by `make test`.
    Seconds,
    /// Under two minutes each; run by `make check-results`.
    Minutes,
}

/// The requested parts of a paper.
#[derive(Clone, Debug)]
pub struct Wanted(Vec<String>);

impl Wanted {
    /// Selects the parts called `names` from `all`; all of them if `names` is empty.
    ///
    /// # Errors
    /// If a name is not in `all`.
    pub fn of(names: &[String], all: &[&str]) -> Result<Wanted, String> {
        match names.iter().find(|name| !all.contains(&name.as_str())) {
            Some(name) => Err(format!("there is no part {name:?}: use {}", all.join(", "))),
            None => Ok(Wanted(names.to_vec())),
        }
    }

    /// Whether the part `name` is requested.
    pub fn has(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|wanted| wanted == name)
    }
}

/// Formats to about four digits.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        v if v >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.2e}"),
    }
}

/// The geometric mean of numbers above 0; it is 0 for an empty list.
pub fn geo_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += f64::ln(value);
        count += 1.0;
    }
    if count > 0.0 { f64::exp(sum / count) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_beside_published_ones() {
        let mut part = Part::new("table9", "nothing");
        part.model("one", "us", Some(2.0), 3.0);
        part.missing("two", "times", 589.0, "the paper gives an average only");
        part.remark("all of it is made up");
        let text = part.text();
        for line in
            ["  one  us          2.00      3.00   1.50  model", "the paper gives", "  * all"]
        {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(
            text.lines().nth(3).map(str::trim_end),
            Some("  two  times      589.0                   none")
        );
    }

    #[test]
    fn means_are_geometric() {
        assert!((geo_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert_eq!(geo_mean([]), 0.0);
    }
}
