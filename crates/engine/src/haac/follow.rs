//! Computes the labels of what a model issues.
//!
//! ANDs are gathered with the labels that came to them and computed together, when a label of theirs is
//! wanted: a machine's AND takes some twenty cycles, and until then all that its engines issue is
//! independent of it. XORs are computed at once.

use super::role::{Batch, Role};
use super::store::{Found, Store};
use super::tables::Tables;
use crate::EngineError;
use halfgate_kernels::ops::And;
use halfgate_kernels::{Kernel, LabelMemory, State};
use halfgate_machines::haac::Op;
use halfgate_machines::haac::issue::{Issue, Sink};

/// ANDs that are computed together, at most.
const MOST: usize = 1 << 10;

/// Issues after which progress is told.
const TELL: u64 = 1 << 14;

/// Follows one launch after the other.
pub(super) struct Follower<R> {
    pub role: R,
    kernel: &'static Kernel,
    state: State,
    pub store: Store,
    tables: Tables,
    /// ANDs of the program, and of all launches before this one.
    ands: u64,
    ands_before: u64,
    launch: u64,
    issues: u64,
    /// ANDs that are not computed yet; number k's labels are at `3k` to `3k + 2` of `gathered`.
    pending: Vec<Pending>,
    gathered: LabelMemory,
    // Room that is used again.
    order: Vec<(u64, u32)>,
    ops: Vec<And>,
    positions: Vec<u32>,
    rows: Vec<u8>,
}

struct Pending {
    number: u64,
    out: u32,
    live: bool,
}

impl<R: Role> Follower<R> {
    /// Follows a program of `ands` ANDs with labels in `store`.
    pub fn new(
        role: R,
        (kernel, state): (&'static Kernel, State),
        store: Store,
        window: u32,
        ands: u64,
    ) -> Follower<R> {
        Follower {
            role,
            kernel,
            state,
            store,
            tables: Tables::new(u64::from(window) + MOST as u64),
            ands,
            ands_before: 0,
            launch: 0,
            issues: 0,
            pending: Vec::with_capacity(MOST),
            gathered: LabelMemory::new(3 * MOST),
            order: Vec::new(),
            ops: Vec::new(),
            positions: vec![0; MOST],
            rows: Vec::new(),
        }
    }

    /// ANDs computed so far, over all launches.
    pub fn ands_done(&self) -> u64 {
        self.ands_before + self.tables.due()
    }

    /// A launch is over: everything is computed and handed on.
    pub fn finish(&mut self) -> Result<(), EngineError> {
        self.flush()?;
        self.role.hand_on(&mut self.tables, true)?;
        if self.tables.due() != self.ands {
            let (due, all) = (self.tables.due(), self.ands);
            return Err(EngineError::Machine(format!("it never ran AND {due} of {all}")));
        }
        Ok(())
    }

    /// Goes on to the next launch. ANDs go on counting.
    pub fn next_launch(&mut self) {
        self.ands_before += self.ands;
        self.launch += 1;
        self.tables.clear();
        self.role.next_launch();
        self.store.clear();
    }

    /// Computes the ANDs that have been gathered.
    fn flush(&mut self) -> Result<(), EngineError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.order.clear();
        self.order.extend(self.pending.iter().zip(0..).map(|(and, k)| (and.number, k)));
        // What engines run side by side has neighbouring numbers, if not in order.
        self.order.sort_unstable();
        self.ops.clear();
        let slot = |k: u32| 3 * k as u16;
        let and =
            |&(_, k): &(u64, u32)| And { a: slot(k), b: slot(k) + 1, c: slot(k) + 2, flags: 0 };
        self.ops.extend(self.order.iter().map(and));
        let last = self.order.last().expect("there are some").0;
        self.role.fetch(&mut self.tables, last, self.ands)?;
        let mut start = 0;
        for run in self.order.chunk_by(|x, y| x.0 + 1 == y.0) {
            let (first, end) = (run[0].0, start + run.len());
            self.state.go_to(self.ands_before + first);
            let batch = Batch {
                first,
                ands: &self.ops[start..end],
                positions: &self.positions[start..end],
                rows: &mut self.rows,
            };
            let (state, memory) = (&mut self.state, &mut self.gathered);
            self.role.run(self.kernel, state, memory, batch, &mut self.tables)?;
            start = end;
        }
        for (and, k) in self.pending.iter().zip(0..) {
            let label = self.gathered.get(3 * k + 2);
            self.store.set(and.out, label);
            if and.live {
                self.store.write(and.out, label);
            }
        }
        self.pending.clear();
        self.role.hand_on(&mut self.tables, false)
    }

    /// The label that came as an operand.
    #[inline]
    fn operand(
        &mut self,
        issue: &Issue,
        which: usize,
    ) -> Result<halfgate_kernels::Label, EngineError> {
        let name = issue.operands[which];
        match self.store.find(name) {
            Found::Label(label) => Ok(label),
            Found::Pending => {
                self.flush()?;
                match self.store.find(name) {
                    Found::Label(label) => Ok(label),
                    _ => Err(absent(issue, name)),
                }
            }
            Found::Absent => Err(absent(issue, name)),
        }
    }
}

#[cold]
fn absent(issue: &Issue, name: u32) -> EngineError {
    let Issue { cycle, engine, out, .. } = issue;
    EngineError::Machine(format!(
        "in clock cycle {cycle} engine {engine} took wire {name} for wire {out}, and that has no label \
         there"
    ))
}

impl<R: Role> Sink for Follower<R> {
    type Error = EngineError;

    #[inline]
    fn issue(&mut self, issue: &Issue) -> Result<(), EngineError> {
        let a = self.operand(issue, 0)?;
        let b = if issue.op == Op::Unary { a } else { self.operand(issue, 1)? };
        if self.store.covers_pending(issue.out) {
            self.flush()?;
        }
        if issue.op == Op::And {
            if self.pending.len() == MOST {
                self.flush()?;
            }
            let slot = 3 * self.pending.len() as u32;
            self.gathered.set(slot, a);
            self.gathered.set(slot + 1, b);
            self.store.set_pending(issue.out);
            self.pending.push(Pending { number: issue.and, out: issue.out, live: issue.live });
        } else {
            let label = match issue.op {
                Op::Unary => a ^ self.role.offset().masked(issue.invert),
                _ => a ^ b,
            };
            self.store.set(issue.out, label);
            if issue.live {
                self.store.write(issue.out, label);
            }
        }
        for which in 0..2 {
            if issue.last_from_memory[which] {
                self.store.free(issue.operands[which], issue.out);
            }
        }
        self.store.advance(issue.out);
        self.issues += 1;
        if self.issues.is_multiple_of(TELL) {
            self.role.progress(self.launch, self.ands_done())?;
        }
        Ok(())
    }
}
