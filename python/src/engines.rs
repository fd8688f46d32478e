//! The list of engines.

use crate::raise;
use halfgate_machine::Machine;
use halfgate_registry::MACHINES;
use pyo3::prelude::*;

/// A machine: its name, what it is, its roles, its suites, its engines as form and meaning, and its
/// configurations as name and meaning.
type Row = (String, String, Vec<String>, Vec<String>, Vec<(String, String)>, Vec<(String, String)>);

/// The machines.
#[pyfunction]
pub fn engines(py: Python<'_>) -> PyResult<Vec<Row>> {
    MACHINES.iter().map(|machine| row(py, *machine)).collect()
}

fn row(py: Python<'_>, machine: &dyn Machine) -> PyResult<Row> {
    let configurations = machine
        .configurations()
        .map_err(|failure| raise::exception(py, "EngineError", &failure.to_string()))?;
    Ok((
        machine.name().to_owned(),
        machine.summary().to_owned(),
        machine.roles().iter().map(ToString::to_string).collect(),
        machine.suites().iter().map(ToString::to_string).collect(),
        machine.engines().iter().map(|form| (form.form.into(), form.about.into())).collect(),
        configurations.into_iter().map(|found| (found.name, found.about)).collect(),
    ))
}
