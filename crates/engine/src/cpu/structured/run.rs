//! Runs the code of bodies on labels, for either role.

use super::code::{BodyCode, Chunk, Step};
use super::lower::Code;
use super::machine::{Frame, Machine, aligned};
use crate::EngineError;
use crate::cpu::role::Role;
use crate::io::PIECE_ANDS;
use halfgate_circuit::structured::{Form, FunctionId};
use halfgate_kernels::ops::{Ops, Wide};
use std::collections::HashMap;

/// Operations between progress reports, all lanes counted: some ten microseconds.
const PROGRESS_INTERVAL_GATES: usize = 1 << 14;

impl<'a, R: Role> Machine<'a, R> {
    /// Runs a body. `position` is that of its first gate in the program's flattening.
    pub fn body(
        &mut self,
        body: &'a BodyCode,
        frame: &Frame<'_>,
        position: u64,
    ) -> Result<(), EngineError> {
        let lanes = u64::from(frame.lanes);
        let mut steps = &body.steps[..];
        while let Some((step, after)) = steps.split_first() {
            steps = after;
            match step {
                Step::Gates(chunk) => {
                    self.fetch_for_gates(chunk, frame)?;
                    self.chunk(chunk, frame, position + chunk.first_position * lanes)?;
                }
                Step::Call(call) => {
                    let others = &after[..call.together as usize];
                    match self.in_tasks(call, others, frame, position)? {
                        0 => self.call(call, frame, position + call.first_position * lanes)?,
                        count => steps = &after[count - 1..],
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a chunk, in pieces whose tables fit the buffers of the caller.
    fn chunk(
        &mut self,
        chunk: &Chunk,
        frame: &Frame<'_>,
        position: u64,
    ) -> Result<(), EngineError> {
        self.state.go_to_position(position);
        let local: Option<Vec<u32>> =
            chunk.local.as_ref().map(|slots| slots.iter().map(|&slot| frame.place(slot)).collect());
        let places = local.as_deref().unwrap_or(frame.places);
        let lanes = frame.lanes as usize;
        let ops = Ops {
            segments: &chunk.segments,
            moves: &chunk.moves,
            xors: &chunk.xors,
            ands: &chunk.ands,
            positions: &chunk.positions,
        };
        for ops in ops.pieces(PIECE_ANDS / lanes) {
            match places.is_empty() && lanes == 1 {
                true => self.role.ops_at(&mut self.state, &mut self.memory, frame.base, &ops)?,
                false => {
                    let wide = Wide { lanes, places };
                    self.role.ops_wide(&mut self.state, &mut self.memory, &ops, wide)?;
                }
            }
            let operations = ops.moves.len() + ops.xors.len() + ops.ands.len();
            self.unreported += operations * lanes;
        }
        self.report()
    }

    /// Counts a run of a function as one operation. So progress is also reported, and the caller
    /// can stop the run, if functions have no operations.
    pub fn count_run(&mut self) -> Result<(), EngineError> {
        self.unreported += 1;
        self.report()
    }

    /// Reports progress, if there is much to report.
    pub fn report(&mut self) -> Result<(), EngineError> {
        if self.unreported >= PROGRESS_INTERVAL_GATES {
            self.unreported = 0;
            self.role.progress(0, self.state.ands())?;
        }
        Ok(())
    }
}

/// Labels of memory that a run of the outermost body needs, those of the functions that it calls
/// included.
pub(super) fn extent(code: &Code) -> u64 {
    of_body(code, &code.outermost, 1, &mut HashMap::new())
}

/// As [`extent`], for a function in `lanes` lanes.
pub(super) fn extent_of(code: &Code, function: &BodyCode, lanes: u64) -> u64 {
    of_body(code, function, lanes, &mut HashMap::new())
}

/// As [`extent_of`]. `known` has those of functions, by number and lanes.
fn of_body(
    code: &Code,
    body: &BodyCode,
    lanes: u64,
    known: &mut HashMap<(FunctionId, u64), u64>,
) -> u64 {
    let own = aligned(u64::from(body.slots) * lanes);
    let mut most = 0;
    for step in &body.steps {
        let Step::Call(call) = step else { continue };
        let callee = &code.functions[call.function.index()];
        let lanes = lanes * call.block;
        let inner = match known.get(&(call.function, lanes)) {
            Some(&inner) => inner,
            None => {
                let inner = of_body(code, callee, lanes, known);
                known.insert((call.function, lanes), inner);
                inner
            }
        };
        most = inner.saturating_add(copies(callee, call.form, lanes)).max(most);
    }
    own.saturating_add(most)
}

/// Labels that a call may copy: of each input, of the state twice, and of each output.
pub(super) fn copies(callee: &BodyCode, form: Form, lanes: u64) -> u64 {
    let bits = u64::from(callee.inputs) + u64::from(callee.outputs) + 2 * u64::from(form.state());
    aligned(bits * lanes)
}
