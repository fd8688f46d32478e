//! Shows the effect of a change: compares two outputs of `halfgate reproduce --json`, or two files
//! of results, row by row.
//!
//! Rows are matched by part and name. All their fields must be equal, except for figures that
//! depend on wall-clock time. These are of two kinds:
//!
//! - The row is marked `timed`, or `how` is `measured` and the unit is a time or a rate.
//! - A second run of the old program gives another figure, such as a speed-up over this processor,
//!   or the memory of a process.
//!
//! Such a figure is not compared, nor whether it meets its target. Numbers in its note may differ,
//! but words may not.
//!
//! Whether a row was not run is not compared, since its figure shows it. The fields `part` and
//! `timed` are compared only if both sides have them: older commands and records do not.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The part for the targets of an output, or for all rows of a file of results.
const TARGETS: &str = "targets";
/// The field with a row's figure.
const FIGURE: &str = "measured";
/// The field that shows whether the figure meets its target.
const MET: &str = "met";
/// The field with the part of a row.
const PART: &str = "part";
/// The field that is set if a row is timed.
const TIMED: &str = "timed";
/// The field that is set if a row was not run because something it needs was missing.
const NOT_RUN: &str = "not_run";
/// Units of time.
const TIMES: [&str; 6] = ["ns", "us", "ms", "s", "min", "h"];

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part of the paper, or `targets`; numbered if several parts have this name.
    pub part: String,
    /// The row's name; empty for fields of the part outside its rows.
    pub row: String,
    /// The field; `row` if only one side has the row, `order` if the order of rows differs.
    pub field: String,
    /// The old value as JSON, or `absent`.
    pub old: String,
    /// The new value.
    pub new: String,
}

/// A figure that depends on wall-clock time.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The part.
    pub part: String,
    /// The row's name.
    pub row: String,
    /// The old figure.
    pub old: f64,
    /// The new figure.
    pub new: f64,
}

impl Timed {
    /// The larger figure divided by the smaller one.
    pub fn apart(&self) -> f64 {
        let ratio = (self.new / self.old).abs();
        if self.new == self.old { 1.0 } else { ratio.max(1.0 / ratio) }
    }
}

/// Result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of rows that both sides have.
    pub rows: usize,
    /// All differences, in the order of the old rows.
    pub differences: Vec<Difference>,
    /// Figures that were not compared.
    pub timed: Vec<Timed>,
}

/// A part and the name of a row in it.
type Key = (String, String);
type Row = Map<String, Value>;

/// Compares two outputs. `again` is the output of a second run of the old program, which may have
/// fewer parts.
///
/// # Errors
/// If a value is neither an output of `halfgate reproduce --json` nor a file of results.
pub fn compare(old: &Value, new: &Value, again: Option<&Value>) -> Result<Comparison, String> {
    compare_by(old, new, again, |old, new| old == new)
}

/// Like [`compare`], with `equal` deciding whether two fields are equal.
pub(crate) fn compare_by(
    old: &Value,
    new: &Value,
    again: Option<&Value>,
    equal: fn(&Value, &Value) -> bool,
) -> Result<Comparison, String> {
    let (old, new) = (rows(old)?, rows(new)?);
    let again: BTreeMap<Key, Row> = again.map_or(Ok(Vec::new()), rows)?.into_iter().collect();
    let new_rows: BTreeMap<&Key, &Row> = new.iter().map(|(key, row)| (key, row)).collect();
    let old_keys: BTreeSet<&Key> = old.iter().map(|(key, _)| key).collect();
    let mut found = Comparison::default();
    let compare_row = |key: &Key, sides, again, found: &mut Comparison| {
        compare_row(key, sides, again, equal, found);
    };
    for (key, row) in &old {
        match new_rows.get(key) {
            Some(new) => compare_row(key, [row, new], again.get(key), &mut found),
            None => found.differ(key, "row", [Some(&Value::from("present")), None]),
        }
    }
    for (key, _) in new.iter().filter(|(key, _)| !old_keys.contains(key)) {
        found.differ(key, "row", [None, Some(&Value::from("present"))]);
    }
    let order: [Vec<&Key>; 2] = [
        old.iter().map(|(key, _)| key).filter(|key| new_rows.contains_key(key)).collect(),
        new.iter().map(|(key, _)| key).filter(|key| old_keys.contains(key)).collect(),
    ];
    if let Some((old, new)) = order[0].iter().zip(&order[1]).find(|(old, new)| old != new) {
        found.differ(old, "order", [Some(&Value::from(&*old.1)), Some(&Value::from(&*new.1))]);
    }
    Ok(found)
}

impl Comparison {
    fn differ(&mut self, (part, row): &Key, field: &str, values: [Option<&Value>; 2]) {
        let [old, new] =
            values.map(|value| value.map_or("absent".to_owned(), |value| value.to_string()));
        let (part, row, field) = (part.clone(), row.clone(), field.to_owned());
        self.differences.push(Difference { part, row, field, old, new });
    }
}

fn compare_row(
    key: &Key,
    sides: [&Row; 2],
    again: Option<&Row>,
    equal: fn(&Value, &Value) -> bool,
    found: &mut Comparison,
) {
    found.rows += usize::from(!key.1.is_empty());
    let [old, new] = sides;
    let is_unsteady = |field: &str| again.is_some_and(|again| again.get(field) != old.get(field));
    let has = |row: &&Row, field: &str| row.get(field) == Some(&Value::Bool(true));
    let marked_timed = sides.iter().any(|row| has(row, TIMED));
    let is_timed =
        marked_timed || sides.iter().all(|row| is_time_or_rate(row)) || is_unsteady(FIGURE);
    let was_kept = sides.iter().any(|row| has(row, NOT_RUN));
    let figures = sides.map(|row| row.get(FIGURE).and_then(Value::as_f64));
    let has_time = is_timed && figures.iter().all(Option::is_some);
    if let (true, [Some(old), Some(new)]) = (has_time, figures) {
        let (part, row) = key.clone();
        found.timed.push(Timed { part, row, old, new });
    }
    for field in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let has_text = |note: &Value| note.as_str() != Some("");
        let notes = sides.map(|row| row.get(field).map(without_mark).filter(has_text));
        let values = match field.as_str() {
            "note" => notes.each_ref().map(Option::as_ref),
            _ => sides.map(|row| row.get(field)),
        };
        let may_differ = match field.as_str() {
            FIGURE | MET => has_time,
            NOT_RUN => true,
            // The note states when the row was run.
            "note" if was_kept => true,
            PART | TIMED if values.contains(&None) => true,
            _ => (is_timed || is_unsteady(field)) && differ_in_numbers_only(values),
        };
        let is_equal = match values {
            [Some(old), Some(new)] => equal(old, new),
            // A note that only states when the row was run, and none.
            [None, None] => true,
            _ => false,
        };
        if !is_equal && !may_differ {
            found.differ(key, field, values);
        }
    }
}

/// A note without the date, commit and machine of a row that was run apart from the others.
fn without_mark(note: &Value) -> Value {
    let marked = note.as_str().and_then(|text| {
        let (before, _) = text.split_once(", commit ")?;
        let (before, date) = before.rsplit_once("from ")?;
        (!date.contains(' ')).then(|| before.trim_end_matches("; ").to_owned())
    });
    marked.map_or_else(|| note.clone(), Value::String)
}

/// Whether a row is measured in units of wall-clock time.
fn is_time_or_rate(row: &Row) -> bool {
    let text = |field: &str| row.get(field).and_then(Value::as_str).unwrap_or_default();
    text("how") == "measured" && (TIMES.contains(&text("unit")) || text("unit").ends_with("/s"))
}

/// Whether both values are texts that differ only in their numbers.
fn differ_in_numbers_only(values: [Option<&Value>; 2]) -> bool {
    let words = |value: &Value| match value {
        Value::String(_) | Value::Array(_) => Some(without_numbers(&value.to_string())),
        _ => None,
    };
    let [old, new] = values.map(|value| value.and_then(words));
    old.is_some() && old == new
}

fn without_numbers(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if !c.is_ascii_digit() {
            words.push(c);
            continue;
        }
        words.push('#');
        while let Some(next) = characters.next_if(|c| c.is_ascii_digit() || ".,".contains(*c)) {
            // A full stop or comma after a number belongs to the sentence.
            if !next.is_ascii_digit() && !characters.peek().is_some_and(char::is_ascii_digit) {
                words.push(next);
            }
        }
    }
    words
}

/// All rows, in order. Fields of a part outside its rows form a row without a name. If a name of a
/// part, or of a row in its part, occurs more than once, a number is appended to it.
fn rows(output: &Value) -> Result<Vec<(Key, Row)>, String> {
    let list = |value: &Value, field: &str| value.get(field).and_then(Value::as_array).cloned();
    let mut parts = list(output, "parts").unwrap_or_default();
    let targets = list(output, "targets").or_else(|| list(output, "results"));
    let targets = targets.ok_or("neither an output of `halfgate reproduce --json` nor results")?;
    parts.push(serde_json::json!({ "name": TARGETS, "figures": targets }));
    let mut rows = Vec::new();
    let mut part_names = Names::default();
    for part in &parts {
        let mut own = part.as_object().cloned().ok_or("a part is not an object")?;
        let part_name = part_names.number(name(&own)?);
        let figures = list(part, "figures").ok_or_else(|| format!("{part_name}: no figures"))?;
        own.remove("figures");
        rows.push(((part_name.clone(), String::new()), own));
        let mut row_names = Names::default();
        for figure in figures {
            let row = figure.as_object().cloned();
            let row = row.ok_or_else(|| format!("{part_name}: a row is not an object"))?;
            rows.push(((part_name.clone(), row_names.number(name(&row)?)), row));
        }
    }
    Ok(rows)
}

/// Counts the occurrences of names.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    /// Returns `name`, or `name [2]` if it occurs for the second time.
    fn number(&mut self, name: String) -> String {
        let count = self.0.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} [{count}]") }
    }
}

fn name(row: &Row) -> Result<String, String> {
    let name = row.get("name").and_then(Value::as_str);
    name.map(str::to_owned).ok_or_else(|| "a part or row has no name".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Part;
    use crate::record::Figure;
    use serde_json::json;

    fn output(part: &Part, targets: &[Figure]) -> Value {
        json!({ "date": "today", "parts": [part], "targets": targets })
    }

    /// One row of each kind: counted, timed, from a model, and a speed-up over this processor.
    fn part(seconds: f64) -> Part {
        let mut part = Part::new("table1", "rows");
        part.measured("gates", "gates", Some(2.0), 3.0);
        part.measured("rate", "M gates/s", None, 1.0 / seconds);
        part.note(format!("spread {seconds} of 2.0."));
        part.model("cycles", "cycles", None, 0.1 + 0.2);
        part.model("faster", "times", None, seconds * 7.0);
        part
    }

    fn differences(old: &Value, new: &Value, again: Option<&Value>) -> Vec<[String; 3]> {
        let found = compare(old, new, again).expect("outputs").differences;
        found.into_iter().map(|found| [found.part, found.row, found.field]).collect()
    }

    #[test]
    fn dates_of_single_rows_are_not_compared() {
        let stripped = |note: &str| without_mark(&Value::from(note));
        assert_eq!(stripped("of 3; from 2026-11-26T00:00:00Z, commit abc, on another"), "of 3");
        assert_eq!(stripped("from 2026-11-26T00:00:00Z, commit abc"), "");
        assert_eq!(stripped("at 3 from there"), "at 3 from there");
        assert_eq!(stripped("from one, two, commit"), "from one, two, commit");
        let (old, mut new) = (output(&part(1.0), &[]), part(1.0));
        new.figures[2].note = "from 2026-11-26T00:00:00Z, commit abc".to_owned();
        assert!(differences(&old, &output(&new, &[]), None).is_empty(), "a row without a note");
    }

    #[test]
    fn only_wall_clock_figures_may_differ() {
        let of =
            |seconds| output(&part(seconds), &[Figure::measured("t", "s", seconds).at_most(2.0)]);
        let (old, new, again) = (of(1.5), of(3.5), of(1.75));
        assert_eq!(differences(&old, &new, None), [["table1", "faster", "measured"]]);
        let found = compare(&old, &new, Some(&again)).expect("outputs");
        assert_eq!(found.differences, []);
        assert_eq!(found.rows, 5);
        assert_eq!(found.timed.len(), 3);
        assert!(found.timed.iter().all(|timed| (timed.apart() - 3.5 / 1.5).abs() < 1e-9));
    }

    #[test]
    fn every_other_field_must_be_equal() {
        let old = output(&part(1.0), &[]);
        for (change, row, field) in [
            (0, "gates", "measured"),
            (1, "gates", "published"),
            (2, "cycles", "measured"),
            (3, "rate", "unit"),
            (4, "rate", "note"),
            (5, "rate", "measured"),
            (6, "rate", "how"),
            (7, "", "title"),
            (8, "", "notes"),
        ] {
            let mut new = part(1.0);
            match change {
                0 => new.figures[0].measured = Some(4.0),
                1 => new.figures[0].published = None,
                2 => new.figures[2].measured = Some(0.3),
                3 => new.figures[1].unit = "k gates/s".to_owned(),
                4 => new.figures[1].note = "range 1 of 2.0.".to_owned(),
                5 => new.figures[1].measured = None,
                6 => new.figures[1].how = crate::How::Model,
                7 => new.title = "other rows".to_owned(),
                _ => new.remark("a remark"),
            }
            let new = output(&new, &[]);
            assert_eq!(differences(&old, &new, Some(&old)), [["table1", row, field]]);
        }
    }

    #[test]
    fn added_removed_and_reordered_rows_are_differences() {
        let (old, mut new) = (part(1.0), part(1.0));
        new.figures.swap(0, 2);
        new.figures[3].name = "slower".to_owned();
        let (old, new) = (output(&old, &[]), output(&new, &[]));
        let expected = [["faster", "row"], ["slower", "row"], ["gates", "order"]];
        let found = differences(&old, &new, None);
        assert_eq!(
            found.iter().map(|found| [&*found[1], &*found[2]]).collect::<Vec<_>>(),
            expected
        );
        let mut twice = part(1.0);
        twice.figures.push(Figure::measured("gates", "gates", 9.0));
        let found = differences(&old, &output(&twice, &[]), None);
        assert_eq!(found, [["table1", "gates [2]", "row"]]);
        let parts = |seconds: [f64; 2]| json!({ "parts": seconds.map(part), "targets": [] });
        let (old, new) = (parts([1.0, 2.0]), parts([1.0, 3.0]));
        assert_eq!(differences(&old, &old, None), [[""; 3]; 0]);
        assert_eq!(differences(&old, &new, None), [["table1 [2]", "faster", "measured"]]);
    }

    #[test]
    fn files_of_results_are_compared_too() {
        let of = |value| json!({ "results": [Figure::measured("a", "LUT", value)] });
        assert_eq!(differences(&of(1.0), &of(1.0), None), [[""; 3]; 0]);
        assert_eq!(differences(&of(1.0), &of(2.0), None), [["targets", "a", "measured"]]);
        assert!(compare(&json!({}), &of(1.0), None).is_err());
    }

    #[test]
    fn numbers_leave_text() {
        assert_eq!(without_numbers("in 1,000.5 s, 3."), "in # s, #.");
        assert_ne!(without_numbers("6,400 tables"), without_numbers("6,400 rows"));
    }
}
