//! Layout of the machine's memory: where its streams and labels are.

use super::config::BURST;
use crate::code::Code;

/// Bits of an address.
const ADDRESS_BITS: u32 = 40;

/// The first address in use, and the smallest distance between regions. Gaps hold no data.
const GAP: u64 = 1 << 12;

/// Distance, modulo the least distance of regions, of the streams of neighbouring engines. All
/// engines read at about the same speed: at the same distance from a multiple of `GAP`, their
/// bursts would go to the same channel or bank group of a DRAM at the same time.
const SPREAD: u64 = 1 << 9;

/// A region of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The launch descriptor.
    Descriptor,
    /// Encoded instructions.
    Instructions,
    /// Labels: inputs and live wires.
    Labels,
    /// An engine's out-of-range words.
    Oor(usize),
    /// An engine's tables.
    Tables(usize),
}

/// Consecutive regions.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    regions: Vec<(Region, u64, u64)>,
}

/// Bytes of a label.
const LABEL: u64 = 16;

impl Layout {
    /// The layout of `code`, whose engines have `ands` ANDs, with a descriptor of `descriptor`
    /// bytes and instructions in `bursts` bursts. `None` if there are not enough addresses.
    pub fn of(code: &Code, ands: &[u64], descriptor: u64, bursts: u64) -> Option<Layout> {
        let burst = u64::from(BURST);
        let streams = code.oor.iter().zip(ands).enumerate().flat_map(|(e, (words, ands))| {
            let words = (4 * words.len()).next_multiple_of(burst);
            [(Region::Oor(e), words), (Region::Tables(e), ands.div_ceil(2) * burst)]
        });
        let sizes = [
            (Region::Descriptor, descriptor),
            (Region::Instructions, bursts * burst),
            (Region::Labels, (LABEL * wires(code)).next_multiple_of(burst)),
        ];
        Layout::new(sizes.into_iter().chain(streams))
    }

    /// A layout of regions with these sizes in bytes. `None` if there are not enough addresses.
    pub fn new(sizes: impl IntoIterator<Item = (Region, u64)>) -> Option<Layout> {
        let (mut regions, mut start) = (Vec::new(), GAP);
        for (region, bytes) in sizes {
            start += match region {
                Region::Tables(e) => SPREAD * (e as u64 % 8),
                Region::Oor(e) => SPREAD * ((e as u64 + 4) % 8),
                _ => 0,
            };
            regions.push((region, start, bytes));
            let end = start.checked_add(bytes)?.checked_add(GAP)?;
            start = end.checked_next_multiple_of(GAP)?;
            if start > 1 << ADDRESS_BITS {
                return None;
            }
        }
        Some(Layout { regions })
    }

    /// The start of a region, a multiple of 64; 0 if there is no such region.
    pub fn start(&self, region: Region) -> u64 {
        self.regions.iter().find(|part| part.0 == region).map_or(0, |part| part.1)
    }

    /// The first address above all regions.
    pub fn end(&self) -> u64 {
        self.regions.last().map_or(0, |part| part.1 + part.2)
    }

    /// The region that holds the `bytes` bytes from `address` on, and their offset in it.
    pub fn find(&self, address: u64, bytes: u64) -> Option<(Region, u64)> {
        let after = self.regions.partition_point(|part| part.1 <= address);
        let (region, start, length) = *self.regions.get(after.checked_sub(1)?)?;
        let offset = address - start;
        (offset + bytes <= length).then_some((region, offset))
    }
}

/// One more than the greatest address of a wire.
fn wires(code: &Code) -> u64 {
    let instructions = code.stats.instructions();
    let count = code.inputs.len() as u64 + instructions;
    // Each lap has one address fewer than it has slots.
    2 + count + count / u64::from(code.shape.window - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_nowhere_is_not_found() {
        let parts = [(Region::Descriptor, 128), (Region::Oor(3), 0), (Region::Labels, 16 << 30)];
        let layout = Layout::new(parts).unwrap();
        let start = layout.start(Region::Descriptor);
        assert_eq!(layout.find(start + 64, 64), Some((Region::Descriptor, 64)));
        assert_eq!(layout.find(start + 65, 64), None);
        assert_eq!(
            (layout.find(0, 16), layout.find(layout.start(Region::Oor(3)), 16)),
            (None, None)
        );
        let last = layout.start(Region::Labels) + (16 << 30) - 16;
        assert_eq!(layout.find(last, 16), Some((Region::Labels, (16 << 30) - 16)));
        assert_eq!(layout.find(last + 16, 16), None);
        assert!(Layout::new([(Region::Labels, 1 << 40)]).is_none());
        assert!(Layout::new([(Region::Labels, u64::MAX - 5)]).is_none());
    }
}
