//! How a server shuts down.

use crate::support::{LONG, Requests, number, with_files};
use halfgate_circuit::Party::Evaluator;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const PEER: &str = "programs = [\"add\"]";
const PROGRAM: &str = "
[[program]]
name = \"add\"
circuit = \"adder:16\"
role = \"garbler\"
inputs = { command = [\"sh\", \"-c\", \"until [ -e go ]; do sleep 0.05; done; echo 5\"], timeout = 60 }
learn = \"evaluator\"
";

#[cfg(unix)]
#[test]
fn sessions_in_progress_end_well_and_no_others_begin() {
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    let program = PROGRAM.replace("-e go", &format!("-e {}", go.display()));
    let summary = with_files(&[], ("", [PEER, PEER], &program), LONG, |world| {
        std::thread::scope(|scope| {
            let running = scope.spawn(|| {
                let requests = Requests::new("adder:16", Evaluator, &[7]);
                number(&world.run(&world.alice, &requests).unwrap())
            });
            world.wait_for("halfgate_sessions_in_progress", 1.0);
            assert!(world.http("/health").starts_with("HTTP/1.1 200 "));
            world.control.stop.store(true, Ordering::Relaxed);
            let begin = Instant::now();
            while !world.http("/health").starts_with("HTTP/1.1 503 ") {
                assert!(begin.elapsed() < LONG);
                std::thread::sleep(Duration::from_millis(10));
            }
            // The server no longer listens.
            assert!(TcpStream::connect(world.address()).is_err());
            std::fs::write(&go, "").unwrap();
            assert_eq!(running.join().unwrap(), 12);
        });
    });
    let summary = summary.unwrap();
    assert_eq!((summary.sessions, summary.cancelled), (1, 0));
}

#[cfg(unix)]
#[test]
fn sessions_that_take_too_long_are_cancelled_and_their_peers_notified() {
    let grace = Duration::from_millis(200);
    let all = ("", [PEER, PEER], PROGRAM);
    let mut reported = String::new();
    let summary = with_files(&[], all, grace, |world| {
        let held = world.dial(&world.bob).unwrap();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| {
                world.run(&world.alice, &Requests::new("adder:16", Evaluator, &[7])).unwrap_err()
            });
            world.wait_for("halfgate_sessions_in_progress", 2.0);
            world.control.stop.store(true, Ordering::Relaxed);
            reported = running.join().unwrap().to_string();
        });
        drop(held);
    });
    assert_eq!(summary.unwrap().cancelled, 2);
    // The first of its threads to see the flag sends the reason.
    let expected = |what: &str| reported.contains(&format!("ended the session: {what}"));
    assert!(expected("the server is stopping") || expected("cancelled"), "{reported}");
}
