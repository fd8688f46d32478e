//! Functions and machines between two parties: results equal those in the clear, and errors
//! describe the problem.

use halfgate::{
    Bool, Connection, Error, Function, I32, Identity, Learn, Length, Listener, Machine, Names,
    Options, Peer, U8, U16, U32, Uint, when,
};
use proptest::prelude::*;
use std::thread;
use std::time::Duration;

type Mixed = (U8, [I32; 2], (Bool, Uint<20>));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Values of all kinds, as inputs and outputs of a garbled run.
    #[test]
    fn runs_equal_evaluation_in_the_clear(
        a: (u8, [i32; 2], (bool, u32)),
        b: (u8, [i32; 2], (bool, u32)),
    ) {
        let cut = |(x, y, (c, d)): (u8, [i32; 2], (bool, u32))| (x, y, (c, d >> 12));
        let (a, b) = (cut(a), cut(b));
        let function = Function::new("mixed", |a: Mixed, b: Mixed| {
            let sums = [a.1[0] + b.1[0], a.1[1] * b.1[1]];
            let chosen = when!(if a.2.0 & b.2.0 { a } else { b });
            (chosen, sums, a.0 / b.0, (a.2.1.max(b.2.1), a.0.lt(b.0)))
        });
        let clear = function.clear(a, b).unwrap();
        let chosen = if a.2.0 & b.2.0 { a } else { b };
        let sums = [a.1[0].wrapping_add(b.1[0]), a.1[1].wrapping_mul(b.1[1])];
        let quotient = a.0.checked_div(b.0).unwrap_or(u8::MAX);
        prop_assert_eq!(clear, (chosen, sums, quotient, (a.2.1.max(b.2.1), a.0 < b.0)));
        let program = function.compile().unwrap();
        prop_assert_eq!(program.clear(a, b).unwrap(), clear);
        prop_assert_eq!(program.run(a, b).unwrap(), clear);
    }

    #[test]
    fn machines_equal_a_loop(
        prices in prop::collection::vec(any::<u16>(), 1..20),
        seed: u32,
    ) {
        let quantities: Vec<u8> = prices.iter().map(|&p| (u32::from(p) ^ seed) as u8).collect();
        let machine = Machine::new(
            "ledger",
            |start: U32, limit: U32| (start, limit, U8::from(7)),
            |(total, limit, count), price: U16, quantity: U8| {
                let total = total + price.cast::<32>() * quantity.cast();
                let over = total.gt(limit);
                ((total, limit, count + over), (over, count))
            },
            |(total, _, count)| (total, count),
        );
        let program = machine.compile().unwrap();
        let (mut total, mut count, limit, mut each) = (seed, 7u8, u32::MAX / 2, Vec::new());
        for (&price, &quantity) in prices.iter().zip(&quantities) {
            total = total.wrapping_add(u32::from(price) * u32::from(quantity));
            let over = total > limit;
            each.push((over, count));
            count = count.wrapping_add(over.into());
        }
        let cycles = prices.len() as u64;
        let inputs = ((seed, prices), (limit, quantities));
        let (garbler, evaluator) = inputs.clone();
        prop_assert_eq!(&program.clear(cycles, garbler, evaluator).unwrap(), &(each.clone(), (total, count)));
        let (garbler, evaluator) = inputs;
        prop_assert_eq!(program.run(cycles, garbler, evaluator).unwrap(), (each, (total, count)));
    }
}

#[test]
fn a_party_may_have_no_inputs_and_lists_any_length() {
    let largest = |count: usize| {
        Function::with_shapes("largest", (), Length(count), |(): (), bids: Vec<U32>| {
            bids.into_iter().reduce(U32::max).unwrap_or(U32::ZERO)
        })
    };
    let program = largest(3).compile().unwrap();
    assert_eq!(program.run((), vec![3, 9, 2]).unwrap(), 9);
    assert_eq!(largest(0).clear((), vec![]).unwrap(), 0);
    // A list is returned in the same order.
    let doubled = Function::with_shapes("doubled", 2, (), |xs: Vec<U8>, (): ()| {
        xs.iter().map(|x| x + x).collect::<Vec<U8>>()
    });
    assert_eq!(doubled.compile().unwrap().run(vec![1, 2], ()).unwrap(), [2, 4]);
}

#[test]
fn each_party_learns_its_own() {
    let swap = Function::new("swap", |mine: U8, yours: U16| (yours, mine))
        .learn_each(&[Learn::Garbler, Learn::Evaluator])
        .named(&["mine"], &["yours"], &["theirs", "ours"]);
    let program = swap.compile().unwrap();
    let (garbler, evaluator) = program.run_with(5, 600, &Options::default()).unwrap();
    assert_eq!(garbler.learned, (Some(600), None));
    assert_eq!(evaluator.learned, (None, Some(5)));
    let text = garbler.value().unwrap_err().to_string();
    assert!(text.contains("does not learn output \"ours\""), "{text}");
    assert_eq!(program.run(5, 600).unwrap(), (600, 5));

    let nobody = Function::new("nobody", |x: U8, (): ()| x + 1).learn(Learn::None);
    let error = nobody.compile().unwrap().run(1, ()).unwrap_err();
    assert!(matches!(error, Error::NotLearned { output } if output == "output"));
}

#[test]
fn inputs_that_do_not_fit_name_their_port() {
    let f = Function::new("f", |x: (U8, Uint<4>), y: Uint<10>| x.1.cast() + y).named(
        &["x", "small"],
        &[],
        &[],
    );
    let text = f.clear((200, 16), 0).unwrap_err().to_string();
    assert_eq!(text, "input \"small\": the value does not fit in 4 bits: it must be from 0 to 15");
    let text = f.clear((0, 0), 1024).unwrap_err().to_string();
    assert!(text.starts_with("input \"evaluator\": the value does not fit in 10 bits"), "{text}");
    let list = Function::with_shapes("list", 3, (), |xs: Vec<U8>, (): ()| xs[0]);
    let text = list.clear(vec![1, 2], ()).unwrap_err().to_string();
    assert_eq!(text, "input \"garbler\": 2 values were given for a list of 3");

    let machine =
        Machine::new("m", |(): (), (): ()| U8::ZERO, |s, x: U8, (): ()| (s + x, ()), |s| s)
            .named(&Names { garbler_each: &["x"], ..Names::default() });
    let program = machine.compile().unwrap();
    let text = program.run(3, ((), vec![1, 2]), ((), vec![])).unwrap_err().to_string();
    assert_eq!(text, "input \"x\": 2 values for 3 cycles: give one for each");
    let text = program.run(0, ((), vec![]), ((), vec![])).unwrap_err().to_string();
    assert!(text.contains("at least one cycle"), "{text}");
    assert_eq!(program.run(3, ((), vec![1, 2, 3]), ((), vec![])).unwrap().1, 6);
}

#[test]
fn a_start_that_computes_is_refused() {
    let made = std::panic::catch_unwind(|| {
        Machine::new("m", |x: U8, y: U8| x * y, |s, (): (), (): ()| (s, ()), |s| s);
    });
    let text = *made.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("the start may pass inputs and constants on, but not compute"), "{text}");
}

/// Runs both parties over TCP with the given functions.
fn over_tcp<T: Send, U: Send>(
    garbler: impl FnOnce(Listener) -> T + Send,
    evaluator: impl FnOnce(&str) -> U + Send,
) -> (T, U) {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address();
    thread::scope(|scope| {
        let evaluator = scope.spawn(move || evaluator(&address));
        (garbler(listener), evaluator.join().unwrap())
    })
}

fn richer() -> Function<U32, U32, Bool> {
    Function::new("richer", |alice: U32, bob: U32| alice.gt(bob))
}

#[test]
fn two_identities_connect_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let (alice, bob) = (folder.path().join("alice"), folder.path().join("bob"));
    Identity::generate(&alice).unwrap();
    Identity::generate(&bob).unwrap();
    assert!(matches!(Identity::generate(&bob), Err(Error::Key(_))));
    let (alice_public, bob_public) = (alice.with_extension("pub"), bob.with_extension("pub"));
    let (garbled, evaluated) = over_tcp(
        |listener| {
            let peer = Peer::from_file(bob_public).unwrap();
            let options = Options::default();
            let me = Identity::load(alice).unwrap();
            let connection = listener.accept(&me, &peer, &options).unwrap();
            richer().compile().unwrap().garble_all(connection, [5, 6, 7], &options).unwrap()
        },
        |address| {
            let peer = Peer::from_file(alice_public).unwrap();
            let connection =
                Connection::connect(address, &Identity::load(bob).unwrap(), &peer).unwrap();
            let program = richer().compile().unwrap();
            program.evaluate_all(connection, [6, 6, 6], &Options::default()).unwrap()
        },
    );
    let values = |outcomes: Vec<halfgate::Outcome<bool, Option<bool>>>| {
        outcomes.into_iter().map(|outcome| outcome.value().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(values(garbled), [false, false, true]);
    assert_eq!(values(evaluated), [false, false, true]);
}

#[test]
fn an_unknown_peer_is_refused() {
    let (alice, mallory) = (Identity::ephemeral().unwrap(), Identity::ephemeral().unwrap());
    let bob = Identity::ephemeral().unwrap().fingerprint();
    // Unknown peers do not end the wait, so its timeout is short.
    let options = Options { timeout: Duration::from_secs(2), ..Options::default() };
    let (accepted, connected) = over_tcp(
        |listener| listener.accept(&alice, &bob.into(), &options).err(),
        |address| Connection::connect(address, &mallory, &Peer::anyone()).err(),
    );
    let text = accepted.unwrap().to_string();
    assert!(text.contains("the peer is not the one expected"), "{text}");
    assert!(matches!(connected, Some(Error::Tls(_))));
}

#[test]
fn machines_run_over_plain_tcp_and_differing_functions_are_reported() {
    let counter = |step: u8| {
        let program = Machine::new(
            "counter",
            |(): (), start: U8| start,
            move |count, go: Bool, (): ()| {
                let next = count + U8::from(step) * U8::from(go);
                (next, count)
            },
            |count| count,
        )
        .learn(Learn::Evaluator, Learn::Both);
        program.compile().unwrap()
    };
    let run = |steps: [u8; 2]| {
        over_tcp(
            |listener| {
                let connection = listener.accept_insecure(&Options::default()).unwrap();
                let gos = vec![true, false, true, true];
                counter(steps[0]).garble(connection, 4, ((), gos), &Options::default())
            },
            |address| {
                let connection = Connection::connect_insecure(address).unwrap();
                counter(steps[1]).evaluate(connection, 4, (10, vec![]), &Options::default())
            },
        )
    };
    let (garbled, evaluated) = run([3, 3]);
    assert_eq!(garbled.unwrap().learned, (vec![None; 4], Some(19)));
    assert_eq!(evaluated.unwrap().value().unwrap(), (vec![10, 13, 13, 16], 19));
    let (garbled, evaluated) = run([3, 4]);
    let text = garbled.unwrap_err().to_string();
    assert!(text.contains("the two parties differ in the program"), "{text}");
    assert!(matches!(evaluated, Err(Error::Session(_))));
}

#[test]
fn a_missing_peer_is_an_error_in_time() {
    let options = Options { timeout: Duration::from_millis(100), ..Options::default() };
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let error = listener.accept_insecure(&options).err().unwrap();
    assert!(error.to_string().contains("nobody connected"), "{error}");
    let unknown = Options { kernel: Some("abacus".to_owned()), ..Options::default() };
    let program = richer().compile().unwrap();
    assert!(matches!(program.run_with(1, 2, &unknown), Err(Error::Kernel(_))));
}

#[test]
fn circuits_can_be_inspected_and_exported() {
    let function = richer().named(&["alice"], &["bob"], &["richer"]);
    let circuit = function.circuit().unwrap();
    assert_eq!((circuit.inputs[0].name.as_str(), circuit.inputs[0].width), ("alice", 32));
    assert_eq!(circuit.outputs[0].name, "richer");
    let mut file = Vec::new();
    function.write_bristol(&mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    assert_eq!(text.lines().nth(1), Some("2 32 32"));
    let mut hgc = Vec::new();
    function.write_hgc(&mut hgc).unwrap();
    let program = function.compile().unwrap();
    assert_eq!((program.ands(), program.and_depth()), (32, 32));
    assert_eq!(program.compiled().circuit.inputs[1].name, "bob");
    let text = String::from_utf8(hgc.clone()).unwrap();
    assert!(text.contains("input alice garbler 32 unsigned "), "{text}");
    let read = halfgate_frontends::hgc::read(&hgc[..], "written").unwrap();
    let again = halfgate_compiler::compile(read, halfgate_compiler::Order::default()).unwrap();
    assert_eq!(again.hash, program.compiled().hash, "the file is the same program");
}

#[test]
fn a_machine_is_exported_with_its_state() {
    let machine = Machine::new("m", |_: U8, start: U8| start, |s, x: U8, (): ()| (s + x, s), |s| s);
    let mut file = Vec::new();
    machine.write_hgc(&mut file).unwrap();
    let read = halfgate_frontends::hgc::read(&file[..], "written").unwrap();
    let circuit = machine.circuit().unwrap();
    assert_eq!(read.inputs, circuit.inputs);
    assert_eq!(read.outputs, circuit.outputs);
    assert_eq!(read.flip_flops, circuit.flip_flops);
    assert_eq!(read.flip_flops.len(), 8);
}
