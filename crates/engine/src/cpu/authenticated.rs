//! Walks of an authenticated run: the role that serves all three steps.
//!
//! A window of rows may end at any AND, and at any lane of an AND. The rows of the next window
//! depend on the results of this one. So operations run up to the end of the window, and go on when
//! there are more rows.

use crate::EngineError;
use crate::authenticated::{Authenticated, AuthenticatedIo, Step};
use crate::cpu::ENGINE;
use crate::cpu::parts::Parts;
use crate::cpu::piece::{Labels, Piece};
use crate::cpu::role::{Role, Run};
use crate::io::{Counters, RunKey};
use halfgate_circuit::Wire;
use halfgate_kernels::ops::{And, Ops, Wide};
use halfgate_kernels::{Kernel, Label, LabelMemory, State, Suite, wipe};

impl<T: Run> Authenticated for T {
    fn walk(
        &self,
        key: RunKey,
        step: Step<'_>,
        cycles: u64,
        io: &mut dyn AuthenticatedIo,
    ) -> Result<Counters, EngineError> {
        // Other suites have other tables, and tweaks that depend on the number of lanes.
        if key.suite != Suite::HalfGates {
            let (engine, suites) = (ENGINE.to_owned(), vec![Suite::HalfGates]);
            return Err(EngineError::Suite { engine, suites, suite: key.suite });
        }
        self.run_alone(key, cycles, Walker { kernel: self.kernel(), step: &step, io })
    }
}

/// The caller of a walk gave no rows, or more than requested.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the caller of a walk gave {given} rows, not 1 to {most}")]
struct RowsError {
    given: usize,
    most: usize,
}

/// Runs one step for each AND.
struct Walker<'a> {
    kernel: &'static Kernel,
    /// A reference, because it may have Δ: a move would leave a copy.
    step: &'a Step<'a>,
    io: &'a mut dyn AuthenticatedIo,
}

/// Where the labels of operands lie.
#[derive(Clone, Copy)]
enum Layout<'w> {
    /// One lane, in the frame that begins at this address.
    Frame(u32),
    Wide(Wide<'w>),
}

impl Walker<'_> {
    /// Runs operations, window by window.
    fn run(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        layout: Layout<'_>,
    ) -> Result<(), EngineError> {
        let lanes = match layout {
            Layout::Frame(_) => 1,
            Layout::Wide(wide) => wide.lanes,
        };
        let (kernel, step) = (self.kernel, self.step);
        let mut parts = Parts::new(ops);
        // Lanes of the next AND that have run.
        let mut lane = 0;
        loop {
            let left = parts.ands() * lanes - lane;
            let rows = rows(self.io, left)?;
            let is_last = rows.len() == left;
            wipe::far_below(|| {
                let mut on = On { kernel, step, state: &mut *state, memory: &mut *memory };
                lane = on.part(&mut parts, lane, layout, rows);
            });
            if left > 0 {
                self.io.rows_ready().map_err(EngineError::Io)?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// The next rows, at most `most`. There are none if none are requested.
fn rows(io: &mut dyn AuthenticatedIo, most: usize) -> Result<&mut [[Label; 3]], EngineError> {
    if most == 0 {
        return Ok(&mut []);
    }
    let rows = io.rows(most).map_err(EngineError::Io)?;
    match rows.len() {
        given if given == 0 || given > most => {
            Err(EngineError::Io(RowsError { given, most }.into()))
        }
        _ => Ok(rows),
    }
}

/// A kernel at work on a step.
struct On<'a> {
    kernel: &'static Kernel,
    step: &'a Step<'a>,
    state: &'a mut State,
    memory: &'a mut LabelMemory,
}

impl On<'_> {
    /// Runs operations until all of `rows` hold results. `lane` lanes of the next AND have run
    /// before; returns how many of the AND that then comes next have run.
    fn part(
        &mut self,
        parts: &mut Parts<'_>,
        lane: usize,
        layout: Layout<'_>,
        mut rows: &mut [[Label; 3]],
    ) -> usize {
        let Layout::Wide(wide) = layout else {
            self.ops(&parts.take(rows.len()), layout, rows);
            return 0;
        };
        if lane > 0 {
            let now = rows.len().min(wide.lanes - lane);
            self.lanes(&parts.next_and(), wide, lane, &mut rows[..now]);
            if lane + now < wide.lanes {
                return lane + now;
            }
            parts.skip_and();
            rows = &mut rows[now..];
        }
        let ands = rows.len() / wide.lanes;
        let (whole, rows) = rows.split_at_mut(ands * wide.lanes);
        self.ops(&parts.take(ands), layout, whole);
        if !rows.is_empty() {
            self.lanes(&parts.next_and(), wide, 0, rows);
        }
        rows.len()
    }

    /// Runs a single AND on the lanes from `lane` on, one for each of `rows`.
    fn lanes(&mut self, ops: &Ops, wide: Wide<'_>, lane: usize, rows: &mut [[Label; 3]]) {
        let [And { a, b, c, flags }] = *ops.ands else { unreachable!("a single AND") };
        let places = [a, b, c].map(|x| wide.places[usize::from(x)] + lane as u32);
        let ops = Ops { ands: &[And { a: 0, b: 1, c: 2, flags }], ..*ops };
        self.ops(&ops, Layout::Wide(Wide { lanes: rows.len(), places: &places }), rows);
    }

    fn ops(&mut self, ops: &Ops, layout: Layout<'_>, rows: &mut [[Label; 3]]) {
        let (kernel, step) = (self.kernel, *self.step);
        match layout {
            Layout::Frame(base) => {
                kernel.authenticated_at(self.state, step, self.memory, base, ops, rows);
            }
            Layout::Wide(wide) => {
                kernel.authenticated_wide(self.state, step, self.memory, ops, wide, rows);
            }
        }
    }
}

/// The threads of a team exchange tables, and a walk has none.
const NO_TEAM: &str = "a walk has no team";

impl Role for Walker<'_> {
    fn offset(&self) -> Label {
        match self.step {
            Step::Shares { offset } => *offset,
            Step::Garble { .. } | Step::Evaluate => Label::ZERO,
        }
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        Ok(Label::ZERO)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.inputs(cycle, w, labels).map_err(EngineError::Io)
    }

    fn ops(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        self.ops_at(state, memory, 0, ops)
    }

    fn ops_at(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        base: u32,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        self.run(state, memory, ops, Layout::Frame(base))
    }

    fn ops_wide(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
    ) -> Result<(), EngineError> {
        self.run(state, memory, ops, Layout::Wide(wide))
    }

    fn receive_tables(&mut self, _: Suite, _: &mut [u8]) -> Result<(), EngineError> {
        unreachable!("{NO_TEAM}")
    }

    fn give_tables(&mut self, _: Suite, _: &[u8]) -> Result<(), EngineError> {
        unreachable!("{NO_TEAM}")
    }

    fn part_end(&self, _: u64) -> u64 {
        unreachable!("{NO_TEAM}")
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    fn begin(&mut self, _: u64, _: u64) -> Result<(), EngineError> {
        Ok(())
    }

    fn note(&mut self, what: &str) -> Result<(), EngineError> {
        self.io.note(what).map_err(EngineError::Io)
    }

    fn piece(
        &mut self,
        state: &mut State,
        labels: &mut Labels,
        piece: &Piece<'_>,
    ) -> Result<(), EngineError> {
        let (kernel, step) = (self.kernel, self.step);
        let mut rest = *piece;
        while !rest.ops.is_empty() {
            let rows = rows(self.io, rest.ands)?;
            let (now, later) = rest.divide(rows.len());
            wipe::far_below(|| {
                now.run(state, labels, |state, memory, ops, at| {
                    kernel.authenticated_at(state, *step, memory, 0, ops, &mut rows[at..=at]);
                });
            });
            if now.ands > 0 {
                self.io.rows_ready().map_err(EngineError::Io)?;
            }
            rest = later;
        }
        Ok(())
    }
}
