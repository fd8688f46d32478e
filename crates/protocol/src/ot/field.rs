//! The size of the field used for transfers.

use std::fmt;
use std::time::Duration;

/// The k of SoftSpoken: transfers come from VOLE over the field of q = 2^k elements. A transfer
/// takes 16/k bytes of message and 2^k/k encrypted blocks. The variants are ordered by message
/// size, the largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OtField {
    /// F_2: the columns of IKNP. Never better than [`Two`](OtField::Two), which encrypts as many
    /// blocks.
    One = 1,
    /// F_4: the default, for memory and loopback.
    #[default]
    Two = 2,
    /// F_16: for a local network.
    Four = 4,
    /// F_256: for slow links.
    Eight = 8,
}

/// The shortest round trip of a link that counts as slow.
const WIDE_AREA: Duration = Duration::from_millis(5);

impl OtField {
    /// All fields, the smallest first.
    pub const ALL: [OtField; 4] = [OtField::One, OtField::Two, OtField::Four, OtField::Eight];

    /// k: the bits of an element.
    pub const fn bits(self) -> usize {
        self as usize
    }

    /// The field whose elements have this many bits.
    pub fn from_bits(bits: u8) -> Option<OtField> {
        OtField::ALL.into_iter().find(|field| field.bits() == usize::from(bits))
    }

    /// The field for a link with this round trip: `None` if this party has not measured it, zero
    /// within one computer. `bench/notes.md` has the arithmetic.
    pub fn for_round_trip(round_trip: Option<Duration>) -> OtField {
        match round_trip {
            None | Some(Duration::ZERO) => OtField::Two,
            Some(time) if time < WIDE_AREA => OtField::Four,
            Some(_) => OtField::Eight,
        }
    }

    /// The number of groups of columns: one for each element of Δ.
    pub(super) const fn groups(self) -> usize {
        super::BASE_OTS / self.bits()
    }

    /// q: the number of leaves of a group's tree.
    pub(super) const fn leaves(self) -> usize {
        1 << self.bits()
    }
}

impl fmt::Display for OtField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_links_send_less() {
        let of = |micros| OtField::for_round_trip(Some(Duration::from_micros(micros)));
        assert_eq!(OtField::for_round_trip(None), OtField::Two);
        assert_eq!((of(0), of(1), of(4_999)), (OtField::Two, OtField::Four, OtField::Four));
        assert_eq!((of(5_000), of(200_000)), (OtField::Eight, OtField::Eight));
    }

    #[test]
    fn bits_name_a_field() {
        for bits in 0..=255 {
            let field = OtField::from_bits(bits);
            assert_eq!(field.is_some(), [1, 2, 4, 8].contains(&bits), "{bits}");
            assert!(field.is_none_or(|field| field.bits() == usize::from(bits)));
        }
    }
}
