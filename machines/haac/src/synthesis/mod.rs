//! Hardware costs of the RTL: counts for FPGAs by Yosys, and place and route for one FPGA by
//! nextpnr.
//!
//! [`designs`] lists the designs, and [`report`] prints the results. [`silicon`] has the parts for
//! standard cells, with their [`activity`] in programs, beside the paper's Table 4.

pub mod activity;
pub mod designs;
pub mod report;
pub mod silicon;

use designs::Machine;
use halfgate_record::record::Figure;
use halfgate_synthesis::place::{self, Placed};
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use halfgate_synthesis::{Design, Outcome, sources};
use std::path::PathBuf;
use std::time::Duration;

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

    /// Whether no design was selected.
    fn is_empty(&self) -> bool {
        let counted = self.ecp5.len() + self.ultrascale.len();
        counted + self.placed.len() == 0
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

/// Synthesises the selected designs, one after the other. Calls `report` with the progress. Since a
/// run takes long, calls `save` after each design with the results so far.
///
/// # Errors
/// If tools are missing, the sources cannot be read, or `save` fails. A design
/// that fails does not end the run: its entry in [`Found`] has the reason.
pub fn run(
    options: &Options,
    report: &mut dyn FnMut(&str),
    save: &mut dyn FnMut(&Found) -> Result<(), String>,
) -> Result<Found, String> {
    options.check()?;
    let (files, hash) = sources(&options.rtl, &options.work)?;
    let tools = Tools::find(&options.work, options.limit, hash)?;
    let found = Found { tools: tools.versions(), ..Found::default() };
    let mut steps = Steps { options, tools, files, found, report, save };
    steps.run()?;
    match &options.only {
        Some(only) if steps.found.is_empty() => {
            Err(format!("no design of these steps has {only:?} in its name"))
        }
        _ => Ok(steps.found),
    }
}

impl Options {
    /// Checks the steps and their files, and makes the working folder.
    fn check(&self) -> Result<(), String> {
        if let Some(step) =
            self.steps.iter().find(|step| STEPS.iter().all(|(name, _)| name != step))
        {
            let names: Vec<_> = STEPS.iter().map(|(name, _)| *name).collect();
            return Err(format!("unknown step {step:?}: there are {}", names.join(", ")));
        }
        std::fs::create_dir_all(&self.work).map_err(|e| format!("{}: {e}", self.work.display()))
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

/// The [`STEPS`] of a run, and the results so far.
struct Steps<'r> {
    options: &'r Options,
    tools: Tools,
    files: Vec<String>,
    found: Found,
    report: &'r mut dyn FnMut(&str),
    save: &'r mut dyn FnMut(&Found) -> Result<(), String>,
}

impl Steps<'_> {
    fn run(&mut self) -> Result<(), String> {
        let (garbler, evaluator) =
            (Machine::new("haac-1ge", true)?, Machine::new("haac-1ge", false)?);
        let folded = Machine::new("haac-1ge", true)?.folded();
        if self.options.wants("units") {
            self.count_units()?;
        }
        if self.options.wants("machines") {
            let four = [Machine::new("haac-4ge", true)?, Machine::new("haac-4ge", false)?];
            let machines = [&garbler, &evaluator, &folded].into_iter().chain(&four);
            self.count_machines(&machines.collect::<Vec<_>>())?;
        }
        if self.options.wants("place-units") {
            // Small designs first, since the largest take longest.
            for design in designs::units().iter().filter(|design| design.top != "aes_round").rev() {
                self.place(design)?;
            }
        }
        if self.options.wants("place") {
            let small = Machine::new("haac-1ge", false)?.folded().short();
            for machine in [&small, &Machine::new("haac-1ge", true)?.folded().short(), &folded] {
                self.place(&machine.whole(128))?;
            }
            // It does not route (docs/rtl/synthesis.md), so it is tried only if it is named.
            if self.options.only.is_some() {
                self.place(&evaluator.whole(128))?;
            }
        }
        Ok(())
    }

    fn count_units(&mut self) -> Result<(), String> {
        let mut both = vec![designs::sbox(true), designs::sbox(false), designs::free_xor()];
        both.extend(designs::units());
        for design in both.iter().filter(|design| self.options.is_named(&design.name)) {
            for family in [Family::Ecp5, Family::UltraScalePlus] {
                self.count(design, family)?;
            }
        }
        Ok(())
    }

    fn count_machines(&mut self, machines: &[&Machine]) -> Result<(), String> {
        // UltraScale+ comes first, as Yosys is several times as fast for it.
        for family in [Family::UltraScalePlus, Family::Ecp5] {
            for machine in machines.iter().filter(|m| self.options.is_named(&m.title())) {
                for part in machine.parts() {
                    self.count(&part.design, family)?;
                }
                add_up(machine, self.found.list(family));
                (self.save)(&self.found)?;
            }
        }
        Ok(())
    }

    /// Counts a design.
    fn count(&mut self, design: &Design, family: Family) -> Result<(), String> {
        (self.report)(&format!("{}: {}", design.name, family.name()));
        let counts = yosys::count(&self.tools, &self.files, design, family);
        self.found.list(family).push((design.name.clone(), counts));
        (self.save)(&self.found)
    }

    /// Places and routes a design, if it is selected.
    fn place(&mut self, design: &Design) -> Result<(), String> {
        if !self.options.is_named(&design.name) {
            return Ok(());
        }
        (self.report)(&format!("{}: place and route", design.name));
        let placed = place::place(&self.tools, &self.files, design);
        self.found.placed.push((design.name.clone(), placed));
        (self.save)(&self.found)
    }
}

/// Adds up the parts of a machine, which are the last entries of `list`. Each counts as often as
/// the machine has it.
fn add_up(machine: &Machine, list: &mut Vec<Outcome<Counts>>) {
    let parts = machine.parts();
    let last = &list[list.len() - parts.len()..];
    let sum = parts.iter().zip(last).try_fold(Counts::default(), |sum, (part, (_, counts))| {
        let counts = counts.as_ref().map_err(|_| "a part of it failed".to_owned())?;
        Ok(sum.plus(*counts, part.count))
    });
    let name = format!("{}: sum, {} engine(s)", machine.title(), machine.engines);
    list.push((name, sum));
}

impl Found {
    fn list(&mut self, family: Family) -> &mut Vec<Outcome<Counts>> {
        match family {
            Family::Ecp5 => &mut self.ecp5,
            // No design is synthesised for 7 series. Its cells would be counted in the same way.
            Family::UltraScalePlus | Family::Series7 => &mut self.ultrascale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_the_sum_of_its_parts_unless_one_failed() {
        let machine = Machine::new("haac-4ge", false).expect("a machine");
        let luts = |luts| ("part".to_owned(), Ok(Counts { luts, ..Counts::default() }));
        let mut list = vec![luts(7), luts(1), luts(10), luts(100), luts(1000)];
        add_up(&machine, &mut list);
        let (name, sum) = list.last().expect("a sum");
        assert_eq!(name, "haac-4ge evaluator: sum, 4 engine(s)");
        assert_eq!(sum.as_ref().map(|sum| sum.luts), Ok(4 * 11 + 1100));
        list[2].1 = Err("too large".to_owned());
        list.truncate(5);
        add_up(&machine, &mut list);
        assert!(list[5].1.is_err());
    }

    #[test]
    fn steps_that_cannot_be_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = |step: &str| Options {
            rtl: vec![PathBuf::from("no-such-folder")],
            work: folder.path().to_owned(),
            steps: vec![step.to_owned()],
            only: None,
            limit: Duration::from_secs(1),
        };
        for (step, why) in [("nonsense", "unknown step"), ("units", "no-such")] {
            let error = run(&options(step), &mut |_| (), &mut |_| Ok(())).err().unwrap_or_default();
            assert!(error.contains(why), "{step}: {error}");
        }
    }
}
