//! The items of a body: gates and calls.

use super::call::OpenCall;
use super::error::{CallProblem, Problem};
use super::functions::{Extent, Functions};
use super::gate::{self, Kind};
use super::lexer::Lexer;
use super::line::{Drives, Line};
use crate::error::ReadError;
use halfgate_circuit::Wire;
use halfgate_circuit::structured::Body;
use halfgate_circuit::structured::verify::MAX_NESTING;
use std::io::BufRead;

/// A body while it is read.
#[derive(Default)]
pub(super) struct OpenBody {
    pub(super) body: Body,
    /// Number of wires so far, without those of the call whose arguments are being read.
    pub(super) wires: u64,
    /// The call whose arguments are being read, and the number of wires that it drives.
    call: Option<(OpenCall, u64)>,
    pub(super) extent: Extent,
}

impl OpenBody {
    /// The empty body of a function with this many inputs.
    pub(super) fn of_function(inputs: u32) -> OpenBody {
        OpenBody { wires: inputs.into(), ..OpenBody::default() }
    }

    /// Reads the rest of a line that begins with the wires `drives`.
    pub(super) fn item<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        drives: Drives,
        functions: &Functions,
        version: u64,
    ) -> Result<(), ReadError> {
        self.expect_wire("wire", drives.first).map_err(|problem| lexer.error(problem))?;
        let kind = gate::kind(lexer, version)?;
        if matches!(kind, Kind::Call) {
            return self.call(lexer, drives, functions);
        }
        if drives.last != drives.first {
            return Err(lexer.error(CallProblem::WideGate.into()));
        }
        if let Some(line) = lexer.take_source() {
            self.body.gates.begin_line(&line);
        }
        let gate = gate::operands(lexer, kind, drives.first)?;
        self.extent.add(1).map_err(|problem| lexer.error(problem.into()))?;
        self.wires += 1;
        self.body.gates.push(gate).map_err(ReadError::Spool)
    }

    /// Checks that `found` is the next wire. `what` names its kind: a flip-flop or a gate.
    pub(super) fn expect_wire(&self, what: &'static str, found: u64) -> Result<(), Problem> {
        let expected = self.wires;
        if expected == u64::from(Wire::MAX) {
            Err(Problem::TooManyWires)
        } else if found != expected {
            Err(Problem::WireNumber { what, expected, found })
        } else {
            Ok(())
        }
    }

    /// Reads the words after `call`.
    fn call<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        drives: Drives,
        functions: &Functions,
    ) -> Result<(), ReadError> {
        let open = OpenCall::read(lexer, functions, self.body.gates.len())?;
        let count = self.begin_call(&open, drives, functions);
        let count = count.map_err(|problem| lexer.error(problem))?;
        self.call = Some((open, count));
        Ok(())
    }

    /// Checks a call's size. Returns the number of wires that it drives.
    fn begin_call(
        &mut self,
        open: &OpenCall,
        Drives { first, last }: Drives,
        functions: &Functions,
    ) -> Result<u64, Problem> {
        let (function, form) = (open.call.function, open.call.form);
        let (_, outputs) = functions.ports(function);
        let count = open.call.wires(outputs).ok_or(Problem::TooManyWires)?;
        let end = self.wires.checked_add(count).filter(|&end| end <= u64::from(Wire::MAX));
        if end.ok_or(Problem::TooManyWires)? - 1 != last {
            return Err(CallProblem::Driven { first, count }.into());
        }
        let inner = functions.extent(function);
        if inner.nesting >= MAX_NESTING {
            return Err(CallProblem::TooDeep.into());
        }
        self.extent.nesting = self.extent.nesting.max(inner.nesting + 1);
        let gates = inner.gates.checked_mul(form.runs()).ok_or(CallProblem::TooManyGates)?;
        self.extent.add(gates)?;
        Ok(count)
    }

    /// Reads the rest of a line of the kind `line`, which belongs to a call.
    pub(super) fn argument<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        line: Line,
    ) -> Result<(), ReadError> {
        match &mut self.call {
            Some((call, _)) => call.argument(lexer, line, self.wires),
            None => Err(lexer.error(CallProblem::NoCall(line.word()).into())),
        }
    }

    /// Whether arguments of a call are being read.
    pub(super) fn is_in_call(&self) -> bool {
        self.call.is_some()
    }

    /// Ends the call whose arguments were being read, if any.
    pub(super) fn finish_call<R: BufRead>(&mut self, lexer: &Lexer<R>) -> Result<(), ReadError> {
        if let Some((call, count)) = self.call.take() {
            self.body.calls.push(call.finish(lexer)?);
            self.wires += count;
        }
        Ok(())
    }
}
