//! The graph of a traced function: one node for each array operation.

use crate::dtype::DType;
use crate::operation::Operation;
use halfgate_circuit::Party;
use std::sync::Arc;

/// Number of a node in its graph. A node's arguments have lower numbers.
pub type NodeId = u32;

/// An array operation. Its result is a flat list of elements; Python keeps the shape.
#[derive(PartialEq, Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub arguments: Vec<NodeId>,
    pub dtype: DType,
    pub len: usize,
    /// Index of the source line in [`Graph::lines`].
    pub line: u32,
}

/// What a node computes from its arguments.
#[derive(PartialEq, Debug)]
pub enum NodeKind {
    /// An input of a party.
    Input { name: String, party: Party },
    /// A parameter of a function.
    Parameter,
    /// Public values: one for each element.
    Public(Arc<[u128]>),
    /// An operation on each element. An argument of one element is used for all.
    Each(Operation),
    /// Element `i` of the row-major order of `shape` is the argument's element at `offset` plus the
    /// sum of index times stride.
    View { offset: usize, shape: Vec<usize>, strides: Vec<isize> },
    /// Elements of the argument by index.
    Pick(Arc<[u32]>),
    /// All arguments, one after the other.
    Concat,
    /// Rows of `row` elements, each reduced to one.
    Reduce { reduction: Reduction, row: usize },
    /// The index of the first maximum (or minimum) of each row.
    ArgExtreme { max: bool, row: usize },
    /// Each row in ascending or descending order.
    Sort { row: usize, descending: bool },
    /// The indices that sort each row; the order of equal elements is kept.
    ArgSort { row: usize, descending: bool },
    /// Element `arguments[1][i]` of the first argument, whose elements have `width` parts. Zeros if
    /// the index is out of range.
    Lookup { width: usize },
    /// The product of an `n` by `k` and a `k` by `m` matrix, the latter given as its columns.
    Product { n: usize, k: usize, m: usize },
    /// A call of a function. Parts of its results follow as [`NodeKind::Part`].
    Call(Call),
    /// A result of the call that is the argument.
    Part(usize),
}

/// How rows are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Sum,
    Product,
    Min,
    Max,
    All,
    Any,
    Xor,
}

impl Reduction {
    /// The reduction of this name.
    pub fn parse(name: &str) -> Option<Reduction> {
        Some(match name {
            "sum" => Reduction::Sum,
            "prod" => Reduction::Product,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            "all" => Reduction::All,
            "any" => Reduction::Any,
            "xor" => Reduction::Xor,
            _ => return None,
        })
    }

    /// The operation that joins two elements.
    pub fn operation(self) -> Operation {
        match self {
            Reduction::Sum => Operation::Add,
            Reduction::Product => Operation::Mul,
            Reduction::Min => Operation::Min,
            Reduction::Max => Operation::Max,
            Reduction::All => Operation::And,
            Reduction::Any => Operation::Or,
            Reduction::Xor => Operation::Xor,
        }
    }
}

/// A call of a function.
#[derive(PartialEq, Debug)]
pub struct Call {
    pub function: Arc<Graph>,
    pub form: CallForm,
}

/// How often a function runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallForm {
    Once,
    /// On each element of the arguments that are not shared: those whose length is not that of
    /// their parameter.
    Map {
        lanes: usize,
    },
    /// Step after step; the first `state` parameters and results are the state.
    Fold {
        steps: usize,
        state: usize,
    },
}

/// A traced function.
#[derive(PartialEq, Debug, Default)]
pub struct Graph {
    pub name: String,
    pub nodes: Vec<Node>,
    pub lines: Vec<String>,
    /// Parameters, if it is not a program.
    pub parameters: Vec<NodeId>,
    pub results: Vec<NodeId>,
}

impl Graph {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The source line of a node.
    pub fn line(&self, node: &Node) -> &str {
        self.lines.get(node.line as usize).map_or("", String::as_str)
    }

    /// How often each node is used by nodes that the results need, and by the results. A node that
    /// is not needed has 0 uses.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.nodes.len()];
        for &result in &self.results {
            uses[result as usize] += 1;
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if uses[index] > 0 {
                for &argument in &node.arguments {
                    uses[argument as usize] += 1;
                }
            }
        }
        uses
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}
