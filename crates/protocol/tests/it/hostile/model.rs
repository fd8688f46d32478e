//! The session as a state machine, as its peer sees it: which messages are allowed in which state,
//! and how the session ends after any other.
//!
//! The model follows the frames of both parties. A message is any bytes in place of the peer's next
//! frame, after which the peer is gone. Each of its frames has a [`Fate`]:
//!
//! - *Refused*: it has the wrong kind, length or content. The victim's error names its peer and the
//!   violation.
//! - *Differs*: a hello of a party with different settings. The error names the settings of both.
//! - *Aborted*: the peer ends the session.
//! - *Ignored*: a heartbeat.
//! - *Taken*: the frame that an honest peer sends here.
//! - *Open*: its kind and length are allowed here, but its content cannot be judged in this state:
//!   a table, a label, a nonce. It is rejected now or later, and gives no result.
//!
//! Bytes that are not a frame are rejected. If bytes are missing, the connection is lost.
//!
//! Results are those of earlier runs, and of this run once the victim has compared digests and
//! decoded all that it learns. Results are correct, whatever the hostile peer sends.

use super::cases::Case;
use halfgate_circuit::Party;
use halfgate_protocol::frame::{HEADER, Kind, MAX_PAYLOAD, Transcript, crc32c};
use halfgate_protocol::handshake::{Hello, HelloError};
use halfgate_protocol::ot::{MASKED_PAIR_BYTES, OPENING_BYTES, OtField, OtMode, message_bytes};
use halfgate_protocol::session::ErrorClass;
use halfgate_protocol::session::inputs::{BATCH, InputOrder};
use std::collections::VecDeque;

/// What the victim waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// The peer's hello.
    Hello,
    /// Garbler: the full hello of an evaluator that requested the gate order.
    FullHello,
    /// Evaluator: the opening of the base transfers.
    BaseOpening,
    /// Garbler: the challenge of the base transfers.
    BaseChallenge,
    /// Evaluator: the response that ends the base transfers.
    BaseResponse,
    /// Evaluator: a run's announcement.
    Announcement,
    /// Garbler: transfers for a run's first cycle.
    Transfers,
    /// Labels and tables, or responses and transfers, in the middle of a run.
    InRun,
    /// The same while there are windows of outputs that are not decoded.
    Window,
    /// The peer's digest of everything.
    Digest,
    /// The last output labels or decoding data.
    Outputs,
    /// The peer's `Done`.
    Done,
    /// The end of the connection.
    End,
}

/// The result of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Refused,
    Differs,
    Aborted,
    Ignored,
    Taken,
    Open,
}

/// How a session may end after a message.
pub struct Verdict {
    /// The allowed kinds of error, unless the session is complete.
    pub classes: Vec<ErrorClass>,
    /// The minimum and maximum number of runs that may be reported.
    pub runs: (usize, usize),
    /// Whether the session may end successfully.
    pub complete: bool,
}

/// A valid frame.
pub struct Frame<'a> {
    pub kind: Kind,
    pub payload: &'a [u8],
}

/// What some bytes start with.
enum Begins<'a> {
    Frame(Frame<'a>, &'a [u8]),
    /// Not a frame, whatever follows.
    Damaged,
    /// An incomplete frame.
    Cut,
}

fn begins(bytes: &[u8], sequence: u64) -> Begins<'_> {
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else { return Begins::Cut };
    let check = crc32c(&header[4..14]);
    let check = (check >> 16) as u16 ^ check as u16;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, b| all << 8 | u64::from(*b));
    let (len, kind) = (number(&header[4..7]) as usize, Kind::from_number(header[7]));
    let (Some(kind), true) = (kind, u64::from(check) == number(&header[14..])) else {
        return Begins::Damaged;
    };
    if len > MAX_PAYLOAD || number(&header[8..14]) != sequence {
        return Begins::Damaged;
    }
    let Some((payload, after)) = rest.split_at_checked(len) else { return Begins::Cut };
    match u64::from(crc32c(&bytes[4..HEADER + len])) == number(&header[..4]) {
        true => Begins::Frame(Frame { kind, payload }, after),
        false => Begins::Damaged,
    }
}

/// Whether there is an abort among the frames, damaged or not. The victim sees an abort even if it
/// has not read the frames in front of it.
fn has_abort(mut bytes: &[u8]) -> bool {
    while let Some(len) = super::link::frame_len(bytes) {
        if bytes[7] == Kind::Abort as u8 {
            return true;
        }
        bytes = bytes.get(len..).unwrap_or_default();
    }
    false
}

/// Whether a frame is a heartbeat.
pub fn is_life(bytes: &[u8]) -> bool {
    bytes[7] == Kind::Heartbeat as u8
}

/// The frame of an honest party.
pub fn honest(bytes: &[u8]) -> Frame<'_> {
    let kind = Kind::from_number(bytes[7]).expect("a kind");
    Frame { kind, payload: &bytes[HEADER..] }
}

/// The state of a session.
pub struct Model<'c> {
    case: &'c Case,
    victim: Party,
    order: InputOrder,
    /// Frames received from the peer.
    pub sequence: u64,
    /// Digest of these frames, without heartbeats.
    pub digest: Transcript,
    hellos: usize,
    base: usize,
    /// Runs that are over.
    pub run: usize,
    /// In this run: the labels still to come, and whether the constant has arrived, the peer's
    /// digest has arrived, and the victim has sent more than the start of the run.
    labels: u64,
    constant: bool,
    compared: bool,
    begun: bool,
    /// Windows that the victim has responded to and not decoded.
    responded: usize,
    /// Lengths of the masked pairs that are due.
    pairs: VecDeque<usize>,
    transferred: u64,
}

impl<'c> Model<'c> {
    pub fn new(case: &'c Case, victim: Party) -> Model<'c> {
        let order = InputOrder::new(&case.program.circuit, case.options.cycles);
        Model {
            case,
            victim,
            sequence: 0,
            digest: Transcript::default(),
            hellos: 0,
            base: 0,
            run: 0,
            labels: order.count(Party::Garbler),
            constant: false,
            compared: false,
            begun: false,
            responded: 0,
            pairs: VecDeque::new(),
            transferred: 0,
            order,
        }
    }

    /// Records that the victim has read this honest frame.
    pub fn received(&mut self, bytes: &[u8]) {
        let Frame { kind, payload } = honest(bytes);
        self.sequence += 1;
        if kind == Kind::Heartbeat {
            return;
        }
        let crc = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.digest.add(kind, payload.len(), crc);
        match kind {
            Kind::Hello => self.hellos += 1,
            Kind::BaseOt => self.base += 1,
            Kind::Labels => self.labels -= payload.len() as u64 / 16,
            Kind::Constant => self.constant = true,
            Kind::MaskedPairs => drop(self.pairs.pop_front()),
            Kind::Decoding if !self.compared => self.responded -= 1,
            Kind::Digest => self.compared = true,
            Kind::Done => {
                self.run += 1;
                self.labels = self.order.count(Party::Garbler);
                (self.constant, self.compared, self.begun) = (false, false, false);
            }
            _ => {}
        }
    }

    /// Records that the victim has sent these frames.
    pub fn sent(&mut self, mut bytes: &[u8]) {
        while let Some(len) = super::link::frame_len(bytes) {
            let Frame { kind, .. } = honest(&bytes[..len]);
            match kind {
                Kind::Labels | Kind::Constant | Kind::Tables => self.begun = true,
                Kind::Checkpoint if self.victim == Party::Evaluator => {
                    self.responded += usize::from(self.case.learns_each(Party::Evaluator));
                }
                Kind::Extension if self.case.runs() > 1 => {
                    let all = self.order.count(Party::Evaluator);
                    let count = (all - self.transferred % all).min(BATCH as u64);
                    self.transferred += count;
                    self.pairs.push_back(count as usize * MASKED_PAIR_BYTES);
                }
                _ => {}
            }
            bytes = &bytes[len..];
        }
    }

    /// What the victim waits for, given the honest peer's next frame.
    pub fn state(&self, next: Option<&[u8]>) -> State {
        let Some(next) = next else { return State::End };
        match honest(next).kind {
            Kind::Hello if self.hellos == 0 => State::Hello,
            Kind::Hello => State::FullHello,
            Kind::BaseOt if self.victim == Party::Garbler => State::BaseChallenge,
            Kind::BaseOt if self.base == 0 => State::BaseOpening,
            Kind::BaseOt => State::BaseResponse,
            Kind::Run => State::Announcement,
            Kind::Extension if !self.begun => State::Transfers,
            Kind::Digest => State::Digest,
            Kind::Decoding | Kind::OutputLabels if self.compared => State::Outputs,
            Kind::Done => State::Done,
            Kind::OutputLabels => State::Window,
            _ if self.responded > 0 => State::Window,
            _ => State::InRun,
        }
    }

    /// How the session may end after `message`, given the honest peer's next frame `next`.
    pub fn judge(&self, message: &[u8], next: Option<&[u8]>) -> Verdict {
        let state = self.state(next);
        let next = next.map(honest);
        let (mut rest, mut sequence) = (message, self.sequence);
        // The number of frames that are or may be part of the session; whether all of them are
        // those of an honest peer; and how the session ends because of the frame after them.
        let (mut used, mut as_honest, mut end) = (0, true, ErrorClass::Connection);
        while !rest.is_empty() {
            let frame = match begins(rest, sequence) {
                Begins::Frame(frame, after) => {
                    rest = after;
                    sequence += 1;
                    frame
                }
                Begins::Damaged => {
                    end = ErrorClass::Protocol;
                    break;
                }
                Begins::Cut => break,
            };
            let fate = match self.fate(state, &frame, next.as_ref(), sequence == 1) {
                // The state is a different one by now.
                Fate::Refused | Fate::Differs | Fate::Taken if used > 0 => Fate::Open,
                fate => fate,
            };
            end = match fate {
                Fate::Ignored => continue,
                Fate::Taken | Fate::Open => {
                    as_honest &= fate == Fate::Taken;
                    used += 1;
                    continue;
                }
                Fate::Refused => ErrorClass::Protocol,
                Fate::Differs => ErrorClass::Mismatch,
                Fate::Aborted => ErrorClass::Aborted,
            };
            break;
        }
        let mut classes = vec![end];
        if !as_honest {
            classes.extend([ErrorClass::Protocol, ErrorClass::Mismatch]);
        }
        if used > 0 {
            // A peer that is gone does not receive the victim's next frame.
            classes.push(ErrorClass::Connection);
        }
        if has_abort(message) {
            classes.push(ErrorClass::Aborted);
        }
        self.results(state, classes, used)
    }

    /// The results allowed in `state`, if `used` frames of the message may be part of the session.
    fn results(&self, state: State, classes: Vec<ErrorClass>, used: usize) -> Verdict {
        let learns = self.case.learns(self.victim);
        let (verified, may_be) = match state {
            State::Done => (learns, learns || used > 0),
            // After the digest, the first frame, the message may have the last labels and `Done`.
            State::Digest => (false, used > 1),
            State::Outputs => (false, used > usize::from(!learns)),
            _ => (false, false),
        };
        // The message may contain `Done`.
        let over = match state {
            State::End => true,
            State::Done => used > 0,
            State::Digest | State::Outputs => used > 1,
            _ => false,
        };
        let last = state == State::End || self.run + 1 == self.case.runs();
        Verdict {
            classes,
            runs: (self.run + usize::from(verified), self.run + usize::from(may_be)),
            complete: over && last,
        }
    }

    fn fate(&self, state: State, frame: &Frame, next: Option<&Frame>, first: bool) -> Fate {
        let Some(next) = next else { return Fate::Ignored };
        let Frame { kind, payload } = *frame;
        let same = kind == next.kind && payload == next.payload;
        match kind {
            Kind::Abort => return Fate::Aborted,
            Kind::Heartbeat if payload.len() == 8 && !first => return Fate::Ignored,
            Kind::Heartbeat => return Fate::Refused,
            _ => {}
        }
        let of = |wanted, len| match kind == wanted && payload.len() == len {
            true if same => Fate::Taken,
            true => Fate::Open,
            false => Fate::Refused,
        };
        let exactly = if same { Fate::Taken } else { Fate::Refused };
        match (state, self.victim) {
            (State::Hello | State::FullHello, _) if kind == Kind::Hello => {
                self.hello(payload, next)
            }
            (State::Hello | State::FullHello, _) => Fate::Refused,
            (State::BaseOpening, _) => of(Kind::BaseOt, OPENING_BYTES),
            (State::BaseChallenge, _) => of(Kind::BaseOt, next.payload.len()),
            (State::Announcement, _) if payload.get(..4) == next.payload.get(..4) => {
                of(Kind::Run, 20)
            }
            (State::Announcement, _) => Fate::Refused,
            (State::Transfers, _) => match self.case.options.ot {
                // Any change makes the check fail.
                OtMode::Malicious => exactly,
                OtMode::SemiHonest => of(Kind::Extension, next.payload.len()),
            },
            (State::InRun | State::Window, Party::Evaluator) => self.to_evaluator(frame, next),
            (State::InRun | State::Window, Party::Garbler) => match kind {
                // It may be stored until it is due.
                Kind::Extension if payload.len() <= longest_extension() => Fate::Open,
                _ => exactly,
            },
            (State::Outputs, Party::Evaluator) => of(Kind::Decoding, next.payload.len()),
            (State::BaseResponse | State::Digest | State::Outputs | State::Done, _) => exactly,
            (State::End, _) => Fate::Ignored,
        }
    }

    /// The fate of a frame from the garbler in the middle of a run.
    fn to_evaluator(&self, frame: &Frame, next: &Frame) -> Fate {
        let Frame { kind, payload } = *frame;
        let same = kind == next.kind && payload == next.payload;
        let labels = payload.len() as u64 / 16;
        let may_come = match kind {
            Kind::Tables => !payload.is_empty(),
            Kind::Labels => payload.len() % 16 == 0 && (1..=self.labels).contains(&labels),
            Kind::Constant => payload.len() == 16 && !self.constant,
            Kind::MaskedPairs => self.pairs.front() == Some(&payload.len()),
            // Allowed anywhere if its digest is correct.
            Kind::Checkpoint => *payload == self.digest_payload(),
            Kind::Decoding if next.kind == kind => payload.len() == next.payload.len(),
            Kind::Decoding => self.responded > 0,
            _ => false,
        };
        match may_come {
            true if same => Fate::Taken,
            true => Fate::Open,
            false => Fate::Refused,
        }
    }

    /// The payload of a digest frame that is correct here.
    pub fn digest_payload(&self) -> Vec<u8> {
        [&(self.run as u32).to_le_bytes()[..], &self.digest.0.to_le_bytes()].concat()
    }

    fn hello(&self, payload: &[u8], next: &Frame) -> Fate {
        let good = Hello::parse(next.payload).expect("an honest hello");
        let hello = match Hello::parse(payload) {
            Ok(hello) if hello == good => return Fate::Taken,
            Ok(hello) => hello,
            Err(HelloError::Version(_)) => return Fate::Differs,
            Err(_) => return Fate::Refused,
        };
        let same = Hello {
            nonce: good.nonce,
            engine: good.engine.clone(),
            timeout: good.timeout,
            labels: good.labels,
            parts: good.parts,
            functions: good.functions.clone(),
            ..hello.clone()
        };
        // The first hello of an evaluator that requests the gate order is not compared yet. If
        // labels or roles differ too, the error names whichever is compared first.
        let requests = good.order.is_empty() || hello.order.is_empty();
        let more = hello.labels != good.labels || hello.role != good.role;
        if same == good || requests || more { Fate::Open } else { Fate::Differs }
    }
}

/// The longest message of the transfers in any mode and field.
const fn longest_extension() -> usize {
    message_bytes(OtMode::Malicious, OtField::One, BATCH)
}
