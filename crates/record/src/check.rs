//! Checks that the rows of a record can be reproduced.
//!
//! New rows are compared with the recorded rows of the same parts, field by field. Figures that
//! depend on the computer are not compared. Rows that were not run, because a netlist or a tool is
//! missing, are listed with the reason. Numbers are equal if they agree in twelve digits:
//! logarithms and powers of different computers do not agree in more.

use crate::compare::{Difference, compare_by};
use crate::record::{Figure, Results};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Largest relative difference of equal numbers.
const NEAR: f64 = 1e-12;

/// Result of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Number of rows that equal the record.
    pub same: usize,
    /// All differences.
    pub differences: Vec<Difference>,
    /// Number of rows whose figure depends on the computer; their other fields were compared.
    pub timed: usize,
    /// Rows that were not run, each with the reason.
    pub not_run: Vec<(String, String)>,
    /// For each part that was not requested: number of recorded rows.
    pub others: BTreeMap<String, usize>,
}

/// Compares `fresh`, all rows of `parts`, with a file of results.
///
/// # Errors
/// If the text is not a file of results.
pub fn check(recorded: &str, fresh: &[Figure], parts: &[&str]) -> Result<Checked, String> {
    let wrong = |error: serde_json::Error| format!("not a file of results: {error}");
    serde_json::from_str::<Results>(recorded).map_err(wrong)?;
    let parsed = |text: &str| serde_json::from_str::<Value>(text).map_err(wrong);
    let rows_of = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut recorded = rows_of(&parsed(recorded)?["results"]);
    // Both sides are parsed from text, so that digits are read alike.
    let text_of_fresh = serde_json::to_string(fresh).expect("figures are plain data");
    let mut rows = rows_of(&parsed(&text_of_fresh)?);

    let mut found = Checked::default();
    let not_run = fresh.iter().filter(|figure| figure.not_run);
    found
        .not_run
        .extend(not_run.map(|figure| (figure.name.clone(), figure.why_not_run().to_owned())));
    let left_out: BTreeSet<&str> = found.not_run.iter().map(|(name, _)| &**name).collect();
    rows.retain(|row| !left_out.contains(text(row, "name")));
    recorded.retain(|row| !left_out.contains(text(row, "name")));
    let names: BTreeSet<String> = rows.iter().map(|row| text(row, "name").to_owned()).collect();
    recorded.retain(|row| {
        let part = text(row, "part");
        // Older records do not name parts.
        let is_requested = match part {
            "" => names.contains(text(row, "name")),
            part => parts.contains(&part),
        };
        if !is_requested {
            *found.others.entry(part.to_owned()).or_default() += 1;
        }
        is_requested
    });

    let [old, new] = [recorded, rows].map(|rows| json!({ "results": rows }));
    let compared = compare_by(&old, &new, None, are_near)?;
    let different: BTreeSet<&str> = compared.differences.iter().map(|d| &*d.row).collect();
    let is_same = |row: &str| !different.contains(row);
    found.timed = compared.timed.iter().filter(|timed| is_same(&timed.row)).count();
    // A row that exists on one side only is not counted as compared.
    let both = compared.differences.iter().filter(|found| found.field != "row");
    found.same = compared.rows - found.timed - both.map(|d| &*d.row).collect::<BTreeSet<_>>().len();
    found.differences = compared.differences;
    Ok(found)
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn are_near(old: &Value, new: &Value) -> bool {
    match (old.as_f64(), new.as_f64()) {
        (Some(old), Some(new)) => (old - new).abs() <= NEAR * f64::max(old.abs(), new.abs()),
        _ => old == new,
    }
}

/// Prints a line for each difference and each row that was not run, and a summary line.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Difference { row, field, old, new, .. } in &self.differences {
            writeln!(f, "  DIFFERS: {row}: {field}: recorded {old}, now {new}")?;
        }
        for (row, why) in &self.not_run {
            writeln!(f, "  not run: {row}: {why}")?;
        }
        let others: usize = self.others.values().sum();
        write!(
            f,
            "  {} rows as recorded, {} differences; {} depend on the computer, {} not run here, \
             {others} of other parts",
            self.same,
            self.differences.len(),
            self.timed,
            self.not_run.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::in_part;

    fn rows() -> Vec<Figure> {
        let cycles = Figure::measured("cycles", "cycles", 0.1 + 0.2).at_most(1.0).note("of 3");
        let mut rows = in_part("table1", [cycles, Figure::measured("gates", "gates", 12_345.0)]);
        rows.extend(in_part(
            "table2",
            [
                Figure::measured("over this processor", "times", 7.0).timed().note("at 5.5 M/s"),
                Figure::measured("rate", "M gates/s", 7.0),
                Figure::measured("given", "clocks", 99.0),
            ],
        ));
        rows.push(Figure::measured("alone", "gates", 1.0));
        rows
    }

    /// Checks `fresh` against the record of [`rows`], with `change` made to its text.
    fn against(change: (&str, &str), fresh: &[Figure], parts: &[&str]) -> Checked {
        let text = serde_json::to_string_pretty(&Results::here(rows())).expect("plain data");
        assert!(text.contains(change.0), "{text}");
        check(&text.replacen(change.0, change.1, 1), fresh, parts).expect("a record")
    }

    fn fields(found: &Checked) -> Vec<[&str; 4]> {
        let each = found.differences.iter();
        each.map(|d| [&*d.row, &*d.field, &*d.old, &*d.new]).collect()
    }

    #[test]
    fn equal_rows_pass_the_check() {
        let mut fresh = rows();
        fresh.pop();
        // Numbers with another rounding error, and figures of another computer.
        fresh[0].measured = Some(0.3);
        fresh[2].measured = Some(9.0);
        fresh[2].note = "at 7.25 M/s".to_owned();
        fresh[3].measured = Some(8.0);
        let found = against(("12345.0", "12345.0"), &fresh, &["table1", "table2"]);
        assert_eq!(fields(&found), [[""; 4]; 0]);
        assert_eq!((found.same, found.timed), (3, 2));
        assert_eq!(found.others, [(String::new(), 1)].into());
    }

    #[test]
    fn a_changed_digit_is_found_and_named() {
        let fresh = rows();
        for (change, wanted) in [
            (("12345.0", "12346.0"), ["gates", "measured", "12346.0", "12345.0"]),
            (("0.30000000000000004", "0.3000001"), ["cycles", "measured", "0.3000001", ""]),
            (("of 3", "of 4"), ["cycles", "note", "\"of 4\"", "\"of 3\""]),
            (("\"met\": true", "\"met\": false"), ["cycles", "met", "false", "true"]),
            (("at 5.5 M/s", "at 5.5 K/s"), ["over this processor", "note", "", ""]),
        ] {
            let found = against(change, &fresh[..5], &["table1", "table2"]);
            let [difference] = &fields(&found)[..] else { panic!("{change:?}: {found}") };
            let is = |(found, wanted): (&&str, &str)| wanted.is_empty() || *found == wanted;
            assert!(difference.iter().zip(wanted).all(is), "{difference:?}");
            assert!(found.to_string().contains(&format!("DIFFERS: {}: ", wanted[0])), "{found}");
            assert_eq!(found.same + found.timed, 4, "{found}");
        }
    }

    #[test]
    fn a_row_on_one_side_only_is_a_difference_unless_it_was_not_run() {
        let none = ("12345.0", "12345.0");
        let found = against(none, &rows()[1..5], &["table1", "table2"]);
        assert_eq!(fields(&found), [["cycles", "row", "\"present\"", "absent"]]);
        let mut more = in_part("table1", [Figure::measured("more", "gates", 1.0)]);
        more.extend(rows().drain(..2));
        let found = against(none, &more, &["table1"]);
        assert_eq!(fields(&found), [["more", "row", "absent", "\"present\""]]);
        assert_eq!(found.others, [(String::new(), 1), ("table2".to_owned(), 3)].into());
        // A missing figure is a difference; a figure that needs a netlist is not.
        let gone = |figure: Figure| {
            let mut fresh = rows();
            fresh[4] = in_part("table2", [figure]).remove(0);
            against(none, &fresh[..5], &["table1", "table2"])
        };
        let found = gone(Figure::missing("given", "clocks", "nobody knows"));
        let wanted = [["given", "measured", "99.0", "null"], ["given", "note", "absent", ""]];
        assert_eq!(fields(&found)[0], wanted[0]);
        assert_eq!(fields(&found)[1][..3], wanted[1][..3]);
        let found = gone(Figure::not_run("given", "clocks", "wants a netlist"));
        assert_eq!(fields(&found), [[""; 4]; 0]);
        assert_eq!(found.not_run, [("given".to_owned(), "wants a netlist".to_owned())]);
        assert!(found.to_string().contains("not run: given: wants a netlist"), "{found}");
    }

    /// A row that a record kept without running it is compared when it runs again.
    #[test]
    fn a_kept_row_is_compared_but_for_its_note() {
        let kept = |measured| {
            let mut older = Results::here(rows());
            older.results[4].measured = Some(measured);
            let given = Figure::not_run("given", "clocks", "wants a netlist");
            let mut now = Results::here(in_part("table2", [given]));
            now.keep_not_run(&older);
            let text = serde_json::to_string(&now).expect("plain data");
            check(&text, &rows()[4..5], &["table2"]).expect("a record")
        };
        assert_eq!(fields(&kept(99.0)), [[""; 4]; 0]);
        assert_eq!(fields(&kept(98.0)), [["given", "measured", "98.0", "99.0"]]);
    }

    #[test]
    fn a_record_without_parts_is_compared_by_row_names() {
        let mut older = rows();
        older.iter_mut().for_each(|row| row.part.clear());
        older[1].measured = Some(1.0);
        let text = serde_json::to_string(&Results::here(older)).expect("plain data");
        let found = check(&text, &rows()[..2], &["table1"]).expect("a record");
        assert_eq!(fields(&found), [["gates", "measured", "1.0", "12345.0"]]);
        assert_eq!(found.others, [(String::new(), 4)].into());
    }

    #[test]
    fn an_invalid_record_is_refused() {
        for text in ["", "{}", "[1]", "{\"results\": 1}", "{\"results\": [1]}"] {
            assert!(check(text, &rows(), &[]).is_err(), "{text}");
        }
    }
}
