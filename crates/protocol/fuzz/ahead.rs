//! Opens preprocessing files: any bytes, a valid file with changes, and a valid file whose content
//! is changed before it is sealed. The first two are rejected or give the correct result. Only who
//! has the file could make the third; with it, the session ends without a panic and within bounds,
//! and the other party gets an error, or a result for an input that the first party may choose.
//!
//! Byte 0 of an input selects one of these, and the party whose file it is. The rest are the bytes
//! or the changes.
//!
//! It is built without AddressSanitizer, for the reason that `session.rs` gives: no byte of the
//! file becomes an address or a length in `unsafe` code.
//!
//! longest: 4096
//! hang: 200

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Key, KeyInit, Nonce, Tag};
use halfgate_circuit::{Bits, Party};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_fuzz::Peer;
use halfgate_protocol::ring::{self, RingChannel};
use halfgate_protocol::session::authenticated::ahead::{
    Identities, PreprocessedFile, Protection, Side, Target, order_of, preprocess, run_preprocessed,
};
use halfgate_protocol::session::{PartyInputs, Report, RunOptions, SecurityLevel, SessionError};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

/// Offsets of the format; see the source of `halfgate_protocol::session::authenticated::ahead`.
const MARK: usize = 10;
const KEY: usize = 48;
const DESCRIPTION: usize = 96;
const BODY: usize = 2048;
const TAG: usize = 16;

/// The values that are multiplied. The party with the changed file could choose another one, so the
/// other party's result is a multiple of its own value.
const VALUES: [u8; 2] = [8, 5];
const PARTIES: [Party; 2] = [Party::Garbler, Party::Evaluator];

pub fn run(data: &[u8]) {
    let Some((&mode, rest)) = data.split_first() else { return };
    let party = PARTIES[usize::from(mode & 0x80 != 0)];
    let is_resealed = mode % 3 == 2;
    let bytes = match mode % 3 {
        0 => rest.to_vec(),
        1 => changed(party, rest),
        _ => resealed(party, rest).unwrap_or_default(),
    };
    let own = Files::of(party);
    own.write(&bytes);
    // A file that others may read is rejected before it is parsed.
    let _ = order_of(&own.file);
    if own.open().is_err() {
        return;
    }
    let peers = Files::of(party.other());
    peers.write(&SETUP.good[party.other() as usize]);
    let (mut near, mut far) = ring::pair();
    let (peer, outcome) = PEER.with(|thread| {
        thread.run_both(
            move || peers.session(&mut far),
            || {
                let outcome = own.session(&mut near);
                drop(near);
                outcome
            },
        )
    });
    // A session that fails earlier leaves the file unused.
    assert!(outcome.is_err() || own.open().is_err(), "a file is used twice");
    if !is_resealed {
        let right = product(VALUES[0], VALUES[1]);
        for report in [outcome, peer] {
            let report = report.expect("a file that passes all checks is good");
            assert!(report.outputs == [Some(right.clone())]);
        }
    } else if let Ok(report) = peer {
        let value = VALUES[party.other() as usize];
        let mut possible = (0..16).map(|other| [Some(product(value, other))]);
        assert!(possible.any(|outputs| report.outputs == outputs), "a wrong result");
    }
}

fn product(a: u8, b: u8) -> Bits {
    Bits::from_bytes(&[a * b])
}

type Outcome = Result<Report, SessionError>;

thread_local! {
    /// For the files of each input. The peer's thread uses it as well, while this one waits.
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder");
    static PEER: Peer<Outcome> = Peer::start();
}

/// A party's file, and its ledger.
struct Files {
    party: Party,
    file: PathBuf,
    ledger: PathBuf,
}

impl Files {
    /// Files of `party`, with a ledger that is empty.
    fn of(party: Party) -> Files {
        let path = |name: &str| FOLDER.with(|folder| folder.path().join(format!("{party}.{name}")));
        let files = Files { party, file: path("preprocessed"), ledger: path("ledger") };
        std::fs::write(&files.ledger, []).expect("written");
        files
    }

    fn write(&self, bytes: &[u8]) {
        std::fs::write(&self.file, bytes).expect("written");
        std::fs::set_permissions(&self.file, Permissions::from_mode(0o600)).expect("owned");
    }

    fn open(&self) -> Result<PreprocessedFile<'_>, SessionError> {
        let Setup { program, options, .. } = &*SETUP;
        let paths = (self.file.as_path(), self.ledger.as_path());
        PreprocessedFile::open(paths, &Protection::None, self.party, program, options)
    }

    /// The party's session.
    fn session(&self, channel: &mut RingChannel) -> Outcome {
        let Setup { program, options, .. } = &*SETUP;
        let inputs: PartyInputs = PARTIES
            .iter()
            .zip(VALUES)
            .map(|(party, value)| {
                (*party == self.party).then(|| Bits::from_bytes(&[value]).slice(0, 4))
            })
            .collect();
        let engine = engine();
        let side = side(self.party, program, &engine, options);
        run_preprocessed(channel, side, None, self.open()?, &inputs, &mut |_| {})
    }
}

fn side<'s>(
    party: Party,
    program: &'s Program,
    engine: &'s CpuEngine,
    options: &'s RunOptions,
) -> Side<'s> {
    Side { party, identities: Identities::default(), program, engine, options }
}

struct Setup {
    program: Program,
    options: RunOptions,
    /// The files of one preprocessing.
    good: [Vec<u8>; 2],
}

static SETUP: LazyLock<Setup> = LazyLock::new(|| {
    let circuit = halfgate_programs::build("multiplier-full:4").expect("a built-in program");
    let program = compile(circuit, Order::Given).expect("it compiles");
    // A busy machine may not run one of a fuzz target's threads for a minute.
    let timeout = Duration::from_secs(if cfg!(fuzzing) { 100 } else { 2 });
    let security = SecurityLevel::Malicious;
    let options = RunOptions { timeout, security, ..RunOptions::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |party: Party| folder.path().join(party.to_string());
    let make = |party, mut channel: RingChannel| {
        let (engine, path): (_, &Path) = (engine(), &path(party));
        let target = Target { path, protection: Protection::None };
        let side = side(party, &program, &engine, &options);
        preprocess(&mut channel, side, None, target, &mut |_| {}).expect("preprocessed");
    };
    let (garblers, evaluators) = ring::pair();
    std::thread::scope(|scope| {
        scope.spawn(|| make(Party::Evaluator, evaluators));
        make(Party::Garbler, garblers);
    });
    let good = PARTIES.map(|party| std::fs::read(path(party)).expect("read"));
    Setup { program, options, good }
});

fn engine() -> CpuEngine {
    let engine = CpuEngine::new(None).expect("every processor has a kernel");
    // The whole window takes longer to initialise than the rest of a session.
    engine.with_lowering(Lowering { window: 1024, ..Lowering::default() })
}

/// The valid file with changes. Of each four bytes, two are an offset (from the start, or from the
/// chunks), one is XORed into the byte there, and the fourth may truncate the file there.
fn changed(party: Party, edits: &[u8]) -> Vec<u8> {
    edited(SETUP.good[party as usize].clone(), edits)
}

fn edited(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
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

/// The valid file, opened, with changes to its header and its content, and sealed. `None` if the
/// bytes are too short for that.
fn resealed(party: Party, edits: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = SETUP.good[party as usize].clone();
    let cipher = cipher(&bytes)?;
    let (content, tag) = bytes[BODY..].split_last_chunk_mut::<TAG>()?;
    let tag = Tag::from(*tag);
    cipher.decrypt_inout_detached(&nonce(), &[], content.into(), &tag).expect("a valid file");
    let end = bytes.len() - TAG;
    bytes.truncate(end);

    let mut bytes = edited(bytes, edits);
    let cipher = self::cipher(&bytes)?;
    let content = bytes.get_mut(BODY..)?;
    let tag = cipher.encrypt_inout_detached(&nonce(), &[], content.into()).ok()?;
    bytes.extend_from_slice(&tag);
    Some(bytes)
}

/// What encrypts the content of the file with this header.
fn cipher(bytes: &[u8]) -> Option<ChaCha20Poly1305> {
    let length = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?) as usize;
    let mut header = bytes.get(..DESCRIPTION.checked_add(length)?)?.to_vec();
    header[MARK] = 0;
    header[KEY..DESCRIPTION].fill(0);
    let mut hasher = blake3::Hasher::new_derive_key("halfgate 1 chunks of a preprocessing file");
    hasher.update(&bytes[KEY..DESCRIPTION]).update(&header);
    Some(ChaCha20Poly1305::new(&Key::from(*hasher.finalize().as_bytes())))
}

/// That of the only chunk.
fn nonce() -> Nonce {
    let mut nonce = [0; 12];
    nonce[8] = 1;
    Nonce::from(nonce)
}
