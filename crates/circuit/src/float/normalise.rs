//! Moves the leading one to the top, but not further than the exponent allows.

use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// A significand that is shifted up in stages. Stage `j` may shift by `2^j` places; the stage with
/// the largest `j` is the first.
///
/// The budget is the largest total shift that the exponent allows. Stage `j` checks whether the top
/// `2^j` bits are 0, and whether the budget left is at least `2^j`. If the budget allows the shift
/// but the top bits are not 0, more budget is left than all later stages can use. From then on, the
/// bit `unlimited` replaces the budget. So gradual underflow takes only three ANDs per stage.
pub(super) struct Normaliser {
    /// The bits that may still matter, top bit first.
    pub(super) window: Vec<Bit>,
    /// Whether a bit below the window differs from `fill`.
    pub(super) sticky: Bit,
    /// Whether more budget is left than the lower stages can use.
    pub(super) unlimited: Bit,
    /// The value of every bit below the window.
    pub(super) fill: Bit,
    /// If 1, every stage shifts, whatever the window and the budget are. The window is then filled
    /// with `fill`. Costs at most one AND per stage.
    pub(super) flush: Bit,
}

impl Normaliser {
    /// Drops the bits that the last `stages` stages cannot move into the top `keep` bits. One AND
    /// per dropped bit.
    pub(super) fn cut(&mut self, b: &mut Builder, keep: usize, stages: usize) {
        let reach = keep + (1 << stages) - 1;
        if self.window.len() > reach {
            self.lose(b, reach, Bit::TRUE);
            self.window.truncate(reach);
        }
    }

    /// Counts the bits from `start` on as lost if `condition` is 1.
    fn lose(&mut self, b: &mut Builder, start: usize, condition: Bit) {
        let below = &self.window[start.min(self.window.len())..];
        let differ: Vec<Bit> = below.iter().map(|&bit| b.xor(bit, self.fill)).collect();
        let lost = !int::is_zero(b, &differ);
        let lost = b.and(condition, lost);
        self.sticky = b.or(self.sticky, lost);
    }

    /// Shifts up by `2^stage` if that many bits at the top are 0 and the budget allows it. `budget`
    /// is the budget's bit of this stage. Returns whether it shifted. Keeps the bits that may still
    /// reach the top `keep` bits. With `s = 2^stage`, it takes `keep + s - 1` ANDs to shift,
    /// `s - 1` to check the top, `s + 1` for the sticky bit, 4 for the budget.
    pub(super) fn stage(&mut self, b: &mut Builder, keep: usize, stage: usize, budget: Bit) -> Bit {
        let step = 1 << stage;
        let zeros = int::is_zero(b, &self.window[..step.min(self.window.len())]);
        let allowed = b.or(self.unlimited, budget);
        let up = b.and(zeros, allowed);
        if stage > 0 {
            // `zeros ? unlimited : allowed`, which is `unlimited | budget & !zeros`.
            let still = b.and(zeros, self.unlimited);
            let rest = b.xor(allowed, up);
            self.unlimited = b.xor(rest, still);
        }
        let shift = b.or(up, self.flush);
        self.shift_up_if(b, shift, keep + step - 1, step);
        up
    }

    /// Shifts up by `step` if `up` is 1, and keeps `reach` bits.
    fn shift_up_if(&mut self, b: &mut Builder, up: Bit, reach: usize, step: usize) {
        self.lose(b, reach, !up);
        let at = |i: usize| self.window.get(i).copied().unwrap_or(self.fill);
        self.window = (0..reach).map(|i| b.mux(up, at(i + step), at(i))).collect();
    }

    /// Shifts down by `2^stages` unless `stay` is 1, and keeps the bits that the last `stages`
    /// stages may move into the top `keep` bits.
    pub(super) fn shift_down_unless(
        &mut self,
        b: &mut Builder,
        stay: Bit,
        keep: usize,
        stages: usize,
    ) {
        let (step, reach) = (1 << stages, keep + (1 << stages) - 1);
        self.cut(b, keep, stages);
        self.lose(b, reach - step, !stay);
        let at = |i: usize| self.window.get(i).copied().unwrap_or(self.fill);
        let above = |i: usize| i.checked_sub(step).map_or(Bit::FALSE, at);
        self.window = (0..reach).map(|i| b.mux(stay, at(i), above(i))).collect();
    }
}
