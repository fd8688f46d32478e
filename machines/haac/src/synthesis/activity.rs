//! How much of the time programs use the parts of a machine, by the cycle model.

use crate::reproduce::lab::{self, Lab, Source};
use halfgate_circuit::Party;
use halfgate_haac_model::lower::{Lowering, lower};
use halfgate_haac_model::report::Report;
use halfgate_haac_model::{Description, Overrides};
use halfgate_synthesis::silicon::Use;

/// The programs: AES-128, and a matrix product of the paper.
pub const PROGRAMS: [&str; 2] = ["aes128", "matmult:8x32"];
/// The memory of the simulations.
const MEMORY: &str = "hbm2";

/// A simulated program on a machine.
pub struct Activity {
    program: &'static str,
    engines: f64,
    banks: f64,
    report: Report,
}

/// Simulates [`PROGRAMS`] on the machine called `name`, in the order `haac:best`.
///
/// # Errors
/// If there is no such machine.
pub fn simulate(name: &str, garbler: bool) -> Result<Vec<Activity>, String> {
    let found = Description::built_in(name).map_err(|e| e.to_string())?;
    let overrides = Overrides { memory: Some(MEMORY.to_owned()), ..Overrides::default() };
    let machine = found.machine(&overrides).map_err(|e| e.to_string())?;
    let role = if garbler { Party::Garbler } else { Party::Evaluator };
    let one = |program: &'static str| {
        let compiled = lab::program(Source::ours(program), lab::best(&machine))?;
        let code = lower(&compiled, machine.shape, Lowering::BEST).map_err(|e| e.to_string())?;
        let report = Lab { role, ..Lab::default() }.simulate(&code, &machine)?;
        let (engines, banks) = (f64::from(machine.shape.engines), f64::from(machine.banks()));
        Ok(Activity { program, engines, banks, report })
    };
    PROGRAMS.into_iter().map(one).collect()
}

impl Activity {
    /// The use of the part called `what`, one of those of
    /// [`rows`](super::designs::Machine::rows).
    ///
    /// # Errors
    /// If it is none of them.
    pub fn of(&self, what: &str) -> Result<Use, String> {
        let (used, cycles) = (&self.report.activity, self.report.cycles.max(1) as f64);
        let each_engine = |count: u64| count as f64 / (self.engines * cycles);
        let gates = each_engine(used.ands + used.xors);
        let accesses = (used.window_reads + used.window_writes) as f64;
        let memory = self.report.memory_share();
        let (cells, rams) = match what {
            "half-gate unit" => (each_engine(used.ands), 0.0),
            "XOR unit" => (each_engine(used.xors), 0.0),
            "engine without these" => (gates, 0.0),
            _ if what.starts_with("operand and forwarding") => (gates, 0.0),
            // In queues every word is written and read.
            "issue queue" | "dispatcher" => (gates, 2.0 * gates),
            "table queue" => (each_engine(used.ands), 2.0 * each_engine(used.ands)),
            "address queue" | "out-of-range queue" => {
                (each_engine(used.oor_pops), 2.0 * each_engine(used.oor_pops))
            }
            "live queue" => {
                let live = each_engine(self.report.traffic.live);
                (live, 2.0 * live)
            }
            // Every engine can read two labels and write one.
            _ if what.starts_with("window") => {
                (accesses / (3.0 * self.engines * cycles), accesses / (self.banks * cycles))
            }
            "memory side" | "the rest" => (memory, memory),
            // They count the cycles, at least.
            "counters" => (1.0, 0.0),
            _ => return Err(format!("it is not known how programs use {what}")),
        };
        Ok(Use { program: self.program.to_owned(), cells, rams })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesis::designs::Machine;

    #[test]
    fn the_use_of_every_row_is_known_and_a_share() {
        let activity =
            halfgate_haac_model::report::Activity { ands: 30, xors: 50, ..Default::default() };
        let report = Report { cycles: 100, activity, ..Report::default() };
        let run = Activity { program: "a program", engines: 4.0, banks: 16.0, report };
        for machine in ["haac-4ge", "haac-16ge"] {
            for row in Machine::new(machine, true).expect("a machine").rows() {
                let name = &row.design.name;
                let (_, what) = name.split_once(": ").expect("a part of it");
                let of = run.of(what).expect("known");
                assert!((0.0..=1.0).contains(&of.cells), "{name}: {of:?}");
            }
        }
        assert_eq!(run.of("half-gate unit").map(|of| of.cells), Ok(0.075));
        assert!(run.of("half gates").is_err());
    }
}
