//! From a graph to a circuit: element-wise operations become maps, reductions trees of maps, and
//! nested functions stay functions.

mod call;
mod each;
mod expression;
mod extreme;
mod lanes;
mod lookup;
mod outer;
mod product;
mod reduce;
mod sort;

use crate::graph::{Graph, Node, NodeId, NodeKind};
use crate::ledger::Ledger;
use crate::value::{Storage, Value};
use call::Written;
use halfgate_circuit::Builder;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::structured::StructuredCircuit;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most bits of an array, so that wires can be numbered.
pub const MAX_BITS: usize = 1 << 30;

/// Payload of the panic that ends the writing of a circuit once `cancel` is set.
struct Cancelled;

/// Writes the circuit of a program. Returns it with the ANDs of each source line.
///
/// # Errors
/// If the circuit has too many wires.
///
/// # Panics
/// If `cancel` is set meanwhile: nobody waits for the circuit then.
pub fn circuit(
    graph: &Graph,
    cancel: &Arc<AtomicBool>,
) -> Result<(StructuredCircuit, Ledger), BuildError> {
    let mut b = Builder::new();
    let mut values = vec![None; graph.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let NodeKind::Input { name, party } = &node.kind {
            let array = b.input_array(name, *party, node.dtype.width, node.len as u32);
            b.describe_input(node.dtype.element_type());
            values[index] = Some(Value::full(node.dtype, node.len, Storage::Wires(array)));
        }
    }
    let mut lowering = Lowering { cancel: Arc::clone(cancel), ..Lowering::default() };
    let results = lowering.body(&mut b, graph, values);
    for (number, result) in results.iter().enumerate() {
        let name = if results.len() == 1 { "output".into() } else { format!("output{number}") };
        match (&result.bits, result.stored == result.dtype.bits()) {
            (&Storage::Wires(array), true) => b.output_array(name, array),
            _ => b.output(name, &result.whole_bits()),
        }
        b.describe_output(result.dtype.element_type());
    }
    Ok((b.finish_structured()?, lowering.ledger))
}

/// What is shared while the bodies of a circuit are written.
#[derive(Default)]
pub(crate) struct Lowering {
    ledger: Ledger,
    /// Functions that were written, by graph.
    functions: HashMap<*const Graph, Arc<Written>>,
    cancel: Arc<AtomicBool>,
}

/// A graph whose nodes are being written.
pub(crate) struct Frame<'g> {
    graph: &'g Graph,
    /// Nodes that are written as a part of the only node that uses them.
    inlined: Vec<bool>,
    /// Views that repeat elements. They are written only where a node needs all their elements.
    lazy: Vec<bool>,
    values: Vec<Option<Value>>,
    /// The results of calls.
    called: HashMap<NodeId, Vec<Value>>,
}

impl Frame<'_> {
    fn value(&self, id: NodeId) -> &Value {
        self.values[id as usize].as_ref().expect("a node's arguments are written before it")
    }

    /// Gives a view that repeats elements a value.
    fn force(&mut self, id: NodeId) {
        let node = self.graph.node(id);
        if let (None, NodeKind::View { offset, shape, strides }) =
            (&self.values[id as usize], &node.kind)
        {
            let value = self.argument(node, 0).view(*offset, shape, strides);
            self.values[id as usize] = Some(value);
        }
    }

    fn argument(&self, node: &Node, index: usize) -> &Value {
        self.value(node.arguments[index])
    }
}

impl Lowering {
    /// Ends the writing of the circuit if it is cancelled.
    fn check_cancel(&self) {
        if self.cancel.load(Ordering::Relaxed) {
            // Functions of the circuit are written by closures that return bits, not errors.
            resume_unwind(Box::new(Cancelled));
        }
    }

    /// Writes the nodes of a graph whose inputs or parameters have `values`. Returns its results.
    fn body(&mut self, b: &mut Builder, graph: &Graph, values: Vec<Option<Value>>) -> Vec<Value> {
        let uses = graph.uses();
        let mut left = uses.clone();
        let inlined = inlined(graph, &uses);
        let mut frame = Frame { graph, inlined, lazy: lazy(graph), values, called: HashMap::new() };
        for &id in &graph.results {
            frame.lazy[id as usize] = false;
        }
        for (index, node) in graph.nodes.iter().enumerate() {
            if uses[index] == 0 || frame.inlined[index] || frame.lazy[index] {
                continue;
            }
            self.check_cancel();
            if frame.values[index].is_none() {
                b.at_line(graph.line(node));
                if !matches!(node.kind, NodeKind::Each(_)) {
                    node.arguments.iter().for_each(|&id| frame.force(id));
                }
                let value = self.node(b, &mut frame, index as NodeId, node);
                frame.values[index] = Some(value);
            }
            release(&mut frame, &mut left, node);
        }
        graph.results.iter().map(|&id| frame.value(id).clone()).collect()
    }

    fn node(&mut self, b: &mut Builder, frame: &mut Frame<'_>, id: NodeId, node: &Node) -> Value {
        let line = frame.graph.line(node);
        match &node.kind {
            NodeKind::Input { .. } | NodeKind::Parameter => {
                unreachable!("inputs and parameters have values")
            }
            NodeKind::Public(values) => {
                Value::full(node.dtype, node.len, Storage::Public(Arc::clone(values)))
            }
            NodeKind::Each(_) => self.each(b, frame, id),
            NodeKind::View { offset, shape, strides } => {
                frame.argument(node, 0).view(*offset, shape, strides)
            }
            NodeKind::Pick(indices) => {
                let indices: Vec<usize> = indices.iter().map(|&index| index as usize).collect();
                frame.argument(node, 0).pick(&indices)
            }
            NodeKind::Concat => {
                let values = node.arguments.iter().map(|&id| frame.value(id));
                Value::concat(node.dtype, &values.collect::<Vec<_>>())
            }
            &NodeKind::Reduce { reduction, row } => {
                self.reduce(b, line, frame.argument(node, 0), reduction, row)
            }
            &NodeKind::ArgExtreme { max, row } => {
                self.extreme(b, line, frame.argument(node, 0), max, row, node.dtype)
            }
            &NodeKind::Sort { row, descending } => {
                self.sort(b, line, frame.argument(node, 0), row, descending)
            }
            &NodeKind::ArgSort { row, descending } => {
                self.arg_sort(b, line, frame.argument(node, 0), row, descending, node.dtype)
            }
            &NodeKind::Lookup { width } => {
                self.lookup(b, line, frame.argument(node, 0), frame.argument(node, 1), width)
            }
            &NodeKind::Product { n, k, m } => {
                let (x, y) = (frame.argument(node, 0), frame.argument(node, 1));
                self.product(b, line, x, y, (n, k, m))
            }
            NodeKind::Call(call) => {
                let arguments: Vec<&Value> =
                    node.arguments.iter().map(|&id| frame.value(id)).collect();
                let results = self.call(b, call, &arguments);
                // A call's parts are read by number; its own value is unused.
                let first = results[0].clone();
                frame.called.insert(id, results);
                first
            }
            NodeKind::Part(number) => frame.called[&node.arguments[0]][*number].clone(),
        }
    }
}

/// Drops the values of nodes that no later node uses.
fn release(frame: &mut Frame<'_>, left: &mut [u32], node: &Node) {
    let mut arguments = node.arguments.clone();
    while let Some(argument) = arguments.pop() {
        let argument = argument as usize;
        left[argument] -= 1;
        if left[argument] > 0 {
            continue;
        }
        frame.values[argument] = None;
        if frame.lazy[argument] || frame.inlined[argument] {
            arguments.extend(&frame.graph.nodes[argument].arguments);
        }
    }
}

/// For each node, whether it is an element-wise operation that is used by one other only, which has
/// the same length.
fn inlined(graph: &Graph, uses: &[u32]) -> Vec<bool> {
    let mut inlined = vec![false; graph.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if uses[index] == 0 || !matches!(node.kind, NodeKind::Each(_)) {
            continue;
        }
        for &argument in &node.arguments {
            let found = graph.node(argument);
            let here = node.arguments.iter().filter(|&&other| other == argument).count();
            inlined[argument as usize] = uses[argument as usize] as usize == here
                && found.len == node.len
                && matches!(found.kind, NodeKind::Each(_));
        }
    }
    inlined
}

/// For each node, whether it is a view that has elements of its argument more than once. The
/// argument is not such a view itself, so that it has a value.
fn lazy(graph: &Graph) -> Vec<bool> {
    let mut lazy: Vec<bool> = Vec::with_capacity(graph.len());
    for node in &graph.nodes {
        lazy.push(match &node.kind {
            NodeKind::View { shape, strides, .. } if !lazy[node.arguments[0] as usize] => {
                shape.iter().zip(strides).any(|(&len, &stride)| len > 1 && stride == 0)
            }
            _ => false,
        });
    }
    lazy
}
