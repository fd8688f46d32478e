//! Chooses the wires to copy: wires read out of range that will be read again soon, and wires that
//! are about to leave the window.
//!
//! A copy is useful if it is still in the window when the wire is read. This depends on the number
//! of COPY and INV instructions inserted until then, which is estimated from the recent rate. A
//! wrong estimate only costs an instruction or a read from memory.

use super::{Name, REMEMBERED, Renamer};
use crate::instruction::Unary;
use crate::lower::uses::{NEVER, Use};
use crate::lower::{Copies, LowerError};
use crate::machine::Shape;
use halfgate_circuit::{Gate, Wire};

/// Fraction bits of [`Keeper::addresses_per_gate`], and its upper limit.
const FRACTION: u32 = 16;
const MAX_ADDRESSES_PER_GATE: u64 = 8;
/// Measurements of the rate per half of the window.
const STRETCHES: u32 = 8;

/// State of the decisions about copies.
pub(super) struct Keeper {
    /// A copy is worth an instruction if the wire is read again within this many halves of the
    /// window. 0: no copies.
    reach: u32,
    /// Whether wires that are about to leave the window are copied.
    ahead: bool,
    /// Recent number of addresses per gate, COPY and INV included, times 2^[`FRACTION`].
    addresses_per_gate: u64,
    /// Address at which the rate is measured again, and the gate at which it was measured last.
    measure_at: u32,
    measured_position: u32,
    /// The next address that is examined before it leaves the window.
    next: u32,
}

impl Keeper {
    /// The state before the first instruction, whose result will have address `first`.
    pub fn new(copies: Copies, first: u32) -> Keeper {
        let (reach, ahead) = match copies {
            Copies::Never => (0, false),
            Copies::Auto => (1, false),
            Copies::Keep { halves } => (halves.max(1), true),
        };
        Keeper {
            reach,
            ahead,
            addresses_per_gate: 1 << FRACTION,
            measure_at: first,
            measured_position: 0,
            next: 1,
        }
    }

    /// Measures the number of addresses per gate, once per eighth of a half. Called for each
    /// instruction, with its address and the position of its gate.
    #[inline]
    pub fn measure(&mut self, shape: Shape, address: u32, position: u32) {
        if address < self.measure_at {
            return;
        }
        let stretch = (shape.half() / STRETCHES).max(1);
        let gates = u64::from(position - self.measured_position).max(1);
        let rate = (u64::from(stretch) << FRACTION) / gates;
        let rate = rate.clamp(1 << FRACTION, MAX_ADDRESSES_PER_GATE << FRACTION);
        self.addresses_per_gate = (self.addresses_per_gate + rate) / 2;
        self.measured_position = position;
        self.measure_at = address + stretch;
    }
}

impl Renamer {
    /// Whether a copy of an out-of-range operand will be in the window at its next use.
    #[inline]
    pub(super) fn is_worth_a_copy(&self, later: Use) -> bool {
        self.keeper.reach > 0
            && later.position() != NEVER
            && self.halves_until(later.position()) <= self.keeper.reach
    }

    /// Estimated number of halves of the window from the next address to those of the gate at
    /// `position`.
    #[inline]
    fn halves_until(&self, position: u32) -> u32 {
        let gates = u64::from(position - self.position);
        let addresses = (gates * self.keeper.addresses_per_gate) >> FRACTION;
        let then = (u64::from(self.next) + addresses) >> self.shape.half().trailing_zeros();
        then as u32 - self.shape.half_of(self.next)
    }

    /// Copies wires that are about to leave the window; called after each gate.
    #[inline]
    pub(super) fn keep(&mut self, gate: Gate, operands: [Use; 2]) -> Result<(), LowerError> {
        if !self.keeper.ahead {
            return Ok(());
        }
        for (wire, later) in gate.operands().zip(operands) {
            self.keep_if_passed(wire, later)?;
        }
        self.keep_next()
    }

    /// Examines the next addresses of the half that leaves the window next, and copies the wires
    /// there that are read soon after they have left. Examines at most two addresses per gate:
    /// otherwise copies of copies would leave no space for gates.
    #[inline]
    fn keep_next(&mut self) -> Result<(), LowerError> {
        let shape = self.shape;
        for _ in 0..2 {
            if !shape.in_window(self.keeper.next, self.next) {
                self.keeper.next = (shape.half_of(self.next) - 1) * shape.half();
            }
            let address = self.keeper.next;
            if address + shape.half() > self.next {
                break;
            }
            self.keeper.next = shape.next_address(address);
            if let Some((wire, position)) = self.spent.reader(address) {
                self.copy_ahead(wire, position)?;
            }
        }
        Ok(())
    }

    /// Copies a wire that was just read if [`keep_next`](Renamer::keep_next) has already passed its
    /// address.
    #[inline]
    fn keep_if_passed(&mut self, wire: Wire, later: Use) -> Result<(), LowerError> {
        if later.position() != NEVER
            && let Some(name) = self.names.get(wire).map(Name::from_code)
            && name.address < self.keeper.next
            && self.shape.in_window(name.address, self.next)
        {
            self.copy_ahead(wire, later.position())?;
        }
        Ok(())
    }

    /// Copies a wire, whose newest address is in the half that leaves the window next, if its read
    /// at `position` is soon after that.
    fn copy_ahead(&mut self, wire: Wire, position: u32) -> Result<(), LowerError> {
        if (1..=self.keeper.reach).contains(&self.halves_until(position)) {
            let old = Name::from_code(self.names.get(wire).expect(REMEMBERED));
            self.rename(Unary::Copy, wire, old, position)?;
        }
        Ok(())
    }
}
