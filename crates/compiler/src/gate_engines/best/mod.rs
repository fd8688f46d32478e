//! The order `haac:best`: list scheduling against a model of the machine's clock. Cycles in this
//! module are clock cycles.
//!
//! # What it optimises
//!
//! A program's time has three lower bounds: the number of instructions divided by that of engines,
//! the longest path at true latencies, and the bytes to move divided by the bandwidth. [`plan`]
//! takes the greatest of them. To approach the first two bounds, independent gates must be side by
//! side. To approach the third, wires must be read again while they are still in the window.
//! Sorting by levels, as in `haac:full`, is best for the first bound, but does nothing for the
//! third. This pass takes gates from far ahead only if the machine would otherwise wait.
//!
//! # How
//!
//! 1. [`invert`] turns the remaining inversions into gates: the INV instructions.
//! 2. [`heights`] goes backwards and records three facts for each gate: its distance from the end
//!    of the program at true latencies, the operands that no later gate reads, and the operands
//!    that other gates soon read again.
//! 3. [`schedule`] goes forwards over a *lookahead* of [`LOOKAHEAD`] windows' worth of gates and
//!    simulates the machine. Each position of the program belongs to an engine (position modulo
//!    engines), and each engine issues in order. A gate gets the next position if its operands are
//!    available and the window's banks have free accesses ([`clock`]). Among the ready gates, the
//!    gate with the earliest *turn* goes first. A gate's turn is a planned time. It combines the
//!    gate's distance from the end with its place in the baseline order ([`plan`]). If the longest
//!    path is short, turns follow the baseline order, which keeps reads local. If the longest path
//!    determines the time, turns follow the path. In between, all independent parts advance at the
//!    same speed, so that a result does not wait long for its reader. If memory determines the
//!    time, gates are issued no faster than memory moves their bytes, which keeps the order closer
//!    to the baseline.
//! 4. The schedule knows every wire's address ([`addresses`]). A wire that has left the window and
//!    will soon be read again is brought back by a copy gate (the COPY instruction) in time for its
//!    reader.
//! 5. If [`estimate`] finds the result clearly worse than planned, or the program is short, two
//!    other orders are tried: the lookahead sorted by levels, and `haac:segment`. The best of the
//!    three is taken.
//!
//! If the plan leaves time, a result stays unread for up to 16 cycles. Then an engine that is late
//! for reasons outside the schedule (inputs still loading, memory) does not stall the others.
//!
//! All computation is integer arithmetic on public numbers in a fixed order, so both parties get
//! the same program.
//!
//! # Cost
//!
//! A gate costs a few operations on a binary heap and is compared with at most 256 others. Memory:
//! 40 bytes for each gate of the lookahead (or of the program, if that is shorter) and as many for
//! sorting it by levels afterwards, 8 bytes for each label of the window, 4 bytes for each input
//! bit and flip-flop, the wires alive at once, and the in-memory parts of the spools.

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

/// Length of the lookahead, in windows of the machine. This length covers all passes of a bubble
/// sort of 256 numbers that can run in parallel.
const LOOKAHEAD: u32 = 64;

/// The longest lookahead in gates, for any size of the window.
const MOST_AHEAD: u32 = 1 << 23;

/// Reorders `circuit`, which is in the baseline order and whose uses are `uses`, for the machine
/// that `params` describe. Copy gates in the result are COPY and INV instructions.
///
/// # Errors
/// If a temporary file cannot be written or read, or if copies make too many wires.
pub(crate) fn best(
    circuit: Circuit,
    uses: Uses,
    params: &BestParams,
) -> Result<Circuit, CompileError> {
    // If a wire is read again within a quarter of the window, a copy of it is worth its cost before
    // the copy leaves the window.
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
    // If a program is not much longer than the window, sorting it by levels causes few out-of-range
    // reads.
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

/// Returns `circuit` without its gates.
fn ports(circuit: &Circuit) -> Circuit {
    Circuit {
        inputs: circuit.inputs.clone(),
        flip_flops: circuit.flip_flops.clone(),
        gates: Default::default(),
        outputs: circuit.outputs.clone(),
        cycles: circuit.cycles,
    }
}
