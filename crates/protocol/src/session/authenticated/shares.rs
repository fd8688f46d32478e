//! The two walks of a party's shares: of its keys and of its MACs.

use super::draw::draw;
use super::link::Link;
use super::walks::{Stop, Turn, Walk};
use crate::correlations::Shares;
use crate::correlations::bits::BitSource;
use crate::frame::Kind;
use crate::session::SessionError;
use crate::session::inputs::InputOrder;
use crate::session::outputs::Window;
use halfgate_circuit::{Party, Wire};
use halfgate_engine::{Counters, Label, wipe};
use zeroize::{Zeroize, Zeroizing};

/// Authenticated bits drawn for inputs at a time, unless more are needed at once.
const INPUTS_AT_ONCE: usize = 1 << 13;

/// A party's walks of shares.
pub(super) struct ShareWalks<'a> {
    walks: [Walk; 2],
    turns: [Option<Box<Turn>>; 2],
    order: &'a InputOrder,
    /// Input bits for which no shares were drawn yet.
    undrawn: u64,
    /// Memory of rows of earlier windows.
    spare: Vec<Rows>,
}

/// Where the walks stopped at the end of a window, and what they gave.
pub(super) struct Stopped {
    /// ANDs of the window.
    pub ands: usize,
    /// The input bits that it reads, in order.
    pub inputs: Vec<InputShare>,
    /// Complete outputs: labels of the keys, and of the MACs.
    pub outputs: [Vec<Window>; 2],
    /// Notes for the user.
    pub notes: Vec<String>,
    /// If the run ends with this window.
    pub ended: Option<Counters>,
}

/// Three labels for each AND of a window.
pub(super) type Rows = Zeroizing<Vec<[Label; 3]>>;

/// An input bit that a window reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputRead {
    pub cycle: u64,
    pub wire: Wire,
    pub owner: Party,
}

/// The mask of an input bit.
pub(super) struct InputShare {
    pub read: InputRead,
    pub key: Label,
    pub mac: Label,
}

impl Drop for InputShare {
    fn drop(&mut self) {
        self.key.zeroize();
        self.mac.zeroize();
    }
}

impl Stopped {
    /// The masks of the input bits of `party`.
    pub fn inputs_of(&self, party: Party) -> impl Iterator<Item = &InputShare> + Clone {
        self.inputs.iter().filter(move |input| input.read.owner == party)
    }
}

impl<'a> ShareWalks<'a> {
    /// From walks that were started: of the keys and of the MACs.
    pub fn new(walks: [Walk; 2], order: &'a InputOrder) -> ShareWalks<'a> {
        let undrawn = [Party::Garbler, Party::Evaluator].map(|party| order.count(party));
        ShareWalks {
            walks,
            turns: [Some(Box::default()), Some(Box::default())],
            order,
            undrawn: undrawn[0].saturating_add(undrawn[1]),
            spare: Vec::new(),
        }
    }

    /// Gives back rows whose memory the next window may use: that saves mapping it again.
    pub fn reuse(&mut self, rows: [Rows; 2]) {
        self.spare.extend(rows);
    }

    /// Walks through at most `ands` ANDs, whose fresh masks are the first of `fresh`. Returns the
    /// rows of keys and of MACs, filled up to `ands` rows with zeros.
    ///
    /// # Errors
    /// If the connection is lost or an engine fails.
    pub fn window(
        &mut self,
        bits: &mut BitSource,
        link: &mut Link<'_>,
        ands: usize,
        fresh: &Shares,
    ) -> Result<(Rows, Rows, Stopped), SessionError> {
        let mut first = [0; 2];
        for (index, labels) in [&fresh.key, &fresh.mac].into_iter().enumerate() {
            let mut turn = self.turns[index].take().expect("a stopped walk");
            turn.rows = self.spare.pop().unwrap_or_default();
            turn.rows.clear();
            wipe::reserve(&mut turn.rows, ands);
            let rows = labels[..ands].iter().map(|mask| [*mask, Label::ZERO, Label::ZERO]);
            turn.rows.extend(rows);
            turn.done = 0;
            first[index] = turn.used;
            self.walks[index].go(turn);
        }
        loop {
            let (mut keys, why) = self.walks[0].stop(|| tick(link))?;
            let (mut macs, also) = self.walks[1].stop(|| tick(link))?;
            if why != also || keys.done != macs.done {
                return Err(SessionError::Usage("the walks of shares differ".to_owned()));
            }
            let position = position(why, &keys);
            let theirs = link.exchange(Kind::Position, &position, position.len(), WALKING)?;
            if theirs != position {
                let what = "its engine reads the program in another order".to_owned();
                return Err(SessionError::Protocol { peer: link.peer, what });
            }
            let Stop::Inputs(needed) = why else {
                return Ok(self.stopped([keys, macs], first, why));
            };
            self.draw_inputs(bits, link, needed, [&mut keys, &mut macs])?;
            self.walks[0].go(keys);
            self.walks[1].go(macs);
        }
    }

    /// Draws shares for input bits.
    fn draw_inputs(
        &mut self,
        bits: &mut BitSource,
        link: &mut Link<'_>,
        needed: usize,
        [keys, macs]: [&mut Turn; 2],
    ) -> Result<(), SessionError> {
        let missing = needed - (keys.inputs.len() - keys.used);
        let more = self.undrawn.min(INPUTS_AT_ONCE as u64) as usize;
        let count = missing.max(more);
        self.undrawn = self.undrawn.saturating_sub(count as u64);
        let mut shares = Shares::with_capacity(count);
        draw(bits, link, count, &mut shares)?;
        for (turn, labels) in [(keys, &shares.key), (macs, &shares.mac)] {
            wipe::reserve(&mut turn.inputs, count);
            turn.inputs.extend_from_slice(labels);
        }
        Ok(())
    }

    fn stopped(
        &mut self,
        [mut keys, mut macs]: [Box<Turn>; 2],
        first: [usize; 2],
        why: Stop,
    ) -> (Rows, Rows, Stopped) {
        let labels = keys.inputs[first[0]..keys.used].iter().zip(&macs.inputs[first[1]..macs.used]);
        let inputs = keys.requested.iter().zip(labels).map(|(&(cycle, wire), (&key, &mac))| {
            let owner = self.order.owner(wire).unwrap_or(Party::Garbler);
            InputShare { read: InputRead { cycle, wire, owner }, key, mac }
        });
        let inputs = inputs.collect();
        let stopped = Stopped {
            ands: keys.done,
            inputs,
            outputs: [std::mem::take(&mut keys.outputs), std::mem::take(&mut macs.outputs)],
            notes: std::mem::take(&mut keys.notes),
            ended: match why {
                Stop::Ended(counters) => Some(counters),
                _ => None,
            },
        };
        let rows = [&mut keys, &mut macs].map(|turn| {
            turn.requested.clear();
            turn.notes.clear();
            let used = std::mem::take(&mut turn.used);
            turn.inputs.drain(..used);
            let done = turn.done;
            turn.rows[done..].fill([Label::ZERO; 3]);
            // A row gives the inputs first and the fresh mask last.
            std::mem::take(&mut turn.rows)
        });
        self.turns = [Some(keys), Some(macs)];
        let [keys, macs] = rows;
        (keys, macs, stopped)
    }
}

/// Keeps the channel alive.
pub(super) fn tick(link: &mut Link<'_>) -> Result<(), SessionError> {
    let peer = link.peer;
    link.channel.tick().map_err(|error| SessionError::channel(peer, WALKING, error))
}

/// Where a walk has stopped, for the comparison with the peer: why, ANDs of the window, input bits
/// of the window, and input labels that it needs.
fn position(why: Stop, turn: &Turn) -> [u8; 25] {
    let (kind, number) = match why {
        Stop::Inputs(needed) => (0, needed),
        Stop::Rows => (1, 0),
        Stop::Ended(_) => (2, turn.outputs.len()),
    };
    let mut position = [0; 25];
    position[0] = kind;
    let numbers = [turn.done, turn.requested.len(), number];
    for (to, number) in position[1..].chunks_exact_mut(8).zip(numbers) {
        to.copy_from_slice(&(number as u64).to_le_bytes());
    }
    position
}

const WALKING: &str = "walking through the program";
