//! Instances do not depend on the engine, the threads, and how many are garbled at once.

use halfgate_compiler::{Order, Program, compile, compile_structured};
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_engine::{Engine, IoError, Suite};
use halfgate_instances::{Instance, InstancesError, Job, Seed, Store};
use std::io::{self, Write};
use std::num::NonZeroUsize;

fn seeds(count: u16) -> Vec<Seed> {
    let seed = |number: u16| {
        let mut bytes = [7; 32];
        bytes[..2].copy_from_slice(&number.to_le_bytes());
        Seed::from_bytes(&bytes)
    };
    (0..count).map(seed).collect()
}

/// Garbles `count` instances of `program` into `store`.
fn garble<S: Store>(
    engine: &CpuEngine,
    program: &Program,
    count: u16,
    store: &mut S,
) -> Result<(), InstancesError> {
    let job = Job { program, suite: Suite::HalfGates, cycles: 1 };
    let mut prepared = engine.prepare(program).unwrap();
    halfgate_instances::garble(&mut *prepared, &job, &seeds(count), store, &|_, _, _| Ok(()))
}

/// Keeps everything.
#[derive(Default)]
struct All(Vec<(Instance, Vec<u8>)>);

impl Store for All {
    type Tables = Vec<u8>;

    fn begin(&mut self, _: usize) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn end(&mut self, number: usize, made: Instance, tables: Vec<u8>) -> io::Result<()> {
        assert_eq!(number, self.0.len(), "instances end in order");
        self.0.push((made, tables));
        Ok(())
    }
}

fn adder() -> Program {
    compile(halfgate_programs::build("adder:32").unwrap(), Order::default()).unwrap()
}

#[test]
fn kernels_threads_and_numbers() {
    let circuit = halfgate_programs::build_structured("join:20x20").unwrap();
    let structured = compile_structured(circuit, Order::default()).unwrap();
    for (program, count) in [(&adder(), 300), (&structured, 5)] {
        let mut alone = Vec::new();
        garble(&CpuEngine::new(Some("portable")).unwrap(), program, 1, &mut alone).unwrap();
        let best = CpuEngine::new(None).unwrap();
        let mut wanted: Option<Vec<Instance>> = None;
        for threads in [1, 2, 3, 8] {
            let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
            let mut all = All::default();
            garble(&best.with_threads(threads), program, count, &mut all).unwrap();
            for (instance, tables) in &all.0 {
                assert_eq!(instance.tables, *blake3::hash(tables).as_bytes());
            }
            let instances: Vec<Instance> = all.0.into_iter().map(|(made, _)| made).collect();
            assert_eq!(instances.len(), usize::from(count));
            assert_eq!(instances[0], alone[0]);
            assert_ne!(instances[1], instances[2]);
            assert_eq!(*wanted.get_or_insert_with(|| instances.clone()), instances, "{threads:?}");
        }
    }
}

/// A writer for this many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let space = self.0.checked_sub(bytes.len()).ok_or(io::Error::other("the disk is full"))?;
        self.0 = space;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Has space for the tables of the first instance.
struct FirstOnly;

impl Store for FirstOnly {
    type Tables = Full;

    fn begin(&mut self, number: usize) -> io::Result<Full> {
        Ok(Full(if number == 0 { 1 << 20 } else { 100 }))
    }

    fn end(&mut self, number: usize, _: Instance, _: Full) -> io::Result<()> {
        assert_eq!(number, 0);
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_is_named() {
    let engine = CpuEngine::new(None).unwrap();
    for program in
        [adder(), compile(halfgate_programs::build("sha256").unwrap(), Order::Given).unwrap()]
    {
        let error = garble(&engine, &program, 2, &mut FirstOnly).unwrap_err();
        assert_eq!(error.to_string(), "cannot store instance 1: the disk is full");
    }
}

/// An error that stops the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

#[test]
fn the_work_can_be_stopped() {
    let program = compile(halfgate_programs::build("sha256").unwrap(), Order::default()).unwrap();
    let job = Job { program: &program, suite: Suite::HalfGates, cycles: 1 };
    let mut prepared = CpuEngine::new(None).unwrap().prepare(&program).unwrap();
    let stop = |instance, _, ands| match (instance, ands) {
        (1, 1..) => Err(IoError::from(Stopped)),
        _ => Ok(()),
    };
    let mut none = Vec::new();
    let error = halfgate_instances::garble(&mut *prepared, &job, &seeds(2), &mut none, &stop);
    assert!(none.is_empty());
    assert_eq!(error.unwrap_err().to_string(), "stopped");
}

#[test]
fn suites_keep_their_limits() {
    let program = adder();
    let try_with = |suite, cycles| {
        let job = Job { program: &program, suite, cycles };
        let mut prepared = CpuEngine::new(None).unwrap().prepare(&program).unwrap();
        let none = &mut Vec::new();
        halfgate_instances::garble(&mut *prepared, &job, &seeds(1), none, &|_, _, _| Ok(()))
            .unwrap_err()
            .to_string()
    };
    assert!(try_with(Suite::HalfGatesFase, 1).contains("is broken"));
    let most = Suite::Grr3.max_ands().unwrap();
    let cycles = most / program.ands_per_cycle() + 1;
    assert!(try_with(Suite::Grr3, cycles).contains("take suite half-gates"));
}

/// A program's seeds are of no use for another program, suite or number of cycles.
#[test]
fn seeds_are_bound_to_the_job() {
    let (program, other) = (
        adder(),
        compile(halfgate_programs::build("adder:33").unwrap(), Order::default()).unwrap(),
    );
    let mut points = Vec::new();
    for job in [
        Job { program: &program, suite: Suite::HalfGates, cycles: 1 },
        Job { program: &program, suite: Suite::HalfGatesFixedKey, cycles: 1 },
        Job { program: &other, suite: Suite::HalfGates, cycles: 1 },
    ] {
        let mut made = Vec::new();
        let mut prepared = CpuEngine::new(None).unwrap().prepare(job.program).unwrap();
        halfgate_instances::garble(&mut *prepared, &job, &seeds(1), &mut made, &|_, _, _| Ok(()))
            .unwrap();
        points.push((made[0].point, made[0].constant));
    }
    assert!(points[0] != points[1] && points[0] != points[2] && points[1] != points[2]);
}
