use super::*;

/// Number of random sets of operands for each operation.
const RANDOM: u64 = 20_000;

#[test]
fn every_operation_agrees_with_this_machine() {
    let mut wrong = Vec::new();
    for operation in operations() {
        let outcome = compare(&operation, RANDOM, 1);
        let Outcome { compared, special, .. } = outcome;
        println!("{}: {compared} compared, {special} of them special", operation.name);
        assert!(special > 0 && compared == special + RANDOM);
        if let Some(first) = outcome.first {
            wrong.push(format!("{}: {} differ, {first}", operation.name, outcome.different));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_result_is_found() {
    let mut mul = operations().into_iter().find(|op| op.name == "binary32 mul").unwrap();
    // Off by one ulp where the result is 3.
    mul.expected = |[x, y, _]| {
        let product = f32::from_bits(x as u32) * f32::from_bits(y as u32);
        let bits = if product.is_nan() { 0x7fc0_0000 } else { product.to_bits() };
        u64::from(bits + u32::from(product == 3.0))
    };
    let outcome = compare(&mul, 0, 1);
    assert!(outcome.different > 0 && outcome.different < outcome.compared / 10);
    assert!(outcome.first.unwrap().contains("0x40400000"));
}
