//! Parsing and comparison of handshakes.

use super::*;
use crate::frame::{HEADER, Header};
use crate::session::tests::engine;
use crate::session::{STATISTICAL, evaluate, garble};
use crate::stream_channel::StreamChannel;
use crate::testing::{Fault, pipe};
use halfgate_circuit::Bits;
use proptest::prelude::*;
use std::io::Write;

fn hello(role: Party) -> Hello {
    Hello {
        role,
        nonce: [7; 32],
        suite: "half-gates".to_owned(),
        order: "grouped:8192".to_owned(),
        skips: false,
        program: [0xab; 32],
        functions: vec![[1; 8], [2; 8]],
        cycles: 3,
        runs: 1,
        learn: vec![Learn::Both, Learn::None],
        ot: OtMode::SemiHonest,
        ot_field: OtField::Two,
        security: SecurityLevel::SemiHonest,
        statistical: 0,
        labels: (role == Party::Garbler).then_some(LabelMode::Correlated),
        parts: true,
        engine: "cpu (test)".to_owned(),
        timeout: Duration::from_secs(30),
        program_name: "adder".to_owned(),
    }
}

fn malicious(hello: &mut Hello) {
    (hello.security, hello.statistical) = (SecurityLevel::Malicious, STATISTICAL);
}

#[test]
fn a_handshake_reads_back() {
    for role in [Party::Garbler, Party::Evaluator] {
        let mut hello = hello(role);
        assert_eq!(Hello::parse(&hello.encode()), Ok(hello.clone()));
        malicious(&mut hello);
        assert_eq!(Hello::parse(&hello.encode()), Ok(hello));
    }
}

/// Only a malicious session has a statistical parameter.
#[test]
fn a_level_and_a_parameter_that_do_not_match_are_refused() {
    for (security, statistical) in [(SecurityLevel::SemiHonest, 40), (SecurityLevel::Malicious, 0)]
    {
        let hello = Hello { security, statistical, ..hello(Party::Garbler) };
        let refused = Err(HelloError::Field("statistical parameter"));
        assert_eq!(Hello::parse(&hello.encode()), refused);
    }
    let mut one = hello(Party::Garbler);
    let semi_honest = one.encode();
    malicious(&mut one);
    let mut bytes = one.encode();
    let at = (0..bytes.len()).find(|&at| bytes[at] != semi_honest[at]).unwrap();
    for level in [2, 3, 255] {
        bytes[at] = level;
        assert_eq!(Hello::parse(&bytes), Err(HelloError::Field("security level")));
    }
}

#[test]
fn parties_agree_on_the_statistical_parameter() {
    let [mut garbler, mut evaluator] = [Party::Garbler, Party::Evaluator].map(hello);
    malicious(&mut garbler);
    malicious(&mut evaluator);
    let agreed = agree(&garbler, &evaluator, None, 2).unwrap();
    assert_eq!(agreed.security, SecurityLevel::Malicious);
    evaluator.statistical = 64;
    for (ours, theirs) in [(&garbler, &evaluator), (&evaluator, &garbler)] {
        let text = agree(ours, theirs, None, 2).unwrap_err().to_string();
        let [ours, theirs] = [ours, theirs].map(|hello| hello.statistical);
        assert!(text.contains("statistical security parameter"), "{text}");
        assert!(text.contains(&ours.to_string()) && text.contains(&theirs.to_string()), "{text}");
    }
}

#[test]
fn every_cut_is_refused() {
    let bytes = hello(Party::Garbler).encode();
    for len in 0..bytes.len() {
        assert!(Hello::parse(&bytes[..len]).is_err(), "{len}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Hello::parse(&longer), Err(HelloError::Length("its end")));
}

#[test]
fn a_huge_number_of_learners_is_refused_before_allocation() {
    let mut hello = hello(Party::Garbler);
    hello.learn.clear();
    hello.program_name.clear();
    let mut bytes = hello.encode();
    let count = bytes.len() - 5;
    bytes.truncate(count + 4);
    bytes[count..].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Hello::parse(&bytes), Err(HelloError::Field("number of learners")));
    bytes[count..].copy_from_slice(&1000u32.to_le_bytes());
    assert_eq!(Hello::parse(&bytes), Err(HelloError::Length("learners")));
}

#[test]
fn characters_that_control_or_turn_a_terminal_are_refused() {
    for text in ["\x1b[2J", "a\nb", "\u{9b}2J", "\u{202e}tluser", "\u{200b}", "\u{2066}x\u{2069}"] {
        let hello = Hello { engine: text.to_owned(), ..hello(Party::Garbler) };
        assert_eq!(Hello::parse(&hello.encode()), Err(HelloError::Field("engine")), "{text:?}");
    }
    let seen = Hello { engine: "Größe 寸法 ∑".to_owned(), ..hello(Party::Garbler) };
    assert_eq!(Hello::parse(&seen.encode()), Ok(seen));
}

proptest! {
    #[test]
    fn no_bytes_make_the_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Hello::parse(&bytes);
        let _ = Hello::parse(&[&MAGIC[..], &VERSION.to_le_bytes(), &bytes].concat());
    }

    #[test]
    fn no_flipped_byte_makes_the_parser_panic(at in 0usize..150, value: u8) {
        let mut bytes = hello(Party::Garbler).encode();
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = Hello::parse(&bytes);
    }
}

#[test]
fn every_difference_is_named_with_both_values() {
    let ours = hello(Party::Garbler);
    let theirs = |change: &dyn Fn(&mut Hello)| {
        let mut theirs = hello(Party::Evaluator);
        change(&mut theirs);
        theirs
    };
    let cases = [
        (Difference::Role, theirs(&|h| h.role = Party::Garbler)),
        (Difference::SecurityLevel, theirs(&malicious)),
        (Difference::Suite, theirs(&|h| h.suite = "half-gates-fixed-key".to_owned())),
        (Difference::Order, theirs(&|h| h.order = "given".to_owned())),
        (Difference::Skipping, theirs(&|h| h.skips = true)),
        (Difference::Program, theirs(&|h| h.program[31] = 0)),
        (
            Difference::Function { number: 1 },
            theirs(&|h| (h.program[31], h.functions[1]) = (0, [3; 8])),
        ),
        (
            Difference::Function { number: 1 },
            theirs(&|h| {
                h.program[31] = 0;
                h.functions.pop();
            }),
        ),
        (Difference::Cycles, theirs(&|h| h.cycles = 4)),
        (Difference::Runs, theirs(&|h| h.runs = 2)),
        (Difference::TransferSecurity, theirs(&|h| h.ot = OtMode::Malicious)),
        (Difference::Learners, theirs(&|h| h.learn = vec![Learn::None, Learn::Both])),
        // A party that lists no learners wants both parties to learn everything.
        (Difference::Learners, theirs(&|h| h.learn.clear())),
    ];
    for (name, theirs) in cases {
        for (x, y) in [(&ours, &theirs), (&theirs, &ours)] {
            match agree(x, y, None, 2) {
                Err(SessionError::Mismatch { what, ours, theirs, .. }) => {
                    assert_eq!(what, name);
                    if name != Difference::Role {
                        assert_ne!(ours, theirs);
                    }
                }
                other => panic!("{name:?}: {other:?}"),
            }
        }
    }
    let agreed = agree(&ours, &theirs(&|_| {}), None, 2).unwrap();
    assert_eq!(agreed.learn, ours.learn);
    assert_eq!(agreed.labels, LabelMode::Correlated);
    // Both sides derive the same session id, and another nonce gives another id.
    let seen = agree(&theirs(&|_| {}), &ours, None, 2).unwrap();
    assert_eq!(agreed.session, seen.session);
    let fresh = agree(&ours, &theirs(&|h| h.nonce[0] = 8), None, 2).unwrap();
    assert_ne!(agreed.session, fresh.session);
}

/// Any change to a hello, in transit or between connections, gives another session id to the base
/// OTs and everything after them.
#[test]
fn every_field_of_both_hellos_is_in_the_session() {
    let session = |hellos: &[Hello; 3]| {
        let [garbler, open, evaluator] = hellos;
        let ours = agree(garbler, evaluator, Some(open), 2).unwrap().session;
        assert_eq!(ours, agree(evaluator, garbler, Some(open), 2).unwrap().session);
        ours.0
    };
    let open = Hello { order: String::new(), learn: Vec::new(), ..hello(Party::Evaluator) };
    let hellos = [hello(Party::Garbler), open, hello(Party::Evaluator)];
    let changes: [fn(&mut Hello); 14] = [
        |h| h.nonce[31] ^= 1,
        |h| h.suite = "grr3".to_owned(),
        |h| h.order = "given".to_owned(),
        |h| h.skips = true,
        |h| h.program[0] ^= 1,
        |h| h.cycles += 1,
        |h| h.runs += 1,
        |h| h.learn = vec![Learn::None, Learn::Both],
        |h| h.ot = OtMode::Malicious,
        |h| h.ot_field = OtField::Eight,
        |h| h.labels = h.labels.map(|_| LabelMode::Masked),
        |h| h.engine.push('!'),
        |h| h.timeout += Duration::from_millis(1),
        malicious,
    ];
    let mut seen = vec![session(&hellos)];
    for change in changes {
        // Changes one of the three hellos, or all. A setting on which both parties must agree
        // cannot differ between two hellos.
        for which in [&[0][..], &[1], &[2], &[0, 1, 2]] {
            let mut changed = hellos.clone();
            which.iter().for_each(|&i| change(&mut changed[i]));
            changed[0].labels = match changed[0].runs {
                1 => changed[0].labels,
                _ => Some(LabelMode::Masked),
            };
            let both = agree(&changed[0], &changed[2], None, 2).is_ok();
            if both && changed != hellos {
                seen.push(session(&changed));
            }
        }
    }
    // 14 changes to all three hellos, 13 to the open one (all but its labels), and nonce, field,
    // engine and timeout of each full hello, with the garbler's labels.
    let count = seen.len();
    assert_eq!(count, 1 + 14 + 13 + 4 + 4 + 1);
    // Without the open hello.
    seen.push(agree(&hellos[0], &hellos[2], None, 2).unwrap().session.0);
    seen.sort_unstable();
    seen.dedup();
    // Changing only the garbler's labels is the same as changing them in all three hellos.
    assert_eq!(seen.len(), count);
}

/// The requested field is never a reason to fail: the larger one of the two is used.
#[test]
fn the_larger_field_is_agreed_on() {
    for ours in OtField::ALL {
        for theirs in OtField::ALL {
            let garbler = Hello { ot_field: ours, ..hello(Party::Garbler) };
            let evaluator = Hello { ot_field: theirs, ..hello(Party::Evaluator) };
            let expected = if ours.bits() > theirs.bits() { ours } else { theirs };
            for (x, y) in [(&garbler, &evaluator), (&evaluator, &garbler)] {
                assert_eq!(agree(x, y, None, 2).unwrap().ot_field, expected);
            }
        }
    }
}

#[test]
fn an_invalid_field_is_refused() {
    let mut hello = hello(Party::Garbler);
    let two = hello.encode();
    hello.ot_field = OtField::Eight;
    let mut bytes = hello.encode();
    let at = (0..bytes.len()).find(|&at| bytes[at] != two[at]).unwrap();
    for bits in [0, 3, 5, 16, 255] {
        bytes[at] = bits;
        assert_eq!(Hello::parse(&bytes), Err(HelloError::Field("OT field")), "{bits}");
    }
}

/// With correlated labels the transfers' offset is Δ of the one garbling; a second garbling would
/// have to share it.
#[test]
fn correlated_labels_for_several_runs_are_refused() {
    let garbler = Hello { runs: 2, ..hello(Party::Garbler) };
    let evaluator = Hello { runs: 2, ..hello(Party::Evaluator) };
    for (ours, theirs) in [(&garbler, &evaluator), (&evaluator, &garbler)] {
        assert!(matches!(agree(ours, theirs, None, 2), Err(SessionError::Protocol { .. })));
    }
    let garbler = Hello { labels: Some(LabelMode::Masked), ..garbler };
    assert_eq!(agree(&evaluator, &garbler, None, 2).unwrap().labels, LabelMode::Masked);
}

#[test]
fn another_version_is_named() {
    let (a, b) = pipe(Fault::None, Fault::None);
    let (mut a, mut b) = (StreamChannel::new(a), StreamChannel::new(b));
    let mut bytes = hello(Party::Evaluator).encode();
    bytes[8..10].copy_from_slice(&99u16.to_le_bytes());
    b.send(Kind::Hello, &bytes).unwrap();
    b.flush().unwrap();
    let error = shake(&mut a, &hello(Party::Garbler), None, 2).unwrap_err();
    let text = error.to_string();
    let named = format!("protocol version: ours is {VERSION}, the evaluator's is 99");
    assert!(text.contains(&named), "{text}");
}

#[test]
fn garbage_is_refused_at_once() {
    let http = b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".to_vec();
    let ssh = b"SSH-2.0-OpenSSH_9.9\r\n".to_vec();
    for garbage in [http, ssh, vec![0; HEADER], vec![255; 1000]] {
        let (a, mut b) = pipe(Fault::None, Fault::None);
        b.write_raw(&garbage);
        let error = shake(&mut StreamChannel::new(a), &hello(Party::Garbler), None, 2).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("does not speak this protocol"), "{text}");
        b.flush().unwrap();
    }
}

#[test]
fn a_first_frame_that_is_not_a_hello_is_refused() {
    let (a, b) = pipe(Fault::None, Fault::None);
    let mut b = StreamChannel::new(b);
    b.send(Kind::Tables, &[0; 64]).unwrap();
    b.flush().unwrap();
    let error = shake(&mut StreamChannel::new(a), &hello(Party::Garbler), None, 2).unwrap_err();
    assert!(error.to_string().contains("where the handshake was due"), "{error}");
}

/// The hellos of a session of the built-in program `adder:8`, in the order in which they are sent.
fn recorded() -> [(&'static str, Hello); 3] {
    let circuit = halfgate_programs::build("adder:8").unwrap();
    let program = halfgate_compiler::compile(circuit, halfgate_compiler::Order::Given).unwrap();
    let options = RunOptions::default();
    let [garbler, evaluator] = [Party::Garbler, Party::Evaluator].map(|role| {
        let hello = Hello::new(role, &program, 1, &options, [role as u8 + 1; 32]).unwrap();
        Hello { engine: "cpu (test)".to_owned(), ..hello }
    });
    let garbler = Hello { labels: Some(LabelMode::Correlated), ..garbler };
    let open = Hello::open(&options, OtField::Two, [3; 32]);
    [("open", open), ("garbler", garbler), ("evaluator", evaluator)]
}

/// `tests/hellos/README.md` documents when to run it.
#[test]
#[ignore = "writes files of the repository"]
fn write_recorded_hellos() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, hello) in recorded() {
        let payload = hello.encode();
        let mut frame = [&[0; HEADER][..], &payload].concat();
        Header::seal(Kind::Hello, 0, &mut frame);
        std::fs::write(root.join(format!("tests/hellos/{VERSION}-{name}.bin")), frame).unwrap();
        std::fs::write(root.join(format!("fuzz/seeds/handshake/{name}")), payload).unwrap();
    }
}

const OLDER: [(Party, u16, &[u8]); 15] = [
    (Party::Evaluator, 4, include_bytes!("../tests/hellos/4-open.bin")),
    (Party::Garbler, 4, include_bytes!("../tests/hellos/4-garbler.bin")),
    (Party::Evaluator, 4, include_bytes!("../tests/hellos/4-evaluator.bin")),
    (Party::Evaluator, 5, include_bytes!("../tests/hellos/5-open.bin")),
    (Party::Garbler, 5, include_bytes!("../tests/hellos/5-garbler.bin")),
    (Party::Evaluator, 5, include_bytes!("../tests/hellos/5-evaluator.bin")),
    (Party::Evaluator, 6, include_bytes!("../tests/hellos/6-open.bin")),
    (Party::Garbler, 6, include_bytes!("../tests/hellos/6-garbler.bin")),
    (Party::Evaluator, 6, include_bytes!("../tests/hellos/6-evaluator.bin")),
    (Party::Evaluator, 7, include_bytes!("../tests/hellos/7-open.bin")),
    (Party::Garbler, 7, include_bytes!("../tests/hellos/7-garbler.bin")),
    (Party::Evaluator, 7, include_bytes!("../tests/hellos/7-evaluator.bin")),
    (Party::Evaluator, 8, include_bytes!("../tests/hellos/8-open.bin")),
    (Party::Garbler, 8, include_bytes!("../tests/hellos/8-garbler.bin")),
    (Party::Evaluator, 8, include_bytes!("../tests/hellos/8-evaluator.bin")),
];

/// Both sides of a session with an older peer end with both versions named: ours in its error, the
/// older peer in the reason that it receives. The older peer can parse all of it, because frames,
/// the start of a hello, and aborts have not changed.
#[test]
fn an_older_peer_receives_both_versions() {
    let program = halfgate_programs::build("adder:8").unwrap();
    let program = halfgate_compiler::compile(program, halfgate_compiler::Order::Given).unwrap();
    let options = RunOptions::default();
    for (role, version, frame) in OLDER {
        let (a, mut b) = pipe(Fault::None, Fault::None);
        b.write_raw(frame);
        let (mut a, mut b) = (StreamChannel::new(a), StreamChannel::new(b));
        let (engine, ours, mut none) = (engine(), role.other(), |_| {});
        let mut inputs = [vec![None, None]];
        inputs[0][ours as usize] = Some(Bits::from_integer(1, 8));
        let result = match ours {
            Party::Garbler => garble(&mut a, &program, &engine, &inputs, &options, &mut none),
            Party::Evaluator => evaluate(&mut a, &program, &engine, &inputs, &options, &mut none),
        };
        let text = result.unwrap_err().to_string();
        let named = format!("protocol version: ours is {VERSION}, the {role}'s is {version}");
        assert!(text.contains(&named) && text.contains("update the older one"), "{text}");
        // The older peer's view.
        assert_eq!(b.recv().unwrap(), Kind::Hello);
        assert_eq!(&b.payload()[..8], MAGIC);
        assert_eq!(b.payload()[8..10], VERSION.to_le_bytes());
        let reported = b.recv().unwrap_err().to_string();
        assert!(
            reported.contains(&named) && reported.contains("update the older one"),
            "{reported}"
        );
    }
}

/// The hellos sent now are those recorded for this version. Any change to them must raise the
/// version.
#[test]
fn hellos_of_this_version_are_the_recorded_ones() {
    let files: [&[u8]; 3] = [
        include_bytes!("../tests/hellos/9-open.bin"),
        include_bytes!("../tests/hellos/9-garbler.bin"),
        include_bytes!("../tests/hellos/9-evaluator.bin"),
    ];
    let seeds: [&[u8]; 3] = [
        include_bytes!("../fuzz/seeds/handshake/open"),
        include_bytes!("../fuzz/seeds/handshake/garbler"),
        include_bytes!("../fuzz/seeds/handshake/evaluator"),
    ];
    for (((name, hello), file), seed) in recorded().into_iter().zip(files).zip(seeds) {
        assert_eq!(&file[HEADER..], hello.encode(), "{name}");
        assert_eq!(seed, hello.encode(), "{name}");
    }
}
