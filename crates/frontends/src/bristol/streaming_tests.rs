//! Tests that reading a long file takes memory for the wires alive, not for its gates.

use super::read::read_measured;
use super::{Options, write_fashion};
use std::io::{self, BufReader, Read};

/// Generates a chain of `gates` gates on two inputs, alternately AND and XOR. Lines are generated
/// as they are read. Each gate reads the two wires before its own.
struct Chain {
    gates: u64,
    next: u64,
    line: Vec<u8>,
    at: usize,
}

impl Chain {
    fn new(gates: u64) -> Chain {
        let line = format!("{gates} {}\n1 1 1\n\n", gates + 2).into_bytes();
        Chain { gates, next: 0, line, at: 0 }
    }
}

impl Read for Chain {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() && self.next < self.gates {
            let (i, op) = (self.next, if self.next.is_multiple_of(2) { "AND" } else { "XOR" });
            self.line = format!("2 1 {i} {} {} {op}\n", i + 1, i + 2).into_bytes();
            self.at = 0;
            self.next += 1;
        }
        let count = (&self.line[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[test]
fn a_chain_of_three_million_gates_holds_three_wires() {
    const GATES: u64 = 3_000_000;
    let reader = BufReader::new(Chain::new(GATES));
    let (circuit, most_alive) = read_measured(reader, "chain", &Options::default()).unwrap();
    assert_eq!(circuit.gates.len() as u64, GATES);
    assert_eq!(circuit.gates.ands(), GATES / 2);
    assert!(most_alive <= 3, "{most_alive} wires were held at once");
}

#[test]
fn a_long_chain_is_written_and_read_back() {
    const GATES: u64 = 200_000;
    let (circuit, _) =
        read_measured(BufReader::new(Chain::new(GATES)), "chain", &Options::default()).unwrap();
    let mut text = Vec::new();
    write_fashion(&circuit, &mut text).unwrap();
    let (back, most_alive) = read_measured(&text[..], "written", &Options::default()).unwrap();
    assert!(most_alive <= 3, "{most_alive} wires were held at once");
    assert!(back.gates.iter().eq(circuit.gates.iter()));
}
