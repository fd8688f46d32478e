//! A dot product of any length: a cycle multiplies and adds, and its circuit is compiled once.

use halfgate::{Learn, Machine, U32, U64};

fn main() -> Result<(), halfgate::Error> {
    let dot = Machine::new(
        "dot",
        |(): (), (): ()| U64::from(0),
        |sum: U64, x: U32, y: U32| (sum + x.widening_mul::<64>(y), ()),
        |sum: U64| sum,
    );
    // Only the evaluator learns the sum.
    let program = dot.learn(Learn::None, Learn::Evaluator).compile()?;
    let mine: Vec<u32> = (1..=200).collect();
    let yours: Vec<u32> = (1..=200).rev().collect();
    let expected: u64 = mine.iter().zip(&yours).map(|(&x, &y)| u64::from(x) * u64::from(y)).sum();
    let (_, sum) = program.run(mine.len() as u64, ((), mine), ((), yours))?;
    println!("{sum}, from 200 cycles of {} ANDs", program.ands_per_cycle());
    assert_eq!(sum, expected);
    Ok(())
}
