//! Files of random code: reading returns what was written, and every change is detected.

use super::Encoding;
use super::chunk::{Chunk, ChunkReader, ChunkWriter};
use super::header::{Header, Port};
use super::{ReadError, WriteError, read, write, write_to};
use crate::code::{Code, OOR_LAST, Source, Stats};
use crate::instruction::{Instruction, Op};
use crate::machine::Shape;
use halfgate_circuit::{Init, Party, Wire};
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;
use proptest::prelude::*;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Random code that passes all checks of a file's reader.
fn code(shape: Shape, rows: u64, seed: u64) -> (Header, Code) {
    let mut state = seed | 1;
    let mut random = move |below: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let inputs = 1 + random(9);
    let first_output = 1 + inputs + inputs / (shape.window - 1);
    let mut stats = Stats { rows, ..Stats::default() };
    let mut list = Spool::new();
    let mut oor: Vec<_> = (0..shape.engines).map(|_| Spool::new()).collect();
    for place in 0..rows * u64::from(shape.engines) {
        let op = Op::from_code(random(4) as u8);
        let live = op != Op::Nop && random(3) == 0;
        let (a, b) = match op {
            Op::Nop => (0, 0),
            Op::Unary => (random(shape.window), 1 + random(2)),
            _ => (random(shape.window), random(shape.window)),
        };
        let instruction = Instruction::new(op, a, b, live);
        match op {
            Op::Nop => stats.nops += 1,
            Op::Unary => stats.copies += 1,
            _ => stats.gates += 1,
        }
        stats.ands += u64::from(op == Op::And);
        stats.live += u64::from(live);
        stats.oor_reads += u64::from(instruction.pops());
        for _ in 0..instruction.pops() {
            let last = if random(2) == 0 { 0 } else { OOR_LAST };
            let word = (1 + random(inputs)) | last;
            let engine = (place % u64::from(shape.engines)) as usize;
            oor[engine].push(word.to_le_bytes()).unwrap();
        }
        list.push(instruction.to_bits().to_le_bytes()).unwrap();
    }
    let source = |k: u32| match k {
        0 => Source::Constant(true),
        k => Source::Wire { address: k, invert: k % 2 == 0 },
    };
    let code = Code {
        shape,
        program: ProgramHash([seed as u8; 32]),
        inputs: (0..inputs).map(Wire::new).collect(),
        inputs_in_memory_only: random(inputs) as usize,
        outputs: (0..3).map(source).collect(),
        nexts: vec![source(1)],
        first_output,
        rows: list,
        oor,
        stats,
    };
    let port =
        |name: &str, party, width| Port { name: name.to_owned(), party, width, per_cycle: false };
    let header = Header {
        machine: "haac-test".to_owned(),
        shape,
        suite: "half-gates".to_owned(),
        source: "a \"program\"".to_owned(),
        order: "haac:full".to_owned(),
        program: code.program,
        encoding: Encoding::ALL[(seed % 2) as usize ^ 1],
        cycles: 3,
        inputs: vec![
            port("a", Some(Party::Garbler), inputs - 1),
            port("b", Some(Party::Evaluator), 0),
        ],
        outputs: vec![port("out", None, 3)],
        flip_flops: vec![Init::Input(Wire::new(0))],
        stats,
    };
    (header, code)
}

fn bytes(header: &Header, code: &Code) -> Vec<u8> {
    let mut bytes = Vec::new();
    let count = write_to(&mut bytes, header, code).expect("it can be written");
    assert_eq!(count, bytes.len() as u64);
    bytes
}

fn words<const N: usize>(spool: &Spool<N>) -> Vec<[u8; N]> {
    let mut reader = spool.reader();
    std::iter::from_fn(|| reader.next().expect("in memory")).collect()
}

#[track_caller]
fn comes_back(header: &Header, code: &Code) {
    let file = bytes(header, code);
    let loaded = read(&file[..], "test.hgp").expect("it reads");
    assert_eq!(loaded.header, *header);
    assert_eq!(loaded.bytes, file.len() as u64);
    let found = &loaded.code;
    assert_eq!(words(&found.rows), words(&code.rows));
    assert_eq!(
        found.oor.iter().map(words).collect::<Vec<_>>(),
        code.oor.iter().map(words).collect::<Vec<_>>()
    );
    assert_eq!((found.shape, found.program, found.stats), (code.shape, code.program, code.stats));
    assert_eq!(
        (&found.inputs, &found.outputs, &found.nexts),
        (&code.inputs, &code.outputs, &code.nexts)
    );
    assert_eq!(found.first_output, code.first_output);
    assert_eq!(found.inputs_in_memory_only, code.inputs_in_memory_only);
    let ands: u64 = loaded.engines.iter().map(|engine| engine.ands).sum();
    assert_eq!(ands, code.stats.ands);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn files_come_back(engines in 1u32..20, log in 4u32..=28, rows in 0u64..200, seed: u64) {
        let (header, code) = code(Shape { engines, window: 1 << log }, rows, seed);
        comes_back(&header, &code);
    }

    #[test]
    fn no_bytes_make_the_reader_fail(data: Vec<u8>, cut in 0usize..600, at in 0usize..600, flip in 1u8..) {
        prop_assert!(read(&data[..], "noise").is_err());
        let (header, code) = code(Shape { engines: 2, window: 16 }, 9, 5);
        let mut file = bytes(&header, &code);
        let at = at % file.len();
        file[at] ^= flip;
        prop_assert!(read(&file[..], "flipped").is_err());
        file[at] ^= flip;
        let cut = cut % file.len();
        prop_assert!(read(&file[..cut], "cut").is_err());
        file.splice(cut..cut, data.iter().copied());
        prop_assert!(data.is_empty() || read(&file[..], "longer").is_err());
    }
}

#[test]
fn many_blocks_come_back() {
    let (header, code) = code(Shape { engines: 3, window: 1 << 17 }, 40_000, 11);
    comes_back(&header, &code);
    let (header, code) = self::code(Shape { engines: 4096, window: 1 << 13 }, 20, 12);
    comes_back(&header, &code);
}

#[test]
fn every_changed_byte_is_found() {
    let (header, code) = code(Shape { engines: 2, window: 16 }, 5, 3);
    let good = bytes(&header, &code);
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(read(&bad[..], "bad.hgp").is_err(), "byte {at}, bit {bit}");
        }
    }
}

/// The error for a file whose header text was changed and whose checksums were then recomputed.
fn forged(from: &str, to: &str) -> String {
    let (header, code) = code(Shape { engines: 2, window: 16 }, 5, 3);
    let file = bytes(&header, &code);
    let mut reader = ChunkReader::new(&file[..], "x").unwrap();
    let mut writer = ChunkWriter::new(Vec::new()).unwrap();
    while let Some(Chunk { tag, payload }) = reader.read_chunk().unwrap() {
        let payload = match &tag {
            b"HEAD" => {
                let text = String::from_utf8(payload.to_vec()).unwrap();
                assert!(text.contains(from), "{from} in {text}");
                text.replacen(from, to, 1).into_bytes()
            }
            _ => payload.to_vec(),
        };
        writer.chunk(tag, &payload).unwrap();
    }
    match read(&writer.finish().unwrap()[..], "forged.hgp") {
        Err(error @ ReadError::Refused { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unknown_contents_are_refused_by_name() {
    for (from, to, words) in [
        ("\"half-gates\"", "\"grr3\"", "unknown suite \"grr3\": this reader knows half-gates"),
        ("\"plain\"", "\"huffman\"", "unknown encoding \"huffman\""),
        ("haac program", "fase program", "unknown kind of program \"fase program\""),
        ("garbler or evaluator", "garbler", "unknown way to serve roles"),
        ("\"cycles\"", "\"laps\"", "laps"),
        ("\"window\":16", "\"window\":17", "a window of 17 labels"),
        ("\"engines\":2", "\"engines\":0", "0 engines"),
        ("\"engines\":2", "\"engines\":4000000000", "4000000000 engines"),
        ("\"engines\":2", "\"engines\":3", "rows of the header"),
        ("\"rows\":5", "\"rows\":18446744073709551615", "rows of the header"),
        ("\"rows\":5", "\"rows\":1000000000000", "rows of the header"),
        ("\"first_output\":", "\"first_output\":214748364", "31 bits"),
        ("\"program_hash\":\"03", "\"program_hash\":\"é", "64 hexadecimal digits"),
    ] {
        let error = forged(from, to);
        assert!(error.contains(words) && error.starts_with("forged.hgp: chunk "), "{error}");
    }
}

#[test]
fn unknown_chunks_are_refused_unless_they_may_be_passed_over() {
    let (header, code) = code(Shape { engines: 2, window: 16 }, 5, 3);
    let file = bytes(&header, &code);
    let with = |extra: [u8; 4]| {
        let mut reader = ChunkReader::new(&file[..], "x").unwrap();
        let mut writer = ChunkWriter::new(Vec::new()).unwrap();
        while let Some(Chunk { tag, payload }) = reader.read_chunk().unwrap() {
            writer.chunk(tag, payload).unwrap();
            if tag == *b"HEAD" {
                writer.chunk(extra, b"?").unwrap();
            }
        }
        read(&writer.finish().unwrap()[..], "x.hgp").map(|_| ())
    };
    assert!(with(*b"note").is_ok());
    let error = with(*b"MAGI").unwrap_err().to_string();
    assert!(error.contains("chunks MAGI are unknown"), "{error}");
    let error = with(*b"HEAD").unwrap_err().to_string();
    assert!(error.contains("must come before"), "{error}");
    let error = with(*b"ROWS").unwrap_err().to_string();
    assert!(error.contains("must come before") || error.contains("rows"), "{error}");
}

#[test]
fn another_machine_is_refused_with_both_named() {
    let (header, code) = code(Shape { engines: 2, window: 16 }, 5, 3);
    let loaded = read(&bytes(&header, &code)[..], "x.hgp").unwrap();
    assert!(loaded.check_machine("x.hgp", "haac-other", header.shape).is_ok());
    let wanted = Shape { engines: 16, window: 1 << 17 };
    let error = loaded.check_machine("x.hgp", "haac-16ge", wanted).unwrap_err().to_string();
    for words in
        ["haac-test (2 engines, a window of 16", "haac-16ge (16 engines, a window of 131072"]
    {
        assert!(error.contains(words), "{error}");
    }
}

/// Accepts `left` bytes, then fails like a full disk.
struct Full {
    left: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.left);
        self.left -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_wherever_it_is_full() {
    let (header, code) = code(Shape { engines: 2, window: 16 }, 5, 3);
    let size = bytes(&header, &code).len();
    for left in 0..size {
        let error = write_to(Full { left }, &header, &code).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{left}");
    }
    write_to(Full { left: size }, &header, &code).expect("space for all");
}

#[test]
fn nothing_is_left_of_a_file_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.hgp");
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let (header, mut code) = code(Shape { engines: 2, window: 16 }, 50, 3);

    let cancel = AtomicBool::new(true);
    let error = write(&path, &header, &code, Some(&cancel)).unwrap_err();
    assert!(matches!(error, WriteError::Interrupted { .. }), "{error}");
    assert_eq!(files(), 0);

    cancel.store(false, Ordering::SeqCst);
    let size = write(&path, &header, &code, Some(&cancel)).expect("written");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), size);

    // The old file must remain.
    code.oor[0] = Spool::new();
    code.oor[1] = Spool::new();
    let error = write(&path, &header, &code, None).unwrap_err();
    assert!(matches!(error, WriteError::Program { .. }), "{error}");
    assert_eq!((files(), std::fs::metadata(&path).unwrap().len()), (1, size));
    super::open(&path).expect("the old file");
}

#[test]
fn a_file_for_which_there_can_be_no_room_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.hgp");
    let needed = 1 << 60;
    let begun =
        super::file::whole(&path, Some(needed), None, |_| -> io::Result<()> { panic!("begun") });
    let error = begun.unwrap_err().to_string();
    assert!(
        error.contains("at least 1152921504606846976 bytes") && error.contains("bytes free"),
        "{error}"
    );
}
