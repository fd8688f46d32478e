//! Sessions leave no part of Δ, labels, seeds and inputs in memory, however they end.
//!
//! Both parties run in this process. Their threads still exist while memory is searched, so the
//! parts of their stacks that ended calls used are searched too. `halfgate_leaks::memory` describes
//! how a search works. Each test also leaves a label behind on purpose, to show that the search
//! finds it.

mod ending;
pub(crate) mod recording;

use super::*;
use crate::keys::Identity;
use crate::tls::{self, ExpectedPeer};
use ending::{Ending, Fault};
use halfgate_engine::wipe::{self, Buffer};
use halfgate_engine::{Delta, Label, LabelMemory};
use halfgate_leaks::allocator::wipe_what_is_freed;
use halfgate_leaks::memory::{Found, Secrets};
use recording::Recording;
use std::hint::black_box;
use std::sync::mpsc::{RecvError, channel};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// How a session ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Success.
    Success,
    /// The party's connection is lost after this many tenths of the calls of its channel.
    Gone(Party, u64),
    /// The party is cancelled while it garbles or evaluates; the other receives an abort.
    Cancelled(Party),
    /// The party finds the digests different.
    Digest(Party),
    /// The handshake finds that the parties differ.
    Mismatch,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Transport {
    Ring,
    Tcp,
    Tls,
}

/// What the parties run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Body {
    /// A flat body over [`CYCLES`] cycles.
    Flat,
    /// A map, in several parts.
    Map,
}

impl Body {
    fn program(self) -> Program {
        match self {
            Body::Flat => flat_program(),
            Body::Map => parts::additions(100, 16, false, 3).program,
        }
    }

    fn cycles(self) -> u64 {
        match self {
            Body::Flat => CYCLES,
            Body::Map => 1,
        }
    }
}

/// The parameters of a session.
struct Plan {
    transport: Transport,
    body: Body,
    security: SecurityLevel,
    runs: u64,
    faults: [Fault; 2],
    /// The party that is cancelled in the middle of its run.
    cancelled: Option<Party>,
    mismatch: bool,
}

/// What a session left.
struct Left {
    outcomes: [Outcome; 2],
    /// The number of calls of each channel.
    calls: [u64; 2],
    /// The number of secret pieces that were searched for.
    pieces: usize,
    found: Found,
}

const PARTIES: [Party; 2] = [Party::Garbler, Party::Evaluator];

/// 160 bits of each kind of input: per run and per cycle, of either party.
fn flat_program() -> Program {
    let shape = Shape {
        input_bits: 640,
        flip_flops: 60,
        gates: 3000,
        output_bits: 400,
        ..Shape::default()
    };
    compile(random::circuit(7, &shape), Order::default()).unwrap()
}

const CYCLES: u64 = 8;

/// The inputs of both parties, recorded as secrets.
fn inputs_of(program: &Program, cycles: u64, runs: u64) -> [Vec<PartyInputs>; 2] {
    let (order, circuit) = (inputs::InputOrder::of(program, cycles).unwrap(), &program.circuit);
    PARTIES.map(|party| {
        let name = format!("the {party}'s inputs");
        let one = |run| {
            let values = super::inputs(circuit, 900 + run, cycles);
            let own = circuit.inputs.iter().zip(values);
            let own: PartyInputs =
                own.map(|(input, value)| (input.party == party).then_some(value)).collect();
            own.iter().flatten().for_each(|value| recording::note_bits(&name, value));
            // Record the bits in the order of their uses too; that order differs.
            let mut values = inputs::Values::new(party, 0, (&order, &own), None);
            let uses = order.input_bits().of(party);
            let uses: Bits = uses.map(|bit| values.get(bit).unwrap()).collect();
            recording::note_bits(&name, &uses);
            own
        };
        (0..runs).map(one).collect()
    })
}

/// Two channels. Over TLS they have identities.
fn channels(transport: Transport) -> [Box<dyn Channel>; 2] {
    let timeout = Duration::from_secs(20);
    let never = AtomicBool::new(false);
    let sockets = || {
        let listener = crate::net::Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        let near = crate::net::connect(&address, timeout, &never).unwrap();
        (near, listener.accept(timeout, &never).unwrap().0)
    };
    match transport {
        Transport::Ring => {
            let (a, b) = ring::pair();
            [Box::new(a), Box::new(b)]
        }
        Transport::Tcp => {
            let (a, b) = sockets();
            [Box::new(StreamChannel::with_thread(a)), Box::new(StreamChannel::with_thread(b))]
        }
        Transport::Tls => {
            let keys = [Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap()];
            for key in &keys {
                note_key(key);
            }
            let pins = keys.each_ref().map(|key| ExpectedPeer::Key(key.public().fingerprint()));
            let (a, b) = sockets();
            let (a, b) = std::thread::scope(|scope| {
                let far = scope.spawn(|| tls::accept(b, &keys[1], pins[0], timeout, &never));
                let near = tls::connect(a, &keys[0], pins[1], timeout, &never);
                (near.unwrap(), far.join().unwrap().unwrap())
            });
            [Box::new(StreamChannel::with_thread(a)), Box::new(StreamChannel::with_thread(b))]
        }
    }
}

/// Records an identity's private key: in PKCS#8, the 32 bytes after a header of 16.
fn note_key(identity: &Identity) {
    for half in identity.pkcs8()[16..48].as_chunks::<16>().0 {
        recording::note("private keys", half);
    }
}

fn options_of(plan: &Plan, party: Party) -> RunOptions {
    let differs = plan.mismatch && party == Party::Evaluator;
    let suite = match differs && plan.security == SecurityLevel::SemiHonest {
        true => Suite::HalfGatesFixedKey,
        false => Suite::HalfGates,
    };
    let timeout = Duration::from_secs(20);
    let (security, cycles) = (plan.security, plan.body.cycles());
    RunOptions { suite, cycles, security, timeout, ..RunOptions::default() }
}

/// One party's session, from its values to the end of its channel.
fn party_runs(
    party: Party,
    (plan, program): (&Plan, &Program),
    channel: Box<dyn Channel>,
    runs: Vec<PartyInputs>,
) -> (Outcome, u64) {
    let options = options_of(plan, party);
    let engine = Recording(threaded());
    let fault = plan.faults[usize::from(party == Party::Evaluator)];
    let mut channel = Ending::new(channel, fault);
    let cancel = options.cancel.clone();
    let mut events = |event| {
        if matches!(event, Event::RunStarted { .. }) && plan.cancelled == Some(party) {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let run = match party {
        Party::Garbler => garble,
        Party::Evaluator => evaluate,
    };
    let outcome = run(&mut channel, program, &engine, &runs, &options, &mut events);
    (outcome, channel.calls)
}

/// Runs both parties and searches memory for secrets that they left.
fn left(plan: &Plan) -> Left {
    recording::begin();
    let program = plan.body.program();
    let inputs = inputs_of(&program, plan.body.cycles(), plan.runs);
    let ends = channels(plan.transport);
    std::thread::scope(|scope| {
        let program = &program;
        let mut given = PARTIES.into_iter().zip(ends).zip(inputs);
        let threads: [_; 2] = std::array::from_fn(|_| {
            let ((party, end), runs) = given.next().expect("two parties");
            let ((ended, end_of_party), (release, released)) = (channel(), channel::<()>());
            let thread = scope.spawn(move || {
                let (outcome, calls) = party_runs(party, (plan, program), end, runs);
                // Values, channel and outputs are gone; the stack still exists.
                let outcome = outcome.map(without_outputs);
                drop(ended);
                let _ = released.recv();
                (outcome, calls)
            });
            (thread, end_of_party, release)
        });
        drop(given);
        // A thread drops its sender when it is done or has panicked.
        for (_, end_of_party, _) in &threads {
            let _: Result<(), RecvError> = end_of_party.recv();
        }
        let secrets = recording::end();
        let found = secrets.search().unwrap();
        let pieces = secrets.pieces();
        let [(garbled, a), (evaluated, b)] = threads.map(|(thread, _, release)| {
            drop(release);
            thread.join().unwrap()
        });
        Left { outcomes: [garbled, evaluated], calls: [a, b], pieces, found }
    })
}

/// Outputs belong to the caller.
fn without_outputs(mut reports: Vec<Report>) -> Vec<Report> {
    reports.iter_mut().for_each(|report| report.outputs.clear());
    reports
}

/// Runs a session that ends in this way. Returns the secrets found and the channels' numbers of
/// calls.
fn after((transport, body, security): Of, runs: u64, end: End, calls: [u64; 2]) -> Left {
    let of = |party: Party, fault| match party {
        Party::Garbler => [fault, Fault::None],
        Party::Evaluator => [Fault::None, fault],
    };
    let faults = match end {
        End::Gone(party, tenths) => {
            let calls = calls[usize::from(party == Party::Evaluator)];
            of(party, Fault::Gone { call: calls * tenths / 10 })
        }
        End::Digest(party) => of(party, Fault::Digest),
        _ => [Fault::None; 2],
    };
    let cancelled = match end {
        End::Cancelled(party) => Some(party),
        _ => None,
    };
    let mismatch = matches!(end, End::Mismatch);
    let left = left(&Plan { transport, body, security, runs, faults, cancelled, mismatch });
    // A run in parts makes fewer calls where frames happen to arrive together. Then the connection
    // may hold to the end.
    let is_reached = |(fault, calls): (&Fault, &u64)| match fault {
        Fault::Gone { call } => calls > call,
        _ => true,
    };
    match faults.iter().zip(&left.calls).all(is_reached) {
        true => check_end(end, &left.outcomes),
        false => check_end(End::Success, &left.outcomes),
    }
    left
}

/// Checks that the session has ended as intended.
fn check_end(end: End, outcomes: &[Outcome; 2]) {
    let class = |party: Party| match &outcomes[usize::from(party == Party::Evaluator)] {
        Ok(reports) => reports.last().and_then(|r| r.unconfirmed.as_ref()).map(|why| why.class),
        Err(error) => Some(error.class()),
    };
    let wanted = |party, wanted| assert_eq!(class(party), Some(wanted), "{end:?}: {party}");
    match end {
        End::Success => assert!(PARTIES.iter().all(|party| class(*party).is_none())),
        End::Gone(..) => PARTIES.iter().for_each(|party| wanted(*party, ErrorClass::Connection)),
        End::Cancelled(party) => {
            wanted(party, ErrorClass::Cancelled);
            wanted(party.other(), ErrorClass::Aborted);
        }
        End::Digest(party) => {
            wanted(party, ErrorClass::Protocol);
            wanted(party.other(), ErrorClass::Aborted);
        }
        End::Mismatch => PARTIES.iter().for_each(|party| wanted(*party, ErrorClass::Mismatch)),
    }
}

const ENDS: [End; 14] = [
    End::Success,
    End::Gone(Party::Garbler, 1),
    End::Gone(Party::Garbler, 5),
    End::Gone(Party::Garbler, 9),
    End::Gone(Party::Evaluator, 1),
    End::Gone(Party::Evaluator, 3),
    End::Gone(Party::Evaluator, 5),
    End::Gone(Party::Evaluator, 7),
    End::Gone(Party::Evaluator, 9),
    End::Cancelled(Party::Garbler),
    End::Cancelled(Party::Evaluator),
    End::Digest(Party::Garbler),
    End::Digest(Party::Evaluator),
    End::Mismatch,
];

/// What the sessions of a test have in common.
type Of = (Transport, Body, SecurityLevel);

/// The ends of malicious sessions, which compare no digests of frames.
fn ends_of(security: SecurityLevel) -> impl Iterator<Item = End> {
    let is_malicious = security == SecurityLevel::Malicious;
    ENDS.into_iter().filter(move |end| match end {
        End::Digest(_) | End::Mismatch => !is_malicious,
        _ => true,
    })
}

/// Tests all ends in both label modes: one run has correlated labels, two runs have masked ones.
fn search_after_all_ends(transport: Transport, body: Body) {
    search((transport, body, SecurityLevel::SemiHonest));
}

fn search(of: Of) {
    let (transport, body, security) = of;
    if !cfg!(target_os = "linux") {
        println!("NOT RUN: memory is searched on Linux only");
        return;
    }
    // Secrets are recorded for the whole process, so tests in one process take turns.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    wipe_what_is_freed(transport == Transport::Tls);
    recording::leak_a_label();
    let left = after(of, 1, End::Success, [0; 2]);
    println!("one label left on purpose: {} pieces found: {}", left.found.count(), left.found);
    assert_eq!(left.found.count(), 2, "both halves of a label, and nothing else");
    let mut all = 0;
    for runs in [1, 2] {
        // The first end is success, which determines the number of calls.
        let mut calls = [0; 2];
        for end in ends_of(security) {
            let left = after(of, runs, end, calls);
            if matches!(end, End::Success) {
                calls = left.calls;
                assert!(left.pieces > 5_000, "{} pieces are few", left.pieces);
            }
            let Left { found, pieces, .. } = left;
            println!(
                "secrets found in memory: {} ({transport:?}, {body:?}, {security}, {runs} runs, {end:?}; \
                 {pieces} pieces looked for in {} MiB){}{found}",
                found.count(),
                found.searched >> 20,
                if found.count() > 0 { ": " } else { "" },
            );
            all += found.count();
        }
    }
    assert_eq!(all, 0, "copies of secrets are left in memory");
}

#[test]
fn nothing_is_left_of_a_session_in_one_process() {
    search_after_all_ends(Transport::Ring, Body::Flat);
}

#[test]
fn nothing_is_left_of_a_session_in_parts() {
    search_after_all_ends(Transport::Ring, Body::Map);
}

#[test]
fn nothing_is_left_of_a_malicious_session() {
    search((Transport::Ring, Body::Flat, SecurityLevel::Malicious));
}

#[test]
fn nothing_is_left_of_a_malicious_session_in_parts() {
    search((Transport::Tcp, Body::Map, SecurityLevel::Malicious));
}

#[test]
fn nothing_is_left_of_a_session_over_tcp() {
    search_after_all_ends(Transport::Tcp, Body::Flat);
}

/// Uses an allocator that wipes freed memory, because rustls frees decrypted data and ring frees
/// keys without wiping them.
#[test]
fn nothing_is_left_of_a_session_over_tls() {
    search_after_all_ends(Transport::Tls, Body::Flat);
}

/// Each type that holds secrets wipes them when it is dropped. The release profile must keep these
/// writes too (`scripts/constant-time.sh`), although the optimiser sees that nothing reads them.
#[test]
fn what_is_dropped_is_wiped() {
    if !cfg!(target_os = "linux") {
        println!("NOT RUN: memory is searched on Linux only");
        return;
    }
    let label = |random: [u8; 16]| Label::from_bytes(random);
    check_wiped("Δ", |random| Box::new(Delta::new(label(random))));
    check_wiped("labels in memory", |random| {
        let mut memory = LabelMemory::new(0);
        memory.set(7, label(random));
        memory
    });
    check_wiped("labels in a vector", |random| Zeroizing::new(vec![label(random); 3]));
    check_wiped("a queue of labels", |random| {
        let mut queue = labels::LabelQueue::default();
        (0..100).for_each(|_| queue.extend(&[random; 3]));
        queue
    });
    check_wiped("a buffer that has grown", |random| {
        let mut buffer = Buffer::default();
        (0..100).for_each(|_| buffer.extend_from_slice(&random));
        buffer
    });
    check_wiped("a vector that has grown", |random| {
        let mut vector = Zeroizing::new(Vec::new());
        for _ in 0..100 {
            wipe::reserve(&mut vector, 1);
            vector.push(label(random));
        }
        vector
    });
    check_wiped("bits", |random| Bits::from_bytes(&random));
}

/// Returns random bytes that are nowhere else in this process. Records their second half in
/// `secrets`, masked, so that a search does not find the record.
fn secret(secrets: &mut Secrets) -> [u8; 16] {
    let random = *labels::random::<16>().unwrap();
    secrets.add("secret", &random[8..]);
    random
}

/// Checks that the value made by `make` holds a secret, and no longer does when it is dropped.
fn check_wiped<T>(what: &str, make: impl FnOnce([u8; 16]) -> T) {
    let mut secrets = Secrets::new();
    let made = wipe::stack_after(|| Box::new(make(secret(&mut secrets))));
    let held = secrets.search().unwrap().count();
    drop(black_box(made));
    let left = secrets.search().unwrap();
    println!("secrets found in memory: {} (dropped: {what}; {held} before)", left.count());
    assert!(held > 0 && left.count() == 0, "{what}: {held}, then {left}");
}

/// A local variable that is not wiped stays in memory and is found, unless the stack is wiped.
#[test]
fn the_stack_is_wiped() {
    if !cfg!(target_os = "linux") {
        println!("NOT RUN: memory is searched on Linux only");
        return;
    }
    let mut others = Secrets::new();
    wipe::stack_after(|| {
        let local = wipe::far_below(|| black_box([secret(&mut others); 40]));
        black_box(local)[0][0]
    });
    let mut shown = Secrets::new();
    let local = wipe::far_below(|| black_box([secret(&mut shown); 40])).len();
    let (left, kept) = (others.search().unwrap(), shown.search().unwrap());
    println!("secrets found in memory: {} (stack; {} where it stays)", left.count(), kept.count());
    assert!(left.count() == 0 && kept.count() >= local, "{left}; {kept}");
}
