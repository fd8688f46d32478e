//! Time that an overlay takes for a plan, and lower bounds of this time.

use super::device::{Fault, Modelled};
use super::host::{beats_ns, run};
use super::machine::{Begin, Counters, Garbles, Went};
use super::shape::AndCells;
use crate::{Overlay, Plan};

/// Times of a body that is garbled once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Timing {
    /// Counters of the machine.
    pub counters: Counters,
    /// Clock cycles by cause.
    pub went: Went,
    /// Total time in nanoseconds.
    pub ns: f64,
    /// Minimum time of the link for the words that the host sends: from the first to the last.
    pub link_ns: f64,
    /// Minimum time of the busiest port of DDR for its requests.
    pub ddr_ns: f64,
    /// Minimum time of the host's side of the link for tables.
    pub tables_ns: f64,
}

impl Timing {
    /// Runs the model without labels.
    ///
    /// # Errors
    /// If the model fails.
    pub fn of(overlay: &Overlay, plan: &Plan<'_>) -> Result<Timing, Fault> {
        let Overlay { shape, board, .. } = overlay;
        let memory = vec![(); plan.in_ddr() as usize];
        let mut device = Modelled::new(*shape, Nothing, memory);
        let half_gates = shape.and_cells != AndCells::Rows;
        let begin = Begin { half_gates, form: plan.form(), base: 0 };
        let (mut sending, mut requests) = (plan.sending(), [0_u64; 2]);
        let mut next = || Ok(sending.next(board.waits));
        let mut count = |seen: &super::Seen| {
            for (count, requested) in requests.iter_mut().zip(seen.requests) {
                *count += u64::from(requested.is_some());
            }
        };
        let around = (board, shape.words as usize, shape.link_clock);
        let (counters, ns) = run(&mut device, around, begin, &mut next, &mut count)?;
        let beats = plan.words().div_ceil(shape.words.into());
        let accesses = requests.map(|all| all as f64 * board.ddr_every_ns);
        Ok(Timing {
            counters,
            went: device.went(),
            ns,
            link_ns: beats_ns(board, shape.link_clock, beats),
            ddr_ns: accesses[0].max(accesses[1]),
            tables_ns: counters.ands as f64 * board.table_ns,
        })
    }

    /// The largest of the minimum times of link, DDR and tables.
    pub fn bound_ns(&self) -> f64 {
        self.link_ns.max(self.ddr_ns).max(self.tables_ns)
    }
}

/// Stands for a label.
struct Nothing;

impl Garbles for Nothing {
    type Label = ();

    fn blank(&self) {}
    fn constant(&self, _: bool) {}
    fn xor(&mut self, (): &(), (): &(), _: bool) {}
    fn and(&mut self, (): &(), (): &(), _: [bool; 3], _: u64) {}
}
