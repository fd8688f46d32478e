//! Files of garbled tables: a correct result once, and no result from an invalid file.

use super::*;
use crate::frame::Kind;
use crate::ring;
use crate::session::tests::{Case, case, case_over, engine, options};
use crate::session::{Difference, PartyInputs, Report, RunOptions, SecurityLevel};
use crate::session::{SessionError, evaluate};
use halfgate_circuit::random::Shape;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn sequential() -> Case {
    case(4, &Shape { flip_flops: 8, input_bits: 30, output_bits: 16, ..Shape::default() }, 1)
}

fn garbled(case: &Case, options: &RunOptions) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let report = garble_to_file(&case.program, &engine(), options, &path, &mut |_| {}).unwrap();
    assert_eq!(report.counters.ands, case.program.ands_per_cycle() * case.cycles);
    assert_eq!(report.bytes, std::fs::metadata(&path).unwrap().len());
    (folder, path)
}

type Outcome = (Result<Report, SessionError>, Result<Vec<Report>, SessionError>);

fn serve(case: &Case, options: &RunOptions, path: &Path, inputs: &PartyInputs) -> Outcome {
    let (mut a, mut b) = ring::pair();
    std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            let engine = engine();
            evaluate(&mut b, &case.program, &engine, &case.evaluator, options, &mut |_| {})
        });
        let garbled = TableFile::open(path, &case.program, options)
            .and_then(|tables| garble_from_file(&mut a, tables, inputs, options, &mut |_| {}));
        drop(a);
        (garbled, evaluator.join().unwrap())
    })
}

fn refused(case: &Case, options: &RunOptions, path: &Path) -> FileError {
    match serve(case, options, path, &case.garbler[0]) {
        (Err(SessionError::File(error)), Err(_)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_serves_one_session_and_no_other() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let (garbler, evaluator) = serve(&case, &options, &path, &case.garbler[0]);
    let clear: Vec<_> = case.outputs[0].iter().cloned().map(Some).collect();
    assert_eq!(garbler.unwrap().outputs, clear);
    assert_eq!(evaluator.unwrap()[0].outputs, clear);

    assert!(matches!(refused(&case, &options, &path), FileError::Used { .. }));
}

/// Several windows of per-cycle outputs, which are stored among the tables.
#[test]
fn a_file_of_many_cycles_gives_the_results_in_the_clear() {
    let shape = Shape { flip_flops: 8, input_bits: 30, output_bits: 16, ..Shape::default() };
    let case = case_over(4, &shape, 1, 3000);
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let (garbler, evaluator) = serve(&case, &options, &path, &case.garbler[0]);
    let clear: Vec<_> = case.outputs[0].iter().cloned().map(Some).collect();
    assert_eq!(garbler.unwrap().outputs, clear);
    assert_eq!(evaluator.unwrap()[0].outputs, clear);
}

#[test]
fn a_used_file_holds_neither_offset_nor_seed_nor_labels() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let fresh = std::fs::read(&path).unwrap();
    let length = u32::from_le_bytes(fresh[12..16].try_into().unwrap()) as usize;
    // Δ and the seed are the 32 bytes before the last 8 of the description.
    let secrets = format::FIXED + length - 40..format::FIXED + length - 8;
    assert!(fresh[secrets.clone()].iter().any(|byte| *byte != 0));
    // The file has no false label of an input. For outputs that are inputs, such a label would be
    // derived from the seed.
    let seed = &fresh[secrets.clone()][16..];
    let suite = halfgate_engine::Suite::HalfGates;
    let labels = crate::session::labels::LabelSource::new(suite, seed.try_into().unwrap());
    for label in (0..400).map(|sequence| labels.label(sequence).to_bytes()) {
        assert!(!fresh.windows(16).any(|bytes| bytes == label));
    }
    serve(&case, &options, &path, &case.garbler[0]).0.unwrap();
    let used = std::fs::read(&path).unwrap();
    assert!(used[secrets].iter().all(|byte| *byte == 0));
    // Without the mark the file is still unusable.
    let mut unmarked = used;
    unmarked[format::USED as usize] = 0;
    std::fs::write(&path, &unmarked).unwrap();
    assert!(matches!(refused(&case, &options, &path), FileError::Damaged { .. }));
}

#[test]
fn a_file_that_others_may_read_is_refused() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let error = refused(&case, &options, &path);
    assert!(matches!(error, FileError::Permissions { mode: 0o640, .. }), "{error}");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    serve(&case, &options, &path, &case.garbler[0]).0.unwrap();
}

#[test]
fn a_file_is_never_overwritten() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let before = std::fs::read(&path).unwrap();
    let again = garble_to_file(&case.program, &engine(), &options, &path, &mut |_| {});
    assert!(matches!(again, Err(SessionError::File(FileError::Io { .. }))));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_cut_short_is_noticed_before_it_is_used() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let whole = std::fs::read(&path).unwrap();
    for len in [0, 100, format::BODY as usize, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..len]).unwrap();
        let error = refused(&case, &options, &path);
        assert!(
            matches!(error, FileError::Incomplete { .. } | FileError::Format { .. }),
            "{len}: {error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), &whole[..len], "not marked used");
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let whole = std::fs::read(&path).unwrap();
    let description = u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
    // Every fifth byte of the header without its padding, and some 60 bytes spread over the
    // records.
    let places = (0..format::FIXED + description)
        .step_by(5)
        .chain((format::BODY as usize..whole.len()).step_by(whole.len() / 60));
    for at in places {
        let mut bad = whole.clone();
        bad[at] ^= 4;
        std::fs::write(&path, &bad).unwrap();
        let checked = TableFile::open(&path, &case.program, &options)
            .and_then(|mut tables| tables.check_records());
        assert!(matches!(checked, Err(SessionError::File(_))), "byte {at}: {checked:?}");
        let (garbler, evaluator) = serve(&case, &options, &path, &case.garbler[0]);
        assert!(matches!(garbler, Err(SessionError::File(_))), "byte {at}: {garbler:?}");
        assert!(evaluator.is_err(), "byte {at}");
    }
}

#[test]
fn a_file_for_something_else_is_refused_with_both_values() {
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let more = RunOptions { cycles: options.cycles + 1, ..options.clone() };
    let suite = halfgate_engine::Suite::HalfGatesFixedKey;
    let suite = RunOptions { suite, ..options.clone() };
    for (name, wanted) in [(Difference::Cycles, more), (Difference::Suite, suite)] {
        match refused(&case, &wanted, &path) {
            FileError::Mismatch { what, file, session, .. } => {
                assert_eq!(what, name);
                assert_ne!(file, session);
            }
            error => panic!("{error}"),
        }
    }
    // None of these attempts marked the file as used, and checking it does not either.
    TableFile::open(&path, &case.program, &options).unwrap().check_records().unwrap();
    let (garbler, _) = serve(&case, &options, &path, &case.garbler[0]);
    garbler.unwrap();
}

#[test]
fn malicious_sessions_use_no_files() {
    let case = sequential();
    let honest = options(&case);
    let (folder, path) = garbled(&case, &honest);
    let malicious = RunOptions { security: SecurityLevel::Malicious, ..honest.clone() };
    let new = folder.path().join("new");
    let made = garble_to_file(&case.program, &engine(), &malicious, &new, &mut |_| {});
    let opened = TableFile::open(&path, &case.program, &malicious).map(drop);
    let tables = TableFile::open(&path, &case.program, &honest).unwrap();
    let (mut channel, _peer) = ring::pair();
    let inputs = &case.garbler[0];
    let used = garble_from_file(&mut channel, tables, inputs, &malicious, &mut |_| {});
    for refused in [made.map(drop), opened, used.map(drop)] {
        let error = refused.unwrap_err();
        assert!(matches!(error, SessionError::Usage(_)), "{error}");
        assert!(error.to_string().contains("--security semi-honest only"), "{error}");
    }
    assert!(!new.exists());
    // The file is unused.
    TableFile::open(&path, &case.program, &honest).unwrap();
}

#[test]
fn a_file_is_used_up_by_a_session_that_failed_after_the_handshake() {
    use crate::channel::Channel;
    let case = sequential();
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    let (mut a, mut b) = ring::pair();
    std::thread::scope(|scope| {
        let (case, options, path) = (&case, &options, &path);
        scope.spawn(move || {
            let inputs = &case.garbler[0];
            let tables = TableFile::open(path, &case.program, options).unwrap();
            garble_from_file(&mut a, tables, inputs, options, &mut |_| {}).unwrap_err()
        });
        let hello = crate::handshake::Hello::new(
            halfgate_circuit::Party::Evaluator,
            &case.program,
            1,
            options,
            [1; 32],
        );
        let outputs = case.program.circuit.outputs.len();
        crate::handshake::shake(&mut b, &hello.unwrap(), None, outputs).unwrap();
        b.send(Kind::Done, &[]).unwrap();
        b.flush().unwrap();
        assert_eq!(b.recv().unwrap(), Kind::BaseOt);
        assert!(b.recv().is_err());
    });
    assert!(matches!(refused(&case, &options, &path), FileError::Used { .. }));
}

/// Each cycle has many of the evaluator's bits and few output bits. The evaluator sends a limited
/// number of transfers ahead and then waits for a checkpoint, before which the garbler must not
/// request more transfers.
#[test]
fn a_file_of_many_cycles_gives_each_output_before_it_requests_inputs_of_later_cycles() {
    let shape =
        Shape { gates: 400, flip_flops: 4, input_bits: 160, output_bits: 4, ..Shape::default() };
    let case = case_over(7, &shape, 1, 6_000);
    let options = options(&case);
    let (_folder, path) = garbled(&case, &options);
    // Deadlocked parties are both alive, so only this timer ends them.
    let (ended, cancel) = (AtomicBool::new(false), options.cancel.clone());
    let (garbler, evaluator) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let begin = Instant::now();
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
                cancel.fetch_or(begin.elapsed() > Duration::from_secs(20), Ordering::Relaxed);
            }
        });
        let outcome = serve(&case, &options, &path, &case.garbler[0]);
        ended.store(true, Ordering::Relaxed);
        outcome
    });
    let clear: Vec<_> = case.outputs[0].iter().cloned().map(Some).collect();
    assert_eq!(garbler.unwrap().outputs, clear);
    assert_eq!(evaluator.unwrap()[0].outputs, clear);
}
