//! Pictures of a paper's tables and figures, which the Python package draws.

use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// The interpreter. A virtual environment has its own one on the PATH.
const PYTHON: &str = "python3";

/// Checks that the Python package with pictures is installed, before anything runs for long.
///
/// # Errors
/// If `python` cannot import it; the message says how to install it.
pub(super) fn check(python: &str) -> Result<(), Failure> {
    let run = Command::new(python)
        .args(["-c", "import halfgate.plot"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let reason = match run {
        Ok(status) if status.success() => return Ok(()),
        Ok(_) => format!("{python} cannot import halfgate.plot"),
        Err(error) => format!("{python} does not run ({error})"),
    };
    let advice = "in a checkout, `pip install './python[plot]'` installs it; without --figures, \
                  results are printed only";
    Err(Failure::new(
        Exit::Local,
        format!("--figures needs the Python package: {reason}: {advice}"),
    ))
}

/// [`check`] with the interpreter that [`draw`] runs.
///
/// # Errors
/// As for [`check`].
pub(super) fn check_installed() -> Result<(), Failure> {
    check(PYTHON)
}

/// Writes `results`, as `--json` prints them, to `folder` as NAME-figures.json, and draws them.
///
/// # Errors
/// If the file cannot be written, or if drawing fails.
pub(super) fn draw(paper: &str, results: &Value, folder: &Path) -> Result<(), Failure> {
    let file = folder.join(format!("{paper}-figures.json"));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, results.to_string()))
        .map_err(|error| Failure::new(Exit::Local, format!("{}: {error}", file.display())))?;
    let run = Command::new(PYTHON)
        .args(["-m", "halfgate.plot", "records"])
        .arg(folder)
        .args(["--only", paper, "--out"])
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(Exit::Local, format!("{PYTHON}: {error}")))?;
    if !run.status.success() {
        let why = String::from_utf8_lossy(&run.stderr);
        let what = format!("{PYTHON} -m halfgate.plot records: {}", why.trim_end());
        return Err(Failure::new(Exit::Local, what));
    }
    // Names of pictures, and what they lack. Standard output has the results.
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        if concerns(line, paper, results) {
            print::note(line);
        }
    }
    Ok(())
}

/// Whether a line is about a picture or about a part that was run.
fn concerns(line: &str, paper: &str, results: &Value) -> bool {
    let Some((picture, _)) = line.split_once(": not drawn: ") else { return true };
    let part = picture.strip_prefix(paper).and_then(|rest| rest.strip_prefix('-'));
    results["parts"].as_array().is_some_and(|parts| {
        parts.iter().any(|run| run["name"].as_str().is_some_and(|name| Some(name) == part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_were_not_run_are_not_reported() {
        let results = serde_json::json!({ "parts": [{ "name": "table1" }] });
        let about = |line| concerns(line, "paper", &results);
        assert!(about("pictures/paper-table1.svg"));
        assert!(about("paper-table1: not drawn: no value was measured"));
        assert!(!about("paper-table2: not drawn: the records have no rows of it"));
    }

    #[test]
    fn a_missing_package_is_an_error_that_says_how_to_install_it() {
        for python in ["no-such-interpreter", "false"] {
            let error = check(python).expect_err("nothing to import").to_string();
            assert!(
                error.contains(python) && error.contains("pip install './python[plot]'"),
                "{error}"
            );
        }
    }
}
