//! The cores to measure in standard cells. Their label memories are outside.

use halfgate_synthesis::silicon::Piece;
use halfgate_synthesis::{Design, Part};

/// The small core in both forms, its execution, and the wide core.
pub fn pieces() -> Vec<Piece> {
    let core = |what: &str, top: &str, parameters: &[(&'static str, u64)]| Part {
        count: 1,
        design: Design::new(format!("mobile: {what}"), top, parameters),
    };
    Piece::of([
        core("small core, half a round a cycle", "mobile", &[("Round", 0)]),
        core("small core, a round a cycle", "mobile", &[("Round", 1)]),
        core("execution, half a round a cycle", "mobile_execute", &[("Round", 0)]),
        core("wide core, 4 AND units", "mobile_wide", &[("Units", 4)]),
    ])
}
