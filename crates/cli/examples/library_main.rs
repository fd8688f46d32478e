//! A program of the library whose `main` returns the library's error. A test compares its last line
//! with the command's.
//!
//!     library_main IDENTITY PEER ADDRESS

use halfgate::{Connection, Function, Identity, Options, Peer, U32};

fn main() -> Result<(), halfgate::Error> {
    let mut words = std::env::args().skip(1);
    let mut word = || words.next().unwrap_or_default();
    let (identity, peer, address) = (word(), word(), word());
    let me = Identity::load(identity)?;
    let peer = Peer::from_file(peer)?;
    let connection = Connection::connect(&address, &me, &peer)?;
    let sum = Function::new("sum", |a: U32, b: U32| a + b).compile()?;
    let sum = sum.garble(connection, 1, &Options::default())?.value()?;
    println!("{sum}");
    Ok(())
}
