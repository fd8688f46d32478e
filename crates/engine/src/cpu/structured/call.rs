//! Runs calls: places arguments and results, and runs the function's body once, lane block after
//! lane block, or step after step.

use super::code::{ArgumentCode, Blocks, BodyCode, CallCode, Driven, Rule, SlotBit, slot_in};
use super::machine::{Frame, Machine, Passed};
use crate::EngineError;
use crate::cpu::role::Role;
use halfgate_circuit::structured::Form;
use halfgate_circuit::structured::passes::source_input;
use halfgate_kernels::Label;

impl CallCode {
    /// The argument that covers an input, and the input's number in it.
    pub fn argument_of(&self, input: u32) -> (&ArgumentCode, u32) {
        let mut j = input;
        for argument in &self.arguments {
            if j < argument.width() {
                return (argument, j);
            }
            j -= argument.width();
        }
        unreachable!("a valid call's arguments cover the inputs")
    }

    /// The caller's bit that a fold's state is in step `run`, if the steps before pass it through.
    /// Its label may not have been there when they ran.
    fn passed_state(&self, callee: &BodyCode, run: u64, input: u32) -> Option<SlotBit> {
        let state = self.form.state();
        let (run, input, inverted) =
            source_input(state, &callee.uses.passes, run - 1, input as usize)?;
        let (argument, j) = self.argument_of(input);
        Some(argument.slot(run, j) ^ u32::from(inverted))
    }
}

impl<R: Role> Machine<'_, R> {
    /// Runs a call in the caller's frame. `position` is that of its first gate.
    pub fn call(
        &mut self,
        call: &CallCode,
        frame: &Frame<'_>,
        position: u64,
    ) -> Result<(), EngineError> {
        let code = self.code;
        let callee = &code.functions[call.function.index()];
        let mut passed = Passed::new(callee, call, frame);
        let (runs, block) = (call.form.runs(), call.block);
        let mut lanes = 0;
        let mut start = 0;
        while start < runs {
            let end = runs.min(start + block);
            let in_block = (end - start) as u32;
            let is_first = lanes != in_block * frame.lanes;
            lanes = in_block * frame.lanes;
            if is_first && lanes > 1 {
                passed.place_slots(callee, lanes);
            }
            self.fetch_for_call(call, (start, end), frame, &passed)?;
            let at = position + start * u64::from(frame.lanes) * callee.size.gates;
            match lanes {
                1 => self.narrow(call, callee, start, frame, &mut passed, at)?,
                _ => self.wide(call, callee, (start, end, is_first), frame, &mut passed, at)?,
            }
            start = end;
        }
        Ok(())
    }

    /// Runs the callee in one lane. Arguments and results are copied.
    fn narrow(
        &mut self,
        call: &CallCode,
        callee: &BodyCode,
        run: u64,
        frame: &Frame<'_>,
        passed: &mut Passed,
        position: u64,
    ) -> Result<(), EngineError> {
        let base = passed.base;
        let state = if run == 0 { 0 } else { call.form.state() };
        let mut input = 0;
        for argument in &call.arguments {
            for j in 0..argument.width() {
                let bit = match argument {
                    _ if input < state => call.passed_state(callee, run, input),
                    ArgumentCode::Fetched { .. } => {
                        let label = self.memory.get(passed.copy_of(input));
                        self.memory.set(base + input, label);
                        None
                    }
                    _ => Some(argument.slot(run, j)),
                };
                if let Some(bit) = bit {
                    let label = self.memory.get(frame.place(bit >> 1)) ^ self.inversion(bit);
                    self.memory.set(base + input, label);
                }
                input += 1;
            }
        }
        let inner = Frame { base, lanes: 1, places: &[], end: base + callee.slots };
        self.body(callee, &inner, position)?;
        self.take_results(call, callee, run, frame, passed)
    }

    /// Copies the results of a narrow run to where they belong.
    fn take_results(
        &mut self,
        call: &CallCode,
        callee: &BodyCode,
        run: u64,
        frame: &Frame<'_>,
        passed: &Passed,
    ) -> Result<(), EngineError> {
        let (base, state) = (passed.base, call.form.state());
        let outputs = base + callee.inputs;
        let is_last = run + 1 == call.form.runs();
        if state > 0 && !is_last {
            // Outputs are ports of their own, so no input is overwritten before it is copied.
            for j in 0..state {
                let label = self.memory.get(outputs + j);
                self.memory.set(base + j, label);
            }
        }
        let slots = match call.driven {
            Driven::Slots(slots) => slots,
            Driven::Output(first) => {
                let addresses: Vec<u32> = (outputs..outputs + callee.outputs).collect();
                return self.give_block(first + run as u32 * callee.outputs, 1, &addresses);
            }
        };
        if is_last {
            for j in 0..state {
                let label = self.memory.get(outputs + j);
                self.memory.set(frame.place(slots + j), label);
            }
        }
        let first = u64::from(slots + state) + run * u64::from(callee.outputs - state);
        for j in state..callee.outputs {
            let label = self.memory.get(outputs + j);
            self.memory.set(frame.place(first as u32 + j - state), label);
        }
        Ok(())
    }

    /// Runs the callee in several lanes: a block of a map, or one run in a wide caller.
    fn wide(
        &mut self,
        call: &CallCode,
        callee: &BodyCode,
        (start, end, is_first): (u64, u64, bool),
        frame: &Frame<'_>,
        passed: &mut Passed,
        position: u64,
    ) -> Result<(), EngineError> {
        let lanes = (end - start) as u32 * frame.lanes;
        let state = call.form.state();
        let mut input = 0;
        for argument in &call.arguments {
            for j in 0..argument.width() {
                let copy = passed.copy_of(input);
                let is_placed = !is_first && matches!(argument, ArgumentCode::Shared(_));
                let place = match input < state && start > 0 {
                    true => call
                        .passed_state(callee, start, input)
                        .map(|bit| self.copy(bit, frame, copy)),
                    false if is_placed => None,
                    false => Some(self.pass(argument, (start, end, j), frame, copy)),
                };
                if let Some(place) = place {
                    passed.places[input as usize] = place;
                }
                input += 1;
            }
        }
        self.place_results(call, callee, (start, end), frame, passed);
        let slots = u64::from(callee.slots) * u64::from(lanes);
        let places = std::mem::take(&mut passed.places);
        let base = passed.base;
        let inner = Frame { base, lanes, places: &places, end: base + slots as u32 };
        self.body(callee, &inner, position)?;
        let outputs = callee.inputs as usize..(callee.inputs + callee.outputs) as usize;
        if let Driven::Output(first) = call.driven {
            let first = first + start as u32 * callee.outputs;
            self.give_block(first, lanes, &places[outputs.clone()])?;
        }
        passed.places = places;
        if state > 0 {
            let (inputs, outputs) = passed.places.split_at_mut(outputs.start);
            inputs[..state as usize].copy_from_slice(&outputs[..state as usize]);
        }
        Ok(())
    }

    /// Sets the places of a wide callee's outputs for the runs `start..end`.
    fn place_results(
        &self,
        call: &CallCode,
        callee: &BodyCode,
        (start, end): (u64, u64),
        frame: &Frame<'_>,
        passed: &mut Passed,
    ) {
        let (inputs, state) = (callee.inputs, call.form.state());
        let in_block = end - start;
        let lanes = in_block as u32 * frame.lanes;
        for j in 0..callee.outputs {
            let place = match call.driven {
                Driven::Output(_) => passed.outputs + j * lanes,
                Driven::Slots(slots) => match call.form {
                    Form::Once => frame.place(slots + j),
                    Form::Map { lanes } => {
                        let width = callee.outputs;
                        let blocks = Blocks { base: slots, width, lanes, block: call.block };
                        frame.place(blocks.slot(start, j).0)
                    }
                    Form::Fold { steps, .. } if j < state => match end == steps {
                        true => frame.place(slots + j),
                        false => passed.state[start as usize % 2] + j * lanes,
                    },
                    Form::Fold { .. } => {
                        let before = start * u64::from(callee.outputs - state);
                        frame.place((u64::from(slots) + before) as u32 + j)
                    }
                },
            };
            passed.places[(inputs + j) as usize] = place;
        }
    }

    /// Returns the address of the labels of one input of a wide callee, for the runs `start..end`:
    /// where they are, if they lie side by side; else that of `copy`, to which they are copied.
    fn pass(
        &mut self,
        argument: &ArgumentCode,
        (start, end, j): (u64, u64, u32),
        frame: &Frame<'_>,
        copy: u32,
    ) -> u32 {
        let runs = end - start;
        if let ArgumentCode::Fetched { .. } = argument {
            return copy;
        }
        if let Some(place) = argument.side_by_side(start, runs, j, frame) {
            return place;
        }
        for run in start..end {
            let to = copy + (run - start) as u32 * frame.lanes;
            self.copy(argument.slot(run, j), frame, to);
        }
        copy
    }

    /// Copies the labels of a bit in all lanes of the caller. Returns the address of the copy.
    fn copy(&mut self, bit: SlotBit, frame: &Frame<'_>, to: u32) -> u32 {
        let (from, inversion) = (frame.place(bit >> 1), self.inversion(bit));
        for lane in 0..frame.lanes {
            let label = self.memory.get(from + lane) ^ inversion;
            self.memory.set(to + lane, label);
        }
        to
    }

    /// What an inverted bit XORs to a label.
    fn inversion(&self, bit: SlotBit) -> Label {
        self.role.offset().masked(bit & 1 == 1)
    }
}

impl ArgumentCode {
    /// The slot of bit `j` in run `run`.
    pub fn slot(&self, run: u64, j: u32) -> SlotBit {
        match self {
            ArgumentCode::Shared(bits) => bits[j as usize],
            ArgumentCode::Listed { width, bits } => {
                bits[run as usize * *width as usize + j as usize]
            }
            ArgumentCode::Sliced { homes, .. } => slot_in(homes, self.wire(run, j)),
            ArgumentCode::Fetched { .. } => unreachable!("fetched bits have no slots"),
        }
    }

    /// The wire of bit `j` of a slice in run `run`.
    fn wire(&self, run: u64, j: u32) -> u32 {
        let ArgumentCode::Sliced { first, run_stride, bit_stride, .. } = self else {
            unreachable!("only a slice has regular wires")
        };
        let run = run * u64::from(*run_stride);
        (u64::from(*first) + run + u64::from(j) * u64::from(*bit_stride)) as u32
    }

    /// The address of bit `j` in run `start`, if those of the `runs` runs from there on follow it
    /// and none is inverted.
    fn side_by_side(&self, start: u64, runs: u64, j: u32, frame: &Frame<'_>) -> Option<u32> {
        if let ArgumentCode::Sliced { homes, run_stride, .. } = self
            && let [home] = &homes[..]
            && let Rule::Blocks(blocks) = home.rule
            && *run_stride == blocks.width
        {
            // A slice of what a map of the same blocks drives, or of an input stored like that.
            let offset = self.wire(start, j) - home.first;
            let (lane, output) = (offset / blocks.width, offset % blocks.width);
            let (slot, follow) = blocks.slot(u64::from(lane), output);
            return (follow >= runs).then(|| frame.place(slot));
        }
        let first = self.slot(start, j);
        let place = frame.place(first >> 1);
        // The slots of ports have places of their own.
        let follows = |run: u64| {
            let bit = self.slot(start + run, j);
            bit & 1 == 0 && frame.place(bit >> 1) == place + run as u32 * frame.lanes
        };
        (first & 1 == 0 && (1..runs).all(follows)).then_some(place)
    }
}
