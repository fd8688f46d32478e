//! The handshake: both parties agree on a run before any label is sent.
//!
//! Each party sends a [`Hello`] and reads the other's, so that each can report both values if a
//! setting differs. The payload of the frame is as follows. Integers are little endian; a text is a
//! length byte and that many bytes of UTF-8:
//!
//! magic `HALFGATE` · version u16 · role u8 · nonce 32 bytes · suite text · order text · skips u8 ·
//! program hash 32 bytes · number of functions u16 · 8 bytes for each · cycles u64 · runs u32 ·
//! OT mode u8 · OT field u8 · security level u8 · statistical parameter u8 · labels u8 · parts u8 ·
//! engine text · timeout in milliseconds u64 · number of learners u32 · a byte for each · program
//! name text
//!
//! The statistical parameter is in bits, and 0 if the session is semi-honest.
//!
//! Of each of the program's first 256 functions, the hello has the start of its hash, so that an
//! error can name the first function that differs.
//!
//! The program name is a party's name for the program, sent to a peer that offers several. The
//! names are not compared; the hashes are.
//!
//! Magic and version keep their positions in every version, so that peers of two versions can
//! report each other's.

mod agree;
mod reader;

use crate::channel::Channel;
use crate::frame::Kind;
use crate::ot::{OtField, OtMode, SessionId};
use crate::session::{Difference, Learn, RunOptions, SecurityLevel, SessionError};
use agree::{agree, agree_on_security, mismatch};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use reader::Reader;
use std::time::Duration;

/// The version of the wire protocol.
pub const VERSION: u16 = 9;

pub(crate) const MAGIC: &[u8; 8] = b"HALFGATE";

/// The maximum number of outputs in a handshake's list of learners: more would not fit into a
/// frame.
const MAX_LEARN: usize = 1 << 19;

/// The maximum number of functions in a handshake.
pub const MAX_FUNCTIONS: usize = 256;

/// Where the labels of the evaluator's inputs come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelMode {
    /// From transfers whose offset is the garbling's own Δ. The connection can then have only one
    /// garbling.
    Correlated,
    /// From the seed of the labels. Both labels are sent, masked by hashed random OTs, whose offset
    /// belongs to the connection.
    Masked,
}

/// One party's handshake message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender's role.
    pub role: Party,
    /// 32 fresh random bytes.
    pub nonce: [u8; 32],
    /// The suite's name.
    pub suite: String,
    /// The gate order's name.
    pub order: String,
    /// Whether gates are skipped.
    pub skips: bool,
    /// The program's hash.
    pub program: [u8; 32],
    /// The first 8 bytes of the hash of each of the program's first [`MAX_FUNCTIONS`] functions.
    pub functions: Vec<[u8; 8]>,
    /// How often the body runs.
    pub cycles: u64,
    /// How many runs the connection serves.
    pub runs: u32,
    /// Who learns each output; empty if both parties learn all of them.
    pub learn: Vec<Learn>,
    /// Against whom the oblivious transfers are secure.
    pub ot: OtMode,
    /// The smallest field for the transfers. The larger of the two parties' fields is used.
    pub ot_field: OtField,
    /// Against whom the session is secure.
    pub security: SecurityLevel,
    /// The statistical security parameter in bits, 0 if the session is semi-honest.
    pub statistical: u8,
    /// Where the evaluator's labels come from: the garbler's choice, `None` from the evaluator.
    pub labels: Option<LabelMode>,
    /// Whether the engine takes inputs and gives outputs part by part. A run has parts if both
    /// engines do.
    pub parts: bool,
    /// The engine, for the report.
    pub engine: String,
    /// The sender's idle timeout.
    pub timeout: Duration,
    /// The sender's name for the program; may be empty.
    pub program_name: String,
}

/// Why a payload is not a [`Hello`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HelloError {
    /// It does not start with the magic bytes.
    #[error("its first message is not a handshake")]
    Magic,
    /// It has another version, so its other fields are unknown.
    #[error("it uses version {0} of the protocol")]
    Version(u16),
    /// It ends early, or more follows.
    #[error("its handshake is cut short or too long, at {0}")]
    Length(&'static str),
    /// A field has an invalid value.
    #[error("its handshake has an invalid {0}")]
    Field(&'static str),
}

impl Hello {
    /// The hello of `role`. Both roles add engine, parts and field afterwards; the garbler also
    /// adds the label mode.
    ///
    /// # Errors
    /// [`SessionError::Usage`] if there are more than 2^32 runs or 2^19 outputs with learners, or
    /// if learners are given but not one for each output.
    pub fn new(
        role: Party,
        program: &Program,
        runs: usize,
        options: &RunOptions,
        nonce: [u8; 32],
    ) -> Result<Hello, SessionError> {
        let usage = |text: &str| SessionError::Usage(text.to_owned());
        let outputs = program.circuit.outputs.len();
        if !options.learn.is_empty() && options.learn.len() != outputs {
            let given = options.learn.len();
            let text = format!("{given} learners given for a circuit with {outputs} outputs");
            return Err(SessionError::Usage(text));
        }
        if options.learn.len() > MAX_LEARN {
            return Err(usage("too many outputs to name a learner for each"));
        }
        Ok(Hello {
            role,
            nonce,
            suite: options.suite.name().to_owned(),
            order: program.order.to_string(),
            skips: program.skips.is_some(),
            program: program.hash.0,
            functions: functions(program),
            cycles: options.cycles,
            runs: u32::try_from(runs).map_err(|_| usage("too many runs for a connection"))?,
            learn: options.learn.clone(),
            ot: options.ot,
            ot_field: options.ot_field.unwrap_or_default(),
            security: options.security,
            statistical: options.security.statistical(),
            labels: None,
            parts: false,
            engine: String::new(),
            timeout: options.timeout,
            program_name: options.program_name.clone(),
        })
    }

    /// The first hello of an evaluator that accepts any gate order of the garbler. This hello names
    /// no order. The evaluator's full hello follows.
    fn open(options: &RunOptions, ot_field: OtField, nonce: [u8; 32]) -> Hello {
        Hello {
            role: Party::Evaluator,
            nonce,
            suite: options.suite.name().to_owned(),
            order: String::new(),
            skips: false,
            program: [0; 32],
            functions: Vec::new(),
            cycles: options.cycles,
            runs: 0,
            learn: Vec::new(),
            ot: options.ot,
            ot_field,
            security: options.security,
            statistical: options.security.statistical(),
            labels: None,
            parts: false,
            engine: String::new(),
            timeout: options.timeout,
            program_name: options.program_name.clone(),
        }
    }

    /// Whether this is the first of an evaluator's two hellos: see [`open`](Hello::open).
    fn is_open(&self) -> bool {
        self.role == Party::Evaluator && self.order.is_empty()
    }

    /// The payload of the frame. Texts are cut at 255 bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256 + self.learn.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.push(self.role as u8);
        out.extend_from_slice(&self.nonce);
        put_text(&mut out, &self.suite);
        put_text(&mut out, &self.order);
        out.push(u8::from(self.skips));
        out.extend_from_slice(&self.program);
        out.extend_from_slice(&(self.functions.len() as u16).to_le_bytes());
        out.extend_from_slice(self.functions.as_flattened());
        out.extend_from_slice(&self.cycles.to_le_bytes());
        out.extend_from_slice(&self.runs.to_le_bytes());
        out.push(self.ot as u8);
        out.push(self.ot_field as u8);
        out.push(self.security as u8);
        out.push(self.statistical);
        out.push(self.labels.map_or(NO_MODE, |mode| mode as u8));
        out.push(u8::from(self.parts));
        put_text(&mut out, &self.engine);
        let millis = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        out.extend_from_slice(&millis.to_le_bytes());
        out.extend_from_slice(&(self.learn.len() as u32).to_le_bytes());
        out.extend(self.learn.iter().map(|learn| *learn as u8));
        put_text(&mut out, &self.program_name);
        out
    }

    /// Reads a payload. Allocations are bounded by the payload's length.
    ///
    /// # Errors
    /// If the payload is not a handshake of this version.
    pub fn parse(payload: &[u8]) -> Result<Hello, HelloError> {
        let mut rest = Reader(payload);
        if rest.array::<8>("magic").as_ref() != Ok(MAGIC) {
            return Err(HelloError::Magic);
        }
        let version = u16::from_le_bytes(rest.array("version")?);
        if version != VERSION {
            return Err(HelloError::Version(version));
        }
        let hello = Hello {
            role: rest.choice("role", &[Party::Garbler, Party::Evaluator])?,
            nonce: rest.array("nonce")?,
            suite: rest.text("suite")?,
            order: rest.text("order")?,
            skips: rest.choice("skipping", &[false, true])?,
            program: rest.array("program")?,
            functions: rest.functions()?,
            cycles: u64::from_le_bytes(rest.array("cycles")?),
            runs: u32::from_le_bytes(rest.array("runs")?),
            ot: rest.choice("OT mode", &[OtMode::SemiHonest, OtMode::Malicious])?,
            ot_field: OtField::from_bits(rest.array::<1>("OT field")?[0])
                .ok_or(HelloError::Field("OT field"))?,
            security: rest.choice("security level", &SecurityLevel::ALL)?,
            statistical: rest.array::<1>("statistical parameter")?[0],
            labels: rest.labels()?,
            parts: rest.choice("parts", &[false, true])?,
            engine: rest.text("engine")?,
            timeout: Duration::from_millis(u64::from_le_bytes(rest.array("timeout")?)),
            learn: rest.learn()?,
            program_name: rest.text("program name")?,
        };
        let is_semi_honest = hello.security == SecurityLevel::SemiHonest;
        if is_semi_honest != (hello.statistical == 0) {
            return Err(HelloError::Field("statistical parameter"));
        }
        if rest.0.is_empty() { Ok(hello) } else { Err(HelloError::Length("its end")) }
    }
}

const NO_MODE: u8 = 255;

/// The starts of the hashes of a program's functions.
fn functions(program: &Program) -> Vec<[u8; 8]> {
    let hashes = program.structure.as_ref().map(|structure| structure.functions());
    let start = |hash: &[u8; 32]| *hash.first_chunk().expect("32 bytes hold 8");
    hashes.unwrap_or_default().iter().take(MAX_FUNCTIONS).map(start).collect()
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    let mut len = text.len().min(255);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    out.push(len as u8);
    out.extend_from_slice(&text.as_bytes()[..len]);
}

/// The result of a handshake.
#[derive(Debug)]
pub struct Agreement {
    /// Who learns each output.
    pub learn: Vec<Learn>,
    /// The field used for transfers: the larger of the two parties'.
    pub ot_field: OtField,
    /// Against whom the session is secure.
    pub security: SecurityLevel,
    /// Where the evaluator's labels come from.
    pub labels: LabelMode,
    /// Whether both engines take inputs and give outputs part by part.
    pub parts: bool,
    /// Hash of all hellos, over all their bytes.
    pub session: SessionId,
    /// The other party's engine.
    pub peer_engine: String,
    /// The other party's idle timeout.
    pub peer_timeout: Duration,
}

/// The first two hellos when the evaluator accepts the garbler's order: the evaluator's open one
/// and the garbler's. The evaluator's full hello follows. See [`request`].
#[derive(Debug)]
pub struct Requested {
    open: Hello,
    theirs: Hello,
}

impl Requested {
    /// The garbler's hello.
    pub fn garbler(&self) -> &Hello {
        &self.theirs
    }
}

/// Sends `ours`, reads the peer's hello unless `requested` holds it already, and compares the two.
/// `outputs` is the number of outputs of the program.
///
/// # Errors
/// [`SessionError::Mismatch`] on both sides if the hellos differ. It names the first difference in
/// the order version, role, security level, statistical parameter, suite, order, skipping,
/// functions, program, cycles, runs, OT mode, learners.
pub fn shake(
    channel: &mut dyn Channel,
    ours: &Hello,
    requested: Option<Requested>,
    outputs: usize,
) -> Result<Agreement, SessionError> {
    let peer = ours.role.other();
    let failed = |error| SessionError::channel(peer, "waiting for the handshake", error);
    let sent = channel.send(Kind::Hello, &ours.encode()).and_then(|()| channel.flush());
    if let Some(Requested { open, theirs }) = requested {
        // The peer may find the difference first and end the session; report our comparison, not
        // the send error.
        let agreement = agree(ours, &theirs, Some(&open), outputs)?;
        return sent.map(|()| agreement).map_err(failed);
    }
    sent.map_err(failed)?;
    let theirs = receive(channel, peer)?;
    if theirs.is_open() && ours.role != theirs.role {
        // The evaluator now compiles the program in the order that our hello names; its full hello
        // follows.
        let open = theirs;
        agree_on_security(ours, &open)?;
        let theirs = receive(channel, peer)?;
        return agree(ours, &theirs, Some(&open), outputs);
    }
    agree(ours, &theirs, None, outputs)
}

/// Sends an evaluator's [`Hello::open`] and reads the garbler's hello. Compares the security
/// levels, so that a mismatch is reported before the program is compiled.
///
/// # Errors
/// If the peer sends another message, has another version or security level, or is an evaluator
/// too.
pub fn request(
    channel: &mut dyn Channel,
    options: &RunOptions,
    nonce: [u8; 32],
) -> Result<Requested, SessionError> {
    let (role, peer) = (Party::Evaluator, Party::Garbler);
    let failed = |error| SessionError::channel(peer, "waiting for the handshake", error);
    let open = Hello::open(options, options.ot_field_over(channel), nonce);
    channel.send(Kind::Hello, &open.encode()).map_err(failed)?;
    channel.flush().map_err(failed)?;
    let theirs = receive(channel, peer)?;
    match theirs.role == role {
        true => Err(mismatch(peer, Difference::Role, role, theirs.role)),
        false => agree_on_security(&open, &theirs).map(|()| Requested { open, theirs }),
    }
}

/// Reads the peer's hello.
///
/// # Errors
/// If the peer sends another message or has another version.
fn receive(channel: &mut dyn Channel, peer: Party) -> Result<Hello, SessionError> {
    let failed = |error| SessionError::channel(peer, "waiting for the handshake", error);
    let kind = channel.recv().map_err(failed)?;
    if kind != Kind::Hello {
        let what = format!("it sent {kind:?} where the handshake was due");
        return Err(SessionError::Protocol { peer, what });
    }
    Hello::parse(channel.payload()).map_err(|error| match error {
        HelloError::Version(version) => {
            mismatch(peer, Difference::ProtocolVersion, VERSION, version)
        }
        error => SessionError::Protocol { peer, what: error.to_string() },
    })
}

#[cfg(test)]
#[path = "handshake_tests.rs"]
mod tests;
