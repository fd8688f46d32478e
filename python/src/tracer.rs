//! The graph that Python writes, one call for each array operation.

use crate::dtype::DType;
use crate::graph::{Call, CallForm, Graph, Node, NodeId, NodeKind, Reduction};
use crate::lower::{self, MAX_BITS};
use crate::operation::Operation;
use crate::program::Program;
use crate::raise;
use crate::running;
use halfgate_circuit::Party;
use halfgate_frontends::hgc;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The most bits of an array whose elements are listed in another order.
const MAX_LISTED_BITS: usize = 1 << 28;

/// A function that is being traced.
#[pyclass(module = "halfgate._halfgate")]
pub struct Tracer {
    graph: Graph,
    lines: HashMap<String, u32>,
}

/// A traced function.
#[pyclass(frozen, module = "halfgate._halfgate")]
pub struct Traced {
    pub graph: Arc<Graph>,
}

fn refuse<T>(what: impl Into<String>) -> PyResult<T> {
    Err(PyValueError::new_err(what.into()))
}

impl Tracer {
    fn add(
        &mut self,
        kind: NodeKind,
        arguments: Vec<NodeId>,
        (dtype, len): (DType, usize),
        line: &str,
    ) -> PyResult<NodeId> {
        if let Some(id) = arguments.iter().find(|&&id| id as usize >= self.graph.len()) {
            return refuse(format!("there is no node {id}"));
        }
        if len == 0 || len.saturating_mul(dtype.bits()) > MAX_BITS {
            let bits = dtype.bits();
            let what = format!(
                "{line}: {len} elements of {bits} bits: an array has at least one element and at \
                 most 2^30 bits"
            );
            return Err(Python::attach(|py| raise::exception(py, "ShapeError", &what)));
        }
        let line = match self.lines.get(line) {
            Some(&number) => number,
            None => {
                let number = self.graph.lines.len() as u32;
                self.graph.lines.push(line.to_owned());
                self.lines.insert(line.to_owned(), number);
                number
            }
        };
        self.graph.nodes.push(Node { kind, arguments, dtype, len, line });
        Ok(self.graph.len() as NodeId - 1)
    }

    fn found(&self, id: NodeId) -> PyResult<(DType, usize)> {
        match self.graph.nodes.get(id as usize) {
            Some(node) => Ok((node.dtype, node.len)),
            None => refuse(format!("there is no node {id}")),
        }
    }

    /// The type and the number of rows of an argument.
    fn rows(&self, id: NodeId, row: usize) -> PyResult<(DType, usize)> {
        let (dtype, len) = self.found(id)?;
        match row > 0 && len.is_multiple_of(row) {
            true => Ok((dtype, len / row)),
            false => refuse(format!("{len} elements in rows of {row}")),
        }
    }
}

#[pymethods]
impl Tracer {
    #[new]
    fn new(name: String) -> Tracer {
        Tracer { graph: Graph { name, ..Graph::default() }, lines: HashMap::new() }
    }

    /// Number of nodes.
    fn __len__(&self) -> usize {
        self.graph.len()
    }

    /// An input of the garbler or of the evaluator.
    fn input(&mut self, name: String, garbler: bool, dtype: DType, len: usize) -> PyResult<NodeId> {
        let party = if garbler { Party::Garbler } else { Party::Evaluator };
        self.add(NodeKind::Input { name, party }, Vec::new(), (dtype, len), "")
    }

    /// A parameter of a function.
    fn parameter(&mut self, dtype: DType, len: usize) -> PyResult<NodeId> {
        let id = self.add(NodeKind::Parameter, Vec::new(), (dtype, len), "")?;
        self.graph.parameters.push(id);
        Ok(id)
    }

    /// Public elements of `size` bytes each.
    fn public(&mut self, dtype: DType, data: &[u8], size: usize) -> PyResult<NodeId> {
        if !(1..=16).contains(&size) || !data.len().is_multiple_of(size) {
            return refuse(format!("{} bytes in elements of {size}", data.len()));
        }
        let element = |bytes: &[u8]| {
            let mut all = [0; 16];
            all[..size].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        };
        let values: Arc<[u128]> = data.chunks(size).map(element).collect();
        let len = values.len();
        self.add(NodeKind::Public(values), Vec::new(), (dtype, len), "")
    }

    /// An element-wise operation.
    fn each(
        &mut self,
        operation: &str,
        amount: u32,
        arguments: Vec<NodeId>,
        dtype: DType,
        line: &str,
    ) -> PyResult<NodeId> {
        let Some(operation) = Operation::parse(operation, amount) else {
            return refuse(format!("there is no operation {operation:?}"));
        };
        let found: Vec<(DType, usize)> =
            arguments.iter().map(|&id| self.found(id)).collect::<PyResult<_>>()?;
        let dtypes: Vec<DType> = found.iter().map(|found| found.0).collect();
        let len = found.iter().map(|found| found.1).max().unwrap_or(0);
        let is_one_length = found.iter().all(|found| found.1 == len || found.1 == 1);
        let count = arguments.len() == operation.operands();
        if !count || !is_one_length || !operation.fits(&dtypes, dtype) {
            return refuse(format!("{operation:?} of {found:?} to {dtype:?}"));
        }
        self.add(NodeKind::Each(operation), arguments, (dtype, len), line)
    }

    /// A view: see [`NodeKind::View`].
    fn view(
        &mut self,
        py: Python<'_>,
        argument: NodeId,
        offset: usize,
        shape: Vec<usize>,
        strides: Vec<isize>,
        line: &str,
    ) -> PyResult<NodeId> {
        let (dtype, len) = self.found(argument)?;
        let (mut lowest, mut highest, mut count) = (offset as i128, offset as i128, 1usize);
        for (&size, &stride) in shape.iter().zip(&strides) {
            let reach = (size as i128 - 1) * stride as i128;
            if reach < 0 {
                lowest += reach
            } else {
                highest += reach
            }
            count = count.saturating_mul(size);
        }
        if shape.len() != strides.len() || lowest < 0 || highest >= len as i128 {
            return refuse("the view has elements outside its argument");
        }
        let mut step = 1;
        let in_order = shape.iter().zip(&strides).rev().all(|(&size, &stride)| {
            let fits = size == 1 || stride == step;
            step *= size as isize;
            fits
        });
        if !in_order && count.saturating_mul(dtype.bits()) > MAX_LISTED_BITS {
            let what = format!(
                "{line}: {count} elements are reordered or repeated: at most 2^28 bits can be"
            );
            return Err(raise::exception(py, "ShapeError", &what));
        }
        self.add(NodeKind::View { offset, shape, strides }, vec![argument], (dtype, count), line)
    }

    /// Elements by index: 32-bit numbers.
    fn pick(&mut self, argument: NodeId, indices: &[u8], line: &str) -> PyResult<NodeId> {
        let (dtype, len) = self.found(argument)?;
        let indices: Arc<[u32]> = indices
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        if indices.iter().any(|&index| index as usize >= len) {
            return refuse("an index is out of range");
        }
        let count = indices.len();
        self.add(NodeKind::Pick(indices), vec![argument], (dtype, count), line)
    }

    /// All arguments, one after the other.
    fn concat(&mut self, arguments: Vec<NodeId>, line: &str) -> PyResult<NodeId> {
        let found: Vec<(DType, usize)> =
            arguments.iter().map(|&id| self.found(id)).collect::<PyResult<_>>()?;
        let Some(&(dtype, _)) = found.first() else { return refuse("nothing to concatenate") };
        if found.iter().any(|found| found.0 != dtype) {
            return refuse("arrays of different types are concatenated");
        }
        let len = found.iter().map(|found| found.1).sum();
        self.add(NodeKind::Concat, arguments, (dtype, len), line)
    }

    /// Reduces each row to an element.
    fn reduce(
        &mut self,
        reduction: &str,
        argument: NodeId,
        row: usize,
        line: &str,
    ) -> PyResult<NodeId> {
        let (dtype, rows) = self.rows(argument, row)?;
        let Some(reduction) = Reduction::parse(reduction) else {
            return refuse(format!("there is no reduction {reduction:?}"));
        };
        if !reduction.operation().fits(&[dtype, dtype], dtype) {
            return refuse(format!("{reduction:?} of {dtype:?}"));
        }
        self.add(NodeKind::Reduce { reduction, row }, vec![argument], (dtype, rows), line)
    }

    /// The place of the first maximum or minimum of each row.
    fn arg_extreme(
        &mut self,
        argument: NodeId,
        max: bool,
        row: usize,
        dtype: DType,
        line: &str,
    ) -> PyResult<NodeId> {
        let (_, rows) = self.rows(argument, row)?;
        self.add(NodeKind::ArgExtreme { max, row }, vec![argument], (dtype, rows), line)
    }

    /// Each row in order.
    fn sort(
        &mut self,
        argument: NodeId,
        row: usize,
        descending: bool,
        line: &str,
    ) -> PyResult<NodeId> {
        let (dtype, rows) = self.rows(argument, row)?;
        let kind = NodeKind::Sort { row, descending };
        self.add(kind, vec![argument], (dtype, rows * row), line)
    }

    /// The places of the elements of each row in order.
    fn arg_sort(
        &mut self,
        argument: NodeId,
        row: usize,
        descending: bool,
        dtype: DType,
        line: &str,
    ) -> PyResult<NodeId> {
        let (_, rows) = self.rows(argument, row)?;
        let kind = NodeKind::ArgSort { row, descending };
        self.add(kind, vec![argument], (dtype, rows * row), line)
    }

    /// Elements of `width` parts of a table, at secret places.
    fn lookup(
        &mut self,
        table: NodeId,
        places: NodeId,
        width: usize,
        line: &str,
    ) -> PyResult<NodeId> {
        let (dtype, _) = self.rows(table, width)?;
        let (_, len) = self.found(places)?;
        let shape = (dtype, len.saturating_mul(width));
        self.add(NodeKind::Lookup { width }, vec![table, places], shape, line)
    }

    /// A product of matrices; `y` has the columns of the second.
    fn product(
        &mut self,
        x: NodeId,
        y: NodeId,
        shape: (usize, usize, usize),
        line: &str,
    ) -> PyResult<NodeId> {
        let (n, k, m) = shape;
        let (of_x, of_y) = (self.found(x)?, self.found(y)?);
        if of_x != (of_x.0, n * k) || of_y != (of_x.0, m * k) || k == 0 {
            return refuse(format!("product of {of_x:?} and {of_y:?} as {n} by {k} by {m}"));
        }
        self.add(NodeKind::Product { n, k, m }, vec![x, y], (of_x.0, n * m), line)
    }

    /// A call of a function: `lanes` or `steps` is 0 unless it is a map or a fold. A fold's first
    /// `state` parameters and results are its state. Returns a node for each result.
    #[pyo3(signature = (function, arguments, line, lanes=0, steps=0, state=0))]
    fn call(
        &mut self,
        function: &Traced,
        arguments: Vec<NodeId>,
        line: &str,
        lanes: usize,
        steps: usize,
        state: usize,
    ) -> PyResult<Vec<NodeId>> {
        let graph = &function.graph;
        let form = match (lanes, steps) {
            (0, 0) => CallForm::Once,
            (lanes, 0) => CallForm::Map { lanes },
            (_, steps) => CallForm::Fold { steps, state },
        };
        let runs = lanes.max(steps).max(1);
        let of = |id: &NodeId| (graph.node(*id).dtype, graph.node(*id).len);
        if arguments.len() != graph.parameters.len() || state > graph.results.len() {
            return refuse("arguments do not fit the parameters");
        }
        for (number, (&id, parameter)) in arguments.iter().zip(&graph.parameters).enumerate() {
            let ((dtype, len), (wanted, one)) = (self.found(id)?, of(parameter));
            let is_many = number >= state && len == one * runs;
            if dtype != wanted || !(len == one || is_many) {
                return refuse(format!("argument {number} does not fit its parameter"));
            }
        }
        for (parameter, result) in graph.parameters.iter().zip(&graph.results).take(state) {
            if of(parameter) != of(result) {
                return refuse("the state and the next state differ in type or shape");
            }
        }
        let results: Vec<(DType, usize)> = graph.results.iter().map(of).collect();
        let Some(&first) = results.first() else { return refuse("a function without results") };
        let kind = NodeKind::Call(Call { function: Arc::clone(graph), form });
        let call = self.add(kind, arguments, first, line)?;
        let mut nodes = Vec::with_capacity(results.len());
        for (number, (dtype, len)) in results.into_iter().enumerate() {
            let len = if number < state { len } else { len.saturating_mul(runs) };
            nodes.push(self.add(NodeKind::Part(number), vec![call], (dtype, len), line)?);
        }
        Ok(nodes)
    }

    /// Ends the trace of a function with these results.
    fn finish(&mut self, results: Vec<NodeId>) -> PyResult<Traced> {
        for &id in &results {
            self.found(id)?;
        }
        let mut graph = std::mem::take(&mut self.graph);
        graph.results = results;
        self.lines.clear();
        Ok(Traced { graph: Arc::new(graph) })
    }
}

#[pymethods]
impl Traced {
    /// Compiles a traced program.
    #[pyo3(signature = (order = ""))]
    fn compile(&self, py: Python<'_>, order: &str) -> PyResult<Program> {
        Program::of_graph(py, &self.graph, order)
    }

    /// Writes the circuit of a program as an HGC file, whose program has the same hash.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let failed = |error: String| {
            raise::exception(py, "CircuitError", &format!("{}: {error}", path.display()))
        };
        let graph = Arc::clone(&self.graph);
        let lowered = running::run_owned(py, move |cancel| lower::circuit(&graph, cancel))?;
        let (circuit, _) = lowered.map_err(|error| failed(error.to_string()))?;
        let write = || -> Result<(), String> {
            let file = File::create(&path).map_err(|error| error.to_string())?;
            let mut file = BufWriter::new(file);
            hgc::write_structured(&circuit, &mut file).map_err(|error| error.to_string())?;
            file.flush().map_err(|error| error.to_string())
        };
        raise::detached(py, write)?.map_err(failed)
    }

    /// Whether both are the same function.
    fn same(&self, other: &Traced) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph) || self.graph == other.graph
    }

    /// The number of operations of each source line.
    fn operations(&self) -> Vec<(String, u64)> {
        let mut counts = vec![0; self.graph.lines.len()];
        self.graph.nodes.iter().for_each(|node| counts[node.line as usize] += 1);
        self.graph.lines.iter().cloned().zip(counts).collect()
    }
}
