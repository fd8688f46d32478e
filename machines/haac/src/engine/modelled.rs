//! A machine as one of its two models, and what its launches took.

use halfgate_engine::Simulated;
use halfgate_haac_model::Machine;
use halfgate_haac_model::model::exact::Extra;
use halfgate_kernels::{Kernel, choose};
use std::sync::{Arc, Mutex, PoisonError};

/// Which of the two models says what happens when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// The one that keeps only times: names are the program's own.
    #[default]
    Fast,
    /// The one that goes stage by stage, and moves names as the hardware moves labels.
    Exact,
}

/// A machine that a model runs, with the kernel that computes its labels.
///
/// Clones share the sum of their launches.
#[derive(Clone, Debug)]
pub(super) struct Modelled {
    pub machine: Arc<Machine>,
    pub model: Model,
    /// What only the exact model has.
    pub extra: Extra,
    pub kernel: &'static Kernel,
    launches: Arc<Mutex<Simulated>>,
}

impl Modelled {
    /// `machine` by the fast model, with the best kernel that this processor has.
    pub fn new(machine: Machine) -> Modelled {
        Modelled {
            machine: Arc::new(machine),
            model: Model::default(),
            extra: Extra::default(),
            kernel: choose::best(),
            launches: Arc::default(),
        }
    }

    /// Adds a launch to the sum.
    pub fn launched(&self, clock_cycles: u64) {
        let mut all = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        all.clock_cycles += clock_cycles;
        all.launches += 1;
        all.mhz = f64::from(self.machine.mhz);
    }

    /// The sum of all launches.
    pub fn simulated(&self) -> Simulated {
        *self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
