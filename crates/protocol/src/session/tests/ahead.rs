//! Malicious sessions from preprocessing files: correct results once, and none from invalid files.

use super::streaming::long;
use super::*;
use crate::keys::Fingerprint;
use crate::session::authenticated::ahead::{
    Identities, PreprocessedError, PreprocessedFile, PreprocessingReport, Protection, Side, Target,
    preprocess, run_preprocessed,
};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PARTIES: [Party; 2] = [Party::Garbler, Party::Evaluator];

/// The two parties, each with a folder of its own.
struct Parties<'c> {
    case: &'c Case,
    options: RunOptions,
    folder: TempDir,
    protection: Protection<'c>,
    identities: [Identities; 2],
}

type Made = Result<PreprocessingReport, SessionError>;
type Ran = Result<Report, SessionError>;

impl<'c> Parties<'c> {
    fn new(case: &'c Case) -> Parties<'c> {
        let options = RunOptions { security: SecurityLevel::Malicious, ..options(case) };
        let folder = tempfile::tempdir().unwrap();
        for party in PARTIES {
            std::fs::create_dir(folder.path().join(party.to_string())).unwrap();
        }
        let [alice, bob] = [[1; 32], [2; 32]].map(|key| Some(Fingerprint::of(&key)));
        let identities =
            [Identities { own: alice, peer: bob }, Identities { own: bob, peer: alice }];
        Parties { case, options, folder, protection: Protection::None, identities }
    }

    fn path(&self, party: Party, name: &str) -> PathBuf {
        self.folder.path().join(party.to_string()).join(name)
    }

    fn side<'s>(&'s self, party: Party, engine: &'s CpuEngine) -> Side<'s> {
        let identities = self.identities[party as usize];
        let (program, options) = (&self.case.program, &self.options);
        Side { party, identities, program, engine, options }
    }

    /// Preprocesses, into a file of this name for each party.
    fn preprocess(&self, name: &str, channels: (impl Channel, impl Channel)) -> (Made, Made) {
        let run = |party, channel: &mut dyn Channel| {
            let (engine, path) = (engine(), self.path(party, name));
            let target = Target { path: &path, protection: self.protection };
            preprocess(channel, self.side(party, &engine), None, target, &mut |_| {})
        };
        in_threads(channels, &run)
    }

    /// Preprocesses without faults.
    fn make(&self, name: &str) {
        let (garbler, evaluator) = self.preprocess(name, ring::pair());
        let (garbler, evaluator) = (garbler.unwrap(), evaluator.unwrap());
        assert_eq!(garbler.generation, evaluator.generation);
        assert_eq!(garbler.counters, evaluator.counters);
        for (party, report) in PARTIES.into_iter().zip([garbler, evaluator]) {
            let length = std::fs::metadata(self.path(party, name)).unwrap().len();
            assert_eq!(report.bytes, length);
        }
    }

    fn open<'p>(
        &'p self,
        party: Party,
        (path, ledger): (&'p Path, &'p Path),
    ) -> Result<PreprocessedFile<'p>, SessionError> {
        let (program, options) = (&self.case.program, &self.options);
        PreprocessedFile::open((path, ledger), &self.protection, party, program, options)
    }

    /// Runs from the files of these names.
    fn run(&self, names: [&str; 2], channels: (impl Channel, impl Channel)) -> (Ran, Ran) {
        let run = |party: Party, channel: &mut dyn Channel| {
            let engine = engine();
            let path = self.path(party, names[party as usize]);
            let ledger = self.path(party, "ledger");
            let file = match self.open(party, (&path, &ledger)) {
                Ok(file) => file,
                Err(error) => {
                    channel.abort("no file");
                    return Err(error);
                }
            };
            let inputs = match party {
                Party::Garbler => &self.case.garbler[0],
                Party::Evaluator => &self.case.evaluator[0],
            };
            let side = self.side(party, &engine);
            run_preprocessed(channel, side, None, file, inputs, &mut |_| {})
        };
        in_threads(channels, &run)
    }

    /// Runs from the files of these names, and checks the results.
    fn check(&self, names: [&str; 2]) {
        let (garbled, evaluated) = self.run(names, ring::pair());
        if let (Ok(garbled), Ok(evaluated)) = (&garbled, &evaluated) {
            // All messages are of the phase that needs inputs.
            let [.., garbled] = garbled.phases[..] else { panic!("no phases") };
            let [.., evaluated] = evaluated.phases[..] else { panic!("no phases") };
            assert!(garbled.bytes_sent > 0 && garbled.bytes_sent == evaluated.bytes_received);
        }
        check(self.case, &self.options.learn, Party::Garbler, garbled.map(|report| vec![report]));
        let evaluated = evaluated.map(|report| vec![report]);
        check(self.case, &self.options.learn, Party::Evaluator, evaluated);
    }

    /// Files of a party, other than its ledger.
    fn files(&self, party: Party) -> usize {
        let files = std::fs::read_dir(self.path(party, "")).unwrap();
        files.filter(|file| file.as_ref().unwrap().file_name() != "ledger").count()
    }

    /// Why a party cannot open its file.
    fn refused(&self, party: Party, name: &str) -> PreprocessedError {
        let (path, ledger) = (self.path(party, name), self.path(party, "ledger"));
        match self.open(party, (&path, &ledger)) {
            Err(SessionError::Preprocessed(error)) => error,
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("the file was opened"),
        }
    }
}

fn in_threads<T: Send>(
    (mut a, mut b): (impl Channel, impl Channel),
    run: &(impl Fn(Party, &mut dyn Channel) -> T + Sync),
) -> (T, T) {
    std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || run(Party::Evaluator, &mut b));
        let garbler = run(Party::Garbler, &mut a);
        drop(a);
        (garbler, evaluator.join().unwrap())
    })
}

/// Several windows, and outputs in each cycle.
fn sequential() -> Case {
    let shape = Shape { flip_flops: 8, input_bits: 30, output_bits: 16, ..Shape::default() };
    case_over(4, &shape, 1, 7)
}

fn tiny() -> Case {
    case(2, &Shape { gates: 20, input_bits: 6, output_bits: 3, ..Shape::default() }, 1)
}

#[test]
fn files_give_the_results_in_the_clear() {
    let mut cases = vec![sequential(), long(100, 1), skipping(case(1, &shapes()[1], 1))];
    cases.extend(shapes().iter().map(|shape| case(3, shape, 1)));
    let shape = structured::random::Shape::default();
    cases.extend((0..4).map(|seed| structured(seed, &shape)));
    for case in &cases {
        let parties = Parties::new(case);
        parties.make("file");
        parties.check(["file", "file"]);
    }
}

#[test]
fn all_learners_get_their_outputs() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    let case = long(30, 1);
    for (x, y) in all.iter().flat_map(|x| all.map(|y| (*x, y))) {
        let mut parties = Parties::new(&case);
        parties.options.learn = vec![x, y];
        parties.make("file");
        parties.check(["file", "file"]);
    }
}

/// A ledger that another process has locked stands for a slow disk.
#[test]
fn a_party_that_marks_its_file_slowly_does_not_time_out() {
    let case = tiny();
    for party in PARTIES {
        let mut parties = Parties::new(&case);
        parties.options.timeout = Duration::from_secs(1);
        parties.make("file");
        let ledger = std::fs::File::create(parties.path(party, "ledger")).unwrap();
        ledger.lock().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_secs(2));
                drop(ledger);
            });
            parties.check(["file", "file"]);
        });
    }
}

#[test]
fn a_file_serves_one_run_even_if_it_is_restored_from_a_copy() {
    let case = sequential();
    let parties = Parties::new(&case);
    parties.make("file");
    for party in PARTIES {
        std::fs::copy(parties.path(party, "file"), parties.path(party, "copy")).unwrap();
    }
    parties.check(["file", "file"]);
    for party in PARTIES {
        let error = parties.refused(party, "file");
        assert!(matches!(error, PreprocessedError::Used { .. }), "{error}");
        let error = parties.refused(party, "copy");
        assert!(matches!(error, PreprocessedError::Copied { .. }), "{error}");
        // The used file has lost its key.
        let used = std::fs::read(parties.path(party, "file")).unwrap();
        let copy = std::fs::read(parties.path(party, "copy")).unwrap();
        let changed: Vec<_> = (0..used.len()).filter(|at| used[*at] != copy[*at]).collect();
        assert!(changed.len() > 20 && changed.iter().all(|at| *at == 10 || (48..80).contains(at)));
    }
    // One party restores its file on another computer, which has no ledger. The peer refuses.
    std::fs::remove_file(parties.path(Party::Garbler, "ledger")).unwrap();
    let (garbler, evaluator) = parties.run(["copy", "copy"], ring::pair());
    assert_eq!(garbler.unwrap_err().class(), ErrorClass::Aborted);
    assert_eq!(evaluator.unwrap_err().class(), ErrorClass::File);
    let elsewhere = parties.path(Party::Garbler, "elsewhere");
    parties.open(Party::Garbler, (&parties.path(Party::Garbler, "copy"), &elsewhere)).unwrap();
}

#[test]
fn files_of_two_preprocessings_do_not_mix() {
    let case = tiny();
    let parties = Parties::new(&case);
    parties.make("first");
    parties.make("second");
    let (garbler, evaluator) = parties.run(["first", "second"], ring::pair());
    for outcome in [garbler, evaluator] {
        let error = outcome.unwrap_err();
        let what = matches!(error, SessionError::Mismatch { what: Difference::Generation, .. });
        assert!(what, "{error}");
        assert!(error.to_string().ends_with("the files that one preprocessing made"), "{error}");
    }
    // Neither file is used by that.
    parties.check(["second", "second"]);
    parties.check(["first", "first"]);
}

#[test]
fn both_parties_must_be_in_the_same_phase() {
    let case = tiny();
    let parties = Parties::new(&case);
    let (mut a, mut b) = ring::pair();
    std::thread::scope(|scope| {
        let (parties, case) = (&parties, &case);
        let whole = scope.spawn(move || {
            let (inputs, options) = (&case.evaluator, &parties.options);
            evaluate(&mut b, &case.program, &engine(), inputs, options, &mut |_| {})
        });
        let (engine, path) = (engine(), parties.path(Party::Garbler, "file"));
        let target = Target { path: &path, protection: Protection::None };
        let side = parties.side(Party::Garbler, &engine);
        let made = preprocess(&mut a, side, None, target, &mut |_| {});
        for error in [made.unwrap_err(), whole.join().unwrap().unwrap_err()] {
            let is_phase = matches!(error, SessionError::Mismatch { what: Difference::Phase, .. });
            assert!(is_phase, "{error}");
        }
    });
    assert_eq!(parties.files(Party::Garbler), 0);
}

/// The reason is named locally. The peer learns only that the file is not usable.
#[test]
fn a_file_for_something_else_is_refused() {
    let (case, other) = (tiny(), case(9, &Shape::default(), 1));
    let mut parties = Parties::new(&case);
    parties.make("file");
    let mismatch = |error: PreprocessedError| match error {
        PreprocessedError::Mismatch { what, .. } => what,
        error => panic!("{error}"),
    };

    // Another peer, which is known only after the handshake.
    let honest = parties.identities;
    let mallory = Some(Fingerprint::of(&[3; 32]));
    parties.identities[0].peer = mallory;
    let (garbler, evaluator) = parties.run(["file", "file"], ring::pair());
    let Err(SessionError::Preprocessed(error)) = garbler else { panic!("{garbler:?}") };
    assert_eq!(mismatch(error), Difference::PeerIdentity);
    let text = evaluator.unwrap_err().to_string();
    assert!(text.contains("its preprocessing file is not usable"), "{text}");
    parties.identities = honest;
    parties.identities[1].own = None;
    let (_, evaluator) = parties.run(["file", "file"], ring::pair());
    let Err(SessionError::Preprocessed(error)) = evaluator else { panic!("{evaluator:?}") };
    assert_eq!(mismatch(error), Difference::OwnIdentity);
    parties.identities = honest;

    // The other party's file.
    let (path, ledger) = (parties.path(Party::Garbler, "file"), parties.path(PARTIES[1], "none"));
    let opened = parties.open(Party::Evaluator, (&path, &ledger));
    let Err(SessionError::Preprocessed(error)) = opened else { panic!("it was opened") };
    assert_eq!(mismatch(error), Difference::Role);

    // Other settings.
    parties.options.cycles = 2;
    assert_eq!(mismatch(parties.refused(PARTIES[0], "file")), Difference::Cycles);
    parties.options.cycles = 1;
    parties.case = &other;
    assert_eq!(mismatch(parties.refused(PARTIES[0], "file")), Difference::Program);
    parties.case = &case;
    parties.options.learn = vec![Learn::Garbler; case.program.circuit.outputs.len()];
    let (garbler, _) = parties.run(["file", "file"], ring::pair());
    let Err(SessionError::Preprocessed(error)) = garbler else { panic!("{garbler:?}") };
    assert_eq!(mismatch(error), Difference::Learners);
    parties.options.learn.clear();

    // None of that has used the file.
    parties.check(["file", "file"]);
}

#[test]
fn a_damaged_file_is_refused_wherever_it_is_damaged() {
    let case = long(400, 1);
    let parties = Parties::new(&case);
    parties.make("file");
    let whole = std::fs::read(parties.path(Party::Evaluator, "file")).unwrap();
    assert!(whole.len() > 2048 + 2 * 65_552, "several chunks");
    let write = |content: &[u8]| std::fs::write(parties.path(Party::Evaluator, "file"), content);
    let ends = [2048, 2063, 2064, 67_599, 67_600, whole.len() - 1];
    for at in (0..96).step_by(3).chain(96..100).chain([170, 300, 2047]).chain(ends) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        write(&damaged).unwrap();
        let error = parties.refused(Party::Evaluator, "file");
        let expected = match at {
            0..10 => matches!(error, PreprocessedError::Format { .. }),
            10 => matches!(error, PreprocessedError::Used { .. }),
            11 => matches!(error, PreprocessedError::Protection { .. }),
            _ => matches!(error, PreprocessedError::Damaged { .. }),
        };
        assert!(expected, "byte {at}: {error}");
    }
    for length in [0, 100, 2047, 2048, 2050, 67_600, whole.len() - 1] {
        write(&whole[..length]).unwrap();
        let error = parties.refused(Party::Evaluator, "file").to_string();
        assert!(error.contains("too short") || error.contains("damaged"), "{length}: {error}");
    }
    write(&[&whole[..], &[0; 100]].concat()).unwrap();
    assert!(matches!(parties.refused(PARTIES[1], "file"), PreprocessedError::Damaged { .. }));
    write(&whole).unwrap();
    parties.check(["file", "file"]);
}

#[test]
fn an_encrypted_file_needs_its_key() {
    let case = tiny();
    let mut parties = Parties::new(&case);
    let (key, passphrase) = (Protection::Key(&[1; 32]), Protection::Passphrase(b"correct horse"));
    for (right, wrong) in
        [(key, Protection::Key(&[2; 32])), (passphrase, Protection::Passphrase(b"correct hors"))]
    {
        parties.protection = right;
        let name = format!("{right:?}");
        parties.make(&name);
        for (protection, is_locked) in [(wrong, true), (Protection::None, false)] {
            parties.protection = protection;
            let error = parties.refused(Party::Garbler, &name);
            assert_eq!(matches!(error, PreprocessedError::Locked { .. }), is_locked, "{error}");
            assert!(error.to_string().contains(&name), "{error}");
        }
        parties.protection = right;
        parties.check([&name, &name]);
    }
    for weak in [Protection::Key(&[1; 31]), Protection::Passphrase(b"")] {
        parties.protection = weak;
        let (made, _) = parties.preprocess("weak", ring::pair());
        assert_eq!(made.unwrap_err().class(), ErrorClass::Usage);
    }
    assert!(!parties.path(Party::Garbler, "weak").exists());
}

#[test]
#[cfg(unix)]
fn a_file_belongs_to_its_owner_and_to_one_process() {
    use std::os::unix::fs::PermissionsExt;
    let case = tiny();
    let parties = Parties::new(&case);
    parties.make("file");
    let (path, ledger) = (parties.path(PARTIES[0], "file"), parties.path(PARTIES[0], "ledger"));
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let open = parties.open(PARTIES[0], (&path, &ledger)).unwrap();
    assert!(matches!(parties.refused(PARTIES[0], "file"), PreprocessedError::Busy { .. }));
    drop(open);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert!(matches!(parties.refused(PARTIES[0], "file"), PreprocessedError::Permissions { .. }));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    // Another preprocessing does not replace the file.
    let (garbler, evaluator) = parties.preprocess("file", ring::pair());
    for error in [garbler.unwrap_err(), evaluator.unwrap_err()] {
        let SessionError::Preprocessed(error) = error else { panic!("{error}") };
        assert!(matches!(error, PreprocessedError::Exists { .. }), "{error}");
    }
    parties.check(["file", "file"]);
}

#[test]
fn a_damaged_ledger_permits_no_file() {
    let case = tiny();
    let parties = Parties::new(&case);
    parties.make("file");
    let ledger = parties.path(PARTIES[0], "ledger");
    let entry = [b'0'; 64];
    std::fs::write(&ledger, [&entry[..], b" \n"].concat()).unwrap();
    assert!(matches!(parties.refused(PARTIES[0], "file"), PreprocessedError::Ledger { .. }));
    // A line that was cut short is replaced by the next one.
    std::fs::write(&ledger, [&entry[..], b"\n012"].concat()).unwrap();
    parties.check(["file", "file"]);
    assert_eq!(std::fs::read(&ledger).unwrap().len(), 130);
}

/// The number of frames that each party sends in a session without faults.
fn frames<T>(session: impl FnOnce((StreamChannel<Pipe>, StreamChannel<Pipe>)) -> T) -> [u64; 2] {
    let (a, b) = pipe(Fault::None, Fault::None);
    let frames = [a.frames(), b.frames()];
    session((StreamChannel::new(a), StreamChannel::new(b)));
    frames.map(|count| *count.lock().unwrap())
}

fn cut(party: Party, frame: u64) -> (StreamChannel<Pipe>, StreamChannel<Pipe>) {
    let (fault, none) = (Fault::Cut { frame }, Fault::None);
    let (a, b) = match party {
        Party::Garbler => pipe(fault, none),
        Party::Evaluator => pipe(none, fault),
    };
    (StreamChannel::new(a), StreamChannel::new(b))
}

#[test]
fn a_preprocessing_that_is_cut_leaves_no_file() {
    let case = tiny();
    let parties = Parties::new(&case);
    let counts = frames(|channels| parties.preprocess("whole", channels));
    for (party, count) in PARTIES.into_iter().zip(counts) {
        assert!(count > 10, "{count}");
        for frame in 0..count {
            let name = format!("{party} {frame}");
            let (garbler, evaluator) = parties.preprocess(&name, cut(party, frame));
            for (own, outcome) in PARTIES.into_iter().zip([garbler, evaluator]) {
                let is_there = parties.path(own, &name).exists();
                // The peer of a party whose last message is cut has a file that it cannot use.
                assert_eq!(is_there, outcome.is_ok(), "{name}");
                assert!(!is_there || frame == count - 1, "{name}");
                if let Err(error) = outcome {
                    assert_eq!(error.class(), ErrorClass::Connection, "{name}: {error}");
                }
                let _ = std::fs::remove_file(parties.path(own, &name));
                assert_eq!(parties.files(own), 1, "{name}: only the file without a fault");
            }
        }
    }
}

#[test]
fn a_run_that_is_cut_uses_the_files_from_its_first_message_on() {
    let case = tiny();
    let parties = Parties::new(&case);
    parties.make("whole");
    let counts = frames(|channels| parties.run(["whole"; 2], channels));
    for (party, count) in PARTIES.into_iter().zip(counts) {
        let mut used = 0;
        for frame in 0..count {
            let name = format!("{party} {frame}");
            parties.make(&name);
            let (garbler, evaluator) = parties.run([&name; 2], cut(party, frame));
            // Its hello and its phase come from no file.
            let marked = std::fs::read(parties.path(party, &name)).unwrap()[10] == 1;
            assert_eq!(marked, frame > 1, "{name}");
            used += u64::from(marked);
            if marked {
                let error = parties.refused(party, &name);
                assert!(matches!(error, PreprocessedError::Used { .. }), "{name}: {error}");
            }
            for outcome in [garbler, evaluator] {
                match outcome {
                    // Cut at its end: the result is verified.
                    Ok(report) => {
                        let outputs: Vec<_> = report.outputs.into_iter().flatten().collect();
                        assert_eq!(outputs, case.outputs[0], "{name}");
                    }
                    Err(error) => {
                        assert_eq!(error.class(), ErrorClass::Connection, "{name}: {error}");
                    }
                }
            }
        }
        assert_eq!(used, count - 2);
    }
}
