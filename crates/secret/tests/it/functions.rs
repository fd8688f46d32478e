//! Functions of the circuit against the same computations in plain Rust.

use crate::common::run_structured;
use halfgate_circuit::structured::{Argument, Form, StructuredCircuit};
use halfgate_secret::{
    Bool, Callable, Party, U8, U16, U32, function, input, list, output, shared, trace_structured,
    when,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// What the random functions compute on, secret or plain.
trait Number: Copy {
    fn of(value: u16) -> Self;
    fn apply(kind: u8, x: Self, y: Self) -> Self;
}

impl Number for u16 {
    fn of(value: u16) -> u16 {
        value
    }

    fn apply(kind: u8, x: u16, y: u16) -> u16 {
        match kind % 6 {
            0 => x.wrapping_add(y),
            1 => x.wrapping_sub(y),
            2 => x.wrapping_mul(y),
            3 => x ^ !y,
            4 if x > y => x,
            4 => y >> 3,
            _ => x & 255,
        }
    }
}

impl Number for U16 {
    fn of(value: u16) -> U16 {
        U16::from(value)
    }

    fn apply(kind: u8, x: U16, y: U16) -> U16 {
        match kind % 6 {
            0 => x + y,
            1 => x - y,
            2 => x * y,
            3 => x ^ !y,
            4 => when!(if x.gt(y) { x } else { y >> 3 }),
            _ => x & 255,
        }
    }
}

/// A random function of two numbers.
#[derive(Clone, Debug)]
struct Code(Vec<(u8, u8, u8)>);

impl Code {
    fn run<N: Number>(&self, x: N, y: N) -> N {
        let mut values = vec![x, y, N::of(0x1234)];
        for &(kind, i, j) in &self.0 {
            let at = |index: u8| values[usize::from(index) % values.len()];
            values.push(N::apply(kind, at(i), at(j)));
        }
        values[values.len() - 1]
    }
}

/// A step of a random computation on a number and a list.
type Step = (u8, u16);

/// The number and the list.
type State<N> = (N, Vec<N>);

fn plain(codes: &[Code; 2], step: Step, (mut number, mut list): State<u16>) -> State<u16> {
    let (f, g) = (|x, y| codes[0].run::<u16>(x, y), |x, y| codes[1].run::<u16>(x, y));
    let k = step.1;
    match step.0 % 9 {
        0 => list.iter_mut().for_each(|x| *x = f(*x, number)),
        1 => list.iter_mut().for_each(|x| *x = f(k, *x)),
        2 => number = list.iter().fold(number, |state, &x| g(state, x)),
        3 => number = list.iter().fold(k, |state, &x| g(f(state, number), x)),
        4 => {
            for x in &mut list {
                (number, *x) = (f(number, *x), g(*x, number));
            }
        }
        5 => number = f(g(number, k), number),
        6 => {
            let reversed: Vec<u16> = list.iter().rev().copied().collect();
            list = list.iter().zip(&reversed).map(|(&x, &y)| f(x, g(y, k))).collect();
        }
        7 => list = list.iter().map(|&x| list.iter().fold(x, |state, &y| g(state, y))).collect(),
        _ => list.push(number),
    }
    (number, list)
}

fn secret(
    [f, g]: [Callable<(U16, U16), U16>; 2],
    step: Step,
    (mut number, mut list): State<U16>,
) -> State<U16> {
    let k = step.1;
    match step.0 % 9 {
        0 => list = f.map((&list, shared(number))),
        1 => list = f.map((shared(k), &list)),
        2 => number = g.fold(number, &list),
        3 => {
            let step = function("step", move |state: U16, number: U16, x: U16| {
                g.call((f.call((state, number)), x))
            });
            number = step.fold(k, (shared(number), &list));
        }
        4 => {
            let step = function("both", move |number: U16, x: U16| {
                (f.call((number, x)), g.call((x, number)))
            });
            (number, list) = step.scan(number, list);
        }
        5 => number = f.call((g.call((number, k.into())), number)),
        6 => {
            let pair = function("pair", move |x: U16, y: U16| f.call((x, g.call((y, k.into())))));
            let pairs: Vec<(U16, U16)> =
                list.iter().zip(list.iter().rev()).map(|(&x, &y)| (x, y)).collect();
            list = pair.map(pairs);
        }
        7 => {
            let row = function("row", move |x: U16, list: Vec<U16>| g.fold(x, &list));
            list = row.map((&list, shared(list.clone())));
        }
        _ => list.push(number),
    }
    (number, list)
}

fn code() -> impl Strategy<Value = Code> {
    prop::collection::vec(any::<(u8, u8, u8)>(), 1..6).prop_map(Code)
}

proptest! {
    #[test]
    fn random_computations_equal_plain_rust(
        codes in [code(), code()],
        steps in prop::collection::vec(any::<Step>(), 1..6),
        list in prop::collection::vec(any::<u16>(), 0..20),
        number: u16,
    ) {
        let mut expected = (number, list.clone());
        for &step in &steps {
            expected = plain(&codes, step, expected);
        }
        let (found, _) = run_structured(
            |list: Vec<U16>, number: U16| {
                let functions = codes.clone().map(|code| {
                    function("code", move |x: U16, y: U16| code.run(x, y))
                });
                let steps = steps.iter();
                steps.fold((number, list), |state, &step| secret(functions, step, state))
            },
            &list,
            &number,
        );
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn tuples_lists_and_bools_pass_through_functions(
        rows in prop::collection::vec(any::<(u8, [u16; 3])>(), 1..40),
        limit: u16,
    ) {
        let ((sums, count), circuit) = run_structured(
            |rows: Vec<(U8, [U16; 3])>, limit: U16| {
                let row = function("row", |(scale, row): (U8, [U16; 3]), limit: U16| {
                    let sum = row.iter().sum::<U16>() * scale.cast();
                    (sum.le(limit), sum)
                });
                let results = row.map((&rows, shared(limit)));
                let tally = function("tally", |count: U8, (low, _): (Bool, U16)| count + low);
                let count = tally.fold(0, &results);
                (results, count)
            },
            &rows,
            &limit,
        );
        let sum = |&(scale, row): &(u8, [u16; 3])| {
            row.into_iter().fold(0, u16::wrapping_add).wrapping_mul(scale.into())
        };
        let expected: Vec<(bool, u16)> =
            rows.iter().map(sum).map(|sum| (sum <= limit, sum)).collect();
        prop_assert_eq!(count as usize, expected.iter().filter(|(low, _)| *low).count());
        prop_assert_eq!(sums, expected);
        prop_assert_eq!(circuit.functions.len(), 2);
    }
}

/// The names of the functions of `circuit`.
fn names(circuit: &StructuredCircuit) -> Vec<&str> {
    circuit.functions.iter().map(|function| function.name.as_str()).collect()
}

#[test]
fn a_signature_is_written_once() {
    let runs = Rc::new(Cell::new(0));
    let counted = Rc::clone(&runs);
    let (found, circuit) = run_structured(
        |list: Vec<U8>, x: U8| {
            let add = function("add", move |x: U8, y: U8| {
                counted.set(counted.get() + 1);
                x + y
            });
            let sum = function("sum", move |list: Vec<U8>| add.fold(0, &list));
            let sums = [sum.call(list.clone()), sum.call(list.clone()), sum.call(vec![x, x])];
            let twice = function("twice", move |list: Vec<U8>, x: U8| {
                add.map((add.map((&list, shared(x))), shared(x)))
            });
            (sums, twice.call((list.clone(), x)), add.call((x, list[0])), add.map((&list, &list)))
        },
        &vec![1, 2, 3],
        &10,
    );
    assert_eq!(found, ([6, 6, 20], vec![21, 22, 23], 11, vec![2, 4, 6]));
    assert_eq!(runs.get(), 1);
    assert_eq!(names(&circuit), ["add", "sum", "sum", "twice"]);
    // A map of consecutive wires takes a slice of them.
    let slices = |argument: &Argument| matches!(argument, Argument::Sliced { .. });
    assert!(circuit.body.calls.last().unwrap().arguments.iter().all(slices));
}

/// Each use makes the same function anew.
fn square(x: U8) -> U8 {
    function("square", |x: U8| x * x).call(x)
}

/// Adds from both ends: calls itself for a shorter list.
fn tree_sum(list: Vec<U8>) -> U8 {
    match list.len() {
        1 => list[0],
        count => {
            let (left, right) = list.split_at(count / 2);
            let sum = function("tree_sum", tree_sum);
            sum.call(left.to_vec()) + sum.call(right.to_vec())
        }
    }
}

#[test]
fn closures_without_captures_are_known_by_their_type() {
    let (found, circuit) = run_structured(
        |list: Vec<U8>, x: U8| (square(x) + square(list[1]), tree_sum(list)),
        &(1..=16).collect(),
        &5,
    );
    assert_eq!(found, (25 + 4, 136));
    let lengths_8_4_2_1 = ["tree_sum"; 4];
    assert_eq!(names(&circuit), [&["square"][..], &lengths_8_4_2_1].concat());
}

#[test]
fn functions_are_made_for_constants() {
    let ands = |constant: bool| {
        let (found, circuit) = run_structured(
            move |list: Vec<U32>, x: U32| {
                let product = function("product", |x: U32, y: U32| x * y);
                let factor = if constant { U32::from(4) } else { x };
                (product.call((list[0], factor)), product.map((&list, shared(factor))))
            },
            &vec![3, 7],
            &4,
        );
        assert_eq!(found, (12, vec![12, 28]));
        circuit.size().ands
    };
    assert!(ands(true) < 100);
    assert!(ands(false) > 3 * 900);
}

#[test]
fn constant_results_can_be_called_and_mapped() {
    let (found, circuit) = run_structured(
        |list: Vec<U8>, x: U8| {
            let widen = function("widen", |x: U8| (x.cast::<12>(), U8::from(7)));
            let seven = function("seven", |_: U8| U8::from(7));
            let count = function("count", |count: U8, x: U8| (count + 1, x & 3));
            let called = widen.call(x);
            assert_eq!(called.1.to_bits_constant(), Some(7));
            (called, widen.map(&list), seven.map(&list), seven.call(x), count.scan(0, &list))
        },
        &vec![255, 6],
        &9,
    );
    let expected = ((9, 7), vec![(255, 7), (6, 7)], vec![7, 7], 7, (2, vec![3, 2]));
    assert_eq!(found, expected);
    assert!(circuit.functions.len() >= 4);
}

/// Reads a value that may be a constant.
trait Constant {
    fn to_bits_constant(&self) -> Option<u8>;
}

impl Constant for U8 {
    fn to_bits_constant(&self) -> Option<u8> {
        use halfgate_secret::Secret;
        let bits = self.to_bits().into_iter().enumerate();
        bits.map(|(i, bit)| bit.as_constant().map(|value| u8::from(value) << i)).sum()
    }
}

#[test]
fn empty_lists_and_values_of_no_bits_are_allowed() {
    let (found, circuit) = run_structured(
        |list: Vec<U8>, x: U8| {
            let empty: Vec<U8> = Vec::new();
            let add = function("add", |x: U8, y: U8| x + y);
            let both = function("both", |x: U8, y: U8| (x + y, y));
            let nothing = add.map((shared(x), &empty));
            let last = add.fold(x, &empty);
            let (state, outputs) = both.scan(3, &empty);
            let unit = function("unit", |(): ()| U8::from(5));
            let drop = function("drop", |_: U8| ());
            let step = function("step", |(): (), x: U8| ((), x + 1));
            let ((), more) = step.scan((), &list);
            let units = drop.map(&list).len() + unit.map([(), (), ()]).len();
            ((nothing, outputs), last, state, unit.call(()), more, U8::from(units))
        },
        &vec![1, 2],
        &40,
    );
    assert_eq!(found, ((vec![], vec![]), 40, 3, 5, vec![2, 3], 5));
    assert_eq!(names(&circuit), ["step"]);
}

#[test]
fn calls_have_the_forms_and_arguments_of_the_builder() {
    let circuit = trace_structured(|| {
        let keys: [U8; 4] = input("keys", Party::Garbler);
        let blocks: Vec<[U8; 4]> = list("blocks", Party::Evaluator, 50);
        let bits: Vec<Bool> = list("bits", Party::Evaluator, 50);
        let mix = function("mix", |keys: [U8; 4], block: [U8; 4], bit: Bool| {
            std::array::from_fn::<U8, 4, _>(|i| block[i] * keys[i] + bit)
        });
        let mixed = mix.map((shared(keys), &blocks, &bits));
        let join = function("join", |all: U8, block: [U8; 4]| all ^ block.iter().sum::<U8>());
        output("joined", &join.fold(0, &mixed));
        output("mixed", &mixed);
    })
    .unwrap();
    let [map, fold] = &circuit.body.calls[..] else { panic!("two calls") };
    assert_eq!(map.form, Form::Map { lanes: 50 });
    assert_eq!(fold.form, Form::Fold { steps: 50, state: 8 });
    assert!(matches!(
        map.arguments[..],
        [
            Argument::Shared(_),
            Argument::Sliced { width: 32, run_stride: 32, bit_stride: 1, .. },
            Argument::Sliced { width: 1, run_stride: 1, .. }
        ]
    ));
    assert!(matches!(fold.arguments[1], Argument::Sliced { width: 32, .. }));
    assert_eq!(circuit.outputs[1].bits.runs().count(), 1);
}
