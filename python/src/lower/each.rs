//! Element-wise operations. An expression of several is written as one function.

use super::expression::Expression;
use super::lanes::{Lane, Piece, unknown};
use super::outer::Grid;
use super::{Frame, Lowering};
use crate::dtype::{DType, Kind};
use crate::graph::{NodeId, NodeKind};
use crate::operation::Operation;
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, Party, int};
use std::collections::HashMap;

/// The most gates that are written because an operand differs between elements but is public.
const MAX_UNROLLED_GATES: usize = 1 << 23;

/// Where an expression's leaf comes from.
enum Leaf<'a> {
    Public(u128),
    /// Public values that differ between elements.
    Varying(&'a [u128]),
    One(&'a Value),
    Many(&'a Value),
}

impl Lowering {
    /// Writes the element-wise node `root`, with the nodes that are inlined into it.
    pub(super) fn each(&mut self, b: &mut Builder, frame: &mut Frame<'_>, root: NodeId) -> Value {
        let node = frame.graph.node(root);
        if let Some(value) = relabelled(frame, root) {
            return value;
        }
        let expression = Expression::of(frame, root);
        if let Some(grid) = Grid::of(frame, &expression, node.len) {
            return self.on_grid(b, frame, &expression, &grid, node.dtype);
        }
        expression.leaves.iter().for_each(|&id| frame.force(id));
        let leaves: Vec<Leaf<'_>> =
            expression.leaves.iter().map(|&id| leaf(frame.value(id))).collect();
        let shape = (node.len, node.dtype);
        let varying: Vec<usize> =
            (0..leaves.len()).filter(|&index| matches!(leaves[index], Leaf::Varying(_))).collect();
        let groups = match varying.is_empty() {
            true => Vec::new(),
            false => groups(&leaves, &varying, node.len),
        };
        if groups.is_empty() || !is_unrolled(&expression, frame, groups.len()) {
            return self.uniform(b, &expression, frame, &leaves, shape);
        }
        let mut parts: Vec<Option<Vec<Bit>>> = vec![None; node.len];
        for (constants, lanes) in groups {
            let picked: Vec<Option<Value>> = leaves
                .iter()
                .map(|leaf| match leaf {
                    Leaf::Many(value) => Some(value.pick(&lanes)),
                    _ => None,
                })
                .collect();
            let mut constants = constants.into_iter();
            let part: Vec<Leaf<'_>> = leaves
                .iter()
                .zip(&picked)
                .map(|(leaf, picked)| match (leaf, picked) {
                    (_, Some(value)) => Leaf::Many(value),
                    (Leaf::Varying(_), _) => Leaf::Public(constants.next().unwrap_or(0)),
                    (Leaf::Public(value), _) => Leaf::Public(*value),
                    (Leaf::One(value) | Leaf::Many(value), _) => Leaf::One(value),
                })
                .collect();
            let value = self.uniform(b, &expression, frame, &part, (lanes.len(), node.dtype));
            for (index, lane) in lanes.into_iter().enumerate() {
                parts[lane] = Some(value.whole(index));
            }
        }
        let bits: Vec<Bit> = parts.into_iter().flatten().flatten().collect();
        Value::full(node.dtype, node.len, Storage::Bits(bits.into()))
    }

    /// Writes an expression that is the same for all elements.
    fn uniform(
        &mut self,
        b: &mut Builder,
        expression: &Expression<'_>,
        frame: &Frame<'_>,
        leaves: &[Leaf<'_>],
        (len, dtype): (usize, DType),
    ) -> Value {
        // Without operands that differ between elements, all results are equal.
        let is_lane = |leaf: &Leaf<'_>| matches!(leaf, Leaf::Many(_) | Leaf::Varying(_));
        let lanes = if leaves.iter().any(is_lane) { len } else { 1 };
        let varying: Vec<Option<Value>> = leaves
            .iter()
            .zip(&expression.leaves)
            .map(|(leaf, &id)| match leaf {
                Leaf::Varying(_) => Some(frame.value(id).clone()),
                _ => None,
            })
            .collect();
        let pieces: Vec<Piece<'_>> = leaves
            .iter()
            .zip(&varying)
            .map(|(leaf, varying)| match (leaf, varying) {
                (_, Some(value)) => Piece::Rows(value, 1),
                (Leaf::Many(value), _) => Piece::Rows(value, 1),
                (Leaf::One(value), _) => Piece::Shared(value.element(0)),
                _ => Piece::Shared(Vec::new()),
            })
            .collect();
        let extend = |index: usize, bits: &[Bit]| match &leaves[index] {
            Leaf::Public(value) => {
                int::constant(frame.graph.node(expression.leaves[index]).dtype.bits(), *value)
            }
            Leaf::Varying(_) => bits.to_vec(),
            Leaf::One(value) | Leaf::Many(value) => value.extend(bits),
        };
        let name = expression.name(|b| {
            let stored = |(leaf, varying): (&Leaf<'_>, &Option<Value>)| match (leaf, varying) {
                (_, Some(value)) => value.stored,
                (Leaf::One(value) | Leaf::Many(value), _) => value.stored,
                _ => 0,
            };
            let widths = leaves.iter().zip(&varying).map(stored);
            let whole = |(index, width)| extend(index, &unknown(b, width));
            widths.enumerate().map(whole).collect()
        });
        let value = self.on_lanes(b, &name, (lanes, dtype), &pieces, |lowering, b, x| {
            let whole = x.iter().enumerate().map(|(index, bits)| extend(index, bits));
            Lane::trimmed(expression.emit(lowering, b, &whole.collect::<Vec<_>>()))
        });
        if lanes == len { value } else { value.pick(&vec![0; len]) }
    }
}

fn leaf(value: &Value) -> Leaf<'_> {
    match &value.bits {
        _ if value.public_scalar().is_some() => Leaf::Public(value.public_scalar().unwrap_or(0)),
        Storage::Public(values) => Leaf::Varying(values),
        _ if value.len == 1 => Leaf::One(value),
        _ => Leaf::Many(value),
    }
}

/// The node's value, if it only gives the bits of its argument a wider type.
fn relabelled(frame: &Frame<'_>, id: NodeId) -> Option<Value> {
    let node = frame.graph.node(id);
    let NodeKind::Each(Operation::Cast) = node.kind else { return None };
    let argument = node.arguments[0] as usize;
    if frame.inlined[argument] || frame.lazy[argument] {
        return None;
    }
    let value = frame.argument(node, 0);
    let is_int = |of: DType| matches!(of.kind, Kind::Bool | Kind::Unsigned | Kind::Signed);
    let widens = is_int(value.dtype)
        && is_int(node.dtype)
        && node.dtype.width >= value.dtype.width
        && node.dtype.kind != Kind::Bool
        && !matches!(value.bits, Storage::Public(_));
    // A value that is stored in part keeps its own rule for the bits above, unless the narrower
    // type cuts these off.
    let signed = match value.stored == value.dtype.bits() {
        true => value.dtype.is_signed(),
        false if value.signed && !value.dtype.is_signed() => return None,
        false => value.signed,
    };
    widens.then(|| Value { dtype: node.dtype, signed, ..value.clone() })
}

/// The elements that have the same public operands, in the order of their first elements.
fn groups(leaves: &[Leaf<'_>], varying: &[usize], len: usize) -> Vec<(Vec<u128>, Vec<usize>)> {
    let mut numbers: HashMap<Vec<u128>, usize> = HashMap::new();
    let mut groups: Vec<(Vec<u128>, Vec<usize>)> = Vec::new();
    for lane in 0..len {
        let constant = |&index: &usize| match leaves[index] {
            Leaf::Varying(values) => values[lane],
            _ => 0,
        };
        let constants: Vec<u128> = varying.iter().map(constant).collect();
        let number = *numbers.entry(constants.clone()).or_insert_with(|| {
            groups.push((constants, Vec::new()));
            groups.len() - 1
        });
        groups[number].1.push(lane);
    }
    groups
}

/// Whether the gates are written anew for each of `count` combinations of public operands. They
/// fold then, but the text of the circuit is longer.
fn is_unrolled(expression: &Expression<'_>, frame: &Frame<'_>, count: usize) -> bool {
    let mut b = Builder::new();
    let bits: Vec<Vec<Bit>> = expression
        .leaves
        .iter()
        .zip(0..)
        .map(|(&id, number)| {
            b.input(number.to_string(), Party::Garbler, frame.graph.node(id).dtype.width)
        })
        .collect();
    expression.emit(&mut Lowering::default(), &mut b, &bits);
    b.gates().saturating_mul(count) <= MAX_UNROLLED_GATES
}
