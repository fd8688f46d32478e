//! Reads program files: any bytes, and any chunks with right checksums. Either the reader rejects
//! them, or it returns code that can be written and read back.
//!
//! longest: 1536

use halfgate_haac_model::hgp::chunk::{ChunkWriter, MAX_PAYLOAD};
use halfgate_haac_model::hgp::{Loaded, read, write_to};

/// A valid header; the fuzzer adds the chunks after it.
const HEAD: &str = r#"{"kind":"haac program","machine":"fuzz","engines":2,"window":16,
"suite":"half-gates","roles":"garbler or evaluator","source":"fuzz","order":"given",
"program_hash":"0000000000000000000000000000000000000000000000000000000000000000",
"encoding":"ENCODING","cycles":1,"first_output":FIRST,"inputs_in_memory_only":0,
"stats":{"rows":ROWS,"gates":GATES,"ands":0,"copies":0,"invs":0,"nops":0,"live":0,"live_outputs":0,
"oor_reads":0,"oor_input_reads":0,"inputs_loaded":0}}"#;
const TAGS: [[u8; 4]; 11] = [
    *b"INPS", *b"OUTS", *b"INIT", *b"ADDR", *b"OORW", *b"ROWS", *b"RSLT", *b"NEXT", *b"ENGS",
    *b"HEAD", *b"note",
];

pub fn run(data: &[u8]) {
    let Some((&mode, rest)) = data.split_first() else { return };
    let bytes = if mode & 1 == 0 { rest.to_vec() } else { chunks(mode >> 1, rest) };
    let Ok(Loaded { header, code, engines, .. }) = read(&bytes[..], "fuzz") else { return };
    let mut again = Vec::new();
    write_to(&mut again, &header, &code).expect("what was read can be written");
    let back = read(&again[..], "again").expect("and read");
    assert_eq!((back.header, back.engines), (header, engines));
    assert_eq!(back.code.rows.len(), code.rows.len());
}

/// A file with right checksums. In each piece of the input, one byte selects the chunk's tag, and
/// one gives its length.
fn chunks(mode: u8, mut rest: &[u8]) -> Vec<u8> {
    let encoding = if mode & 1 == 0 { "plain" } else { "compact" };
    let head = HEAD.replace("ENCODING", encoding);
    let mut numbers = [0; 3];
    for number in &mut numbers {
        if let Some((&byte, more)) = rest.split_first() {
            (*number, rest) = (byte, more);
        }
    }
    let mut head = head;
    for (name, number) in ["FIRST", "ROWS", "GATES"].iter().zip(numbers) {
        head = head.replace(name, &number.to_string());
    }
    let mut writer = ChunkWriter::new(Vec::new()).expect("memory");
    writer.chunk(*b"HEAD", head.as_bytes()).expect("memory");
    while let Some((&[tag, length], more)) = rest.split_first_chunk() {
        let length = usize::from(length).min(more.len()).min(MAX_PAYLOAD);
        let (payload, more) = more.split_at(length);
        writer.chunk(TAGS[usize::from(tag) % TAGS.len()], payload).expect("memory");
        rest = more;
    }
    writer.finish().expect("memory")
}
