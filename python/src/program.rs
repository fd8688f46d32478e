//! Compiled programs.

use crate::graph::Graph;
use crate::lower;
use crate::options::Options;
use crate::packed::Elements;
use crate::raise;
use crate::report::{Outcome, outcome, simulated};
use crate::running;
use halfgate::compiler::{self, Order, OrderError, compile_structured};
use halfgate::protocol::offline::garble_to_file;
use halfgate::protocol::session::{LocalParty, PartyInputs, SessionError, run_local};
use halfgate_circuit::structured::depth::depth_within;
use halfgate_circuit::structured::{Form, StructuredCircuit, clear as structured};
use halfgate_circuit::{Bits, ElementType, Party, Stats, clear};
use halfgate_frontends::{self as frontends, verilog};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most steps for measuring the depth of a circuit with functions.
const MAX_DEPTH_STEPS: u64 = 1 << 25;

/// A compiled program.
#[pyclass(frozen, module = "halfgate._halfgate", name = "NativeProgram")]
pub struct Program {
    pub compiled: Arc<compiler::Program>,
    /// ANDs by source line.
    lines: Vec<(String, u64)>,
}

/// A port: its name, whether the garbler owns it, its bits, its type as kind, width and fraction
/// (the kind is empty if it has no type), and whether it is per cycle.
type Port = (String, bool, usize, (String, u32, u32), bool);

impl Program {
    /// Writes and compiles the circuit of a graph.
    pub fn of_graph(py: Python<'_>, graph: &Arc<Graph>, order: &str) -> PyResult<Program> {
        let order = parsed(py, order)?;
        let graph = Arc::clone(graph);
        let build = move |cancel: &Arc<AtomicBool>| {
            let (circuit, ledger) =
                lower::circuit(&graph, cancel).map_err(|error| error.to_string())?;
            let compiled = compile_structured(circuit, order).map_err(|error| error.to_string())?;
            let lines = ledger.lines().map(|(line, ands)| (line.to_owned(), ands)).collect();
            Ok(Program { compiled: Arc::new(compiled), lines })
        };
        running::run_owned(py, build)?
            .map_err(|error: String| raise::exception(py, "CircuitError", &error))
    }

    /// Compiles a circuit.
    fn of_circuit(
        py: Python<'_>,
        order: &str,
        read: impl FnOnce() -> Result<StructuredCircuit, String> + Send + 'static,
    ) -> PyResult<Program> {
        let order = parsed(py, order)?;
        let build = move |_: &Arc<AtomicBool>| {
            let compiled = compile_structured(read()?, order);
            let compiled = Arc::new(compiled.map_err(|error| error.to_string())?);
            Ok(Program { compiled, lines: Vec::new() })
        };
        running::run_owned(py, build)?
            .map_err(|error: String| raise::exception(py, "CircuitError", &error))
    }

    /// The inputs of one party or, without one, of both.
    pub fn inputs(
        &self,
        py: Python<'_>,
        party: Option<Party>,
        cycles: u64,
        values: Vec<Elements>,
    ) -> PyResult<PartyInputs> {
        let mut values = values.into_iter();
        let mut inputs = PartyInputs::new();
        for input in &self.compiled.circuit.inputs {
            if party.is_some_and(|party| party != input.party) {
                inputs.push(None);
                continue;
            }
            let times = if input.per_cycle { cycles as usize } else { 1 };
            let width = (input.width as usize).saturating_mul(times);
            let bits = values.next().and_then(|elements| elements.bits(width));
            if bits.is_none() {
                let what = format!("input {:?}: give {width} bits", input.name);
                return Err(raise::exception(py, "ShapeError", &what));
            }
            inputs.push(bits);
        }
        Ok(inputs)
    }
}

/// The order of this name; the default one if the name is empty.
fn parsed(py: Python<'_>, order: &str) -> PyResult<Order> {
    if order.is_empty() {
        return Ok(Order::default());
    }
    order
        .parse()
        .map_err(|error: OrderError| raise::exception(py, "OptionError", &error.to_string()))
}

/// A type as kind, width and fraction.
fn element(elements: Option<ElementType>) -> (String, u32, u32) {
    match elements {
        Some(of) => (of.element.kind().to_owned(), of.width, of.element.fraction().unwrap_or(0)),
        None => (String::new(), 0, 0),
    }
}

#[pymethods]
impl Program {
    /// The built-in program of this name, such as `psi:4x32`.
    #[staticmethod]
    #[pyo3(signature = (spec, order = ""))]
    fn built_in(py: Python<'_>, spec: String, order: &str) -> PyResult<Program> {
        Program::of_circuit(py, order, move || {
            let circuit = halfgate_programs::build_structured(&spec);
            circuit.map_err(|error| error.to_string())
        })
    }

    /// The program of a circuit file.
    #[staticmethod]
    #[pyo3(signature = (path, parties, top, parameters, sources, order = ""))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
    fn file(
        py: Python<'_>,
        path: PathBuf,
        parties: Option<Vec<bool>>,
        top: Option<String>,
        parameters: Vec<(String, String)>,
        sources: Vec<PathBuf>,
        order: &str,
    ) -> PyResult<Program> {
        let party = |garbler| if garbler { Party::Garbler } else { Party::Evaluator };
        let parties = parties.map(|parties| parties.into_iter().map(party).collect());
        Program::of_circuit(py, order, move || {
            let options = frontends::Options {
                parties,
                top,
                parameters,
                files: sources,
                ..frontends::Options::default()
            };
            let store = verilog::store();
            let progress = &mut |_| {};
            let reading = &mut verilog::Reading { store: store.as_ref(), progress };
            let circuit = frontends::open_structured_with(&path, &options, reading);
            circuit.map_err(|error| error.to_string())
        })
    }

    /// ANDs of a run.
    #[getter]
    fn ands(&self) -> u64 {
        self.compiled.ands_per_cycle()
    }

    /// Gates of a run.
    #[getter]
    fn gates(&self) -> u64 {
        self.compiled.gates_per_cycle()
    }

    /// The hash that both parties compare.
    #[getter]
    fn hash(&self) -> String {
        self.compiled.hash.to_string()
    }

    /// The order of the gates, which both parties compare too.
    #[getter]
    fn order(&self) -> String {
        self.compiled.order.to_string()
    }

    #[getter]
    fn cycles(&self) -> u64 {
        self.compiled.circuit.cycles
    }

    /// The largest number of ANDs on one path; `None` if finding it out takes too long.
    fn depth(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let compiled = Arc::clone(&self.compiled);
        running::run_owned(py, move |_| match &compiled.structure {
            Some(structured) => {
                depth_within(&structured.circuit, MAX_DEPTH_STEPS).map(|depth| depth.ands)
            }
            None => Some(Stats::of(&compiled.circuit).and_depth.into()),
        })
    }

    /// ANDs by source line.
    fn lines(&self) -> Vec<(String, u64)> {
        self.lines.clone()
    }

    /// The input ports.
    fn input_ports(&self) -> Vec<Port> {
        let inputs = self.compiled.circuit.inputs.iter();
        let port = |input: &halfgate_circuit::Input| {
            let garbler = input.party == Party::Garbler;
            let (name, elements) = (input.name.clone(), element(input.elements));
            (name, garbler, input.width as usize, elements, input.per_cycle)
        };
        inputs.map(port).collect()
    }

    /// The output ports; both parties own them.
    fn output_ports(&self) -> Vec<Port> {
        let outputs = self.compiled.circuit.outputs.iter();
        let port = |output: &halfgate_circuit::Output| {
            let elements = element(output.elements);
            (output.name.clone(), false, output.bits.len(), elements, output.per_cycle)
        };
        outputs.map(port).collect()
    }

    /// The functions: name, inputs, ANDs of the body, and its calls as number of the function,
    /// form and runs. The outermost body is the last.
    #[allow(clippy::type_complexity, reason = "a list of tuples for Python")]
    fn functions(&self) -> Vec<(String, u64, u64, Vec<(u32, &'static str, u64)>)> {
        let Some(structured) = &self.compiled.structure else {
            let circuit = &self.compiled.circuit;
            let inputs = circuit.inputs.iter().map(|input| u64::from(input.width)).sum();
            return vec![(String::new(), inputs, circuit.gates.ands(), Vec::new())];
        };
        let circuit = &structured.circuit;
        let calls = |body: &halfgate_circuit::structured::Body| {
            let call = |call: &halfgate_circuit::structured::Call| {
                let form = match call.form {
                    Form::Once => "call",
                    Form::Map { .. } => "map",
                    Form::Fold { .. } => "fold",
                };
                (call.function.0, form, call.form.runs())
            };
            body.calls.iter().map(call).collect()
        };
        let functions = circuit.functions.iter();
        let mut all: Vec<_> = functions
            .map(|f| (f.name.clone(), f.inputs.into(), f.body.gates.ands(), calls(&f.body)))
            .collect();
        let inputs = circuit.input_bits() as u64;
        all.push((String::new(), inputs, circuit.body.gates.ands(), calls(&circuit.body)));
        all
    }

    /// Computes the program on plain values.
    fn clear(&self, py: Python<'_>, values: Vec<Elements>) -> PyResult<Vec<Vec<u8>>> {
        let cycles = self.compiled.circuit.cycles;
        let inputs = self.inputs(py, None, cycles, values)?;
        let inputs: Vec<Bits> = inputs.into_iter().flatten().collect();
        let compiled = Arc::clone(&self.compiled);
        let compute = move |cancel: &Arc<AtomicBool>| {
            let outputs = match &compiled.structure {
                Some(with) => structured::evaluate_until(&with.circuit, &inputs, cycles, cancel)
                    .map(Option::unwrap_or_default)
                    .map_err(|error| error.to_string()),
                None => clear::evaluate(&compiled.circuit, &inputs, cycles)
                    .map_err(|error| error.to_string()),
            };
            Ok(outputs?.iter().map(Bits::to_bytes).collect())
        };
        running::run_owned(py, compute)?
            .map_err(|error: String| raise::exception(py, "CircuitError", &error))
    }

    /// Runs both parties in this process. Returns the outcome of the garbler and of the evaluator.
    fn run(
        &self,
        py: Python<'_>,
        values: Vec<Elements>,
        options: &Options,
    ) -> PyResult<(Outcome, Outcome)> {
        let session = options.session(self.compiled.circuit.cycles);
        let both = self.inputs(py, None, session.cycles, values)?;
        let owners = self.compiled.circuit.inputs.iter().map(|input| input.party);
        let (mut garbler, mut evaluator) = (PartyInputs::new(), PartyInputs::new());
        for (owner, bits) in owners.zip(both) {
            let (own, other) = match owner {
                Party::Garbler => (&mut garbler, &mut evaluator),
                Party::Evaluator => (&mut evaluator, &mut garbler),
            };
            own.push(bits);
            other.push(None);
        }
        let engines = options.engines(py, &[Party::Garbler, Party::Evaluator])?;
        let [garbles, evaluates] = [0, 1].map(|party| &*engines[party]);
        let result = running::run(py, &options.cancel, || {
            let garbler = LocalParty::new(garbles, &garbler);
            let evaluator = LocalParty::new(evaluates, &evaluator);
            run_local(&self.compiled, garbler, evaluator, &session)
        })?;
        let (garbled, evaluated) =
            result.map_err(|error: SessionError| raise::of_session(py, &error))?;
        Ok((outcome(&garbled, garbles, 1), outcome(&evaluated, evaluates, 1)))
    }

    /// Garbles one run into a new file. Returns a report as JSON.
    fn garble_ahead(&self, py: Python<'_>, path: PathBuf, options: &Options) -> PyResult<String> {
        let session = options.session(self.compiled.circuit.cycles);
        let engines = options.engines(py, &[Party::Garbler])?;
        let engine = &*engines[0];
        let garbled = running::run(py, &options.cancel, || {
            garble_to_file(&self.compiled, engine, &session, &path, &mut |_| {})
        })?;
        let report = garbled.map_err(|error| {
            match options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                true => raise::exception(py, "CancelledError", "cancelled; the file is removed"),
                false => raise::of_session(py, &error),
            }
        })?;
        let about = json!({
            "engine": engine.name(),
            "gates": report.counters.gates,
            "and_gates": report.counters.ands,
            "cycles": report.counters.cycles,
            "bytes": report.bytes,
            "seconds": report.total.as_secs_f64(),
            "simulated": simulated(engine, 1),
        });
        Ok(about.to_string())
    }
}
