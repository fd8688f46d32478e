//! The eight programs in two forms: with our circuits, and with the paper's.

use super::lab::Source;
use super::vip::{self, Vip};
use super::{QUICK, Want};
use halfgate_programs::vip::VIP;
use halfgate_record::part::Part;
use halfgate_record::record::Figure;

/// Results of the programs.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    /// With our circuits.
    pub ours: Vec<Vip>,
    /// With the circuits that the paper counts, if they exist; otherwise with ours.
    pub published: Vec<Vip>,
}

impl Sets {
    /// Runs the requested parts on all programs.
    ///
    /// # Errors
    /// As for [`vip::measure`].
    pub fn measure(want: &Want, report: &mut dyn FnMut(&str)) -> Result<Sets, String> {
        let mut sets = Sets::default();
        for (benchmark, quick) in VIP.iter().zip(QUICK) {
            let spec = |whole| if want.quick { quick } else { whole };
            report(&format!("{}: {}", benchmark.paper, spec(benchmark.program)));
            let ours = Source::ours(spec(benchmark.program));
            let ours = vip::measure(benchmark, ours, want, report)?;
            let published = match benchmark.published {
                Some(published) => {
                    let spec = spec(published.program);
                    report(&format!("{} as published: {spec}", benchmark.paper));
                    let source = Source { spec, as_published: true };
                    vip::measure(benchmark, source, want, report)?
                }
                None => ours.clone(),
            };
            sets.ours.push(ours);
            sets.published.push(published);
        }
        Ok(sets)
    }

    /// Rows of our circuits, then those rows of the paper's circuits that differ. Rows over all
    /// programs have the same name for both circuits, so the second one is marked as that of the
    /// paper's circuits.
    pub fn join(&self, rows: impl Fn(&[Vip]) -> Vec<Figure>) -> Vec<Figure> {
        let mut all = rows(&self.ours);
        for mut row in rows(&self.published) {
            match all.iter().find(|other| other.name == row.name) {
                Some(same) if same.measured == row.measured => continue,
                Some(_) => row.name.push_str(", circuits as published"),
                None => (),
            }
            all.push(row);
        }
        all
    }

    /// As [`join`](Sets::join), for parts.
    pub fn part(&self, part: impl Fn(&[Vip]) -> Part) -> Part {
        let mut joined = part(&self.ours);
        joined.figures = self.join(|vips| part(vips).figures);
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_both_forms_stand_beside_each_other() {
        let want = Want { table2: true, quick: true, ..Want::default() };
        let source = |as_published| Source { spec: "relu:2x8", as_published };
        let of = |as_published| {
            vip::measure(&VIP[6], source(as_published), &want, &mut |_| ()).expect("it runs")
        };
        let sets = Sets { ours: vec![of(false), of(false)], published: vec![of(true), of(false)] };
        let rows = sets.join(|vips| {
            let gates: u64 = vips.iter().map(|vip| vip.circuit.gates).sum();
            let each = |vip: &Vip| Figure::measured(&vip.name, "", vip.circuit.gates as f64);
            let all = Figure::measured("all", "", gates as f64);
            vips.iter().map(each).take(1).chain([all]).collect()
        });
        let found: Vec<(&str, Option<f64>)> =
            rows.iter().map(|row| (&row.name[..], row.measured)).collect();
        // Ours has an AND and an XOR for each bit except the sign; the paper's an AND for each bit,
        // and an inversion.
        let [ours, theirs] = [28.0, 18.0];
        let wanted = [
            ("ReLU", ours),
            ("all", 2.0 * ours),
            ("ReLU as published", theirs),
            ("all, circuits as published", ours + theirs),
        ];
        assert_eq!(found, wanted.map(|(name, value)| (name, Some(value))));
    }
}
