//! Searches all memory of this process for what follows from the seeds of instances, after they
//! were garbled. It has the process for itself, so there is one test.

use halfgate_compiler::{Order, Program, compile, compile_structured};
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_engine::{Engine, IoError, Suite, wipe};
use halfgate_instances::{Job, Seed};
use halfgate_leaks::memory::{Masked, Secrets};
use halfgate_reference::Aes128;
use std::num::NonZeroUsize;
use zeroize::{Zeroize, Zeroizing};

const SUITE: Suite = Suite::HalfGates;
/// Input bits whose labels are looked for.
const INPUTS: u128 = 100;

/// Draws a seed, and notes it and what follows from it.
fn seed(program: &Program, secrets: &mut Secrets) -> Seed {
    wipe::stack_after(|| {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *bytes).unwrap();
        secrets.add("seeds", &*bytes);
        let mut derivation = blake3::Hasher::new_derive_key("halfgate 2026-11-27 instance 1");
        let name = SUITE.name().as_bytes();
        derivation.update(&*bytes).update(&program.hash.0).update(&[name.len() as u8]);
        derivation.update(name).update(&1_u64.to_le_bytes());
        let mut parts = Zeroizing::new([[0; 16]; 2]);
        let mut reader = derivation.finalize_xof();
        parts.iter_mut().for_each(|part| reader.fill(part));
        derivation.zeroize();
        reader.zeroize();
        secrets.add("seeds of labels", &parts[0]);
        let delta = u128::from_le_bytes(parts[1]) | 1;
        secrets.add_masked("offsets", Masked::new(delta));
        let cipher = Aes128::new(u128::from_le_bytes(parts[0]));
        for number in 0..INPUTS {
            let label = Masked::new(cipher.encrypt(number));
            secrets.add_masked("false labels", label);
            secrets.add_masked("true labels", label.xor(delta));
        }
        Seed::from_bytes(&bytes)
    })
}

/// An error that stops the work.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

/// Garbles `count` instances, whose watch may stop them; returns the number of pieces found, and
/// of those looked for.
fn left(program: &Program, count: usize, threads: usize, stops: bool) -> (usize, usize) {
    let mut secrets = Secrets::new();
    let seeds: Vec<Seed> =
        wipe::stack_after(|| (0..count).map(|_| seed(program, &mut secrets)).collect());
    let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
    let engine = CpuEngine::new(None).unwrap().with_threads(threads);
    let mut prepared = engine.prepare(program).unwrap();
    let job = Job { program, suite: SUITE, cycles: 1 };
    let mut made = Vec::new();
    let watch = |_, _, _| if stops { Err(IoError::from(Stopped)) } else { Ok(()) };
    let ended = halfgate_instances::garble(&mut *prepared, &job, &seeds, &mut made, &watch);
    assert_eq!(ended.is_err(), stops);
    let held = secrets.search().unwrap().count();
    assert!(held >= 4 * count, "the search finds the {count} seeds that are held: {held}");
    drop(seeds);
    let found = secrets.search().unwrap();
    println!("{count} instances, {threads:?}, stopped {stops}: found {}: {found}", found.count());
    (found.count(), secrets.pieces())
}

#[test]
fn nothing_is_left_of_instances() {
    if !cfg!(target_os = "linux") {
        println!("NOT RUN: memory is searched on Linux only");
        return;
    }
    let flat = compile(halfgate_programs::build("sha256").unwrap(), Order::default()).unwrap();
    let circuit = halfgate_programs::build_structured("join:40x40").unwrap();
    let structured = compile_structured(circuit, Order::default()).unwrap();
    let mut all = 0;
    for program in [&flat, &structured] {
        for (count, threads) in [(2, 1), (5, 1), (20, 2)] {
            for stops in [false, true] {
                let (found, pieces) = left(program, count, threads, stops);
                assert!(pieces > 400 * count);
                all += found;
            }
        }
    }
    assert_eq!(all, 0, "copies of secrets are left in memory");
}
