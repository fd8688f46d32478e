//! The classes of operands. The instruction set's tables are made of them.

/// How an operand is told: see the [module](super). The number is a field's width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// From the out-of-range queue.
    OutOfRange,
    /// The slot.
    Full,
    /// The distance less 1.
    Distance(u8),
    /// By the operand before in the column.
    Left(u8),
    /// By the operand at the same place in the group before.
    Up(u8),
    /// By the operand before in the other column.
    Cross(u8),
    /// By one of the last operands in the column: bits of which, 2 to 4, and of the number.
    Recent(u8, u8),
}

impl Class {
    /// The width of the class's field, where `slot` bits number the window's labels.
    #[inline]
    pub(super) const fn width(self, slot: u32) -> u32 {
        match self {
            Class::OutOfRange => 0,
            Class::Full => slot,
            // A wider one would say nothing more.
            Class::Recent(reach, width) => reach as u32 + width as u32,
            Class::Distance(width) if width as u32 > slot => slot,
            Class::Distance(width)
            | Class::Left(width)
            | Class::Up(width)
            | Class::Cross(width) => width as u32,
        }
    }
}
