//! Ctrl-C: the first one ends the session or the writing in order, the second one the process.

use crate::error::{Exit, Failure};
use crate::print;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C sets. A session that watches it tells the peer and returns; a
/// second Ctrl-C exits at once.
///
/// # Errors
/// If the system takes no handler.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    flag_for("cancelling and telling the peer")
}

/// The same for work without a peer: `what` says on standard error what the first Ctrl-C does.
///
/// # Errors
/// If the system takes no handler.
pub fn flag_for(what: &'static str) -> Result<Arc<AtomicBool>, Failure> {
    let cancel = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Cancelled as i32);
        }
        print::note(&format!("{what}; Ctrl-C again exits at once"));
    })
    .map_err(|error| Failure::new(Exit::Local, format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(cancel)
}
