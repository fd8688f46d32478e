//! What malicious sessions do: a session does all of its work at once, or only what needs no input,
//! or only the rest. Both parties compare that after the handshake.

use super::link::Link;
use crate::frame::Kind;
use crate::session::{Difference, SessionError};

/// What a session does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything.
    Whole,
    /// What needs no input.
    Preprocessing,
    /// The rest, from files of this generation.
    Online { generation: [u8; 32] },
}

/// Bytes of a message.
const BYTES: usize = 33;

/// Compares the extent, and the generation of files, with the peer's.
///
/// # Errors
/// [`SessionError::Mismatch`] if they differ.
pub(super) fn agree(link: &mut Link<'_>, extent: Extent) -> Result<(), SessionError> {
    let ours = extent.encode();
    let theirs = link.exchange(Kind::Phase, &ours, BYTES, "agreeing on a phase")?;
    let (what, ours, theirs) = match (extent, Extent::parse(&theirs)) {
        (ours, Some(theirs)) if ours == theirs => return Ok(()),
        (_, None) => {
            let what = "its phase is invalid".to_owned();
            return Err(SessionError::Protocol { peer: link.peer, what });
        }
        (Extent::Online { generation: ours }, Some(Extent::Online { generation: theirs })) => {
            (Difference::Generation, start(&ours), start(&theirs))
        }
        (ours, Some(theirs)) => (Difference::Phase, ours.name(), theirs.name()),
    };
    Err(SessionError::Mismatch { peer: link.peer, what, ours, theirs })
}

impl Extent {
    fn encode(self) -> [u8; BYTES] {
        let (number, generation) = match self {
            Extent::Whole => (0, [0; 32]),
            Extent::Preprocessing => (1, [0; 32]),
            Extent::Online { generation } => (2, generation),
        };
        let mut bytes = [number; BYTES];
        bytes[1..].copy_from_slice(&generation);
        bytes
    }

    fn parse(bytes: &[u8]) -> Option<Extent> {
        let (number, generation) = bytes.split_first()?;
        let generation = *generation.first_chunk::<32>()?;
        let extents = [Extent::Whole, Extent::Preprocessing, Extent::Online { generation }];
        let extent = *extents.get(usize::from(*number))?;
        (extent.encode() == bytes).then_some(extent)
    }

    fn name(self) -> String {
        let name = match self {
            Extent::Whole => "a whole session",
            Extent::Preprocessing => "preprocessing",
            Extent::Online { .. } => "a session from a preprocessing file",
        };
        name.to_owned()
    }
}

/// The start of a generation, for messages.
fn start(generation: &[u8; 32]) -> String {
    generation[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
