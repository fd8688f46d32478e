//! Where the server's values come from, and that only served peers use them up.

use crate::support::{LONG, Requests, files, number, with_files};
use halfgate_circuit::Party::{Evaluator, Garbler};
use std::io::Write;
use std::net::TcpStream;

const PEER: &str = "programs = [\"add\"]";

fn program(inputs: &str) -> String {
    format!(
        "[[program]]\nname = \"add\"\ncircuit = \"adder:16\"\nrole = \"garbler\"\ninputs = {inputs}\n\
         learn = \"evaluator\"\n"
    )
}

fn add() -> Requests<'static> {
    Requests::new("adder:16", Evaluator, &[7])
}

#[test]
fn a_file_of_a_directory_serves_one_session_and_refused_peers_use_up_none() {
    let content = [("in/1.txt", "100"), ("in/2.txt", "200"), ("in/.3.txt", "300")];
    let program = program("{ directory = \"in\" }");
    with_files(&content, ("", [PEER, "programs = []"], &program), LONG, |world| {
        // An unknown peer, a foreign key, a peer without permission, and peers with other settings.
        let mut unknown_peer = TcpStream::connect(world.address()).unwrap();
        unknown_peer.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
        assert!(world.dial(&world.carol).is_err());
        assert!(world.run(&world.bob, &add()).is_err());
        drop(world.dial(&world.alice).unwrap());
        let mut more_cycles = add();
        more_cycles.options.cycles += 1;
        let mut learners = add();
        learners.options.learn.clear();
        let other = Requests::new("adder:8", Evaluator, &[7]);
        let role = Requests::new("adder:16", Garbler, &[7]);
        let ordered = Requests { has_order: true, ..Requests::new("adder:8", Evaluator, &[7]) };
        for requests in [more_cycles, learners, other, role, ordered] {
            assert!(world.run(&world.alice, &requests).is_err(), "{}", requests.spec);
        }
        assert_eq!(world.files("in"), [".3.txt", "1.txt", "2.txt"]);

        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 107);
        assert_eq!(world.files("in"), [".3.txt", "2.txt"]);
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 207);
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(
            error.contains("the server has no inputs left for add; try again later"),
            "{error}"
        );
        let used = files(&world.path("in/used"));
        assert!(used.len() == 2 && used[0].ends_with("-1.txt"), "{used:?}");
        std::fs::write(world.path("in/4.txt"), "400").unwrap();
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 407);
        world.wait_for("halfgate_sessions_total{program=\"add\",outcome=\"inputs\"}", 1.0);
    })
    .unwrap();
}

#[cfg(unix)]
#[test]
fn a_command_gives_each_session_its_values() {
    let script = "case $HALFGATE_PEER in alice) echo 30;; *) echo 40;; esac";
    let text = program(&format!("{{ command = [\"sh\", \"-c\", {script:?}] }}"));
    with_files(&[], ("", [PEER, PEER], &text), LONG, |world| {
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 37);
        assert_eq!(number(&world.run(&world.bob, &add()).unwrap()), 47);
    })
    .unwrap();
    for script in ["exit 3", "sleep 100", "echo nonsense 12345"] {
        let text = program(&format!("{{ command = [\"sh\", \"-c\", \"{script}\"], timeout = 1 }}"));
        with_files(&[], ("", [PEER, PEER], &text), LONG, |world| {
            let error = world.run(&world.alice, &add()).unwrap_err().to_string();
            assert!(error.contains("the server has no values for add now"), "{script}: {error}");
            assert!(!error.contains("sh") && !error.contains("12345"), "{script}: {error}");
        })
        .unwrap();
    }
    let text = program("{ command = [\"printf\", '\\005'], bytes = true }");
    with_files(&[], ("", [PEER, PEER], &text), LONG, |world| {
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 12);
    })
    .unwrap();
}

#[test]
fn a_panic_ends_its_session_and_no_other() {
    let content = [("in/1.txt", "panic"), ("in/2.txt", "200")];
    let program = program("{ directory = \"in\" }");
    with_files(&content, ("", [PEER, PEER], &program), LONG, |world| {
        let error = world.run(&world.alice, &add()).unwrap_err().to_string();
        assert!(error.contains("closed the connection"), "{error}");
        assert_eq!(number(&world.run(&world.alice, &add()).unwrap()), 207);
        world.wait_for("halfgate_panics_total", 1.0);
        world.wait_for("halfgate_sessions_in_progress", 0.0);
    })
    .unwrap();
}
