//! Helpers shared by the tests of the whole machine.
#![allow(dead_code)] // Each test binary uses a part of it.

mod trace;

use halfgate_circuit::Party;
use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bits, Circuit};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check};
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Suite,
};
use halfgate_haac::engine::host::lowered;
use halfgate_haac::engine::{Description, Lowering, Machine, Overrides};
use halfgate_haac::rtl::{Aes, Effort, Failure, Fault, Measured, Options, RtlEngine};
use halfgate_haac_model::Code;
use std::sync::{Arc, Mutex, PoisonError};

pub use trace::*;

/// A built-in machine.
pub fn built_in(name: &str) -> Machine {
    let description = Description::built_in(name).expect("built in");
    description.machine(&Overrides::default()).expect("possible")
}

/// Two engines and a window so small that programs spill, with the queues of the paper's machine.
pub fn small() -> Machine {
    let mut machine = built_in("haac-4ge");
    machine.name = "small".to_owned();
    machine.shape.engines = 2;
    machine.shape.window = 64;
    machine.rtl.ports = 2;
    machine
}

/// Options with AES outside the RTL, for tests that are not about AES.
pub fn quick() -> Options {
    Options { aes: Aes::Dpi, effort: Effort::Low, ..Options::default() }
}

/// As [`quick`], for tests that simulate for longer.
pub fn long() -> Options {
    Options { effort: Effort::Middle, ..quick() }
}

pub fn program(circuit: Circuit, order: &str) -> Program {
    compile(circuit, order.parse::<Order>().expect("an order")).expect("compiles")
}

pub fn random_program(seed: u64, gates: u32) -> Program {
    let shape = Shape { gates, flip_flops: 0, ..Shape::default() };
    program(random::circuit(seed, &shape), "haac:full")
}

/// Checks an engine against the reference: tables, false and active labels, and the order of
/// requests.
pub fn conform(engine: &dyn Engine, program: &Program, seed: u64, cycles: u64) {
    if let Err(error) = checked(engine, program, seed, cycles) {
        panic!("{}, seed {seed}: {error}", engine.name());
    }
}

/// As [`conform`], with the error as text.
fn checked(engine: &dyn Engine, program: &Program, seed: u64, cycles: u64) -> Result<(), String> {
    let inputs: Vec<Bits> = random::inputs_for(&program.circuit, seed, cycles);
    check(engine, program, &inputs, Run { suite: Suite::HalfGates, seed, cycles })
}

/// The program as lowered for the machine.
pub fn code(machine: &Machine, program: &Program) -> Code {
    lowered(machine, program, Lowering::BEST).expect("lowers")
}

/// Runs `cycles` launches of a program in each role. Tables and labels must equal those of the
/// reference. Counters, and the state of engines and queues in every cycle of every launch, must
/// equal those of the exact model.
pub fn equal(machine: &Machine, options: &Options, program: &Program, seed: u64, cycles: u64) {
    let code = code(machine, program);
    let models = ROLES.map(|role| traced(&code, machine, role, None).expect("the model runs"));
    if let Err(what) = compare(machine, [options; 2], program, models, (seed, cycles)) {
        panic!("{}, seed {seed}: {what}", machine.name);
    }
}

/// As [`equal`], with options and the model's results for each role, the garbler first.
///
/// # Errors
/// The first difference, as text.
pub fn compare(
    machine: &Machine,
    options: [&Options; 2],
    program: &Program,
    models: [Modelled; 2],
    (seed, cycles): (u64, u64),
) -> Result<(), String> {
    let launches = ROLES.iter().zip(&models).flat_map(|(role, (_, trace))| {
        (0..cycles).map(move |launch| (format!("{role:?}, launch {launch}"), trace.clone()))
    });
    let watcher = Arc::new(Mutex::new(Compare::new(launches.collect())));
    let engines = options.map(|options| {
        RtlEngine::new(machine.clone(), options.clone()).with_watcher(watcher.clone())
    });
    let engine = Counting { engines, counted: Arc::default() };
    let checked = checked(&engine, program, seed, cycles);
    let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
    match (watcher.finish(), checked) {
        (Some(what), Err(error)) => return Err(format!("{what}\nand then: {error}")),
        (Some(what), Ok(())) | (None, Err(what)) => return Err(what),
        (None, Ok(())) => assert!(watcher.is_complete(), "every launch was seen"),
    }
    let counted = engine.counted.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(counted.len(), ROLES.len(), "both roles ran");
    // Queues of labels at the ports are as deep as those of the engines. The shallowest have no
    // free space for some cycles after each label. This counts as late, though nothing is
    // requested.
    let shallow = machine.queues.live < 4 || machine.queues.oor_wires < 4;
    for ((role, (wanted, _)), found) in ROLES.iter().zip(&models).zip(&*counted) {
        if found.report != *wanted || (found.late != 0 && !shallow) {
            return Err(format!("{role:?}, counters: {found:#?}, not {wanted:#?}"));
        }
    }
    Ok(())
}

/// The two roles, in the order in which `check` runs them.
pub const ROLES: [Party; 2] = [Party::Garbler, Party::Evaluator];

/// A machine for each role. Keeps the counters of the last launch of each run.
struct Counting {
    engines: [RtlEngine; 2],
    counted: Arc<Mutex<Vec<Measured>>>,
}

impl Engine for Counting {
    fn name(&self) -> String {
        self.engines[0].name()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let [garbler, evaluator] = &self.engines;
        let prepared = [garbler.prepare(program)?, evaluator.prepare(program)?];
        let (engines, counted) = (self.engines.clone(), self.counted.clone());
        Ok(Box::new(CountingRun { prepared, engines, counted }))
    }
}

struct CountingRun<'p> {
    prepared: [Box<dyn Prepared + 'p>; 2],
    engines: [RtlEngine; 2],
    counted: Arc<Mutex<Vec<Measured>>>,
}

impl CountingRun<'_> {
    fn ended(&self, role: usize) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.extend(self.engines[role].measured());
    }
}

impl Prepared for CountingRun<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        let counters = self.prepared[0].garble(key, delta, cycles, io)?;
        self.ended(0);
        Ok(counters)
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let counters = self.prepared[1].evaluate(key, cycles, io)?;
        self.ended(1);
        Ok(counters)
    }
}

/// Faults, with the text that the error must contain.
pub const FAULTS: [(Fault, &str); 14] = [
    (Fault::NoProgram, "not_a_program"),
    (Fault::OtherVersion, "other_version"),
    (Fault::OtherConfiguration, "other_configuration"),
    (Fault::CorruptDescriptor, "corrupt"),
    (Fault::CorruptInstructions(0), "corrupt"),
    (Fault::CorruptInstructions(300), "corrupt"),
    (Fault::CorruptWords(1), "corrupt"),
    (Fault::Short, "short"),
    (Fault::Memory(Failure::ErrorAfter(0)), "memory_error"),
    (Fault::Memory(Failure::ErrorAfter(200)), "memory_error"),
    (Fault::Memory(Failure::WrongLastAfter(0)), "memory_error"),
    (Fault::Memory(Failure::WrongLastAfter(40)), "memory_error"),
    (Fault::Memory(Failure::IdleAfter(150)), "memory_dead"),
    (Fault::ResetAfter(600), "was reset in mid-run"),
];

/// Checks that with each fault the machine ends with an error of that name, without outputs.
///
/// # Errors
/// The failed check.
pub fn name_faults(machine: &Machine, options: &Options, program: &Program) -> Result<(), String> {
    for (fault, name) in FAULTS {
        let options = Options { fault: Some(fault), timeout: 2000, ..options.clone() };
        let Err((error, outputs)) = garble(&RtlEngine::new(machine.clone(), options), program)
        else {
            return Err(format!("{fault:?} was not found"));
        };
        let text = error.to_string();
        // A flipped bit may make an instruction illegal. That is found before the checksum is
        // complete.
        let also = matches!(fault, Fault::CorruptInstructions(_) | Fault::CorruptWords(_))
            && ["illegal_instruction", "short", "stuck", "memory_error"]
                .iter()
                .any(|name| text.contains(name));
        if !text.contains(name) && !also {
            return Err(format!("{fault:?}: {text}"));
        }
        if outputs > 0 {
            return Err(format!("{fault:?}: outputs were claimed"));
        }
    }
    // Some flipped bits of instructions and words are detected by the checksums only.
    let noticed = |fault, program: &Program| {
        let options = Options { fault: Some(fault), timeout: 2000, ..options.clone() };
        let ended = garble(&RtlEngine::new(machine.clone(), options), program);
        ended.is_err_and(|(error, _)| error.to_string().contains("corrupt"))
    };
    if !(0..12).any(|n| noticed(Fault::CorruptInstructions(5 + 97 * n), program)) {
        return Err("no wrong bit of the instructions was found by the checksum".to_owned());
    }
    let programs: Vec<Program> = (31..37).map(|seed| random_program(seed, 400)).collect();
    let words = |program| (0..2).any(|engine| noticed(Fault::CorruptWords(engine), program));
    if !programs.iter().any(words) {
        return Err("no wrong bit of the words was found by the checksum".to_owned());
    }
    Ok(())
}

/// Garbles with random labels; returns the result.
pub fn garble(
    engine: &RtlEngine,
    program: &Program,
) -> Result<(Vec<u8>, usize), (EngineError, usize)> {
    use halfgate_engine::Label;
    use halfgate_engine::testing::{MemoryGarbler, seeded_labels};
    let mut io = MemoryGarbler::new(seeded_labels(3), Label::from_u128(77));
    let delta = Delta::new(Label::from_u128(12345));
    let key = RunKey { suite: Suite::HalfGates, point: 99 };
    let mut prepared = engine.prepare(program).expect("prepares");
    let garbled = prepared.garble(key, &delta, program.circuit.cycles, &mut io);
    match garbled {
        Ok(_) => Ok((io.tables().to_vec(), io.outputs().len())),
        Err(error) => Err((error, io.outputs().len())),
    }
}

/// Lets only one test at a time build a library, as there may be only two cores.
pub fn one_at_a_time() -> std::sync::MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
