//! A bill from the garbler's rates and the evaluator's consumption: integers, an `if` on a secret,
//! and a float. Neither party sees the other's numbers, and both see the sum.

use halfgate::{Error, F64, Function, U32, when};

/// The garbler's rates and the evaluator's consumption; neither party sees the other's.
fn bill(rates: [U32; 3], used: [U32; 3]) -> (U32, F64) {
    let mut sum = U32::from(0);
    for (rate, used) in rates.into_iter().zip(used) {
        sum += when!(if used.gt(1000) { rate * 2 * used } else { rate * used });
    }
    let thousands: F64 = sum.to_float() / 1e3;
    (sum, thousands)
}

fn main() -> Result<(), Error> {
    let program = Function::new("bill", bill).compile()?;
    assert_eq!(program.run([2, 3, 4], [10, 20, 2000])?, (16_080, 16.08));
    println!("{} ANDs", program.ands());
    Ok(())
}
