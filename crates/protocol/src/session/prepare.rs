//! Lowering a program without falling silent.

use super::SessionError;
use crate::channel::Channel;
use crate::stream::TICK;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, Prepared};
use std::sync::mpsc::{RecvTimeoutError, channel as results};

/// Lowers `program` for `engine` on a thread of its own, while this one keeps the channel alive:
/// lowering a large program takes longer than a peer may be silent.
pub(crate) fn prepare<'p>(
    channel: &mut dyn Channel,
    peer: Party,
    engine: &dyn Engine,
    program: &'p Program,
) -> Result<Box<dyn Prepared + 'p>, SessionError> {
    std::thread::scope(|scope| {
        let (done, result) = results();
        // The receiver goes away only when the session has ended already.
        scope.spawn(move || drop(done.send(engine.prepare(program))));
        loop {
            match result.recv_timeout(TICK / 2) {
                Ok(prepared) => return prepared.map_err(SessionError::from_engine),
                Err(RecvTimeoutError::Timeout) => channel
                    .tick()
                    .map_err(|e| SessionError::channel(peer, "preparing the program", e))?,
                Err(RecvTimeoutError::Disconnected) => {
                    let text = "preparing the program ended without a result".to_owned();
                    let error = halfgate_engine::EngineError::Unsupported(text);
                    return Err(SessionError::Engine(error));
                }
            }
        }
    })
}
