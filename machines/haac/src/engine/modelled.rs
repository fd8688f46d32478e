//! A machine on one of its two models, and the sums of its launches.

use crate::dram::Attachment;
use halfgate_engine::Simulated;
use halfgate_haac_model::Machine;
use halfgate_haac_model::model::exact::Extra;
use halfgate_kernels::{Kernel, choose};
use std::sync::{Arc, Mutex, PoisonError};

/// The model that determines the times of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// The model that keeps times only. The names of operands are those in the program.
    #[default]
    Fast,
    /// The model with all stages. It moves names as the hardware moves labels.
    Exact,
}

/// A machine on a model, and the kernel that computes its labels.
///
/// Clones share the sum of their launches.
#[derive(Clone, Debug)]
pub(super) struct Modelled {
    pub machine: Arc<Machine>,
    pub model: Model,
    /// Options that only the exact model has.
    pub extra: Extra,
    /// A DRAM behind the ports.
    pub dram: Option<Attachment>,
    pub kernel: &'static Kernel,
    launches: Arc<Mutex<Simulated>>,
}

impl Modelled {
    /// `machine` on the fast model, with the best kernel that this processor has.
    pub fn new(machine: Machine) -> Modelled {
        Modelled {
            machine: Arc::new(machine),
            model: Model::default(),
            extra: Extra::default(),
            dram: None,
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
