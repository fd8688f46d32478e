//! The classes of operands. The instruction set's tables are lists of classes.

/// How an operand is encoded: see the [module](super). Numbers are widths of fields, in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// From the out-of-range queue.
    OutOfRange,
    /// The slot.
    Full,
    /// The distance less 1.
    Distance(u8),
    /// Compared with the previous operand in the column.
    Left(u8),
    /// Compared with the operand at the same place in the previous group.
    Up(u8),
    /// Compared with the previous operand in the other column.
    Cross(u8),
    /// Compared with one of the column's last operands. Widths of its index (2 to 4) and of the
    /// difference.
    Recent(u8, u8),
}

impl Class {
    /// The width of the class's field, if slots have `slot` bits.
    #[inline]
    pub(super) const fn width(self, slot: u32) -> u32 {
        match self {
            Class::OutOfRange => 0,
            Class::Full => slot,
            Class::Recent(reach, width) => reach as u32 + width as u32,
            // A wider field would have redundant bits.
            Class::Distance(width) if width as u32 > slot => slot,
            Class::Distance(width)
            | Class::Left(width)
            | Class::Up(width)
            | Class::Cross(width) => width as u32,
        }
    }
}
