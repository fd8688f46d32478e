//! Energy from HAAC's Table 4, by the use of each part of the machine.
//!
//! The table gives the average powers of a machine of 16 engines. A description holds them, and
//! [`Machine::power_mw`] scales them. We take each as the power of a part that is fully used. The
//! energy of a part is this power times the time that its uses would fill if it were fully used:
//!
//! | part | in each cycle of full use |
//! |---|---|
//! | half gates | every engine's unit holds at least one AND |
//! | XOR units | every engine issues an XOR or UNARY |
//! | forwarding | both operands of every engine come over the bus |
//! | crossbar, window | every engine reads two labels and writes one |
//! | queues | every engine issues an instruction |
//! | HBM2 interface | memory moves as many bytes as it can |
//!
//! The paper's average over its benchmarks is 1.50 W, at an activity that it does not give. By this
//! formula a machine that is always busy draws 1.50 W, and one that waits draws less. The table
//! does not separate leakage, so waiting costs no energy here.

use crate::machine::{Components, Machine};
use crate::report::Report;

/// Energy and time of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Energy {
    /// Energy of each part, in nJ. The HBM2 interface is separate, as in the paper.
    pub nanojoules: Components,
    /// The time of the run in microseconds.
    pub microseconds: f64,
}

impl Energy {
    /// The energy of a run on `machine`.
    pub fn of(report: &Report, machine: &Machine) -> Energy {
        let engines = f64::from(machine.shape.engines);
        let mhz = f64::from(machine.mhz);
        let power = machine.power_mw();
        // Energy in nJ of a part with this power, fully used for this many cycles: 1 mW for 1 us is
        // 1 nJ.
        let nanojoules = |milliwatts: f64, cycles: f64| milliwatts * cycles / mhz;
        let used = &report.activity;
        let accesses = (used.window_reads + used.window_writes) as f64 / (3.0 * engines);
        let memory = report.memory_share() * report.cycles as f64;
        Energy {
            nanojoules: Components {
                half_gate: nanojoules(power.half_gate, used.half_gate_cycles as f64 / engines),
                free_xor: nanojoules(power.free_xor, used.xors as f64 / engines),
                forwarding: nanojoules(power.forwarding, used.forwarded as f64 / (2.0 * engines)),
                crossbar: nanojoules(power.crossbar, accesses),
                window: nanojoules(power.window, accesses),
                queues: nanojoules(power.queues, (used.ands + used.xors) as f64 / engines),
                phy: nanojoules(power.phy, memory),
            },
            microseconds: report.cycles as f64 / mhz,
        }
    }

    /// The energy of all parts except the HBM2 interface, in nJ.
    pub fn total(&self) -> f64 {
        let parts = &self.nanojoules;
        parts.half_gate
            + parts.free_xor
            + parts.forwarding
            + parts.crossbar
            + parts.window
            + parts.queues
    }

    /// The average power of all parts except the HBM2 interface, in mW.
    pub fn average_mw(&self) -> f64 {
        if self.microseconds > 0.0 { self.total() / self.microseconds } else { 0.0 }
    }
}
