//! Energy of a run, from the power of each component (HAAC, Table 4) and how much it worked.
//!
//! The paper gives average powers over its benchmarks, and not how busy components were. Here each
//! is taken for the power of a component that works in every cycle, and scaled by the share of the
//! time that it does: half-gate units by cycles with an AND inside; XOR units and the forwarding
//! network by operations; crossbar and window by accesses to banks; queues and the interface of the
//! memory by the share of the bandwidth that is used. So it is a lower figure than the average power
//! times the time.

use crate::haac::machine::{Components, Machine};
use crate::haac::report::Report;

/// Accesses that a bank has in a cycle.
const ACCESSES: f64 = 2.0;

/// Energy of a run in microjoules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Energy {
    /// By component.
    pub components_uj: Components,
}

impl Energy {
    /// The energy of a run that `report` tells of, on `machine`.
    pub fn of(machine: &Machine, report: &Report) -> Energy {
        let power = machine.power_mw();
        let cycles = report.cycles.max(1) as f64;
        let engines = f64::from(machine.shape.engines);
        let activity = &report.activity;
        let share = |count: u64, a_cycle: f64| (count as f64 / (cycles * a_cycle)).min(1.0);
        let banks = share(
            activity.window_reads + activity.window_writes,
            f64::from(machine.banks()) * ACCESSES,
        );
        let memory = report.memory_share().min(1.0);
        // mW times microseconds are nanojoules.
        let uj = cycles / f64::from(machine.mhz) * 1e-3;
        let hbm = machine.memory.name == "hbm2";
        Energy {
            components_uj: Components {
                half_gate: power.half_gate * share(activity.half_gate_cycles, engines) * uj,
                free_xor: power.free_xor * share(activity.xors, engines) * uj,
                forwarding: power.forwarding * share(activity.forwarded, 2.0 * engines) * uj,
                crossbar: power.crossbar * banks * uj,
                window: power.window * banks * uj,
                queues: power.queues * memory * uj,
                phy: if hbm { power.phy * memory * uj } else { 0.0 },
            },
        }
    }

    /// All components together, in microjoules.
    pub fn total_uj(&self) -> f64 {
        self.named().iter().map(|(_, uj)| uj).sum()
    }

    /// Every component with its name.
    pub fn named(&self) -> [(&'static str, f64); 7] {
        let c = &self.components_uj;
        [
            ("half gates", c.half_gate),
            ("XORs", c.free_xor),
            ("forwarding", c.forwarding),
            ("crossbar", c.crossbar),
            ("window", c.window),
            ("queues", c.queues),
            ("HBM2 interface", c.phy),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::haac::description::{Description, Overrides};
    use crate::haac::report::Activity;

    #[test]
    fn a_machine_that_always_works_takes_the_power_of_table_4() {
        let description = Description::built_in("haac-16ge").expect("built in");
        let overrides = Overrides { memory: Some("hbm2".to_owned()), ..Overrides::default() };
        let machine = description.machine(&overrides).expect("a machine");
        let cycles = 1000;
        let mut report = Report {
            cycles,
            wire_bytes: 16,
            bytes_per_cycle: (512, 1),
            activity: Activity {
                xors: 16 * cycles,
                half_gate_cycles: 16 * cycles,
                window_reads: 64 * cycles,
                window_writes: 64 * cycles,
                forwarded: 32 * cycles,
                ..Activity::default()
            },
            ..Report::default()
        };
        report.traffic.table_bursts = 8 * cycles;
        let energy = Energy::of(&machine, &report);
        // A microsecond at the power of all components, in mW.
        let power = machine.power_mw();
        let all = power.half_gate
            + power.free_xor
            + power.forwarding
            + power.crossbar
            + power.window
            + power.queues
            + power.phy;
        assert!((energy.total_uj() - all * 1e-3).abs() < 1e-9, "{energy:?}");
        report.activity.half_gate_cycles /= 4;
        let quarter = Energy::of(&machine, &report).components_uj.half_gate;
        assert!((quarter * 4.0 - power.half_gate * 1e-3).abs() < 1e-9);
        report.traffic.table_bursts = 0;
        assert_eq!(Energy::of(&machine, &report).components_uj.phy, 0.0);
    }
}
