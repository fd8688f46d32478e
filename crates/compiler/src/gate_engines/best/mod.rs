//! The order `haac:best`: list scheduling on the machine's own clock.
//!
//! # What it optimises
//!
//! Three things bound a program: instructions over engines, the longest path at true latencies, and
//! bytes over bandwidth ([`plan`] takes the greatest). The first two ask for gates side by side,
//! the third for wires that are read again while they are still in the window. Levels, as in
//! `haac:full`, give all of the first and nothing of the last; this pass takes from far ahead only
//! what the machine would otherwise wait for.
//!
//! # How
//!
//! 1. [`invert`] makes the inversions that are left gates of their own: the INV instructions.
//! 2. [`heights`] goes backwards and notes how far each gate is from the end, at true latencies,
//!    which of its operands it is the last to read, and which will soon be read again.
//! 3. [`schedule`] goes forwards over a *lookahead* of [`LOOKAHEAD`] windows' worth of gates and
//!    runs the machine: each position of the program belongs to an engine (position modulo
//!    engines), each engine issues in order, and a gate goes to the next position if its operands
//!    are known and its accesses to the window's banks find room ([`clock`]). Of the ready gates
//!    the one whose *turn* is first is taken: its place on the path, and its place in the baseline
//!    order at the speed that the path leaves ([`plan`]). So a program with gates to spare stays as
//!    local as its baseline, one that is bound by its path follows the path, and in between all
//!    parts that run side by side go on at one speed, so that what one leaves for the next is not
//!    left for long. Where memory is the bound, gates are taken no faster than memory moves their
//!    bytes, which keeps the order closer still.
//! 4. The schedule knows every wire's address ([`addresses`]). A wire that has left the window and
//!    will soon be read again is brought back by a copy gate, the COPY instruction, in time for the
//!    gate that needs it.
//! 5. If [`estimate`] finds the result clearly worse than planned, or the program is short, it is
//!    compared with the lookahead sorted by levels and with the order `haac:segment`, and the best
//!    one is taken.
//!
//! Where there is time, results lie idle for up to 16 cycles before they are read, for engines that
//! are late because of things which are not scheduled (inputs still to be loaded, memory) then do
//! not stop others.
//!
//! All of it is integer arithmetic on public numbers in a fixed order: both parties get the same.
//!
//! # Cost
//!
//! A gate costs a few operations on a binary heap and looks at no more than 256 others. Memory: 40
//! bytes for each gate of the lookahead (or of the program, if that is shorter) and as many for
//! sorting it by levels afterwards, 8 bytes for each label of the window, 4 bytes an input bit and
//! flip-flop, the wires alive at once, and the shares of spools.

mod addresses;
mod clock;
mod estimate;
mod heights;
mod invert;
mod plan;
mod schedule;

use super::params::BestParams;
use super::segment::segment_of;
use crate::dead::rename_ports;
use crate::error::CompileError;
use crate::uses::Uses;
use estimate::Estimate;
use halfgate_circuit::Circuit;
use heights::Heights;
use plan::Plan;

/// Gates that are looked at, in windows of the machine: enough that the passes of a bubble sort
/// over 256 numbers which run side by side are all in sight.
const LOOKAHEAD: u32 = 64;

/// The most gates that are looked at, however large the window is.
const MOST_AHEAD: u32 = 1 << 23;

/// `circuit`, which is in the baseline order and whose uses are `uses`, in an order for the machine
/// that `params` describe. Its copy gates are COPY and INV instructions.
///
/// # Errors
/// If a temporary file cannot be written or read, or if copies make too many wires.
pub(crate) fn best(
    circuit: Circuit,
    uses: Uses,
    params: &BestParams,
) -> Result<Circuit, CompileError> {
    // What is soon read again pays for its copy before the window leaves that.
    let soon = params.window as usize / 4;
    let circuit = invert::explicit(circuit, uses, soon)?;
    let heights = Heights::of(&circuit, params, soon)?;
    let inputs = heights.inputs;
    let ahead = params.window.saturating_mul(LOOKAHEAD).min(MOST_AHEAD);
    let plan = Plan::new(&circuit, &heights, params);
    let (gates, renamed) = schedule::schedule(&circuit, heights, params, plan, ahead as usize)?;
    let first = circuit.first_gate_wire();
    let mut best =
        rename_ports(ports(&circuit), gates, |wire| schedule::name(&renamed, first, wire).bit());
    let mut least = Estimate::of(&best, inputs, params);
    // Levels of a program that is not much longer than the window leave little outside it.
    let short = circuit.gates.len() <= 2 * params.window as usize;
    if !short && least.is_close_to(plan.cycles) {
        return Ok(best);
    }
    for piece in [ahead, params.window / 2] {
        let other = segment_of(&circuit, ports(&circuit), Uses::of(&circuit)?, piece)?;
        let estimate = Estimate::of(&other, inputs, params);
        if estimate.beats(&least) {
            (best, least) = (other, estimate);
        }
    }
    Ok(best)
}

/// `circuit` without its gates.
fn ports(circuit: &Circuit) -> Circuit {
    Circuit {
        inputs: circuit.inputs.clone(),
        flip_flops: circuit.flip_flops.clone(),
        gates: Default::default(),
        outputs: circuit.outputs.clone(),
        cycles: circuit.cycles,
    }
}
