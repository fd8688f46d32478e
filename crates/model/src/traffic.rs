//! Traffic of the link between a host and a device.

/// Bytes and frames that went over the link to a device.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Bytes to the device, framing and retransmissions included.
    pub to_chip: u64,
    /// Bytes from the device, idle bytes left out.
    pub from_chip: u64,
    /// Retransmitted frames.
    pub again: u64,
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.to_chip += other.to_chip;
        self.from_chip += other.from_chip;
        self.again += other.again;
    }
}
