//! Registers, error codes and launch descriptor of a HAAC in hardware. Host and RTL share them.

#[rustfmt::skip]
mod generated;

pub use generated::*;

/// A bit field of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// Index of the lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
}

impl Bits {
    /// The value of this field in `word`.
    pub const fn of(self, word: u32) -> u32 {
        word >> self.low & self.ones()
    }

    /// A word with `value` in this field; excess bits are dropped.
    pub const fn at(self, value: u32) -> u32 {
        (value & self.ones()) << self.low
    }

    const fn ones(self) -> u32 {
        if self.width >= 32 { u32::MAX } else { (1 << self.width) - 1 }
    }
}

/// A field of the launch descriptor, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Offset of the first byte.
    pub offset: usize,
    /// Number of bytes.
    pub bytes: usize,
}

impl Part {
    /// Writes `value`, little endian, to the field's place in `bytes`, a header or an entry.
    ///
    /// # Panics
    /// If `bytes` is too short for this field, or the field is longer than eight bytes.
    pub fn put(self, bytes: &mut [u8], value: u64) {
        let value = value.to_le_bytes();
        bytes[self.offset..self.offset + self.bytes].copy_from_slice(&value[..self.bytes]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_and_put() {
        let bits = Bits { low: 8, width: 4 };
        assert_eq!((bits.of(0x1abc), bits.at(0x1f)), (0xa, 0xf00));
        assert_eq!(Bits { low: 0, width: 32 }.of(u32::MAX), u32::MAX);
    }

    #[test]
    fn parts_are_little_endian() {
        let mut header = [0; HEADER_BYTES];
        HEADER_MAGIC.put(&mut header, DESCRIPTOR_MAGIC.into());
        HEADER_CRC.put(&mut header, 0x0102_0304);
        assert_eq!((&header[..4], &header[60..]), (&b"HGGL"[..], &[4, 3, 2, 1][..]));
    }

    #[test]
    fn codes_are_found() {
        assert_eq!(State::from_code(State::Done as u32), Some(State::Done));
        assert_eq!(Code::from_code(200), None);
    }
}
