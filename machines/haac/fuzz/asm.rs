//! Reads any text as a lowered program. Either it is rejected with an error that names the line, or
//! its disassembly reads as the same program.

use halfgate_haac_model::asm::{AsmError, Listing, assemble, disassemble};

pub fn run(data: &[u8]) {
    let listing = match assemble(&mut &data[..]) {
        Ok(listing) => listing,
        Err(AsmError::Line { line, .. }) => {
            assert!(line >= 1 && line <= data.len() as u64 + 1);
            return;
        }
        Err(AsmError::Io(error)) => panic!("{error}"),
    };
    let text = disassembled(&listing);
    let again = assemble(&mut &text[..]).expect("a disassembly can be assembled");
    assert_eq!(disassembled(&again), text);
}

fn disassembled(listing: &Listing) -> Vec<u8> {
    let mut text = Vec::new();
    disassemble(listing, 0..u64::MAX, &mut text).expect("an assembled program has all its words");
    text
}
