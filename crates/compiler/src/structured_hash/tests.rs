use super::*;
use crate::StructuredProgram;
use crate::hash::program_hash;
use halfgate_circuit::structured::{FunctionId, random};
use halfgate_circuit::{Builder, builder::Arg, int};
use std::collections::HashSet;

fn circuit(name: &str, lanes: u32, constant: u128) -> StructuredCircuit {
    let mut b = Builder::new();
    let rows = b.input_array("rows", halfgate_circuit::Party::Evaluator, 8, lanes);
    let sums = b.map(name, u64::from(lanes), &[Arg::Array(rows)], |b, x| {
        let constant = int::constant(8, constant);
        int::add(b, &x[0], &constant)
    });
    b.output_array("sums", sums);
    b.finish_structured().unwrap()
}

fn hash(circuit: StructuredCircuit) -> ProgramHash {
    StructuredProgram::new(circuit).unwrap().hash
}

/// The hash follows `spec/functions.md`; a change is a new version.
#[test]
fn hashes_are_those_of_version_1() {
    let text = hash(circuit("add", 3, 5)).to_string();
    let recorded = "672d7e4d08d0f0e7667d517dc2e67581b41ae964b9202663250e0eef87fba378";
    assert_eq!(text, recorded);
}

#[test]
fn the_hash_covers_structure_and_no_names() {
    let base = || hash(circuit("add", 3, 5));
    assert_eq!(hash(circuit("another name", 3, 5)), base());
    let mut seen = HashSet::from([base()]);
    let mut differs = |circuit: StructuredCircuit| assert!(seen.insert(hash(circuit)));
    differs(circuit("add", 4, 5));
    differs(circuit("add", 3, 6));
    let mut fold = circuit("add", 3, 5);
    let flat = flatten(&fold).unwrap();
    differs(flat.into());
    fold.body.calls[0].form = Form::Fold { steps: 3, state: 0 };
    differs(fold);
    let mut listed = circuit("add", 3, 5);
    let bits = (0..24).map(|number| halfgate_circuit::Wire::new(number).bit()).collect();
    listed.body.calls[0].arguments = vec![Argument::Listed { width: 8, bits }];
    differs(listed);
    let mut output = circuit("add", 3, 5);
    output.functions[0].outputs.swap(0, 1);
    differs(output);
}

#[test]
fn a_circuit_without_calls_has_the_hash_of_its_gates() {
    let flat = || halfgate_circuit::random::circuit(3, &Default::default());
    let mut structured = StructuredCircuit::from(flat());
    structured.functions = circuit("unused", 3, 5).functions;
    assert_eq!(hash(structured), program_hash(&flat()));
}

#[test]
fn an_unused_function_does_not_count() {
    let mut with_unused = circuit("add", 3, 5);
    let mut functions = circuit("unused", 3, 77).functions;
    functions.append(&mut with_unused.functions);
    with_unused.functions = functions;
    with_unused.body.calls[0].function = FunctionId(1);
    assert_eq!(hash(with_unused), hash(circuit("add", 3, 5)));
}

#[test]
fn the_flattening_is_a_program_of_the_same_hash() {
    let circuit = random::circuit(9, &random::Shape::default());
    let program = StructuredProgram::new(circuit).unwrap();
    let flat = program.flat().unwrap();
    assert_eq!(flat.hash, program.hash);
    assert_eq!(flat.gates_per_cycle(), program.size().gates);
    assert_eq!(flat.ands_per_cycle(), program.size().ands);
}
