//! Walks of an engine through the program, each on a thread of its own, window by window.
//!
//! A walk gets a [`Turn`]: the rows of a window, and input labels. It returns the turn when it
//! needs more: the rows of the next window, or more input labels. So all walks of a party stop at
//! the same AND, and the session does the rest of a window's work between them.

use crate::session::outputs::{OutputLabels, Window};
use crate::session::{SessionError, contract};
use halfgate_circuit::Wire;
use halfgate_engine::authenticated::{Authenticated, AuthenticatedIo, Step};
use halfgate_engine::{
    ContractError, Counters, Delta, EngineError, IoError, Label, LabelSeed, RunKey, wipe,
};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Scope;
use std::time::Duration;
use zeroize::Zeroizing;

/// What a walk works on between two stops. Its labels are wiped on drop.
#[derive(Default)]
pub(super) struct Turn {
    /// Labels of the ANDs, as [`Step`] describes them.
    pub rows: Zeroizing<Vec<[Label; 3]>>,
    /// How many of them are done.
    pub done: usize,
    /// Labels of the next input bits, and how many of them were used.
    pub inputs: Zeroizing<Vec<Label>>,
    pub used: usize,
    /// The input bits that were requested in this window: cycle and bit.
    pub requested: Vec<(u64, Wire)>,
    /// Labels of outputs that are complete.
    pub outputs: Vec<Window>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Why a walk stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It needs this many input labels at once.
    Inputs(usize),
    /// It needs rows.
    Rows,
    /// It has ended.
    Ended(Counters),
}

/// The labels that a walk carries. Secrets are borrowed, since what is moved to a thread leaves
/// copies.
#[derive(Clone, Copy)]
pub(super) enum Labels<'a> {
    /// Shares of masks, or masked values. An inversion adds the offset, if there is one.
    Shares(Option<&'a Delta>),
    /// False labels, and the seed of those of inputs.
    False(&'a Delta, &'a LabelSeed),
    /// Active labels.
    Active,
}

impl<'a> Labels<'a> {
    fn step(self) -> Step<'a> {
        match self {
            Labels::Shares(offset) => {
                Step::Shares { offset: offset.map_or(Label::ZERO, Delta::label) }
            }
            Labels::False(delta, _) => Step::Garble { delta },
            Labels::Active => Step::Evaluate,
        }
    }
}

/// The false label of input bit `number`, with colour bit 0.
pub(super) fn false_label(seed: &LabelSeed, number: u64) -> Label {
    Label::from_u128(seed.label(number).to_u128() & !1)
}

/// A walk on another thread.
pub(super) struct Walk {
    turns: SyncSender<Box<Turn>>,
    stops: Receiver<Result<(Box<Turn>, Stop), EngineError>>,
}

/// What to walk, and where labels come from and go to.
pub(super) struct Route<'a> {
    pub engine: &'a dyn Authenticated,
    pub key: RunKey,
    pub labels: Labels<'a>,
    pub cycles: u64,
    pub outputs: OutputLabels<'a>,
}

impl Walk {
    /// Starts a walk, which waits for its first turn.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        route: Route<'a>,
    ) -> Result<Walk, SessionError> {
        let (turns, next) = sync_channel::<Box<Turn>>(1);
        let (stop, stops) = sync_channel(1);
        let work = move || wipe::stack_after(|| walk(route, next, stop));
        std::thread::Builder::new()
            .spawn_scoped(scope, work)
            .map_err(|error| SessionError::Engine(EngineError::Spool(error)))?;
        Ok(Walk { turns, stops })
    }

    /// Gives the walk its next turn.
    pub fn go(&self, turn: Box<Turn>) {
        // A walk that has failed reports that at the next stop.
        drop(self.turns.send(turn));
    }

    /// Waits until the walk stops. Calls `tick` from time to time.
    ///
    /// # Errors
    /// Those of the engine and of `tick`.
    pub fn stop(
        &self,
        mut tick: impl FnMut() -> Result<(), SessionError>,
    ) -> Result<(Box<Turn>, Stop), SessionError> {
        loop {
            match self.stops.recv_timeout(TICK) {
                Ok(stop) => return Ok(stop?),
                Err(RecvTimeoutError::Timeout) => tick()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(contract(ContractError::NotPrepared));
                }
            }
        }
    }
}

const TICK: Duration = Duration::from_millis(20);

/// Walks on this thread.
fn walk(route: Route<'_>, next: Receiver<Box<Turn>>, stop: Stops) {
    let Route { engine, key, labels, cycles, outputs } = route;
    let Ok(turn) = next.recv() else { return };
    let mut io = WalkIo { turn, next, stop, labels, outputs, number: 0 };
    let walked = wipe::far_below(|| engine.walk(key, labels.step(), cycles, &mut io));
    io.end(walked);
}

type Stops = SyncSender<Result<(Box<Turn>, Stop), EngineError>>;

struct WalkIo<'a> {
    turn: Box<Turn>,
    next: Receiver<Box<Turn>>,
    stop: Stops,
    labels: Labels<'a>,
    outputs: OutputLabels<'a>,
    /// Number of the next input bit.
    number: u64,
}

impl WalkIo<'_> {
    /// Stops, and waits for the next turn.
    fn stop(&mut self, why: Stop) -> Result<(), IoError> {
        let turn = std::mem::take(&mut self.turn);
        self.stop.send(Ok((turn, why))).map_err(|_| IoError::kept())?;
        self.turn = self.next.recv().map_err(|_| IoError::kept())?;
        Ok(())
    }

    fn end(mut self, walked: Result<Counters, EngineError>) {
        let ended = walked.and_then(|counters| {
            let complete = self.outputs.check_complete();
            complete.map_err(|error| EngineError::Io(IoError::from(error)))?;
            self.turn.outputs.push(self.outputs.take_last());
            Ok((std::mem::take(&mut self.turn), Stop::Ended(counters)))
        });
        // Nobody listens if the session has failed.
        drop(self.stop.send(ended));
    }
}

impl AuthenticatedIo for WalkIo<'_> {
    fn inputs(&mut self, cycle: u64, bits: &[Wire], labels: &mut [Label]) -> Result<(), IoError> {
        self.turn.requested.extend(bits.iter().map(|bit| (cycle, *bit)));
        if let Labels::False(_, seed) = self.labels {
            for (number, label) in (self.number..).zip(labels.iter_mut()) {
                *label = false_label(seed, number);
            }
            self.number += labels.len() as u64;
            return Ok(());
        }
        if self.turn.inputs.len() - self.turn.used < labels.len() {
            self.stop(Stop::Inputs(labels.len()))?;
        }
        let Turn { inputs, used, .. } = &mut *self.turn;
        let given = inputs.get(*used..*used + labels.len()).ok_or_else(IoError::kept)?;
        labels.copy_from_slice(given);
        *used += labels.len();
        #[cfg(test)]
        crate::session::tests::memory::recording::note_walk("labels of inputs in walks", labels);
        Ok(())
    }

    fn rows(&mut self, most: usize) -> Result<&mut [[Label; 3]], IoError> {
        if self.turn.done == self.turn.rows.len() {
            self.stop(Stop::Rows)?;
        }
        let Turn { rows, done, .. } = &mut *self.turn;
        let first = *done;
        *done = rows.len().min(first + most);
        if *done == first {
            return Err(IoError::kept());
        }
        Ok(&mut rows[first..*done])
    }

    fn rows_ready(&mut self) -> Result<(), IoError> {
        Ok(())
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        #[cfg(test)]
        crate::session::tests::memory::recording::note_walk("labels of outputs in walks", labels);
        let part = self.outputs.part(cycle, bits);
        let complete = self.outputs.put(part, bits, labels).map_err(IoError::from)?;
        self.turn.outputs.extend(complete);
        Ok(())
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        self.turn.notes.push(what.to_owned());
        Ok(())
    }
}
