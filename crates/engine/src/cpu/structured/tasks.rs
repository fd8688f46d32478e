//! Runs a map's blocks in tasks: prepares them, and takes tables and outputs back in program order.

use super::code::{ArgumentCode, CallCode, Driven, Step};
use super::lower::Code;
use super::machine::{Copies, Frame, Layout, Machine, Task, Team};
use crate::EngineError;
use crate::cpu::role::Role;
use crate::cpu::threads::Threads;
use halfgate_circuit::structured::Form;
use std::collections::VecDeque;
use std::ops::Range;

/// Most ANDs, gates and ports of a task, which bound its memory and the time until a run that has
/// failed ends. Blocks with more run on one thread.
const MOST_ANDS: u64 = 1 << 19;
const MOST_GATES: u64 = 1 << 24;
const MOST_PORTS: u64 = 1 << 18;

const HAS_TEAM: &str = "only a run with several threads has tasks";

/// How a map is divided into tasks.
pub(super) struct Plan {
    layout: Layout,
    /// Runs of a task, a multiple of the lanes of a block.
    runs: u64,
}

impl Code {
    /// Whether several threads may run this program faster than one.
    pub(super) fn has_large_maps(&self, threads: Threads) -> bool {
        let mut bodies = self.functions.iter().chain([&self.outermost]);
        let is_large = |step: &Step| match step {
            Step::Call(call) => self.plan(call, threads).is_some(),
            Step::Gates(_) => false,
        };
        bodies.any(|body| body.steps.iter().any(is_large))
    }

    /// The division of a call into tasks, if several threads run it faster than one. Its caller
    /// runs in one lane.
    pub(super) fn plan(&self, call: &CallCode, threads: Threads) -> Option<Plan> {
        let Form::Map { .. } = call.form else { return None };
        let callee = &self.functions[call.function.index()];
        let (runs, block, size) = (call.form.runs(), call.block, callee.size);
        let ands = size.ands.saturating_mul(runs);
        if ands < threads.task_ands.saturating_mul(2) {
            return None;
        }
        let copied = call.arguments.iter().filter(|a| !matches!(a, ArgumentCode::Shared(_)));
        let copied = copied.map(|argument| u64::from(argument.width())).sum::<u64>();
        let ports = copied + u64::from(callee.outputs);
        if size.ands.saturating_mul(threads.labels_an_and) < ports {
            return None;
        }
        let most =
            (MOST_ANDS / size.ands).min(MOST_GATES / size.gates).min(MOST_PORTS / ports.max(1));
        let blocks = threads.of_a_task(ands).div_ceil(size.ands * block).min(most / block);
        if blocks == 0 {
            return None;
        }
        let runs = (blocks * block).min(runs.next_multiple_of(block));
        Some(Plan { layout: Layout::new(self, callee, block, runs)?, runs })
    }
}

impl<'a, R: Role> Machine<'a, R> {
    /// Runs a map in tasks, wave after wave.
    ///
    /// While the tasks of a wave run, only they write to label memory. So if the call reads input
    /// bits that have slots and were not fetched, those of a wave are fetched before it begins, and
    /// it is short. Otherwise there is one wave, and inputs are fetched task by task.
    pub(super) fn in_tasks(
        &mut self,
        call: &'a CallCode,
        plan: &Plan,
        frame: &Frame<'_>,
        position: u64,
    ) -> Result<(), EngineError> {
        self.calls += 1;
        let (runs, ands) = (call.form.runs(), self.code.functions[call.function.index()].size.ands);
        let first = (self.state.ands(), position);
        let mut start = 0;
        while start < runs {
            let and = first.0 + start * ands;
            let in_part = (self.role.part_end(and) - and).div_ceil(ands);
            let end = runs.min(start.saturating_add(in_part));
            let short = start.saturating_add(plan.runs * self.team().tasks() as u64);
            let is_short = self.reads_slots(call) && short < end;
            let wave =
                Wave { call, plan, frame, first, runs: start..if is_short { short } else { end } };
            start = wave.runs.end;
            self.wave(&wave)?;
        }
        Ok(())
    }

    /// Runs the tasks of a wave.
    fn wave(&mut self, wave: &Wave<'a, '_>) -> Result<(), EngineError> {
        let callee = &self.code.functions[wave.call.function.index()];
        let mut ready = VecDeque::new();
        if self.reads_slots(wave.call) {
            for runs in wave.tasks() {
                ready.push_back(self.ready(wave, runs)?);
            }
        }
        let mut memory = std::mem::take(&mut self.memory);
        let outputs = u64::from(callee.outputs);
        let (others, mut written) = memory.split(match wave.call.driven {
            Driven::Slots(slots) => {
                let own = |run| wave.frame.own((u64::from(slots) + run * outputs) as u32);
                own(wave.runs.start)..own(wave.runs.end)
            }
            Driven::Output(_) => 0..0,
        });
        let pool = self.team().pool;
        let result = pool.in_place_scope(|scope| {
            let mut begun = VecDeque::new();
            for runs in wave.tasks() {
                if begun.len() == self.team().tasks() {
                    let first = begun.pop_front().expect("tasks have begun");
                    self.finish(wave, first)?;
                }
                let mut task = match ready.pop_front() {
                    Some(task) => task,
                    None => self.ready(wave, runs)?,
                };
                self.role.receive_tables(self.state.suite(), task.tables())?;
                let count = match wave.call.driven {
                    Driven::Slots(_) => (task.runs.end - task.runs.start) * outputs,
                    Driven::Output(_) => 0,
                };
                let own = written.split_off_mut(..count as usize).expect("a wave has its tasks");
                begun.push_back(task.runs.start);
                self.team().begin(scope, task, (others, wave.frame), own);
            }
            begun.into_iter().try_for_each(|start| self.finish(wave, start))
        });
        self.memory = memory;
        result
    }

    fn team(&mut self) -> &mut Team<'a> {
        self.team.as_mut().expect(HAS_TEAM)
    }

    /// Whether a call reads input bits that have slots and were not fetched.
    fn reads_slots(&self, call: &CallCode) -> bool {
        let has_to_come =
            |&port: &usize| self.code.inputs[port].is_some() && !self.fetch.has_all(port);
        call.reads_inputs.as_ref().is_some_and(|reads| reads.ports.iter().any(has_to_come))
    }

    /// A task with all its inputs that have no slots.
    fn ready(
        &mut self,
        wave: &Wave<'a, '_>,
        runs: Range<u64>,
    ) -> Result<Box<Task<'a>>, EngineError> {
        let Wave { call, plan, frame, first, .. } = *wave;
        let (code, of) = (self.code, (call, self.calls));
        let size = code.functions[call.function.index()].size;
        let mut task = self.team().idle().expect("there are as many tasks as may run");
        task.of_call(of, plan.layout);
        let first = (first.0 + runs.start * size.ands, first.1 + runs.start * size.gates);
        task.set(runs, first);
        for (before, lanes) in task.blocks() {
            let start = task.runs.start + before;
            let runs = (start, start + u64::from(lanes));
            let copies = Copies { first: task.layout.inputs_of(before), stride: lanes };
            self.fetch_for_call(call, runs, frame, (copies, Some(task.memory_mut())))?;
        }
        Ok(task)
    }

    /// Waits for the task whose runs begin with `start`, and gives its tables out, and its outputs
    /// if they have no slots.
    fn finish(&mut self, wave: &Wave<'a, '_>, start: u64) -> Result<(), EngineError> {
        let callee = &self.code.functions[wave.call.function.index()];
        let (suite, ands) = (self.state.suite(), self.state.ands());
        let team = self.team.as_mut().expect(HAS_TEAM);
        let mut task = team.end(start, || self.role.progress(0, ands))?;
        self.role.give_tables(suite, task.tables())?;
        let count = task.runs.end - task.runs.start;
        self.state.go_to(task.first.0 + count * callee.size.ands);
        if let Driven::Output(first) = wave.call.driven {
            for (before, lanes) in task.blocks() {
                let from = task.layout.outputs_of(before);
                let addresses: Vec<u32> =
                    (0..callee.outputs).map(|output| from + output * lanes).collect();
                let first = first + (task.runs.start + before) as u32 * callee.outputs;
                self.give_block_of(Some(task.memory()), (first, lanes), &addresses)?;
            }
        }
        self.team().release(task);
        self.unreported = self.unreported.saturating_add((count * callee.size.gates) as usize);
        self.report()
    }
}

/// Some runs of a call, whose tasks run side by side.
struct Wave<'a, 'f> {
    call: &'a CallCode,
    plan: &'f Plan,
    /// The caller's, of one lane.
    frame: &'f Frame<'f>,
    /// The call's first AND, and the position of its first gate.
    first: (u64, u64),
    runs: Range<u64>,
}

impl Wave<'_, '_> {
    /// The runs of each task.
    fn tasks(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let (runs, each) = (self.runs.clone(), self.plan.runs);
        runs.clone().step_by(each as usize).map(move |start| start..runs.end.min(start + each))
    }
}
