//! A task: consecutive blocks of a map, with memory of their own.
//!
//! Label memory of a task has, one after the other: the shared inputs of a block; the inputs of all
//! blocks; their outputs; and the frames of the function. In a block, all lanes of a port lie side
//! by side, as in the caller's memory.

use super::code::{ArgumentCode, BodyCode, CallCode, SlotBit};
use super::lower::Code;
use super::machine::{Fetch, Frame, Layout, Machine, Task, With, Worker, aligned, place_slots};
use super::run::extent_of;
use crate::EngineError;
use crate::cpu::piece::{Labels, Piece};
use crate::cpu::role::Role;
use halfgate_circuit::Wire;
use halfgate_kernels::ops::{Ops, WINDOW, Wide};
use halfgate_kernels::{Delta, Label, LabelMemory, Others, State, Suite, wipe};
use std::ops::Range;
use zeroize::Zeroizing;

impl Layout {
    /// The layout of tasks that run `callee` in at most `runs` lanes, in blocks of `block`. `None`
    /// if the labels cannot be addressed.
    pub fn new(code: &Code, callee: &BodyCode, block: u64, runs: u64) -> Option<Layout> {
        let ports = [callee.inputs, callee.outputs];
        let [inputs, outputs] = ports.map(u64::from);
        let at_inputs = aligned(inputs.checked_mul(block)?);
        let at_outputs = aligned(at_inputs.checked_add(inputs.checked_mul(runs)?)?);
        let base = aligned(at_outputs.checked_add(outputs.checked_mul(runs)?)?);
        let labels = base.checked_add(extent_of(code, callee, block))?;
        let labels = u32::try_from(labels.checked_add(WINDOW as u64)?).ok()?;
        Some(Layout {
            block,
            ports,
            shared: 0,
            inputs: at_inputs as u32,
            outputs: at_outputs as u32,
            base: base as u32,
            labels,
        })
    }

    /// Address of the inputs of the block that begins with run `before` of the task.
    pub fn inputs_of(&self, before: u64) -> u32 {
        self.inputs + before as u32 * self.ports[0]
    }

    /// Address of the outputs of the block that begins with run `before` of the task.
    pub fn outputs_of(&self, before: u64) -> u32 {
        self.outputs + before as u32 * self.ports[1]
    }
}

impl<'a> Task<'a> {
    /// A task without a call.
    pub fn new(code: &'a Code, with: With<'a>) -> Task<'a> {
        let With { kernel, key, delta } = with;
        let machine = Machine {
            code,
            role: Worker { kernel, delta, tables: Vec::new(), done: 0 },
            state: kernel.start(key.suite, key.point),
            memory: LabelMemory::default(),
            fetch: Fetch::new(0, &[]),
            buffer: Zeroizing::new(Vec::new()),
            unreported: 0,
            team: None,
            calls: 0,
        };
        Task {
            machine,
            call: None,
            callee: &code.outermost,
            layout: Layout::default(),
            number: 0,
            has_shared: false,
            runs: 0..0,
            first: (0, 0),
        }
    }

    /// Uses the task for the call with that number.
    pub fn of_call(&mut self, (call, number): (&'a CallCode, u64), layout: Layout) {
        if self.number == number {
            return;
        }
        if self.machine.memory.len() < layout.labels as usize {
            self.machine.memory = LabelMemory::new(layout.labels as usize);
        }
        self.callee = &self.machine.code.functions[call.function.index()];
        (self.call, self.layout) = (Some(call), layout);
        (self.number, self.has_shared) = (number, false);
    }

    /// Sets the runs, and makes space for their tables.
    pub fn set(&mut self, runs: Range<u64>, first: (u64, u64)) {
        let ands = self.callee.size.ands * (runs.end - runs.start);
        let bytes = ands as usize * self.machine.state.suite().table_bytes();
        self.machine.role.tables.resize(bytes, 0);
        self.machine.role.done = 0;
        (self.runs, self.first) = (runs, first);
    }

    /// Whether it is the one of the call with that number whose runs begin with `start`.
    pub fn is(&self, number: u64, start: u64) -> bool {
        (self.number, self.runs.start) == (number, start)
    }

    /// Number of outputs of all runs.
    pub fn outputs(&self) -> usize {
        (self.runs.end - self.runs.start) as usize * self.layout.ports[1] as usize
    }

    /// The labels, to add those of fetched inputs.
    pub fn memory_mut(&mut self) -> &mut LabelMemory {
        &mut self.machine.memory
    }

    /// The labels.
    pub fn memory(&self) -> &LabelMemory {
        &self.machine.memory
    }

    /// The tables.
    pub fn tables(&mut self) -> &mut [u8] {
        &mut self.machine.role.tables
    }

    /// Copies all inputs that were not fetched from the caller's memory, runs all blocks, and
    /// copies the outputs to `written`, unless it is empty.
    pub fn run(&mut self, others: Others<'_>, frame: &Frame<'_>, written: &mut [Label]) {
        wipe::stack_after(|| {
            self.gather(others, frame);
            self.run_blocks();
            let outputs = self.machine.memory.labels(self.layout.outputs, written.len() as u32);
            written.copy_from_slice(outputs);
        });
    }

    /// The blocks: the first run of each, counted from the task's first, and the number of lanes.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u32)> + use<> {
        let (count, block) = (self.runs.end - self.runs.start, self.layout.block);
        (0..count)
            .step_by(block as usize)
            .map(move |start| (start, block.min(count - start) as u32))
    }

    fn arguments(&self) -> &'a [ArgumentCode] {
        self.call.map_or(&[], |call| &call.arguments)
    }

    fn gather(&mut self, others: Others<'_>, frame: &Frame<'_>) {
        for (before, lanes) in self.blocks() {
            let mut to = self.layout.inputs_of(before);
            for argument in self.arguments() {
                match argument {
                    ArgumentCode::Shared(_) | ArgumentCode::Fetched { .. } => {}
                    _ => {
                        let start = self.runs.start + before;
                        self.pass(argument, (start, lanes), (others, frame), to);
                    }
                }
                to += argument.width() * lanes;
            }
        }
        if !self.has_shared {
            self.pass_shared(others, frame);
            self.has_shared = true;
        }
    }

    /// Copies bits that all lanes share.
    fn pass_shared(&mut self, others: Others<'_>, frame: &Frame<'_>) {
        let block = self.layout.block as u32;
        let mut to = self.layout.shared;
        for argument in self.arguments() {
            if let ArgumentCode::Shared(bits) = argument {
                for (to, &bit) in (to..).step_by(block as usize).zip(bits) {
                    let label = self.label(bit, others, frame);
                    self.machine.memory.fill(to, label, block);
                }
            }
            to += argument.width() * block;
        }
    }

    /// Copies the bits of an argument in the runs from `start` on to address `to`.
    fn pass(
        &mut self,
        argument: &ArgumentCode,
        (start, lanes): (u64, u32),
        (others, frame): (Others<'_>, &Frame<'_>),
        to: u32,
    ) {
        let runs = u64::from(lanes);
        if let Some((place, stride)) = argument.in_block(start, runs, frame) {
            if stride == lanes {
                let all = others.labels(place, lanes * argument.width());
                return self.machine.memory.put(to, all);
            }
            for j in 0..argument.width() {
                let labels = others.labels(place + j * stride, lanes);
                self.machine.memory.put(to + j * lanes, labels);
            }
            return;
        }
        for j in 0..argument.width() {
            let to = to + j * lanes;
            match argument.side_by_side(start, runs, j, frame) {
                Some(place) => self.machine.memory.put(to, others.labels(place, lanes)),
                None => {
                    for (to, run) in (to..).zip(start..start + runs) {
                        let label = self.label(argument.slot(run, j), others, frame);
                        self.machine.memory.set(to, label);
                    }
                }
            }
        }
    }

    /// The label of a bit in the caller's frame.
    fn label(&self, bit: SlotBit, others: Others<'_>, frame: &Frame<'_>) -> Label {
        let [label] = others.labels(frame.place(bit >> 1), 1) else { unreachable!("one label") };
        *label ^ self.machine.role.offset().masked(bit & 1 == 1)
    }

    fn run_blocks(&mut self) {
        self.machine.state.go_to(self.first.0);
        let mut places = Vec::new();
        for (before, lanes) in self.blocks() {
            let position = self.first.1 + before * self.callee.size.gates;
            let result = match lanes {
                1 => self.narrow(before, position),
                _ => self.wide(before, lanes, position, &mut places),
            };
            result.expect("a task exchanges nothing with the caller");
        }
    }

    fn wide(
        &mut self,
        before: u64,
        lanes: u32,
        position: u64,
        places: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        let (callee, layout) = (self.callee, self.layout);
        place_slots(places, callee, layout.base, lanes);
        let (inputs, outputs) = (layout.inputs_of(before), layout.outputs_of(before));
        let mut input = 0;
        for argument in self.arguments() {
            let (first, stride) = match argument {
                ArgumentCode::Shared(_) => (layout.shared, layout.block as u32),
                _ => (inputs, lanes),
            };
            for place in &mut places[input as usize..][..argument.width() as usize] {
                *place = first + input * stride;
                input += 1;
            }
        }
        for (output, place) in (0..callee.outputs).zip(&mut places[callee.inputs as usize..]) {
            *place = outputs + output * lanes;
        }
        let base = layout.base;
        let frame = Frame { base, lanes, places, end: base + callee.slots * lanes };
        self.machine.body(callee, &frame, position)
    }

    fn narrow(&mut self, before: u64, position: u64) -> Result<(), EngineError> {
        let (callee, layout) = (self.callee, self.layout);
        let base = layout.base;
        let inputs = layout.inputs_of(before);
        let mut input = 0;
        for argument in self.arguments() {
            let width = argument.width();
            match argument {
                ArgumentCode::Shared(_) => {
                    for input in input..input + width {
                        let from = layout.shared + input * layout.block as u32;
                        self.machine.memory.copy(from, base + input, 1);
                    }
                }
                _ => self.machine.memory.copy(inputs + input, base + input, width),
            }
            input += width;
        }
        let frame = Frame { base, lanes: 1, places: &[], end: base + callee.slots };
        self.machine.body(callee, &frame, position)?;
        let outputs = layout.outputs_of(before);
        self.machine.memory.copy(base + callee.inputs, outputs, callee.outputs);
        Ok(())
    }
}

impl Worker<'_> {
    /// The next tables, of `ands` ANDs.
    fn next(&mut self, ands: usize, suite: Suite) -> &mut [u8] {
        let bytes = ands * suite.table_bytes();
        self.done += bytes;
        &mut self.tables[self.done - bytes..self.done]
    }
}

/// Tasks have all their inputs and tables, and the run's thread takes their outputs.
const NO_CALLER: &str = "a task exchanges nothing with the caller";

impl Role for Worker<'_> {
    fn offset(&self) -> Label {
        self.delta.map_or(Label::ZERO, Delta::label)
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn inputs(&mut self, _: u64, _: &[Wire], _: &mut [Label]) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
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
        let (kernel, delta) = (self.kernel, self.delta);
        let tables = self.next(ops.ands.len(), state.suite());
        match delta {
            Some(delta) => kernel.garble_at(state, delta, memory, base, ops, tables),
            None => kernel.evaluate_at(state, memory, base, ops, tables),
        }
        Ok(())
    }

    fn ops_wide(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
    ) -> Result<(), EngineError> {
        let (kernel, delta) = (self.kernel, self.delta);
        let tables = self.next(ops.ands.len() * wide.lanes, state.suite());
        match delta {
            Some(delta) => kernel.garble_wide(state, delta, memory, ops, wide, tables),
            None => kernel.evaluate_wide(state, memory, ops, wide, tables),
        }
        Ok(())
    }

    fn receive_tables(&mut self, _: Suite, _: &mut [u8]) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn give_tables(&mut self, _: Suite, _: &[u8]) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn part_end(&self, _: u64) -> u64 {
        unreachable!("{NO_CALLER}")
    }

    fn outputs(&mut self, _: u64, _: &[u32], _: &[Label]) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn progress(&mut self, _: u64, _: u64) -> Result<(), EngineError> {
        // The run's thread reports it.
        Ok(())
    }

    fn begin(&mut self, _: u64, _: u64) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn note(&mut self, _: &str) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }

    fn piece(&mut self, _: &mut State, _: &mut Labels, _: &Piece<'_>) -> Result<(), EngineError> {
        unreachable!("{NO_CALLER}")
    }
}
