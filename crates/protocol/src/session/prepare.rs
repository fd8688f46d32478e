//! Long work without falling silent.

use super::SessionError;
use crate::channel::Channel;
use crate::stream::TICK;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, Prepared, wipe};
use std::sync::mpsc::{RecvTimeoutError, channel as results};

/// Lowers `program` for `engine` on a thread of its own, while this one keeps the channel alive:
/// lowering a large program takes longer than a peer may be silent.
pub(crate) fn prepare<'p>(
    channel: &mut dyn Channel,
    peer: Party,
    engine: &dyn Engine,
    program: &'p Program,
) -> Result<Box<dyn Prepared + 'p>, SessionError> {
    meanwhile(channel, peer, "preparing the program", || engine.prepare(program))?
        .map_err(SessionError::Engine)
}

/// Does `work` on a thread of its own, while this one keeps the channel alive.
///
/// # Errors
/// If the peer is gone or silent, or the session is cancelled, while `doing`; `work` is still
/// waited for.
pub fn meanwhile<T: Send>(
    channel: &mut dyn Channel,
    peer: Party,
    doing: &'static str,
    work: impl FnOnce() -> T + Send,
) -> Result<T, SessionError> {
    // Channels and threads are padded, and take along what stood on the stack.
    wipe::stack();
    std::thread::scope(|scope| {
        let (done, result) = results();
        // The receiver goes away only when the session has ended already.
        let worker = scope.spawn(move || drop(done.send(work())));
        loop {
            match result.recv_timeout(TICK / 2) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    channel.tick().map_err(|e| SessionError::channel(peer, doing, e))?;
                }
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => unreachable!("a result is sent before the thread ends"),
                },
            }
        }
    })
}
