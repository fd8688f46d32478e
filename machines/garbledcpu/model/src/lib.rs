//! GarbledCPU's evaluator (Songhori, Zeitouni, Dessouky, Schneider, Sadeghi and Koushanfar, "GarbledCPU: A MIPS
//! Processor for Secure Computation in Hardware", DAC 2016, section 4.2): a pipelined evaluator of sequential netlists.
//!
//! The netlist, a processor or any other, lies in the gate memory and is evaluated once for each
//! step. The compiler fixes when each gate runs, as for the scheduled FASE
//! ([`halfgate_scheduled_model`]), with which it shares schedule, banks, code and model; what
//! differs is here:
//!
//! - [`fuse`]: entries of the gate memory are XORs, ANDs, and ANDs with XORs before and after them, of which a
//!   multiplexer is one: three reads, one write, one issue slot. Of a processor's ANDs nearly all are such.
//! - A pipeline takes an AND a clock; the XORs that are left go through a unit with ports of its own.
//! - Nothing is garbled: tables come in the order in which their ANDs are taken, input labels in that in which they
//!   are wanted, and inversions change nothing.
//!
//! Read [`Machine`] (which machines there are), then [`fuse`], then [`encode`] (gate memory as bits).

pub mod encode;
pub mod fields;
pub mod fuse;

use halfgate_circuit::Circuit;
use halfgate_scheduled_model::code::Exceeded;
use halfgate_scheduled_model::{Body, Code, Netlist, Schedule, Shape};

/// Which evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// Evaluator pipelines over one label memory.
    pub pipelines: u32,
    /// How they are made.
    pub form: Form,
}

/// How a machine's pipelines are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// 20 stages of AES and one more, as published. Netlist cycles overlap, through flip-flops.
    Deep,
    /// Ten stages of AES and two more: at a lower clock, less waiting for what a loop depends on.
    Short,
    /// As published: those of [`Deep`](Form::Deep), and a netlist cycle begins when the one before is over.
    Paper,
    /// The same without stages: a round of AES a clock, an AND every ten clocks.
    Folded,
}

impl Machine {
    /// The most pipelines: with more, a word of the gate memory names more than 64 banks.
    pub const MOST: u32 = 4;

    /// The machine of this name: `garbledcpu-4`, `garbledcpu-short-4`, `garbledcpu-paper`, `garbledcpu-folded`.
    pub fn named(name: &str) -> Option<Machine> {
        let forms = [Form::Deep, Form::Short, Form::Paper, Form::Folded];
        let all = forms.into_iter().flat_map(|form| {
            let most = if form.overlaps() { Machine::MOST } else { 1 };
            (1..=most).map(move |pipelines| Machine { pipelines, form })
        });
        all.into_iter().find(|machine| machine.name() == name)
    }

    /// Its name.
    pub fn name(&self) -> String {
        match self.form {
            Form::Deep => format!("garbledcpu-{}", self.pipelines),
            Form::Short => format!("garbledcpu-short-{}", self.pipelines),
            Form::Paper => "garbledcpu-paper".to_owned(),
            Form::Folded => "garbledcpu-folded".to_owned(),
        }
    }

    /// What the scheduler has to know of it.
    pub fn shape(&self) -> Shape {
        let (and, every) = match self.form {
            Form::Deep | Form::Paper => (21, 1),
            Form::Short => (12, 1),
            Form::Folded => (11, 10),
        };
        let pipelines = self.pipelines;
        // Three reads for an AND, two for an XOR: a third of the banks at most is read in a clock.
        Shape { pipelines, xors: 1, banks: 16 * pipelines, and, xor: 1, input: 1, every }
    }

    /// The code of a circuit that runs for `cycles` netlist cycles.
    ///
    /// Netlist cycles overlap where the form does and the circuit can: the two parties hold to cycles that follow one
    /// another, so one that takes input bits or gives outputs in each cycle has to end each before the next.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn code(&self, circuit: &Circuit, cycles: u64) -> Result<Code, Exceeded> {
        self.schedule(body(circuit), cycles, can_overlap(circuit))
    }

    /// The code of a body of which nothing goes in or out between the first netlist cycle and the last.
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

/// What the machines evaluate of a circuit: its body, [fused](fuse::fuse).
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

/// Whether nothing goes in or out between the first netlist cycle and the last.
pub fn can_overlap(circuit: &Circuit) -> bool {
    let inputs = circuit.inputs.iter().all(|input| !input.per_cycle);
    inputs && circuit.outputs.iter().all(|output| !output.per_cycle)
}
