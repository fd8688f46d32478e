use halfgate_scheduled_model::model::Report;

/// The counters of the hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measured {
    /// Clock cycles without stalls.
    pub clocks: u64,
    /// Clock cycles in which the host was not ready.
    pub stalls: u64,
    /// Gates taken.
    pub gates: u64,
    /// ANDs among the gates taken.
    pub ands: u64,
    /// Operands that were forwarded.
    pub forwarded: u64,
    /// Input labels made.
    pub input_labels: u64,
    /// Labels that the host received, by its own count.
    pub labels: u64,
}

impl Measured {
    /// Whether the model has the same counts.
    pub fn agrees(&self, report: &Report) -> bool {
        let Measured { clocks, gates, ands, forwarded, input_labels, labels, .. } = *self;
        let Report {
            clocks: c, gates: g, ands: a, forwarded: f, input_labels: i, labels: l, ..
        } = *report;
        [clocks, gates, ands, forwarded, input_labels, labels] == [c, g, a, f, i, l]
    }
}
