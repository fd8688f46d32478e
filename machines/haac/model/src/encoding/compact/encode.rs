//! Encodes groups. Each column uses the table that makes it shortest, and each operand its shortest
//! class in that table.

use super::costs::Costs;
use super::history::History;
use super::operand::{Operand, complement_width, signed_width, unsigned_width};
use super::{
    Class, LIVE_ALL, LIVE_BIT, LIVE_NONE, OPS_AND, OPS_BIT, OPS_TWO_BITS, OPS_XOR, REACH,
    TABLE_BITS, class_bits, rows_in_group,
};
use crate::encoding::bits::Writer;
use crate::encoding::{EncodeError, check};
use crate::instruction::{Instruction, Op, Unary};
use crate::isa::COMPACT_TABLES;
use crate::machine::Shape;

/// Encodes rows. See [`Encoder`](crate::encoding::Encoder).
pub struct Encoder {
    shape: Shape,
    /// Places in a group.
    places: usize,
    /// Rows that wait until their group is full.
    group: Vec<Instruction>,
    history: History,
    costs: Box<Costs>,
    /// For each column, its operands in the order of the group.
    columns: [Vec<Operand>; 2],
    /// Fields of the group being packed, with their widths.
    fields: Vec<(u64, u32)>,
    writer: Writer,
}

impl Encoder {
    /// An encoder for machines of `shape`. The program's first output has address `first_output`.
    pub fn new(shape: Shape, first_output: u32) -> Encoder {
        let places = rows_in_group(shape) * shape.engines as usize;
        Encoder {
            shape,
            places,
            group: Vec::with_capacity(places),
            history: History::new(shape, first_output, places),
            costs: Box::new(Costs::new(shape)),
            columns: [Vec::with_capacity(places), Vec::with_capacity(places)],
            fields: Vec::with_capacity(2 * places),
            writer: Writer::default(),
        }
    }

    /// See [`Encoder::row`](crate::encoding::Encoder::row).
    ///
    /// # Errors
    /// As there.
    pub fn row(&mut self, row: &[Instruction], out: &mut Vec<u8>) -> Result<u32, EncodeError> {
        self.take(row, Some(out))
    }

    /// See [`Encoder::measure`](crate::encoding::Encoder::measure).
    ///
    /// # Errors
    /// As there.
    pub fn measure(&mut self, row: &[Instruction]) -> Result<u32, EncodeError> {
        self.take(row, None)
    }

    fn take(&mut self, row: &[Instruction], out: Option<&mut Vec<u8>>) -> Result<u32, EncodeError> {
        check(self.shape, row)?;
        self.group.extend_from_slice(row);
        Ok(if self.group.len() == self.places { self.pack(out) } else { 0 })
    }

    /// See [`Encoder::finish`](crate::encoding::Encoder::finish).
    pub fn finish(mut self, out: &mut Vec<u8>) -> u32 {
        let mut bits = 0;
        if !self.group.is_empty() {
            self.group.resize(self.places, Instruction::NOP);
            bits = self.pack(Some(out));
        }
        self.writer.finish(out);
        bits
    }

    /// Packs the group into `out`, or only computes its length. Returns its bits.
    fn pack(&mut self, out: Option<&mut Vec<u8>>) -> u32 {
        self.collect();
        let columns = [0, 1].map(|column| self.costs.shortest(&self.columns[column]));
        let modes = Modes::of(&self.group);
        let bits = modes.bits() + columns[0].1 + columns[1].1;
        if let Some(out) = out {
            let mut put = Put { writer: &mut self.writer, out, bits: 0 };
            modes.put(columns.map(|(table, _)| table), &self.group, &mut put);
            let tables = columns.map(|(table, _)| COMPACT_TABLES[table]);
            self.fields.clear();
            for column in [0, 1] {
                let mut operands = self.columns[column].iter();
                for i in self.group.iter().filter(|i| !i.is_nop()) {
                    if column == 1 && i.op() == Op::Unary {
                        put.put(u64::from(i.unary() == Some(Unary::Inv)), 1);
                        continue;
                    }
                    let operand = operands.next().expect("collected from the same group");
                    let (class, field) = classify(tables[column], operand, self.shape);
                    put.put(class as u64, class_bits(tables[column]));
                    self.fields.push((field, tables[column][class].width(self.shape.slot_bits())));
                }
            }
            self.fields.iter().for_each(|&(field, width)| put.put(field, width));
            debug_assert_eq!(put.bits, bits);
        }
        self.group.clear();
        bits
    }

    /// Collects the group's operands and adds them to the history.
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

/// The table's shortest class for the operand (of several, the first), and the operand's field.
fn classify(table: &[Class], operand: &Operand, shape: Shape) -> (usize, u64) {
    let fields = table.iter().enumerate().filter_map(|(index, &class)| {
        let field = field(class, operand)?;
        Some((class.width(shape.slot_bits()), index, field))
    });
    let shortest = fields.min_by_key(|&(width, index, _)| (width, index));
    let (_, index, field) = shortest.expect("a table was chosen that has a class for each");
    (index, field)
}

/// The field that encodes the operand in the class, if the class can encode it.
fn field(class: Class, operand: &Operand) -> Option<u64> {
    let Operand::Near { slot, distance, left, up, cross, recent } = *operand else {
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

/// The field of a signed difference, if a field of that width can encode it.
fn signed(number: i64, width: u8) -> Option<u64> {
    let needed = signed_width(number);
    match width {
        0 => (needed == 0).then_some(0),
        _ if needed == 0 || needed > usize::from(width) => None,
        _ => Some((number.unsigned_abs() - 1) | u64::from(number < 0) << (width - 1)),
    }
}

/// Modes of a group's operations and live bits.
struct Modes {
    ops: u64,
    live: u64,
    /// Numbers of places in the group: all, those with instructions other than no-ops, those with
    /// UNARY.
    places: u32,
    active: u32,
    unary: u32,
}

impl Modes {
    fn of(group: &[Instruction]) -> Modes {
        let (mut ops, mut live) = ([0; 4], 0);
        for i in group {
            ops[i.op() as usize] += 1;
            live += u32::from(i.is_live());
        }
        let places = group.len() as u32;
        let [xor, and] = [Op::Xor, Op::And].map(|op| ops[op as usize]);
        let active = places - ops[Op::Nop as usize];
        Modes {
            ops: match () {
                () if xor == places => OPS_XOR,
                () if and == places => OPS_AND,
                () if xor + and == places => OPS_BIT,
                () => OPS_TWO_BITS,
            },
            live: match live {
                0 => LIVE_NONE,
                _ if live == active => LIVE_ALL,
                _ => LIVE_BIT,
            },
            places,
            active,
            unary: ops[Op::Unary as usize],
        }
    }

    /// All bits of the group except those of its operands' classes and fields.
    fn bits(&self) -> u32 {
        let ops = match self.ops {
            OPS_BIT => self.places,
            OPS_TWO_BITS => 2 * self.places,
            _ => 0,
        };
        let live = if self.live == LIVE_BIT { self.active } else { 0 };
        4 + 2 * TABLE_BITS + ops + live + self.unary
    }

    /// Writes the parts before the classes.
    fn put(&self, tables: [usize; 2], group: &[Instruction], put: &mut Put) {
        put.put(self.ops | self.live << 2, 4);
        tables.iter().for_each(|&table| put.put(table as u64, TABLE_BITS));
        for i in group {
            match self.ops {
                OPS_BIT => put.put(u64::from(i.op() == Op::And), 1),
                OPS_TWO_BITS => put.put(i.op() as u64, 2),
                _ => {}
            }
        }
        if self.live == LIVE_BIT {
            let active = group.iter().filter(|i| !i.is_nop());
            active.for_each(|i| put.put(i.is_live().into(), 1));
        }
    }
}

/// Writes bits and counts them.
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
