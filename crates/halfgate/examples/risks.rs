//! Which of 1,000 customers are a risk, by a secret model: a function that is mapped over a list.

use halfgate::{Bool, Error, Function, Length, U16, function, shared};

/// Weights of a model, or a customer's features.
type Row = [U16; 8];

fn is_risk(weights: Row, features: Row) -> Bool {
    let score: U16 = weights.iter().zip(features).map(|(&weight, x)| weight * x).sum();
    score.gt(1000)
}

/// The garbler's model finds the risks among the evaluator's customers.
fn risks(customers: usize) -> Function<Row, Vec<Row>, (Vec<Bool>, U16)> {
    Function::with_shapes("risks", (), Length(customers), |model: Row, customers: Vec<Row>| {
        let is_risk = function("is_risk", is_risk); // written once
        let risks = is_risk.map((shared(model), &customers)); // and run for each customer
        let count = risks.iter().map(|&risk| U16::from(risk)).sum();
        (risks, count)
    })
}

fn main() -> Result<(), Error> {
    let customers: Vec<[u16; 8]> = (0..1000).map(|i| [i % 50; 8]).collect();
    let program = risks(customers.len()).compile()?;
    let (risks, count) = program.run([1, 2, 3, 4, 5, 6, 7, 8], customers)?;
    println!("{count} of {} customers are a risk: {} ANDs", risks.len(), program.ands());
    assert!(!risks[27] && risks[28] && count == 440);
    Ok(())
}
