//! Records a session's secrets, masked, where they are drawn or used.

use halfgate_circuit::Wire;
use halfgate_compiler::{Program, StructuredProgram};
use halfgate_engine::authenticated::Authenticated;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, IoError, Label, LabelSeed,
    Prepared, RunKey,
};
use halfgate_leaks::memory::{Masked, Secrets};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The secrets of all sessions of this process since [`begin`].
static NOTED: Mutex<Option<Secrets>> = Mutex::new(None);

/// Whether to leave a label in memory on purpose, so that the search finds it.
static LEAKS: AtomicBool = AtomicBool::new(false);

/// The name under which false labels of inputs are recorded.
const FALSE_LABELS: &str = "W0 of inputs";

/// Makes the next session leave a false label of an input in memory.
pub(super) fn leak_a_label() {
    LEAKS.store(true, Relaxed);
}

fn noted() -> MutexGuard<'static, Option<Secrets>> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts recording secrets.
pub(crate) fn begin() {
    *noted() = Some(Secrets::new());
}

/// Returns the recorded secrets.
pub(super) fn end() -> Secrets {
    noted().take().expect("noting has begun")
}

/// Records 16 bytes, if a test has started recording.
pub(crate) fn note(name: &str, secret: &[u8; 16]) {
    if let Some(secrets) = &mut *noted() {
        secrets.add(name, secret);
    }
}

/// Records packed bits.
pub(super) fn note_bits(name: &str, bits: &halfgate_circuit::Bits) {
    let bytes = zeroize::Zeroizing::new(bits.to_bytes());
    if let Some(secrets) = &mut *noted() {
        secrets.add(name, &bytes);
    }
}

fn note_label(name: &str, label: Masked) {
    if let Some(secrets) = &mut *noted() {
        secrets.add_masked(name, label);
    }
}

#[inline(always)]
fn masked(label: &Label) -> Masked {
    Masked::new(label.to_u128())
}

/// The CPU engine, recording Δ and the labels of inputs and outputs.
pub(super) struct Recording(pub CpuEngine);

impl Engine for Recording {
    fn name(&self) -> String {
        self.0.name()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        Ok(Box::new(RecordingPrepared(self.0.prepare_flat(program)?)))
    }

    fn prepare_structured<'p>(
        &self,
        program: &'p StructuredProgram,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        Ok(Box::new(RecordingPrepared(self.0.prepare_structured(program)?)))
    }

    fn runs_functions(&self) -> bool {
        self.0.runs_functions()
    }

    fn skips(&self) -> bool {
        self.0.skips()
    }
}

struct RecordingPrepared<'p>(Box<dyn Prepared + 'p>);

impl Prepared for RecordingPrepared<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        note_label("Δ", masked(&delta.label()));
        self.0.garble(key, delta, cycles, &mut Garbler { io, delta })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.0.evaluate(key, cycles, &mut Evaluator(io))
    }

    /// Walks record their labels themselves.
    fn authenticated(&self) -> Option<&dyn Authenticated> {
        self.0.authenticated()
    }
}

/// Records the labels of a walk, unless they are zero.
pub(crate) fn note_walk(name: &str, labels: &[Label]) {
    for label in labels.iter().filter(|label| label.to_u128() > 1) {
        if LEAKS.swap(false, Relaxed) {
            std::hint::black_box(Box::leak(Box::new(*label)));
        }
        note_label(name, masked(label));
    }
}

struct Garbler<'a> {
    io: &'a mut dyn GarblerIo,
    delta: &'a Delta,
}

impl Garbler<'_> {
    fn keep(&self, which: [&str; 2], labels: &[Label]) {
        for label in labels {
            if which[0] == FALSE_LABELS && LEAKS.swap(false, Relaxed) {
                std::hint::black_box(Box::leak(Box::new(*label)));
            }
            // W1 itself is not computed: that would leave a copy of it.
            let label = masked(label);
            note_label(which[0], label);
            note_label(which[1], label.xor(self.delta.label().to_u128()));
        }
    }
}

impl GarblerIo for Garbler<'_> {
    fn false_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.io.false_labels(cycle, bits, labels)?;
        self.keep([FALSE_LABELS, "W1 of inputs"], labels);
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        let label = self.io.constant()?;
        self.keep(["W0 of a constant", "W1 of a constant"], &[label]);
        Ok(label)
    }

    fn label_seed(&mut self) -> Option<LabelSeed> {
        self.io.label_seed()
    }

    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        self.io.table_space(bytes)
    }

    fn part_end(&self, and: u64) -> u64 {
        self.io.part_end(and)
    }

    fn tables_ready(&mut self) -> Result<(), IoError> {
        self.io.tables_ready()
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.keep(["W0 of outputs", "W1 of outputs"], labels);
        self.io.output(cycle, bits, labels)
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        self.io.begin_cycle(cycle, table_bytes)
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        self.io.note(what)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.io.progress(cycles, ands)
    }
}

struct Evaluator<'a>(&'a mut dyn EvaluatorIo);

impl EvaluatorIo for Evaluator<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.0.active_labels(cycle, bits, labels)?;
        labels.iter().for_each(|label| note_label("active labels of inputs", masked(label)));
        Ok(())
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        self.0.constant()
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        self.0.tables(bytes)
    }

    fn part_end(&self, and: u64) -> u64 {
        self.0.part_end(and)
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        labels.iter().for_each(|label| note_label("active labels of outputs", masked(label)));
        self.0.output(cycle, bits, labels)
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        self.0.begin_cycle(cycle, table_bytes)
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        self.0.note(what)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.0.progress(cycles, ands)
    }
}
