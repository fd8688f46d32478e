//! Calls, maps and folds of functions.

use super::Lowering;
use crate::dtype::DType;
use crate::graph::{Call, CallForm, Graph};
use crate::ledger::Ledger;
use crate::value::{Storage, Value};
use halfgate_circuit::builder::{Arg, Array, Defined};
use halfgate_circuit::{Bit, Builder};
use std::sync::Arc;

/// A function that is written in the circuit.
pub(super) struct Written {
    defined: Defined,
    /// The ANDs of a run.
    ledger: Ledger,
    /// Type and number of elements of each result.
    results: Vec<(DType, usize)>,
}

impl Lowering {
    /// Calls a function. Returns its results.
    pub(super) fn call(&mut self, b: &mut Builder, call: &Call, given: &[&Value]) -> Vec<Value> {
        let written = self.written(b, &call.function);
        let wide: Vec<Value> = given.iter().map(|value| value.widened()).collect();
        let runs = match call.form {
            CallForm::Once => 1,
            CallForm::Map { lanes } => lanes as u64,
            CallForm::Fold { steps, .. } => steps as u64,
        };
        let outside = self.ledger.enter(runs);
        self.ledger.add_all(&written.ledger);
        self.ledger.leave(outside);
        match call.form {
            CallForm::Once => {
                let bits: Vec<Bit> = wide.iter().flat_map(Value::stored_bits).collect();
                let bits = b.call(&written.defined, &bits);
                one_run(&written.results, &bits)
            }
            CallForm::Map { .. } => {
                let kept = kept(&call.function, 0, &wide);
                let arguments = arguments(&call.function, 0, &wide, &kept);
                let array = b.map_defined(&written.defined, runs, &arguments);
                all_runs(&written.results, array)
            }
            CallForm::Fold { state, .. } => {
                let initial: Vec<Bit> = wide[..state].iter().flat_map(Value::stored_bits).collect();
                let kept = kept(&call.function, state, &wide[state..]);
                let arguments = arguments(&call.function, state, &wide[state..], &kept);
                let folded = b.fold_defined(&written.defined, runs, &initial, &arguments);
                let (of_state, others) = written.results.split_at(state);
                let mut results = one_run(of_state, &folded.state);
                if !others.is_empty() {
                    results.extend(all_runs(others, folded.outputs));
                }
                results
            }
        }
    }

    /// The function of a graph, which is written once.
    fn written(&mut self, b: &mut Builder, graph: &Arc<Graph>) -> Arc<Written> {
        let key = Arc::as_ptr(graph);
        if let Some(written) = self.functions.get(&key) {
            return Arc::clone(written);
        }
        let widths = graph.parameters.iter().map(|&id| {
            let node = graph.node(id);
            node.len * node.dtype.bits()
        });
        let outer = std::mem::take(&mut self.ledger);
        let mut results = Vec::new();
        let defined = b.function(&graph.name, widths.sum(), |b, bits| {
            let mut values = vec![None; graph.len()];
            let mut from = 0;
            for &id in &graph.parameters {
                let node = graph.node(id);
                let until = from + node.len * node.dtype.bits();
                let bits = Storage::Bits(bits[from..until].into());
                values[id as usize] = Some(Value::full(node.dtype, node.len, bits));
                from = until;
            }
            let found = self.body(b, graph, values);
            results = found.iter().map(|value| (value.dtype, value.len)).collect();
            found.iter().flat_map(Value::whole_bits).collect()
        });
        let ledger = std::mem::replace(&mut self.ledger, outer);
        let written = Arc::new(Written { defined, ledger, results });
        self.functions.insert(key, Arc::clone(&written));
        written
    }
}

/// The bits of the arguments of a map or a fold that are not passed as an array of wires.
fn kept(function: &Graph, state: usize, values: &[Value]) -> Vec<Vec<Bit>> {
    let parameters = &function.parameters[state..];
    let bits = |(value, &id): (&Value, _)| match value.bits {
        Storage::Wires(_) if value.len != function.node(id).len => Vec::new(),
        _ => value.stored_bits(),
    };
    values.iter().zip(parameters).map(bits).collect()
}

/// Arguments of a map or a fold: shared if they have as many elements as the parameter.
fn arguments<'a>(
    function: &Graph,
    state: usize,
    values: &[Value],
    kept: &'a [Vec<Bit>],
) -> Vec<Arg<'a>> {
    let parameters = function.parameters[state..].iter().map(|&id| function.node(id).len);
    let argument = |((value, bits), len): ((&Value, &'a Vec<Bit>), usize)| match value.bits {
        _ if value.len == len => Arg::Shared(bits),
        Storage::Wires(array) => Arg::Array(array.regroup(len * value.stored)),
        _ => Arg::Sliced(bits),
    };
    values.iter().zip(kept).zip(parameters).map(argument).collect()
}

/// The results of one run.
fn one_run(results: &[(DType, usize)], bits: &[Bit]) -> Vec<Value> {
    let mut from = 0;
    let mut result = |&(dtype, len): &(DType, usize)| {
        let until = from + len * dtype.bits();
        let bits = Storage::Bits(bits[from..until].into());
        from = until;
        Value::full(dtype, len, bits)
    };
    results.iter().map(&mut result).collect()
}

/// The results of all runs: for each result, the elements of run 0, then those of run 1.
fn all_runs(results: &[(DType, usize)], array: Array) -> Vec<Value> {
    if let [(dtype, len)] = *results {
        let elements = array.regroup(dtype.bits());
        return vec![Value::full(dtype, array.len() * len, Storage::Wires(elements))];
    }
    let mut from = 0;
    let mut result = |&(dtype, len): &(DType, usize)| {
        let until = from + len * dtype.bits();
        let of_run = |run: usize| array.element(run)[from..until].to_vec();
        let bits: Vec<Bit> = (0..array.len()).flat_map(of_run).collect();
        from = until;
        Value::full(dtype, array.len() * len, Storage::Bits(bits.into()))
    };
    results.iter().map(&mut result).collect()
}
