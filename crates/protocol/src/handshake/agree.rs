//! Compares the hellos of both parties.

use super::{Agreement, Hello, LabelMode};
use crate::ot::SessionId;
use crate::session::{Difference, Learn, SessionError};
use halfgate_circuit::Party;

/// Compares the hellos. `open` is the evaluator's first hello, if it sent two.
pub(super) fn agree(
    ours: &Hello,
    theirs: &Hello,
    open: Option<&Hello>,
    outputs: usize,
) -> Result<Agreement, SessionError> {
    let peer = ours.role.other();
    if ours.role == theirs.role {
        return Err(mismatch(peer, Difference::Role, ours.role, theirs.role));
    }
    agree_on_security(ours, theirs)?;
    if ours.suite != theirs.suite {
        return Err(mismatch(peer, Difference::Suite, &ours.suite, &theirs.suite));
    }
    if ours.order != theirs.order {
        return Err(mismatch(peer, Difference::Order, &ours.order, &theirs.order));
    }
    if ours.skips != theirs.skips {
        let name = |skips| if skips { "yes" } else { "no" };
        return Err(mismatch(peer, Difference::Skipping, name(ours.skips), name(theirs.skips)));
    }
    if ours.program != theirs.program {
        return Err(other_program(peer, ours, theirs));
    }
    if ours.cycles != theirs.cycles {
        return Err(mismatch(peer, Difference::Cycles, ours.cycles, theirs.cycles));
    }
    if ours.runs != theirs.runs {
        return Err(mismatch(peer, Difference::Runs, ours.runs, theirs.runs));
    }
    if ours.ot != theirs.ot {
        return Err(mismatch(peer, Difference::TransferSecurity, ours.ot, theirs.ot));
    }
    let labels = match (ours.labels, theirs.labels) {
        (Some(mode), None) | (None, Some(mode)) => mode,
        _ => {
            let what =
                "its handshake names a label mode as evaluator, or none as garbler".to_owned();
            return Err(SessionError::Protocol { peer, what });
        }
    };
    if labels == LabelMode::Correlated && ours.runs != 1 {
        // Each garbling has its own offset, but the transfers have only one.
        let what = "its handshake has correlated labels for several runs".to_owned();
        return Err(SessionError::Protocol { peer, what });
    }
    let (garbler, evaluator) = match ours.role {
        Party::Garbler => (ours, theirs),
        Party::Evaluator => (theirs, ours),
    };
    Ok(Agreement {
        learn: agree_on_learners(ours, theirs, outputs)?,
        ot_field: ours.ot_field.max(theirs.ot_field),
        security: ours.security,
        labels,
        parts: ours.parts && theirs.parts,
        session: session_id(garbler, open, evaluator),
        peer_engine: theirs.engine.clone(),
        peer_timeout: theirs.timeout,
    })
}

/// Compares the security levels.
pub(super) fn agree_on_security(ours: &Hello, theirs: &Hello) -> Result<(), SessionError> {
    let peer = ours.role.other();
    if ours.security != theirs.security {
        return Err(mismatch(peer, Difference::SecurityLevel, ours.security, theirs.security));
    }
    if ours.statistical != theirs.statistical {
        let (what, ours, theirs) = (Difference::Statistical, ours.statistical, theirs.statistical);
        return Err(mismatch(peer, what, ours, theirs));
    }
    Ok(())
}

/// The session id, to which the connection's cryptography is bound: a hash of all hellos. A parsed
/// hello encodes to the received bytes again, so both parties compute the same hash unless a hello
/// was altered. Both sides hash the garbler's hello first.
fn session_id(garbler: &Hello, open: Option<&Hello>, evaluator: &Hello) -> SessionId {
    let mut hasher = blake3::Hasher::new_derive_key("halfgate 2 session id");
    for hello in [Some(garbler), open, Some(evaluator)] {
        let payload = hello.map(Hello::encode).unwrap_or_default();
        hasher.update(&(payload.len() as u64).to_le_bytes()).update(&payload);
    }
    SessionId(*hasher.finalize().as_bytes())
}

/// The error for two programs: it names the first function that differs, if one does.
fn other_program(peer: Party, ours: &Hello, theirs: &Hello) -> SessionError {
    let most = ours.functions.len().max(theirs.functions.len());
    let start = |hello: &Hello, number: usize| match hello.functions.get(number) {
        Some(start) => hex(start),
        None => "missing".to_owned(),
    };
    let differs = |number: &usize| ours.functions.get(*number) != theirs.functions.get(*number);
    match (0..most).find(differs) {
        Some(number) if !ours.functions.is_empty() && !theirs.functions.is_empty() => {
            let what = Difference::Function { number };
            mismatch(peer, what, start(ours, number), start(theirs, number))
        }
        _ => mismatch(peer, Difference::Program, hex(&ours.program), hex(&theirs.program)),
    }
}

fn agree_on_learners(
    ours: &Hello,
    theirs: &Hello,
    outputs: usize,
) -> Result<Vec<Learn>, SessionError> {
    let peer = ours.role.other();
    let named = |hello: &Hello| if hello.learn.is_empty() { outputs } else { hello.learn.len() };
    if named(ours) != outputs || named(theirs) != outputs {
        let what = Difference::LearnerCount;
        return Err(mismatch(peer, what, named(ours), named(theirs)));
    }
    // A party that lists no learners wants both parties to learn every output; the peer cannot
    // choose for it.
    let wanted = |hello: &Hello| match hello.learn.is_empty() {
        true => vec![Learn::Both; outputs],
        false => hello.learn.clone(),
    };
    let (ours, theirs) = (wanted(ours), wanted(theirs));
    match ours == theirs {
        true => Ok(ours),
        false => Err(mismatch(peer, Difference::Learners, list(&ours), list(&theirs))),
    }
}

pub(super) fn mismatch(
    peer: Party,
    what: Difference,
    ours: impl ToString,
    theirs: impl ToString,
) -> SessionError {
    SessionError::Mismatch { peer, what, ours: ours.to_string(), theirs: theirs.to_string() }
}

/// The learners as the options spell them. A long list is cut.
fn list(learn: &[Learn]) -> String {
    let name = |learn: &Learn| format!("{learn:?}").to_lowercase();
    let mut names: Vec<_> = learn.iter().take(16).map(name).collect();
    if learn.len() > names.len() {
        names.push("…".to_owned());
    }
    names.join(",")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
