//! Lower bounds on the cycles of a program on a machine, whatever the schedule.

use halfgate_circuit::Party;
use std::collections::HashMap;
use std::io;

use super::config::{BURST_LABELS, Config, TABLE_BYTES};
use super::rows::RowBits;
use super::{Error, Options};
use crate::code::{Code, OOR_LAST};
use crate::instruction::{Instruction, Op};
use crate::machine::Machine;

/// Cycles from the dispatch of a row to the first cycle in which its instructions may issue. They
/// pass issue FIFO, D, R1, R2 and R3.
const FRONT: u64 = 6;

/// Lower bounds on the cycles of a run, one per resource. No run of this code on this machine takes
/// fewer cycles than any of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Number of gates divided by the number of engines, since an engine issues one per cycle; plus
    /// filling and draining the pipeline. COPY and INV instructions do not count: they are the
    /// lowering's choice.
    pub engines: u64,
    /// The longest chain of dependent instructions: one cycle for each XOR or UNARY, the number of
    /// the unit's stages for each AND. Plus filling and draining the pipeline, and writing an
    /// output to memory.
    pub path: u64,
    /// Bytes divided by bandwidth: tables, encoded instructions, inputs once, outputs once.
    pub memory: u64,
}

impl Bounds {
    /// The greatest of the bounds.
    pub fn greatest(&self) -> u64 {
        self.engines.max(self.path).max(self.memory)
    }

    /// Name of the greatest bound: `engines`, `path` or `memory`.
    pub fn limit(&self) -> &'static str {
        match self.greatest() {
            cycles if cycles == self.memory => "memory",
            cycles if cycles == self.engines => "engines",
            _ => "path",
        }
    }

    /// This bound divided by `cycles`: 1 is optimal.
    pub fn share(&self, cycles: u64) -> f64 {
        if cycles == 0 { 1.0 } else { self.greatest() as f64 / cycles as f64 }
    }

    /// The bounds of `code` on `machine`; `sizes` has the lengths of its rows in an encoding. With
    /// [`Options::preloaded`], inputs, and the bytes that fit into the queues, count nothing.
    ///
    /// Memory: 4 bytes per label of the window, and 12 for each live wire that is still to be read.
    ///
    /// # Errors
    /// If the machine is impossible or a temporary file cannot be read.
    pub fn of(
        code: &Code,
        machine: &Machine,
        options: &Options,
        sizes: &mut dyn RowBits,
    ) -> Result<Bounds, Error<std::convert::Infallible>> {
        let config = Config::new(machine, options.role).map_err(Error::Machine)?;
        let latency = if options.preloaded { 0 } else { config.latency + 1 };
        // The first row must arrive from memory and pass the stages.
        let start = FRONT + latency;
        let Walk { path, live_path, bits, ands_in_queues, gates } = walk(code, &config, sizes)?;
        if gates == 0 {
            return Ok(Bounds {
                memory: bytes_bound(code, &config, options, bits, 0),
                ..Bounds::default()
            });
        }
        // A result on the bus in cycle v is in the window at the end of v + 1. A live result's
        // write to memory is requested in v + 1 and acknowledged after the latency.
        let drained = start + path + 2;
        let written = if live_path > 0 { start + live_path + 2 + config.latency } else { 0 };
        let issues = gates.div_ceil(config.engines as u64);
        Ok(Bounds {
            engines: start + issues - 1 + u64::from(config.xor.min(config.and)) + 2,
            path: drained.max(written),
            memory: bytes_bound(code, &config, options, bits, ands_in_queues),
        })
    }
}

/// The least number of cycles that memory needs.
fn bytes_bound(
    code: &Code,
    config: &Config,
    options: &Options,
    bits: u64,
    ands_in_queues: u64,
) -> u64 {
    let burst = u64::from(super::config::BURST);
    let mut instructions = bits.div_ceil(8 * burst) * burst;
    let mut tables = u64::from(TABLE_BYTES) * code.stats.ands;
    // Loaded inputs come in bursts of four; other inputs may never be read.
    let mut inputs = code.stats.inputs_loaded / u64::from(BURST_LABELS) * burst;
    if options.preloaded {
        instructions = instructions.saturating_sub(config.instruction_bursts * burst);
        inputs = 0;
        if config.role == Party::Evaluator {
            tables -= u64::from(TABLE_BYTES) * ands_in_queues;
        }
    }
    let outputs = code.stats.live_outputs * u64::from(config.wire_bytes);
    let bytes = instructions + tables + inputs + outputs;
    if bytes == 0 {
        return 0;
    }
    // The last request is accepted once the credit that has accumulated covers it.
    (bytes * config.credit_byte).div_ceil(config.credit_step) + config.latency
}

/// The results of a pass over the code.
#[derive(Default)]
struct Walk {
    /// Cycle in which the last result is on the bus if no resource delays an issue and issues start
    /// at 0.
    path: u64,
    /// The same for the last live result.
    live_path: u64,
    bits: u64,
    /// Tables that the queues hold before the first cycle of a preloaded run.
    ands_in_queues: u64,
    gates: u64,
}

fn walk(code: &Code, config: &Config, sizes: &mut dyn RowBits) -> io::Result<Walk> {
    let mut walk = Walk::default();
    let mut ready = vec![0u32; config.shape.window as usize];
    let mut far: HashMap<u32, u32> = HashMap::new();
    let mut oor: Vec<_> = code.oor.iter().map(|words| words.reader()).collect();
    let mut ands = vec![0u64; config.engines];
    let mut reader = code.rows.reader();
    let mut row = Vec::with_capacity(config.engines);
    let mut out = code.first_output;
    'rows: loop {
        row.clear();
        for _ in 0..config.engines {
            let Some(bits) = reader.next()? else { break 'rows };
            row.push(Instruction::from_bits(u64::from_le_bytes(bits)));
        }
        walk.bits += u64::from(sizes.bits(&row)?);
        for (e, instruction) in row.iter().enumerate() {
            let fields = [instruction.a(), instruction.b()];
            let op = instruction.op();
            let count = match op {
                Op::Nop => continue,
                Op::Unary => 1,
                Op::Xor | Op::And => 2,
            };
            let mut issue = 0;
            for &slot in &fields[..count] {
                issue = issue.max(if slot != 0 {
                    ready[config.shape.slot(slot) as usize]
                } else {
                    let word = oor[e].next()?.map_or(0, u32::from_le_bytes);
                    let address = word & !OOR_LAST;
                    let found = far.get(&address).copied().unwrap_or(0);
                    if word & OOR_LAST != 0 {
                        far.remove(&address);
                    }
                    found
                });
            }
            let latency = if op == Op::And { config.and } else { config.xor };
            let done = issue.saturating_add(latency);
            walk.path = walk.path.max(u64::from(done));
            walk.gates += u64::from(op != Op::Unary);
            ands[e] += u64::from(op == Op::And);
            ready[config.shape.slot(out) as usize] = done;
            if instruction.is_live() {
                far.insert(out, done);
                walk.live_path = walk.live_path.max(u64::from(done));
            }
            out = config.shape.next_address(out);
        }
    }
    walk.ands_in_queues = ands.iter().map(|&ands| ands.min(u64::from(config.tables))).sum();
    Ok(walk)
}
