//! Malicious sessions: authenticated garbling.
//!
//! The protocol is that of Katz, Ranellucci, Rosulek and Wang ("Optimizing Authenticated Garbling
//! for Faster Secure Two-Party Computation", CRYPTO 2018, ePrint 2018/578) with half gates.
//! `docs/malicious.md` describes it message by message; [`crate::correlations`] has its
//! computations without I/O.
//!
//! A run is divided into *windows* of some 2^17 ANDs. In each window both parties
//! ([`correlate`]) draw authenticated bits, walk through the program to get the masks of all wires,
//! and multiply the masks of each AND's inputs. Then the [`garbler`] sends tables and the active
//! labels of inputs, the [`evaluator`] returns the masked values of all ANDs, the garbler proves
//! that the tables were right, and each party opens its shares of the outputs that the other
//! learns. [`ahead`] does the first half of this for all windows of a run, before the inputs are
//! known. Memory is that of a window, and of the wires alive at once in four walks of the engine.

pub mod ahead;
mod correlate;
pub mod cost;
mod draw;
mod evaluator;
mod extent;
mod garbler;
mod job;
mod link;
mod making;
mod meter;
mod online;
mod outputs;
mod ready;
mod run;
mod shares;
mod walks;

use super::inputs::{InputOrder, Values};
use super::late::Inputs;
use super::prepare::prepare;
use super::reports::Reports;
use super::{Event, RunOptions, SessionError};
use crate::channel::Channel;
use crate::handshake::Agreement;
use correlate::Correlator;
use extent::{Extent, agree};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, wipe};
use job::{Job, Own};
use link::Link;
use run::run;
use std::time::Instant;

/// What a party runs in a malicious session, and what it agreed on.
pub(super) struct Malicious<'a> {
    pub party: Party,
    pub program: &'a Program,
    pub engine: &'a dyn Engine,
    pub order: &'a InputOrder,
    pub agreement: &'a Agreement,
    pub options: &'a RunOptions,
}

impl<'a> Malicious<'a> {
    pub fn new(
        party: Party,
        (program, engine): (&'a Program, &'a dyn Engine),
        order: &'a InputOrder,
        agreement: &'a Agreement,
        options: &'a RunOptions,
    ) -> Malicious<'a> {
        Malicious { party, program, engine, order, agreement, options }
    }
}

/// A malicious session after the handshake, for either party.
///
/// # Errors
/// See [`SessionError`].
pub(super) fn session(
    channel: &mut dyn Channel,
    malicious: Malicious<'_>,
    inputs: &Inputs<'_>,
    events: &mut dyn FnMut(Event),
    reports: &mut Reports,
) -> Result<(), SessionError> {
    let Malicious { party, program, engine, order, agreement, options } = malicious;
    let peer = party.other();
    let start = Instant::now();
    let mut link = Link { channel, peer };
    agree(&mut link, Extent::Whole)?;
    // The preparation counts against the run, since its length is the program's.
    link.channel.set_deadline(options.deadlines.run());
    let prepared = prepare(link.channel, peer, engine, program)?;
    let authenticated = prepared.authenticated();
    let unable = || SessionError::Unauthenticated { engine: engine.name() };
    let authenticated = authenticated.ok_or_else(unable)?;
    reports.prepared(start, events);
    events(Event::SetupStarted);
    link.channel.set_deadline(options.deadlines.transfers());
    let mut correlator = Correlator::set_up(&mut link, party, agreement)?;
    reports.set_up(events);
    link.channel.set_deadline(options.deadlines.run());
    let (engine, learn) = (authenticated, &agreement.learn[..]);
    let job = Job { party, program, engine, order, learn, options };
    for (number, inputs) in inputs.each().iter().enumerate() {
        if number > 0 {
            link.channel.set_deadline(options.deadlines.run());
        }
        let start = Instant::now();
        events(Event::RunStarted { run: number });
        let values = Values::new(party, number, (order, inputs), options.feed.as_ref());
        let mut own = Own { values, events };
        let (ended, counters) = run(job, &mut link, &mut correlator, &mut own)?;
        let total = start.elapsed();
        // A report outlives the session, and its unused bytes could hold secrets from the stack.
        wipe::stack();
        reports.add(link.channel, agreement, ended, counters, total)?;
    }
    link.channel.close().map_err(|error| SessionError::channel(peer, "ending the session", error))
}
