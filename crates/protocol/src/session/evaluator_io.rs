//! What an evaluating engine sees of a session: one run, from the first label to the outputs.

use super::garbler_io::RunNumber;
use super::inputs::{InputBit, InputOrder, Walk};
use super::outputs::{DECODING_BYTES, DecodingHash, FRAME_BITS, OutputLabels, decode};
use super::transfer::{TransferReceiver, expect};
use super::{Event, PartyInputs, SessionError, digest_payload, out_of_order};
use crate::channel::{Channel, ChannelError};
use crate::frame::Kind;
use halfgate_circuit::{Bits, Party, Wire};
use halfgate_engine::{EvaluatorIo, IoError, Label, RunKey, Suite};
use std::collections::VecDeque;

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
    inputs: &'s PartyInputs,
    transfer: Option<&'s mut TransferReceiver>,
    outputs: OutputLabels<'s>,
    run: RunNumber,
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
        (order, inputs): (&'s InputOrder, &'s PartyInputs),
        transfer: Option<&'s mut TransferReceiver>,
        outputs: OutputLabels<'s>,
    ) -> EvaluatorSide<'s> {
        EvaluatorSide {
            channel,
            events,
            order,
            inputs,
            transfer,
            outputs,
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
    pub fn begin(&mut self, suite: Suite) -> Result<RunKey, SessionError> {
        self.send_ahead()?;
        expect(self.channel, Kind::Run, PEER, "waiting for a run to begin")?;
        let payload: Result<[u8; 20], _> = self.channel.payload().try_into();
        let payload = payload.map_err(|_| broke("its announcement of a run is malformed"))?;
        let (number, point) = payload.split_first_chunk().expect("20 bytes hold 4");
        if u32::from_le_bytes(*number) != self.run.number {
            return Err(broke("it announced another run than the next"));
        }
        let point = point.try_into().expect("16 of 20 bytes are left");
        Ok(RunKey { suite, point: u128::from_le_bytes(point) })
    }

    fn send_ahead(&mut self) -> Result<(), SessionError> {
        match &mut self.transfer {
            Some(transfer) => {
                transfer.send_ahead(self.channel, self.order, self.inputs, &mut *self.ahead)
            }
            None => Ok(()),
        }
    }

    /// Waits for the next frame and puts what it brings where it belongs.
    fn pull(&mut self, doing: &'static str) -> Result<(), SessionError> {
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

    /// Compares digests with the garbler, returns the labels that it is to learn, then decodes.
    /// Returns this party's outputs.
    pub fn finish(&mut self, key: RunKey) -> Result<Vec<Option<Bits>>, SessionError> {
        self.outputs.check_complete()?;
        let doing = "comparing digests";
        let left = self.used.is_some_and(|used| used < self.channel.payload().len())
            || self.queue_used < self.queue.len()
            || !self.labels.is_empty();
        if left {
            return Err(broke("it sent more tables or labels than the program has"));
        }
        expect(self.channel, Kind::Digest, PEER, doing)?;
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        let digest = digest_payload(self.run.number, self.channel.sent_digest());
        self.channel.send(Kind::Digest, &digest).map_err(lost(doing))?;
        self.return_labels()?;
        let own = self.decode_own(key)?;
        expect(self.channel, Kind::Done, PEER, "waiting for decoding data")?;
        self.channel.send(Kind::Done, &[]).map_err(lost("ending the run"))?;
        self.channel.flush().map_err(lost("ending the run"))?;
        Ok(self.outputs.values(Party::Evaluator, &own))
    }

    /// Sends the active labels of the bits that the garbler learns.
    fn return_labels(&mut self) -> Result<(), SessionError> {
        let mut labels = self.outputs.learned_by(Party::Garbler).peekable();
        let mut frame = Vec::with_capacity(FRAME_BITS * 16);
        while labels.peek().is_some() {
            frame.clear();
            for label in labels.by_ref().take(FRAME_BITS) {
                frame.extend_from_slice(&label.to_bytes());
            }
            self.channel.send(Kind::OutputLabels, &frame).map_err(lost("returning labels"))?;
        }
        Ok(())
    }

    /// The values of the bits that the evaluator learns.
    fn decode_own(&mut self, key: RunKey) -> Result<Bits, SessionError> {
        let hash = DecodingHash::new(self.run.number, key);
        let mut values = Bits::new();
        let mut labels = self.outputs.learned_by(Party::Evaluator).peekable();
        while labels.peek().is_some() {
            expect(self.channel, Kind::Decoding, PEER, "waiting for decoding data")?;
            let (data, rest) = self.channel.payload().as_chunks::<DECODING_BYTES>();
            let mut hashes: Vec<_> = labels.by_ref().take(FRAME_BITS).collect();
            hash.hash(values.len() as u64, &mut hashes);
            if data.len() != hashes.len() || !rest.is_empty() {
                return Err(broke("it sent decoding data of the wrong length"));
            }
            for (data, hash) in data.iter().zip(hashes) {
                let value = decode(hash, data);
                let what = "its decoding data fits no label; the tables were wrong or damaged";
                values.push(value.ok_or_else(|| broke(what))?);
            }
        }
        Ok(values)
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
        Ok(self.outputs.put(cycle, bits, labels)?)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.channel.set_progress(ands);
        self.channel.tick().map_err(lost("evaluating"))?;
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
