//! Circuits created by running a closure, and sessions with them.

use crate::connection::Connection;
use crate::error::Error;
use crate::ports::Group;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Circuit, Party};
use halfgate_compiler::Program;
use halfgate_engine::Engine;
use halfgate_frontends::{bristol, hgc};
use halfgate_protocol::session::{self, PartyInputs, Report, RunOptions};
use halfgate_secret::Trace;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

/// A circuit, or the error in it, with the name of its function.
pub(crate) struct Written {
    name: String,
    circuit: Result<Circuit, Arc<BuildError>>,
}

impl Written {
    /// Runs `write` while a new circuit records the operations on secret values.
    pub(crate) fn write<R>(name: &str, write: impl FnOnce() -> R) -> (Written, R) {
        let mut trace = Trace::new();
        let result = trace.enter(write);
        let circuit = trace.finish().map_err(Arc::new);
        (Written { name: name.to_owned(), circuit }, result)
    }

    pub(crate) fn circuit(&self) -> Result<&Circuit, Error> {
        self.circuit.as_ref().map_err(|error| self.error(error))
    }

    pub(crate) fn into_circuit(self) -> Result<Circuit, Error> {
        let error = self.circuit.as_ref().err().map(|error| self.error(error));
        match (self.circuit, error) {
            (Ok(circuit), _) => Ok(circuit),
            (Err(_), Some(error)) => Err(error),
            (Err(error), None) => Err(Error::Build { function: String::new(), error }),
        }
    }

    fn error(&self, error: &Arc<BuildError>) -> Error {
        Error::Build { function: self.name.clone(), error: Arc::clone(error) }
    }

    /// Names the ports. The groups are in the order of the ports.
    ///
    /// # Panics
    /// If two inputs or two outputs have the same name, or a name is empty.
    pub(crate) fn rename(&mut self, inputs: &[&Group], outputs: &[&Group]) {
        let Ok(circuit) = &mut self.circuit else { return };
        let names = unique(inputs);
        for (input, name) in circuit.inputs.iter_mut().zip(names) {
            input.name = name;
        }
        let names = unique(outputs);
        for (output, name) in circuit.outputs.iter_mut().zip(names) {
            output.name = name;
        }
    }

    pub(crate) fn write_bristol(&self, to: &mut impl Write) -> Result<(), Error> {
        Ok(bristol::write_fashion(self.circuit()?, to)?)
    }

    pub(crate) fn write_hgc(&self, to: &mut impl Write) -> Result<(), Error> {
        Ok(hgc::write(self.circuit()?, to)?)
    }
}

/// The names of the groups' ports.
fn unique(groups: &[&Group]) -> Vec<String> {
    let names: Vec<String> = groups.iter().flat_map(|group| group.port_names()).collect();
    let mut seen = HashSet::new();
    for name in &names {
        assert!(!name.is_empty(), "named: a port must have a name that is not empty");
        assert!(seen.insert(name), "named: two ports are called {name:?}; rename one");
    }
    names
}

/// Runs as `party` over `connection`, once for each of `runs`.
pub(crate) fn party_runs(
    party: Party,
    connection: Connection,
    program: &Program,
    runs: &[PartyInputs],
    engine: &dyn Engine,
    options: &RunOptions,
) -> Result<Vec<Report>, Error> {
    let mut channel = connection.0;
    let (channel, events) = (&mut *channel, &mut |_| {});
    Ok(match party {
        Party::Garbler => session::garble(channel, program, engine, runs, options, events)?,
        Party::Evaluator => session::evaluate(channel, program, engine, runs, options, events)?,
    })
}
