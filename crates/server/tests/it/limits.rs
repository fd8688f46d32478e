//! Each limit, and the sentence that a peer receives.

use crate::support::{LONG, Requests, number, with_files};
use halfgate_circuit::Party::Evaluator;
use halfgate_compiler::Skips;
use halfgate_protocol::session::SecurityLevel;

const PROGRAM: &str = "
[[program]]
name = \"add\"
circuit = \"adder:16\"
role = \"garbler\"
inputs = { file = \"five.txt\" }
learn = \"evaluator\"
";
const FREE: &str = "programs = [\"add\"]";

fn limited(top: &str, limits: &str, test: impl FnOnce(&crate::support::World)) {
    let alice = format!("programs = [\"add\"]\nlimits = {{ {limits} }}");
    let all = (top, [&alice[..], FREE], PROGRAM);
    with_files(&[("five.txt", "5")], all, LONG, test).unwrap();
}

fn add() -> Requests<'static> {
    Requests::new("adder:16", Evaluator, &[7])
}

#[test]
fn sessions_at_a_time() {
    limited("", "sessions = 1", |world| {
        let held = world.dial(&world.alice).unwrap();
        world.wait_for("halfgate_sessions_in_progress", 1.0);
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(
            error.contains("at most 1 session at a time for alice; try again later"),
            "{error}"
        );
        // Other peers have their own places.
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 12);
        drop(held);
        world.wait_for("halfgate_sessions_in_progress", 0.0);
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 12);
        world.wait_for("halfgate_refused_total{reason=\"sessions\"}", 1.0);
    });
}

#[test]
fn sessions_of_all_peers_at_a_time() {
    limited("sessions = 1", "sessions = 9", |world| {
        let _held = world.dial(&world.alice).unwrap();
        world.wait_for("halfgate_sessions_in_progress", 1.0);
        for who in [&world.alice, &world.bob] {
            let error = world.run(who, &add()).unwrap_err().to_string();
            assert!(
                error.contains("this server has 1 sessions at a time, and all are taken"),
                "{error}"
            );
        }
        world.wait_for("halfgate_refused_total{reason=\"busy\"}", 2.0);
    });
}

#[test]
fn sessions_a_minute() {
    limited("", "rate = 2", |world| {
        for _ in 0..2 {
            assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 12);
        }
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(error.contains("at most 2 sessions a minute for alice; try again in"), "{error}");
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 12);
        world.wait_for("halfgate_refused_total{reason=\"rate\"}", 1.0);
    });
}

#[test]
fn ands_and_bytes_of_a_session() {
    limited("", "ands = 14", |world| {
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(error.contains("add takes 15 ANDs, and alice may use 14 in a session"), "{error}");
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 12);
        world.wait_for("halfgate_refused_total{reason=\"ands\"}", 1.0);
        world.wait_for("halfgate_ands_total{program=\"add\"}", 15.0);
    });
    limited("", "bytes = 5000", |world| {
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(error.contains("at most 5000 bytes in a session for alice"), "{error}");
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 12);
        world.wait_for("halfgate_refused_total{reason=\"bytes\"}", 1.0);
    });
}

/// How many gates such a program skips becomes known only while it runs. The limit is then checked
/// after each window.
#[test]
fn ands_of_a_malicious_program_that_skips() {
    let program = format!("{PROGRAM}privacy = \"public-skip\"\nsecurity = \"malicious\"\n");
    let alice = "programs = [\"add\"]\nlimits = { ands = 14 }";
    let all = ("", [alice, FREE], &program[..]);
    with_files(&[("five.txt", "5")], all, LONG, |world| {
        let mut request = add();
        request.program = request.program.skipping(Skips::default());
        request.options.security = SecurityLevel::Malicious;
        let error = world.run(&world.alice, &request).unwrap_err().to_string();
        assert!(error.contains("at most 14 ANDs in a session for alice"), "{error}");
        assert_eq!(number(&world.run(&world.bob, &request).unwrap()), 12);
    })
    .unwrap();
}

#[test]
fn time_of_a_session() {
    limited("", "deadline = 1", |world| {
        use halfgate_protocol::channel::Channel;
        let mut idle = world.dial(&world.alice).unwrap();
        let reported = idle.recv().unwrap_err().to_string();
        assert!(
            reported.contains("closed the connection") || reported.contains("ended"),
            "{reported}"
        );
        world.wait_for("halfgate_sessions_total{program=\"\",outcome=\"timeout\"}", 1.0);
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 12);
    });
}

#[test]
fn a_peer_waits_a_moment_for_a_place_that_is_about_to_be_free() {
    limited("", "sessions = 1, rate = 1000", |world| {
        // The next session starts before the server has released the place of the last one.
        for _ in 0..20 {
            assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 12);
        }
        assert_eq!(world.metric("halfgate_refused_total{reason=\"sessions\"}"), 0.0);
    });
}
