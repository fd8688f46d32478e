//! The part of a run that needs no input: the masks of windows, and their tables.

use super::correlate::{Correlator, Masks};
use super::cost::{
    COMBINED_AT_ONCE, LEAKY_AT_ONCE, MAX_WINDOW_ANDS, MIN_WINDOW_ANDS, bucket_size_of, split,
};
use super::evaluator::receive_tables;
use super::garbler::send_tables;
use super::job::{Job, Secrets};
use super::link::Link;
use super::outputs::Outputs;
use super::ready::Ready;
use super::shares::{Rows, ShareWalks, tick};
use super::walks::{Labels, Turn, Walk};
use crate::correlations::buckets::Shape;
use crate::session::{Event, SessionError, contract};
use halfgate_circuit::Party;
use halfgate_engine::ContractError;
use std::thread::Scope;

/// A party's walks without inputs.
pub(super) struct Making<'a> {
    party: Party,
    walks: ShareWalks<'a>,
    /// The garbler's walk that garbles.
    garbling: Option<Walk>,
    shape: Shape,
    /// ANDs done, and ANDs of the run.
    done: u64,
    total: u64,
}

impl<'a> Making<'a> {
    /// Starts the walks.
    ///
    /// # Errors
    /// If the system has no threads for them.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        job: Job<'a>,
        secrets: &'scope Secrets,
    ) -> Result<Making<'a>, SessionError>
    where
        'a: 'scope,
    {
        let key = &secrets.key;
        let start = |labels| job.start(scope, key, labels);
        let walks = [start(Labels::shares(Some(&secrets.delta)))?, start(Labels::shares(None))?];
        let garbling = match job.party {
            Party::Garbler => Some(start(Labels::false_labels(secrets.garbling(), &secrets.seed))?),
            Party::Evaluator => None,
        };
        let total = job.program.ands_per_cycle().saturating_mul(job.options.cycles);
        Ok(Making {
            party: job.party,
            walks: ShareWalks::new(walks, job.order),
            garbling,
            shape: shape_of(total),
            done: 0,
            total,
        })
    }

    /// Makes the masks of the next window, which still lacks its [tables](Making::tables).
    ///
    /// # Errors
    /// If the connection is lost, an engine fails, or a check fails.
    pub fn masks(
        &mut self,
        link: &mut Link<'_>,
        correlator: &mut Correlator,
        outputs: &Outputs<'_>,
        events: &mut dyn FnMut(Event),
    ) -> Result<Ready, SessionError> {
        let (masks, mut stopped): (Masks, _) =
            correlator.window(link, &mut self.walks, self.shape)?;
        self.done += stopped.ands as u64;
        link.channel.set_progress(self.done);
        for what in stopped.notes.drain(..) {
            events(Event::Note { what });
        }
        if stopped.ended.is_none() && self.done > self.total {
            return Err(contract(ContractError::NotPrepared));
        }
        Ok(Ready::new(self.party, masks, &stopped, outputs))
    }

    /// Sends or receives the window's tables.
    ///
    /// # Errors
    /// If the connection is lost, or the engine fails.
    pub fn tables(&mut self, link: &mut Link<'_>, ready: &mut Ready) -> Result<(), SessionError> {
        let Some(garbling) = &self.garbling else {
            return receive_tables(link, &mut ready.rows);
        };
        let rows = std::mem::take(&mut ready.rows);
        garbling.go(Box::new(Turn { rows, ..Turn::default() }));
        let (mut turn, _) = garbling.stop(|| tick(link))?;
        ready.check_walk(&turn)?;
        ready.rows = std::mem::take(&mut turn.rows);
        send_tables(link, &ready.rows)
    }

    /// Gives back rows whose memory the next window may use.
    pub fn reuse(&mut self, rows: [Rows; 2]) {
        self.walks.reuse(rows);
    }

    /// The event after a window.
    pub fn progress(&self) -> Event {
        Event::Progress { cycles: 0, ands: self.done, total_ands: self.total }
    }
}

/// The windows of a run with at most `total` ANDs. Tests have short ones, of several pieces and
/// blocks.
fn shape_of(total: u64) -> Shape {
    let (most, piece, block) = match cfg!(test) {
        true => (2 * MIN_WINDOW_ANDS, 400, 150),
        false => (MAX_WINDOW_ANDS, LEAKY_AT_ONCE, COMBINED_AT_ONCE),
    };
    let (ands, layers) = match split(total, most) {
        (_, 0) => (0, 1),
        windows => (windows.0 as usize, bucket_size_of(windows) as usize),
    };
    Shape { ands, layers, piece, block }
}
