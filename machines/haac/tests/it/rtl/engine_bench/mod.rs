//! One engine by itself. The dispatcher, window and memory around it are modelled here.

use halfgate_circuit::Party;
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

use halfgate_haac::synthesis::designs::FOLDED;
use halfgate_haac_model::instruction::{Instruction, Op};
use halfgate_haac_model::model::Cause;
use halfgate_haac_model::model::Cause::*;
use halfgate_verilated::{Design, Error, In, Out, Simulation};

/// The window's labels; slots have 6 bits.
pub const WINDOW: u32 = 64;
/// Address of the first output; inputs are below.
pub const FIRST: u32 = 9;
/// Depths of the queues.
pub const ISSUE: u32 = 8;
pub const TABLES: u32 = 6;
pub const WIRES: u32 = 2;
pub const LIVE: u32 = 2;
/// Public and secret constants of a run.
pub const POINT: u128 = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;
pub const DELTA: u128 = 0xfedc_ba98_7654_3210_0011_2233_4455_6677;
pub const AND_BASE: u64 = (1 << 40) + 5;

#[rustfmt::skip]
const CAUSES: [Cause; 13] = [
    Issue, Operand, Bank, Interlock, OorEmpty, Input, Table, LiveFull, WritePort, Instructions,
    Behind, Nop, Finished,
];

/// Observations of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub cause: Cause,
    /// Reads that the engine requested: R1's operands in bits 0 and 1, D's in 2 and 3.
    pub requested: u8,
    pub reads: u32,
    pub pops: bool,
    pub forwarded: u32,
    pub half_gate: bool,
    pub idle: bool,
}

/// Behaviour of the surroundings in the next cycle. Counts and pulses are cleared after that cycle.
#[derive(Clone, Debug)]
pub struct Around {
    pub run: bool,
    pub clear: bool,
    pub stall: bool,
    pub complete: u32,
    pub oldest_half: u32,
    pub loaded: u32,
    pub all_loaded: bool,
    /// Reads and writes that the window refuses.
    pub refuse_reads: u8,
    pub refuse_write: bool,
    /// The dispatcher's cause in cycles in which it has no instruction.
    pub nothing: Cause,
    pub wire_grant: bool,
    pub wire: Option<u128>,
    pub address_grant: u32,
    pub address_words: Vec<u32>,
    pub table_grant: u32,
    pub tables: Vec<[u8; 32]>,
    pub live_grant: bool,
}

/// The engine and its surroundings.
pub struct Bench {
    sim: Simulation,
    inputs: HashMap<&'static str, In>,
    outputs: HashMap<&'static str, Out>,
    pub around: Around,
    /// Instructions to be dispatched.
    pub program: VecDeque<Instruction>,
    next_output: u32,
    next_and: u32,
    /// For each slot, its label and epoch.
    pub window: HashMap<u32, (u128, bool)>,
    /// Results by address, with the cycle in which each was on the bus.
    pub results: HashMap<u32, (u128, u64)>,
    /// The results on the bus in the previous cycle, which are written in this cycle.
    writing: Vec<(u32, u128)>,
    /// Reads won in the previous cycle, whose access is in this cycle; and the words of the
    /// accesses in the previous cycle.
    accesses: [Option<(u32, bool)>; 4],
    responses: [Option<u128>; 4],
    pub now: u64,
}

#[rustfmt::skip]
const INPUTS: &[(&str, u32)] = &[
    ("clear_i", 1), ("run_i", 1), ("issue_stall_i", 1), ("disp_valid_i", 1), ("disp_instr_i", 15),
    ("disp_out_i", 31), ("disp_and_i", 32), ("disp_cause_i", 4), ("complete_i", 26), ("latest_i", 27),
    ("advances_i", 1), ("oldest_half_i", 27), ("loaded_i", 31), ("all_loaded_i", 1), ("first_output_i", 31),
    ("point_i", 128), ("and_base_i", 64), ("delta_i", 128), ("rd_gnt_i", 4), ("rd_hit_i", 4),
    ("rd_label_i", 512), ("wr_gnt_i", 1), ("bus_valid_i", 2), ("bus_addr_i", 62),
    ("bus_label_i", 256), ("wire_gnt_i", 1), ("wire_push_i", 1), ("wire_label_i", 128),
    ("wire_show_i", 1), ("addr_gnt_i", 5), ("addr_push_i", 1), ("addr_burst_i", 512),
    ("addr_show_i", 5), ("table_gnt_i", 2), ("tab_push_i", 1), ("tab_burst_i", 512),
    ("tab_show_i", 2), ("live_gnt_i", 1),
];
#[rustfmt::skip]
const OUTPUTS: &[(&str, u32)] = &[
    ("wiping_o", 1), ("rd_req_o", 4), ("rd_slot_o", 24), ("rd_epoch_o", 4), ("late_o", 1),
    ("wr_request_o", 1), ("wr_is_and_o", 1), ("wr_bank_o", 2), ("res_valid_o", 2), ("res_addr_o", 62),
    ("res_live_o", 2), ("res_label_o", 256), ("addr_head_o", 31), ("addr_last_o", 1), ("in_memory_o", 1),
    ("table_head_o", 512), ("live_addr_o", 31), ("live_label_o", 128), ("fifo_level_o", 4),
    ("tables_level_o", 3), ("tables_taken_o", 3), ("addrs_level_o", 5), ("addrs_taken_o", 5),
    ("wires_level_o", 2), ("wires_taken_o", 2), ("live_level_o", 2), ("live_taken_o", 2),
    ("idle_o", 1), ("oldest_valid_o", 1), ("oldest_half_o", 26), ("cause_o", 4),
    ("ev_and_o", 1), ("ev_xor_o", 1), ("ev_half_gate_o", 1), ("ev_oor_pop_o", 1),
    ("ev_reads_o", 3), ("ev_forwarded_o", 4),
];

/// Latency of an AND, in clock cycles.
pub fn and_latency(role: Party) -> u64 {
    if role == Party::Garbler { 21 } else { 18 }
}

/// The label of input `address`.
pub fn input(address: u32) -> u128 {
    u128::from(address).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ POINT << 3
}

/// Latency of an AND in the folded half gate, and the interval between two.
pub const FOLDED_LATENCY: u64 = FOLDED.1;
pub const FOLDED_INTERVAL: u64 = FOLDED.0;

/// A fault: a file, the original text (which occurs once), and its replacement.
pub type Fault = (&'static str, &'static str, &'static str);

thread_local! {
    /// The fault in the engines that this thread builds.
    pub static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// An engine of a machine that has only one, in `role`.
pub fn design(role: Party, folded: bool) -> Design {
    let name = match (role, folded) {
        (Party::Garbler, false) => "haac_engine_garbler",
        (Party::Evaluator, false) => "haac_engine_evaluator",
        (Party::Garbler, true) => "haac_engine_garbler_folded",
        (Party::Evaluator, true) => "haac_engine_evaluator_folded",
    };
    let design = Design::of("haac_engine")
        .named(name)
        .param("Engines", 1)
        .param("WindowLabels", WINDOW.into())
        .param("Banks", 4)
        .param("AndLatency", if folded { FOLDED_LATENCY } else { and_latency(role) })
        .param("AndInterval", if folded { FOLDED_INTERVAL } else { 1 })
        .param("IssueDepth", ISSUE.into())
        .param("TableDepth", TABLES.into())
        .param("OorAddressDepth", 17)
        .param("OorWireDepth", WIRES.into())
        .param("LiveDepth", LIVE.into())
        .param("Garbler", (role == Party::Garbler).into())
        .param("AesImpl", 2);
    match FAULT.get() {
        None => design,
        Some((file, from, to)) => design.mutate(file, from, to),
    }
}

impl Bench {
    /// An engine after its reset. The labels of inputs 1 to 8 are in the window, and there are no
    /// other engines.
    pub fn new(role: Party) -> Result<Bench, Error> {
        Bench::of(&design(role, false))
    }

    /// As [`new`](Bench::new), for a given design.
    pub fn of(design: &Design) -> Result<Bench, Error> {
        let mut sim = Simulation::new(&design.build()?)?;
        let mut inputs = HashMap::new();
        for &(name, width) in INPUTS {
            inputs.insert(name, sim.input(name, width)?);
        }
        let mut outputs = HashMap::new();
        for &(name, width) in OUTPUTS {
            outputs.insert(name, sim.output(name, width)?);
        }
        sim.reset()?;
        let around = Around {
            run: true,
            clear: false,
            stall: false,
            complete: 0,
            oldest_half: u32::MAX,
            loaded: FIRST,
            all_loaded: true,
            refuse_reads: 0,
            refuse_write: false,
            nothing: Finished,
            wire_grant: false,
            wire: None,
            address_grant: 0,
            address_words: Vec::new(),
            table_grant: 0,
            tables: Vec::new(),
            live_grant: false,
        };
        let mut bench = Bench {
            sim,
            inputs,
            outputs,
            around,
            program: VecDeque::new(),
            next_output: FIRST,
            next_and: 0,
            window: (1..FIRST).map(|address| (address, (input(address), false))).collect(),
            results: HashMap::new(),
            writing: Vec::new(),
            accesses: [None; 4],
            responses: [None; 4],
            now: 0,
        };
        bench.set("point_i", POINT);
        bench.set("and_base_i", AND_BASE.into());
        bench.set("delta_i", DELTA);
        bench.set("first_output_i", FIRST.into());
        bench.wait_for_wiping()?;
        Ok(bench)
    }

    /// Runs cycles without run_i until the engine's queues are wiped.
    pub fn wait_for_wiping(&mut self) -> Result<(), Error> {
        self.set("run_i", 0);
        self.set("clear_i", 0);
        for _ in 0..100 {
            if self.get("wiping_o") == 0 {
                return Ok(());
            }
            self.sim.clock()?;
        }
        panic!("wiping does not end");
    }

    fn set(&mut self, name: &str, value: u128) {
        self.sim.set_u128(self.inputs[name], value);
    }

    /// An output after the last clock edge.
    pub fn get(&self, name: &str) -> u128 {
        self.sim.get_u128(self.outputs[name])
    }

    /// Whether any bit of an output is 1.
    pub fn is_set(&self, name: &str) -> bool {
        self.sim.is_set(self.outputs[name])
    }

    /// The table at the head of the queue.
    pub fn first_table(&self) -> Vec<u8> {
        self.sim.bytes(self.outputs["table_head_o"])[..32].to_vec()
    }

    /// Dispatches an instruction as soon as there is space. Returns its output's address.
    pub fn give(&mut self, op: Op, a: u32, b: u32, live: bool) -> u32 {
        self.program.push_back(Instruction::new(op, a, b, live));
        self.next_output + self.program.len() as u32 - 1
    }

    /// Simulates one cycle.
    pub fn cycle(&mut self) -> Result<Seen, Error> {
        self.window_and_bus();
        self.dispatch();
        self.memory();
        let Around { run, clear, stall, complete, oldest_half, loaded, all_loaded, .. } =
            self.around;
        self.set("run_i", run.into());
        self.set("clear_i", clear.into());
        self.set("issue_stall_i", stall.into());
        self.set("complete_i", complete.into());
        self.set("latest_i", u128::from(complete) + 1);
        self.set("oldest_half_i", u128::from(oldest_half.min(1 << 26)));
        self.set("loaded_i", loaded.into());
        self.set("all_loaded_i", all_loaded.into());
        self.sim.settle()?;
        let requested = self.get("rd_req_o") as u8;
        let won = requested & !self.around.refuse_reads;
        self.set("rd_gnt_i", won.into());
        let write = self.get("wr_request_o") == 1 && !self.around.refuse_write;
        self.set("wr_gnt_i", write.into());
        self.sim.settle()?;
        let seen = Seen {
            cause: CAUSES[self.get("cause_o") as usize],
            requested,
            reads: self.get("ev_reads_o") as u32,
            pops: self.get("ev_oor_pop_o") == 1,
            forwarded: self.get("ev_forwarded_o") as u32,
            half_gate: self.get("ev_half_gate_o") == 1,
            idle: self.get("idle_o") == 1,
        };
        if run {
            for (k, access) in self.accesses.iter_mut().enumerate() {
                let slot = self.sim.field(self.outputs["rd_slot_o"], 6 * k as u32, 6) as u32;
                let epoch = self.sim.field(self.outputs["rd_epoch_o"], k as u32, 1) == 1;
                *access = (won >> k & 1 == 1).then_some((slot, epoch));
            }
            self.now += 1;
        }
        self.sim.clock()?;
        Ok(seen)
    }

    /// The engine's causes in the next `count` cycles.
    pub fn causes(&mut self, count: usize) -> Result<Vec<Cause>, Error> {
        (0..count).map(|_| Ok(self.cycle()?.cause)).collect()
    }

    /// Cycles until an instruction issues, counted from this one.
    pub fn until_issue(&mut self) -> Result<u64, Error> {
        for cycles in 0..200 {
            if self.cycle()?.cause == Issue {
                return Ok(cycles);
            }
        }
        panic!("nothing issues");
    }

    fn window_and_bus(&mut self) {
        if !self.around.run {
            return;
        }
        for (k, response) in self.responses.into_iter().enumerate() {
            self.sim.set_field(self.inputs["rd_hit_i"], k as u32, 1, response.is_some().into());
            let label = response.unwrap_or(u128::MAX / 3);
            self.sim.set_field(self.inputs["rd_label_i"], 128 * k as u32, 128, label);
        }
        for (address, label) in std::mem::take(&mut self.writing) {
            self.window.insert(address % WINDOW, (label, address / WINDOW % 2 == 1));
        }
        for (response, access) in self.responses.iter_mut().zip(self.accesses) {
            *response = access.and_then(|(slot, epoch)| {
                self.window.get(&slot).filter(|(_, is)| *is == epoch).map(|(label, _)| *label)
            });
        }
        let valid = self.get("res_valid_o");
        self.set("bus_valid_i", valid);
        for k in 0..2 {
            let address = self.sim.field(self.outputs["res_addr_o"], 31 * k, 31);
            let label = self.sim.field(self.outputs["res_label_o"], 128 * k, 128);
            self.sim.set_field(self.inputs["bus_addr_i"], 31 * k, 31, address);
            self.sim.set_field(self.inputs["bus_label_i"], 128 * k, 128, label);
            if valid >> k & 1 == 1 {
                self.results.insert(address as u32, (label, self.now));
                self.writing.push((address as u32, label));
            }
        }
    }

    fn dispatch(&mut self) {
        let space = self.get("fifo_level_o") < ISSUE.into();
        self.set("disp_valid_i", 0);
        if !self.around.run {
            return;
        }
        let Some(next) = self.program.front().copied() else {
            return self.set("disp_cause_i", self.around.nothing as u128);
        };
        if !space {
            return self.set("disp_cause_i", Behind as u128);
        }
        self.program.pop_front();
        let bits =
            next.op() as u32 | next.a() << 2 | next.b() << 8 | u32::from(next.is_live()) << 14;
        self.set("disp_valid_i", 1);
        self.set("disp_cause_i", Issue as u128);
        self.set("disp_instr_i", bits.into());
        self.set("disp_out_i", self.next_output.into());
        self.set("disp_and_i", self.next_and.into());
        self.next_and += u32::from(next.op() == Op::And);
        self.next_output += 1 + u32::from((self.next_output + 1).is_multiple_of(WINDOW));
    }

    fn memory(&mut self) {
        let around = &mut self.around;
        let wire = around.wire.take();
        let words = std::mem::take(&mut around.address_words);
        let tables = std::mem::take(&mut around.tables);
        let wire_grant = std::mem::take(&mut around.wire_grant);
        let address_grant = std::mem::take(&mut around.address_grant);
        let table_grant = std::mem::take(&mut around.table_grant);
        let live_grant = std::mem::take(&mut around.live_grant);
        self.set("wire_gnt_i", wire_grant.into());
        self.set("wire_push_i", wire.is_some().into());
        self.set("wire_show_i", wire.is_some().into());
        self.set("wire_label_i", wire.unwrap_or(0));
        self.set("addr_gnt_i", address_grant.into());
        self.set("addr_push_i", u128::from(!words.is_empty()));
        self.set("addr_show_i", words.len() as u128);
        for (i, word) in (0..).zip(&words) {
            self.sim.set_field(self.inputs["addr_burst_i"], 32 * i, 32, (*word).into());
        }
        self.set("table_gnt_i", table_grant.into());
        self.set("tab_push_i", u128::from(!tables.is_empty()));
        self.set("tab_show_i", tables.len() as u128);
        let mut burst = tables.concat();
        burst.resize(64, 0);
        self.sim.set_bytes(self.inputs["tab_burst_i"], &burst);
        self.set("live_gnt_i", live_grant.into());
    }
}
