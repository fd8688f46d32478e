//! Runs the blocks of maps in tasks: prepares them, and takes tables and outputs back in program
//! order.

use super::code::{ArgumentCode, CallCode, Driven, Step};
use super::lower::Code;
use super::machine::{Copies, Frame, Layout, Machine, Task, Team};
use crate::EngineError;
use crate::cpu::role::Role;
use crate::cpu::threads::Threads;
use halfgate_circuit::structured::Form;
use halfgate_kernels::{Label, Others};
use std::collections::VecDeque;
use std::iter::once;
use std::ops::Range;

/// Most ANDs, gates and ports of a task, which bound its memory and the time until a run that has
/// failed ends. Blocks with more run on one thread.
const MOST_ANDS: u64 = 1 << 19;
const MOST_GATES: u64 = 1 << 24;
const MOST_PORTS: u64 = 1 << 18;
/// A map with less than this share of the least ANDs of a task has no tasks, also beside others.
const SMALL: u64 = 4;

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
        bodies.any(|body| {
            body.steps.iter().enumerate().any(|(at, step)| match step {
                Step::Call(call) => {
                    let others = &body.steps[at + 1..][..call.together as usize];
                    !self.plans(call, others, threads).is_empty()
                }
                Step::Gates(_) => false,
            })
        })
    }

    /// The division into tasks of a call and of those that follow it and may run together with it,
    /// if several threads run them faster than one. Their caller runs in one lane.
    fn plans<'c>(
        &self,
        call: &'c CallCode,
        others: &'c [Step],
        threads: Threads,
    ) -> Vec<(&'c CallCode, Plan)> {
        let others = others.iter().filter_map(|step| match step {
            Step::Call(call) => Some(call),
            Step::Gates(_) => None,
        });
        let planned = |call| Some((call, self.plan(call, threads)?));
        let plans: Vec<_> = once(call).chain(others).map_while(planned).collect();
        let ands = plans.iter().map(|(call, _)| self.ands(call));
        let ands = ands.fold(0, u64::saturating_add);
        if ands < threads.task_ands.saturating_mul(2) { Vec::new() } else { plans }
    }

    /// ANDs of all runs of a call.
    fn ands(&self, call: &CallCode) -> u64 {
        let size = self.functions[call.function.index()].size;
        size.ands.saturating_mul(call.form.runs())
    }

    /// The division of a call into tasks, if other threads run it faster than its own.
    fn plan(&self, call: &CallCode, threads: Threads) -> Option<Plan> {
        let Form::Map { .. } = call.form else { return None };
        let callee = &self.functions[call.function.index()];
        let (runs, block, size) = (call.form.runs(), call.block, callee.size);
        let ands = self.ands(call);
        if ands < (threads.task_ands / SMALL).max(1) {
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
    /// Runs a call, and those of the steps after it that may run together with it, in tasks, wave
    /// after wave. Returns how many calls it ran: none if one thread runs them faster.
    ///
    /// While the tasks of a wave run, only they write to label memory. So if a call reads input
    /// bits that have slots and were not fetched, it has waves of its own, which are short, and
    /// those of a wave are fetched before it begins. Otherwise inputs are fetched task by task.
    pub(super) fn in_tasks(
        &mut self,
        call: &'a CallCode,
        others: &'a [Step],
        frame: &Frame<'_>,
        position: u64,
    ) -> Result<usize, EngineError> {
        let Some(team) = self.team.as_ref().filter(|_| frame.lanes == 1) else { return Ok(0) };
        let mut calls = Vec::new();
        let mut and = self.state.ands();
        for (call, plan) in self.code.plans(call, others, team.threads) {
            self.calls += 1;
            let first = (and, position + call.first_position);
            calls.push(Planned { call, plan, number: self.calls, first });
            and += self.code.ands(call);
        }
        let mut next = (0, 0);
        while next.0 < calls.len() {
            let parts = self.next_wave(&calls, &mut next);
            self.wave(&Wave { parts, frame })?;
        }
        Ok(calls.len())
    }

    /// The parts of calls that run side by side next, from run `next.1` of call `next.0` on.
    fn next_wave<'p>(
        &mut self,
        calls: &'p [Planned<'a>],
        next: &mut (usize, u64),
    ) -> Vec<Part<'a, 'p>> {
        let tasks = self.team().tasks() as u64;
        let ands =
            |planned: &Planned<'_>| self.code.functions[planned.call.function.index()].size.ands;
        let part_end = {
            let planned = &calls[next.0];
            self.role.part_end(planned.first.0 + next.1 * ands(planned))
        };
        let mut parts = Vec::new();
        while let Some(planned) = calls.get(next.0) {
            let (runs, start) = (planned.call.form.runs(), next.1);
            let and = planned.first.0 + start * ands(planned);
            let has_to_fetch = self.reads_slots(planned.call);
            if !parts.is_empty() && (and >= part_end || has_to_fetch) {
                break;
            }
            let in_part = (part_end - and).div_ceil(ands(planned));
            let most = if has_to_fetch { planned.plan.runs * tasks } else { u64::MAX };
            let end = runs.min(start.saturating_add(in_part.min(most)));
            parts.push(Part { planned, runs: start..end });
            *next = if end == runs { (next.0 + 1, 0) } else { (next.0, end) };
            if end < runs || has_to_fetch {
                break;
            }
        }
        parts
    }

    /// Runs the tasks of a wave.
    fn wave(&mut self, wave: &Wave<'a, '_>) -> Result<(), EngineError> {
        let mut ready = VecDeque::new();
        if wave.parts.iter().any(|part| self.reads_slots(part.planned.call)) {
            for (part, runs) in wave.tasks() {
                ready.push_back(self.ready(wave, part, runs)?);
            }
        }
        let mut places = self.written(wave);
        places.sort_unstable_by_key(|(_, place)| place.start);
        let mut memory = std::mem::take(&mut self.memory);
        let (parts, labels) =
            memory.divide(&places.iter().map(|(_, place)| place.clone()).collect::<Vec<_>>());
        let mut written: Vec<&mut [Label]> = wave.parts.iter().map(|_| &mut [][..]).collect();
        for ((part, _), labels) in places.iter().zip(labels) {
            written[*part] = labels;
        }
        let others = Others(&parts);
        let pool = self.team().pool;
        let result = pool.in_place_scope(|scope| {
            let mut begun = VecDeque::new();
            for (part, runs) in wave.tasks() {
                if begun.len() == self.team().tasks() {
                    let first = begun.pop_front().expect("tasks have begun");
                    self.finish(wave, first)?;
                }
                let mut task = match ready.pop_front() {
                    Some(task) => task,
                    None => self.ready(wave, part, runs)?,
                };
                self.role.receive_tables(self.state.suite(), task.tables())?;
                let count = match wave.parts[part].planned.call.driven {
                    Driven::Slots(_) => task.outputs(),
                    Driven::Output(_) => 0,
                };
                let own = written[part].split_off_mut(..count);
                let own = own.expect("a wave has its tasks");
                begun.push_back((part, task.runs.start));
                self.team().begin(scope, task, (others, wave.frame), own);
            }
            begun.into_iter().try_for_each(|first| self.finish(wave, first))
        });
        drop(parts);
        self.memory = memory;
        result
    }

    /// The addresses that the parts of a wave write to, if their results have slots.
    fn written(&self, wave: &Wave<'a, '_>) -> Vec<(usize, Range<u32>)> {
        let of_part = |(number, part): (usize, &Part<'a, '_>)| {
            let Part { planned: Planned { call, .. }, runs } = part;
            let outputs = u64::from(self.code.functions[call.function.index()].outputs);
            let Driven::Slots(slots) = call.driven else { return None };
            let own = |run| wave.frame.own((u64::from(slots) + run * outputs) as u32);
            (outputs > 0).then(|| (number, own(runs.start)..own(runs.end)))
        };
        wave.parts.iter().enumerate().filter_map(of_part).collect()
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
        part: usize,
        runs: Range<u64>,
    ) -> Result<Box<Task<'a>>, EngineError> {
        let Planned { call, plan, number, first } = wave.parts[part].planned;
        let (call, frame) = (*call, wave.frame);
        let size = self.code.functions[call.function.index()].size;
        let mut task = self.team().idle().expect("there are as many tasks as may run");
        task.of_call((call, *number), plan.layout);
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

    /// Waits for the task of a part whose runs begin with `start`. Gives out its tables, and its
    /// outputs if they have no slots.
    fn finish(
        &mut self,
        wave: &Wave<'a, '_>,
        (part, start): (usize, u64),
    ) -> Result<(), EngineError> {
        let Planned { call, number, .. } = wave.parts[part].planned;
        let callee = &self.code.functions[call.function.index()];
        let (suite, ands) = (self.state.suite(), self.state.ands());
        let team = self.team.as_mut().expect(HAS_TEAM);
        let mut task = team.end((*number, start), || self.role.progress(0, ands))?;
        self.role.give_tables(suite, task.tables())?;
        let count = task.runs.end - task.runs.start;
        self.state.go_to(task.first.0 + count * callee.size.ands);
        if let Driven::Output(first) = call.driven {
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

/// A call that runs in tasks.
struct Planned<'a> {
    call: &'a CallCode,
    plan: Plan,
    /// Its number among all calls that ran in tasks.
    number: u64,
    /// Its first AND, and the position of its first gate.
    first: (u64, u64),
}

/// Some runs of a call.
struct Part<'a, 'p> {
    planned: &'p Planned<'a>,
    runs: Range<u64>,
}

/// Parts of calls whose tasks run side by side.
struct Wave<'a, 'f> {
    parts: Vec<Part<'a, 'f>>,
    /// The caller's, of one lane.
    frame: &'f Frame<'f>,
}

impl Wave<'_, '_> {
    /// The number of the part, and the runs, of each task.
    fn tasks(&self) -> impl Iterator<Item = (usize, Range<u64>)> {
        self.parts.iter().enumerate().flat_map(|(part, Part { planned, runs })| {
            let (each, end) = (planned.plan.runs, runs.end);
            let starts = runs.clone().step_by(each as usize);
            starts.map(move |start| (part, start..end.min(start + each)))
        })
    }
}
