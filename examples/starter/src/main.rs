//! Two shops learn which goods are cheaper at the second shop, and the largest difference in price.
//! Neither shop learns anything else about the other's prices.
//!
//!     cargo run                                      runs both shops in this process
//!     cargo run -- keygen FILE                       makes an identity, once for each shop
//!     cargo run -- garble ME YOU.pub ADDRESS         first shop: listens at ADDRESS (HOST:PORT)
//!     cargo run -- evaluate ME YOU.pub ADDRESS       second shop: connects to ADDRESS

use halfgate::{
    Bool, Connection, Error, Function, Identity, List, Options, Peer, Program, U32, when,
};

const GOODS: usize = 4;
const MY_PRICES: [u32; GOODS] = [100, 250, 80, 999];
const YOUR_PRICES: [u32; GOODS] = [120, 200, 80, 900];

/// The function that both shops compute, as plain Rust on secret values: which goods are cheaper at
/// `yours`, and the largest difference in price.
fn compare(mine: [U32; GOODS], yours: [U32; GOODS]) -> ([Bool; GOODS], U32) {
    let cheaper = std::array::from_fn(|i| yours[i].lt(mine[i]));
    let gains: [U32; GOODS] =
        std::array::from_fn(|i| when!(if cheaper[i] { mine[i] - yours[i] } else { 0 }));
    let (_, most) = gains.largest();
    (cheaper, most)
}

type Compare = Program<[U32; GOODS], [U32; GOODS], ([Bool; GOODS], U32)>;

fn program() -> Result<Compare, Error> {
    Function::new("compare", compare).named(&["mine"], &["yours"], &["cheaper", "most"]).compile()
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let options = Options::default();
    let (cheaper, most) = match words[..] {
        [] => program()?.run(MY_PRICES, YOUR_PRICES)?,
        ["keygen", file] => {
            println!("{}", Identity::generate(file)?.fingerprint());
            return Ok(());
        }
        ["garble", me, you, address] => {
            let (me, you) = (Identity::load(me)?, Peer::from_file(you)?);
            let connection = Connection::listen(address, &me, &you)?;
            program()?.garble(connection, MY_PRICES, &options)?.value()?
        }
        ["evaluate", me, you, address] => {
            let (me, you) = (Identity::load(me)?, Peer::from_file(you)?);
            let connection = Connection::connect(address, &me, &you)?;
            program()?.evaluate(connection, YOUR_PRICES, &options)?.value()?
        }
        _ => {
            eprintln!("usage: starter [keygen FILE | garble|evaluate ME YOU.pub ADDRESS]");
            std::process::exit(2);
        }
    };
    println!("cheaper at yours: {cheaper:?}, by {most} at most");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_is_right() -> Result<(), Error> {
        let program = program()?;
        let expected = ([false, true, false, true], 99);
        assert_eq!(program.clear(MY_PRICES, YOUR_PRICES)?, expected);
        assert_eq!(program.run(MY_PRICES, YOUR_PRICES)?, expected);
        Ok(())
    }
}
