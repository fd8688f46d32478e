//! Single runs: a program in an order, its code for a machine, and the model's report.

use halfgate_circuit::{Circuit, Party};
use halfgate_compiler::gate_engines::BestParams;
use halfgate_compiler::{Order, Program, compile};
use halfgate_haac_model::Instruction;
use halfgate_haac_model::code::Code;
use halfgate_haac_model::description::{Description, Overrides};
use halfgate_haac_model::encoding::Encoding;
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::lower::choose::{Goal, choose};
use halfgate_haac_model::lower::{Assignment, Lowering, Timing, lower};
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::bounds::Bounds;
use halfgate_haac_model::model::packed::Packed;
use halfgate_haac_model::model::{self, Options};
use halfgate_haac_model::report::Report;
use halfgate_programs::published;

/// The paper's machine with this number of engines, these labels and this memory. Wires count 16
/// bytes.
///
/// # Errors
/// If no machine has these numbers.
pub fn machine(engines: u32, window: u32, memory: &str) -> Result<Machine, String> {
    let name = if window == 1 << 16 { "haac-16ge-1mb" } else { "haac-16ge" };
    let found = Description::built_in(name).map_err(|e| e.to_string())?;
    let overrides = Overrides {
        engines: (engines != 16).then_some(engines),
        window: (window != 1 << 17 && window != 1 << 16).then_some(window),
        memory: Some(memory.to_owned()),
        wire_bytes: Some(16),
        forwarding: None,
    };
    found.machine(&overrides).map_err(|e| e.to_string())
}

/// The same machine with a memory that never limits it.
pub fn without_memory(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    machine.memory.name = "none".to_owned();
    machine.memory.bytes_per_cycle = (1 << 16, 1);
    machine.memory.latency = 1;
    machine
}

/// A built-in program, in our form or in the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source<'a> {
    /// The name of the program for [`halfgate_programs::build`].
    pub spec: &'a str,
    /// Whether to use the paper's form of the circuit, by its counts.
    pub as_published: bool,
}

impl Source<'_> {
    /// Our circuit of a program.
    pub fn ours(spec: &str) -> Source<'_> {
        Source { spec, as_published: false }
    }

    /// The circuit.
    ///
    /// # Errors
    /// If the program does not exist.
    pub fn circuit(self) -> Result<Circuit, String> {
        let built = match self.as_published {
            true => published::build_as("haac", self.spec),
            false => halfgate_programs::build(self.spec),
        };
        built.map_err(|e| e.to_string())
    }
}

/// `source`, compiled in `order`.
///
/// # Errors
/// If the circuit cannot be built or compiled.
pub fn program(source: Source<'_>, order: Order) -> Result<Program, String> {
    compile(source.circuit()?, order).map_err(|e| e.to_string())
}

/// The order `haac:best` for `machine`.
pub fn best(machine: &Machine) -> Order {
    let (bytes, cycles) = machine.memory.bytes_per_cycle;
    Order::HaacBest(BestParams {
        engines: machine.shape.engines,
        window: machine.shape.window,
        and_latency: machine.latency.and(Party::Garbler),
        memory: (u64::from(bytes) * 10 / u64::from(cycles)) as u32,
    })
}

/// The paper's code: no COPY, no INV, and engines assigned by simulation.
///
/// # Errors
/// If the program cannot be lowered.
pub fn paper_code(program: &Program, machine: &Machine, role: Party) -> Result<Code, String> {
    let assignment = Assignment::Simulated(Timing::of(machine, role));
    let how = Lowering { assignment, ..Lowering::PAPER };
    lower(program, machine.shape, how).map_err(|e| e.to_string())
}

/// Our code: the fastest of several lowerings, by the model.
///
/// # Errors
/// If the program cannot be lowered.
pub fn best_code(program: &Program, machine: &Machine, role: Party) -> Result<Code, String> {
    let goal = Goal { machine, role, encoding: Encoding::Plain };
    choose(program, goal, Lowering::BEST).map(|choice| choice.code).map_err(|e| e.to_string())
}

/// `code` with every output written to memory, as on the paper's machine without the elimination of
/// spent wires.
///
/// # Errors
/// If a temporary file fails.
pub fn every_wire_live(code: Code) -> Result<Code, String> {
    use halfgate_compiler::spool::Spool;
    let (mut rows, mut reader) = (Spool::new(), code.rows.reader());
    while let Some(bits) = reader.next().map_err(|e| e.to_string())? {
        let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
        let live = instruction.with_live(!instruction.is_nop());
        rows.push(live.to_bits().to_le_bytes()).map_err(|e| e.to_string())?;
    }
    let mut stats = code.stats;
    stats.live = stats.instructions();
    Ok(Code { rows, stats, ..code })
}

/// Options of the model's runs.
#[derive(Clone, Copy, Debug)]
pub struct Lab {
    /// The role of the machine.
    pub role: Party,
    /// The encoding of the instructions.
    pub encoding: Encoding,
    /// Whether queues are full, and inputs in the window, at the start.
    pub preloaded: bool,
}

impl Default for Lab {
    fn default() -> Lab {
        Lab { role: Party::Garbler, encoding: Encoding::Plain, preloaded: false }
    }
}

impl Lab {
    /// Runs `code` on `machine`, for timing only.
    ///
    /// # Errors
    /// If the model cannot run the code.
    pub fn simulate(&self, code: &Code, machine: &Machine) -> Result<Report, String> {
        let options = Options { preloaded: self.preloaded, ..Options::new(self.role) };
        let packed = Packed::of(code, self.encoding).map_err(|e| e.to_string())?;
        model::fast::run(code, machine, &options, &mut packed.sizes(), &mut NoSink)
            .map_err(|e| e.to_string())
    }

    /// Lower bounds on the cycles of `code` on `machine`.
    ///
    /// # Errors
    /// If the machine is impossible or a temporary file fails.
    pub fn bounds(&self, code: &Code, machine: &Machine) -> Result<Bounds, String> {
        let options = Options { preloaded: self.preloaded, ..Options::new(self.role) };
        let packed = Packed::of(code, self.encoding).map_err(|e| e.to_string())?;
        Bounds::of(code, machine, &options, &mut packed.sizes()).map_err(|e| e.to_string())
    }
}
