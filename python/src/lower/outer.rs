//! Element-wise operations on arrays that broadcast against each other: a map over rows of a map
//! over columns. Repeated elements are shared, and not listed.

use super::expression::Expression;
use super::lanes::{Lane, Piece, unknown};
use super::lookup::regrouped;
use super::{Frame, Lowering};
use crate::dtype::DType;
use crate::graph::{NodeId, NodeKind};
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, int};

/// Rows and columns below which elements are listed instead.
const MIN_LANES: usize = 8;

/// The elements of an expression as a grid.
pub(super) struct Grid {
    rows: usize,
    columns: usize,
    leaves: Vec<Leaf>,
}

/// A leaf of an expression in a grid.
enum Leaf {
    Public(u128),
    /// One element for all.
    One(Value),
    /// An element for each row.
    Row(Value),
    /// An element for each column.
    Column(Value),
    /// An element for each place.
    Full(Value),
}

impl Grid {
    /// The grid of an expression of `len` elements, if a leaf of it repeats elements along all rows
    /// or all columns.
    pub fn of(frame: &Frame<'_>, expression: &Expression<'_>, len: usize) -> Option<Grid> {
        let shape = expression.leaves.iter().find_map(|&id| match &frame.graph.node(id).kind {
            NodeKind::View { shape, .. } if frame.lazy[id as usize] => Some(shape),
            _ => None,
        })?;
        let splits = 1..shape.len();
        let split = splits.max_by_key(|&at| {
            let repeats = |&&id: &&NodeId| repeated(frame, id, shape, at).is_some();
            expression.leaves.iter().filter(repeats).count()
        })?;
        let rows: usize = shape[..split].iter().product();
        let columns = len / rows;
        if rows < MIN_LANES || columns < MIN_LANES || rows * columns != len {
            return None;
        }
        let mut has_repeated = false;
        let mut leaves = Vec::new();
        for &id in &expression.leaves {
            leaves.push(match repeated(frame, id, shape, split) {
                Some(leaf) => {
                    has_repeated = true;
                    leaf
                }
                // A view that repeats elements otherwise, or has another shape.
                None if frame.values[id as usize].is_none() => return None,
                None => whole(frame.value(id))?,
            });
        }
        has_repeated.then_some(Grid { rows, columns, leaves })
    }
}

/// A view as a leaf, if it repeats elements along all rows or columns.
fn repeated(frame: &Frame<'_>, id: NodeId, grid: &[usize], split: usize) -> Option<Leaf> {
    let node = frame.graph.node(id);
    let NodeKind::View { offset, shape, strides } = &node.kind else { return None };
    if !frame.lazy[id as usize] || shape != grid {
        return None;
    }
    let source = frame.argument(node, 0);
    let is_still =
        |from: usize, to: usize| (from..to).all(|axis| shape[axis] == 1 || strides[axis] == 0);
    if is_still(split, shape.len()) {
        return Some(Leaf::Row(source.view(*offset, &shape[..split], &strides[..split])));
    }
    let column = || source.view(*offset, &shape[split..], &strides[split..]);
    is_still(0, split).then(|| Leaf::Column(column()))
}

/// A value that is no view, as a leaf. None for public values, which unroll elsewhere.
fn whole(value: &Value) -> Option<Leaf> {
    match (&value.bits, value.public_scalar()) {
        (_, Some(number)) => Some(Leaf::Public(number)),
        (Storage::Public(_), None) => None,
        _ if value.len == 1 => Some(Leaf::One(value.clone())),
        _ => Some(Leaf::Full(value.clone())),
    }
}

impl Lowering {
    /// Writes an expression on a grid.
    pub(super) fn on_grid(
        &mut self,
        b: &mut Builder,
        frame: &Frame<'_>,
        expression: &Expression<'_>,
        grid: &Grid,
        dtype: DType,
    ) -> Value {
        let name = expression.name(|b| {
            let leaves = grid.leaves.iter().zip(&expression.leaves);
            let whole = |(leaf, &id): (&Leaf, &NodeId)| match leaf {
                Leaf::Public(number) => int::constant(frame.graph.node(id).dtype.bits(), *number),
                Leaf::One(value) | Leaf::Row(value) | Leaf::Column(value) | Leaf::Full(value) => {
                    value.extend(&unknown(b, value.stored))
                }
            };
            leaves.map(whole).collect()
        });
        let pieces = grid.leaves.iter().map(|leaf| match leaf {
            Leaf::Public(_) => Piece::Shared(Vec::new()),
            Leaf::One(value) => Piece::Shared(value.element(0)),
            Leaf::Row(value) => Piece::Rows(value, 1),
            Leaf::Column(value) => Piece::Shared(value.stored_bits()),
            Leaf::Full(value) => Piece::Rows(value, grid.columns),
        });
        let pieces: Vec<Piece<'_>> = pieces.collect();
        let (mut stored, mut signed) = (0, false);
        let rows = self.on_lanes(b, &name, (grid.rows, dtype), &pieces, |lowering, b, x| {
            let row = lowering.row(b, &name, frame, expression, grid, (dtype, x));
            (stored, signed) = (row.stored, row.signed);
            Lane { bits: row.stored_bits(), signed }
        });
        Value { signed, ..regrouped(&rows, grid.rows * grid.columns, stored) }
    }

    /// Writes the columns of a row, whose leaves have these bits.
    fn row(
        &mut self,
        b: &mut Builder,
        name: &str,
        frame: &Frame<'_>,
        expression: &Expression<'_>,
        grid: &Grid,
        (dtype, bits): (DType, &[Vec<Bit>]),
    ) -> Value {
        let values: Vec<Option<Value>> = grid
            .leaves
            .iter()
            .zip(bits)
            .map(|(leaf, bits)| match leaf {
                Leaf::Column(value) | Leaf::Full(value) => {
                    let bits = Storage::Bits(bits.as_slice().into());
                    Some(Value { len: grid.columns, bits, ..value.clone() })
                }
                _ => None,
            })
            .collect();
        let piece = |(value, bits): (_, &Vec<Bit>)| match value {
            Some(value) => Piece::Rows(value, 1),
            None => Piece::Shared(bits.clone()),
        };
        let pieces: Vec<Piece<'_>> =
            values.iter().map(Option::as_ref).zip(bits).map(piece).collect();
        let extend = |index: usize, bits: &[Bit]| match &grid.leaves[index] {
            Leaf::Public(value) => {
                int::constant(frame.graph.node(expression.leaves[index]).dtype.bits(), *value)
            }
            Leaf::One(value) | Leaf::Row(value) | Leaf::Column(value) | Leaf::Full(value) => {
                value.extend(bits)
            }
        };
        self.on_lanes(b, name, (grid.columns, dtype), &pieces, |lowering, b, x| {
            let whole = x.iter().enumerate().map(|(index, bits)| extend(index, bits));
            Lane::trimmed(expression.emit(lowering, b, &whole.collect::<Vec<_>>()))
        })
    }
}
