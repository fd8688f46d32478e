//! Replaces one of a peer's frames by any bytes, in a session that continues. The other party ends
//! soon, with an error that names its peer or with the correct result. If the session has no frame
//! of that number, it ends with the correct result.
//!
//! Byte 0 of an input selects the peer's role, how its inputs are transferred, whether the session
//! is malicious, and whether the evaluator has inputs, which makes a session twenty times as long,
//! as a malicious one is. Byte 1 selects the frame to
//! change, byte 2 the change, and byte 3 its new kind. The rest is the payload, or is XORed into
//! the payload. Digests are computed over the sent frames, so they are correct.
//!
//! It is built without AddressSanitizer, which makes it ten times as slow. No byte of the peer
//! becomes an address or a length in the `unsafe` code that it reaches, which is in
//! `crates/kernels`. Kernels have addresses and counts from this party's own program; the target
//! `engine-vectors` runs them on any program with AddressSanitizer. The loads and stores of
//! transfers are bounded by the lengths of slices.
//!
//! longest: 1024
//! hang: 200

use halfgate_circuit::{Bits, Circuit, Party, clear, random};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_fuzz::Peer;
use halfgate_protocol::channel::{Channel, ChannelError};
use halfgate_protocol::frame::{Kind, MAX_PAYLOAD};
use halfgate_protocol::ring::{self, RingChannel};
use halfgate_protocol::session::{
    Deadlines, OtMode, PartyInputs, Report, RunOptions, SecurityLevel, SessionError, evaluate,
    garble,
};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A program with inputs of both parties, per run and per cycle, and its outputs in the clear.
struct Case {
    program: Program,
    /// The garbler's inputs, then the evaluator's.
    inputs: [PartyInputs; 2],
    outputs: Vec<Bits>,
}

const CYCLES: u64 = 2;

static CASE: LazyLock<Case> = LazyLock::new(|| case(|_| ()));

/// A case in which all inputs belong to the garbler.
static GARBLERS: LazyLock<Case> = LazyLock::new(|| {
    case(|circuit| circuit.inputs.iter_mut().for_each(|input| input.party = Party::Garbler))
});

fn case(change: fn(&mut Circuit)) -> Case {
    let shape = random::Shape { flip_flops: 4, gates: 30, ..random::Shape::default() };
    let mut circuit = random::circuit(5, &shape);
    change(&mut circuit);
    let values = random::inputs_for(&circuit, 6, CYCLES);
    let of = |party| {
        let own = circuit.inputs.iter().zip(&values);
        own.map(|(input, value)| (input.party == party).then(|| value.clone())).collect()
    };
    Case {
        inputs: [of(Party::Garbler), of(Party::Evaluator)],
        outputs: clear::evaluate(&circuit, &values, CYCLES).expect("the circuit can be evaluated"),
        program: compile(circuit, Order::Given).expect("it compiles"),
    }
}

/// Whether an input that requests a session with transfers gets it; malicious ones have them too.
/// Such sessions are slow, and contain most of the code that a fuzzer can reach, so a fuzzer would
/// try little else. The first 64 requests get one, as there are about as many seeds; after that,
/// sessions with transfers are at most one in 32 inputs.
fn has_transfers() -> bool {
    static INPUTS: AtomicU64 = AtomicU64::new(0);
    static SESSIONS: AtomicU64 = AtomicU64::new(0);
    const FREE: u64 = 64;
    let inputs = INPUTS.fetch_add(1, Ordering::Relaxed);
    let due = !cfg!(fuzzing) || SESSIONS.load(Ordering::Relaxed) < FREE + inputs / 32;
    if due {
        SESSIONS.fetch_add(1, Ordering::Relaxed);
    }
    due
}

thread_local! {
    static PEER: Peer<bool> = Peer::start();
}

/// A channel whose party changes frame number `at`.
struct Deviant {
    inner: RingChannel,
    at: u8,
    how: u8,
    kind: Option<Kind>,
    data: Vec<u8>,
    sent: u64,
    space: Option<(Kind, Vec<u8>)>,
}

impl Deviant {
    /// The frames sent instead of this one.
    fn change(&self, kind: Kind, mut payload: Vec<u8>) -> Vec<(Kind, Vec<u8>)> {
        let other = self.kind.unwrap_or(kind);
        match self.how % 5 {
            0 => vec![(other, self.data.clone())],
            1 => vec![(other, self.data.clone()), (kind, payload)],
            2 => vec![(kind, payload), (other, self.data.clone())],
            3 => {
                payload.extend_from_slice(&self.data);
                payload.truncate(MAX_PAYLOAD);
                vec![(other, payload)]
            }
            _ => {
                payload.iter_mut().zip(&self.data).for_each(|(byte, data)| *byte ^= data);
                vec![(other, payload)]
            }
        }
    }
}

impl Channel for Deviant {
    halfgate_protocol::forward_channel!(
        inner:
        set_timing set_deadline flush recv try_recv payload tick abort close bytes_sent
        bytes_received sent_digest received_digest set_progress round_trip
    );

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        Ok(&mut self.space.insert((kind, vec![0; len])).1)
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        let (kind, payload) = self.space.take().expect("send_space was called");
        let frames = match self.sent == u64::from(self.at) {
            true => self.change(kind, payload),
            false => vec![(kind, payload)],
        };
        self.sent += 1;
        frames.iter().try_for_each(|(kind, payload)| self.inner.send(*kind, payload))
    }
}

/// One party's session.
fn session(
    case: &'static Case,
    party: Party,
    runs: usize,
    (security, ot, limit): (SecurityLevel, OtMode, Duration),
    channel: &mut dyn Channel,
) -> Result<Vec<Report>, SessionError> {
    let engine = CpuEngine::new(None).expect("this processor has a kernel");
    // The whole window takes longer to initialise than the rest of a session.
    let engine = engine.with_lowering(Lowering { window: 1024, ..Lowering::default() });
    let options = RunOptions {
        cycles: CYCLES,
        security,
        ot,
        timeout: limit,
        deadlines: Deadlines { setup: limit, run: Some(limit) },
        ..RunOptions::default()
    };
    let Case { program, inputs, .. } = case;
    let [garblers, evaluators] = inputs.each_ref().map(|inputs| vec![inputs.clone(); runs]);
    match party {
        Party::Garbler => garble(channel, program, &engine, &garblers, &options, &mut |_| {}),
        Party::Evaluator => evaluate(channel, program, &engine, &evaluators, &options, &mut |_| {}),
    }
}

pub fn run(data: &[u8]) {
    let Some((&[who, at, how, kind], data)) = data.split_first_chunk::<4>() else { return };
    let data = data[..data.len().min(MAX_PAYLOAD)].to_vec();
    let hostile = if who & 1 == 0 { Party::Garbler } else { Party::Evaluator };
    let transfers = who & 0x38 == 0 && has_transfers();
    let (security, ot) = match (who & 2 == 0, transfers && who & 0x40 != 0) {
        (_, true) => (SecurityLevel::Malicious, OtMode::Malicious),
        (true, false) => (SecurityLevel::SemiHonest, OtMode::Malicious),
        (false, false) => (SecurityLevel::SemiHonest, OtMode::SemiHonest),
    };
    let case = if transfers { &*CASE } else { &*GARBLERS };
    // A fuzz target's channel ends a session at once when both sides wait, and a busy machine may
    // not run one of its threads for a minute. Elsewhere a withheld frame costs the whole time.
    let limit = Duration::from_millis(if cfg!(fuzzing) { 100_000 } else { 500 });
    let runs = 1 + usize::from(who & 4 != 0);
    let (mut near, far) = ring::pair();
    let kind = Kind::from_number(kind);
    let begin = Instant::now();
    let peers = move || {
        let mut far = Deviant { inner: far, at, how, kind, data, sent: 0, space: None };
        // The peer's outcome does not matter.
        let _ = session(case, hostile, runs, (security, ot, limit), &mut far);
        far.sent > u64::from(at)
    };
    let own = || {
        let outcome = session(case, hostile.other(), runs, (security, ot, limit), &mut near);
        // A peer that aborted waits until this side has left.
        drop(near);
        outcome
    };
    let (deviated, outcome) = PEER.with(|peer| peer.run_both(peers, own));
    assert!(begin.elapsed() < limit + Duration::from_secs(15), "it was held");
    let (reports, error) = match outcome {
        Ok(reports) => {
            let end = reports.last().and_then(|last| last.unconfirmed.clone());
            (reports, end.map(|end| end.reason))
        }
        Err(SessionError::Unfinished { finished, error }) => (finished, Some(error.to_string())),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    for report in &reports {
        let outputs: Vec<_> = report.outputs.iter().flatten().collect();
        assert!(outputs.iter().copied().eq(&case.outputs), "a wrong result");
    }
    if cfg!(fuzzing) && !deviated {
        // Otherwise a session that always fails would go unnoticed here.
        assert_eq!(error, None, "the peer sent all frames unchanged");
    }
    match error {
        Some(text) => assert!(text.contains(&hostile.to_string()), "{text}"),
        None => assert_eq!(reports.len(), runs),
    }
}
