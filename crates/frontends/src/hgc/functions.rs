//! The functions read so far.

use super::error::{CallProblem, Problem};
use super::lexer::NumberOrName;
use super::words;
use halfgate_circuit::Bit;
use halfgate_circuit::structured::{Body, Function, FunctionId};
use std::collections::HashMap;

/// The size of a body's flattening.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    pub(super) gates: u64,
    /// How deep calls are nested.
    pub(super) nesting: u32,
}

/// The functions read so far.
#[derive(Default)]
pub(super) struct Functions {
    pub(super) list: Vec<Function>,
    extents: Vec<Extent>,
    /// The function of each name; `None` if there are several.
    by_name: HashMap<String, Option<FunctionId>>,
    /// Name of the function that is being read.
    current: Option<String>,
}

impl Functions {
    /// The function that a call names.
    pub(super) fn find(&self, called: &NumberOrName) -> Result<FunctionId, Problem> {
        let functions = self.list.len();
        match called {
            NumberOrName::Number(word) => {
                let expected = "a function, by its name or its number";
                let number = words::number(word)
                    .ok_or_else(|| Problem::Expected { expected, found: word.clone() })?;
                if number == functions as u64 && self.current.is_some() {
                    return Err(CallProblem::Recursive.into());
                }
                let id = u32::try_from(number).ok().filter(|&id| (id as usize) < functions);
                Ok(FunctionId(id.ok_or(CallProblem::NoSuchNumber { number, functions })?))
            }
            NumberOrName::Name(name) => {
                let is_current = self.current.as_ref() == Some(name);
                match self.by_name.get(name) {
                    Some(&Some(id)) if !is_current => Ok(id),
                    Some(_) => Err(CallProblem::Ambiguous(name.clone()).into()),
                    None if is_current => Err(CallProblem::Recursive.into()),
                    None => Err(CallProblem::NoSuchName(name.clone()).into()),
                }
            }
        }
    }

    /// The numbers of inputs and outputs of a function.
    pub(super) fn ports(&self, function: FunctionId) -> (u32, usize) {
        let function = &self.list[function.index()];
        (function.inputs, function.outputs.len())
    }

    /// The size of a function's flattening.
    pub(super) fn extent(&self, function: FunctionId) -> Extent {
        self.extents[function.index()]
    }

    /// Begins to read a function of this name.
    pub(super) fn begin(&mut self, name: String) {
        self.current = Some(name);
    }

    /// Appends the function that was begun, whose flattening has the size `extent`.
    pub(super) fn push(&mut self, inputs: u32, body: Body, outputs: Vec<Bit>, extent: Extent) {
        let name = self.current.take().expect("the function was begun");
        let id = FunctionId(self.list.len() as u32);
        let known = self.by_name.entry(name.clone()).or_insert(Some(id));
        *known = known.filter(|&known| known == id);
        self.extents.push(extent);
        self.list.push(Function { name, inputs, body, outputs });
    }
}

impl Extent {
    /// Adds gates.
    pub(super) fn add(&mut self, gates: u64) -> Result<(), CallProblem> {
        self.gates = self.gates.checked_add(gates).ok_or(CallProblem::TooManyGates)?;
        Ok(())
    }
}
