//! GarbledCPU's evaluator (Songhori, Zeitouni, Dessouky, Schneider, Sadeghi and Koushanfar,
//! "GarbledCPU: A MIPS Processor for Secure Computation in Hardware", DAC 2016, section 4.2): a
//! pipelined evaluator of sequential netlists.
//!
//! The gate memory holds the netlist of a processor or any other sequential circuit. The machine
//! evaluates it once for each step. The compiler fixes the time of each gate. Schedule, banks, code
//! and model are shared with the scheduled FASE ([`halfgate_scheduled_model`]). The differences are
//! here:
//!
//! - [`fuse`]: entries of the gate memory are XORs, ANDs, and ANDs with XORs before and after them,
//!   such as a multiplexer. A fused entry has three reads and one write, and takes one issue slot.
//!   Nearly all ANDs of a processor are fused.
//! - A pipeline takes an AND per clock cycle. A unit with its own ports executes the XORs that are
//!   not fused.
//! - The machine only evaluates. It receives tables in the order in which it takes their ANDs, and
//!   input labels in the order of its requests. Inversions change no label.
//!
//! Read [`Machine`] (the variants), then [`fuse`], then [`encode`] (gate memory as bits).

pub mod encode;
pub mod fields;
pub mod fuse;

use halfgate_circuit::Circuit;
use halfgate_scheduled_model::code::Exceeded;
use halfgate_scheduled_model::{Body, Code, Netlist, Schedule, Shape};

/// A variant of the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// Number of evaluator pipelines over one label memory.
    pub pipelines: u32,
    /// Form of the pipelines.
    pub form: Form,
}

/// Form of a machine's pipelines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// 21 stages, 20 of them for AES, as published. Netlist cycles overlap.
    Deep,
    /// Twelve stages, ten of them for AES. The clock frequency is lower, but loops through
    /// flip-flops wait fewer clock cycles.
    Short,
    /// As published: the stages of [`Deep`](Form::Deep), but each netlist cycle starts when the
    /// previous one is over.
    Paper,
    /// Like [`Paper`](Form::Paper), without stages: a unit computes one round of AES per clock
    /// cycle, and takes an AND every ten clock cycles.
    Folded,
}

impl Machine {
    /// Largest number of pipelines. More pipelines need more than 64 banks, which words of the gate
    /// memory cannot address.
    pub const MOST: u32 = 4;

    /// Returns the machine with this name: `garbledcpu-4`, `garbledcpu-short-4`,
    /// `garbledcpu-paper`, `garbledcpu-folded`.
    pub fn named(name: &str) -> Option<Machine> {
        let forms = [Form::Deep, Form::Short, Form::Paper, Form::Folded];
        let all = forms.into_iter().flat_map(|form| {
            let most = if form.overlaps() { Machine::MOST } else { 1 };
            (1..=most).map(move |pipelines| Machine { pipelines, form })
        });
        all.into_iter().find(|machine| machine.name() == name)
    }

    /// Returns the machine's name.
    pub fn name(&self) -> String {
        match self.form {
            Form::Deep => format!("garbledcpu-{}", self.pipelines),
            Form::Short => format!("garbledcpu-short-{}", self.pipelines),
            Form::Paper => "garbledcpu-paper".to_owned(),
            Form::Folded => "garbledcpu-folded".to_owned(),
        }
    }

    /// Returns the machine's parameters for the scheduler.
    pub fn shape(&self) -> Shape {
        let (and, every) = match self.form {
            Form::Deep | Form::Paper => (21, 1),
            Form::Short => (12, 1),
            Form::Folded => (11, 10),
        };
        let pipelines = self.pipelines;
        // Each pipeline has 16 banks. An AND has three reads and an XOR two, so at most a third of
        // the banks is read per clock cycle.
        Shape { pipelines, xors: 1, banks: 16 * pipelines, and, xor: 1, input: 1, every }
    }

    /// Makes the code of a circuit for `cycles` netlist cycles.
    ///
    /// Netlist cycles overlap if both the form and the circuit allow it. A circuit with inputs or
    /// outputs in each netlist cycle does not: the parties exchange them cycle by cycle, so each
    /// netlist cycle must end before the next one starts.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn code(&self, circuit: &Circuit, cycles: u64) -> Result<Code, Exceeded> {
        self.schedule(body(circuit), cycles, can_overlap(circuit))
    }

    /// Makes the code of a body that has no inputs or outputs between the first netlist cycle and
    /// the last.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn code_of(&self, body: Body, cycles: u64) -> Result<Code, Exceeded> {
        self.schedule(body, cycles, true)
    }

    fn schedule(&self, body: Body, cycles: u64, can_overlap: bool) -> Result<Code, Exceeded> {
        let schedule = match self.form.overlaps() && can_overlap {
            true => Schedule::of(&body.netlist, self.shape(), cycles)?,
            false => Schedule::apart(&body.netlist, self.shape())?,
        };
        Ok(Code::new(body, schedule))
    }
}

/// Returns the body that the machines evaluate for a circuit, after [fusion](fuse::fuse).
pub fn body(circuit: &Circuit) -> Body {
    let netlist = Netlist::of(circuit).with_copies(Code::LONGEST);
    fuse::fuse(Body::of(circuit, netlist))
}

impl Form {
    /// Whether netlist cycles overlap.
    pub fn overlaps(self) -> bool {
        matches!(self, Form::Deep | Form::Short)
    }
}

/// Whether a circuit has no inputs or outputs between the first netlist cycle and the last.
pub fn can_overlap(circuit: &Circuit) -> bool {
    let inputs = circuit.inputs.iter().all(|input| !input.per_cycle);
    inputs && circuit.outputs.iter().all(|output| !output.per_cycle)
}
