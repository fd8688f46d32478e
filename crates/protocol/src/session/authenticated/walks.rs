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
    /// Why the walk has stopped, by [`Stop::encode`].
    pub stop: [u64; 5],
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

impl Stop {
    /// As numbers, none of which is left over from other values.
    fn encode(self) -> [u64; 5] {
        match self {
            Stop::Inputs(needed) => [0, needed as u64, 0, 0, 0],
            Stop::Rows => [1, 0, 0, 0, 0],
            Stop::Ended(Counters { gates, ands, cycles }) => [2, 0, gates, ands, cycles],
        }
    }

    fn decode([kind, needed, gates, ands, cycles]: [u64; 5]) -> Stop {
        match kind {
            0 => Stop::Inputs(needed as usize),
            1 => Stop::Rows,
            _ => Stop::Ended(Counters { gates, ands, cycles }),
        }
    }
}

/// The labels that a walk carries. Secrets are borrowed, since what is moved to a thread leaves
/// copies. All fields are always set: unused bytes of a variant would carry secrets from the stack.
#[derive(Clone, Copy)]
pub(super) struct Labels<'a> {
    carried: Carried,
    delta: Option<&'a Delta>,
    seed: Option<&'a LabelSeed>,
}

#[derive(Clone, Copy)]
enum Carried {
    Shares,
    False,
    Active,
}

impl<'a> Labels<'a> {
    /// Shares of masks, or masked values. An inversion adds the offset, if there is one.
    pub fn shares(offset: Option<&'a Delta>) -> Labels<'a> {
        Labels { carried: Carried::Shares, delta: offset, seed: None }
    }

    /// False labels; `seed` is that of the labels of inputs.
    pub fn false_labels(delta: &'a Delta, seed: &'a LabelSeed) -> Labels<'a> {
        Labels { carried: Carried::False, delta: Some(delta), seed: Some(seed) }
    }

    /// Active labels.
    pub fn active() -> Labels<'a> {
        Labels { carried: Carried::Active, delta: None, seed: None }
    }

    fn step(self) -> Step<'a> {
        match (self.carried, self.delta) {
            (Carried::False, Some(delta)) => Step::Garble { delta },
            (Carried::Active, _) => Step::Evaluate,
            (_, offset) => Step::Shares { offset: offset.map_or(Label::ZERO, Delta::label) },
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
    stops: Receiver<Stopped>,
}

/// What to walk, and where labels come from and go to.
pub(super) struct Route<'a> {
    pub engine: &'a dyn Authenticated,
    pub key: &'a RunKey,
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
        // Channels and threads have padding, into which stack contents would be copied.
        wipe::stack();
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
                Ok(stopped) => {
                    let turn = stopped.map_err(|error| SessionError::Engine(*error))?;
                    let stop = Stop::decode(turn.stop);
                    return Ok((turn, stop));
                }
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
    let walked = wipe::far_below(|| engine.walk(*key, labels.step(), cycles, &mut io));
    io.end(walked);
}

/// A turn with its stop. All variants have the same size: unused bytes of a message would carry
/// secrets from the walk's stack to other memory.
type Stopped = Result<Box<Turn>, Box<EngineError>>;

type Stops = SyncSender<Stopped>;

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
        let mut turn = std::mem::take(&mut self.turn);
        turn.stop = why.encode();
        self.stop.send(Ok(turn)).map_err(|_| IoError::kept())?;
        self.turn = self.next.recv().map_err(|_| IoError::kept())?;
        Ok(())
    }

    fn end(mut self, walked: Result<Counters, EngineError>) {
        let ended = walked.and_then(|counters| {
            let complete = self.outputs.check_complete();
            complete.map_err(|error| EngineError::Io(IoError::from(error)))?;
            self.turn.outputs.push(self.outputs.take_last());
            self.turn.stop = Stop::Ended(counters).encode();
            Ok(std::mem::take(&mut self.turn))
        });
        // Nobody listens if the session has failed.
        drop(self.stop.send(ended.map_err(Box::new)));
    }
}

impl AuthenticatedIo for WalkIo<'_> {
    fn inputs(&mut self, cycle: u64, bits: &[Wire], labels: &mut [Label]) -> Result<(), IoError> {
        self.turn.requested.extend(bits.iter().map(|bit| (cycle, *bit)));
        if let Some(seed) = self.labels.seed {
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
