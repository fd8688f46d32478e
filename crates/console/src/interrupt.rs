//! Ctrl-C: the first one sets a flag, so that the work can end and clean up. The second one exits
//! at once.

use crate::error::{Exit, Failure};
use crate::print;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a flag that the first Ctrl-C sets. A session that checks it notifies the peer and
/// returns. A second Ctrl-C exits at once.
///
/// # Errors
/// If the system does not accept a signal handler.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    flag_for("cancelling and notifying the peer")
}

/// Like [`flag`], for work without a peer. On the first Ctrl-C, `what` is printed on standard
/// error.
///
/// # Errors
/// If the system does not accept a signal handler.
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
