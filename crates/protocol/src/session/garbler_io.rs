//! A session as a garbling engine sees it: one run, from the first label to the outputs.
//!
//! The order of messages does not depend on the engine: see [`pace`](super::pace).

mod outputs;

use super::inputs::{InputBit, InputBits, InputOrder, Values};
use super::labels::Garbling;
use super::learned::Learned;
use super::outputs::{OutputLabels, Window};
use super::pace::Pace;
use super::stopped::Stopped;
use super::transfer::{Labels, TransferSender};
use super::{Event, SessionError, contract};
use crate::channel::{Channel, ChannelError};
use crate::frame::{Kind, MAX_PAYLOAD};
use halfgate_circuit::{Party, Wire};
use halfgate_compiler::Program;
use halfgate_engine::wipe::Buffer;
use halfgate_engine::{ContractError, GarblerIo, IoError, Label, LabelSeed, Suite};
use outputs::Pending;
use std::collections::VecDeque;

const PEER: Party = Party::Evaluator;

/// Maximum number of own input bits whose labels are sent together.
const OWN_AHEAD: usize = 1024;

/// One run of a session, for the engine that garbles it.
pub(crate) struct GarblerSide<'s> {
    pub channel: &'s mut dyn Channel,
    pub events: &'s mut dyn FnMut(Event),
    /// Why the engine was stopped.
    pub stopped: Stopped,
    garbling: &'s Garbling,
    order: &'s InputOrder,
    values: Values<'s>,
    transfer: Option<&'s mut TransferSender>,
    /// Messages of the evaluator's transfers that arrived before they were due.
    stash: VecDeque<Vec<u8>>,
    outputs: OutputLabels<'s>,
    pending: VecDeque<Pending>,
    /// Bits whose decoding data was sent.
    decoding_sent: u64,
    learned: Learned,
    run: RunNumber,
    input_bits: InputBits<'s>,
    pace: Pace<'s>,
    /// A window that has all its labels, kept until the last of its cycles is over.
    full: Option<Window>,
    /// The evaluator's bits that are not transferred yet.
    ahead: Box<dyn Iterator<Item = InputBit> + 's>,
    /// Own bits whose active labels are not sent yet, and how many were sent.
    own_ahead: Box<dyn Iterator<Item = InputBit> + 's>,
    own_sent: u64,
    active: Buffer,
    /// Tables of a request that is longer than a frame, while they are being filled.
    long: Vec<u8>,
}

/// The run's number, and the amount of work in it.
#[derive(Clone, Copy)]
pub(crate) struct RunNumber {
    pub number: u32,
    pub total_ands: u64,
    /// Bytes of tables of a cycle; `None` if the engine announces them cycle by cycle.
    pub table_bytes: Option<u64>,
}

impl RunNumber {
    pub fn new(number: usize, program: &Program, suite: Suite, cycles: u64) -> RunNumber {
        let ands = program.ands_per_cycle();
        RunNumber {
            number: number as u32,
            total_ands: ands.saturating_mul(cycles),
            table_bytes: program.skips.is_none().then_some(ands * suite.table_bytes() as u64),
        }
    }
}

impl<'s> GarblerSide<'s> {
    pub fn new(
        (channel, events): (&'s mut dyn Channel, &'s mut dyn FnMut(Event)),
        run: RunNumber,
        garbling: &'s Garbling,
        (order, values): (&'s InputOrder, Values<'s>),
        transfer: Option<&'s mut TransferSender>,
        (outputs, learned): (OutputLabels<'s>, Learned),
    ) -> GarblerSide<'s> {
        GarblerSide {
            channel,
            events,
            stopped: Stopped::default(),
            garbling,
            order,
            values,
            transfer,
            stash: VecDeque::new(),
            outputs,
            pending: VecDeque::new(),
            decoding_sent: 0,
            learned,
            run,
            input_bits: order.input_bits(),
            pace: Pace::new(
                garbling.key.suite,
                (run.table_bytes, order.parts()),
                order.has_per_cycle(),
            ),
            full: None,
            ahead: Box::new(order.input_bits().of(Party::Evaluator)),
            own_ahead: Box::new(order.input_bits().of(Party::Garbler)),
            own_sent: 0,
            active: Buffer::default(),
            long: Vec::new(),
        }
    }

    /// Announces the run and processes the transfers for its first cycle.
    pub fn begin(&mut self) -> Result<(), SessionError> {
        let mut payload = [0; 20];
        payload[..4].copy_from_slice(&self.run.number.to_le_bytes());
        payload[4..].copy_from_slice(&self.garbling.key.point.to_le_bytes());
        self.channel.send(Kind::Run, &payload).map_err(lost("beginning a run"))?;
        if let Some(transfer) = &mut self.transfer {
            transfer.begin(self.order.count(Party::Evaluator));
        }
        self.take_transfers(0)?;
        self.channel.flush().map_err(lost("beginning a run"))
    }

    /// Exchanges all labels for the inputs of cycles up to `cycle`. Reads before it writes: the
    /// evaluator may be sending transfers and reads nothing until they are sent.
    fn enter(&mut self, cycle: u64) -> Result<(), SessionError> {
        self.take_transfers(cycle)?;
        let due = self.order.through(Party::Garbler, cycle);
        while self.own_sent < due {
            self.send_own()?;
        }
        self.pace.entered(cycle);
        Ok(())
    }

    /// Processes the evaluator's transfers for all cycles up to and including `cycle`.
    fn take_transfers(&mut self, cycle: u64) -> Result<(), SessionError> {
        let due = self.order.through(Party::Evaluator, cycle);
        while self.transfer.as_ref().is_some_and(|transfer| transfer.wants_batch(due)) {
            self.take_batch()?;
        }
        Ok(())
    }

    fn take_batch(&mut self) -> Result<(), SessionError> {
        let mut message = self.stash.pop_front();
        while message.is_none() {
            match self.channel.recv().map_err(lost("transferring input labels"))? {
                Kind::Extension => break,
                kind => self.take(kind)?,
            }
            message = self.stash.pop_front();
        }
        let Some(transfer) = &mut self.transfer else { return Ok(()) };
        let labels = &self.garbling.labels;
        let run = Labels {
            delta: &self.garbling.delta,
            draw: &|sequence| labels.label(sequence),
            bits: &mut *self.ahead,
        };
        transfer.fill(self.channel, message.as_deref(), run)
    }

    /// The false label of one of the evaluator's bits.
    fn transferred(&mut self) -> Result<Label, SessionError> {
        let next = self.transfer.as_mut().and_then(|transfer| transfer.next());
        next.ok_or_else(|| contract(ContractError::MoreInputs))
    }

    fn labels_for(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), SessionError> {
        self.pace.check_turn(cycle)?;
        for (&wire, label) in bits.iter().zip(labels) {
            let bit = self.input_bits.next().filter(|bit| bit.wire == wire && bit.cycle == cycle);
            let bit = bit.ok_or_else(|| contract(ContractError::InputOrder))?;
            if self.pace.is_new(bit.part) {
                self.pace.check_turn(bit.part)?;
                self.enter(bit.part)?;
            }
            if self.order.owner(wire) == Some(PEER) {
                *label = self.transferred()?;
                continue;
            }
            *label = self.garbling.labels.label(bit.sequence);
        }
        self.settle()
    }

    /// Closes the full window if the cycle that filled it is over. Only then does the evaluator
    /// have everything it needs to fill the window too.
    fn settle(&mut self) -> Result<(), SessionError> {
        let over = |last| self.pace.is_over(last) && self.input_bits.is_past(last);
        match self.full.take_if(|window| over(window.last())) {
            Some(window) => self.close_window(&window),
            None => Ok(()),
        }
    }

    /// Sends the active labels of the next own bits, including those of later cycles: with short
    /// cycles, a frame for each would cost more than the cycle itself.
    fn send_own(&mut self) -> Result<(), SessionError> {
        self.active.clear();
        for bit in self.own_ahead.by_ref().take(OWN_AHEAD) {
            let label = self.garbling.labels.label(bit.sequence);
            let active = label ^ self.garbling.delta.label().masked(self.values.get(bit)?);
            self.active.extend_from_slice(&active.to_bytes());
            self.own_sent += 1;
        }
        self.channel.send(Kind::Labels, &self.active).map_err(lost("sending input labels"))
    }
}

impl GarblerIo for GarblerSide<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.labels_for(cycle, bits, labels).map_err(|error| self.stopped.by(error))
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        let label = self.garbling.labels.constant();
        let payload = label.to_bytes();
        self.channel
            .send(Kind::Constant, &payload)
            .map_err(lost("sending input labels"))
            .map_err(|error| self.stopped.by(error))?;
        Ok(label)
    }

    fn label_seed(&mut self) -> Option<LabelSeed> {
        let from_seed = self.transfer.as_ref().is_none_or(|transfer| transfer.is_masked());
        from_seed.then(|| self.garbling.labels.seed())
    }

    #[inline]
    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        if let Some(cycle) = self.pace.cycle_to_enter() {
            self.enter(cycle).map_err(|error| self.stopped.by(error))?;
        }
        self.pace.tables(bytes).map_err(|error| self.stopped.by(error))?;
        if bytes > MAX_PAYLOAD {
            self.long.resize(bytes, 0);
            return Ok(&mut self.long);
        }
        match self.channel.send_space(Kind::Tables, bytes) {
            Ok(space) => Ok(space),
            Err(error) => Err(self.stopped.by(lost(SENDING)(error))),
        }
    }

    #[inline]
    fn tables_ready(&mut self) -> Result<(), IoError> {
        if self.long.is_empty() {
            self.channel
                .send_commit()
                .map_err(lost(SENDING))
                .map_err(|error| self.stopped.by(error))?;
            return self.settle().map_err(|error| self.stopped.by(error));
        }
        for chunk in self.long.chunks(MAX_PAYLOAD) {
            self.channel
                .send(Kind::Tables, chunk)
                .map_err(lost(SENDING))
                .map_err(|error| self.stopped.by(error))?;
        }
        self.long.clear();
        self.settle().map_err(|error| self.stopped.by(error))
    }

    fn part_end(&self, and: u64) -> u64 {
        self.order.parts().map_or(u64::MAX, |parts| parts.end_of(and))
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        let part = self.outputs.part(cycle, bits);
        self.pace.check_turn(part).map_err(|error| self.stopped.by(error))?;
        if let Some(window) =
            self.outputs.put(cycle, bits, labels).map_err(|error| self.stopped.by(error))?
        {
            self.full = Some(window);
        }
        self.settle().map_err(|error| self.stopped.by(error))
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        self.pace.begin_cycle(cycle, table_bytes).map_err(|error| self.stopped.by(error))
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        (self.events)(Event::Note { what: what.to_owned() });
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.channel.set_progress(ands);
        self.channel.tick().map_err(lost("garbling")).map_err(|error| self.stopped.by(error))?;
        self.take_responses().map_err(|error| self.stopped.by(error))?;
        (self.events)(Event::Progress { cycles, ands, total_ands: self.run.total_ands });
        Ok(())
    }
}

const SENDING: &str = "sending garbled tables";

fn lost(doing: &'static str) -> impl Fn(ChannelError) -> SessionError {
    move |error| SessionError::channel(PEER, doing, error)
}

fn broke(what: &str) -> SessionError {
    SessionError::Protocol { peer: PEER, what: what.to_owned() }
}
