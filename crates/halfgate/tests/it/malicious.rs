//! Malicious sessions through the typed API: results equal those of semi-honest sessions.

use halfgate::{
    Bool, Connection, F64, Function, Identity, Learn, Length, List, Listener, Machine, Native,
    Options, Party, Peer, Preprocessing, Program, Protection, Report, SecurityLevel, U8, U16, U32,
    U64, function, shared, when,
};
use std::fmt::Debug;
use std::thread;

fn at(security: SecurityLevel) -> Options {
    Options { security, ..Options::default() }
}

fn malicious() -> Options {
    at(SecurityLevel::Malicious)
}

/// Runs at both levels, and compares what each party learned. Returns all outputs.
#[track_caller]
fn at_both_levels<A, B, O>(program: &Program<A, B, O>, a: A::Clear, b: B::Clear) -> O::Clear
where
    A: Native<Clear: Clone>,
    B: Native<Clear: Clone>,
    O: Native<Learned: PartialEq + Debug>,
{
    let run = |security| program.run_with(a.clone(), b.clone(), &at(security)).unwrap();
    let [semi_honest, malicious] = SecurityLevel::ALL.map(run);
    assert_eq!(semi_honest.0.learned, malicious.0.learned);
    assert_eq!(semi_honest.1.learned, malicious.1.learned);
    for outcome in [&malicious.0.report, &malicious.1.report] {
        assert_eq!(outcome.security, SecurityLevel::Malicious);
    }
    // The price: both parties send more, and the evaluator as well as the garbler.
    let more = |one: &Report, other: &Report| one.bytes_sent < other.bytes_sent;
    assert!(more(&semi_honest.0.report, &malicious.0.report));
    assert!(more(&semi_honest.1.report, &malicious.1.report));
    malicious.1.value().unwrap()
}

#[test]
fn integers_and_a_choice() {
    let bill = Function::new("bill", |rates: [U32; 3], used: [U32; 3]| {
        let mut sum = U32::from(0);
        for (rate, used) in rates.into_iter().zip(used) {
            sum += when!(if used.gt(1000) { rate * 2 * used } else { rate * used });
        }
        sum
    });
    let program = bill.compile().unwrap();
    assert_eq!(at_both_levels(&program, [2, 3, 4], [10, 20, 2000]), 16_080);
}

#[test]
fn floats() {
    let similarity = Function::new("similarity", |x: [F64; 2], y: [F64; 2]| {
        let dot = |x: [F64; 2], y: [F64; 2]| x.iter().zip(&y).map(|(x, y)| x * y).sum::<F64>();
        dot(x, y) / (dot(x, x) * dot(y, y)).sqrt()
    });
    let program = similarity.compile().unwrap();
    let cosine = at_both_levels(&program, [3.0, 4.0], [4.0, 3.0]);
    assert_eq!(cosine, 24.0 / 25.0);
}

#[test]
fn lists_that_are_sorted() {
    let salaries =
        Function::with_shapes("salaries", Length(4), Length(3), |a: Vec<U32>, b: Vec<U32>| {
            let mut all: Vec<U32> = a.into_iter().chain(b).collect();
            let count = all.len();
            let total = all.iter().fold(U64::from(0), |total, salary| total + salary.cast());
            all.sort_values();
            let mean: U32 = (total / count).cast();
            (mean, all[count / 2], all[count - 1])
        });
    let (ours, theirs) = (vec![61_000, 58_500, 72_000, 49_900], vec![55_000, 83_000, 64_100]);
    let program = salaries.compile().unwrap();
    assert_eq!(at_both_levels(&program, ours, theirs), (63_357, 61_000, 83_000));
}

/// A function that is mapped, and one that is folded.
#[test]
fn functions_of_the_circuit() {
    let risks = |customers| {
        Function::with_shapes(
            "risks",
            (),
            Length(customers),
            |model: [U16; 4], rows: Vec<[U16; 4]>| {
                let score = function("score", |weights: [U16; 4], row: [U16; 4]| {
                    weights.iter().zip(row).map(|(&weight, x)| weight * x).sum::<U16>()
                });
                let scores: Vec<U16> = score.map((shared(model), &rows));
                let largest = function("largest", |largest: U16, score: U16| largest.max(score));
                let risks: Vec<Bool> = scores.iter().map(|score| score.gt(1000)).collect();
                (risks, largest.fold(0, &scores))
            },
        )
    };
    let customers: Vec<[u16; 4]> = (0..60).map(|i| [i * 4; 4]).collect();
    let expected: Vec<bool> = customers.iter().map(|row| row[0] * 10 > 1000).collect();
    let program = risks(60).compile().unwrap();
    assert!(program.compiled().structure.is_some());
    let (found, largest) = at_both_levels(&program, [1, 2, 3, 4], customers);
    assert_eq!((found, largest), (expected, 59 * 40));
}

#[test]
fn each_party_learns_its_own_outputs() {
    let swap = Function::new("swap", |mine: U8, yours: U16| (yours, mine))
        .learn_each(&[Learn::Garbler, Learn::Evaluator]);
    let program = swap.compile().unwrap();
    let (garbler, evaluator) = program.run_with(5, 600, &malicious()).unwrap();
    assert_eq!(garbler.learned, (Some(600), None));
    assert_eq!(evaluator.learned, (None, Some(5)));
}

#[test]
fn a_machine_with_outputs_of_each_cycle() {
    let ledger = Machine::new(
        "ledger",
        |start: U32, limit: U32| (start, limit),
        |(total, limit), price: U16, quantity: U8| {
            let total = total + price.cast::<32>() * quantity.cast();
            ((total, limit), total.gt(limit))
        },
        |(total, _)| total,
    );
    let program = ledger.learn(Learn::Evaluator, Learn::Both).compile().unwrap();
    let run = |security| {
        let (garbler, evaluator) = ((100, vec![10, 20, 30]), (1000, vec![50, 20, 3]));
        program.run_with(3, garbler, evaluator, &at(security)).unwrap()
    };
    for (garbler, evaluator) in SecurityLevel::ALL.map(run) {
        assert_eq!(garbler.learned, (vec![None; 3], Some(1090)));
        assert_eq!(evaluator.value().unwrap(), (vec![false, false, true], 1090));
    }
}

/// Both parties over TCP, with a level each.
fn over_tcp(levels: [SecurityLevel; 2]) -> [Result<Vec<bool>, halfgate::Error>; 2] {
    let program = || {
        let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob));
        richer.compile().unwrap()
    };
    let values = |outcomes: Vec<halfgate::FunctionOutcome<Bool>>| {
        outcomes.into_iter().map(|outcome| outcome.value().unwrap()).collect()
    };
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address();
    thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            let connection = Connection::connect_insecure(&address).unwrap();
            program().evaluate_all(connection, [6, 6, 6], &at(levels[1])).map(values)
        });
        let connection = listener.accept_insecure(&Options::default()).unwrap();
        let garbled = program().garble_all(connection, [5, 6, 7], &at(levels[0])).map(values);
        [garbled, evaluator.join().unwrap()]
    })
}

#[test]
fn several_runs_on_a_connection() {
    for result in over_tcp([SecurityLevel::Malicious; 2]) {
        assert_eq!(result.unwrap(), [false, false, true]);
    }
}

#[test]
fn different_levels_are_refused() {
    let [one, other] = SecurityLevel::ALL;
    for levels in [[one, other], [other, one]] {
        for result in over_tcp(levels) {
            let text = result.unwrap_err().to_string();
            assert!(text.contains("security level"), "{text}");
        }
    }
}

/// The connections of the two parties, over TLS between these identities.
fn over_tls(alice: &Identity, bob: &Identity) -> [Connection; 2] {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address();
    thread::scope(|scope| {
        let dialled = scope.spawn(|| {
            Connection::connect(&address, bob, &Peer::from(alice.fingerprint())).unwrap()
        });
        let peer = Peer::from(bob.fingerprint());
        let accepted = listener.accept(alice, &peer, &Options::default()).unwrap();
        [accepted, dialled.join().unwrap()]
    })
}

/// Runs the two closures at the same time, each on its connection.
fn both<T: Send, U: Send>(
    [a, b]: [Connection; 2],
    alice: impl FnOnce(Connection) -> T + Send,
    bob: impl FnOnce(Connection) -> U + Send,
) -> (T, U) {
    thread::scope(|scope| {
        let bob = scope.spawn(|| bob(b));
        (alice(a), bob.join().unwrap())
    })
}

#[test]
fn preprocessing_is_for_one_run_with_one_peer() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [alices, bobs, used_a, used_b] = ["alice", "bob", "used-a", "used-b"].map(path);
    let protection = Protection::Key(&[7; 32]);
    let [alice, bob] = [(&alices, &used_a), (&bobs, &used_b)].map(|(file, ledger)| Preprocessing {
        file,
        ledger,
        protection,
    });
    let [key_a, key_b, other] = [(); 3].map(|()| Identity::ephemeral().unwrap());
    let program = Function::new("sum", |a: U32, b: U32| a + b).compile().unwrap();
    let options = malicious();

    let (made, also) = both(
        over_tls(&key_a, &key_b),
        |a| program.preprocess(Party::Garbler, a, &alice, &options).unwrap(),
        |b| program.preprocess(Party::Evaluator, b, &bob, &options).unwrap(),
    );
    assert_eq!(made.generation, also.generation);
    let run = |connections| {
        both(
            connections,
            |a| program.garble_preprocessed(a, 40, &alice, &options),
            |b| program.evaluate_preprocessed(b, 2, &bob, &options),
        )
    };
    // Each party finds out before it sends anything of the file.
    let (garbled, evaluated) = run(over_tls(&key_a, &other));
    assert!(garbled.is_err() && evaluated.is_err());
    let (garbled, evaluated) = run(over_tls(&key_a, &key_b));
    assert_eq!((garbled.unwrap().value().unwrap(), evaluated.unwrap().value().unwrap()), (42, 42));
    let (garbled, evaluated) = run(over_tls(&key_a, &key_b));
    for error in [garbled.err(), evaluated.err()] {
        let error = error.expect("a used file").to_string();
        assert!(error.contains("has been used"), "{error}");
    }
    // At the semi-honest level there is none.
    let none = Preprocessing { file: &path("none"), ..alice };
    let [connection, _peer] = over_tls(&key_a, &key_b);
    assert!(program.preprocess(Party::Garbler, connection, &none, &Options::default()).is_err());
    assert!(!none.file.exists());
}
