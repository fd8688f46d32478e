//! A structured program that is ready to run.

use super::lower::{Code, lower};
use super::machine::{Fetch, Frame, Machine, Team, With};
use super::run::extent;
use crate::EngineError;
use crate::checked::{MAX_ANDS, check_length};
use crate::cpu::ENGINE;
use crate::cpu::role::{Role, Run};
use crate::cpu::threads::Threads;
use crate::io::{Counters, RunKey};
use halfgate_compiler::StructuredProgram;
use halfgate_kernels::ops::WINDOW;
use halfgate_kernels::{Delta, Kernel, LabelMemory, wipe};
use rayon::ThreadPool;
use zeroize::Zeroizing;

/// A structured program without state, and its code.
pub(in crate::cpu) struct StructuredRun {
    code: Code,
    kernel: &'static Kernel,
    /// Number of labels in a run's memory.
    labels: usize,
    threads: Threads,
    /// Present if there are several threads, and maps for them.
    pool: Option<ThreadPool>,
    /// Whether the system had too few threads for the pool.
    lacks_threads: bool,
}

/// A run needs more labels at once than can be addressed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a run needs {labels} labels at once, more than {most}: map and fold smaller functions, or \
     pass lists in slices",
    most = u32::MAX
)]
struct TooManyLabels {
    labels: u64,
}

impl StructuredRun {
    /// Lowers `program`, whose outermost body must have no state and no per-cycle ports.
    ///
    /// # Errors
    /// If a run needs too many labels at once.
    pub fn new(
        program: &StructuredProgram,
        kernel: &'static Kernel,
        threads: Threads,
    ) -> Result<StructuredRun, EngineError> {
        let code =
            lower(program, program.plan()?).map_err(|error| EngineError::program(ENGINE, error))?;
        let labels = extent(&code).saturating_add(WINDOW as u64);
        if labels > u64::from(u32::MAX) {
            return Err(EngineError::program(ENGINE, TooManyLabels { labels }));
        }
        let has_tasks = threads.count.get() > 1 && code.has_large_maps(threads);
        let pool = has_tasks.then(|| threads.pool()).flatten();
        let lacks_threads = has_tasks && pool.is_none();
        Ok(StructuredRun { code, kernel, labels: labels as usize, threads, pool, lacks_threads })
    }
}

impl Run for StructuredRun {
    fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    fn run(
        &self,
        key: RunKey,
        cycles: u64,
        delta: Option<&Delta>,
        mut role: impl Role,
    ) -> Result<Counters, EngineError> {
        self.check(cycles)?;
        if self.lacks_threads {
            role.note(&self.threads.lacking())?;
        }
        let team = self.pool.as_ref().map(|pool| {
            let with = With { kernel: self.kernel, key, delta };
            // Tasks are made on this stack, where an earlier run of the same session was.
            wipe::stack();
            Team::new(pool, self.threads, &self.code, with)
        });
        self.run_with(key, role, team)
    }

    fn run_alone(
        &self,
        key: RunKey,
        cycles: u64,
        role: impl Role,
    ) -> Result<Counters, EngineError> {
        self.check(cycles)?;
        self.run_with(key, role, None)
    }
}

impl StructuredRun {
    /// Checks that a run may have this many cycles.
    fn check(&self, cycles: u64) -> Result<(), EngineError> {
        if cycles != 1 {
            return Err(EngineError::OneCycleOnly { cycles });
        }
        check_length(ENGINE, (1, u64::MAX), self.code.outermost.size.ands, MAX_ANDS)
    }

    fn run_with<'a>(
        &'a self,
        key: RunKey,
        role: impl Role,
        team: Option<Team<'a>>,
    ) -> Result<Counters, EngineError> {
        let code = &self.code;
        let mut machine = Machine {
            code,
            role,
            state: self.kernel.start(key.suite, key.point),
            memory: LabelMemory::new(self.labels),
            fetch: Fetch::new(code.input_bits as usize, &code.inputs),
            buffer: Zeroizing::new(Vec::new()),
            unreported: 0,
            team,
            calls: 0,
        };
        let frame = Frame { base: 0, lanes: 1, places: &[], end: code.outermost.slots };
        machine.body(&code.outermost, &frame, 0)?;
        machine.fetch_rest(&frame)?;
        machine.give_all(&frame)?;
        let (gates, ands) = (code.outermost.size.gates, machine.state.ands());
        Ok(Counters { gates, ands, cycles: 1 })
    }
}
