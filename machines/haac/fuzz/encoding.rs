//! Decodes any bits as rows of instructions, in both encodings. Either the bits are rejected, or
//! they give instructions that can be encoded and decoded again.

use halfgate_haac_model::Instruction;
use halfgate_haac_model::encoding::{DecodeError, Decoder, Encoder, Encoding};
use halfgate_haac_model::machine::Shape;

pub fn run(data: &[u8]) {
    let Some((&[mode, rows], bits)) = data.split_first_chunk() else { return };
    let engines = [1, 2, 5, 16, 17, 64][usize::from(mode >> 1) % 6];
    let window = 128 << (u32::from(mode >> 1) / 6);
    let shape = Shape { engines, window: window.min(Shape::MOST_WINDOW) };
    let encoding = Encoding::ALL[usize::from(mode & 1)];
    let Ok(list) = unpack(encoding, shape, rows.into(), bits) else { return };
    assert_eq!(list.len(), usize::from(rows) * engines as usize);
    for encoding in Encoding::ALL {
        let (mut encoder, mut packed) = (Encoder::new(encoding, shape, 1), Vec::new());
        let mut length = 0;
        for row in list.chunks(engines as usize) {
            length += encoder.row(row, &mut packed).expect("it was unpacked");
        }
        length += encoder.finish(&mut packed);
        assert_eq!(length.div_ceil(8) as usize, packed.len());
        assert_eq!(unpack(encoding, shape, rows.into(), &packed).as_ref(), Ok(&list));
    }
}

fn unpack(
    encoding: Encoding,
    shape: Shape,
    rows: u64,
    bits: &[u8],
) -> Result<Vec<Instruction>, DecodeError> {
    let mut decoder = Decoder::new(encoding, shape, 1, rows);
    let mut list = Vec::new();
    for piece in bits.chunks(61) {
        decoder.feed(piece);
        while let Some(row) = decoder.row()? {
            list.extend_from_slice(row);
        }
    }
    decoder.finish()?;
    Ok(list)
}
