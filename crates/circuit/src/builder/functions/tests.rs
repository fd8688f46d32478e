use super::*;
use crate::bits::Bits;
use crate::structured::{FunctionId, Sizes, clear, flatten};
use crate::{int, random};

/// The outputs of `circuit` on random values, compared with those of its flattening.
fn outputs(circuit: &StructuredCircuit, seed: u64) -> (Vec<Bits>, Vec<Bits>) {
    let flat = flatten(circuit).unwrap();
    let values = random::inputs_for(&flat, seed, 1);
    let outputs = clear::evaluate(circuit, &values, 1).unwrap();
    assert_eq!(outputs, crate::clear::evaluate(&flat, &values, 1).unwrap());
    (values, outputs)
}

fn word(bits: &Bits, index: usize, width: usize) -> u64 {
    (0..width).map(|i| u64::from(bits.get(index * width + i)) << i).sum()
}

#[test]
fn a_map_runs_on_each_element() {
    let mut b = Builder::new();
    let k = b.input("k", Party::Garbler, 16);
    let rows = b.input_array("rows", Party::Evaluator, 16, 37);
    let sums =
        b.map("add", 37, &[Arg::Shared(&k), Arg::Array(rows)], |b, x| int::add(b, &x[0], &x[1]));
    b.output_array("sums", sums);
    b.output("last", &sums.element(36));
    let circuit = b.finish_structured().unwrap();
    assert_eq!(circuit.outputs[0].bits.runs().count(), 1);
    let (values, outputs) = outputs(&circuit, 1);
    for lane in 0..37 {
        let expected = word(&values[0], 0, 16) + word(&values[1], lane, 16);
        assert_eq!(word(&outputs[0], lane, 16), expected & 0xffff, "lane {lane}");
    }
    assert_eq!(word(&outputs[1], 0, 16), word(&outputs[0], 36, 16));
}

#[test]
fn a_fold_carries_its_state_and_gives_outputs_of_each_step() {
    let mut b = Builder::new();
    let rows = b.input_array("rows", Party::Evaluator, 16, 9);
    let zero = [Bit::FALSE; 16];
    let sums = b.fold("sum", 9, &zero, &[Arg::Array(rows)], |b, sum, x| {
        let sum = int::add(b, sum, &x[0]);
        (sum.clone(), sum[..8].to_vec())
    });
    b.output("sum", &sums.state);
    b.output_array("steps", sums.outputs);
    let circuit = b.finish_structured().unwrap();
    let (values, outputs) = outputs(&circuit, 2);
    let mut sum = 0;
    for step in 0..9 {
        sum += word(&values[0], step, 16);
        assert_eq!(word(&outputs[1], step, 8), sum & 0xff, "step {step}");
    }
    assert_eq!(word(&outputs[0], 0, 16), sum & 0xffff);
}

#[test]
fn functions_nest_and_equal_ones_are_stored_once() {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 8, 6);
    let square = |b: &mut Builder, x: &[Bit]| int::mul(b, x, x);
    let squared = b.function("square", 8, square);
    let again = b.function("another name", 8, square);
    let pairs = x.regroup(16);
    let sums = b.map("pair", 3, &[Arg::Array(pairs)], |b, x| {
        let (low, high) = x[0].split_at(8);
        let (low, high) = (b.call(&squared, low), b.call(&again, high));
        int::add(b, &low, &high)
    });
    b.output_array("sums", sums);
    let circuit = b.finish_structured().unwrap();
    assert_eq!(circuit.functions.len(), 2, "`square` and `pair`");
    assert_eq!(circuit.functions[1].body.calls.len(), 2);
    let (values, outputs) = outputs(&circuit, 3);
    for pair in 0..3 {
        let square = |index| word(&values[0], index, 8).pow(2);
        let expected = (square(2 * pair) + square(2 * pair + 1)) & 0xff;
        assert_eq!(word(&outputs[0], pair, 8), expected, "pair {pair}");
    }
}

#[test]
fn constants_make_functions_of_their_own() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 8);
    let add = b.function("add", 16, |b, x| int::add(b, &x[..8], &x[8..]));
    let three = int::constant(8, 3);
    let plus_three = b.call(&add, &[&x[..], &three[..]].concat());
    let constant = b.call(&add, &[&three[..], &three[..]].concat());
    assert_eq!(constant, int::constant(8, 6));
    let outer = b.function("outer", 8, |b, y| b.call(&add, &[y, &three[..]].concat()));
    let seven = int::constant(8, 7);
    assert_eq!(b.call(&outer, &seven), int::constant(8, 10));
    b.output("y", &plus_three);
    let circuit = b.finish_structured().unwrap();
    let called = circuit.body.calls[0].function;
    let sizes = Sizes::of(&circuit.functions).unwrap();
    assert!(sizes.get(called).ands < sizes.get(FunctionId(0)).ands);
    let (values, outputs) = outputs(&circuit, 4);
    assert_eq!(word(&outputs[0], 0, 8), (word(&values[0], 0, 8) + 3) & 0xff);
}

#[test]
fn constants_among_sliced_bits_become_wires() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 2);
    let bits = [x[0], Bit::TRUE, Bit::FALSE, x[1]];
    let two = [Bit::TRUE; 2];
    let result = b.map("and", 2, &[Arg::Sliced(&bits), Arg::Shared(&two)], |b, y| {
        let and = b.and(y[0][0], y[0][1]);
        vec![b.and(and, y[1][0]), Bit::TRUE, b.xor(y[0][0], y[1][1])]
    });
    b.output("y", &result.bits());
    let circuit = b.finish_structured().unwrap();
    for value in 0..4 {
        let values = [Bits::from_integer(value, 2)];
        let outputs = clear::evaluate(&circuit, &values, 1).unwrap();
        let of = |a: bool, b: bool| [a & b, true, !a];
        let expected = [of(value & 1 == 1, true), of(false, value & 2 == 2)].concat();
        assert!(outputs[0].iter().eq(expected), "{value}");
    }
}

#[test]
fn errors_inside_a_function_reach_the_end() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 1);
    let many = b.map("many", 1 << 29, &[Arg::Shared(&x)], |_, x| vec![x[0][0]; 4]);
    b.output("y", &many.element(0));
    assert!(matches!(b.finish_structured(), Err(BuildError::TooManyWires)));

    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 1);
    let f = b.function("f", 1, |b, x| {
        b.set_next(x[0], x[0]);
        vec![!x[0]]
    });
    let y = b.call(&f, &x);
    b.output("y", &y);
    assert!(matches!(b.finish_structured(), Err(BuildError::NotAFlipFlop(_))));

    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 1);
    let f = b.function("f", 1, |_, x| vec![!x[0]]);
    let y = b.call(&f, &x);
    b.output("y", &y);
    assert!(matches!(b.finish(), Err(BuildError::HasCalls)));
}

#[test]
fn a_defined_function_is_called_mapped_and_folded() {
    let mut b = Builder::new();
    let rows = b.input_array("rows", Party::Evaluator, 8, 5);
    let add = b.function("add", 16, |b, x| int::add(b, &x[..8], &x[8..]));
    // The first output is a constant, which becomes a wire where the function is mapped.
    let tagged =
        b.function("tagged", 16, |b, x| [vec![Bit::TRUE], int::add(b, &x[..8], &x[8..])].concat());
    let all = b.function("all", 8, |_, _| vec![Bit::TRUE; 3]);
    let first = rows.element(0);
    let arguments = [Arg::Shared(&first), Arg::Array(rows)];
    let sums = b.map_defined(&add, 5, &arguments);
    let marked = b.map_defined(&tagged, 5, &arguments);
    let ones = b.map_defined(&all, 5, &[Arg::Array(rows)]);
    let sum = b.fold_defined(&add, 5, &first, &[Arg::Array(rows)]);
    let one = b.call(&tagged, &[&first[..], &first[..]].concat());
    assert_eq!(one[0], Bit::TRUE);
    // `tagged` returns 9 bits: the constant and the sum. The first 8 of them are the next state,
    // and the last one is the step's output.
    let state = [&[Bit::FALSE], &first[..7]].concat();
    let steps = b.fold_defined(&tagged, 5, &state, &[Arg::Array(rows)]);
    assert_eq!((steps.outputs.width(), steps.outputs.len()), (1, 5));
    for (name, array) in [("sums", sums), ("marked", marked), ("ones", ones)] {
        b.output_array(name, array);
    }
    b.output("sum", &sum.state);
    b.output("state", &steps.state);
    let circuit = b.finish_structured().unwrap();
    let names: Vec<&str> = circuit.functions.iter().map(|found| &found.name[..]).collect();
    // Without its constant output, `tagged` equals `add`, so it is stored as `add`. A map or fold
    // needs the constant as a wire. So it runs a second function, which is also named `add`.
    assert_eq!(names, ["add", "add", "constant"]);
    let (values, outputs) = outputs(&circuit, 5);
    let row = |lane| word(&values[0], lane, 8);
    for lane in 0..5 {
        let sum = (row(0) + row(lane)) & 255;
        assert_eq!(word(&outputs[0], lane, 8), sum, "lane {lane}");
        assert_eq!(word(&outputs[1], lane, 9), sum << 1 | 1, "lane {lane}");
        assert_eq!(word(&outputs[2], lane, 3), 7, "lane {lane}");
    }
    let all: u64 = (0..5).map(row).sum();
    assert_eq!(word(&outputs[3], 0, 8), (all + row(0)) & 255);
    let mut state = row(0) << 1 & 255;
    for lane in 0..5 {
        state = ((state + row(lane)) & 127) << 1 | 1;
    }
    assert_eq!(word(&outputs[4], 0, 8), state);
}

#[test]
#[should_panic(expected = "arguments and inputs of the function")]
fn a_defined_function_is_mapped_with_all_of_its_inputs() {
    let mut b = Builder::new();
    let x = b.input_array("x", Party::Garbler, 8, 4);
    let add = b.function("add", 16, |b, x| int::add(b, &x[..8], &x[8..]));
    b.map_defined(&add, 4, &[Arg::Array(x)]);
}

#[test]
fn a_call_may_pass_only_constants() {
    let mut b = Builder::new();
    let x = b.input("x", Party::Garbler, 8);
    let inner = b.function("inner", 8, |b, x| {
        // Maps and folds take wires, also where the whole function is of constants.
        let next = b.map("next", 4, &[Arg::Sliced(x)], |b, x| vec![b.xor(x[0][0], x[0][1])]);
        b.fold("all", 4, &x[..1], &[Arg::Array(next)], |b, s, x| {
            (vec![b.and(s[0], !x[0][0])], Vec::new())
        })
        .state
    });
    let outer = b.function("outer", 9, |b, x| {
        let mut bits = b.call(&inner, &x[..8]);
        bits.push(b.and(bits[0], x[8]));
        bits
    });
    let bits = int::constant(8, 0b1111_0011);
    let all = b.call(&inner, &bits);
    let part = b.call(&outer, &[&bits[..], &x[..1]].concat());
    let none = b.call(&outer, &[&bits[..], &[Bit::TRUE]].concat());
    let shared = b.map_defined(&inner, 3, &[Arg::Shared(&bits)]);
    for (name, bits) in [("all", all), ("part", part), ("none", none), ("shared", shared.bits())] {
        b.output(name, &bits);
    }
    let (values, outputs) = outputs(&b.finish_structured().unwrap(), 3);
    let found: Vec<u64> = outputs.iter().map(|bits| word(bits, 0, bits.len())).collect();
    let x = u64::from(values[0].get(0));
    assert_eq!(found, [1, 1 | x << 1, 3, 7]);
}
