//! Tests vector files: our own, those of other implementations, and damaged ones. Also tests that
//! the check detects an engine's mistakes.

use halfgate_circuit::{Bit, GateKind, Wire};
use halfgate_compiler::Program;
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::vectors::{Field, Outcome, VectorError, Verdict, check};
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Label, Prepared, RunKey,
};
use halfgate_reference::{Cycle, Garbled, Gate, Key, Suite};
use std::path::{Path, PathBuf};

/// An engine that garbles circuits without flip-flops with the reference, one cycle at a time. It
/// can make a deliberate mistake.
#[derive(Clone, Copy)]
struct ReferenceEngine {
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// AND numbers and cycles start at 1.
    Tweak,
    /// Garbler and evaluator alike exchange the rows of the tables.
    RowOrder,
    /// The garbler forgets the inversion of XNOR.
    Xnor,
    /// The evaluator takes the colour of its first input to be 0.
    EvaluatorColour,
    /// The last table is missing.
    Short,
}

impl Engine for ReferenceEngine {
    fn name(&self) -> String {
        "test".into()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let wire = |bit: Bit| bit.wire().expect("operands are wires").index();
        let first = program.circuit.first_gate_wire();
        let gates =
            program.circuit.gates.iter().zip(first..).map(|(gate, out)| match gate.kind() {
                GateKind::Xor { a, b, invert } => {
                    let invert = invert && self.mistake != Mistake::Xnor;
                    Gate::Xor { a: a.index(), b: b.index(), out, invert }
                }
                GateKind::And { a, b, invert } => Gate::And {
                    a: wire(a),
                    b: wire(b),
                    out,
                    invert_a: a.is_inverted(),
                    invert_b: b.is_inverted(),
                    invert_out: invert,
                },
                GateKind::Copy { a, invert } => Gate::Copy { a: a.index(), out, invert },
            });
        let outputs = program.circuit.outputs.iter().flat_map(|output| output.bits.iter());
        Ok(Box::new(PreparedReference {
            mistake: self.mistake,
            gates: gates.collect(),
            inputs: (0..first as u32).map(Wire::new).collect(),
            outputs: outputs.map(wire).collect(),
        }))
    }
}

struct PreparedReference {
    mistake: Mistake,
    gates: Vec<Gate>,
    inputs: Vec<Wire>,
    outputs: Vec<usize>,
}

impl PreparedReference {
    fn cycles(&self, cycles: u64) -> impl Iterator<Item = Cycle> {
        let start = u64::from(self.mistake == Mistake::Tweak);
        let first = Cycle { number: start, first_and: start };
        let next = |cycle: &Cycle| Some(cycle.next(&self.gates));
        std::iter::successors(Some(first), next).take(cycles as usize)
    }

    fn outputs_of(&self, wires: &[u128]) -> (Vec<u32>, Vec<Label>) {
        let labels = self.outputs.iter().map(|&wire| Label::from_u128(wires[wire]));
        ((0..self.outputs.len() as u32).collect(), labels.collect())
    }

    fn counters(&self, cycles: u64) -> Counters {
        let gates = self.gates.len() as u64 * cycles;
        Counters { gates, ands: 0, cycles }
    }
}

fn key(key: RunKey) -> Key {
    Key { suite: Suite::from_name(key.suite.name()).expect("a suite"), point: key.point }
}

impl Prepared for PreparedReference {
    fn garble(
        &mut self,
        run: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        for (number, cycle) in self.cycles(cycles).enumerate() {
            let mut labels = vec![Label::ZERO; self.inputs.len()];
            io.false_labels(number as u64, &self.inputs, &mut labels).map_err(EngineError::Io)?;
            let labels: Vec<u128> = labels.into_iter().map(Label::to_u128).collect();
            let delta = delta.label().to_u128();
            let Garbled { tables, false_labels } =
                halfgate_reference::garble(key(run), delta, cycle, &self.gates, &labels);
            let (mut bytes, size) = (tables.concat(), run.suite.table_bytes());
            if self.mistake == Mistake::RowOrder {
                let row = run.suite.label_bits() as usize / 8;
                bytes.chunks_mut(size).for_each(|table| table.rotate_left(row));
            }
            if self.mistake == Mistake::Short {
                bytes.truncate(bytes.len() - size);
            }
            io.table_space(bytes.len()).map_err(EngineError::Io)?.copy_from_slice(&bytes);
            io.tables_ready().map_err(EngineError::Io)?;
            let (bits, labels) = self.outputs_of(&false_labels);
            io.output(number as u64, &bits, &labels).map_err(EngineError::Io)?;
        }
        Ok(self.counters(cycles))
    }

    fn evaluate(
        &mut self,
        run: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let ands = self.gates.iter().filter(|gate| matches!(gate, Gate::And { .. })).count();
        for (number, cycle) in self.cycles(cycles).enumerate() {
            let mut labels = vec![Label::ZERO; self.inputs.len()];
            io.active_labels(number as u64, &self.inputs, &mut labels).map_err(EngineError::Io)?;
            let mut labels: Vec<u128> = labels.into_iter().map(Label::to_u128).collect();
            if self.mistake == Mistake::EvaluatorColour {
                labels[0] &= !1;
            }
            let size = run.suite.table_bytes();
            let bytes = io.tables(size * ands).map_err(EngineError::Io)?;
            let tables: Vec<Vec<u8>> = bytes.chunks(size).map(<[u8]>::to_vec).collect();
            let labels =
                halfgate_reference::evaluate(key(run), cycle, &self.gates, &tables, &labels);
            let (bits, labels) = self.outputs_of(&labels);
            io.output(number as u64, &bits, &labels).map_err(EngineError::Io)?;
        }
        Ok(self.counters(cycles))
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn vector(name: &str) -> String {
    read(&repository().join("spec/vectors").join(name))
}

fn verdict(text: &str, mistake: Mistake) -> Verdict {
    let outcome = check(text, "test.json", &[&ReferenceEngine { mistake }]).expect("a vector file");
    assert_eq!(outcome.checks[0].verdict, Verdict::Agrees, "the reference");
    outcome.checks[1].verdict.clone()
}

/// The reference as an engine, and the CPU engine with every kernel of this computer.
fn engines() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> =
        vec![Box::new(ReferenceEngine { mistake: Mistake::None })];
    for kernel in halfgate_kernels::KERNELS {
        match CpuEngine::new(Some(kernel.name)) {
            Ok(engine) => engines.push(Box::new(engine)),
            Err(why) => println!("not run: {why}"),
        }
    }
    engines
}

#[test]
fn all_vectors_hold() {
    let mut files = 0;
    for entry in std::fs::read_dir(repository().join("spec/vectors")).expect("spec/vectors") {
        let path = entry.expect("an entry").path();
        let engines = engines();
        let engines: Vec<&dyn Engine> = engines.iter().map(|engine| &**engine).collect();
        let outcome =
            check(&read(&path), &path.file_name().unwrap().to_string_lossy(), &engines).unwrap();
        println!("{outcome}");
        assert_eq!(outcome.checks.len(), engines.len() + 1, "every engine and the reference");
        assert!(outcome.checks.iter().all(|c| c.verdict == Verdict::Agrees), "{outcome}");
        files += 1;
    }
    assert!(files >= 12, "only {files} files");
}

/// Files that other implementations made name their source and are unchanged. Tables of ours in
/// their place would pass `all_vectors_hold` too, so the files themselves are compared.
#[test]
fn vectors_of_other_implementations_are_unchanged() {
    for (name, given, source, gates) in [
        ("half-gates-emp.json", "half-gates-emp.json", "EMP toolkit 0.3, run 2026-11-20", 60),
        ("half-gates-fase-rtl.json", "half-gates-fase.json", "RTL's engine test bench", 11),
    ] {
        let text = vector(name);
        assert!(text.contains(source), "{name}");
        assert_eq!(check(&text, name, &[]).expect("a vector file").gates, gates, "{name}");
        let given = repository().join("../shared/vectors").join(given);
        match given.exists() {
            true => assert!(text == read(&given), "{name} is not {}", given.display()),
            false => println!("not run: {} is not there", given.display()),
        }
    }
}

#[test]
fn an_engines_mistakes_are_found() {
    for file in [
        "half-gates.json",
        "half-gates-fixed-key-cycle.json",
        "half-gates-fase-gates.json",
        "grr3-sha1.json",
        "grr3.json",
    ] {
        let first = if file.starts_with("grr3") { Field::Row(1) } else { Field::Tg };
        let text = vector(file);
        assert_eq!(verdict(&text, Mistake::None), Verdict::Agrees, "{file}");
        for mistake in [Mistake::Tweak, Mistake::RowOrder] {
            let Verdict::Differs(found) = verdict(&text, mistake) else { panic!("{file}: missed") };
            assert_eq!(found.field, first, "{file}: {found}");
        }
        assert!(matches!(verdict(&text, Mistake::Xnor), Verdict::Differs(_)), "{file}");
        let Verdict::Differs(found) = verdict(&text, Mistake::EvaluatorColour) else {
            panic!("{file}: missed")
        };
        assert!(matches!(found.field, Field::ActiveLabel(_)), "{file}: {found}");
        assert!(matches!(verdict(&text, Mistake::Short), Verdict::Failed(_)), "{file}");
    }
}

/// Returns `text` with the last digit of the `n`th label after `after` changed.
fn damaged(text: &str, after: &str, n: usize) -> String {
    let start = text.find(after).expect("the field");
    let label = |(i, part): (usize, &str)| (part.len() == 34).then_some(i + 32);
    let mut ends = Vec::new();
    let mut i = start;
    for part in text[start..].split_inclusive(|c: char| ",[]{}: \n".contains(c)) {
        let token = part.trim_end_matches(|c: char| ",[]{}: \n".contains(c));
        ends.extend(label((i, token)));
        i += part.len();
    }
    let at = ends[n];
    let digit = if &text[at..at + 1] == "0" { "1" } else { "0" };
    format!("{}{digit}{}", &text[..at], &text[at + 1..])
}

fn differs(text: &str) -> (Option<usize>, Field) {
    let outcome: Outcome = check(text, "damaged.json", &[]).expect("a vector file");
    assert!(!outcome.is_ok());
    match &outcome.checks[0].verdict {
        Verdict::Differs(mismatch) => (mismatch.gate, mismatch.field),
        other => panic!("{other}"),
    }
}

#[test]
fn a_damaged_file_differs_where_it_is_damaged() {
    let text = vector("half-gates-small.json");
    let ands: Vec<usize> = {
        let gates = &text[text.find("\"gates\"").unwrap()..text.find("\"tables\"").unwrap()];
        let kinds = gates.split("[\"").skip(1);
        kinds.enumerate().filter(|(_, kind)| kind.starts_with("AND")).map(|(i, _)| i).collect()
    };
    assert_eq!(differs(&damaged(&text, "\"tables\"", 0)), (Some(ands[0]), Field::Tg));
    assert_eq!(differs(&damaged(&text, "\"tables\"", 7)), (Some(ands[3]), Field::Te));
    assert_eq!(differs(&damaged(&text, "\"outputs\"", 0)), (None, Field::FalseLabel));
    let start = damaged(&text, "\"start\"", 0);
    assert_eq!(differs(&start), (Some(ands[0]), Field::Tg));
}

#[test]
fn invalid_vector_files_are_refused_by_field() {
    let circuit = vector("half-gates-small.json");
    let rows = vector("grr3-sha1.json");
    let gates = vector("half-gates-fixed-key-gates.json");
    let refused = |text: &str| match check(text, "bad.json", &[]) {
        Err(error @ (VectorError::Json { .. } | VectorError::Field { .. })) => error.to_string(),
        other => panic!("{other:?}"),
    };
    for (text, from, to, expected) in [
        (&circuit, "\"half-gates\"", "\"whole-gates\"", "suite: unknown suite \"whole-gates\""),
        (&circuit, "\"delta\": \"", "\"delta\": \"g", "delta: \"g"),
        (&circuit, "\"start\"", "\"key\"", "key: half-gates has none"),
        (&circuit, "\"source\"", "\"origin\"", "unknown field `origin`"),
        (&circuit, "[\"XOR\",", "[\"XAND\",", "gates[0]: \"XAND\" with two inputs"),
        (&circuit, "[\"XOR\",", "[\"XOR\",99", "neither an input nor driven"),
        (&circuit, "[\"XOR\",", "[\"AND\",", "tables: 15 tables for 16 gates"),
        (&circuit, ",4], [", ",3], [", "gates[0][3]: wire 3 already has a driver"),
        (&circuit, "\"0\": ", "\"400\": ", "outputs[400]: the circuit has no such wire"),
        (&circuit, "\"tables\": [", "\"tables\": [[],", "tables[0]: 0 rows: a table of"),
        (&rows, "\"delta\"", "\"start\": \"0\", \"delta\"", "start: grr3-sha1 has none"),
        (&rows, "\"delta\": \"", "\"delta\": \"0", "is not a label: 20 hex digits"),
        (&gates, "\"key\"", "\"start\"", "start: half-gates-fixed-key has none"),
        (&gates, "\"cycle\": 0", "\"cycle\": -1", "at line 6"),
        (&gates, "\"type\": \"AND\"", "\"type\": \"XOR\"", "gates[0].table: this type has none"),
        (&gates, "\"type\": \"XOR\"", "\"type\": \"AND\"", "table: this type has a table"),
        (&gates, "\"type\": \"XOR\"", "\"type\": \"NOT\"", "\"NOT\" with two inputs"),
        (&gates, "\"gate\": ", "\"gate\": 999", "gate: gate numbers must ascend"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = refused(&text.replacen(from, to, 1));
        assert!(error.starts_with("bad.json: ") && error.contains(expected), "{expected}: {error}");
    }
    let even = damaged(&circuit, "\"delta\"", 0);
    assert!(refused(&even).contains("delta: its lowest bit"), "{}", refused(&even));
    assert!(refused("").contains("not a vector file"));
    assert!(refused("{\"inputs\": []}").contains("missing field"));
}
