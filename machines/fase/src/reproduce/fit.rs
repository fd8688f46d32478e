//! Fits the machine's open parameters on half of the available netlists, and tests them on the
//! other half.
//!
//! The constants that the machines use ([`Open::FOUND`]) were chosen with all of these netlists in
//! view, so the machines' results predict nothing. Here the constants are fitted to the public
//! RTL's clocks on every second netlist. So the results on the other netlists are predictions.

use super::netlists::Found;
use halfgate_fase_model::paper::{self, Open};

/// The netlists for fitting: every second one, in the paper's order, of those whose clocks on the
/// public RTL are known.
pub const FITTED: [&str; 3] = ["Mill_8_8", "Hamm_32_32", "CORDIC_32_31"];

/// The values that are tried. `Open::end` needs no trial: no gate runs at the end of a netlist
/// cycle, so these clocks are simply added.
const FREE: std::ops::RangeInclusive<u64> = 1..=3;
const WAITING: std::ops::RangeInclusive<usize> = 0..=4;
const END: std::ops::RangeInclusive<u64> = 4..=16;

/// The fitted constants, and their results on all netlists.
pub struct Fitted {
    /// The constants.
    pub open: Open,
    clocks: Vec<(&'static str, [u64; 2])>,
}

impl Fitted {
    /// Fits the constants on the netlists of [`FITTED`], then runs all netlists in `given`. Returns
    /// `None` if one of [`FITTED`] is missing.
    ///
    /// # Errors
    /// If the model fails.
    pub fn of(given: &[Found], report: &mut dyn FnMut(&str)) -> Result<Option<Fitted>, String> {
        let find = |name: &&str| given.iter().find(|found| found.row.name == *name);
        let half: Vec<&Found> = FITTED.iter().filter_map(find).collect();
        if half.len() < FITTED.len() {
            return Ok(None);
        }
        let mut best = (f64::MAX, Open::FOUND);
        for free in FREE {
            for waiting in WAITING {
                report(&format!("fitting: {free} clocks a free gate, {waiting} labels wait"));
                let end = *END.start();
                let at = Open { free, end, waiting };
                let clocks = half.iter().map(|found| clocks(found, 1, at));
                let clocks = clocks.collect::<Result<Vec<u64>, String>>()?;
                for more in 0..=END.end() - end {
                    let off: f64 = half
                        .iter()
                        .zip(&clocks)
                        .map(|(found, &clocks)| {
                            let clocks = clocks + more * found.row.cycles;
                            (clocks as f64 / found.row.rtl - 1.0).powi(2)
                        })
                        .sum();
                    if off < best.0 {
                        best = (off, Open { end: end + more, ..at });
                    }
                }
            }
        }
        let open = best.1;
        let all = given
            .iter()
            .map(|found| Ok((found.row.name, [clocks(found, 1, open)?, clocks(found, 2, open)?])));
        let clocks = all.collect::<Result<Vec<_>, String>>()?;
        Ok(Some(Fitted { open, clocks }))
    }

    /// Returns the clocks on a netlist with one pipeline, and with two.
    pub fn clocks(&self, name: &str) -> Option<[u64; 2]> {
        self.clocks.iter().find(|(known, _)| *known == name).map(|(_, clocks)| *clocks)
    }

    /// The constants as text, for a note.
    pub fn text(&self) -> String {
        let Open { free, end, waiting } = self.open;
        format!(
            "{free} clocks a free gate, {end} at the end of a netlist cycle, {waiting} labels wait"
        )
    }

    /// Combines constants with the clocks that they lead to.
    #[cfg(test)]
    pub fn new(open: Open, clocks: Vec<(&'static str, [u64; 2])>) -> Fitted {
        Fitted { open, clocks }
    }
}

fn clocks(found: &Found, pipelines: usize, open: Open) -> Result<u64, String> {
    let code = paper::Code::of(&found.circuit, pipelines).with(open);
    let report = paper::run(&code, found.row.cycles);
    report.map(|report| report.clocks).map_err(|fault| format!("{}: {fault}", found.row.name))
}

#[cfg(test)]
mod tests {
    use super::super::netlists::given;
    use super::*;
    use std::path::PathBuf;

    /// Fitting on half of the netlists gives the values that were chosen with all in view.
    #[test]
    fn the_fit_on_half_is_near_what_the_machines_have() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let folder = folder.join("../../../shared/circuits/sequential");
        if !folder.is_dir() {
            println!("not run: {} is not there", folder.display());
            return;
        }
        let mut all = given(&folder).expect("netlists");
        let fitted = Fitted::of(&all, &mut |_| ()).expect("it runs").expect("all are there");
        // The fit finds that a free gate's label is ready in the next clock, and that few labels
        // wait.
        assert_eq!(fitted.open.free, Open::FOUND.free, "{}", fitted.text());
        // The model takes exactly the clocks that the fit computes.
        let off = |name: &str| {
            let found = all.iter().find(|found| found.row.name == name).expect(name);
            let [one, _] = fitted.clocks(name).expect(name);
            assert_eq!(one, clocks(found, 1, fitted.open).expect("it runs"));
            (one as f64 / found.row.rtl - 1.0).abs()
        };
        assert!(FITTED.into_iter().all(|name| off(name) < 0.05), "{}", fitted.text());
        all.retain(|found| found.row.name != FITTED[0]);
        assert!(Fitted::of(&all, &mut |_| ()).expect("no fit").is_none());
    }
}
