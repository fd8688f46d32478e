//! Two processes over TLS. Each party creates its identity once and gives the other the public
//! half:
//!
//!     cargo run --example over_tls -- keygen alice
//!     cargo run --example over_tls -- keygen bob
//!     cargo run --example over_tls -- garble alice bob.pub 127.0.0.1:7766 1000000
//!     cargo run --example over_tls -- evaluate bob alice.pub 127.0.0.1:7766 999999
//!
//! Without arguments both parties run in this process, on two threads.

use halfgate::{Bool, Connection, Function, Identity, Listener, Options, Peer, Program, U32};
use std::error::Error;

fn program() -> Result<Program<U32, U32, Bool>, halfgate::Error> {
    Function::new("richer", |alice: U32, bob: U32| alice.gt(bob)).compile()
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let richer = match words[..] {
        ["keygen", file] => {
            println!("{}", Identity::generate(file)?.fingerprint());
            return Ok(());
        }
        ["garble", identity, peer, address, wealth] => {
            let (me, peer) = (Identity::load(identity)?, Peer::from_file(peer)?);
            let connection = Connection::listen(address, &me, &peer)?;
            program()?.garble(connection, wealth.parse()?, &Options::default())?.value()?
        }
        ["evaluate", identity, peer, address, wealth] => {
            let (me, peer) = (Identity::load(identity)?, Peer::from_file(peer)?);
            let connection = Connection::connect(address, &me, &peer)?;
            program()?.evaluate(connection, wealth.parse()?, &Options::default())?.value()?
        }
        [] => both_here()?,
        _ => return Err("keygen FILE, or garble|evaluate IDENTITY PEER.pub ADDRESS WEALTH".into()),
    };
    println!("Alice is the richer: {richer}");
    Ok(())
}

fn both_here() -> Result<bool, Box<dyn Error + Send + Sync>> {
    let (alice, bob) = (Identity::ephemeral()?, Identity::ephemeral()?);
    let (alices, bobs) = (Peer::from(alice.fingerprint()), Peer::from(bob.fingerprint()));
    let options = Options::default();
    let listener = Listener::bind("127.0.0.1:0")?;
    let address = listener.address();
    std::thread::scope(|scope| {
        let garbler = scope.spawn(|| {
            let connection = listener.accept(&alice, &bobs, &options)?;
            program()?.garble(connection, 1_000_000, &options)?.value()
        });
        let connection = Connection::connect(&address, &bob, &alices)?;
        let evaluated = program()?.evaluate(connection, 999_999, &options)?.value()?;
        assert_eq!(garbler.join().expect("the garbler does not panic")?, evaluated);
        Ok(evaluated)
    })
}
