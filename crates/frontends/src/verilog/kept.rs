//! A cache of circuits of designs that were read before.
//!
//! The key of a circuit is a hash of everything on which the circuit depends: the files with their
//! includes, the options, the version of Yosys, and the code of this reader. [`Store`] checks the
//! integrity of a cached entry. The circuit is then verified like one that is read from a file.

use super::Options;
use super::sources::Sources;
use super::yosys::Tool;
use crate::scd::Outputs;
use halfgate_cache::Store;
use halfgate_circuit::structured::{
    Argument, Body, Call, Form, Function, FunctionId, StructuredCircuit, verify,
};
use halfgate_circuit::{
    Bit, Element, ElementType, FlipFlop, Gate, Gates, Init, Input, Output, Party, SourceMap, Wire,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A hash of the sources of this reader, and of the gadgets that it uses (see `build.rs`).
const READER: &str = env!("HALFGATE_READER");

/// The cache entry of a design.
pub(super) struct Kept<'a> {
    store: &'a Store,
    key: String,
    /// Description for users.
    label: String,
    /// The included files that are part of the key.
    included: Vec<PathBuf>,
}

impl<'a> Kept<'a> {
    /// Returns the entry for `sources` read with `options` by `tool`. Returns `None` if it is not
    /// known in advance which files Yosys will read.
    pub(super) fn of(
        store: &'a Store,
        sources: &Sources,
        options: &Options,
        tool: &Tool,
    ) -> Option<Kept<'a>> {
        if tool.version.is_empty() {
            return None;
        }
        let mut hash = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        add(READER.as_bytes());
        add(tool.version.as_bytes());
        add(tool.identity.as_bytes());
        add(&[u8::from(tool.has_slang), u8::from(options.as_written)]);
        add(options.top.as_deref().unwrap_or_default().as_bytes());
        add(&[u8::from(options.top.is_some())]);
        for (name, value) in &options.parameters {
            add(name.as_bytes());
            add(value.as_bytes());
        }
        let parties = options.parties.as_ref().map(|parties| {
            let owner = |party: &Party| if *party == Party::Garbler { b'g' } else { b'e' };
            parties.iter().map(owner).collect::<Vec<u8>>()
        });
        add(&[u8::from(parties.is_some())]);
        add(&parties.unwrap_or_default());
        add(match options.outputs {
            None => b"",
            Some(Outputs::EveryCycle) => b"every",
            Some(Outputs::Last) => b"last",
        });
        for source in &sources.0 {
            // Only the file's name is part of the key, because it selects the language. The folder
            // does not affect the circuit.
            add(source.path.file_name()?.to_str()?.as_bytes());
            add(&source.bytes);
        }
        let places = sources.included()?;
        for place in &places {
            add(place.name.as_bytes());
            add(&[u8::from(place.bytes.is_some())]);
            add(place.bytes.as_deref().unwrap_or_default());
        }
        let key = hash.finalize().to_hex()[..32].to_owned();
        let included = places.iter().filter_map(|place| place.path.canonicalize().ok()).collect();
        let mut label = sources.0[0].path.file_name()?.to_string_lossy().into_owned();
        for (name, value) in &options.parameters {
            label.push_str(&format!(" {name}={value}"));
        }
        Some(Kept { store, key, label, included })
    }

    pub(super) fn get(&self) -> Option<StructuredCircuit> {
        let circuit = decode(&self.store.get(&self.key)?)?;
        verify(&circuit).is_ok().then_some(circuit)
    }

    /// Whether both entries have the same key.
    pub(super) fn is_same_as(&self, other: &Kept<'_>) -> bool {
        self.key == other.key
    }

    /// Stores `circuit`, unless a file that Yosys has read (`read`) is not part of the key. If the
    /// store cannot be written, that is ignored, because it only costs time later.
    pub(super) fn put(&self, circuit: &StructuredCircuit, sources: &Sources, read: &[PathBuf]) {
        let is_known = |path: &PathBuf| {
            sources.paths().any(|known| known == path)
                || path.canonicalize().is_ok_and(|path| self.included.contains(&path))
        };
        if !read.iter().all(is_known) {
            return;
        }
        let gates: u64 = bodies(circuit).map(|body| 8 * body.gates.len() as u64).sum();
        // An entry that the store would reject for its size is not built.
        if gates <= self.store.max_bytes()
            && let Some(payload) = encode(circuit)
        {
            let _ = self.store.put(&self.key, &self.label, &payload);
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    inputs: Vec<(Port, bool, u32)>,
    /// For each flip-flop: whether it starts from an input, the wire of that input or the constant,
    /// and the code of the next value.
    flip_flops: Vec<(bool, u32, u32)>,
    outputs: Vec<(Port, Vec<u32>)>,
    cycles: u64,
    /// The name, the number of inputs, the codes of the outputs and the body of each function.
    functions: Vec<(String, u32, Vec<u32>, BodyHeader)>,
    body: BodyHeader,
}

#[derive(Serialize, Deserialize)]
struct BodyHeader {
    gates: u64,
    /// For each run of gates: the first gate, and the source line.
    lines: Vec<(u64, String)>,
    calls: Vec<KeptCall>,
}

#[derive(Serialize, Deserialize)]
struct KeptCall {
    after: u64,
    function: u32,
    /// The number of lanes, if it is a map. There are no folds.
    lanes: Option<u64>,
    arguments: Vec<KeptArgument>,
}

#[derive(Serialize, Deserialize)]
enum KeptArgument {
    /// The codes of the bits.
    Shared(Vec<u32>),
    /// The width, the first wire, and the strides of runs and bits.
    Sliced(u32, u32, u32, u32),
    /// The width, and the codes of the bits.
    Listed(u32, Vec<u32>),
}

#[derive(Serialize, Deserialize)]
struct Port {
    name: String,
    per_cycle: bool,
    /// Whether elements are signed, and the bits of an element.
    elements: Option<(bool, u32)>,
}

/// Encodes a circuit as a length, a header in JSON, and the gates: those of each function, then
/// those of the outermost body. Returns `None` if the circuit has parts that Verilog cannot
/// express.
fn encode(circuit: &StructuredCircuit) -> Option<Vec<u8>> {
    let port = |name: &str, per_cycle, elements: &Option<ElementType>| {
        let elements = match elements {
            None => None,
            Some(ElementType { element: Element::Unsigned, width }) => Some((false, *width)),
            Some(ElementType { element: Element::Signed, width }) => Some((true, *width)),
            Some(_) => return None,
        };
        Some(Port { name: name.to_owned(), per_cycle, elements })
    };
    let inputs = circuit.inputs.iter().map(|input| {
        let is_garbler = input.party == Party::Garbler;
        Some((port(&input.name, input.per_cycle, &input.elements)?, is_garbler, input.width))
    });
    let outputs = circuit.outputs.iter().map(|output| {
        let bits = output.bits.iter().map(|bit| bit.code()).collect();
        Some((port(&output.name, output.per_cycle, &output.elements)?, bits))
    });
    let flip_flops = circuit.flip_flops.iter().map(|flip_flop| {
        let (is_input, init) = match flip_flop.init {
            Init::Constant(value) => (false, u32::from(value)),
            Init::Input(wire) => (true, wire.number()),
        };
        (is_input, init, flip_flop.next.code())
    });
    let functions = circuit.functions.iter().map(|function| {
        let outputs = codes(&function.outputs);
        Some((function.name.clone(), function.inputs, outputs, encode_body(&function.body)?))
    });
    let header = Header {
        inputs: inputs.collect::<Option<_>>()?,
        flip_flops: flip_flops.collect(),
        outputs: outputs.collect::<Option<_>>()?,
        cycles: circuit.cycles,
        functions: functions.collect::<Option<_>>()?,
        body: encode_body(&circuit.body)?,
    };
    let header = serde_json::to_vec(&header).ok()?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    for body in bodies(circuit) {
        body.gates.iter().for_each(|gate| bytes.extend(gate.to_bytes()));
    }
    Some(bytes)
}

/// The bodies of the functions, then the outermost one.
fn bodies(circuit: &StructuredCircuit) -> impl Iterator<Item = &Body> {
    circuit.functions.iter().map(|function| &function.body).chain([&circuit.body])
}

fn codes(bits: &[Bit]) -> Vec<u32> {
    bits.iter().map(|bit| bit.code()).collect()
}

fn encode_body(body: &Body) -> Option<BodyHeader> {
    let lines = body.gates.sources().into_iter().flat_map(SourceMap::runs);
    let calls = body.calls.iter().map(|call| {
        let lanes = match call.form {
            Form::Once => None,
            Form::Map { lanes } => Some(lanes),
            Form::Fold { .. } => return None,
        };
        let argument = |argument: &Argument| match argument {
            Argument::Shared(bits) => KeptArgument::Shared(codes(bits)),
            Argument::Sliced { width, first, run_stride, bit_stride } => {
                KeptArgument::Sliced(*width, first.number(), *run_stride, *bit_stride)
            }
            Argument::Listed { width, bits } => KeptArgument::Listed(*width, codes(bits)),
        };
        let (after, function) = (call.after as u64, call.function.0);
        let arguments = call.arguments.iter().map(argument).collect();
        Some(KeptCall { after, function, lanes, arguments })
    });
    Some(BodyHeader {
        gates: body.gates.len() as u64,
        lines: lines.map(|(gate, line)| (gate, line.to_owned())).collect(),
        calls: calls.collect::<Option<_>>()?,
    })
}

fn decode(bytes: &[u8]) -> Option<StructuredCircuit> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (header, gates) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: Header = serde_json::from_slice(header).ok()?;
    let element = |(signed, width): (bool, u32)| {
        let element = if signed { Element::Signed } else { Element::Unsigned };
        ElementType { element, width }
    };
    let inputs = header.inputs.into_iter().map(|(port, is_garbler, width)| {
        let party = if is_garbler { Party::Garbler } else { Party::Evaluator };
        let Port { name, per_cycle, elements } = port;
        Input { name, party, width, per_cycle, elements: elements.map(element), is_set: false }
    });
    let outputs = header.outputs.into_iter().map(|(port, bits)| {
        let bits = bits.into_iter().map(Bit::from_code).collect();
        let Port { name, per_cycle, elements } = port;
        Output { name, bits, per_cycle, elements: elements.map(element) }
    });
    let flip_flops = header.flip_flops.into_iter().map(|(is_input, init, next)| {
        let init = match is_input {
            true => Init::Input(wire(init)?),
            false => Init::Constant(init != 0),
        };
        Some(FlipFlop { init, next: Bit::from_code(next) })
    });
    let (chunks, rest) = gates.as_chunks();
    let mut left = chunks.iter();
    let functions = header.functions.into_iter().map(|(name, inputs, outputs, body)| {
        let outputs = outputs.into_iter().map(Bit::from_code).collect();
        Some(Function { name, inputs, outputs, body: decode_body(body, &mut left)? })
    });
    let functions = functions.collect::<Option<_>>()?;
    let body = decode_body(header.body, &mut left)?;
    (rest.is_empty() && left.len() == 0).then_some(())?;
    Some(StructuredCircuit {
        inputs: inputs.collect(),
        flip_flops: flip_flops.collect::<Option<_>>()?,
        functions,
        body,
        outputs: outputs.collect(),
        cycles: header.cycles,
    })
}

/// Decodes a body, whose gates are the next ones.
fn decode_body<'a>(
    header: BodyHeader,
    chunks: &mut impl ExactSizeIterator<Item = &'a [u8; 8]>,
) -> Option<Body> {
    (header.gates <= chunks.len() as u64).then_some(())?;
    let mut gates = Gates::new();
    let mut lines = header.lines.into_iter().peekable();
    for (gate, chunk) in chunks.take(header.gates as usize).enumerate() {
        if let Some((_, line)) = lines.next_if(|&(first, _)| first == gate as u64) {
            gates.begin_line(&line);
        }
        gates.push(Gate::from_bytes(*chunk)).ok()?;
    }
    let bits = |codes: Vec<u32>| codes.into_iter().map(Bit::from_code).collect();
    let calls = header.calls.into_iter().map(|call| {
        let argument = |argument| match argument {
            KeptArgument::Shared(codes) => Some(Argument::Shared(bits(codes))),
            KeptArgument::Sliced(width, first, run_stride, bit_stride) => {
                Some(Argument::Sliced { width, first: wire(first)?, run_stride, bit_stride })
            }
            KeptArgument::Listed(width, codes) => {
                Some(Argument::Listed { width, bits: bits(codes) })
            }
        };
        Some(Call {
            after: usize::try_from(call.after).ok()?,
            function: FunctionId(call.function),
            form: call.lanes.map_or(Form::Once, |lanes| Form::Map { lanes }),
            arguments: call.arguments.into_iter().map(argument).collect::<Option<_>>()?,
        })
    });
    Some(Body { gates, calls: calls.collect::<Option<_>>()? })
}

fn wire(number: u32) -> Option<Wire> {
    (number < Wire::MAX).then(|| Wire::new(number))
}
