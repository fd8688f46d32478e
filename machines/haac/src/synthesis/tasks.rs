//! What is measured of which design, step by step.

use super::designs::{self, Machine};
use super::{Found, Options};
use halfgate_synthesis::place::{self, Placed};
use halfgate_synthesis::tools::Tools;
use halfgate_synthesis::yosys::{self, Counts, Family};
use halfgate_synthesis::{Design, Outcome};

/// A design, and what is measured of it.
pub struct Task {
    design: Design,
    kind: Kind,
    /// The machine of which it is the last part.
    completes: Option<Sum>,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Its cells.
    Count(Family),
    /// Its clock rate and what it takes of a chip.
    Place,
}

/// A machine, which is the sum of its parts.
struct Sum {
    name: String,
    family: Family,
    /// How often it has each part.
    counts: Vec<u64>,
}

/// The result of a task.
pub enum Measured {
    /// Cells of a family.
    Counted(Family, Result<Counts, String>),
    /// A clock rate.
    Placed(Result<Placed, String>),
}

/// The tasks of the selected steps.
///
/// # Errors
/// If a machine has no description.
pub fn plan(options: &Options) -> Result<Vec<Task>, String> {
    let named = |task: &Task| options.is_named(&task.design.name);
    let placed = |design| Task::of(design, Kind::Place);
    let mut tasks = Vec::new();
    if options.wants("units") {
        tasks.extend(units().filter(named));
    }
    if options.wants("machines") {
        tasks.extend(machines(options)?);
    }
    if options.wants("place-units") {
        // Small designs first, since the largest take longest.
        let units = designs::units().into_iter().filter(|design| design.top != "aes_round").rev();
        tasks.extend(units.map(placed).filter(named));
    }
    if options.wants("place") {
        let folded = |garbler| Machine::new("haac-1ge", garbler).map(Machine::folded);
        let mut machines = vec![folded(false)?.short(), folded(true)?.short(), folded(true)?];
        // It does not route (docs/rtl/synthesis.md), so it is tried only if it is named.
        if options.only.is_some() {
            machines.push(Machine::new("haac-1ge", false)?);
        }
        tasks.extend(machines.iter().map(|machine| placed(machine.whole(128))).filter(named));
    }
    Ok(tasks)
}

fn units() -> impl Iterator<Item = Task> {
    let small = [designs::sbox(true), designs::sbox(false), designs::free_xor()];
    small.into_iter().chain(designs::units()).flat_map(|design| {
        [Family::Ecp5, Family::UltraScalePlus]
            .map(|family| Task::of(design.clone(), Kind::Count(family)))
    })
}

fn machines(options: &Options) -> Result<Vec<Task>, String> {
    let one = |garbler| Machine::new("haac-1ge", garbler);
    let four = |garbler| Machine::new("haac-4ge", garbler);
    let mut machines =
        vec![one(true)?, one(false)?, one(true)?.folded(), four(true)?, four(false)?];
    machines.retain(|machine| options.is_named(&machine.title()));
    // UltraScale+ comes first, as Yosys is several times as fast for it.
    let families = [Family::UltraScalePlus, Family::Ecp5];
    Ok(families.iter().flat_map(|family| machines.iter().flat_map(|m| parts(m, *family))).collect())
}

fn parts(machine: &Machine, family: Family) -> Vec<Task> {
    let parts = machine.parts();
    let counts = parts.iter().map(|part| part.count).collect();
    let mut tasks: Vec<_> =
        parts.into_iter().map(|part| Task::of(part.design, Kind::Count(family))).collect();
    let name = format!("{}: sum, {} engine(s)", machine.title(), machine.engines);
    if let Some(last) = tasks.last_mut() {
        last.completes = Some(Sum { name, family, counts });
    }
    tasks
}

impl Task {
    fn of(design: Design, kind: Kind) -> Task {
        Task { design, kind, completes: None }
    }

    /// The design, and what is measured of it.
    pub fn title(&self) -> String {
        let what = match self.kind {
            Kind::Count(family) => family.name(),
            Kind::Place => "place and route",
        };
        format!("{}: {what}", self.design.name)
    }

    /// Measures it.
    pub fn run(&self, tools: &Tools, files: &[String]) -> Measured {
        match self.kind {
            Kind::Count(family) => {
                Measured::Counted(family, yosys::count(tools, files, &self.design, family))
            }
            Kind::Place => Measured::Placed(place::place(tools, files, &self.design)),
        }
    }
}

impl Found {
    /// Puts what was found so far in the order of the tasks, and adds up machines of which all
    /// parts were measured.
    pub fn of(tools: String, tasks: &[Task], results: &[Option<Measured>]) -> Found {
        let mut found = Found { tools, ..Found::default() };
        for (number, task) in tasks.iter().enumerate() {
            let name = task.design.name.clone();
            match &results[number] {
                Some(Measured::Counted(family, counts)) => {
                    found.list(*family).push((name, counts.clone()));
                }
                Some(Measured::Placed(placed)) => found.placed.push((name, placed.clone())),
                None => {}
            }
            if let Some(sum) = &task.completes {
                let parts = number + 1 - sum.counts.len()..=number;
                if results[parts].iter().all(Option::is_some) {
                    sum.add_up(found.list(sum.family));
                }
            }
        }
        found
    }

    fn list(&mut self, family: Family) -> &mut Vec<Outcome<Counts>> {
        match family {
            Family::Ecp5 => &mut self.ecp5,
            // No design is synthesised for 7 series. Its cells would be counted in the same way.
            Family::UltraScalePlus | Family::Series7 => &mut self.ultrascale,
        }
    }
}

impl Sum {
    /// Adds up the parts of the machine, which are the last entries of `list`.
    fn add_up(&self, list: &mut Vec<Outcome<Counts>>) {
        let last = &list[list.len() - self.counts.len()..];
        let sum =
            self.counts.iter().zip(last).try_fold(Counts::default(), |sum, (n, (_, counts))| {
                let counts = counts.as_ref().map_err(|_| "a part of it failed".to_owned())?;
                Ok(sum.plus(*counts, *n))
            });
        list.push((self.name.clone(), sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;
    use std::path::PathBuf;
    use std::time::Duration;

    fn planned(steps: &[&str], only: Option<&str>) -> Vec<Task> {
        let options = Options {
            rtl: Vec::new(),
            work: PathBuf::new(),
            steps: steps.iter().map(ToString::to_string).collect(),
            only: only.map(str::to_owned),
            limit: Duration::ZERO,
            jobs: NonZeroUsize::MIN,
        };
        plan(&options).expect("a plan")
    }

    #[test]
    fn a_machine_is_the_sum_of_its_parts_unless_one_failed() {
        let tasks = planned(&["machines"], Some("haac-4ge evaluator"));
        assert_eq!(tasks.len(), 8);
        let counted = |family, luts| {
            Some(Measured::Counted(family, Ok(Counts { luts, ..Counts::default() })))
        };
        let [first, second] = [Family::UltraScalePlus, Family::Ecp5];
        let mut results: Vec<_> = [1, 10, 100, 1000].map(|luts| counted(first, luts)).into();
        results.extend([counted(second, 5), None, counted(second, 6), counted(second, 7)]);
        let found = Found::of("tools".to_owned(), &tasks, &results);
        let (name, sum) = found.ultrascale.last().expect("a sum");
        assert_eq!(name, "haac-4ge evaluator: sum, 4 engine(s)");
        assert_eq!(sum.as_ref().map(|sum| sum.luts), Ok(4 * 11 + 1100));
        // A part is missing: its machine has no sum, and the others keep their order.
        let luts: Vec<_> =
            found.ecp5.iter().flat_map(|(_, counts)| counts.as_ref().map(|c| c.luts)).collect();
        assert_eq!(luts, [5, 6, 7]);
        results[2] = Some(Measured::Counted(first, Err("too large".to_owned())));
        let found = Found::of("tools".to_owned(), &tasks, &results);
        assert!(found.ultrascale[4].1.is_err());
    }

    #[test]
    fn designs_are_selected_by_name_and_what_does_not_route_is_named() {
        let names = |steps, only| -> Vec<String> {
            planned(steps, only).iter().map(|task| task.design.name.clone()).collect()
        };
        let unrolled = "haac-1ge evaluator, AXI of 128 bits";
        let all = names(&[], None);
        // Eight units and five machines of four parts, twice; four units and three machines placed.
        assert_eq!(all.len(), 16 + 40 + 4 + 3);
        assert!(!all.iter().any(|name| name == unrolled));
        assert_eq!(names(&["place"], Some("haac-1ge evaluator, AXI")), [unrolled]);
        assert_eq!(names(&["units"], Some("sbox, T")).len(), 2);
        assert_eq!(names(&["machines"], Some("half-gate unit")).len(), 0);
        assert_eq!(names(&["machines"], Some("folded")).len(), 8);
    }
}
