//! Costs of operands under each table, and the choice of the table that makes a column shortest.

use super::operand::{Operand, complement_width, signed_width, unsigned_width};
use super::{Class, REACH, REACHES, TABLES, class_bits};
use crate::isa::COMPACT_TABLES;
use crate::machine::Shape;

/// The cost of an operand for which a table has no class.
const IMPOSSIBLE: u8 = u8::MAX;

/// Bits of an operand under each table.
type Bits = [u8; TABLES];

/// Costs of operands under each table. The lists are indexed by the widths of their numbers.
pub(super) struct Costs {
    out_of_range: Bits,
    /// By the width of the distance. Includes the class `full`, which can encode any slot.
    distance: [Bits; 33],
    /// By the width of a signed number, for comparison with the left operand, the one above, and
    /// the one in the other column.
    compared: [[Bits; 33]; 3],
    /// For each reach, by the width of a two's complement number.
    recent: [[Bits; 33]; REACHES],
}

impl Costs {
    pub(super) fn new(shape: Shape) -> Costs {
        let mut costs = Costs {
            out_of_range: [IMPOSSIBLE; TABLES],
            distance: [[IMPOSSIBLE; TABLES]; 33],
            compared: [[[IMPOSSIBLE; TABLES]; 33]; 3],
            recent: [[[IMPOSSIBLE; TABLES]; 33]; REACHES],
        };
        for (t, table) in COMPACT_TABLES.iter().enumerate() {
            for &class in *table {
                let bits = (class_bits(table) + class.width(shape.slot_bits())) as u8;
                let lower = |to: &mut Bits| to[t] = to[t].min(bits);
                let compared = |to: &mut [Bits; 33], width: u8| match width {
                    0 => lower(&mut to[0]),
                    _ => to[1..=usize::from(width)].iter_mut().for_each(lower),
                };
                match class {
                    Class::OutOfRange => lower(&mut costs.out_of_range),
                    Class::Full => {
                        lower(&mut costs.out_of_range);
                        costs.distance.iter_mut().for_each(lower);
                    }
                    Class::Distance(width) => {
                        costs.distance[..=usize::from(width)].iter_mut().for_each(lower);
                    }
                    Class::Left(width) => compared(&mut costs.compared[0], width),
                    Class::Up(width) => compared(&mut costs.compared[1], width),
                    Class::Cross(width) => compared(&mut costs.compared[2], width),
                    Class::Recent(reach, width) => {
                        let costs = &mut costs.recent[usize::from(reach - REACH[0])];
                        costs[..=usize::from(width)].iter_mut().for_each(lower);
                    }
                }
            }
        }
        costs
    }

    /// The table that makes the column shortest (of several, the first), and the column's bits with
    /// that table.
    pub(super) fn shortest(&self, operands: &[Operand]) -> (usize, u32) {
        let mut sums = [0u32; TABLES];
        let mut most = [0; TABLES];
        for operand in operands {
            let mut least = self.out_of_range;
            if let Operand::Near { distance, left, up, cross, recent, .. } = operand {
                least = self.distance[unsigned_width(*distance)];
                for (costs, number) in self.compared.iter().zip([left, up, cross]) {
                    take_lower(&mut least, &costs[signed_width(*number)]);
                }
                for (costs, (_, number)) in self.recent.iter().zip(recent) {
                    take_lower(&mut least, &costs[complement_width(*number)]);
                }
            }
            for ((sum, most), bits) in sums.iter_mut().zip(&mut most).zip(least) {
                *sum += u32::from(bits);
                *most = bits.max(*most);
            }
        }
        let possible = (0..TABLES).filter(|&table| most[table] < IMPOSSIBLE);
        let least = possible.map(|table| (sums[table], table)).min();
        let (bits, table) =
            least.expect("a table has the class full, which can encode every operand");
        (table, bits)
    }
}

#[inline]
fn take_lower(to: &mut Bits, costs: &Bits) {
    to.iter_mut().zip(costs).for_each(|(to, cost)| *to = (*to).min(*cost));
}
