//! Prints all recorded targets of the project: the papers' headlines, then missed targets, those
//! without a verdict, and those met.

use crate::record::{Figure, Results};
use crate::table::{number, table};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Reads every file of results in `folder`, in order of their names.
///
/// # Errors
/// If the folder or a file cannot be read, or there is no file; the message names it.
pub fn read(folder: &Path) -> Result<Vec<(String, Results)>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!(
            "{}: no results; `halfgate bench --out` writes them",
            folder.display()
        ));
    }
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.into_iter().map(|path| Ok((name(&path), Results::read(&path)?))).collect()
}

/// The figures of all files: headlines first, then targets that were missed or have no figure, then
/// those without a verdict, then those met, then figures without a target.
pub fn all(files: &[(String, Results)]) -> Vec<Figure> {
    let mut figures: Vec<Figure> = files
        .iter()
        .flat_map(|(file, results)| {
            results.results.iter().map(move |figure| {
                let name = format!("{file}: {}", figure.name);
                Figure { name, ..figure.clone() }
            })
        })
        .collect();
    figures.sort_by_key(|figure| match (figure.target, figure.met) {
        _ if figure.headline => 0,
        (Some(_), Some(false)) => 1,
        (Some(_), None) if figure.measured.is_none() => 1,
        (Some(_), None) => 2,
        (Some(_), Some(true)) => 3,
        (None, _) => 4,
    });
    figures
}

/// The scoreboard as text: the origin of each file, a count, and the figures.
pub fn print(files: &[(String, Results)]) -> String {
    let figures = all(files);
    let mut text = String::new();
    for (file, results) in files {
        let Results { machine, commit, date, .. } = results;
        text += &format!("{file}: {machine}, {date}, commit {commit}\n");
    }
    let targets: Vec<&Figure> = figures.iter().filter(|figure| figure.target.is_some()).collect();
    let count = |is: fn(&Figure) -> bool| targets.iter().filter(|figure| is(figure)).count();
    let met = count(|figure| figure.met == Some(true));
    let open = count(|figure| figure.met.is_none() && figure.measured.is_some());
    let _ = writeln!(
        text,
        "{met} of {} targets met, {open} have no verdict, as the published work did another job\n",
        targets.len()
    );
    text + &table(&figures)
}

/// The papers' headlines as a Markdown table. A file of results has the name of the machine whose
/// paper it reproduces.
pub fn headlines(files: &[(String, Results)]) -> String {
    let mut text = String::from(
        "| paper | headline | published | ours | ratio | conditions of ours | command |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (file, results) in files {
        for figure in results.results.iter().filter(|figure| figure.headline) {
            text += &headline(file, figure);
        }
    }
    text
}

/// Formats a line of the table.
fn headline(file: &str, figure: &Figure) -> String {
    let Figure { name, unit, published, measured, note, .. } = figure;
    let with_unit = |value: &Option<f64>| match value {
        Some(value) => format!("{} {unit}", number(*value)).trim_end().to_owned(),
        None => "none".to_owned(),
    };
    let ratio = match (measured, published) {
        (Some(measured), Some(published)) => format!("{:.3}", measured / published),
        _ => String::new(),
    };
    // A vertical bar would end the cell.
    let note = note.replace('|', "/");
    let (published, ours) = (with_unit(published), with_unit(measured));
    format!(
        "| {file} | {name} | {published} | {ours} | {ratio} | {note} | \
         `halfgate reproduce {file} --only headlines` |\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::NO_VERDICT;

    #[test]
    fn missed_targets_come_first_and_survive_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let figures = vec![
            Figure::measured("free", "ns", 1.0),
            Figure::measured("met", "ns", 1.0).at_most(2.0),
            Figure::measured("missed", "M/s", 1.0).at_least(2.0).published(0.5),
            Figure::missing("none", "MB", "no such machine").at_most(64.0),
            Figure::measured("unlike", "ns", 1.0).at_most(2.0).unlike("another circuit"),
            Figure::measured("speed-up", "times", 11.2).published(589.0).note("here").headline(),
        ];
        Results::here(figures).write(&folder.path().join("cpu.json")).expect("written");
        let files = read(folder.path()).expect("read");
        let names: Vec<_> = all(&files).into_iter().map(|figure| figure.name).collect();
        let order = ["speed-up", "missed", "none", "unlike", "met", "free"];
        assert_eq!(names, order.map(|name| format!("cpu: {name}")));
        let text = print(&files);
        assert!(text.contains("1 of 4 targets met, 1 have no verdict"), "{text}");
        assert!(text.contains("MISSED") && text.contains("no verdict: another"), "{text}");
        let rows = headlines(&files);
        let row = "| cpu | speed-up | 589.0 times | 11.20 times | 0.019 | here | \
                   `halfgate reproduce cpu --only headlines` |";
        assert_eq!(rows.lines().skip(2).collect::<Vec<_>>(), [row]);
    }

    /// The records of the repository, and the page of headlines.
    fn repository() -> (Vec<(String, Results)>, String) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = std::fs::read_to_string(root.join("docs/headlines.md")).expect("the page");
        (read(&root.join("bench/results")).expect("the records"), page)
    }

    /// A verdict must follow from figure and target. A row without a verdict must state the reason.
    #[test]
    fn recorded_verdicts_follow_from_the_figures() {
        for (file, results) in repository().0 {
            for figure in results.results {
                let name = &figure.name;
                match figure.met {
                    Some(_) => assert_eq!(figure.met, figure.verdict(), "{file}: {name}"),
                    None if figure.verdict().is_some() => {
                        assert!(figure.note.contains(NO_VERDICT), "{file}: {name} says no reason");
                    }
                    None => {}
                }
            }
        }
    }

    #[test]
    fn the_page_of_headlines_has_those_that_are_recorded() {
        let (files, page) = repository();
        for line in headlines(&files).lines() {
            let advice = "put in the table of `halfgate scoreboard --headlines`";
            assert!(page.lines().any(|own| own == line), "docs/headlines.md: {advice}\n{line}");
        }
    }

    #[test]
    fn an_empty_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(read(folder.path()).unwrap_err().contains("no results"));
    }
}
