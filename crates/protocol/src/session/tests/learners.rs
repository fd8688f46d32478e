//! Learners of outputs: both parties must give the same learners, and each learns its outputs.

use super::*;

#[test]
fn each_output_is_learned_by_its_learners() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    let shape = Shape { flip_flops: 9, input_bits: 24, output_bits: 20, ..Shape::default() };
    let case = case(5, &shape, 1);
    assert_eq!(case.program.circuit.outputs.len(), 2);
    for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))) {
        let named = RunOptions { learn: vec![x, y], ..options(&case) };
        let (garbled, evaluated) = both(&case, (&named, &named), ring::pair());
        check(&case, &named.learn, Party::Garbler, garbled);
        check(&case, &named.learn, Party::Evaluator, evaluated);
    }
}

#[test]
fn parties_that_differ_in_learners_compute_nothing() {
    let (case, options, _) = small(1);
    let learn = |learn| RunOptions { learn: vec![learn], ..options.clone() };
    let (ours, theirs) = (learn(Learn::Garbler), learn(Learn::Both));
    let (garbled, evaluated) = both(&case, (&ours, &theirs), pipe_channels());
    assert!(garbled.unwrap_err().to_string().contains("ours is garbler, the evaluator's is both"));
    assert!(evaluated.unwrap_err().to_string().contains("ours is both, the garbler's is garbler"));
    // A party that lists no learners wants both parties to learn everything, and is not overruled.
    let (garbled, evaluated) = both(&case, (&ours, &options), pipe_channels());
    assert!(garbled.unwrap_err().to_string().contains("ours is garbler, the evaluator's is both"));
    assert!(evaluated.unwrap_err().to_string().contains("ours is both, the garbler's is garbler"));
    let (garbled, evaluated) = both(&case, (&options, &theirs), pipe_channels());
    assert!(garbled.is_ok() && evaluated.is_ok());
}
