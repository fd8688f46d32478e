//! Engines that request and give data at different times from each other: the parties do not
//! deadlock, and the results are correct.

use super::*;
use crate::session::inputs::InputOrder;
use halfgate_circuit::Wire;
use halfgate_engine::cpu::lower::Lowering;
use halfgate_engine::{
    Counters, Delta, EngineError, EvaluatorIo, GarblerIo, IoError, Label, Prepared, RunKey,
};

/// When an engine does things within a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mood {
    /// Requests all input bits of a cycle first, instead of as late as possible.
    early_inputs: bool,
    /// When evaluating, takes all tables of a cycle before it gives an output. When garbling, sends
    /// all tables of a cycle before it gives an output.
    early_tables: bool,
    /// Gives outputs at the end of the cycle, instead of as soon as possible.
    late_outputs: bool,
}

const MOODS: [Mood; 6] = {
    const fn mood(early_inputs: bool, early_tables: bool, late_outputs: bool) -> Mood {
        Mood { early_inputs, early_tables, late_outputs }
    }
    [
        mood(true, true, true),
        mood(true, false, true),
        mood(false, true, true),
        mood(true, false, false),
        mood(false, false, false),
        mood(false, false, true),
    ]
};

/// The CPU engine, one gate at a time, behind a layer that delays or advances actions by its mood.
struct Moody(Mood);

impl Engine for Moody {
    fn name(&self) -> String {
        format!("{:?}", self.0)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let inner = engine().with_lowering(Lowering { chunk: 1, ..Lowering::default() });
        Ok(Box::new(MoodyRun { mood: self.0, program, inner: inner.prepare(program)? }))
    }
}

struct MoodyRun<'p> {
    mood: Mood,
    program: &'p Program,
    inner: Box<dyn Prepared + 'p>,
}

impl Prepared for MoodyRun<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        let mut between = Between::new(self.mood, self.program, (key, cycles), Garbling(io));
        let counters = self.inner.garble(key, delta, cycles, &mut between)?;
        between.end_cycle().map_err(EngineError::Io)?;
        Ok(counters)
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let mut between = Between::new(self.mood, self.program, (key, cycles), Evaluating(io));
        let counters = self.inner.evaluate(key, cycles, &mut between)?;
        between.end_cycle().map_err(EngineError::Io)?;
        Ok(counters)
    }
}

struct Garbling<'a>(&'a mut dyn GarblerIo);
struct Evaluating<'a>(&'a mut dyn EvaluatorIo);

trait Side {
    fn labels(&mut self, cycle: u64, bits: &[Wire], to: &mut [Label]) -> Result<(), IoError>;
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError>;
    fn give_tables(&mut self, tables: &[u8]) -> Result<(), IoError>;
    fn take_tables(&mut self, tables: &mut Vec<u8>, bytes: usize) -> Result<(), IoError>;
}

impl Side for Garbling<'_> {
    fn labels(&mut self, cycle: u64, bits: &[Wire], to: &mut [Label]) -> Result<(), IoError> {
        self.0.false_labels(cycle, bits, to)
    }
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.0.output(cycle, bits, labels)
    }
    fn give_tables(&mut self, tables: &[u8]) -> Result<(), IoError> {
        for piece in tables.chunks(96) {
            self.0.table_space(piece.len())?.copy_from_slice(piece);
            self.0.tables_ready()?;
        }
        Ok(())
    }
    fn take_tables(&mut self, _: &mut Vec<u8>, _: usize) -> Result<(), IoError> {
        Ok(())
    }
}

impl Side for Evaluating<'_> {
    fn labels(&mut self, cycle: u64, bits: &[Wire], to: &mut [Label]) -> Result<(), IoError> {
        self.0.active_labels(cycle, bits, to)
    }
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.0.output(cycle, bits, labels)
    }
    fn give_tables(&mut self, _: &[u8]) -> Result<(), IoError> {
        Ok(())
    }
    fn take_tables(&mut self, tables: &mut Vec<u8>, bytes: usize) -> Result<(), IoError> {
        tables.extend_from_slice(self.0.tables(bytes)?);
        Ok(())
    }
}

/// The layer between an engine and a session.
struct Between<S> {
    mood: Mood,
    side: S,
    /// The input bits of the first cycle and of the others.
    bits: [Vec<Wire>; 2],
    cycle_bytes: usize,
    cycle: Option<u64>,
    /// Labels of input bits that were requested before the engine needed them.
    labels: Vec<Label>,
    given: usize,
    /// Tables of the cycle that the engine has made or used, and all that are buffered here.
    used: usize,
    tables: Vec<u8>,
    passed: usize,
    outputs: Vec<(Vec<u32>, Vec<Label>)>,
}

impl<S: Side> Between<S> {
    fn new(mood: Mood, program: &Program, (key, cycles): (RunKey, u64), side: S) -> Between<S> {
        let order = InputOrder::new(&program.circuit, cycles);
        let of = |cycle| {
            order
                .input_bits()
                .filter(move |b| b.cycle == cycle)
                .map(|b| b.wire)
                .take(1 << 20)
                .collect()
        };
        let bits =
            [of(0), if cycles > 1 && order.has_per_cycle() { later(&order) } else { vec![] }];
        let cycle_bytes = program.ands_per_cycle() as usize * key.suite.table_bytes();
        Between {
            mood,
            side,
            bits,
            cycle_bytes,
            cycle: None,
            labels: vec![],
            given: 0,
            used: 0,
            tables: vec![],
            passed: 0,
            outputs: vec![],
        }
    }

    /// The engine acts in `cycle`, or on tables of the next cycle if this one's are used.
    fn turn(&mut self, cycle: Option<u64>) -> Result<(), IoError> {
        let now = match (cycle, self.cycle) {
            (Some(cycle), _) => cycle,
            (None, None) => 0,
            (None, Some(own)) => own + u64::from(self.used == self.cycle_bytes),
        };
        while self.cycle.is_none_or(|own| own < now) {
            self.end_cycle()?;
            let next = self.cycle.map_or(0, |own| own + 1);
            self.cycle = Some(next);
            (self.used, self.passed, self.given) = (0, 0, 0);
            self.tables.clear();
            self.labels.clear();
            if self.mood.early_inputs {
                let bits = &self.bits[usize::from(next > 0)];
                self.labels.resize(bits.len(), Label::ZERO);
                self.side.labels(next, bits, &mut self.labels)?;
            }
        }
        Ok(())
    }

    fn end_cycle(&mut self) -> Result<(), IoError> {
        let Some(cycle) = self.cycle else { return Ok(()) };
        // With late tables the outputs come first: as early as possible.
        if !self.mood.late_outputs {
            self.give_outputs(cycle)?;
        }
        self.side.give_tables(&self.tables[self.passed..])?;
        self.passed = self.tables.len();
        self.give_outputs(cycle)
    }

    fn give_outputs(&mut self, cycle: u64) -> Result<(), IoError> {
        for (bits, labels) in self.outputs.drain(..) {
            self.side.output(cycle, &bits, &labels)?;
        }
        Ok(())
    }

    fn input(&mut self, cycle: u64, bits: &[Wire], to: &mut [Label]) -> Result<(), IoError> {
        self.turn(Some(cycle))?;
        if !self.mood.early_inputs {
            return self.side.labels(cycle, bits, to);
        }
        to.copy_from_slice(&self.labels[self.given..][..bits.len()]);
        self.given += bits.len();
        Ok(())
    }

    fn out(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.turn(Some(cycle))?;
        self.outputs.push((bits.to_vec(), labels.to_vec()));
        if self.mood.late_outputs { Ok(()) } else { self.give_outputs(cycle) }
    }
}

fn later(order: &InputOrder) -> Vec<Wire> {
    let later = order.input_bits().skip_while(|b| b.cycle == 0);
    later.take_while(|b| b.cycle == 1).map(|b| b.wire).collect()
}

impl GarblerIo for Between<Garbling<'_>> {
    fn false_labels(&mut self, cycle: u64, bits: &[Wire], to: &mut [Label]) -> Result<(), IoError> {
        self.input(cycle, bits, to)
    }
    fn constant(&mut self) -> Result<Label, IoError> {
        self.side.0.constant()
    }
    fn table_space(&mut self, bytes: usize) -> Result<&mut [u8], IoError> {
        self.turn(None)?;
        self.used += bytes;
        self.tables.resize(self.used, 0);
        let start = self.used - bytes;
        Ok(&mut self.tables[start..])
    }
    fn tables_ready(&mut self) -> Result<(), IoError> {
        if self.mood.early_tables {
            self.side.give_tables(&self.tables[self.passed..])?;
            self.passed = self.used;
        }
        Ok(())
    }
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.out(cycle, bits, labels)
    }
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.side.0.progress(cycles, ands)
    }
}

impl EvaluatorIo for Between<Evaluating<'_>> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        to: &mut [Label],
    ) -> Result<(), IoError> {
        self.input(cycle, bits, to)
    }
    fn constant(&mut self) -> Result<Label, IoError> {
        self.side.0.constant()
    }
    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        self.turn(None)?;
        let wanted = if self.mood.early_tables { self.cycle_bytes } else { self.used + bytes };
        while self.tables.len() < wanted {
            let piece = (wanted - self.tables.len()).min(4096);
            self.side.take_tables(&mut self.tables, piece)?;
        }
        self.passed = self.tables.len();
        self.used += bytes;
        Ok(&self.tables[self.used - bytes..self.used])
    }
    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.out(cycle, bits, labels)
    }
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.side.0.progress(cycles, ands)
    }
}

/// Both parties in all pairs of moods. Deadlocked parties are both alive, so only the test's own
/// timer ends them.
fn all_moods(case: &Case, few: bool, learn: Learn) {
    let all = MOODS.iter().flat_map(|a| MOODS.iter().map(move |b| (*a, *b)));
    for (index, (garbler, evaluator)) in all.enumerate() {
        if few && index % 3 != 0 {
            continue;
        }
        let outputs = case.program.circuit.outputs.len();
        let options = RunOptions { learn: vec![learn; outputs], ..options(case) };
        let (ended, cancel) = (AtomicBool::new(false), options.cancel.clone());
        let (garbled, evaluated) = std::thread::scope(|scope| {
            scope.spawn(|| {
                let begin = Instant::now();
                while !ended.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(2));
                    cancel.fetch_or(begin.elapsed() > Duration::from_secs(30), Ordering::Relaxed);
                }
            });
            let run = |channels: (&mut dyn Channel, &mut (dyn Channel + Send))| {
                std::thread::scope(|scope| {
                    let (a, b) = channels;
                    let options = &options;
                    let evaluated = scope.spawn(move || {
                        let engine = Moody(evaluator);
                        evaluate(b, &case.program, &engine, &case.evaluator, options, &mut |_| {})
                    });
                    let engine = Moody(garbler);
                    let garbled =
                        garble(a, &case.program, &engine, &case.garbler, options, &mut |_| {});
                    (garbled, evaluated.join().unwrap())
                })
            };
            let outcome = if index % 2 == 0 {
                let (mut a, mut b) = ring::pair();
                run((&mut a, &mut b))
            } else {
                let (mut a, mut b) = pipe_channels();
                run((&mut a, &mut b))
            };
            ended.store(true, Ordering::Relaxed);
            outcome
        });
        let learn = vec![learn; outputs];
        for (party, reports) in [(Party::Garbler, garbled), (Party::Evaluator, evaluated)] {
            if let Err(error) = &reports {
                panic!("{party}: {error}; {garbler:?} garbles, {evaluator:?} evaluates");
            }
            check(case, &learn, party, reports);
        }
    }
}

#[test]
fn engines_of_all_moods_agree_over_many_cycles() {
    for runs in [1, 2] {
        all_moods(&streaming::long(300, runs), false, Learn::Both);
    }
}

/// More evaluator bits in a cycle than are sent ahead, more garbler bits than are sent together,
/// and tables between their uses.
#[test]
fn engines_of_all_moods_agree_on_many_inputs_in_a_cycle() {
    let shape = Shape {
        input_bits: 60_000,
        gates: 50_000,
        flip_flops: 5,
        output_bits: 300,
        ..Shape::default()
    };
    for runs in [1, 2] {
        all_moods(&case_over(11, &shape, runs, 2), true, Learn::Evaluator);
    }
}

/// More outputs in a cycle than may be pending.
#[test]
fn engines_of_all_moods_agree_on_many_outputs_in_a_cycle() {
    let shape = Shape {
        gates: 6_000,
        flip_flops: 9,
        input_bits: 40,
        output_bits: 70_000,
        ..Shape::default()
    };
    all_moods(&case_over(6, &shape, 1, 4), true, Learn::Both);
}
