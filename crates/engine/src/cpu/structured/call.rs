//! Runs calls: places arguments and results, and runs the function's body: once, block after block
//! of lanes, or step after step.

use super::code::{ArgumentCode, BodyCode, CallCode, Driven, Rule, SlotBit, slot_in};
use super::machine::{Frame, Machine, Passed};
use crate::EngineError;
use crate::cpu::role::Role;
use halfgate_circuit::structured::Form;
use halfgate_circuit::structured::passes::source_input;
use std::ops::Range;

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

    /// How many bits of a fold's state in step `run` may be passed through by the steps before: all
    /// or none.
    fn passed_bits(&self, callee: &BodyCode, run: u64) -> u32 {
        match run > 0 && callee.has_passes {
            true => self.form.state(),
            false => 0,
        }
    }

    /// The caller's bit that a fold's state bit `input` is in step `run`, if the steps before pass
    /// it through. Its label may not have been fetched when those steps ran.
    fn passed_state(&self, callee: &BodyCode, run: u64, input: u32) -> Option<SlotBit> {
        let state = self.form.state();
        let (run, input, inverted) =
            source_input(state, &callee.uses.passes, run - 1, input as usize)?;
        let (argument, j) = self.argument_of(input);
        Some(argument.slot(run, j) ^ u32::from(inverted))
    }
}

impl<'a, R: Role> Machine<'a, R> {
    /// Runs a call in the caller's frame. `position` is that of its first gate.
    pub fn call(
        &mut self,
        call: &'a CallCode,
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
            self.count_run()?;
            let end = runs.min(start + block);
            let in_block = (end - start) as u32;
            let is_first = lanes != in_block * frame.lanes;
            lanes = in_block * frame.lanes;
            if is_first && lanes > 1 {
                passed.place_slots(callee, lanes);
            }
            self.fetch_for_call(call, (start, end), frame, (passed.copies, None))?;
            let at = position + start * u64::from(frame.lanes) * callee.size.gates;
            match lanes {
                1 => self.narrow(call, callee, (start, is_first), frame, &mut passed, at)?,
                _ => self.wide(call, callee, (start, end, is_first), frame, &mut passed, at)?,
            }
            start = end;
        }
        Ok(())
    }

    /// Runs the callee in one lane. Arguments and results are copied. Shared arguments are copied
    /// for the first run only, since a body does not overwrite its inputs.
    fn narrow(
        &mut self,
        call: &CallCode,
        callee: &'a BodyCode,
        (run, is_first): (u64, bool),
        frame: &Frame<'_>,
        passed: &mut Passed,
        position: u64,
    ) -> Result<(), EngineError> {
        let base = passed.base;
        for input in 0..call.passed_bits(callee, run) {
            if let Some(bit) = call.passed_state(callee, run, input) {
                self.copy(bit, frame, base + input);
            }
        }
        let mut input = 0;
        for argument in &call.arguments {
            let to = base + input;
            input += argument.width();
            match argument {
                ArgumentCode::Shared(bits) if is_first => {
                    for (to, &bit) in (to..).zip(bits) {
                        self.copy(bit, frame, to);
                    }
                }
                ArgumentCode::Shared(_) => {}
                ArgumentCode::Fetched { width } => {
                    for to in to..to + width {
                        self.memory.copy(passed.copies.of(to - base), to, 1);
                    }
                }
                _ => {
                    for j in 0..argument.width() {
                        self.copy(argument.slot(run, j), frame, to + j);
                    }
                }
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
        let slots = match call.driven {
            Driven::Slots(slots) => slots,
            Driven::Output(first) => {
                let addresses: Vec<u32> = (outputs..outputs + callee.outputs).collect();
                return self.give_block(first + run as u32 * callee.outputs, 1, &addresses);
            }
        };
        // Outputs are ports of their own, so no input is overwritten before it is copied.
        match run + 1 == call.form.runs() {
            true => self.memory.copy(outputs, frame.own(slots), state),
            false => self.memory.copy(outputs, base, state),
        }
        let others = callee.outputs - state;
        let first = u64::from(slots + state) + run * u64::from(others);
        self.memory.copy(outputs + state, frame.own(first as u32), others);
        Ok(())
    }

    /// Runs the callee in several lanes: a block of a map, or one run in a wide caller.
    fn wide(
        &mut self,
        call: &CallCode,
        callee: &'a BodyCode,
        (start, end, is_first): (u64, u64, bool),
        frame: &Frame<'_>,
        passed: &mut Passed,
        position: u64,
    ) -> Result<(), EngineError> {
        let lanes = (end - start) as u32 * frame.lanes;
        let state = call.form.state();
        self.pass_all(call, callee, (start, end, is_first), frame, passed);
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

    /// Sets the places of a wide callee's inputs for the runs `start..end`. Shared and fetched
    /// arguments keep their places while blocks have the same number of lanes, and shared ones also
    /// keep their labels.
    fn pass_all(
        &mut self,
        call: &CallCode,
        callee: &BodyCode,
        (start, end, is_first): (u64, u64, bool),
        frame: &Frame<'_>,
        passed: &mut Passed,
    ) {
        for input in 0..call.passed_bits(callee, start) {
            if let Some(bit) = call.passed_state(callee, start, input) {
                let copy = passed.copies.of(input);
                passed.places[input as usize] = self.copy(bit, frame, copy);
            }
        }
        let mut first = 0;
        for argument in &call.arguments {
            let inputs = first..first + argument.width();
            first = inputs.end;
            let is_same = match argument {
                ArgumentCode::Shared(_) | ArgumentCode::Fetched { .. } => !is_first,
                ArgumentCode::Listed { .. } | ArgumentCode::Sliced { .. } => false,
            };
            if is_same {
                continue;
            }
            if let Some((place, stride)) = argument.in_block(start, end - start, frame) {
                let places = &mut passed.places[inputs.start as usize..inputs.end as usize];
                for (j, to) in (0..).zip(places) {
                    *to = place + j * stride;
                }
                continue;
            }
            for input in inputs.clone() {
                let copy = passed.copies.of(input);
                let run = (start, end, input - inputs.start);
                passed.places[input as usize] = self.pass(argument, run, frame, copy);
            }
        }
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
        let (outputs, states) = (passed.outputs, passed.state);
        let lanes = (end - start) as u32 * frame.lanes;
        let mut place = |outputs: Range<u32>, first: u32| {
            let ports = (inputs + outputs.start) as usize..(inputs + outputs.end) as usize;
            for (j, to) in (0..).zip(&mut passed.places[ports]) {
                *to = first + j * lanes;
            }
        };
        let all = 0..callee.outputs;
        match (call.driven, call.form) {
            (Driven::Output(_), _) => place(all, outputs),
            (Driven::Slots(slots), Form::Once) => place(all, frame.own(slots)),
            (Driven::Slots(slots), Form::Map { .. }) => {
                // The blocks before this one are full.
                let before = start * u64::from(callee.outputs);
                place(all, frame.own((u64::from(slots) + before) as u32));
            }
            (Driven::Slots(slots), Form::Fold { steps, .. }) => {
                let own = frame.own(slots);
                place(0..state, if end == steps { own } else { states[start as usize % 2] });
                let before = start * u64::from(callee.outputs - state);
                place(state..callee.outputs, frame.own((u64::from(slots + state) + before) as u32));
            }
        }
    }

    /// Returns the address of the labels of one input of a wide callee in the runs `start..end`.
    /// Labels that lie side by side stay where they are. Others are copied to `copy`. Fetched
    /// labels are there already.
    fn pass(
        &mut self,
        argument: &ArgumentCode,
        (start, end, j): (u64, u64, u32),
        frame: &Frame<'_>,
        copy: u32,
    ) -> u32 {
        if let ArgumentCode::Fetched { .. } = argument {
            return copy;
        }
        if let Some(place) = argument.side_by_side(start, end - start, j, frame) {
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
        let from = frame.place(bit >> 1);
        if bit & 1 == 0 {
            self.memory.copy(from, to, frame.lanes);
            return to;
        }
        for lane in 0..frame.lanes {
            let label = self.memory.get(from + lane) ^ self.role.offset();
            self.memory.set(to + lane, label);
        }
        to
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

    /// For a slice of a map's results, or of an input that is stored like these: the address of bit
    /// 0 in run `start`, and the distance from each bit to the next. `None` unless the labels of
    /// each bit lie side by side in the `runs` runs from there on.
    pub fn in_block(&self, start: u64, runs: u64, frame: &Frame<'_>) -> Option<(u32, u32)> {
        let ArgumentCode::Sliced { width, run_stride, bit_stride, homes, .. } = self else {
            return None;
        };
        let [home] = &homes[..] else { return None };
        let Rule::Blocks(blocks) = home.rule else { return None };
        let offset = self.wire(start, 0) - home.first;
        let (lane, output) = (offset / blocks.width, offset % blocks.width);
        let is_in_lane = (*width - 1) * bit_stride + output < blocks.width;
        if !is_in_lane || *run_stride != blocks.width {
            return None;
        }
        let (slot, follow, in_block) = blocks.slot(lane, output);
        let stride = in_block * bit_stride * frame.lanes;
        (u64::from(follow) >= runs).then(|| (frame.own(slot), stride))
    }

    /// The address of bit `j` in run `start`. `None` unless its labels lie side by side in the
    /// `runs` runs from there on, and none is inverted.
    pub fn side_by_side(&self, start: u64, runs: u64, j: u32, frame: &Frame<'_>) -> Option<u32> {
        let first = self.slot(start, j);
        let place = frame.place(first >> 1);
        // Ports lie where the caller says, so consecutive slots may have places that are apart.
        let follows = |run: u64| {
            let bit = self.slot(start + run, j);
            bit & 1 == 0 && frame.place(bit >> 1) == place + run as u32 * frame.lanes
        };
        (first & 1 == 0 && (1..runs).all(follows)).then_some(place)
    }
}
