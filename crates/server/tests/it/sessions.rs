//! Which peers may run which programs.

use crate::support::{LONG, Requests, number, with_files, with_server};
use halfgate_circuit::Party::{Evaluator, Garbler};
use halfgate_protocol::session::SecurityLevel::{Malicious, SemiHonest};
use halfgate_protocol::tls::TlsError;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const TWO: &str = "
[[program]]
name = \"add\"
circuit = \"adder:16\"
role = \"garbler\"
inputs = { file = \"five.txt\" }
learn = \"evaluator\"
[[program]]
name = \"times\"
circuit = \"multiplier:16\"
role = \"evaluator\"
inputs = { file = \"five.txt\" }
learn = \"evaluator\"
results = \"results\"
";
const FILES: [(&str, &str); 2] = [("five.txt", "5"), ("results/.keep", "")];
const MANY: &str = "programs = [\"add\", \"times\"]\nlimits = { sessions = 200, rate = 100000 }";
const SOME: &str = "programs = [\"add\"]\nlimits = { sessions = 200, rate = 100000 }";

#[test]
fn programs_are_found_by_name_or_hash_or_if_there_is_only_one() {
    let summary = with_files(&FILES, ("", [MANY, SOME], TWO), LONG, |world| {
        let add = || Requests::new("adder:16", Evaluator, &[7]);
        let times = || Requests::new("multiplier:16", Garbler, &[7]);
        // There is only one program in which the peer evaluates.
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 12);
        let by_hash = Requests { has_order: true, ..add() };
        assert_eq!(number(&world.run(&world.alice, &by_hash).unwrap()), 12);
        assert_eq!(number(&world.run(&world.bob, &add().named("add")).unwrap()), 12);
        // Here the server learns the output and writes it to a file.
        world.run(&world.alice, &times()).unwrap();
        world.run(&world.alice, &times().named("times")).unwrap();
        world.wait_for("halfgate_sessions_total{program=\"times\",outcome=\"ok\"}", 2.0);
        let results = world.files("results");
        let [_, first, _] = &results[..] else { panic!("{results:?}") };
        assert!(first.starts_with("times-alice-") && first.ends_with("-4.json"), "{results:?}");
        let result = std::fs::read_to_string(world.path("results").join(first)).unwrap();
        assert_eq!(result, "[Some(\"0023\")]");

        // A program that bob may not run is treated as if it did not exist.
        for (requests, words) in [
            (times(), "no program with the hash"),
            (times().named("times"), "no program is called \"times\" here; bob may run add"),
            (add().named("nothing"), "no program is called \"nothing\" here; bob may run add"),
            (
                Requests::new("adder:16", Garbler, &[7]).named("add"),
                "is the garbler of add: connect as its evaluator",
            ),
            (
                Requests { has_order: true, ..Requests::new("adder:8", Evaluator, &[7]) },
                "no program with the hash",
            ),
            (Requests::new("adder:8", Evaluator, &[7]), "differ in the program"),
        ] {
            let error = world.run(&world.bob, &requests).unwrap_err().to_string();
            assert!(error.contains(words), "{}: {error}", requests.spec);
        }
        let refused = "halfgate_refused_total{reason=\"program\"}";
        world.wait_for(refused, 4.0);
        let ok = "halfgate_sessions_total{program=\"add\",outcome=\"ok\"}";
        world.wait_for(ok, 3.0);
        world.wait_for("halfgate_sessions_total{program=\"add\",outcome=\"mismatch\"}", 1.0);
    });
    assert_eq!(summary.unwrap().sessions, 11);
}

#[test]
fn a_peer_of_another_security_level_is_refused() {
    let malicious = TWO.replace("name = \"add\"", "name = \"add\"\nsecurity = \"malicious\"");
    for (programs, level) in [(TWO, Malicious), (&malicious, SemiHonest)] {
        with_files(&FILES, ("", [MANY, SOME], programs), LONG, |world| {
            for has_order in [false, true] {
                let requests = Requests::new("adder:16", Evaluator, &[7]).named("add");
                let mut requests = Requests { has_order, ..requests };
                requests.options.security = level;
                let error = world.run(&world.alice, &requests).unwrap_err().to_string();
                for word in ["security level", "malicious", "semi-honest"] {
                    assert!(error.contains(word), "{word} in {error}");
                }
            }
            world.wait_for("halfgate_sessions_total{program=\"add\",outcome=\"mismatch\"}", 2.0);
        })
        .unwrap();
    }
}

#[test]
fn several_programs_require_a_name() {
    let program = TWO.replace("times", "more").replace("multiplier", "adder");
    let program = program.replace("role = \"evaluator\"", "role = \"garbler\"");
    let program = program.replace("results = \"results\"\n", "");
    let peers = [MANY.replace("times", "more"), SOME.to_owned()];
    let peers = peers.each_ref().map(String::as_str);
    with_files(&FILES, ("", peers, &program), LONG, |world| {
        let requests = Requests::new("adder:16", Evaluator, &[7]);
        let error = world.run(&world.alice, &requests).unwrap_err().to_string();
        assert!(error.contains("--program-name: add, more"), "{error}");
        let error = world.run(&world.alice, &Requests { has_order: true, ..requests }).unwrap_err();
        assert!(error.to_string().contains("--program-name: add, more"), "{error}");
        let requests = Requests::new("adder:16", Evaluator, &[7]).named("more");
        assert_eq!(number(&world.run(&world.alice, &requests).unwrap()), 12);
    })
    .unwrap();
}

/// Sends invalid bytes, or none, and stays connected.
fn unknown_peer(address: &str, bytes: &[u8]) -> Option<TcpStream> {
    let mut socket = TcpStream::connect(address).ok()?;
    let _ = socket.write_all(bytes);
    Some(socket)
}

#[test]
fn hundreds_of_sessions_end_well_with_unknown_peers_among_them() {
    const SESSIONS: usize = 300;
    const AT_A_TIME: usize = 12;
    let begin = Instant::now();
    let summary = with_files(&FILES, ("", [MANY, SOME], TWO), LONG, |world| {
        let (address, done) = (&world.address(), &AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut stay = std::collections::VecDeque::new();
                let sent: [&[u8]; 3] = [b"", b"GET / HTTP/1.0\r\n\r\nand more", &[22, 3, 1, 2, 0]];
                for bytes in sent.iter().cycle() {
                    stay.extend(unknown_peer(address, bytes));
                    if stay.len() > 60 {
                        stay.pop_front();
                    }
                    std::thread::sleep(Duration::from_millis(5));
                    if done.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
            let peers: Vec<_> = (0..AT_A_TIME)
                .map(|index| {
                    scope.spawn(move || {
                        for session in (index..SESSIONS).step_by(AT_A_TIME) {
                            let own = session as u64;
                            let who = if session % 2 == 0 { &world.alice } else { &world.bob };
                            let requests = Requests::new("adder:16", Evaluator, &[own]);
                            assert_eq!(number(&world.run(who, &requests).unwrap()), own + 5);
                        }
                    })
                })
                .collect();
            let ended: Vec<_> = peers.into_iter().map(|peer| peer.join()).collect();
            // TLS rejects a peer with an unknown key.
            assert!(matches!(world.dial(&world.carol), Err(TlsError::Refused { .. })));
            done.store(true, Ordering::Relaxed);
            assert!(ended.iter().all(Result::is_ok));
        });
        world.wait_for("halfgate_strangers_total{reason=\"key\"}", 1.0);
        assert!(world.metric("halfgate_strangers_total{reason=\"no_peer\"}") >= 20.0);
        let ok = "halfgate_sessions_total{program=\"add\",outcome=\"ok\"}";
        world.wait_for(ok, SESSIONS as f64);
        world.wait_for("halfgate_sessions_in_progress", 0.0);
    });
    assert_eq!(summary.unwrap().sessions, SESSIONS as u64);
    println!("{SESSIONS} sessions, {AT_A_TIME} at a time: {:.1} s", begin.elapsed().as_secs_f64());
}

#[test]
fn a_configuration_is_read_again_and_a_bad_one_is_not_taken() {
    with_files(&FILES, ("", [SOME, SOME], TWO), LONG, |world| {
        let times = || Requests::new("multiplier:16", Garbler, &[7]).named("times");
        let error = world.run(&world.alice, &times()).unwrap_err().to_string();
        assert!(error.contains("alice may run add"), "{error}");
        let reload = || world.control.reload.store(true, Ordering::Relaxed);
        world.configure("", [MANY, SOME], TWO);
        reload();
        world.wait_for("halfgate_reloads_total{reason=\"done\"}", 1.0);
        world.run(&world.alice, &times()).unwrap();
        world.configure("sessions = 0", [SOME, SOME], TWO);
        reload();
        world.wait_for("halfgate_reloads_total{reason=\"refused\"}", 1.0);
        world.run(&world.alice, &times()).unwrap();
    })
    .unwrap();
}

#[test]
fn files_named_in_a_configuration_must_exist() {
    let text = "[[program]]\nname = \"add\"\ncircuit = \"adder:16\"\nrole = \"garbler\"\n";
    let peer = "programs = [\"add\"]";
    for (top, more, words) in [
        ("", "learn = \"evaluator\"", "serve.toml:13: program add: inputs: no number for"),
        ("", "inputs = { file = \"none\" }", "program add: inputs: No such file"),
        ("", "inputs = { directory = \"none\" }", "none: No such file"),
        (
            "",
            "inputs = { file = \"five.txt\" }",
            "the garbler, learns outputs: set the folder for them",
        ),
        ("", "inputs = { file = \"five.txt\" }\nresults = \"none\"", "none: No such file"),
        (
            "",
            "inputs = { file = \"five.txt\" }\nresults = \"results\"\nlearn = \"evaluator\"",
            "learns no output",
        ),
        (
            "",
            "inputs = { file = \"five.txt\" }\nsecurity = \"malicious\"\not = \"semi-honest\"",
            "serve.toml:13: program add: --ot semi-honest cannot be used with --security malicious",
        ),
        ("metrics_beyond_loopback = true\n[limits]\nrat = 1", "", "unknown field `rat`"),
    ] {
        let all = (top, [peer, peer], &format!("{text}{more}")[..]);
        let error = with_files(&FILES, all, LONG, |_| panic!("it serves: {more}")).unwrap_err();
        assert!(error.to_string().contains(words), "{more}: {error}");
    }
    let all = ("", [peer, peer], &text.replace("adder", "nothing")[..]);
    let error = with_server(all, |_| panic!("it serves")).unwrap_err().to_string();
    assert!(error.contains("serve.toml:13: program add: ") && error.contains("nothing"), "{error}");
}
