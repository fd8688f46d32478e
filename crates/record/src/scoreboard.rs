//! All recorded targets of the project, those missed first.

use crate::record::{Figure, Results};
use crate::table::table;
use std::path::{Path, PathBuf};

/// Every file of results in `folder`, in order of their names.
///
/// # Errors
/// If the folder or a file cannot be read, or there is none; the message names it.
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

/// Figures of all files, missed targets first, then those met, then those without a target.
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
        (Some(_), Some(false) | None) => 0,
        (Some(_), Some(true)) => 1,
        (None, _) => 2,
    });
    figures
}

/// The scoreboard as text: where each file was measured, a count, and the figures.
pub fn print(files: &[(String, Results)]) -> String {
    let figures = all(files);
    let mut text = String::new();
    for (file, results) in files {
        let Results { machine, commit, date, .. } = results;
        text += &format!("{file}: {machine}, {date}, commit {commit}\n");
    }
    let targets = figures.iter().filter(|figure| figure.target.is_some());
    let met = targets.clone().filter(|figure| figure.met == Some(true)).count();
    text += &format!("{met} of {} targets met\n\n", targets.count());
    text + &table(&figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_targets_come_first_and_survive_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let figures = vec![
            Figure::measured("free", "ns", 1.0),
            Figure::measured("met", "ns", 1.0).at_most(2.0),
            Figure::measured("missed", "M/s", 1.0).at_least(2.0).published(0.5),
            Figure::missing("none", "MB", "no such machine").at_most(64.0),
        ];
        Results::here(figures).write(&folder.path().join("cpu.json")).expect("written");
        let files = read(folder.path()).expect("read");
        let names: Vec<_> = all(&files).into_iter().map(|figure| figure.name).collect();
        assert_eq!(names, ["cpu: missed", "cpu: none", "cpu: met", "cpu: free"]);
        let text = print(&files);
        assert!(text.contains("1 of 3 targets met"), "{text}");
        assert!(text.contains("MISSED"), "{text}");
    }

    #[test]
    fn an_empty_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(read(folder.path()).unwrap_err().contains("no results"));
    }
}
