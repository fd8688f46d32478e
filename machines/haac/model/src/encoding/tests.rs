use super::*;
use crate::instruction::{Op, Unary};
use proptest::prelude::*;

/// Encodes the rows; checks the returned bit counts against the stream's length.
fn encode(encoding: Encoding, shape: Shape, first: u32, rows: &[Instruction]) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding, shape, first);
    let (mut bytes, mut bits) = (Vec::new(), 0);
    let mut measured = Encoder::new(encoding, shape, first);
    for row in rows.chunks(shape.engines as usize) {
        let grown = encoder.row(row, &mut bytes).unwrap();
        assert_eq!(measured.measure(row), Ok(grown));
        bits += u64::from(grown);
    }
    bits += u64::from(encoder.finish(&mut bytes));
    assert_eq!(bits.div_ceil(8), bytes.len() as u64);
    bytes
}

/// Decodes the rows from pieces of this many bytes.
fn decode(
    encoding: Encoding,
    shape: Shape,
    first: u32,
    rows: u64,
    bytes: &[u8],
    piece: usize,
) -> Result<Vec<Instruction>, DecodeError> {
    let mut decoder = Decoder::new(encoding, shape, first, rows);
    let mut instructions = Vec::new();
    for piece in bytes.chunks(piece) {
        decoder.feed(piece);
        while let Some(row) = decoder.row()? {
            instructions.extend_from_slice(row);
        }
    }
    decoder.finish()?;
    Ok(instructions)
}

/// Random instructions. With `close`, the distances of operands from their outputs are equal or
/// nearly equal, as in schedules.
fn instructions(shape: Shape, first: u32, seed: Vec<(u8, u32, u32, bool)>) -> Vec<Instruction> {
    let mut output = first;
    let mut list: Vec<Instruction> = Vec::new();
    for (kind, a, b, live) in seed {
        let operand = |x: u32| match kind >> 4 {
            0 => x & (shape.window - 1),
            1 => output.wrapping_sub(7 + x % 2) & (shape.window - 1),
            2 => output.wrapping_sub(1 + x % 300) & (shape.window - 1),
            _ => output.wrapping_sub(9) & (shape.window - 1),
        };
        list.push(match kind & 15 {
            0 => Instruction::NOP,
            1 => Instruction::new(Op::Unary, operand(a), Unary::Copy as u32, live),
            2 => Instruction::new(Op::Unary, operand(a), Unary::Inv as u32, live),
            3..9 => Instruction::new(Op::Xor, operand(a), operand(b), live),
            _ => Instruction::new(Op::And, operand(a), operand(b), false),
        });
        if !list[list.len() - 1].is_nop() {
            output = shape.next_address(output & 0xff_ffff);
        }
    }
    list.resize(list.len().next_multiple_of(shape.engines as usize), Instruction::NOP);
    list
}

fn shapes() -> impl Strategy<Value = Shape> {
    (0usize..6, 0u32..8).prop_map(|(engines, bits)| {
        let engines = [1, 2, 5, 16, 17, 40][engines];
        Shape { engines, window: (2 * engines).next_power_of_two().max(16 << (3 * bits)) }
    })
}

proptest! {
    #[test]
    fn packed_rows_unpack_to_the_same(
        shape in shapes(),
        first in 1u32..1 << 20,
        seed in prop::collection::vec((0u8..64, any::<u32>(), any::<u32>(), any::<bool>()), 0..200),
        piece in 1usize..100,
        padding in 0usize..63,
    ) {
        let first = shape.next_address(first - 1);
        let list = instructions(shape, first, seed);
        let rows = (list.len() / shape.engines as usize) as u64;
        for encoding in Encoding::ALL {
            let mut bytes = encode(encoding, shape, first, &list);
            if encoding == Encoding::Plain {
                let bits = list.len() as u64 * u64::from(shape.instruction_bits());
                prop_assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            }
            bytes.resize(bytes.len() + padding, 0);
            let again = decode(encoding, shape, first, rows, &bytes, piece);
            prop_assert_eq!(again.as_ref(), Ok(&list));
            // A wrong number of rows, one more or one less, is an error.
            let more = decode(encoding, shape, first, rows + 40, &bytes, piece);
            prop_assert!(more.is_err() || more.unwrap().len() > list.len());
        }
    }

    #[test]
    fn no_bytes_are_too_much(
        shape in shapes(),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        rows in prop_oneof![0u64..50, any::<u64>()],
    ) {
        for encoding in Encoding::ALL {
            match decode(encoding, shape, 1, rows, &bytes, 64) {
                // A decoded instruction can be encoded again.
                Ok(list) => {
                    let again = encode(encoding, shape, 1, &list);
                    let decoded = decode(encoding, shape, 1, rows, &again, 64);
                    prop_assert_eq!(decoded, Ok(list));
                }
                Err(error) => prop_assert!(error.bit <= 8 * bytes.len() as u64),
            }
        }
    }
}

const SHAPE: Shape = Shape { engines: 16, window: 1 << 17 };

#[test]
fn rows_that_are_alike_take_few_bits() {
    // Every operand is as far behind its output as the operand to its left is behind its own, so a
    // row of 16 XORs takes at most two bytes.
    let xor = |o: u32| Instruction::new(Op::Xor, o - 500, o - 900, false);
    let rows: Vec<Instruction> = (1001..1001 + 1600).map(xor).collect();
    let compact = encode(Encoding::Compact, SHAPE, 1001, &rows).len();
    assert!(compact < 220, "{compact} bytes for 100 rows");
    assert_eq!(encode(Encoding::Plain, SHAPE, 1001, &rows).len(), 1600 * 37 / 8);
    assert_eq!(burst_bytes(1600 * 37), 7424);
    assert_eq!(burst_bytes(0), 0);
}

#[test]
fn invalid_instructions_are_refused() {
    let mut row = vec![Instruction::NOP; 16];
    for encoding in Encoding::ALL {
        for (bad, expected) in [
            (Instruction::new(Op::Xor, 1 << 17, 1, false), "window of 131072"),
            (Instruction::new(Op::And, 1, 1 << 17, false), "window of 131072"),
            (Instruction::new(Op::Unary, 1, 0, false), "no instruction"),
            (Instruction::new(Op::Unary, 1, 3, false), "no instruction"),
            (Instruction::new(Op::Nop, 1, 0, false), "no instruction"),
            (Instruction::NOP.with_live(true), "no instruction"),
        ] {
            row[3] = bad;
            let error = Encoder::new(encoding, SHAPE, 1).row(&row, &mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
        let error = Encoder::new(encoding, SHAPE, 1).row(&row[..5], &mut Vec::new());
        assert_eq!(error, Err(EncodeError::Row { places: 5, engines: 16 }));
        assert_eq!(encoding.name().parse(), Ok(encoding));
    }
    assert!("dense".parse::<Encoding>().is_err());
}

#[test]
fn damage_is_reported_with_its_place() {
    // The second instruction's operation becomes a no-op with operands.
    let row = vec![Instruction::new(Op::Xor, 5, 6, false); 16];
    let mut bytes = encode(Encoding::Plain, SHAPE, 100, &row);
    bytes[37 / 8] &= !(1 << (37 % 8));
    let error = decode(Encoding::Plain, SHAPE, 100, 1, &bytes, 64).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at bit 0 of the instructions: a no-op has fields that are not 0"
    );
    // An unknown mode of live bits.
    let mut bytes = encode(Encoding::Compact, SHAPE, 100, &row);
    bytes[0] |= 3 << 2;
    let error = decode(Encoding::Compact, SHAPE, 100, 1, &bytes, 64).unwrap_err();
    assert!(error.to_string().contains("live bits"), "{error}");
    // Bits behind the end.
    let mut bytes = encode(Encoding::Plain, SHAPE, 100, &row);
    bytes.push(1);
    let error = decode(Encoding::Plain, SHAPE, 100, 1, &bytes, 64).unwrap_err();
    assert_eq!(error.bit, 16 * 37);
    bytes.extend([0; 64]);
    assert!(decode(Encoding::Plain, SHAPE, 100, 1, &bytes, 64).is_err());
}
