//! The state of the machine in simulation, in the form of the exact model: the cause of each
//! engine's cycle, and the levels of the queues.

use halfgate_haac_model::model::Cause;
use halfgate_haac_model::model::exact::{QueueLevels, Snapshot, Watch};
use halfgate_verilated::{Error, Out, Simulation};
use std::sync::{Arc, Mutex, PoisonError};

/// An observer of every cycle of every launch.
pub type Watcher = Arc<Mutex<dyn Watch + Send>>;

/// Bits of a cause.
const CAUSE: u32 = 4;

/// Bits of a level.
const LEVEL: u32 = 16;

/// Signals that exist in simulation only.
pub(super) struct Observer {
    run: Out,
    cause: Out,
    levels: [Out; 6],
    causes: Vec<Cause>,
    /// The number of the previous cycle, if that cycle was counted.
    before: Option<u64>,
    watcher: Watcher,
}

impl Observer {
    pub fn new(sim: &Simulation, engines: u32, watcher: Watcher) -> Result<Observer, Error> {
        let level = |name| sim.output(&format!("sim_{name}_o"), LEVEL);
        Ok(Observer {
            run: sim.output("sim_run_o", 1)?,
            cause: sim.output("sim_cause_o", CAUSE * engines)?,
            levels: [
                level("level_issue")?,
                level("level_tables")?,
                level("level_addresses")?,
                level("level_wires")?,
                level("level_live")?,
                level("outstanding")?,
            ],
            causes: vec![Cause::Finished; engines as usize],
            before: None,
            watcher,
        })
    }

    /// Observes a cycle, before the clock edge that ends it. The levels in it belong to the
    /// previous cycle, which is now reported.
    pub fn cycle(&mut self, sim: &Simulation) {
        if let Some(cycle) = self.before {
            let [issue, tables, addresses, wires, live, in_flight] =
                self.levels.map(|level| sim.get_u64(level) as u32);
            let levels = QueueLevels { issue, tables, addresses, wires, live, in_flight };
            let mut watch = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
            watch.cycle(&Snapshot::of(cycle, &self.causes, levels));
        }
        if !sim.is_set(self.run) {
            self.before = None;
            return;
        }
        self.before = Some(self.before.map_or(0, |cycle| cycle + 1));
        for (e, cause) in (0..).zip(&mut self.causes) {
            let code = sim.field(self.cause, CAUSE * e, CAUSE) as usize;
            *cause = Cause::ALL.get(code).copied().unwrap_or(Cause::Finished);
        }
    }
}
