//! Circuits created by running a closure, and sessions with them.

use crate::connection::Connection;
use crate::error::Error;
use crate::ports::Group;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::structured::{self, FlattenError, StructuredCircuit, flatten};
use halfgate_circuit::{Bits, Circuit, Input, Party, clear};
use halfgate_compiler::{CompileError, Order, Program, compile, compile_structured};
use halfgate_engine::Engine;
use halfgate_frontends::{bristol, hgc};
use halfgate_protocol::session::{self, PartyInputs, Report, RunOptions};
use halfgate_secret::Trace;
use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, OnceLock};

/// A circuit, or the error in it, with the name of its function.
pub(crate) struct Written {
    name: String,
    circuit: Result<Form, Arc<BuildError>>,
}

/// A circuit, as it is kept.
enum Form {
    Flat(Circuit),
    /// A circuit that calls functions, and its flattening once it was needed.
    Structured(StructuredCircuit, OnceLock<Result<Circuit, Arc<FlattenError>>>),
}

impl Written {
    /// Runs `write` while a new circuit records the operations on secret values.
    pub(crate) fn write<R>(name: &str, write: impl FnOnce() -> R) -> (Written, R) {
        let mut trace = Trace::new();
        let result = trace.enter(write);
        let circuit = match trace.calls_functions() {
            true => trace.finish_structured().map(|c| Form::Structured(c, OnceLock::new())),
            false => trace.finish().map(Form::Flat),
        };
        (Written { name: name.to_owned(), circuit: circuit.map_err(Arc::new) }, result)
    }

    fn form(&self) -> Result<&Form, Error> {
        self.circuit.as_ref().map_err(|error| self.error(error))
    }

    /// The circuit with all functions written out.
    pub(crate) fn circuit(&self) -> Result<&Circuit, Error> {
        match self.form()? {
            Form::Flat(circuit) => Ok(circuit),
            Form::Structured(circuit, flat) => {
                let flat = flat.get_or_init(|| flatten(circuit).map_err(Arc::new));
                flat.as_ref().map_err(|error| Error::Flatten {
                    function: self.name.clone(),
                    error: Arc::clone(error),
                })
            }
        }
    }

    /// The circuit, if it calls functions.
    pub(crate) fn structured(&self) -> Result<Option<&StructuredCircuit>, Error> {
        Ok(match self.form()? {
            Form::Flat(_) => None,
            Form::Structured(circuit, _) => Some(circuit),
        })
    }

    /// The input ports.
    pub(crate) fn inputs(&self) -> Result<&[Input], Error> {
        Ok(match self.form()? {
            Form::Flat(circuit) => &circuit.inputs,
            Form::Structured(circuit, _) => &circuit.inputs,
        })
    }

    /// Computes one cycle on plain values.
    pub(crate) fn clear(&self, inputs: &[Bits]) -> Result<Vec<Bits>, Error> {
        Ok(match self.form()? {
            Form::Flat(circuit) => clear::evaluate(circuit, inputs, 1)?,
            Form::Structured(circuit, _) => clear_structured(circuit, inputs, 1)?,
        })
    }

    pub(crate) fn compile(self) -> Result<Program, Error> {
        let error = self.circuit.as_ref().err().map(|error| self.error(error));
        let form = match (self.circuit, error) {
            (Ok(form), _) => form,
            (Err(_), Some(error)) => return Err(error),
            (Err(error), None) => return Err(Error::Build { function: String::new(), error }),
        };
        Ok(match form {
            Form::Flat(circuit) => compile(circuit, Order::default())?,
            Form::Structured(circuit, _) => compile_structured(circuit, Order::default())?,
        })
    }

    fn error(&self, error: &Arc<BuildError>) -> Error {
        Error::Build { function: self.name.clone(), error: Arc::clone(error) }
    }

    /// Names the ports. The groups are in the order of the ports.
    ///
    /// # Panics
    /// If two inputs or two outputs have the same name, or a name is empty.
    pub(crate) fn rename(&mut self, inputs: &[&Group], outputs: &[&Group]) {
        let Ok(form) = &mut self.circuit else { return };
        let (inputs, outputs) = (unique(inputs), unique(outputs));
        let (of_inputs, of_outputs): (_, Vec<&mut String>) = match form {
            Form::Flat(circuit) => {
                let outputs = circuit.outputs.iter_mut().map(|output| &mut output.name);
                (&mut circuit.inputs, outputs.collect())
            }
            Form::Structured(circuit, flat) => {
                flat.take();
                let outputs = circuit.outputs.iter_mut().map(|output| &mut output.name);
                (&mut circuit.inputs, outputs.collect())
            }
        };
        of_inputs.iter_mut().zip(inputs).for_each(|(input, name)| input.name = name);
        of_outputs.into_iter().zip(outputs).for_each(|(output, name)| *output = name);
    }

    pub(crate) fn write_bristol(&self, to: &mut impl Write) -> Result<(), Error> {
        Ok(bristol::write_fashion(self.circuit()?, to)?)
    }

    pub(crate) fn write_hgc(&self, to: &mut impl Write) -> Result<(), Error> {
        match self.form()? {
            Form::Flat(circuit) => hgc::write(circuit, to)?,
            Form::Structured(circuit, _) => hgc::write_structured(circuit, to)?,
        }
        Ok(())
    }
}

/// Computes `cycles` cycles of a program on plain values.
pub(crate) fn clear_program(
    program: &Program,
    inputs: &[Bits],
    cycles: u64,
) -> Result<Vec<Bits>, Error> {
    Ok(match &program.structure {
        Some(structured) => clear_structured(&structured.circuit, inputs, cycles)?,
        None => clear::evaluate(&program.circuit, inputs, cycles)?,
    })
}

fn clear_structured(
    circuit: &StructuredCircuit,
    inputs: &[Bits],
    cycles: u64,
) -> Result<Vec<Bits>, Error> {
    structured::clear::evaluate(circuit, inputs, cycles).map_err(|error| match error {
        structured::clear::ClearError::Values(error) => Error::Clear(error),
        structured::clear::ClearError::Invalid(error) => {
            Error::Compile(CompileError::Structure(error))
        }
    })
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
    let mut channel = connection.channel;
    let (channel, events) = (&mut *channel, &mut |_| {});
    Ok(match party {
        Party::Garbler => session::garble(channel, program, engine, runs, options, events)?,
        Party::Evaluator => session::evaluate(channel, program, engine, runs, options, events)?,
    })
}
