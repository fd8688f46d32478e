//! Values of ports between arrays of bytes and bits.

use halfgate_circuit::Bits;
use pyo3::prelude::*;
use zeroize::Zeroizing;

/// Elements of a port, as Python gives them: `size` bytes each, little-endian, of which the low
/// `width` bits count. A `size` of 0 means that the bits are packed already.
#[derive(FromPyObject)]
pub struct Elements(Vec<u8>, usize, usize);

impl Elements {
    /// The bits of a port of `len` bits; `None` if there are more or fewer.
    pub fn bits(self, len: usize) -> Option<Bits> {
        let Elements(data, size, element) = self;
        let data = Zeroizing::new(data);
        let packed = match size {
            0 => data,
            size if size * 8 == element => data,
            size => Zeroizing::new(pack(&data, size, element)?),
        };
        if packed.len() != len.div_ceil(8) {
            return None;
        }
        let bits = Bits::from_bytes(&packed);
        Some(if bits.len() == len { bits } else { bits.slice(0, len) })
    }
}

/// The low `width` bits of elements of `size` bytes, without gaps.
fn pack(data: &[u8], size: usize, width: usize) -> Option<Vec<u8>> {
    if size > 16 || width > size * 8 || !data.len().is_multiple_of(size) {
        return None;
    }
    let mut packed = Vec::with_capacity((data.len() / size * width).div_ceil(8));
    let (mut buffer, mut held) = (0u128, 0);
    for element in data.chunks(size) {
        let mut left = width;
        for &byte in element {
            if left == 0 {
                break;
            }
            let count = left.min(8);
            buffer |= u128::from(byte & (0xff >> (8 - count))) << held;
            held += count;
            left -= count;
            while held >= 8 {
                packed.push(buffer as u8);
                buffer >>= 8;
                held -= 8;
            }
        }
    }
    if held > 0 {
        packed.push(buffer as u8);
    }
    Some(packed)
}

/// The bits of elements, packed. What each input goes through.
#[pyfunction]
pub fn repack(elements: Elements, len: usize) -> Option<Vec<u8>> {
    elements.bits(len).map(|bits| bits.to_bytes())
}

/// Elements of `width` bits as `size` bytes each, with copies of the top bit above if `signed`.
#[pyfunction]
pub fn unpack(packed: &[u8], size: usize, width: usize, signed: bool) -> PyResult<Vec<u8>> {
    if width == 0 || size > 16 || width > size * 8 {
        let what = format!("elements of {width} bits in {size} bytes");
        return Err(pyo3::exceptions::PyValueError::new_err(what));
    }
    let count = packed.len() * 8 / width;
    let mut data = Vec::with_capacity(count * size);
    for index in 0..count {
        let from = index * width;
        let mut value = 0u128;
        let mut done = 0;
        while done < width {
            let (byte, shift) = ((from + done) / 8, (from + done) % 8);
            let taken = (8 - shift).min(width - done);
            let part = packed[byte] >> shift & (0xff >> (8 - taken));
            value |= u128::from(part) << done;
            done += taken;
        }
        if signed && value >> (width - 1) & 1 == 1 && width < 128 {
            value |= u128::MAX << width;
        }
        data.extend_from_slice(&value.to_le_bytes()[..size]);
    }
    Ok(data)
}
