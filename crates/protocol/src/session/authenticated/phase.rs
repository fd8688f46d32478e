//! The phases of malicious sessions: a session does all of its work at once, or only what needs no
//! input, or only the rest. Both parties compare that after the handshake.

use super::link::Link;
use crate::frame::Kind;
use crate::session::{Difference, SessionError};

/// What a session does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Everything.
    Whole,
    /// What needs no input.
    Preprocessing,
    /// The rest, from files of this generation.
    Online { generation: [u8; 32] },
}

/// Bytes of a message.
const BYTES: usize = 33;

/// Compares the phase, and the generation of files, with the peer's.
///
/// # Errors
/// [`SessionError::Mismatch`] if they differ.
pub(super) fn agree(link: &mut Link<'_>, phase: Phase) -> Result<(), SessionError> {
    let ours = phase.encode();
    let theirs = link.exchange(Kind::Phase, &ours, BYTES, "agreeing on a phase")?;
    let (what, ours, theirs) = match (phase, Phase::parse(&theirs)) {
        (ours, Some(theirs)) if ours == theirs => return Ok(()),
        (_, None) => {
            let what = "its phase is invalid".to_owned();
            return Err(SessionError::Protocol { peer: link.peer, what });
        }
        (Phase::Online { generation: ours }, Some(Phase::Online { generation: theirs })) => {
            (Difference::Generation, start(&ours), start(&theirs))
        }
        (ours, Some(theirs)) => (Difference::Phase, ours.name(), theirs.name()),
    };
    Err(SessionError::Mismatch { peer: link.peer, what, ours, theirs })
}

impl Phase {
    fn encode(self) -> [u8; BYTES] {
        let (number, generation) = match self {
            Phase::Whole => (0, [0; 32]),
            Phase::Preprocessing => (1, [0; 32]),
            Phase::Online { generation } => (2, generation),
        };
        let mut bytes = [number; BYTES];
        bytes[1..].copy_from_slice(&generation);
        bytes
    }

    fn parse(bytes: &[u8]) -> Option<Phase> {
        let (number, generation) = bytes.split_first()?;
        let generation = *generation.first_chunk::<32>()?;
        let phases = [Phase::Whole, Phase::Preprocessing, Phase::Online { generation }];
        let phase = *phases.get(usize::from(*number))?;
        (phase.encode() == bytes).then_some(phase)
    }

    fn name(self) -> String {
        let name = match self {
            Phase::Whole => "a whole session",
            Phase::Preprocessing => "preprocessing",
            Phase::Online { .. } => "a session from a preprocessing file",
        };
        name.to_owned()
    }
}

/// The start of a generation, for messages.
fn start(generation: &[u8; 32]) -> String {
    generation[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
