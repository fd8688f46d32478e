//! Tests that reading a long file takes memory for the wires alive, not for its gates.

use super::read::read_measured;
use super::{Options, write};
use std::io::{self, BufReader, Read};

/// Generates an SCD file with a chain of `gates` gates on two inputs, alternately OR and XOR. The
/// file is generated as it is read. Each gate reads the two wires before its own.
struct Chain {
    gates: u64,
    /// The number of the line that is generated now, from 2 on. `next` is the index of the next
    /// number within the line.
    line: u64,
    next: u64,
    piece: Vec<u8>,
    at: usize,
}

impl Chain {
    fn new(gates: u64) -> Chain {
        let piece = format!("0 0 1 1 0 1 {gates}\n").into_bytes();
        Chain { gates, line: 2, next: 0, piece, at: 0 }
    }

    fn piece(&mut self) -> Vec<u8> {
        let i = self.next;
        if self.line > 4 {
            self.line += 1;
            return match self.line {
                6 => format!("{}\n", self.gates + 1).into_bytes(),
                _ => Vec::new(),
            };
        }
        self.next += 1;
        if i == self.gates {
            (self.line, self.next) = (self.line + 1, 0);
            return b"\n".to_vec();
        }
        let number = match self.line {
            2 => i,
            3 => i + 1,
            _ => [14, 6][i as usize % 2],
        };
        format!("{number} ").into_bytes()
    }
}

impl Read for Chain {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            (self.piece, self.at) = (self.piece(), 0);
        }
        let count = (&self.piece[self.at..]).read(buffer)?;
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
fn a_long_chain_is_written_as_it_was_read() {
    const GATES: u64 = 100_000;
    let mut text = Vec::new();
    Chain::new(GATES).read_to_end(&mut text).unwrap();
    let options = Options { as_given: true, ..Options::default() };
    let (circuit, _) = read_measured(&text[..], "chain", &options).unwrap();
    let mut written = Vec::new();
    write(&circuit, &mut written).unwrap();
    let trimmed = |text: &[u8]| {
        text.split(|&b| b == b'\n').map(|l| l.trim_ascii().to_vec()).collect::<Vec<_>>()
    };
    assert!(trimmed(&written)[..5] == trimmed(&text)[..5]);
}
