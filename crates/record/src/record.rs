//! One form for every figure of the project, whatever tool measured it.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// How a figure was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Measured on the computer that the file of results names.
    Measured,
    /// From a cycle model.
    Model,
    /// From simulated RTL.
    Rtl,
    /// From synthesis.
    Synthesis,
}

/// A figure, with its published value and its target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What the figure measures.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The best figure that others published, or that was measured of their work, if any.
    pub published: Option<f64>,
    /// The target, if any: a lower bound, or an upper bound if `at_most`.
    pub target: Option<f64>,
    /// Whether the target is an upper bound.
    #[serde(default)]
    pub at_most: bool,
    /// The figure.
    pub measured: Option<f64>,
    /// Whether the target is met. It is null without a target or a figure, and if the published
    /// value is of another job or of other conditions ([`Figure::unlike`]).
    pub met: Option<bool>,
    /// How the figure was obtained.
    pub how: How,
    /// The part of the paper, or the group of benchmarks, that reproduces it; empty if only a run
    /// of everything does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// Whether the figure depends on the computer and its load. Measured times and rates always do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
    /// Whether the figure was not run because a netlist or a tool was missing. A record then keeps
    /// an older figure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_run: bool,
    /// Whether this is one of a paper's most prominent figures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub headline: bool,
    /// A remark: the spread, the basis of the target, or why there is no figure or no verdict.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Text in a note before the reason why a target has no verdict.
pub const NO_VERDICT: &str = "no verdict: ";

/// Text in a note before the reason why a row was not run again.
pub const NOT_RUN: &str = "not run again: ";

impl Figure {
    /// Makes a measured figure without a target.
    pub fn measured(name: &str, unit: &str, value: f64) -> Figure {
        Figure {
            name: name.to_owned(),
            unit: unit.to_owned(),
            published: None,
            target: None,
            at_most: false,
            measured: Some(value),
            met: None,
            how: How::Measured,
            part: String::new(),
            timed: false,
            not_run: false,
            headline: false,
            note: String::new(),
        }
    }

    /// Makes a figure that is not available here, for the reason `why`.
    pub fn missing(name: &str, unit: &str, why: &str) -> Figure {
        let figure = Figure::measured(name, unit, 0.0).note(why);
        Figure { measured: None, ..figure }
    }

    /// Makes a figure that was not run because something is missing; `why` names the netlist or
    /// tool.
    pub fn not_run(name: &str, unit: &str, why: &str) -> Figure {
        Figure { not_run: true, ..Figure::missing(name, unit, why) }
    }

    /// The reason why it was not run. The row may hold a figure of something else instead.
    pub fn why_not_run(&self) -> &str {
        match (self.measured, self.note.split_once(NO_VERDICT)) {
            (Some(_), _) => "another figure stands in its place",
            (None, Some((why, _))) => why.trim_end_matches("; "),
            (None, None) => &self.note,
        }
    }

    /// The reason why it has no verdict, if [`unlike`](Figure::unlike) gave one.
    fn why_unlike(&self) -> Option<&str> {
        self.note.split_once(NO_VERDICT).map(|(_, why)| why)
    }

    /// Marks a figure that differs between computers or between runs.
    pub fn timed(self) -> Figure {
        Figure { timed: true, ..self }
    }

    /// Sets the target: `target` or more.
    pub fn at_least(mut self, target: f64) -> Figure {
        self.target = Some(target);
        self.met = self.verdict();
        self
    }

    /// Sets the target: `target` or less.
    pub fn at_most(mut self, target: f64) -> Figure {
        self.target = Some(target);
        self.at_most = true;
        self.met = self.verdict();
        self
    }

    /// Sets the published value.
    pub fn published(mut self, value: f64) -> Figure {
        self.published = Some(value);
        self
    }

    /// Adds a remark.
    pub fn note(mut self, note: impl Into<String>) -> Figure {
        self.note = note.into();
        self
    }

    /// Removes the verdict on the target, because the published value, or the value behind the
    /// target, is of another job or of other conditions. `why` describes the difference and is
    /// appended to the note. Call it after setting the target.
    pub fn unlike(mut self, why: &str) -> Figure {
        self.met = None;
        self.append(&format!("{NO_VERDICT}{why}"));
        self
    }

    /// Appends a clause to the note.
    fn append(&mut self, clause: &str) {
        if !self.note.is_empty() {
            self.note += "; ";
        }
        self.note += clause;
    }

    /// Appends what states the run of the figure, unless the note has the mark of an older run.
    fn mark(&mut self, mark: &str) {
        if !self.note.contains(", commit ") {
            self.append(mark);
        }
    }

    /// Calls [`Figure::unlike`] if there is a reason.
    pub fn unlike_if(self, why: Option<&str>) -> Figure {
        match why {
            Some(why) => self.unlike(why),
            None => self,
        }
    }

    /// Marks the figure as one of a paper's most prominent ones.
    pub fn headline(self) -> Figure {
        Figure { headline: true, ..self }
    }

    /// Whether the figure meets the target, even if the two may not be compared.
    pub fn verdict(&self) -> Option<bool> {
        let (measured, target) = (self.measured?, self.target?);
        Some(if self.at_most { measured <= target } else { measured >= target })
    }

    /// Measured over target, or the inverse for an upper bound: above 1 if the target is met.
    pub fn ratio(&self) -> Option<f64> {
        let (measured, target) = (self.measured?, self.target?);
        let (over, under) = if self.at_most { (target, measured) } else { (measured, target) };
        // A target of 0 can be met exactly.
        Some(if over == under { 1.0 } else { over / under })
    }
}

/// Marks `figures` as rows that the part called `name` reproduces.
pub fn in_part(name: &str, figures: impl IntoIterator<Item = Figure>) -> Vec<Figure> {
    let named = |figure| Figure { part: name.to_owned(), ..figure };
    figures.into_iter().map(named).collect()
}

/// The figures of one run, with the computer, commit and date.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The processor and its number of cores.
    pub machine: String,
    /// The commit, or "unknown".
    pub commit: String,
    /// The date and time, in UTC.
    pub date: String,
    /// The figures.
    pub results: Vec<Figure>,
}

impl Results {
    /// Makes the results of this computer, commit and time.
    pub fn here(results: Vec<Figure>) -> Results {
        let date = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
        Results { machine: machine(), commit: commit(), date, results }
    }

    /// Adds the figures of `older` that were not measured again, each with its date and commit.
    pub fn keep(&mut self, older: Results) {
        let mark = older.mark_on(&self.machine);
        for mut figure in older.results {
            if self.results.iter().any(|new| new.name == figure.name) {
                continue;
            }
            figure.mark(&mark);
            self.results.push(figure);
        }
    }

    /// What marks a figure of this run in a file of `machine`: date, commit, and the machine if it
    /// is another.
    fn mark_on(&self, machine: &str) -> String {
        let Results { date, commit, .. } = self;
        if self.machine == machine {
            format!("from {date}, commit {commit}")
        } else {
            format!("from {date}, commit {commit}, on {}", self.machine)
        }
    }

    /// Replaces the figures of each of `parts` by those of `newer`, in their place. Each of these
    /// is marked with date and commit, and with the machine if that is another.
    pub fn replace_parts(&mut self, newer: &Results, parts: &[String]) {
        let mark = newer.mark_on(&self.machine);
        for part in parts {
            let is_replaced = |figure: &Figure| figure.part == *part;
            let at = self.results.iter().position(is_replaced).unwrap_or(self.results.len());
            let mut fresh: Vec<Figure> =
                newer.results.iter().filter(|figure| is_replaced(figure)).cloned().collect();
            fresh.iter_mut().for_each(|figure| figure.mark(&mark));
            self.results.retain(|figure| !is_replaced(figure));
            self.results.splice(at..at, fresh);
        }
    }

    /// Replaces the figures that were not run by those of `older`, each with the reason and its own
    /// date and commit. A figure that today has no verdict keeps none.
    pub fn keep_not_run(&mut self, older: &Results) {
        for figure in self.results.iter_mut().filter(|figure| figure.not_run) {
            let has_figure = |old: &&Figure| old.name == figure.name && old.measured.is_some();
            let Some(old) = older.results.iter().find(has_figure) else { continue };
            let why = figure.why_not_run();
            let mut kept = Figure { part: figure.part.clone(), not_run: true, ..old.clone() };
            if kept.why_unlike().is_none() {
                kept = kept.unlike_if(figure.why_unlike());
            }
            if !kept.note.contains(NOT_RUN) {
                let Results { date, commit, .. } = older;
                kept.append(&format!("{NOT_RUN}{why}; from {date}, commit {commit}"));
            }
            *figure = kept;
        }
    }

    /// Reads a file that [`write`](Results::write) wrote.
    ///
    /// # Errors
    /// If the file cannot be read or is not a file of results; the message names the file.
    pub fn read(path: &Path) -> Result<Results, String> {
        Results::read_with_text(path).map(|(results, _)| results)
    }

    /// Like [`read`](Results::read), and also returns the text of the file.
    ///
    /// # Errors
    /// As for [`read`](Results::read).
    pub fn read_with_text(path: &Path) -> Result<(Results, String), String> {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        let results = serde_json::from_str(&text);
        Ok((results.map_err(|e| format!("{name}: not a file of results: {e}"))?, text))
    }

    /// Writes the figures as JSON; the file is replaced as a whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).expect("figures are plain data") + "\n";
        let part = path.with_extension("json.part");
        let failed = |e| format!("{}: {e}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path)).map_err(failed)
    }
}

/// The processor, its number of cores and its caches, as reported by the system.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let model = field("model name").unwrap_or_else(|| "unknown processor".to_owned());
    let number = |name| field(name).unwrap_or_else(|| "?".to_owned());
    let (family, model_number) = (number("cpu family"), number("model\t"));
    format!("{model} (family {family}, model {model_number}), {cores} cores")
}

fn commit() -> String {
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git").args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    if changed.is_some_and(|text| !text.is_empty()) { commit + " with changes" } else { commit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_of_another_job_has_no_verdict_but_a_reason() {
        let met = Figure::measured("a", "ns", 1.0).at_most(2.0);
        assert_eq!(met.met, Some(true));
        let unlike = met.clone().note("first").unlike("another circuit");
        assert_eq!((unlike.met, unlike.target, unlike.verdict()), (None, Some(2.0), Some(true)));
        assert_eq!(unlike.note, "first; no verdict: another circuit");
        assert_eq!(met.clone().unlike("x").note, "no verdict: x");
        assert_eq!(met.clone().unlike_if(None), met);
        // Missed targets have no verdict either.
        let missed = Figure::measured("a", "ns", 3.0).at_most(2.0);
        assert_eq!((missed.met, missed.unlike("x").met), (Some(false), None));
        // The mark is in a file only if it is set.
        let json = |figure: &Figure| serde_json::to_string(figure).expect("plain data");
        assert!(!json(&met).contains("headline"));
        let read = serde_json::from_str::<Figure>(&json(&met.clone().headline())).expect("read");
        assert!(read.headline && !serde_json::from_str::<Figure>(&json(&met)).unwrap().headline);
    }

    #[test]
    fn a_row_not_run_keeps_its_older_figure_with_a_note() {
        let of = |date: &str, results| {
            let (machine, commit, date) = (String::new(), "abc".to_owned(), date.to_owned());
            Results { machine, commit, date, results }
        };
        let rows = || {
            let given = Figure::measured("given", "clocks", 0.1 + 0.2).at_most(1.0).note("fast");
            vec![given, Figure::measured("ours", "clocks", 7.0)]
        };
        let without = |ours| {
            let given = Figure::not_run("given", "clocks", "wants the netlist").at_most(1.0);
            in_part("table3", [given, Figure::measured("ours", "clocks", ours)])
        };
        let mut tuesday = of("tuesday", without(8.0));
        tuesday.keep_not_run(&of("monday", rows()));
        let [given, ours] = &tuesday.results[..] else { panic!("two rows") };
        assert_eq!((given.measured, given.met, given.not_run), (Some(0.1 + 0.2), Some(true), true));
        let note = "fast; not run again: wants the netlist; from monday, commit abc";
        assert_eq!((&*given.note, &*given.part), (note, "table3"));
        assert_eq!((ours.measured, ours.not_run, &*ours.note), (Some(8.0), false, ""));
        // Not run again, through a file: the figure is still of monday. Then it runs with the
        // netlist.
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("record.json");
        tuesday.write(&file).expect("written");
        let mut wednesday = of("wednesday", without(9.0));
        wednesday.keep_not_run(&Results::read(&file).expect("read"));
        assert_eq!(wednesday.results[0], tuesday.results[0]);
        let mut thursday = of("thursday", rows());
        thursday.keep_not_run(&wednesday);
        assert!(!thursday.results[0].not_run && thursday.results[0].note == "fast");
        // Today the figure has no verdict, so the older one has none either.
        let given = Figure::not_run("given", "clocks", "wants the netlist").at_most(1.0);
        let mut saturday = of("saturday", vec![given.unlike("another job")]);
        saturday.keep_not_run(&thursday);
        let [given] = &saturday.results[..] else { panic!("one row") };
        let note = "fast; no verdict: another job; not run again: wants the netlist; \
                    from thursday, commit abc";
        assert_eq!((given.met, &*given.note), (None, note));
        // The note of a substitute figure is not a reason.
        let ours = Figure::measured("given", "clocks", 5.0).note("ours");
        let mut friday = of("friday", vec![Figure { not_run: true, ..ours }]);
        friday.keep_not_run(&thursday);
        let [given] = &friday.results[..] else { panic!("one row") };
        let note =
            "fast; not run again: another figure stands in its place; from thursday, commit abc";
        assert_eq!((given.measured, &*given.note), (Some(0.1 + 0.2), note));
        // No older file has a figure.
        let mut first = of("monday", without(7.0));
        first.keep_not_run(&of("sunday", without(6.0)));
        assert_eq!(first.results[0].measured, None);
        assert_eq!(first.results[0].note, "wants the netlist");
    }

    #[test]
    fn parts_are_replaced_in_their_place() {
        let of = |machine: &str, figures| Results {
            machine: machine.to_owned(),
            commit: "abc".to_owned(),
            date: "monday".to_owned(),
            results: figures,
        };
        let in_parts = |rows: &[(&str, &str, f64)]| {
            let figure = |&(part, name, value)| {
                in_part(part, [Figure::measured(name, "ns", value)]).remove(0)
            };
            rows.iter().map(figure).collect::<Vec<_>>()
        };
        let old = in_parts(&[("x", "a", 1.0), ("y", "b", 2.0), ("y", "c", 3.0), ("z", "d", 4.0)]);
        let mut file = of("old", old);
        let mut new = of("new", in_parts(&[("y", "c", 5.0), ("y", "e", 6.0), ("z", "d", 7.0)]));
        // Kept from an older run: it has a mark already.
        new.results[1].note = "from sunday, commit abc".to_owned();
        file.replace_parts(&new, &["y".to_owned()]);
        let found: Vec<_> = file.results.iter().map(|f| (f.name.as_str(), f.measured)).collect();
        assert_eq!(found, [("a", Some(1.0)), ("c", Some(5.0)), ("e", Some(6.0)), ("d", Some(4.0))]);
        assert_eq!(file.machine, "old");
        let notes: Vec<_> = file.results.iter().map(|f| f.note.as_str()).collect();
        assert_eq!(notes, ["", "from monday, commit abc, on new", "from sunday, commit abc", ""]);
        // Parts apart from each other keep their places too.
        let new = of("new", in_parts(&[("z", "d", 8.0), ("x", "a", 9.0)]));
        file.replace_parts(&new, &["z".to_owned(), "x".to_owned()]);
        let found: Vec<_> = file.results.iter().map(|f| (f.name.as_str(), f.measured)).collect();
        assert_eq!(found, [("a", Some(9.0)), ("c", Some(5.0)), ("e", Some(6.0)), ("d", Some(8.0))]);
    }

    #[test]
    fn older_figures_are_kept_with_their_date_and_replaced_by_newer_ones() {
        let of = |date: &str, figures| Results {
            machine: String::new(),
            commit: "abc".to_owned(),
            date: date.to_owned(),
            results: figures,
        };
        let old =
            of("monday", vec![Figure::measured("a", "ns", 1.0), Figure::measured("b", "ns", 2.0)]);
        let mut new = of("tuesday", vec![Figure::measured("a", "ns", 3.0)]);
        new.keep(old);
        assert_eq!(
            new.results.iter().map(|f| f.measured).collect::<Vec<_>>(),
            [Some(3.0), Some(2.0)]
        );
        assert_eq!(new.results[1].note, "from monday, commit abc");
        let mut newest = of("wednesday", Vec::new());
        newest.keep(new);
        assert!(
            newest.results[1].note.contains("monday")
                && !newest.results[1].note.contains("tuesday")
        );
    }
}
