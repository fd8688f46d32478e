//! Hardware costs of the RTL: counts for FPGAs by Yosys, and place and route for one FPGA by
//! nextpnr.
//!
//! [`designs`] lists the designs, `tasks` what is measured of them, and [`report`] prints the
//! results. [`silicon`] has the parts for standard cells, with their [`activity`] in programs,
//! beside the paper's Table 4.

pub mod activity;
pub mod designs;
pub mod report;
pub mod silicon;
mod tasks;

use halfgate_record::record::Figure;
use halfgate_synthesis::Outcome;
use halfgate_synthesis::jobs::{self, Event};
use halfgate_synthesis::place::Placed;
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::Counts;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use tasks::Task;

/// Options of a synthesis.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders with SystemVerilog.
    pub rtl: Vec<PathBuf>,
    /// Folder for scripts, logs and netlists.
    pub work: PathBuf,
    /// Names of the [`STEPS`] to run; all if empty.
    pub steps: Vec<String>,
    /// Only designs whose names contain this; in the step `machines`, only whole machines.
    pub only: Option<String>,
    /// Time limit of each tool's run.
    pub limit: Duration,
    /// How many designs are measured at a time.
    pub jobs: NonZeroUsize,
}

/// The steps: name and description.
pub const STEPS: [(&str, &str); 4] = [
    ("units", "S-box, AES and half-gate units for ECP5 and UltraScale+"),
    ("machines", "haac-1ge (also folded) and haac-4ge, part by part, for ECP5 and UltraScale+"),
    ("place-units", "the half-gate units placed and routed on ECP5-85"),
    (
        "place",
        "haac-1ge with folded half gate, with short queues and with deep, placed and routed on ECP5-85",
    ),
];

/// All results.
#[derive(Default)]
pub struct Found {
    /// The tools' versions.
    pub tools: String,
    /// Counts of modules and machines on ECP5.
    pub ecp5: Vec<Outcome<Counts>>,
    /// Counts of modules and machines on UltraScale+.
    pub ultrascale: Vec<Outcome<Counts>>,
    /// Designs that were placed and routed.
    pub placed: Vec<Outcome<Placed>>,
}

impl Found {
    /// The figures for the record.
    pub fn figures(&self) -> Vec<Figure> {
        report::figures(self)
    }

    /// The designs that gave no figures.
    pub fn failed(&self) -> Vec<&str> {
        fn of<T>(list: &[Outcome<T>]) -> impl Iterator<Item = &str> {
            list.iter().filter(|(_, outcome)| outcome.is_err()).map(|(name, _)| name.as_str())
        }
        let counted = of(&self.ecp5).chain(of(&self.ultrascale));
        counted.chain(of(&self.placed)).collect()
    }
}

/// Synthesises the selected designs, several at a time. Calls `report` when one begins. Since a run
/// takes long, calls `save` after each with the results so far.
///
/// # Errors
/// If tools are missing, the sources cannot be read, or `save` fails. A design that fails does not
/// end the run: its entry in [`Found`] has the reason.
pub fn run(
    options: &Options,
    report: &mut dyn FnMut(&str),
    save: &mut dyn FnMut(&Found) -> Result<(), String>,
) -> Result<Found, String> {
    options.check()?;
    let tasks = tasks::plan(options)?;
    if let (Some(only), []) = (&options.only, tasks.as_slice()) {
        return Err(format!("no design of these steps has {only:?} in its name"));
    }
    let (tools, files) = Tools::open(&options.rtl, &options.work, options.limit)?;
    let count = tasks.len();
    let mut results: Vec<_> = tasks.iter().map(|_| None).collect();
    let work = |task: &Task| task.run(&tools, &files);
    jobs::run(&tasks, options.jobs, work, || tools.stop(), &mut |event| match event {
        Event::Started(number) => {
            report(&format!("{} ({} of {count})", tasks[number].title(), number + 1));
            Ok(())
        }
        Event::Ended(number, measured) => {
            results[number] = Some(measured);
            save(&Found::of(tools.versions(), &tasks, &results))
        }
    })?;
    Ok(Found::of(tools.versions(), &tasks, &results))
}

impl Options {
    /// Checks the steps.
    fn check(&self) -> Result<(), String> {
        if let Some(step) =
            self.steps.iter().find(|step| STEPS.iter().all(|(name, _)| name != step))
        {
            let names: Vec<_> = STEPS.iter().map(|(name, _)| *name).collect();
            return Err(format!("unknown step {step:?}: there are {}", names.join(", ")));
        }
        Ok(())
    }

    /// Whether a step is selected.
    fn wants(&self, step: &str) -> bool {
        self.steps.is_empty() || self.steps.iter().any(|s| s == step)
    }

    /// Whether a design with this name is selected.
    fn is_named(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_cannot_be_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = |step: &str| Options {
            rtl: vec![PathBuf::from("no-such-folder")],
            work: folder.path().to_owned(),
            steps: vec![step.to_owned()],
            only: None,
            limit: Duration::from_secs(1),
            jobs: NonZeroUsize::MIN,
        };
        for (step, why) in [("nonsense", "unknown step"), ("units", "no-such")] {
            let error = run(&options(step), &mut |_| (), &mut |_| Ok(())).err().unwrap_or_default();
            assert!(error.contains(why), "{step}: {error}");
        }
    }
}
