//! Tables 5 to 9 and 11: the paper's overlays on the model, beside the published times.

use super::published;
use super::steps::{Row, STEPS, Step, fit, rows};
use halfgate_record::part::{Part, geo_mean};
use halfgate_record::record::{Figure, How};

/// All rows, and the two waits of the host that are fitted on them.
pub struct Times {
    rows: Vec<Row>,
    fitted: [f64; 2],
}

/// The tables, with their titles.
const TABLES: [(&str, &str); 6] = [
    ("table5", "5 or 10 AND cells, one XOR cell, labels in DDR, a handshake for each XOR"),
    ("table6", "without handshakes for XORs"),
    ("table7", "labels that are used directly are in block RAM"),
    ("table8", "labels that are used most frequently are in block RAM"),
    ("table9", "as many XOR cells as AND cells, two clocks"),
    ("table11", "all of these changes"),
];

/// Why the times of these tables have no verdict.
const WAITS: &str = "two waits of the host are fitted on the multipliers of 8, 16 and 32 bits, the \
                     published clocks are assumed, and circuits are built from Table 1's counts";

/// A second reason, for Table 8.
const ASSUMED: &str =
    "that wires which are read once stay in DDR is assumed, since these times say so";

/// Why speed-ups over software have no verdict.
const FLEXSC: &str = "FlexSC was not run here: its times are the paper's, of a Core i7 at 3.6 GHz; \
                      `--only software` has one core of this processor in its place";

impl Times {
    /// Runs all rows on the model.
    ///
    /// # Errors
    /// If a circuit cannot be built or the model fails.
    pub fn run(report: &mut dyn FnMut(&str)) -> Result<Times, String> {
        let rows = rows(report)?;
        let fitted = fit(&rows);
        Ok(Times { rows, fitted })
    }

    /// The tables, one part each.
    pub fn parts(&self) -> Vec<Part> {
        let [r, s] = self.fitted;
        let constants = format!(
            "fitted on the multipliers of 8, 16 and 32 bits: a handshake after an XOR takes {r:.2} us, and any other wait of the \
             host {s:.2} us; all other values are from the paper's text"
        );
        let part = |(name, title)| {
            let mut part = Part::new(name, title);
            for row in self.rows.iter().filter(|row| row.step.table == name) {
                let what = format!("{}, {}", row.problem.name, row.step.what);
                part.model(&what, "us", Some(row.published), row.time(self.fitted));
                if row.is_fitted() {
                    part.note("used for fitting");
                }
            }
            part.remark(&constants);
            if name == "table8" {
                part.remark(
                    "the block RAM of section 3.4.2 (13 Mbit) would hold all wires of these problems. But with this policy the \
                     published overlay was not faster than with the other one, so it must have kept more labels in DDR. We \
                     assume that wires that are read once are not in block RAM, which the text does not say",
                );
            }
            if name == "table11" {
                part.remark("row 11 is left out, because its circuit is unknown");
            }
            part
        };
        TABLES.into_iter().map(part).collect()
    }

    /// Fitted time `S`, in microseconds: how long the host takes to notice that the overlay has
    /// finished, and to continue.
    pub fn wait_us(&self) -> f64 {
        self.fitted[1]
    }

    /// Speed-ups over FlexSC for the rows of Table 11: with the published times of the overlay, and
    /// with the modelled times. Rows that are used for fitting are left out.
    fn speed_ups(&self) -> Vec<(&'static str, f64, f64)> {
        let software = |problem: &str| {
            let found = published::times().into_iter().find(|times| times.name == problem);
            found.and_then(|times| times.software_ms)
        };
        let rows = self.rows.iter().filter(|row| row.step.table == "table11" && !row.is_fitted());
        rows.filter_map(|row| {
            let us = software(row.problem.name)? * 1000.0;
            Some((row.problem.name, us / row.published, us / row.time(self.fitted)))
        })
        .collect()
    }

    /// The paper's most prominent figures: speed-ups of the published overlay over FlexSC.
    pub fn headlines(&self) -> Vec<Figure> {
        let rows = self.speed_ups();
        let figure = |name: &str, published: f64, value: f64, note: String| {
            let figure = Figure::measured(name, "times", value).published(published);
            let figure = figure.at_least(published).note(note).unlike(FLEXSC).headline();
            Figure { how: How::Model, ..figure }
        };
        let mut all = Vec::new();
        let extremes = [("least", 6.21), ("most", 45.78)];
        for (which, published) in extremes {
            let near = |row: &&(&str, f64, f64)| (row.1 / published - 1.0).abs() < 0.02;
            if let Some((problem, _, ours)) = rows.iter().find(near) {
                let name = format!("speed-up over FlexSC, {which} of Table 11: {problem}");
                let note = "the published overlay on our model over FlexSC's published time";
                all.push(figure(&name, published, *ours, note.to_owned()));
            }
        }
        let mean = |of: fn(&(&str, f64, f64)) -> f64| geo_mean(rows.iter().map(of));
        let count = rows.len();
        let note = format!(
            "geometric mean of {count} rows, published and ours, which the paper does not give: \
             without those that were fitted on, and without row 11, whose circuit nobody knows"
        );
        let name = "speed-up over FlexSC, mean of Table 11";
        all.push(figure(name, mean(|row| row.1), mean(|row| row.2), note));
        all
    }

    /// The published time of a problem in Table 11, in microseconds.
    pub fn last(&self, spec: &str) -> Option<f64> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.step.table == "table11" && row.problem.spec == spec)?;
        Some(row.published)
    }

    /// The targets of the tables.
    pub fn targets(&self) -> Vec<Figure> {
        let model = |figure: Figure| Figure { how: How::Model, ..figure };
        let mut figures = Vec::new();
        for (table, _) in TABLES {
            let own: Vec<&Row> = self
                .rows
                .iter()
                .filter(|row| row.step.table == table && !row.is_fitted())
                .collect();
            let far = |row: &&&Row| (row.time(self.fitted) / row.published - 1.0).abs() > 0.2;
            let outside: Vec<String> = own
                .iter()
                .filter(far)
                .map(|row| {
                    let ratio = row.time(self.fitted) / row.published;
                    format!("{}, {}: {ratio:.2}", row.problem.name, row.step.what)
                })
                .collect();
            let name = format!(
                "SIFO, {table}: rows within 20 % of the published time, of {} that are not fitted on",
                own.len()
            );
            let near = (own.len() - outside.len()) as f64;
            let figure = Figure::measured(&name, "rows", near).at_least(own.len() as f64);
            let figure =
                Figure { part: table.to_owned(), ..model(figure).note(outside.join("; ")) };
            // A row whose explanation uses the published times does not predict them.
            let why = match table {
                "table8" => format!("{WAITS}; {ASSUMED}"),
                _ => WAITS.to_owned(),
            };
            figures.push(figure.unlike(&why));
        }
        let (against, all) = self.directions();
        let kept = all - against.len();
        let name = format!("SIFO: steps that go in the published direction, of {all}");
        let figure = Figure::measured(&name, "rows", kept as f64).at_least(all as f64);
        let steps = Figure { part: "table11".to_owned(), ..figure.note(against.join("; ")) };
        figures.push(model(steps));
        figures
    }

    /// Returns pairs of steps for which the modelled time of a problem changes in another direction
    /// than the published time; and the number of all pairs.
    fn directions(&self) -> (Vec<String>, usize) {
        let of = |step: &Step| {
            let (table, what) = (step.table, step.what);
            self.rows.iter().filter(move |row| row.step.table == table && row.step.what == what)
        };
        let pairs = [(0, 1), (1, 2), (2, 3), (5, 6), (6, 7), (3, 8)];
        let (mut against, mut all) = (Vec::new(), 0);
        for (before_step, after) in pairs {
            for row in of(&STEPS[after]) {
                let mut befores = of(&STEPS[before_step]);
                let Some(before) = befores.find(|other| other.problem == row.problem) else {
                    continue;
                };
                all += 1;
                let published = row.published <= before.published;
                // A change below a thousandth agrees with either direction.
                let (a, b) = (row.time(self.fitted), before.time(self.fitted));
                if (a <= b) != published && (a - b).abs() > b * 0.001 {
                    let (from, to) = (STEPS[before_step].table, row.step.table);
                    against
                        .push(format!("{}, {from} to {to}: {b:.0} to {a:.0} us", row.problem.name));
                }
            }
        }
        (against, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use published::problems;

    #[test]
    fn headlines_leave_out_rows_that_are_fitted_on() {
        let [.., step] = STEPS;
        let row = |problem: usize, published, base| {
            let problem = problems()[problem];
            Row { step, problem, published, base, waits: [0.0; 2] }
        };
        // The 6-bit adder, a multiplier used for fitting, and the largest product of matrices.
        let rows = vec![row(0, 45.0, 90.0), row(4, 293.0, 1.0), row(12, 170_895.0, 170_895.0)];
        let rows = Times { rows, fitted: [0.0; 2] }.headlines();
        assert_eq!(rows.len(), 3);
        let [least, most, mean] = &rows[..] else { panic!("three rows") };
        assert!((least.measured.expect("a figure") - 6.21).abs() < 0.01, "{least:?}");
        assert!((most.measured.expect("a figure") - 45.78 / 2.0).abs() < 0.01, "{most:?}");
        let [published, ours] = [mean.published, mean.measured].map(|found| found.expect("a mean"));
        assert!((published / ours - 2f64.sqrt()).abs() < 1e-9, "{mean:?}");
        assert!(rows.iter().all(|row| row.headline && row.met.is_none()));
    }
}
