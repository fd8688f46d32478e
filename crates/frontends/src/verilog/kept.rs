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
use halfgate_circuit::{
    Bit, Circuit, Element, ElementType, FlipFlop, Gate, Gates, Init, Input, Output, Party,
    SourceMap, Wire, verify,
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

    pub(super) fn get(&self) -> Option<Circuit> {
        let circuit = decode(&self.store.get(&self.key)?)?;
        verify::verify(&circuit).is_ok().then_some(circuit)
    }

    /// Whether both entries have the same key.
    pub(super) fn is_same_as(&self, other: &Kept<'_>) -> bool {
        self.key == other.key
    }

    /// Stores `circuit`, unless a file that Yosys has read (`read`) is not part of the key. If the
    /// store cannot be written, that is ignored, because it only costs time later.
    pub(super) fn put(&self, circuit: &Circuit, sources: &Sources, read: &[PathBuf]) {
        let is_known = |path: &PathBuf| {
            sources.paths().any(|known| known == path)
                || path.canonicalize().is_ok_and(|path| self.included.contains(&path))
        };
        if !read.iter().all(is_known) {
            return;
        }
        let gates = 8 * circuit.gates.len() as u64;
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
    gates: u64,
    /// For each run of gates: the first gate, and the source line.
    lines: Vec<(u64, String)>,
}

#[derive(Serialize, Deserialize)]
struct Port {
    name: String,
    per_cycle: bool,
    /// Whether elements are signed, and the bits of an element.
    elements: Option<(bool, u32)>,
}

/// Encodes a circuit as a length, a header in JSON, and the gates. Returns `None` if ports have a
/// type that Verilog cannot express.
fn encode(circuit: &Circuit) -> Option<Vec<u8>> {
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
    let lines = circuit.gates.sources().into_iter().flat_map(SourceMap::runs);
    let header = Header {
        inputs: inputs.collect::<Option<_>>()?,
        flip_flops: flip_flops.collect(),
        outputs: outputs.collect::<Option<_>>()?,
        cycles: circuit.cycles,
        gates: circuit.gates.len() as u64,
        lines: lines.map(|(gate, line)| (gate, line.to_owned())).collect(),
    };
    let header = serde_json::to_vec(&header).ok()?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    circuit.gates.iter().for_each(|gate| bytes.extend(gate.to_bytes()));
    Some(bytes)
}

fn decode(bytes: &[u8]) -> Option<Circuit> {
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
            true if init < Wire::MAX => Init::Input(Wire::new(init)),
            true => return None,
            false => Init::Constant(init != 0),
        };
        Some(FlipFlop { init, next: Bit::from_code(next) })
    });
    let (chunks, rest) = gates.as_chunks();
    if !rest.is_empty() || chunks.len() as u64 != header.gates {
        return None;
    }
    let mut gates = Gates::new();
    let mut lines = header.lines.into_iter().peekable();
    for (gate, chunk) in chunks.iter().enumerate() {
        if let Some((_, line)) = lines.next_if(|&(first, _)| first == gate as u64) {
            gates.begin_line(&line);
        }
        gates.push(Gate::from_bytes(*chunk)).ok()?;
    }
    Some(Circuit {
        inputs: inputs.collect(),
        flip_flops: flip_flops.collect::<Option<_>>()?,
        gates,
        outputs: outputs.collect(),
        cycles: header.cycles,
    })
}
