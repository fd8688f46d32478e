//! Which of two people is richer, and nothing else: both parties in one process.

use halfgate::{Function, U32};

fn main() -> Result<(), halfgate::Error> {
    let richer = Function::new("richer", |alice: U32, bob: U32| alice.gt(bob));
    let program = richer.compile()?;
    println!("{} ANDs", program.ands());
    let alice_is_richer = program.run(1_000_000, 999_999)?;
    println!("Alice is the richer: {alice_is_richer}");
    assert!(alice_is_richer);
    Ok(())
}
