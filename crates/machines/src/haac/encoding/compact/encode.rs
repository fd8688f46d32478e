//! Packing: for each column the table that makes it shortest, for each operand the class that does.

use super::history::History;
use super::{
    Class, LIVE_ALL, LIVE_BIT, LIVE_NONE, OPS_AND, OPS_BIT, OPS_TWO_BITS, OPS_XOR, REACH, REACHES,
    TABLE_BITS, TABLES, class_bits, rows_in_group,
};
use crate::haac::encoding::bits::Writer;
use crate::haac::encoding::{EncodeError, check};
use crate::haac::instruction::{Instruction, Op, Unary};
use crate::haac::isa::COMPACT_TABLES;
use crate::haac::machine::Shape;

/// More bits than all operands of a group of 4,096 places can take; sums of as many fit 32 bits.
const IMPOSSIBLE: u32 = 1 << 18;

/// Packs rows. See [`Encoder`](crate::haac::encoding::Encoder).
pub struct Encoder {
    shape: Shape,
    /// Places of a group.
    places: usize,
    /// The rows that wait for their group to be full.
    group: Vec<Instruction>,
    history: History,
    costs: Box<Costs>,
    /// For each column: its operands in the group's order.
    columns: [Vec<Operand>; 2],
    writer: Writer,
}

/// An operand and what it can be compared with.
#[derive(Clone, Copy)]
enum Operand {
    OutOfRange,
    /// In the window.
    Near {
        slot: u32,
        distance: u32,
        left: i64,
        up: i64,
        cross: i64,
        recent: [(usize, i64); REACHES],
    },
}

impl Encoder {
    /// An encoder for machines of `shape`, of a program whose first output has that address.
    pub fn new(shape: Shape, first_output: u32) -> Encoder {
        let places = rows_in_group(shape) * shape.engines as usize;
        Encoder {
            shape,
            places,
            group: Vec::with_capacity(places),
            history: History::new(shape, first_output, places),
            costs: Box::new(Costs::new(shape)),
            columns: [Vec::with_capacity(places), Vec::with_capacity(places)],
            writer: Writer::default(),
        }
    }

    /// See [`Encoder::row`](crate::haac::encoding::Encoder::row).
    ///
    /// # Errors
    /// As there.
    pub fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) -> Result<u32, EncodeError> {
        check(self.shape, row)?;
        self.group.extend_from_slice(row);
        Ok(if self.group.len() == self.places { self.pack(out) } else { 0 })
    }

    /// See [`Encoder::finish`](crate::haac::encoding::Encoder::finish).
    pub fn finish(mut self, out: &mut Vec<u8>) -> u32 {
        let mut bits = 0;
        if !self.group.is_empty() {
            self.group.resize(self.places, Instruction::NOP);
            bits = self.pack(out);
        }
        self.writer.finish(out);
        bits
    }

    /// Packs the group.
    fn pack(&mut self, out: &mut Vec<u8>) -> u32 {
        self.collect();
        let tables = [0, 1].map(|column| self.costs.shortest(&self.columns[column]));
        let mut put = Put { writer: &mut self.writer, out, bits: 0 };
        let active = || self.group.iter().filter(|i| !i.is_nop());

        let all = |op: Op| self.group.iter().all(|i| i.op() == op);
        let gates = self.group.iter().all(|i| matches!(i.op(), Op::Xor | Op::And));
        let ops = match (all(Op::Xor), all(Op::And), gates) {
            (true, _, _) => OPS_XOR,
            (_, true, _) => OPS_AND,
            (_, _, true) => OPS_BIT,
            _ => OPS_TWO_BITS,
        };
        let live = match (active().any(|i| i.is_live()), active().all(|i| i.is_live())) {
            (false, _) => LIVE_NONE,
            (true, true) => LIVE_ALL,
            (true, false) => LIVE_BIT,
        };
        put.put(ops | live << 2, 4);
        tables.iter().for_each(|&table| put.put(table as u64, TABLE_BITS));
        for i in &self.group {
            match ops {
                OPS_BIT => put.put(u64::from(i.op() == Op::And), 1),
                OPS_TWO_BITS => put.put(i.op() as u64, 2),
                _ => {}
            }
        }
        if live == LIVE_BIT {
            active().for_each(|i| put.put(i.is_live().into(), 1));
        }

        let tables = tables.map(|table| COMPACT_TABLES[table]);
        let mut fields = [Vec::new(), Vec::new()];
        for column in [0, 1] {
            let mut operands = self.columns[column].iter();
            for i in active() {
                if column == 1 && i.op() == Op::Unary {
                    put.put(u64::from(i.unary() == Some(Unary::Inv)), 1);
                    continue;
                }
                let operand = operands.next().expect("collected from the same group");
                let (class, field) = classify(tables[column], *operand, self.shape);
                put.put(class as u64, class_bits(tables[column]));
                fields[column].push((field, tables[column][class].width(self.shape)));
            }
        }
        fields.iter().flatten().for_each(|&(field, width)| put.put(field, width));
        let bits = put.bits;
        self.group.clear();
        bits
    }

    /// Goes through the group's operands and takes them into the history.
    fn collect(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        for (place, i) in self.group.iter().enumerate() {
            if i.is_nop() {
                continue;
            }
            let slots = [i.a(), i.b()];
            let operands = if i.op() == Op::Unary { 1 } else { 2 };
            for (column, &slot) in slots[..operands].iter().enumerate() {
                let history = &mut self.history;
                let operand = if slot == 0 {
                    Operand::OutOfRange
                } else {
                    let distance = history.distance(slot);
                    let than = |class| {
                        history.difference(distance, history.reference(class, place, column))
                    };
                    let left = than(Class::Left(0));
                    let (up, cross) = (than(Class::Up(0)), than(Class::Cross(0)));
                    let recent = history.nearest(column, distance);
                    history.push(place, column, distance);
                    Operand::Near { slot, distance, left, up, cross, recent }
                };
                self.columns[column].push(operand);
            }
            self.history.advance();
        }
    }
}

/// The table's shortest class for the operand (the first of several), and its field.
fn classify(table: &[Class], operand: Operand, shape: Shape) -> (usize, u64) {
    let fields = table.iter().enumerate().filter_map(|(index, &class)| {
        let field = field(class, operand)?;
        Some((class.width(shape), index, field))
    });
    let shortest = fields.min_by_key(|&(width, index, _)| (width, index));
    let (_, index, field) = shortest.expect("a table was chosen that has a class for each");
    (index, field)
}

/// The field by which the class tells the operand, if it can.
fn field(class: Class, operand: Operand) -> Option<u64> {
    let Operand::Near { slot, distance, left, up, cross, recent } = operand else {
        return matches!(class, Class::OutOfRange | Class::Full).then_some(0);
    };
    match class {
        Class::OutOfRange => None,
        Class::Full => Some(slot.into()),
        Class::Distance(width) => {
            (unsigned_width(distance) <= usize::from(width)).then(|| u64::from(distance) - 1)
        }
        Class::Left(width) => signed(left, width),
        Class::Up(width) => signed(up, width),
        Class::Cross(width) => signed(cross, width),
        Class::Recent(reach, width) => {
            let (index, number) = recent[usize::from(reach - REACH[0])];
            let low = number as u64 & ((1 << width) - 1);
            (complement_width(number) <= usize::from(width)).then_some(index as u64 | low << reach)
        }
    }
}

/// The field of a number that a class compares with, if it has that width.
fn signed(number: i64, width: u8) -> Option<u64> {
    let needed = signed_width(number);
    match width {
        0 => (needed == 0).then_some(0),
        _ if needed == 0 || needed > usize::from(width) => None,
        _ => Some((number.unsigned_abs() - 1) | u64::from(number < 0) << (width - 1)),
    }
}

/// Bits that a number takes which is 0 in none.
fn signed_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (u64::BITS - (number.unsigned_abs() - 1).leading_zeros()) as usize,
    }
}

/// Bits that a number takes as a two's complement, none if it is 0.
fn complement_width(number: i64) -> usize {
    match number {
        0 => 0,
        _ => 1 + (i64::BITS - (number ^ number >> 63).leading_zeros()) as usize,
    }
}

/// Bits that a distance takes.
fn unsigned_width(distance: u32) -> usize {
    (u32::BITS - (distance - 1).leading_zeros()) as usize
}

/// What operands cost by each table, by what they need.
struct Costs {
    out_of_range: [u32; TABLES],
    /// By the bits of the distance; the slot itself is among these.
    distance: [[u32; TABLES]; 33],
    /// By the bits of a number: compared with the left, with the one above, across.
    compared: [[[u32; TABLES]; 33]; 3],
    /// For each reach, by the bits of a number as a two's complement.
    recent: [[[u32; TABLES]; 33]; REACHES],
}

impl Costs {
    fn new(shape: Shape) -> Costs {
        let mut costs = Costs {
            out_of_range: [IMPOSSIBLE; TABLES],
            distance: [[IMPOSSIBLE; TABLES]; 33],
            compared: [[[IMPOSSIBLE; TABLES]; 33]; 3],
            recent: [[[IMPOSSIBLE; TABLES]; 33]; REACHES],
        };
        for (t, table) in COMPACT_TABLES.iter().enumerate() {
            for &class in *table {
                let bits = class_bits(table) + class.width(shape);
                let lower = |to: &mut [u32; TABLES]| to[t] = to[t].min(bits);
                let compared = |to: &mut [[u32; TABLES]; 33], width: u8| match width {
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

    /// The table that makes the column shortest, the first of several.
    fn shortest(&self, operands: &[Operand]) -> usize {
        let mut sums = [0u32; TABLES];
        for operand in operands {
            let mut least = self.out_of_range;
            if let Operand::Near { distance, left, up, cross, recent, .. } = *operand {
                least = self.distance[unsigned_width(distance)];
                let costs = [
                    &self.compared[0][signed_width(left)],
                    &self.compared[1][signed_width(up)],
                    &self.compared[2][signed_width(cross)],
                ];
                let recent = self.recent.iter().zip(recent);
                let recent = recent.map(|(costs, (_, number))| &costs[complement_width(number)]);
                for costs in costs.into_iter().chain(recent) {
                    least.iter_mut().zip(costs).for_each(|(to, cost)| *to = (*to).min(*cost));
                }
            }
            sums.iter_mut().zip(least).for_each(|(sum, bits)| *sum = sum.saturating_add(bits));
        }
        let least = (0..TABLES).min_by_key(|&table| (sums[table], table));
        least.expect("there are tables")
    }
}

/// Where bits go, and how many did.
struct Put<'a> {
    writer: &'a mut Writer,
    out: &'a mut Vec<u8>,
    bits: u32,
}

impl Put<'_> {
    #[inline]
    fn put(&mut self, value: u64, width: u32) {
        self.writer.put(value, width, self.out);
        self.bits += width;
    }
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").field("shape", &self.shape).finish_non_exhaustive()
    }
}
