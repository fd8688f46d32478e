//! Tests recorded rows that are reproduced within seconds, and the report on rows that differ.

use halfgate_machine::Machine;
use halfgate_record::part::Effort;
use halfgate_registry::MACHINES;
use halfgate_tests::command::{Done, halfgate};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The path of the record called `name`.
fn record(name: &str) -> PathBuf {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results");
    results.join(name).with_extension("json")
}

fn of_seconds(checks: &[(&'static str, Effort)]) -> Vec<&'static str> {
    let quick = checks.iter().filter(|(_, effort)| *effort == Effort::Seconds);
    quick.map(|(name, _)| *name).collect()
}

/// Compares with `file` the parts of a machine that take seconds.
fn check(machine: &dyn Machine, file: &Path) -> Option<Done> {
    let parts = of_seconds(machine.checks());
    let file = file.display().to_string();
    let mut words = vec!["reproduce", machine.name(), "--check", &file];
    words.extend(parts.iter().flat_map(|part| ["--only", part]));
    (!parts.is_empty()).then(|| halfgate(&words))
}

fn check_groups(file: &Path) -> Done {
    let file = file.display().to_string();
    let groups = of_seconds(&halfgate_bench::CHECKS);
    halfgate(&[&["bench", "--check", &file], &groups[..]].concat())
}

#[test]
fn rows_that_take_seconds_are_as_recorded() {
    let advice = "If a row moved on purpose, record its file again; CONTRIBUTING.md describes how.";
    let passed = |done: &Done| assert_eq!(done.code, Some(0), "{}\n{advice}", done.stdout);
    let mut count = 0;
    for machine in MACHINES {
        let Some(done) = check(*machine, &record(machine.name())) else { continue };
        if let Some(missing) = done.stderr.lines().find(|line| line.contains("installs it")) {
            println!("not run: {}: {missing}", machine.name());
            continue;
        }
        passed(&done);
        let (nothing, printed) = ("  0 rows as recorded", "  not run: ");
        let has_rows = !done.stdout.contains(nothing) || done.stdout.contains(printed);
        assert!(has_rows, "{}", done.stdout);
        println!("{}", done.stdout);
        count += 1;
    }
    passed(&check_groups(&record("circuits")));
    assert!(count >= 2, "machines with parts that take seconds: {count}");
}

/// A copy of a record with 1 added to all figures of `parts`, and the names of these rows.
fn changed(name: &str, parts: &[&str]) -> (tempfile::TempDir, PathBuf, Vec<String>) {
    let text = std::fs::read_to_string(record(name)).expect("a record");
    let mut all: Value = serde_json::from_str(&text).expect("JSON");
    let mut names = Vec::new();
    for row in all["results"].as_array_mut().expect("a list") {
        let is_of_part = row["part"].as_str().is_some_and(|part| parts.contains(&part));
        if let (true, Some(figure)) = (is_of_part, row["measured"].as_f64()) {
            row["measured"] = Value::from(figure + 1.0);
            names.push(row["name"].as_str().expect("a name").to_owned());
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.json");
    std::fs::write(&file, all.to_string()).expect("written");
    (folder, file, names)
}

#[test]
fn a_changed_figure_is_named_with_both_values() {
    let differs = |done: &Done, names: &[String]| {
        assert_eq!(done.code, Some(8), "{done:?}");
        let lines = done.stdout.lines().filter_map(|line| line.strip_prefix("  DIFFERS: "));
        let found: Vec<(&str, f64)> = lines.map(figures).collect();
        assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names, "{done:?}");
        assert!(found.iter().all(|(_, apart)| (apart - 1.0).abs() < 1e-9), "{found:?}");
        assert!(!names.is_empty());
    };
    // One machine is enough; the first takes the least time.
    let machine = MACHINES[0];
    let (_folder, file, names) = changed(machine.name(), &of_seconds(machine.checks()));
    differs(&check(machine, &file).expect("a part that takes seconds"), &names);
    let (_folder, file, names) = changed("circuits", &of_seconds(&halfgate_bench::CHECKS));
    let done = check_groups(&file);
    differs(&done, &names);
    let named = "DIFFERS: multiply, low 64 bits: measured: recorded 3606.0, now 3605.0";
    assert!(done.stdout.contains(named), "{done:?}");
}

/// The row named in a line about differing figures, and the difference between the figures.
#[track_caller]
fn figures(line: &str) -> (&str, f64) {
    let (name, values) = line.split_once(": measured: recorded ").expect("only figures differ");
    let (recorded, now) = values.split_once(", now ").expect("both values");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    (name, number(recorded) - number(now))
}

#[test]
fn an_invalid_record_is_refused_before_any_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.json").display().to_string();
    let name = MACHINES[0].name();
    let check = ["reproduce", name, "--check", &file];
    halfgate(&check).failed(12, &["bad.json"]);
    halfgate(&["bench", "--check", &file]).failed(12, &["bad.json"]);
    std::fs::write(&file, "{}").expect("written");
    halfgate(&check).failed(12, &["bad.json", "not a file of results"]);
    halfgate(&[&check[..], &["--out", "x"]].concat()).failed(2, &["--check"]);
}

/// Every part that is checked exists.
#[test]
fn parts_that_are_checked_are_parts() {
    for machine in MACHINES {
        for (part, _) in machine.checks() {
            assert!(machine.parts().contains(part), "{}: {part}", machine.name());
        }
    }
    for (group, _) in halfgate_bench::CHECKS {
        assert!(halfgate_bench::GROUPS.iter().any(|(name, _)| *name == group), "{group}");
    }
}
