//! A session as an evaluating engine sees it: one run, from the first label to the outputs.
//!
//! The order of messages does not depend on the engine: see [`pace`](super::pace).

mod outputs;

use super::garbler_io::RunNumber;
use super::inputs::{BATCH, InputBit, InputBits, InputOrder, Values};
use super::labels::LabelQueue;
use super::learned::Learned;
use super::outputs::{OutputLabels, Window};
use super::pace::Pace;
use super::stopped::Stopped;
use super::transfer::{TransferReceiver, expect};
use super::{Event, SessionError, contract};
use crate::channel::{Channel, ChannelError};
use crate::frame::Kind;
use halfgate_circuit::{Party, Wire};
use halfgate_engine::{ContractError, EvaluatorIo, IoError, Label, RunKey, Suite};
use outputs::Undecoded;
use std::collections::VecDeque;
use std::time::Instant;
use zeroize::Zeroizing;

const PEER: Party = Party::Garbler;

/// Maximum bytes of tables that are queued while this side waits for other frames. Everything else
/// that a cycle needs comes before its tables, so this is rarely more than a frame.
const MAX_QUEUED: usize = 4 << 20;

/// One run of a session, for the engine that evaluates it.
///
/// Frames are received when the engine requests something that has not arrived; this creates the
/// backpressure. Tables are used in place in the channel's buffer. They are copied only if the
/// engine requests a piece that spans two frames.
pub(crate) struct EvaluatorSide<'s> {
    pub channel: &'s mut dyn Channel,
    pub events: &'s mut dyn FnMut(Event),
    /// Why the engine was stopped.
    pub stopped: Stopped,
    order: &'s InputOrder,
    values: Values<'s>,
    transfer: Option<&'s mut TransferReceiver>,
    outputs: OutputLabels<'s>,
    /// Checkpoints received and not responded to.
    checkpoints: usize,
    undecoded: VecDeque<Undecoded>,
    /// Own bits decoded so far.
    decoded: u64,
    learned: Learned,
    /// When responses were last sent, and whether some are still buffered.
    last_response: Instant,
    unsent: bool,
    key: RunKey,
    run: RunNumber,
    input_bits: InputBits<'s>,
    pace: Pace<'s>,
    /// A window that has all its labels, kept until the last of its cycles is over.
    full: Option<Window>,
    /// Own bits that are not transferred yet.
    ahead: Box<dyn Iterator<Item = InputBit> + 's>,
    /// Active labels of the garbler's bits that are not used yet, and how many are still to come.
    labels: LabelQueue,
    labels_to_come: u64,
    constant: Option<Zeroizing<Label>>,
    constant_used: bool,
    /// Used bytes of the tables frame in the channel's buffer; `None` if there is no such frame.
    used: Option<usize>,
    /// Tables that had to be moved out of the channel's buffer, and how many of their bytes are
    /// used.
    queue: Vec<u8>,
    queue_used: usize,
}

/// Where a piece of tables begins.
enum Tables {
    /// In the frame in the channel's buffer.
    Frame(usize),
    /// In the queue.
    Queue(usize),
}

impl<'s> EvaluatorSide<'s> {
    pub fn new(
        (channel, events): (&'s mut dyn Channel, &'s mut dyn FnMut(Event)),
        run: RunNumber,
        (order, values): (&'s InputOrder, Values<'s>),
        transfer: Option<&'s mut TransferReceiver>,
        (outputs, learned): (OutputLabels<'s>, Learned),
        suite: Suite,
    ) -> EvaluatorSide<'s> {
        EvaluatorSide {
            channel,
            events,
            stopped: Stopped::default(),
            order,
            values,
            transfer,
            outputs,
            checkpoints: 0,
            undecoded: VecDeque::new(),
            decoded: 0,
            learned,
            last_response: Instant::now(),
            unsent: false,
            key: RunKey { suite, point: 0 },
            run,
            input_bits: order.input_bits(),
            pace: Pace::new(suite, (run.table_bytes, order.parts()), order.has_per_cycle()),
            full: None,
            ahead: Box::new(order.input_bits().of(Party::Evaluator)),
            labels: LabelQueue::default(),
            labels_to_come: order.count(Party::Garbler),
            constant: None,
            constant_used: false,
            used: None,
            queue: Vec::new(),
            queue_used: 0,
        }
    }

    /// Sends the first transfers and waits for the garbler to announce the run.
    pub fn begin(&mut self) -> Result<RunKey, SessionError> {
        if let Some(transfer) = &mut self.transfer {
            transfer.begin();
        }
        self.send_ahead(0)?;
        if let Some(transfer) = &mut self.transfer {
            transfer.confirm(self.channel)?;
        }
        expect(self.channel, Kind::Run, PEER, "waiting for a run to begin")?;
        let payload: Result<[u8; 20], _> = self.channel.payload().try_into();
        let payload = payload.map_err(|_| broke("its announcement of a run is malformed"))?;
        let (number, point) = payload.split_first_chunk().expect("20 bytes hold 4");
        if u32::from_le_bytes(*number) != self.run.number {
            return Err(broke("it announced another run than the next"));
        }
        let point = point.try_into().expect("16 of 20 bytes are left");
        self.key.point = u128::from_le_bytes(point);
        self.enter(0)?;
        Ok(self.key)
    }

    /// Sends transfers for all own bits up to and including `cycle`, as far as the garbler can
    /// buffer its replies. Returns whether some are left.
    fn send_ahead(&mut self, cycle: u64) -> Result<bool, SessionError> {
        let due = self.order.through(Party::Evaluator, cycle);
        match &mut self.transfer {
            Some(transfer) => {
                transfer.send_ahead(due, self.channel, &mut self.values, &mut *self.ahead)
            }
            None => Ok(false),
        }
    }

    /// Sends everything that the garbler needs from this side for `cycle`.
    fn enter(&mut self, cycle: u64) -> Result<(), SessionError> {
        while self.send_ahead(cycle)? {
            self.pull("waiting for input labels")?;
        }
        self.pace.entered(cycle);
        Ok(())
    }

    /// Responds to the checkpoint of the full window, if the cycle that filled it is over.
    fn settle(&mut self) -> Result<(), SessionError> {
        let over = |last| self.pace.is_over(last) && self.input_bits.is_past(last);
        match self.full.take_if(|window| over(window.last())) {
            Some(window) => self.close_window(&window),
            None => Ok(()),
        }
    }

    /// Waits for the next frame and processes it.
    fn pull(&mut self, doing: &'static str) -> Result<(), SessionError> {
        self.set_tables_aside()?;
        match self.channel.recv().map_err(lost(doing))? {
            Kind::Tables if self.channel.payload().is_empty() => {
                return Err(broke("it sent a frame of tables without tables"));
            }
            Kind::Tables => self.used = Some(0),
            Kind::Labels => {
                let (labels, rest) = self.channel.payload().as_chunks::<16>();
                if labels.is_empty()
                    || !rest.is_empty()
                    || labels.len() as u64 > self.labels_to_come
                {
                    return Err(broke("it sent the wrong number of input labels"));
                }
                if (self.labels.len() + labels.len()) as u64 > self.max_labels() {
                    return Err(broke("it sends input labels long before they are used"));
                }
                self.labels_to_come -= labels.len() as u64;
                self.labels.extend(labels);
            }
            Kind::Constant => {
                let bytes: Result<[u8; 16], _> = self.channel.payload().try_into();
                let bytes = bytes.map_err(|_| broke("its label of a constant is malformed"))?;
                if self.constant.replace(Zeroizing::new(Label::from_bytes(bytes))).is_some() {
                    return Err(broke("it sent the label of a constant twice"));
                }
            }
            Kind::MaskedPairs => match &mut self.transfer {
                Some(transfer) => transfer.unmask(self.channel.payload())?,
                None => return Err(broke("it sent masked labels that were not requested")),
            },
            Kind::Checkpoint => self.checkpoint()?,
            Kind::Decoding => self.decoding()?,
            kind => {
                let what = format!("it sent {kind:?} in the middle of a run (while {doing})");
                return Err(SessionError::Protocol { peer: PEER, what });
            }
        }
        Ok(())
    }

    /// Maximum number of the garbler's labels that may be queued: a cycle's, and some ahead.
    fn max_labels(&self) -> u64 {
        self.order.most(Party::Garbler) + BATCH as u64
    }

    /// Moves unused tables out of the channel's buffer, because the next frame overwrites them.
    fn set_tables_aside(&mut self) -> Result<(), SessionError> {
        let Some(used) = self.used.take() else { return Ok(()) };
        let rest = &self.channel.payload()[used..];
        if rest.is_empty() {
            return Ok(());
        }
        self.queue.drain(..self.queue_used);
        self.queue_used = 0;
        if self.queue.len() + rest.len() > MAX_QUEUED {
            return Err(broke("it sends tables before the labels that they need"));
        }
        self.queue.extend_from_slice(rest);
        Ok(())
    }

    fn labels_for(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), SessionError> {
        self.settle()?;
        self.pace.check_turn(cycle)?;
        for (&wire, label) in bits.iter().zip(labels) {
            let bit = self.input_bits.next().filter(|bit| bit.wire == wire && bit.cycle == cycle);
            let bit = bit.ok_or_else(|| contract(ContractError::InputOrder))?;
            if self.pace.is_new(bit.part) {
                self.pace.check_turn(bit.part)?;
                self.enter(bit.part)?;
            }
            *label = match self.order.owner(wire) {
                Some(Party::Evaluator) => self.own_label()?,
                _ => self.garblers_label()?,
            };
        }
        Ok(())
    }

    fn own_label(&mut self) -> Result<Label, SessionError> {
        loop {
            let Some(transfer) = &mut self.transfer else {
                return Err(contract(ContractError::MoreInputs));
            };
            if let Some(label) = transfer.next() {
                return Ok(label);
            }
            if !transfer.waits() {
                return Err(contract(ContractError::MoreInputs));
            }
            self.pull("waiting for input labels")?;
        }
    }

    fn garblers_label(&mut self) -> Result<Label, SessionError> {
        loop {
            if let Some(label) = self.labels.pop_front() {
                return Ok(label);
            }
            self.pull("waiting for input labels")?;
        }
    }

    /// Gathers tables that lie in more than one place in the queue.
    #[cold]
    fn gather(&mut self, bytes: usize) -> Result<(), SessionError> {
        while self.queue.len() - self.queue_used < bytes {
            match self.used {
                Some(used) if used < self.channel.payload().len() => {
                    let missing = bytes - (self.queue.len() - self.queue_used);
                    let rest = &self.channel.payload()[used..];
                    let taken = &rest[..missing.min(rest.len())];
                    self.queue.drain(..self.queue_used);
                    self.queue_used = 0;
                    self.queue.extend_from_slice(taken);
                    self.used = Some(used + taken.len());
                }
                _ => self.pull(RECEIVING)?,
            }
        }
        Ok(())
    }

    /// Locates the next `bytes` bytes of tables and marks them used.
    fn place_tables(&mut self, bytes: usize) -> Result<Tables, SessionError> {
        loop {
            if self.queue_used < self.queue.len() {
                break;
            }
            match self.used {
                Some(used) if used + bytes <= self.channel.payload().len() => {
                    self.used = Some(used + bytes);
                    return Ok(Tables::Frame(used));
                }
                Some(used) if used < self.channel.payload().len() => break,
                _ => self.pull(RECEIVING)?,
            }
        }
        self.gather(bytes)?;
        let start = self.queue_used;
        self.queue_used += bytes;
        Ok(Tables::Queue(start))
    }

    /// Whether the garbler sent tables or labels that were not used.
    fn is_anything_left(&self) -> bool {
        self.used.is_some_and(|used| used < self.channel.payload().len())
            || self.queue_used < self.queue.len()
            || !self.labels.is_empty()
            || (self.constant.is_some() && !self.constant_used)
    }
}

impl EvaluatorIo for EvaluatorSide<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.labels_for(cycle, bits, labels).map_err(|error| self.stopped.by(error))
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        loop {
            if let Some(label) = &self.constant {
                self.constant_used = true;
                return Ok(**label);
            }
            self.pull("waiting for input labels").map_err(|error| self.stopped.by(error))?;
        }
    }

    #[inline]
    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        if self.full.is_some() {
            self.settle().map_err(|error| self.stopped.by(error))?;
        }
        if let Some(cycle) = self.pace.cycle_to_enter() {
            self.enter(cycle).map_err(|error| self.stopped.by(error))?;
        }
        self.pace.tables(bytes).map_err(|error| self.stopped.by(error))?;
        match self.place_tables(bytes).map_err(|error| self.stopped.by(error))? {
            Tables::Frame(start) => Ok(&self.channel.payload()[start..start + bytes]),
            Tables::Queue(start) => Ok(&self.queue[start..start + bytes]),
        }
    }

    fn part_end(&self, and: u64) -> u64 {
        self.order.parts().map_or(u64::MAX, |parts| parts.end_of(and))
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.settle().map_err(|error| self.stopped.by(error))?;
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
        self.settle().map_err(|error| self.stopped.by(error))?;
        self.pace.begin_cycle(cycle, table_bytes).map_err(|error| self.stopped.by(error))
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        (self.events)(Event::Note { what: what.to_owned() });
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.channel.set_progress(ands);
        self.channel.tick().map_err(lost("evaluating")).map_err(|error| self.stopped.by(error))?;
        self.settle().map_err(|error| self.stopped.by(error))?;
        self.linger().map_err(|error| self.stopped.by(error))?;
        (self.events)(Event::Progress { cycles, ands, total_ands: self.run.total_ands });
        Ok(())
    }
}

const RECEIVING: &str = "receiving garbled tables";

fn lost(doing: &'static str) -> impl Fn(ChannelError) -> SessionError {
    move |error| SessionError::channel(PEER, doing, error)
}

fn broke(what: &str) -> SessionError {
    SessionError::Protocol { peer: PEER, what: what.to_owned() }
}
