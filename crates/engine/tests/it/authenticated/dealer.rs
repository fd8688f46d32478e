//! A trusted dealer: makes shares of masks, and passes windows of rows between four walks, each on
//! its own thread.

use halfgate_circuit::{Bit, Bits, Circuit, Wire, clear, random};
use halfgate_compiler::Program;
use halfgate_engine::authenticated::{Authenticated, AuthenticatedIo, Step};
use halfgate_engine::testing::seeded_labels;
use halfgate_engine::{Counters, Delta, Engine, EngineError, IoError, Label, RunKey, Suite};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

/// A run to check; everything random follows from `seed`.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub seed: u64,
    pub cycles: u64,
    /// Rows of a window.
    pub window: usize,
}

type Row = [Label; 3];

/// Walks `program` with `engine` four times: the shares of both parties side by side, then, window
/// by window, garbling and evaluating.
pub fn check(engine: &dyn Engine, program: &Program, run: Run) {
    let what = format!("{}, {run:?}", engine.name());
    let flat = match &program.structure {
        Some(structured) => structured.flat().expect("flattens"),
        None => program,
    };
    let circuit = &flat.circuit;
    let values = random::inputs_for(circuit, run.seed, run.cycles);
    let prepared = engine.prepare(program).expect("prepares");
    let walks = prepared.authenticated().expect("an engine with walks");
    let secrets = Secrets::new(circuit, &values, run.seed);
    let delta = Delta::new(secrets.delta);

    let logs = thread::scope(|scope| {
        let start = |step, input| Walk::start(scope, walks, step, run, input);
        let input = |of| {
            let secrets = &secrets;
            Box::new(move |cycle, wire| secrets.input(of, cycle, wire)) as Input<'_>
        };
        let all = [
            start(Step::Shares { offset: secrets.delta }, input(Of::Garbler)),
            start(Step::Shares { offset: Label::ZERO }, input(Of::Evaluator)),
            start(Step::Garble { delta: &delta }, input(Of::FalseLabel)),
            start(Step::Evaluate, input(Of::ActiveLabel)),
        ];
        let ands = deal(&secrets, run.window, all.each_ref().map(|walk| &walk.exchange));
        let logs = all.map(Walk::end);
        let logs = match logs {
            [Ok(x), Ok(m), Ok(garbled), Ok(evaluated)] => [x, m, garbled, evaluated],
            failed => panic!("{what}: {:?}", failed.map(|log| log.err())),
        };
        assert_eq!(logs[0].counters.ands as usize, ands, "{what}");
        logs
    });
    let [x, m, garbled, evaluated] = &logs;
    for log in &logs {
        assert_eq!(log.counters, x.counters, "{what}");
        assert!(log.order == x.order, "{what}: walks differ in the order of inputs and outputs");
    }
    for (place, &share) in &x.outputs {
        let [m, garbled, evaluated] = [m, garbled, evaluated].map(|log| log.outputs[place]);
        let masked = |bit: bool| secrets.delta.masked(bit);
        assert!(m == share ^ masked(share.colour() ^ m.colour()), "{what}: shares of an output");
        assert!(evaluated == garbled ^ masked(evaluated.colour()), "{what}: labels of an output");
    }
    let wanted = clear::evaluate(circuit, &values, run.cycles).expect("evaluates in the clear");
    let wanted = outputs_of(circuit, &wanted, run.cycles);
    let colours = |place| [x, m, evaluated].map(|log| log.outputs[place].colour());
    let decoded: BTreeMap<_, _> = (x.outputs.keys())
        .map(|place| (*place, colours(place).into_iter().fold(false, |a, b| a ^ b)))
        .collect();
    assert!(decoded == wanted, "{what}: outputs differ from those in the clear");
}

/// Whose label of an input bit.
#[derive(Clone, Copy)]
enum Of {
    Garbler,
    Evaluator,
    FalseLabel,
    ActiveLabel,
}

/// What the dealer draws.
struct Secrets<'a> {
    circuit: &'a Circuit,
    values: &'a [Bits],
    seed: u64,
    delta: Label,
}

impl<'a> Secrets<'a> {
    fn new(circuit: &'a Circuit, values: &'a [Bits], seed: u64) -> Secrets<'a> {
        let delta = Delta::new(draw(seed, 0, 0)).label();
        Secrets { circuit, values, seed, delta }
    }

    fn input(&self, of: Of, cycle: u64, wire: Wire) -> Label {
        let number = cycle * self.circuit.input_bits() as u64 + wire.index() as u64;
        let draw = |kind| draw(self.seed, kind, number);
        let mask = draw(1).colour();
        let false_label = normalised(draw(3));
        match of {
            Of::Garbler => draw(2),
            Of::Evaluator => draw(2) ^ self.delta.masked(mask),
            Of::FalseLabel => false_label,
            Of::ActiveLabel => {
                let value = input_value(self.circuit, self.values, cycle, wire);
                false_label ^ self.delta.masked(value ^ mask)
            }
        }
    }
}

/// A label or mask: `number` counts those of a kind.
fn draw(seed: u64, kind: u64, number: u64) -> Label {
    seeded_labels(seed << 8 | kind)(0, Wire::new(number as u32))
}

fn normalised(label: Label) -> Label {
    Label::from_u128(label.to_u128() & !1)
}

/// Gives the rows of all windows, and checks each AND. Returns the number of ANDs. Stops early if a
/// walk has failed.
fn deal(secrets: &Secrets<'_>, window: usize, walks: [&Exchange; 4]) -> usize {
    let [x, m, garbling, evaluating] = walks;
    let delta = secrets.delta;
    let mut ands = 0;
    loop {
        let numbers = ands as u64..(ands + window) as u64;
        let draw = |kind, number| draw(secrets.seed, kind, number);
        let spare = Label::from_u128(3);
        let fresh = numbers.clone().map(|number| [draw(4, number), spare, spare]).collect();
        let given = numbers.clone().map(|number| {
            let mask = delta.masked(draw(5, number).colour());
            [draw(4, number) ^ mask, spare, spare]
        });
        x.give(fresh);
        m.give(given.collect());
        let (x, m) = (x.take(), m.take());
        if x.len() != m.len() || x.is_empty() {
            return ands;
        }
        // λ of the three wires of each AND, and both shares of σ.
        let masks: Vec<[bool; 3]> = (x.iter().zip(&m))
            .map(|(x, m)| [0, 1, 2].map(|i| x[i].colour() ^ m[i].colour()))
            .collect();
        for ((x, m), mask) in x.iter().zip(&m).zip(&masks) {
            let is_share = |i: usize| m[i] == x[i] ^ delta.masked(mask[i]);
            assert!((0..3).all(is_share), "shares are authenticated");
        }
        let sigma = |number| draw(6, number);
        let rows = numbers.clone().zip(&x).map(|(number, x)| [x[0], x[1], sigma(number) ^ x[2]]);
        let mut garbled = garbling.pass(rows.collect());
        for (((row, number), m), mask) in
            garbled.iter_mut().zip(numbers.clone()).zip(&m).zip(&masks)
        {
            let b = Label::from_u128(u128::from(row[2].colour()));
            let sigma = sigma(number) ^ delta.masked(mask[0] & mask[1]);
            *row = [row[0] ^ m[1], row[1] ^ m[0], sigma ^ m[2] ^ b];
        }
        let evaluated = evaluating.pass(garbled);
        if evaluated.len() != x.len() {
            return ands;
        }
        for (labels, mask) in evaluated.iter().zip(&masks) {
            let [a, b, c] = [0, 1, 2].map(|i| labels[i].colour() ^ mask[i]);
            assert_eq!(c, a & b, "the value of an AND");
        }
        ands += x.len();
        if x.len() < window {
            return ands;
        }
    }
}

/// The dealer's ends of a walk's channels.
struct Exchange {
    windows: SyncSender<Vec<Row>>,
    results: Receiver<Vec<Row>>,
}

impl Exchange {
    /// Gives the next window. A walk that has ended takes none.
    fn give(&self, rows: Vec<Row>) {
        let _ = self.windows.send(rows);
    }

    /// The results of a window, or fewer rows if the walk has ended.
    fn take(&self) -> Vec<Row> {
        self.results.recv().unwrap_or_default()
    }

    fn pass(&self, rows: Vec<Row>) -> Vec<Row> {
        self.give(rows);
        self.take()
    }
}

/// What a walk did.
struct Log {
    counters: Counters,
    outputs: BTreeMap<(u64, u32), Label>,
    order: Vec<Event>,
}

/// A request for an input bit or an output bit, after so many rows.
#[derive(PartialEq)]
enum Event {
    Input(usize, u64, Wire),
    Output(usize, u64, u32),
}

type Input<'a> = Box<dyn FnMut(u64, Wire) -> Label + Send + 'a>;

/// A walk on its own thread.
struct Walk<'s> {
    thread: ScopedJoinHandle<'s, Result<Log, EngineError>>,
    exchange: Exchange,
}

impl<'s> Walk<'s> {
    fn start<'a: 's>(
        scope: &'s Scope<'s, '_>,
        walks: &'a dyn Authenticated,
        step: Step<'a>,
        run: Run,
        input: Input<'a>,
    ) -> Walk<'s> {
        let (windows, receiver) = sync_channel(1);
        let (sender, results) = sync_channel(1);
        let thread = scope.spawn(move || {
            let key = RunKey { suite: Suite::HalfGates, point: u128::from(run.seed) << 64 | 77 };
            let mut io = Io {
                input,
                windows: receiver,
                results: sender,
                rows: Vec::new(),
                used: 0,
                unfilled: 0,
                all: 0,
                outputs: BTreeMap::new(),
                order: Vec::new(),
            };
            let counters = walks.walk(key, step, run.cycles, &mut io)?;
            assert_eq!(io.unfilled, 0, "rows_ready follows rows");
            io.rows.truncate(io.used);
            let _ = io.results.send(io.rows);
            Ok(Log { counters, outputs: io.outputs, order: io.order })
        });
        Walk { thread, exchange: Exchange { windows, results } }
    }

    /// Waits for the walk, which gets no more windows.
    fn end(self) -> Result<Log, EngineError> {
        drop(self.exchange);
        self.thread.join().expect("a walk does not panic")
    }
}

/// A walk's input and output: one window of rows at a time.
struct Io<'a> {
    input: Input<'a>,
    windows: Receiver<Vec<Row>>,
    results: SyncSender<Vec<Row>>,
    rows: Vec<Row>,
    /// Rows of the window that were given to the engine.
    used: usize,
    /// Rows that the engine has to fill.
    unfilled: usize,
    /// Rows of all windows that were given to the engine.
    all: usize,
    outputs: BTreeMap<(u64, u32), Label>,
    order: Vec<Event>,
}

impl AuthenticatedIo for Io<'_> {
    fn inputs(&mut self, cycle: u64, bits: &[Wire], labels: &mut [Label]) -> Result<(), IoError> {
        assert_eq!((self.unfilled, bits.len()), (0, labels.len()));
        for (&bit, label) in bits.iter().zip(labels) {
            self.order.push(Event::Input(self.all, cycle, bit));
            *label = (self.input)(cycle, bit);
        }
        Ok(())
    }

    fn rows(&mut self, most: usize) -> Result<&mut [Row], IoError> {
        assert_eq!(self.unfilled, 0, "rows_ready follows rows");
        assert!(most > 0, "rows are requested for ANDs only");
        if self.used == self.rows.len() {
            if self.used > 0 {
                self.results.send(std::mem::take(&mut self.rows))?;
            }
            (self.rows, self.used) = (self.windows.recv()?, 0);
        }
        self.unfilled = most.min(self.rows.len() - self.used);
        self.all += self.unfilled;
        let first = self.used;
        self.used += self.unfilled;
        Ok(&mut self.rows[first..self.used])
    }

    fn rows_ready(&mut self) -> Result<(), IoError> {
        assert!(std::mem::take(&mut self.unfilled) > 0, "rows were requested");
        Ok(())
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        assert_eq!((self.unfilled, bits.len()), (0, labels.len()));
        for (&bit, &label) in bits.iter().zip(labels) {
            self.order.push(Event::Output(self.all, cycle, bit));
            assert!(self.outputs.insert((cycle, bit), label).is_none(), "an output comes once");
        }
        Ok(())
    }
}

/// The value of an input bit in a cycle.
fn input_value(circuit: &Circuit, values: &[Bits], cycle: u64, wire: Wire) -> bool {
    let mut ports = circuit.inputs_with_wires().zip(values);
    let ((first, port), bits) = ports
        .find(|((first, port), _)| (wire.index() - first.index()) < port.width as usize)
        .expect("an input bit");
    let start = if port.per_cycle { cycle as usize * port.width as usize } else { 0 };
    bits.get(start + wire.index() - first.index())
}

/// The values of all output bits that have labels, by cycle and number.
fn outputs_of(circuit: &Circuit, clear: &[Bits], cycles: u64) -> BTreeMap<(u64, u32), bool> {
    let mut all = BTreeMap::new();
    let mut first = 0;
    for (output, values) in circuit.outputs.iter().zip(clear) {
        let bits: Vec<Bit> = output.bits.iter().collect();
        for cycle in if output.per_cycle { 0 } else { cycles - 1 }..cycles {
            let start = if output.per_cycle { cycle as usize * bits.len() } else { 0 };
            for (j, bit) in bits.iter().enumerate() {
                if bit.as_constant().is_none() {
                    all.insert((cycle, first + j as u32), values.get(start + j));
                }
            }
        }
        first += bits.len() as u32;
    }
    all
}
