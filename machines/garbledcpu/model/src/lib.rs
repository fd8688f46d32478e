//! GarbledCPU's evaluator (Songhori, Zeitouni, Dessouky, Schneider, Sadeghi and Koushanfar,
//! "GarbledCPU: A MIPS Processor for Secure Computation in Hardware", DAC 2016, section 4.2): a
//! pipelined evaluator of sequential netlists.
//!
//! The gate memory holds the netlist, a processor or any other, which is evaluated once for each
//! step. The compiler fixes the time of each gate. Schedule, banks, code and model are shared with
//! the scheduled FASE ([`halfgate_scheduled_model`]). The differences are here:
//!
//! - [`fuse`]: entries of the gate memory are XORs, ANDs, and ANDs with XORs before and after
//!   them, such as a multiplexer: three reads, one write, one issue slot. Nearly all ANDs of a
//!   processor are fused.
//! - A pipeline takes an AND per clock cycle. The remaining XORs are executed by a unit with its
//!   own ports.
//! - Nothing is garbled. Tables come in the order in which their ANDs are taken, input labels in
//!   the order of requests, and inversions change nothing.
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
    /// 20 stages of AES and one more, as published. Netlist cycles overlap, through flip-flops.
    Deep,
    /// Ten stages of AES and two more: a lower clock frequency, but shorter waits on loops.
    Short,
    /// As published: the stages of [`Deep`](Form::Deep), but each netlist cycle starts when the
    /// previous one is over.
    Paper,
    /// Like [`Paper`](Form::Paper), without stages: a round of AES per clock cycle, an AND every
    /// ten clock cycles.
    Folded,
}

impl Machine {
    /// Largest number of pipelines. With more, words of the gate memory would have to address more
    /// than 64 banks.
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

    /// Returns its name.
    pub fn name(&self) -> String {
        match self.form {
            Form::Deep => format!("garbledcpu-{}", self.pipelines),
            Form::Short => format!("garbledcpu-short-{}", self.pipelines),
            Form::Paper => "garbledcpu-paper".to_owned(),
            Form::Folded => "garbledcpu-folded".to_owned(),
        }
    }

    /// Returns its parameters for the scheduler.
    pub fn shape(&self) -> Shape {
        let (and, every) = match self.form {
            Form::Deep | Form::Paper => (21, 1),
            Form::Short => (12, 1),
            Form::Folded => (11, 10),
        };
        let pipelines = self.pipelines;
        // An AND has three reads and an XOR two, so that at most a third of the banks is read per
        // clock cycle.
        Shape { pipelines, xors: 1, banks: 16 * pipelines, and, xor: 1, input: 1, every }
    }

    /// Makes the code of a circuit for `cycles` netlist cycles.
    ///
    /// Netlist cycles overlap where both the form and the circuit allow it. The parties of a
    /// session process one cycle after another. So a circuit with inputs or outputs in each cycle
    /// must end each cycle before the next.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn code(&self, circuit: &Circuit, cycles: u64) -> Result<Code, Exceeded> {
        self.schedule(body(circuit), cycles, can_overlap(circuit))
    }

    /// Makes the code of a body without inputs or outputs between the first netlist cycle and the
    /// last.
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
