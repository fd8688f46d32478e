//! Fetches input labels in the order in which the gates of the flattening first read them, and
//! gives out output labels.

use super::code::{ArgumentCode, CallCode, Chunk, Give, slot_in};
use super::machine::{Copies, Frame, Machine};
use crate::EngineError;
use crate::cpu::role::Role;
use halfgate_circuit::structured::uses::of_runs;
use halfgate_kernels::{Label, LabelMemory, wipe};

/// Maximum number of output labels that are given at once.
const AT_ONCE: usize = 4096;

impl<R: Role> Machine<'_, R> {
    /// Fetches the input bits that gates of a chunk are the first to read.
    pub fn fetch_for_gates(&mut self, chunk: &Chunk, frame: &Frame<'_>) -> Result<(), EngineError> {
        if chunk.reads.is_empty() || self.fetch.has_everything() {
            return Ok(());
        }
        for &wire in &chunk.reads {
            self.want(wire, frame);
        }
        self.fetch_wanted(None)
    }

    /// Fetches the input bits that only outputs read.
    pub fn fetch_rest(&mut self, frame: &Frame<'_>) -> Result<(), EngineError> {
        let code = self.code;
        for give in &code.gives {
            let inputs = self.fetch.fetched.len() as u32;
            for wire in (give.first..give.first + give.count).take_while(|&wire| wire < inputs) {
                self.want(wire, frame);
            }
            self.fetch_wanted(None)?;
        }
        Ok(())
    }

    /// Adds an input bit with a slot to those to fetch, unless it was fetched.
    fn want(&mut self, wire: u32, frame: &Frame<'_>) {
        if let Some(slot) = self.fetch.take(wire, &self.code.inputs) {
            self.fetch.push(wire, frame.place(slot >> 1), false);
        }
    }

    /// Fetches what is wanted, copies for a call to `task` if there is one.
    fn fetch_wanted(&mut self, mut task: Option<&mut LabelMemory>) -> Result<(), EngineError> {
        let count = self.fetch.wires.len();
        if count == 0 {
            return Ok(());
        }
        let more = count.saturating_sub(self.buffer.len());
        wipe::reserve(&mut self.buffer, more);
        self.buffer.resize(count, Label::ZERO);
        self.role.inputs(0, &self.fetch.wires, &mut self.buffer[..count])?;
        for (&(address, is_copy), &label) in self.fetch.addresses.iter().zip(self.buffer.iter()) {
            match &mut task {
                Some(task) if is_copy => task.set(address, label),
                _ => self.memory.set(address, label),
            }
        }
        self.fetch.wires.clear();
        self.fetch.addresses.clear();
        Ok(())
    }

    /// Fetches the input bits that a call's gates are the first to read, for the runs `start..end`
    /// side by side. `copies` says where the labels of fetched arguments belong: in the memory of a
    /// task if there is one.
    pub fn fetch_for_call(
        &mut self,
        call: &CallCode,
        (start, end): (u64, u64),
        frame: &Frame<'_>,
        (copies, task): (Copies, Option<&mut LabelMemory>),
    ) -> Result<(), EngineError> {
        let Some(reads) = &call.reads_inputs else { return Ok(()) };
        let code = self.code;
        let is_there = |&port: &usize| code.inputs[port].is_some() && self.fetch.has_all(port);
        if reads.ports.iter().all(is_there) {
            return Ok(());
        }
        let passes = &code.functions[call.function.index()].uses.passes;
        let inputs = code.input_bits;
        let uses = &reads.uses[usize::from(start > 0)];
        of_runs(&reads.call, (uses, passes), (start, end), |input, run, wire| {
            let wire = wire.number();
            if wire >= inputs {
                return;
            }
            match call.argument_of(input).0 {
                ArgumentCode::Fetched { .. } => {
                    let address = copies.of(input) + (run - start) as u32;
                    self.fetch.push(wire, address, true);
                }
                _ => self.want(wire, frame),
            }
        });
        self.fetch_wanted(task)
    }

    /// Gives the outputs that have slots.
    pub fn give_all(&mut self, frame: &Frame<'_>) -> Result<(), EngineError> {
        let code = self.code;
        code.gives.iter().try_for_each(|give| self.give(give, frame))
    }

    fn give(&mut self, give: &Give, frame: &Frame<'_>) -> Result<(), EngineError> {
        let offset = self.role.offset();
        let mut bits: Vec<u32> = Vec::new();
        let mut done = 0;
        while done < give.count {
            let count = (give.count - done).min(AT_ONCE as u32);
            bits.clear();
            bits.extend(give.number + done..give.number + done + count);
            self.buffer.clear();
            wipe::reserve(&mut self.buffer, count as usize);
            for wire in give.first + done..give.first + done + count {
                let bit = slot_in(&give.homes, wire) ^ u32::from(give.inverted);
                let label = self.memory.get(frame.place(bit >> 1));
                self.buffer.push(label ^ offset.masked(bit & 1 == 1));
            }
            self.role.outputs(0, &bits, &self.buffer)?;
            done += count;
        }
        Ok(())
    }

    /// Gives the results of a block of a map: those of lane `i` of output `j` are at
    /// `addresses[j] + i`.
    pub fn give_block(
        &mut self,
        first: u32,
        lanes: u32,
        addresses: &[u32],
    ) -> Result<(), EngineError> {
        self.give_block_of(None, (first, lanes), addresses)
    }

    /// As [`give_block`](Machine::give_block), from the memory of a task.
    pub fn give_block_of(
        &mut self,
        memory: Option<&LabelMemory>,
        (first, lanes): (u32, u32),
        addresses: &[u32],
    ) -> Result<(), EngineError> {
        let memory = memory.unwrap_or(&self.memory);
        let count = lanes as usize * addresses.len();
        let bits: Vec<u32> = (first..first + count as u32).collect();
        self.buffer.clear();
        wipe::reserve(&mut self.buffer, count);
        for lane in 0..lanes {
            self.buffer.extend(addresses.iter().map(|&address| memory.get(address + lane)));
        }
        self.role.outputs(0, &bits, &self.buffer)
    }
}
