//! What a garbling engine sees of a session: one run, from the first label to the outputs.

use super::inputs::{InputBit, InputOrder, Walk};
use super::labels::Garbling;
use super::outputs::{DECODING_BYTES, DecodingHash, FRAME_BITS, OutputLabels, value_of};
use super::transfer::{Labels, TransferSender, expect};
use super::{Event, PartyInputs, SessionError, digest_payload, out_of_order};
use crate::channel::{Channel, ChannelError};
use crate::frame::{Kind, MAX_PAYLOAD};
use halfgate_circuit::{Bits, Party, Wire};
use halfgate_engine::{GarblerIo, IoError, Label};
use zeroize::Zeroizing;

const PEER: Party = Party::Evaluator;

/// One run of a session, for the engine that garbles it.
pub(crate) struct GarblerSide<'s> {
    pub channel: &'s mut dyn Channel,
    pub events: &'s mut dyn FnMut(Event),
    garbling: &'s Garbling,
    order: &'s InputOrder,
    inputs: &'s PartyInputs,
    transfer: Option<&'s mut TransferSender>,
    outputs: OutputLabels<'s>,
    run: RunNumber,
    walk: Walk<'s>,
    /// The evaluator's bits that are not transferred yet.
    ahead: Box<dyn Iterator<Item = InputBit> + 's>,
    active: Vec<u8>,
    /// Tables of a request that is longer than a frame, while they are being filled.
    long: Vec<u8>,
}

/// Which run it is, and how much there is to do.
#[derive(Clone, Copy)]
pub(crate) struct RunNumber {
    pub number: u32,
    pub total_ands: u64,
}

impl<'s> GarblerSide<'s> {
    pub fn new(
        (channel, events): (&'s mut dyn Channel, &'s mut dyn FnMut(Event)),
        run: RunNumber,
        garbling: &'s Garbling,
        (order, inputs): (&'s InputOrder, &'s PartyInputs),
        transfer: Option<&'s mut TransferSender>,
        outputs: OutputLabels<'s>,
    ) -> GarblerSide<'s> {
        GarblerSide {
            channel,
            events,
            garbling,
            order,
            inputs,
            transfer,
            outputs,
            run,
            walk: order.walk(),
            ahead: Box::new(order.walk().of(Party::Evaluator)),
            active: Vec::new(),
            long: Vec::new(),
        }
    }

    /// Announces the run and takes the first batch of transfers.
    pub fn begin(&mut self) -> Result<(), SessionError> {
        let mut payload = [0; 20];
        payload[..4].copy_from_slice(&self.run.number.to_le_bytes());
        payload[4..].copy_from_slice(&self.garbling.key.point.to_le_bytes());
        self.channel.send(Kind::Run, &payload).map_err(lost("beginning a run"))?;
        if let Some(transfer) = &mut self.transfer {
            transfer.begin(self.order.count(Party::Evaluator));
        }
        self.fill()?;
        self.channel.flush().map_err(lost("beginning a run"))
    }

    fn fill(&mut self) -> Result<(), SessionError> {
        let Some(transfer) = &mut self.transfer else { return Ok(()) };
        let labels = &self.garbling.labels;
        let run = Labels {
            delta: &self.garbling.delta,
            draw: &|sequence| labels.label(sequence),
            bits: &mut *self.ahead,
        };
        transfer.fill(self.channel, run)
    }

    /// The false label of one of the evaluator's bits.
    fn transferred(&mut self) -> Result<Label, SessionError> {
        self.fill()?;
        let next = self.transfer.as_mut().and_then(|transfer| transfer.next());
        next.ok_or_else(|| out_of_order("more input bits than the program uses"))
    }

    fn labels_for(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), SessionError> {
        self.active.clear();
        for (&wire, label) in bits.iter().zip(labels) {
            let bit = self.walk.next().filter(|bit| bit.wire == wire && bit.cycle == cycle);
            let bit = bit.ok_or_else(|| out_of_order("input bits out of order"))?;
            if self.order.owner(wire) == Some(PEER) {
                *label = self.transferred()?;
                continue;
            }
            *label = self.garbling.labels.label(bit.sequence);
            let value = self.order.value(self.inputs, bit);
            let active = *label ^ self.garbling.delta.label().masked(value);
            self.active.extend_from_slice(&active.to_bytes());
        }
        for chunk in self.active.chunks(MAX_PAYLOAD) {
            self.channel.send(Kind::Labels, chunk).map_err(lost("sending input labels"))?;
        }
        Ok(())
    }

    /// Compares digests with the evaluator, then decodes: what it returns first, then what it is
    /// to learn. Returns this party's outputs.
    pub fn finish(&mut self) -> Result<Vec<Option<Bits>>, SessionError> {
        self.outputs.check_complete()?;
        let doing = "comparing digests";
        let digest = digest_payload(self.run.number, self.channel.sent_digest());
        self.channel.send(Kind::Digest, &digest).map_err(lost(doing))?;
        expect(self.channel, Kind::Digest, PEER, doing)?;
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        let own = self.decode_own()?;
        self.send_decoding()?;
        expect(self.channel, Kind::Done, PEER, "waiting for the evaluator's outputs")?;
        Ok(self.outputs.values(Party::Garbler, &own))
    }

    /// The values of the bits that the garbler learns, from the labels that the evaluator returns.
    fn decode_own(&mut self) -> Result<Bits, SessionError> {
        let mut values = Bits::new();
        let mut labels = self.outputs.learned_by(Party::Garbler).peekable();
        while labels.peek().is_some() {
            expect(self.channel, Kind::OutputLabels, PEER, "waiting for output labels")?;
            let (returned, rest) = self.channel.payload().as_chunks::<16>();
            let frame: Zeroizing<Vec<_>> =
                Zeroizing::new(labels.by_ref().take(FRAME_BITS).collect());
            if returned.len() != frame.len() || !rest.is_empty() {
                return Err(broke("it returned the wrong number of output labels"));
            }
            for (returned, label) in returned.iter().zip(frame.iter()) {
                let value = value_of(*returned, *label, &self.garbling.delta);
                values.push(value.ok_or_else(|| broke("it returned a label that is no label"))?);
            }
        }
        Ok(values)
    }

    /// Sends what the evaluator decodes its own outputs by.
    fn send_decoding(&mut self) -> Result<(), SessionError> {
        let hash = DecodingHash::new(self.run.number, self.garbling.key);
        let mut labels = self.outputs.learned_by(Party::Evaluator).peekable();
        let mut frame = Vec::with_capacity(FRAME_BITS * DECODING_BYTES);
        let mut few = Zeroizing::new(Vec::with_capacity(FRAME_BITS));
        let mut first = 0;
        while labels.peek().is_some() {
            few.clear();
            few.extend(labels.by_ref().take(FRAME_BITS));
            frame.clear();
            hash.decoding(first, &few, &self.garbling.delta, &mut frame);
            first += few.len() as u64;
            self.channel.send(Kind::Decoding, &frame).map_err(lost("sending decoding data"))?;
        }
        self.channel.send(Kind::Done, &[]).map_err(lost("sending decoding data"))?;
        self.channel.flush().map_err(lost("sending decoding data"))
    }
}

impl GarblerIo for GarblerSide<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        Ok(self.labels_for(cycle, bits, labels)?)
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        let label = self.garbling.labels.constant();
        let payload = label.to_bytes();
        self.channel.send(Kind::Constant, &payload).map_err(lost("sending input labels"))?;
        Ok(label)
    }

    #[inline]
    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        if bytes > MAX_PAYLOAD {
            self.long.resize(bytes, 0);
            return Ok(&mut self.long);
        }
        match self.channel.send_space(Kind::Tables, bytes) {
            Ok(space) => Ok(space),
            Err(error) => Err(lost(SENDING)(error).into()),
        }
    }

    #[inline]
    fn tables_ready(&mut self) -> Result<(), IoError> {
        if self.long.is_empty() {
            return Ok(self.channel.send_commit().map_err(lost(SENDING))?);
        }
        for chunk in self.long.chunks(MAX_PAYLOAD) {
            self.channel.send(Kind::Tables, chunk).map_err(lost(SENDING))?;
        }
        self.long.clear();
        Ok(())
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        Ok(self.outputs.put(cycle, bits, labels)?)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.channel.set_progress(ands);
        self.channel.tick().map_err(lost("garbling"))?;
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
