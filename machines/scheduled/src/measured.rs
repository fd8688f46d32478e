use halfgate_scheduled_model::model::Report;

/// What the machine counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measured {
    /// Clocks in which time passed.
    pub clocks: u64,
    /// Clocks in which the host was not ready.
    pub stalls: u64,
    /// Gates taken.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// Operands that were forwarded.
    pub forwarded: u64,
    /// Input labels made.
    pub input_labels: u64,
    /// Labels that the host got, as it counts them.
    pub labels: u64,
}

impl Measured {
    /// Whether a model says the same.
    pub fn agrees(&self, report: &Report) -> bool {
        let Measured { clocks, gates, ands, forwarded, input_labels, labels, .. } = *self;
        let Report {
            clocks: c, gates: g, ands: a, forwarded: f, input_labels: i, labels: l, ..
        } = *report;
        [clocks, gates, ands, forwarded, input_labels, labels] == [c, g, a, f, i, l]
    }
}
