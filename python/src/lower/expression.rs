//! Expressions of element-wise operations, which are written as one function.

use super::{Frame, Lowering};
use crate::dtype::DType;
use crate::graph::{NodeId, NodeKind};
use crate::operation::Operation;
use halfgate_circuit::{Bit, Builder};
use std::collections::HashMap;

/// An expression of element-wise operations.
pub(super) struct Expression<'g> {
    steps: Vec<Step<'g>>,
    /// The nodes that it reads.
    pub leaves: Vec<NodeId>,
}

struct Step<'g> {
    operation: Operation,
    operands: Vec<(DType, Operand)>,
    dtype: DType,
    line: &'g str,
}

#[derive(Clone, Copy)]
enum Operand {
    Leaf(usize),
    Step(usize),
}

impl<'g> Expression<'g> {
    pub fn of(frame: &Frame<'g>, root: NodeId) -> Expression<'g> {
        let mut expression = Expression { steps: Vec::new(), leaves: Vec::new() };
        let mut known: HashMap<NodeId, Operand> = HashMap::new();
        // Operands come before the operation: a node is looked at again once they are known.
        let mut pending = vec![root];
        while let Some(&id) = pending.last() {
            let node = frame.graph.node(id);
            let operation = match node.kind {
                NodeKind::Each(operation) if id == root || frame.inlined[id as usize] => operation,
                _ => {
                    pending.pop();
                    known.entry(id).or_insert_with(|| {
                        expression.leaves.push(id);
                        Operand::Leaf(expression.leaves.len() - 1)
                    });
                    continue;
                }
            };
            let missing: Vec<NodeId> =
                node.arguments.iter().copied().filter(|id| !known.contains_key(id)).collect();
            if !missing.is_empty() {
                pending.extend(missing.iter().rev());
                continue;
            }
            pending.pop();
            let operand = |id: &NodeId| (frame.graph.node(*id).dtype, known[id]);
            let operands = node.arguments.iter().map(operand).collect();
            let line = frame.graph.line(node);
            expression.steps.push(Step { operation, operands, dtype: node.dtype, line });
            known.insert(id, Operand::Step(expression.steps.len() - 1));
        }
        expression
    }

    /// A name for messages and pictures: the line with the most ANDs, as the ledger counts them.
    /// `leaves` adds inputs for the leaves, which are whole elements.
    pub fn name(&self, leaves: impl FnOnce(&mut Builder) -> Vec<Vec<Bit>>) -> String {
        let last = self.steps.last().map_or("", |step| step.line);
        if self.steps.iter().all(|step| step.line == last) {
            return last.to_owned();
        }
        let (mut lowering, mut b) = (Lowering::default(), Builder::new());
        let leaves = leaves(&mut b);
        self.emit(&mut lowering, &mut b, &leaves);
        let most = lowering.ledger.lines().max_by_key(|&(_, ands)| ands);
        most.map_or(last, |(line, _)| line).to_owned()
    }

    /// Adds the gates for one element.
    pub fn emit(&self, lowering: &mut Lowering, b: &mut Builder, leaves: &[Vec<Bit>]) -> Vec<Bit> {
        let mut results: Vec<Vec<Bit>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let operands: Vec<(DType, &[Bit])> = step
                .operands
                .iter()
                .map(|&(dtype, operand)| match operand {
                    Operand::Leaf(index) => (dtype, leaves[index].as_slice()),
                    Operand::Step(index) => (dtype, results[index].as_slice()),
                })
                .collect();
            let result =
                lowering.counted(b, step.line, |b| step.operation.emit(b, &operands, step.dtype));
            results.push(result);
        }
        results.pop().unwrap_or_default()
    }
}
