//! Long work during which the channel stays alive.

use super::SessionError;
use crate::channel::Channel;
use crate::stream::TICK;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, Prepared, wipe};
use std::sync::mpsc::{RecvTimeoutError, channel as results};

/// Lowers `program` for `engine` on another thread, while this one keeps the channel alive:
/// lowering a large program takes longer than the peer's idle timeout.
pub(crate) fn prepare<'p>(
    channel: &mut dyn Channel,
    peer: Party,
    engine: &dyn Engine,
    program: &'p Program,
) -> Result<Box<dyn Prepared + 'p>, SessionError> {
    meanwhile(channel, peer, "preparing the program", || engine.prepare(program))?
        .map_err(SessionError::Engine)
}

/// Does `work` on another thread, while this one keeps the channel alive.
///
/// # Errors
/// If the connection is lost, the idle timeout expires or the session is cancelled; `doing` names
/// the work in the error. The function returns only after `work` has ended.
pub fn meanwhile<T: Send>(
    channel: &mut dyn Channel,
    peer: Party,
    doing: &'static str,
    work: impl FnOnce() -> T + Send,
) -> Result<T, SessionError> {
    // In a fuzz target the work takes less time than starting a thread does.
    if cfg!(fuzzing) {
        return Ok(work());
    }
    // Channels and threads have padding, into which stack contents would be copied.
    wipe::stack();
    std::thread::scope(|scope| {
        let (done, result) = results();
        // The receiver is dropped early only if the session has ended.
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
