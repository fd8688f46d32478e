//! What an evaluating engine sees of a session: one run, from the first label to the outputs.

use super::evaluator_outputs::Undecoded;
use super::garbler_io::RunNumber;
use super::inputs::{InputBit, InputOrder, Values, Walk};
use super::learned::Learned;
use super::outputs::OutputLabels;
use super::transfer::{TransferReceiver, expect};
use super::{Event, SessionError, out_of_order};
use crate::channel::{Channel, ChannelError};
use crate::frame::Kind;
use halfgate_circuit::{Party, Wire};
use halfgate_engine::{EvaluatorIo, IoError, Label, RunKey, Suite};
use std::collections::VecDeque;
use std::time::Instant;

const PEER: Party = Party::Garbler;

/// Bytes of tables that may wait because the garbler's engine wants its labels later than ours
/// does, and bytes of labels that may wait because it wants them earlier.
const MAX_QUEUED: usize = 256 << 20;

/// One run of a session, for the engine that evaluates it.
///
/// Frames are taken when the engine wants something that has not come: that is the back-pressure.
/// Tables are used where they lie in the channel's buffer; they are copied only where the engine
/// wants a piece that spans two frames, or wants labels that the garbler sent after tables which
/// are not used yet.
pub(crate) struct EvaluatorSide<'s> {
    pub channel: &'s mut dyn Channel,
    pub events: &'s mut dyn FnMut(Event),
    order: &'s InputOrder,
    values: Values<'s>,
    transfer: Option<&'s mut TransferReceiver>,
    pub(super) outputs: OutputLabels<'s>,
    /// Checkpoints that have come and are not answered.
    pub(super) checkpoints: usize,
    pub(super) undecoded: VecDeque<Undecoded>,
    /// Own bits that are decoded.
    pub(super) decoded: u64,
    pub(super) learned: Learned,
    /// When answers were last sent, and whether some were not.
    pub(super) last_answer: Instant,
    pub(super) unsent: bool,
    pub(super) key: RunKey,
    pub(super) run: RunNumber,
    walk: Walk<'s>,
    /// Own bits that are not transferred yet.
    ahead: Box<dyn Iterator<Item = InputBit> + 's>,
    /// Active labels of the garbler's bits that are not used yet, and how many are still to come.
    labels: VecDeque<Label>,
    labels_to_come: u64,
    constant: Option<Label>,
    /// Bytes used of the tables frame in the channel's buffer; `None` if there is none.
    used: Option<usize>,
    /// Tables that had to be moved out of the channel's buffer, and how many bytes are used.
    queue: Vec<u8>,
    queue_used: usize,
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
            order,
            values,
            transfer,
            outputs,
            checkpoints: 0,
            undecoded: VecDeque::new(),
            decoded: 0,
            learned,
            last_answer: Instant::now(),
            unsent: false,
            key: RunKey { suite, point: 0 },
            run,
            walk: order.walk(),
            ahead: Box::new(order.walk().of(Party::Evaluator)),
            labels: VecDeque::new(),
            labels_to_come: order.count(Party::Garbler),
            constant: None,
            used: None,
            queue: Vec::new(),
            queue_used: 0,
        }
    }

    /// Sends the first transfers and waits for the garbler to announce the run.
    pub fn begin(&mut self) -> Result<RunKey, SessionError> {
        self.send_ahead()?;
        expect(self.channel, Kind::Run, PEER, "waiting for a run to begin")?;
        let payload: Result<[u8; 20], _> = self.channel.payload().try_into();
        let payload = payload.map_err(|_| broke("its announcement of a run is malformed"))?;
        let (number, point) = payload.split_first_chunk().expect("20 bytes hold 4");
        if u32::from_le_bytes(*number) != self.run.number {
            return Err(broke("it announced another run than the next"));
        }
        let point = point.try_into().expect("16 of 20 bytes are left");
        self.key.point = u128::from_le_bytes(point);
        Ok(self.key)
    }

    fn send_ahead(&mut self) -> Result<(), SessionError> {
        match &mut self.transfer {
            Some(transfer) => transfer.send_ahead(self.channel, &mut self.values, &mut *self.ahead),
            None => Ok(()),
        }
    }

    /// Waits for the next frame and puts what it brings where it belongs.
    pub(super) fn pull(&mut self, doing: &'static str) -> Result<(), SessionError> {
        self.set_tables_aside()?;
        match self.channel.recv().map_err(lost(doing))? {
            Kind::Tables => self.used = Some(0),
            Kind::Labels => {
                let (labels, rest) = self.channel.payload().as_chunks::<16>();
                if !rest.is_empty() || labels.len() as u64 > self.labels_to_come {
                    return Err(broke("it sent the wrong number of input labels"));
                }
                if (self.labels.len() + labels.len()) * 16 > MAX_QUEUED {
                    return Err(broke("it sends input labels long before they are used"));
                }
                self.labels_to_come -= labels.len() as u64;
                self.labels.extend(labels.iter().map(|bytes| Label::from_bytes(*bytes)));
            }
            Kind::Constant => {
                let bytes: Result<[u8; 16], _> = self.channel.payload().try_into();
                let bytes = bytes.map_err(|_| broke("its label of a constant is malformed"))?;
                if self.constant.replace(Label::from_bytes(bytes)).is_some() {
                    return Err(broke("it sent the label of a constant twice"));
                }
            }
            Kind::MaskedPairs => match &mut self.transfer {
                Some(transfer) => transfer.unmask(self.channel.payload())?,
                None => return Err(broke("it sent masked labels that nobody asked for")),
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

    /// Moves tables that are not used yet out of the channel's buffer, which the next frame
    /// overwrites.
    fn set_tables_aside(&mut self) -> Result<(), SessionError> {
        let Some(used) = self.used.take() else { return Ok(()) };
        let rest = &self.channel.payload()[used..];
        if rest.is_empty() {
            return Ok(());
        }
        self.queue.drain(..self.queue_used);
        self.queue_used = 0;
        if self.queue.len() + rest.len() > MAX_QUEUED {
            let text = "it wants input labels so much earlier than the garbler's engine that the \
                        tables in between do not fit; use the same engine on both sides";
            return Err(SessionError::Engine(halfgate_engine::EngineError::Unsupported(
                text.to_owned(),
            )));
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
        for (&wire, label) in bits.iter().zip(labels) {
            let bit = self.walk.next().filter(|bit| bit.wire == wire && bit.cycle == cycle);
            bit.ok_or_else(|| out_of_order("input bits out of order"))?;
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
                return Err(out_of_order("more input bits than the program uses"));
            };
            if let Some(label) = transfer.next() {
                if transfer.wants_more() {
                    self.send_ahead()?;
                }
                return Ok(label);
            }
            if !transfer.waits() {
                return Err(out_of_order("more input bits than the program uses"));
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

    /// Tables that lie in more than one place: gathers them in the queue.
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

    fn tables_of(&mut self, bytes: usize) -> Result<&[u8], SessionError> {
        loop {
            if self.queue_used < self.queue.len() {
                break;
            }
            match self.used {
                Some(used) if used + bytes <= self.channel.payload().len() => {
                    self.used = Some(used + bytes);
                    return Ok(&self.channel.payload()[used..used + bytes]);
                }
                Some(used) if used < self.channel.payload().len() => break,
                _ => self.pull(RECEIVING)?,
            }
        }
        self.gather(bytes)?;
        let start = self.queue_used;
        self.queue_used += bytes;
        Ok(&self.queue[start..start + bytes])
    }

    /// Whether the garbler sent tables or labels that nobody has used.
    pub(super) fn is_anything_left(&self) -> bool {
        self.used.is_some_and(|used| used < self.channel.payload().len())
            || self.queue_used < self.queue.len()
            || !self.labels.is_empty()
    }
}

impl EvaluatorIo for EvaluatorSide<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        Ok(self.labels_for(cycle, bits, labels)?)
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        loop {
            if let Some(label) = self.constant {
                return Ok(label);
            }
            self.pull("waiting for input labels")?;
        }
    }

    #[inline]
    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        Ok(self.tables_of(bytes)?)
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        if let Some(window) = self.outputs.put(cycle, bits, labels)? {
            self.close_window(&window)?;
        }
        Ok(())
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.channel.set_progress(ands);
        self.channel.tick().map_err(lost("evaluating"))?;
        self.linger()?;
        (self.events)(Event::Progress { cycles, ands, total_ands: self.run.total_ands });
        Ok(())
    }
}

const RECEIVING: &str = "receiving garbled tables";

pub(super) fn lost(doing: &'static str) -> impl Fn(ChannelError) -> SessionError {
    move |error| SessionError::channel(PEER, doing, error)
}

pub(super) fn broke(what: &str) -> SessionError {
    SessionError::Protocol { peer: PEER, what: what.to_owned() }
}
