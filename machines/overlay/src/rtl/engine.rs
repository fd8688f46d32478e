//! Engine that runs programs on a simulated overlay.

use super::machine::Machine;
use crate::engine::{Host, Launch, Launched, Planned};
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
};
use halfgate_machine::only_garbles;
use halfgate_machine::rtl::built;
use halfgate_overlay_model::Overlay;
use halfgate_overlay_model::model::{self, AndCells, Seen, Shape};
use halfgate_verilated::{Aes, Design, Library, Mutation};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Called for every clock cycle of every launch.
pub type Watcher = Arc<Mutex<dyn FnMut(&Seen) + Send>>;

/// Options of the simulation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Implementation of AES.
    pub aes: Aes,
    /// Compiles for speed and without assertions. This takes longer, and pays off in long runs.
    pub fast: bool,
    /// File for the waveforms of every run. They contain every label and delta.
    pub waveforms: Option<PathBuf>,
    /// Faults that are injected into the SystemVerilog; tests must find them.
    pub mutations: Vec<Mutation>,
}

/// Garbles on a simulated overlay, and counts its clock cycles.
///
/// Clones share the library and the counters.
#[derive(Clone)]
pub struct RtlOverlay {
    overlay: Overlay,
    options: Options,
    watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    library: Option<Library>,
    time: Simulated,
    measured: Option<model::Counters>,
}

impl RtlOverlay {
    /// Returns an engine for this overlay. The simulation is built on first use.
    pub fn new(overlay: Overlay, options: Options) -> RtlOverlay {
        RtlOverlay { overlay, options, watcher: None, shared: Arc::default() }
    }

    /// Calls `watcher` for every clock cycle. This makes the simulation slower.
    pub fn with_watcher(self, watcher: Watcher) -> RtlOverlay {
        RtlOverlay { watcher: Some(watcher), ..self }
    }

    /// Keeps this build, but uses the board and host of `overlay`.
    ///
    /// # Panics
    /// If `overlay` has another shape.
    pub fn under(self, overlay: Overlay) -> RtlOverlay {
        assert_eq!(overlay.shape, self.overlay.shape, "another build");
        RtlOverlay { overlay, ..self }
    }

    /// Builds and loads the overlay, unless this was done before.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn build(&self) -> Result<Library, EngineError> {
        let mut shared = self.shared();
        if let Some(library) = &shared.library {
            return Ok(library.clone());
        }
        let library = self.design().build().map_err(built(&self.name()))?;
        Ok(shared.library.insert(library).clone())
    }

    /// Whether the overlay is already built.
    ///
    /// # Errors
    /// If nothing can be built on this system.
    pub fn is_built(&self) -> Result<bool, EngineError> {
        self.design().is_built().map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// The counters of the last launch.
    pub fn measured(&self) -> Option<model::Counters> {
        self.shared().measured
    }

    fn design(&self) -> Design {
        let Options { aes, fast, waveforms, mutations } = &self.options;
        let mut design = Design::of("overlay").for_sessions(*fast);
        design = design.named(&format!("{}-{aes}", self.overlay.name));
        for (name, value) in params(&self.overlay.shape) {
            design = design.param(name, value.into());
        }
        design = design.param("Impl", *aes as u64);
        for Mutation { file, from, to } in mutations {
            design = design.mutate(file, from, to);
        }
        if waveforms.is_some() {
            design = design.traced();
        } else if *aes != Aes::Dpi && self.overlay.shape.and_cells != AndCells::Rows {
            // All AES pipelines are the same, so they are compiled once, as a separate block.
            // Waveforms do not show the inside of such a block.
            design = design.hierarchical();
        }
        design
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parameters of the module for a shape.
fn params(shape: &Shape) -> [(&'static str, u32); 14] {
    let Shape { lanes, cells, and_cells, latency, banks, rows, slots, entries, .. } = *shape;
    let suite = match and_cells {
        AndCells::Rows => 0,
        AndCells::HalfGates => 1,
        AndCells::Both => 2,
    };
    [
        ("Lanes", lanes),
        ("Ands", cells.ands),
        ("Xors", cells.xors),
        ("Suite", suite),
        ("Latency", latency),
        ("Banks", banks),
        ("Rows", rows),
        ("Slots", slots),
        ("Entries", entries),
        ("Words", shape.words),
        ("Depth", shape.depth),
        ("LinkClock", shape.link_clock.into()),
        ("Serial", shape.serial.into()),
        ("Hold", shape.hold.into()),
    ]
}

impl Engine for RtlOverlay {
    fn name(&self) -> String {
        match self.overlay.shape.and_cells {
            AndCells::Rows => format!("rtl:{} (Verilator)", self.overlay.name),
            _ => format!("rtl:{} (AES {}, Verilator)", self.overlay.name, self.options.aes),
        }
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let planned = Planned::new(&self.name(), program, &self.overlay)?;
        Ok(Box::new(Garbler { engine: self.clone(), program, planned }))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.shared().time)
    }
}

struct Garbler<'p> {
    engine: RtlOverlay,
    program: &'p Program,
    planned: Planned<'p>,
}

impl Prepared for Garbler<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        let (engine, overlay) = (&self.engine, &self.engine.overlay);
        let what = (self.program, &self.planned);
        let host = Host::new(&engine.name(), overlay, what, (key, delta), cycles)?;
        let library = engine.build()?;
        let secrets = (delta, key.point);
        let waveforms = engine.options.waveforms.as_deref();
        let watched = engine.watcher.is_some();
        let mut machine = Machine::new(&library, overlay.shape, secrets, waveforms, watched)?;
        let garbled = host.garble(cycles, io, &mut |launch: Launch<'_>| {
            let mut watch = |seen: &Seen| {
                if let Some(watcher) = &engine.watcher {
                    (watcher.lock().unwrap_or_else(PoisonError::into_inner))(seen);
                }
            };
            let Launched { counters, ns } = machine.launch(&overlay.board, launch, &mut watch)?;
            let mut shared = engine.shared();
            shared.time.clock_cycles += counters.clocks;
            shared.time.launches += 1;
            shared.time.mhz = f64::from(overlay.board.clock_mhz);
            shared.measured = Some(counters);
            Ok(Launched { counters, ns })
        });
        // Wipe after success and after failure. If the simulation itself failed, it is wiped only
        // when it is dropped.
        let wiped = machine.wipe();
        let garbled = garbled?;
        wiped?;
        Ok(garbled)
    }

    fn evaluate(
        &mut self,
        _: RunKey,
        _: u64,
        _: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        Err(only_garbles(&self.engine.name()))
    }
}
