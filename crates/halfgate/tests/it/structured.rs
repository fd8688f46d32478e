//! Functions that call, map and fold functions of the circuit: they run between two parties as
//! they are, and equal plain Rust.

use halfgate::{
    Connection, Error, Function, Length, Listener, Machine, Options, U8, U16, U32, U64, function,
    shared,
};
use halfgate_compiler::{Order, compile_structured};
use proptest::prelude::*;
use std::thread;

/// A key of the garbler, and rows of the evaluator.
type Keyed = Function<[U8; 4], Vec<[U8; 4]>, (Vec<[U8; 4]>, U16, Vec<U8>)>;

/// Mixes each row with the key, in as many rounds as the key has bytes; adds up all bytes; and
/// chains the rows.
fn keyed(rows: usize) -> Keyed {
    Function::with_shapes("keyed", (), Length(rows), |key: [U8; 4], rows: Vec<[U8; 4]>| {
        let round = function("round", |row: [U8; 4], k: U8| {
            std::array::from_fn::<U8, 4, _>(|i| row[i] * (k | 1) + row[(i + 1) % 4].rotate_left(3))
        });
        let mix = function("mix", move |key: [U8; 4], row: [U8; 4]| round.fold(row, key));
        let mixed = mix.map((shared(key), &rows));
        let sum = function("sum", |sum: U16, row: [U8; 4]| {
            row.iter().fold(sum, |sum, byte| sum + byte.cast())
        });
        let chain = function("chain", |state: U8, row: [U8; 4]| (state ^ (row[0] * row[1]), state));
        let sum = sum.fold(0, &mixed);
        let (_, chained) = chain.scan(key[0], &mixed);
        (mixed, sum, chained)
    })
}

fn plain(key: [u8; 4], rows: &[[u8; 4]]) -> (Vec<[u8; 4]>, u16, Vec<u8>) {
    let round = |row: [u8; 4], k: u8| {
        std::array::from_fn::<u8, 4, _>(|i| {
            row[i].wrapping_mul(k | 1).wrapping_add(row[(i + 1) % 4].rotate_left(3))
        })
    };
    let mix = |row: &[u8; 4]| key.into_iter().fold(*row, round);
    let mixed: Vec<[u8; 4]> = rows.iter().map(mix).collect();
    let sum = mixed.iter().flatten().fold(0, |sum: u16, &byte| sum.wrapping_add(byte.into()));
    let mut state = key[0];
    let mut step = |row: &[u8; 4]| {
        let before = state;
        state ^= row[0].wrapping_mul(row[1]);
        before
    };
    let chained = mixed.iter().map(&mut step).collect();
    (mixed, sum, chained)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn runs_equal_plain_rust(
        key: [u8; 4],
        rows in prop::collection::vec(any::<[u8; 4]>(), 1..40),
    ) {
        let expected = plain(key, &rows);
        let function = keyed(rows.len());
        prop_assert_eq!(&function.clear(key, rows.clone()).unwrap(), &expected);
        let program = function.compile().unwrap();
        prop_assert!(program.compiled().structure.is_some());
        prop_assert_eq!(&program.clear(key, rows.clone()).unwrap(), &expected);
        prop_assert_eq!(&program.run(key, rows).unwrap(), &expected);
    }
}

#[test]
fn two_parties_run_functions_over_a_connection() {
    let (key, rows) = ([1, 2, 3, 254], vec![[5, 6, 7, 8], [9, 10, 11, 12], [255, 0, 255, 0]]);
    let run = |lengths: [usize; 2]| {
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address();
        let rows = rows.clone();
        thread::scope(|scope| {
            let evaluator = scope.spawn(move || {
                let connection = Connection::connect_insecure(&address).unwrap();
                let program = keyed(lengths[1]).compile().unwrap();
                program.evaluate(connection, rows[..lengths[1]].to_vec(), &Options::default())
            });
            let connection = listener.accept_insecure(&Options::default()).unwrap();
            let program = keyed(lengths[0]).compile().unwrap();
            let garbled = program.garble(connection, key, &Options::default());
            (garbled, evaluator.join().unwrap())
        })
    };
    let (garbled, evaluated) = run([3, 3]);
    assert_eq!(garbled.unwrap().value().unwrap(), plain(key, &rows));
    assert_eq!(evaluated.unwrap().value().unwrap(), plain(key, &rows));
    let (garbled, evaluated) = run([3, 2]);
    let text = garbled.unwrap_err().to_string();
    assert!(text.contains("the two parties differ in the program"), "{text}");
    assert!(matches!(evaluated, Err(Error::Session(_))));
}

#[test]
fn a_circuit_of_functions_is_inspected_and_exported() {
    let function = keyed(20).named(&["key"], &["rows"], &["mixed", "sum", "chained"]);
    let structured = function.structured().unwrap().expect("it calls functions");
    let names: Vec<&str> = structured.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["round", "mix", "sum", "chain"]);
    assert_eq!(structured.outputs[1].name, "sum");
    let flat = function.circuit().unwrap();
    assert_eq!(flat.outputs[2].name, "chained");
    let (ands, depth) = (flat.gates.ands(), halfgate_circuit::Stats::of(flat).and_depth);
    let mut bristol = Vec::new();
    function.write_bristol(&mut bristol).unwrap();
    let text = String::from_utf8(bristol).unwrap();
    assert_eq!(text.lines().nth(1), Some("2 32 640"));
    let mut hgc = Vec::new();
    function.write_hgc(&mut hgc).unwrap();
    assert!(hgc.len() < text.len() / 5, "{} and {} bytes", hgc.len(), text.len());
    let read = halfgate_frontends::hgc::read_structured(&hgc[..], "written").unwrap();
    let again = compile_structured(read, Order::default()).unwrap();
    let program = function.compile().unwrap();
    assert_eq!(again.hash, program.compiled().hash, "the file is the same program");
    assert_eq!((program.ands(), program.and_depth()), (ands, depth));
    // A new name reaches the flattening that was made before.
    let renamed = keyed(1);
    renamed.circuit().unwrap();
    let renamed = renamed.named(&["other"], &[], &[]);
    assert_eq!(renamed.circuit().unwrap().inputs[0].name, "other");
}

#[test]
fn a_function_that_calls_none_stays_flat() {
    let make = |name: &'static str, unused: bool| {
        Function::new(name, move |x: U32, y: U32| {
            if unused {
                function("unused", |x: U32| x * x);
            }
            x * y
        })
    };
    let (plain, unused) = (make("plain", false), make("unused", true));
    assert!(plain.structured().unwrap().is_none() && unused.structured().unwrap().is_none());
    let (plain, unused) = (plain.compile().unwrap(), unused.compile().unwrap());
    assert!(plain.compiled().structure.is_none() && unused.compiled().structure.is_none());
    assert_eq!(plain.compiled().hash, unused.compiled().hash);
}

#[test]
fn machines_write_functions_out() {
    let machine = Machine::new(
        "machine",
        |(): (), start: U16| start,
        |state, row: [U16; 3], (): ()| {
            let step = function("step", |state: U16, x: U16| (state * 3 + x, state.gt(x)));
            let (state, larger) = step.scan(state, row);
            (state, (larger[0], larger[2]))
        },
        |state| state,
    );
    let mut hgc = Vec::new();
    machine.write_hgc(&mut hgc).unwrap();
    let read = halfgate_frontends::hgc::read_structured(&hgc[..], "written").unwrap();
    let again = compile_structured(read, Order::default()).unwrap();
    let program = machine.compile().unwrap();
    assert_eq!(again.hash, program.compiled().hash);
    assert!(program.compiled().structure.is_none());
    let rows = vec![[1, 2, 3], [40, 50, 60], [7, 7, 7]];
    let mut state = 9u16;
    let mut each = Vec::new();
    for row in &rows {
        let larger = row.map(|x| {
            let larger = state > x;
            state = state.wrapping_mul(3).wrapping_add(x);
            larger
        });
        each.push((larger[0], larger[2]));
    }
    let inputs = || (((), rows.clone()), (9, vec![]));
    let (garbler, evaluator) = inputs();
    assert_eq!(program.clear(3, garbler, evaluator).unwrap(), (each.clone(), state));
    let (garbler, evaluator) = inputs();
    assert_eq!(program.run(3, garbler, evaluator).unwrap(), (each, state));
    let made = std::panic::catch_unwind(|| {
        let start = |x: U8, (): ()| function("double", |x: U8| x + x).call(x);
        Machine::new("m", start, |s: U8, (): (), (): ()| (s, ()), |s| s);
    });
    let text = *made.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("the start may pass inputs and constants on, but not compute"), "{text}");
}

#[test]
fn a_machine_without_state_keeps_its_functions() {
    let machine = Machine::new(
        "machine",
        |_: U8, y: U8| y,
        |y, (): (), (): ()| (y, ()),
        |y| function("square", |y: U8| y * y).call(y),
    );
    let program = machine.compile().unwrap();
    let inputs = || ((3, vec![]), (7, vec![]));
    let (garbler, evaluator) = inputs();
    assert_eq!(program.clear(2, garbler, evaluator).unwrap(), (vec![], 49));
    let (garbler, evaluator) = inputs();
    assert_eq!(program.run(2, garbler, evaluator).unwrap(), (vec![], 49));
}

#[test]
fn an_output_with_constants_is_learned_as_a_whole() {
    let function = Function::new("pair", |x: U8, y: U8| {
        let f = function("a name with \"quotes\"", |x: U8, y: U8| (x * y, U8::from(200)));
        (f.call((x, y)), f.map([(x, y), (y, y)]))
    });
    assert_eq!(function.clear(3, 5).unwrap(), ((15, 200), vec![(15, 200), (25, 200)]));
    let mut hgc = Vec::new();
    function.write_hgc(&mut hgc).unwrap();
    let program = function.compile().unwrap();
    assert_eq!(program.run(3, 5).unwrap(), ((15, 200), vec![(15, 200), (25, 200)]));
}

#[test]
fn a_long_computation_has_a_short_text() {
    let function = Function::with_shapes("long", Length(1000), (), |list: Vec<U64>, start: U64| {
        let power = function("power", |state: U64, x: U64| state * x + 1);
        let inner = function("inner", move |state: U64, list: Vec<U64>| power.fold(state, list));
        let outer = function("outer", move |state: U64, list: Vec<U64>, x: U64| {
            inner.call((state ^ x, list))
        });
        outer.fold(start, (shared(list.clone()), &list))
    });
    let error = function.circuit().unwrap_err();
    assert!(matches!(error, Error::Flatten { .. }));
    let text = error.to_string();
    assert!(text.starts_with("function \"long\": with all functions written out"), "{text}");
    let mut hgc = Vec::new();
    function.write_hgc(&mut hgc).unwrap();
    let program = function.compile().unwrap();
    assert!(program.ands() > 3_000_000_000, "{} ANDs", program.ands());
}
