//! Parses any bytes as the peer's handshake. The parser rejects them, or the parsed hello encodes
//! to the same bytes. This side agrees only with a peer that has the same settings.
//!
//! longest: 512

use halfgate_circuit::Party;
use halfgate_compiler::{Order, Program, compile};
use halfgate_protocol::channel::Channel;
use halfgate_protocol::frame::Kind;
use halfgate_protocol::handshake::{Hello, shake};
use halfgate_protocol::ring;
use halfgate_protocol::session::RunOptions;
use std::sync::LazyLock;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let circuit = halfgate_programs::build("adder:8").expect("a built-in program");
    compile(circuit, Order::Given).expect("it compiles")
});

static OURS: LazyLock<Hello> = LazyLock::new(|| {
    let ours = Hello::new(Party::Garbler, &PROGRAM, 1, &RunOptions::default(), [7; 32]);
    ours.expect("one run of one output")
});

pub fn run(data: &[u8]) {
    let parsed = Hello::parse(data);
    if let Ok(hello) = &parsed {
        assert_eq!(hello.encode(), data);
    }
    let ours = &*OURS;
    // The bytes as they are, then with this side's program hash, which a fuzzer cannot guess.
    let mut same = parsed.clone().ok();
    if let Some(hello) = &mut same {
        hello.program = ours.program;
    }
    for payload in [Some(data.to_vec()), same.as_ref().map(Hello::encode)].into_iter().flatten() {
        let (mut a, mut b) = ring::pair();
        if b.send(Kind::Hello, &payload).and_then(|()| b.flush()).is_err() {
            return;
        }
        drop(b);
        if let Ok(agreement) = shake(&mut a, ours, None, 1) {
            let theirs = Hello::parse(&payload).expect("it was parsed");
            assert_eq!(theirs.role, Party::Evaluator);
            assert_eq!((&theirs.suite, &theirs.order), (&ours.suite, &ours.order));
            assert_eq!((theirs.program, theirs.cycles), (ours.program, ours.cycles));
            assert_eq!((theirs.runs, theirs.ot), (ours.runs, ours.ot));
            assert_eq!((theirs.security, theirs.statistical), (ours.security, ours.statistical));
            assert_eq!((agreement.learn.len(), agreement.security), (1, ours.security));
        }
    }
}
