//! Computes the labels of the instructions that a model issues.
//!
//! ANDs are gathered with the labels of their operands. They are computed together once a label
//! that one of them produces is needed. An AND of a machine takes some twenty cycles, and nothing
//! that its engines issue in that time depends on it. XORs are computed at once.

use super::error::RunError;
use super::role::{Batch, LEAST_PIECE, Units};
use super::store::{Found, Store};
use super::tables::Tables;
use halfgate_engine::EngineError;
use halfgate_haac_model::Op;
use halfgate_haac_model::issue::{Issue, Sink};
use halfgate_kernels::ops::And;
use halfgate_kernels::{Kernel, LabelMemory, State};

/// Largest number of ANDs computed together.
const MOST: usize = 1 << 10;

/// Added to the labels of the window, this bounds how far an AND's number may exceed that of the
/// first table still held. Finished tables are held only while they are fewer than a piece.
const AHEAD: u64 = LEAST_PIECE as u64;

/// Issued instructions between two progress reports.
const PROGRESS_INTERVAL_INSTRUCTIONS: u64 = 1 << 14;

/// Computes the labels of all launches of a run.
pub(super) struct Follower<R> {
    pub role: R,
    kernel: &'static Kernel,
    state: State,
    pub store: Store,
    tables: Tables,
    window: u64,
    /// ANDs of the program, and those of all earlier launches.
    ands: u64,
    ands_before: u64,
    launch: u64,
    issues: u64,
    /// ANDs that are not computed yet. The labels of the one at index k are at `3k` to `3k + 2` in
    /// `gathered`.
    pending: Vec<Pending>,
    gathered: LabelMemory,
    // Buffers that each batch of ANDs uses again.
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

impl<R: Units> Follower<R> {
    /// A follower for a program of `ands` ANDs with labels in `store`.
    pub fn new(
        role: R,
        (kernel, state): (&'static Kernel, State),
        store: Store,
        window: u32,
        ands: u64,
    ) -> Follower<R> {
        let window = u64::from(window);
        Follower {
            role,
            kernel,
            state,
            store,
            // Tables from the caller arrive in pieces, so up to a piece more than needed may be
            // held.
            tables: Tables::new(window + AHEAD + LEAST_PIECE as u64),
            window,
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

    /// Ends a launch: computes the pending ANDs and hands on all tables.
    pub fn finish(&mut self) -> Result<(), EngineError> {
        self.flush()?;
        self.role.hand_on(&mut self.tables, true)?;
        if self.tables.due() != self.ands {
            let (due, all) = (self.tables.due(), self.ands);
            return Err(EngineError::machine(RunError::NeverRan { due, all }));
        }
        Ok(())
    }

    /// Begins the next launch. The numbering of ANDs continues.
    pub fn next_launch(&mut self) {
        self.ands_before += self.ands;
        self.launch += 1;
        self.tables.clear();
        self.store.clear();
    }

    /// Computes the gathered ANDs.
    fn flush(&mut self) -> Result<(), EngineError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.order.clear();
        self.order.extend(self.pending.iter().zip(0..).map(|(and, k)| (and.number, k)));
        // ANDs that engines run at the same time have neighbouring numbers, but arrive in any
        // order.
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

    /// The label of an operand.
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
fn absent(issue: &Issue, wire: u32) -> EngineError {
    let Issue { cycle, engine, out, .. } = *issue;
    EngineError::machine(RunError::NoLabel { cycle, engine, wire, out })
}

impl<R: Units> Sink for Follower<R> {
    type Error = EngineError;

    #[inline]
    fn issue(&mut self, issue: &Issue) -> Result<(), EngineError> {
        let a = self.operand(issue, 0)?;
        let b = if issue.op == Op::Unary { a } else { self.operand(issue, 1)? };
        if self.store.covers_pending(issue.out) {
            self.flush()?;
        }
        if issue.op == Op::And {
            // The machine runs at most a window ahead of its oldest instruction not yet issued.
            // ANDs pending here count as issued for it, so its numbers can be further ahead of the
            // tables here.
            let far = issue.and >= self.tables.due() + self.window + AHEAD;
            if far || self.pending.len() == MOST {
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
        if self.issues.is_multiple_of(PROGRESS_INTERVAL_INSTRUCTIONS) {
            self.role.progress(self.launch, self.ands_done())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::host::Garbler;
    use super::*;
    use halfgate_engine::testing::{MemoryGarbler, seeded_labels};
    use halfgate_haac_model::machine::Shape;
    use halfgate_kernels::{Delta, Label, Suite, choose};

    /// The machine may run a window ahead of a late AND. While this AND is still pending here, the
    /// machine may run another window ahead.
    #[test]
    fn an_and_that_is_late_may_wait_while_the_machine_goes_on() {
        let shape = Shape { engines: 2, window: 2048 };
        let (first_output, ands) = (3, 4090);
        let mut addresses = vec![first_output];
        for k in 1..ands {
            addresses.push(shape.next_address(addresses[k - 1]));
        }
        let mut store = Store::new(shape, first_output);
        store.set_input(1, Label::from_u128(11));
        store.set_input(2, Label::from_u128(22));
        let mut io = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        let delta = Delta::new(Label::from_u128(33));
        let kernel = choose::best();
        let kernel = (kernel, kernel.start(Suite::HalfGates, 5));
        let role = Garbler { delta: &delta, io: &mut io };
        let mut follower = Follower::new(role, kernel, store, shape.window, ands as u64);
        // Most ANDs of halves 0 and 1, then the late AND, the rest of half 1, the last AND of half
        // 3, and the rest.
        let order = (1..1025).chain([0]).chain(1025..2045).chain([4089]).chain(2045..4089);
        for (cycle, and) in order.enumerate() {
            let issue = Issue {
                cycle: cycle as u64,
                engine: 0,
                op: Op::And,
                invert: false,
                live: false,
                out: addresses[and],
                operands: [1, 2],
                last_from_memory: [false; 2],
                and: and as u64,
            };
            follower.issue(&issue).unwrap();
        }
        follower.finish().unwrap();
        assert_eq!(io.tables().len(), 32 * ands);
    }
}
