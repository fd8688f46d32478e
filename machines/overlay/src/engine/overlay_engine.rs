//! The model as an engine.

use super::host::{Host, Launch, Launched, Planned};
use super::tables::Tables;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
};
use halfgate_kernels::ops::{self, Ops, Segment};
use halfgate_kernels::{Kernel, KernelError, Label, LabelMemory, State, choose};
use halfgate_machine::{Wiped, only_garbles};
use halfgate_overlay_model::Overlay;
use halfgate_overlay_model::model::{self, Fault, Garbles, Modelled};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// Garbles like an overlay, and counts its clock cycles.
///
/// Clones share the sums of [`simulated`](Engine::simulated).
#[derive(Clone, Debug)]
pub struct OverlayEngine {
    overlay: Overlay,
    kernel: &'static Kernel,
    simulated: Arc<Mutex<Simulated>>,
}

impl OverlayEngine {
    /// The overlay, with the best kernel of this processor.
    pub fn new(overlay: Overlay) -> OverlayEngine {
        OverlayEngine { overlay, kernel: choose::best(), simulated: Arc::default() }
    }

    /// Computes labels with the kernel of this name.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(self, name: &str) -> Result<OverlayEngine, KernelError> {
        Ok(OverlayEngine { kernel: choose::by_name(name)?, ..self })
    }
}

impl Engine for OverlayEngine {
    fn name(&self) -> String {
        format!("model:{}", self.overlay.name)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let planned = Planned::new(&self.name(), program, &self.overlay)?;
        Ok(Box::new(Garbler { engine: self.clone(), program, planned }))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Garbler<'p> {
    engine: OverlayEngine,
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
        let tables: Rc<RefCell<Tables>> = Rc::default();
        let garbling = Garbling {
            kernel: engine.kernel,
            state: engine.kernel.start(key.suite, key.point),
            memory: LabelMemory::new(3),
            delta,
            tables: tables.clone(),
            failed: None,
        };
        let mut device = Modelled::new(overlay.shape, garbling, Vec::new());
        host.garble(cycles, io, &mut |launch| {
            let Launch { plan, begin, memory, tables: of_cycle, io } = launch;
            std::mem::swap(&mut *tables.borrow_mut(), of_cycle);
            device.memory = memory.iter().map(|label| Wiped(*label)).collect();
            let mut sending = plan.sending();
            let mut failed = None;
            let mut next = || {
                failed = failed.take().or(tables.borrow_mut().hand_on(io, false).err());
                Ok(if failed.is_none() { sending.next(overlay.board.waits) } else { None })
            };
            let around = (&overlay.board, overlay.shape.words as usize, overlay.shape.link_clock);
            let ran = model::run(&mut device, around, begin, &mut next, &mut |_| ());
            if let Some(error) = failed.or(device.garbles().failed.take()) {
                return Err(error);
            }
            let (counters, ns) = ran.map_err(|fault: Fault| EngineError::machine(fault))?;
            std::mem::swap(&mut *tables.borrow_mut(), of_cycle);
            for (label, found) in memory.iter_mut().zip(&device.memory) {
                *label = found.0;
            }
            let mut all = engine.simulated.lock().unwrap_or_else(PoisonError::into_inner);
            all.clock_cycles += counters.clocks;
            all.launches += 1;
            all.mhz = f64::from(overlay.board.clock_mhz);
            Ok(Launched { counters, ns })
        })
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

/// Computes labels for the model with a kernel.
struct Garbling<'d> {
    kernel: &'static Kernel,
    state: State,
    memory: LabelMemory,
    delta: &'d Delta,
    tables: Rc<RefCell<Tables>>,
    failed: Option<EngineError>,
}

impl Garbles for Garbling<'_> {
    type Label = Wiped;

    fn blank(&self) -> Wiped {
        Wiped(Label::ZERO)
    }

    fn constant(&self, one: bool) -> Wiped {
        Wiped(self.delta.label().masked(one))
    }

    fn xor(&mut self, a: &Wiped, b: &Wiped, invert: bool) -> Wiped {
        Wiped(a.0 ^ b.0 ^ self.delta.label().masked(invert))
    }

    fn and(&mut self, a: &Wiped, b: &Wiped, invert: [bool; 3], number: u64) -> Wiped {
        let [invert_a, invert_b, invert] = invert;
        for (slot, label) in (0..).zip([a, b]) {
            self.memory.set(slot, label.0);
        }
        let flag = |inverted: bool, flag: u16| if inverted { flag } else { 0 };
        let flags = flag(invert_a, ops::And::INVERT_A) | flag(invert_b, ops::And::INVERT_B);
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[ops::And { a: 0, b: 1, c: 2, flags }],
            positions: &[0],
        };
        let mut table = [0; 32];
        let mut tables = self.tables.borrow_mut();
        let table = &mut table[..tables.bytes()];
        self.state.go_to(number);
        self.kernel.garble(&mut self.state, self.delta, &mut self.memory, &ops, table);
        let put = tables.put(number, table);
        self.failed = self.failed.take().or(put.err());
        Wiped(self.memory.get(2) ^ self.delta.label().masked(invert))
    }
}
