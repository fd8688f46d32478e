//! The engine: an overlay, how it is built, and programs on it.

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

/// Sees every clock of every launch.
pub type Watcher = Arc<Mutex<dyn FnMut(&Seen) + Send>>;

/// What is chosen beside the overlay.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What computes AES.
    pub aes: Aes,
    /// Compiled without assertions and for speed, which takes longer: for long runs.
    pub fast: bool,
    /// Waveforms of every run go into this file. They have every label and delta.
    pub waveforms: Option<PathBuf>,
    /// Changes of the SystemVerilog: faults that tests must find.
    pub mutations: Vec<Mutation>,
}

/// Garbles on a simulated overlay, and counts its clocks.
///
/// Clones share the library and what was measured.
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
    /// The overlay.
    pub fn new(overlay: Overlay, options: Options) -> RtlOverlay {
        RtlOverlay { overlay, options, watcher: None, shared: Arc::default() }
    }

    /// The same overlay; somebody sees what it does in every clock, which takes longer.
    pub fn with_watcher(self, watcher: Watcher) -> RtlOverlay {
        RtlOverlay { watcher: Some(watcher), ..self }
    }

    /// The same build on another board, under another host: nothing is built anew.
    ///
    /// # Panics
    /// If it is of another shape.
    pub fn under(self, overlay: Overlay) -> RtlOverlay {
        assert_eq!(overlay.shape, self.overlay.shape, "another build");
        RtlOverlay { overlay, ..self }
    }

    /// Builds and loads the overlay, unless that was done.
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

    /// Whether the overlay need not be built any more.
    ///
    /// # Errors
    /// If nothing can be built here.
    pub fn is_built(&self) -> Result<bool, EngineError> {
        self.design().is_built().map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// The counters of the last launch.
    pub fn measured(&self) -> Option<model::Counters> {
        self.shared().measured
    }

    fn design(&self) -> Design {
        let Options { aes, fast, waveforms, mutations } = &self.options;
        let mut design = Design::of("overlay").named(&format!("{}-{aes}", self.overlay.name));
        for (name, value) in params(&self.overlay.shape) {
            design = design.param(name, value.into());
        }
        design = design.param("Impl", *aes as u64);
        for Mutation { file, from, to } in mutations {
            design = design.mutate(file, from, to);
        }
        if *fast {
            design = design.unchecked().optimised();
        }
        if waveforms.is_some() {
            design = design.traced();
        } else if *aes != Aes::Dpi && self.overlay.shape.and_cells != AndCells::Rows {
            // All pipelines of AES are the same: compiled once. Waveforms show none of what is in
            // such a block.
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

    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
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
        // However it ended. A machine that has stopped cannot be wiped, and is when it is dropped.
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
