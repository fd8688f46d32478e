//! A program: a circuit in one gate order, with the hash that both parties compare.

use crate::error::CompileError;
use crate::group_functions::group_functions;
use crate::inline::inline_small;
use crate::order::Order;
use crate::program_hash::ProgramHash;
use crate::skip::Known;
use crate::structured_hash::structured_hash;
use halfgate_circuit::structured::blocks::Plan;
use halfgate_circuit::structured::{FlattenError, Size, Sizes, StructuredCircuit, flatten, verify};
use halfgate_circuit::{Circuit, Gates};
use std::io;
use std::sync::{Arc, OnceLock};

/// A circuit whose gates stand in the order of garbling. AND numbers and tables follow that order.
/// A program does not depend on the machines that run it.
#[derive(Debug)]
pub struct Program {
    /// The circuit, gates in program order. Of a structured program only the ports: it has no
    /// gates, and its output bits are wires of the outermost body.
    pub circuit: Circuit,
    /// The order, by the name that the peer receives.
    pub order: Order,
    /// Hash of the canonical encoding: see [`ProgramHash`].
    pub hash: ProgramHash,
    /// Present if gates with public results are skipped in each cycle: see [`skip`](crate::skip).
    pub skips: Option<Skips>,
    /// Present if the program has functions. Programs with state or per-cycle ports have none: they
    /// are flattened.
    pub structure: Option<Arc<StructuredProgram>>,
}

/// Marks a program that skips gates.
#[derive(Clone, Debug, Default)]
pub struct Skips {
    /// Public knowledge about the program's state, in addition to what its gates show.
    pub known: Option<Arc<dyn Known>>,
}

impl Program {
    /// Returns the same program with skipping. It counts as another program with another hash.
    #[must_use]
    pub fn skipping(self, skips: Skips) -> Program {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"halfgate program 1, skipping\n").update(&self.hash.0);
        if let Some(known) = &skips.known {
            hasher.update(&known.hash());
        }
        let hash = ProgramHash(*hasher.finalize().as_bytes());
        Program { hash, skips: Some(skips), ..self }
    }

    /// ANDs in one run of the body, without skipping.
    pub fn ands_per_cycle(&self) -> u64 {
        match &self.structure {
            Some(structured) => structured.size().ands,
            None => self.circuit.gates.ands(),
        }
    }

    /// Gates in one run of the body.
    pub fn gates_per_cycle(&self) -> u64 {
        match &self.structure {
            Some(structured) => structured.size().gates,
            None => self.circuit.gates.len() as u64,
        }
    }
}

/// A structured circuit whose gates stand in the order of garbling. AND numbers and tables are
/// those of its flattening.
#[derive(Debug)]
pub struct StructuredProgram {
    /// The circuit, gates of bodies in the program's order.
    pub circuit: StructuredCircuit,
    /// The order, by the name that the peer receives.
    pub order: Order,
    /// Its hash, by `spec/functions.md`.
    pub hash: ProgramHash,
    functions: Vec<[u8; 32]>,
    sizes: Sizes,
    size: Size,
    plan: OnceLock<Plan>,
    flat: OnceLock<Result<Program, Arc<FlattenError>>>,
}

impl StructuredProgram {
    /// Makes a program of `circuit`, in the order in which it is written.
    ///
    /// # Errors
    /// If the circuit is not valid.
    pub fn new(circuit: StructuredCircuit) -> Result<StructuredProgram, CompileError> {
        verify(&circuit)?;
        StructuredProgram::of(circuit, Order::Given)
    }

    /// Makes a program of `circuit` in the order [`Order::Grouped`]. In the outermost body and in
    /// functions that run in few lanes, small functions are written out where they are called, and
    /// gates between calls are grouped, in pieces of `window` gates.
    ///
    /// # Errors
    /// If the circuit is not valid, or a temporary file cannot be written.
    pub fn grouped(
        circuit: StructuredCircuit,
        window: u32,
    ) -> Result<StructuredProgram, CompileError> {
        verify(&circuit)?;
        StructuredProgram::grouped_between_calls(inline_small(circuit)?, window)
    }

    /// The same for a valid circuit whose small functions are written out.
    pub(crate) fn grouped_between_calls(
        circuit: StructuredCircuit,
        window: u32,
    ) -> Result<StructuredProgram, CompileError> {
        let circuit = group_functions(circuit, window)?;
        StructuredProgram::of(circuit, Order::Grouped { window })
    }

    /// Makes a program of a valid circuit in this order.
    fn of(circuit: StructuredCircuit, order: Order) -> Result<StructuredProgram, CompileError> {
        let sizes = Sizes::of(&circuit.functions).expect("a valid circuit's gates can be counted");
        let size = sizes.of_body(&circuit.body).expect("as above");
        let (hash, functions) = structured_hash(&circuit)?;
        let (plan, flat) = (OnceLock::new(), OnceLock::new());
        Ok(StructuredProgram { circuit, order, hash, functions, sizes, size, plan, flat })
    }

    /// The hashes of the functions; none if the outermost body calls none.
    pub fn functions(&self) -> &[[u8; 32]] {
        &self.functions
    }

    /// The sizes of the functions.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The size of the flattening.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How to read the circuit block by block. It is found out once.
    ///
    /// # Errors
    /// If a temporary file for gates cannot be written.
    pub fn plan(&self) -> io::Result<&Plan> {
        if self.plan.get().is_none() {
            // Another thread may have been faster; its plan is the same.
            let _ = self.plan.set(Plan::new(&self.circuit)?);
        }
        Ok(self.plan.get().expect("set above"))
    }

    /// The flattening, for engines that run no functions: a program of the same hash, tables and
    /// labels. It is made once.
    ///
    /// # Errors
    /// If it has too many wires, or the temporary file for its gates cannot be written.
    pub fn flat(&self) -> Result<&Program, Arc<FlattenError>> {
        let flat = self.flat.get_or_init(|| {
            let circuit = flatten(&self.circuit)?;
            Ok(program(circuit, self.order, self.hash, None))
        });
        flat.as_ref().map_err(Arc::clone)
    }

    /// The program that parties run. It is flattened if it has state or per-cycle ports.
    ///
    /// # Errors
    /// As for [`flat`](StructuredProgram::flat), if it is flattened.
    pub fn into_program(self) -> Result<Program, CompileError> {
        if self.circuit.has_cycles() || self.circuit.body.calls.is_empty() {
            return Ok(program(flatten(&self.circuit)?, self.order, self.hash, None));
        }
        let circuit = Circuit {
            inputs: self.circuit.inputs.clone(),
            flip_flops: Vec::new(),
            gates: Gates::new(),
            outputs: self.circuit.outputs.clone(),
            cycles: self.circuit.cycles,
        };
        let (order, hash) = (self.order, self.hash);
        Ok(program(circuit, order, hash, Some(Arc::new(self))))
    }
}

fn program(
    circuit: Circuit,
    order: Order,
    hash: ProgramHash,
    structure: Option<Arc<StructuredProgram>>,
) -> Program {
    Program { circuit, order, hash, skips: None, structure }
}
