//! Floating point: the mean and variance of two hospitals' measurements, and the similarity of
//! their profiles. Results equal those of `f64` bit for bit.

use halfgate::{F64, Function, Length};

const PROFILE: usize = 3;

/// Mean and variance of all measurements together.
fn statistics(mine: Vec<F64>, yours: Vec<F64>) -> (F64, F64) {
    let all: Vec<F64> = mine.into_iter().chain(yours).collect();
    let count = all.len() as f64;
    let mean = all.iter().sum::<F64>() / count;
    let squares: F64 = all.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, squares / count)
}

/// The cosine of the angle between two vectors.
fn similarity(x: [F64; PROFILE], y: [F64; PROFILE]) -> F64 {
    let dot =
        |x: [F64; PROFILE], y: [F64; PROFILE]| x.iter().zip(&y).map(|(x, y)| x * y).sum::<F64>();
    dot(x, y) / (dot(x, x) * dot(y, y)).sqrt()
}

fn main() -> Result<(), halfgate::Error> {
    let (mine, yours) = (vec![36.6, 37.2], vec![38.5]);
    let shapes = (Length(mine.len()), Length(yours.len()));
    let program = Function::with_shapes("statistics", shapes.0, shapes.1, statistics).compile()?;
    let (mean, variance) = program.run(mine, yours)?;
    println!("mean {mean}, variance {variance} ({} ANDs)", program.ands());
    let expected = (36.6 + 37.2 + 38.5) / 3.0;
    assert_eq!(mean, expected);

    let program = Function::new("similarity", similarity).compile()?;
    let cosine = program.run([1.0, 2.0, 2.0], [2.0, 1.0, 2.0])?;
    println!("similarity {cosine} ({} ANDs)", program.ands());
    assert_eq!(cosine, 8.0 / 9.0);
    Ok(())
}
