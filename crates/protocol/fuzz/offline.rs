//! Opens files of garbled tables: any bytes, a valid file with changes, and a valid file with
//! changes and recomputed tags. The first two are rejected or give the correct result. A forger
//! with access to the file could make the third; with it, the session ends without a panic and
//! within bounds.
//!
//! All inputs belong to the garbler, so no input is transferred, which makes a session twenty times
//! faster.
//!
//! It is built without AddressSanitizer, for the reason that `session.rs` gives: no byte of the
//! file becomes an address or a length in `unsafe` code.
//!
//! longest: 2048
//! hang: 200

use halfgate_circuit::{Bits, Party};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_fuzz::Peer;
use halfgate_protocol::offline::{TableFile, garble_from_file, garble_to_file};
use halfgate_protocol::session::{PartyInputs, RunOptions, SessionError, evaluate};
use halfgate_protocol::{ring, session::Report};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

/// Offsets of the format; see the source of `halfgate_protocol::offline`.
const TAG: usize = 16;
const TEXTS: usize = 48;
const BODY: usize = 1024;

pub fn run(data: &[u8]) {
    let Some((&mode, rest)) = data.split_first() else { return };
    let bytes = match mode % 3 {
        0 => rest.to_vec(),
        1 => changed(rest),
        _ => retagged(changed(rest)).unwrap_or_default(),
    };
    let path = FOLDER.with(|folder| folder.path().join("fuzz.garbling"));
    std::fs::write(&path, bytes).expect("written");
    // A file that others may read is rejected before it is parsed.
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("owned");
    let Ok(mut tables) = TableFile::open(&path, &SETUP.program, &SETUP.options) else { return };
    if tables.check_records().is_err() {
        return;
    }
    let (garbler, evaluator) = session(tables);
    if mode % 3 == 2 {
        return;
    }
    for report in [garbler, evaluator] {
        let report = report.expect("a file that passes all checks is good");
        assert!(report.outputs == [Some(Bits::from_bytes(&[5 + 6]).slice(0, 4))]);
    }
}

thread_local! {
    /// For the file of each input.
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder");
    static EVALUATOR: Peer<Outcome> = Peer::start();
}

struct Setup {
    program: Program,
    options: RunOptions,
    good: Vec<u8>,
}

static SETUP: LazyLock<Setup> = LazyLock::new(|| {
    let mut circuit = halfgate_programs::build("adder:4").expect("a built-in program");
    circuit.inputs.iter_mut().for_each(|input| input.party = Party::Garbler);
    let program = compile(circuit, Order::Given).expect("it compiles");
    // A busy machine may not run one of a fuzz target's threads for a minute.
    let timeout = Duration::from_secs(if cfg!(fuzzing) { 100 } else { 2 });
    let options = RunOptions { timeout, ..RunOptions::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("good");
    garble_to_file(&program, &engine(), &options, &path, &mut |_| {}).expect("garbled");
    let good = std::fs::read(&path).expect("read");
    Setup { program, options, good }
});

fn engine() -> CpuEngine {
    let engine = CpuEngine::new(None).expect("every processor has a kernel");
    // The whole window takes longer to initialise than the rest of a session.
    engine.with_lowering(Lowering { window: 1024, ..Lowering::default() })
}

/// The valid file with changes. Of each four bytes, two are an offset (from the start, or from the
/// records), one is XORed into the byte there, and the fourth may truncate the file there.
fn changed(edits: &[u8]) -> Vec<u8> {
    let mut bytes = SETUP.good.clone();
    for &[low, high, flip, cut] in edits.as_chunks::<4>().0 {
        let place = usize::from(u16::from_le_bytes([low, high & 0x7f]));
        let place = if high & 0x80 == 0 { place } else { BODY + place };
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= flip;
        }
        if cut == 0xff {
            bytes.truncate(place);
        }
    }
    bytes
}

/// Recomputes all tags and the length of the records. `None` if the bytes are too short for that.
fn retagged(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let len = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?) as usize;
    let end = TEXTS.checked_add(len).filter(|end| *end <= BODY && bytes.len() >= BODY)?;
    // After three texts: program hash 32, cycles 8, start point, Δ and seed 16 each, length 8.
    let mut at = TEXTS;
    for _ in 0..3 {
        at += 1 + usize::from(*bytes.get(at)?);
    }
    let secrets = bytes.get(at + 40..at + 88)?;
    let mut key = blake3::Hasher::new_derive_key("halfgate 1 file of garbled tables");
    key.update(&secrets[16..]).update(&secrets[..16]);
    let key = *key.finalize().as_bytes();
    let body = (bytes.len() - BODY) as u64;
    bytes[at + 88..at + 96].copy_from_slice(&body.to_le_bytes());
    let tag = blake3::keyed_hash(&key, &bytes[TEXTS..end]);
    bytes[16..TEXTS].copy_from_slice(tag.as_bytes());

    let mut rest = &mut bytes[BODY..];
    for index in 0u64.. {
        let Some(header) = rest.first_chunk::<8>() else { break };
        let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let Some(end) = 8usize.checked_add(len).filter(|end| end + TAG <= rest.len()) else {
            break;
        };
        let mut tag = blake3::Hasher::new_keyed(&key);
        tag.update(&index.to_le_bytes()).update(&rest[..end]);
        rest[end..end + TAG].copy_from_slice(&tag.finalize().as_bytes()[..TAG]);
        rest = &mut rest[end + TAG..];
    }
    Some(bytes)
}

type Outcome = Result<Report, SessionError>;

/// A session of both parties with these tables, which adds 5 and 6.
fn session(tables: TableFile<'_>) -> (Outcome, Outcome) {
    let Setup { program, options, .. } = &*SETUP;
    let inputs: PartyInputs =
        [5, 6].map(|value| Some(Bits::from_bytes(&[value]).slice(0, 4))).to_vec();
    let (mut a, mut b) = ring::pair();
    let evaluator = move || {
        let runs = [vec![None; 2]];
        let reports = evaluate(&mut b, program, &engine(), &runs, options, &mut |_| {});
        reports.map(|mut reports| reports.remove(0))
    };
    let garbler = || {
        let outcome = garble_from_file(&mut a, tables, &inputs, options, &mut |_| {});
        drop(a);
        outcome
    };
    let (evaluator, garbler) = EVALUATOR.with(|thread| thread.run_both(evaluator, garbler));
    (garbler, evaluator)
}
