//! The model as a device: a machine together with the contents of DDR.

use super::host::{Device, Stuck};
use super::machine::{Begin, Counters, Garbles, Inputs, Machine, Seen, Went};
use super::shape::Shape;

/// The model with its DDR.
pub struct Modelled<G: Garbles> {
    machine: Machine<G>,
    /// Labels in DDR, by address.
    pub memory: Vec<G::Label>,
    failed: Option<Fault>,
}

/// Why the model stops early.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A command's address exceeds DDR.
    #[error("a command uses label {address} of DDR, which holds {labels} labels")]
    Address {
        /// The address.
        address: u32,
        /// Capacity of DDR in labels.
        labels: usize,
    },
    /// The overlay makes no progress.
    #[error(transparent)]
    Stuck(#[from] Stuck),
}

impl<G: Garbles> Modelled<G> {
    /// Returns an overlay after its reset, with these contents of DDR.
    ///
    /// # Panics
    /// If the [shape](Shape::check) is impossible.
    pub fn new(shape: Shape, garbles: G, memory: Vec<G::Label>) -> Modelled<G> {
        Modelled { machine: Machine::new(shape, garbles), memory, failed: None }
    }

    /// The operations on labels.
    pub fn garbles(&mut self) -> &mut G {
        self.machine.garbles()
    }

    /// Clock cycles of the run so far, by cause.
    pub fn went(&self) -> Went {
        self.machine.went()
    }

    fn access(&mut self, address: u32, label: Option<G::Label>) -> G::Label {
        let blank = self.machine.garbles().blank();
        let labels = self.memory.len();
        match (self.memory.get_mut(address as usize), label) {
            (None, _) => {
                self.failed = Some(Fault::Address { address, labels });
                blank
            }
            (Some(place), Some(label)) => {
                *place = label;
                blank
            }
            (Some(place), None) => place.clone(),
        }
    }
}

impl<G: Garbles> Device for Modelled<G> {
    type Data = G::Label;
    type Error = Fault;

    fn start(&mut self, begin: Begin) -> Result<(), Fault> {
        self.machine.start(begin);
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.machine.is_busy()
    }

    fn link_ready(&self) -> bool {
        self.machine.link_ready()
    }

    fn batches(&self) -> u64 {
        self.machine.counters().batches
    }

    fn edge(
        &mut self,
        edges: (bool, bool),
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<G::Label>; 2],
        table_ready: bool,
    ) -> Result<(Option<Seen>, [Option<G::Label>; 2]), Fault> {
        let inputs = Inputs { words, ready, responses, table_ready };
        let (seen, requests) = self.machine.edge(edges, inputs);
        let taken = requests.map(|request| {
            request.map(|requested| self.access(requested.address, requested.label))
        });
        match self.failed.take() {
            Some(fault) => Err(fault),
            None => Ok((seen, taken)),
        }
    }

    fn counters(&mut self) -> Result<Counters, Fault> {
        Ok(self.machine.counters())
    }
}
