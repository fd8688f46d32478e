//! Registers, codes and the launch descriptor of a HAAC in hardware. Generated from
//! `machines/haac/spec/registers.toml` by `make spec`: change that.

use super::{Bits, Part};

/// The version of all this.
pub const VERSION: u32 = 1;
/// Bits of a register's address.
pub const ADDRESS_BITS: u32 = 14;

/// Register `id` (ro): 0x43414148: "HAAC" in the order of bytes.
pub const REG_ID: u32 = 0x0;
/// Register `version` (ro): what the machine understands.
pub const REG_VERSION: u32 = 0x4;
/// Its field `registers`: version of this map and of the descriptor.
pub const VERSION_REGISTERS: Bits = Bits { low: 0, width: 16 };
/// Its field `isa`: version of the instruction set.
pub const VERSION_ISA: Bits = Bits { low: 16, width: 16 };
/// Register `config` (ro): what the machine was built as; a descriptor must say the same.
pub const REG_CONFIG: u32 = 0x8;
/// Its field `engines`: gate engines.
pub const CONFIG_ENGINES: Bits = Bits { low: 0, width: 8 };
/// Its field `window_bits`: binary logarithm of the window's labels.
pub const CONFIG_WINDOW_BITS: Bits = Bits { low: 8, width: 8 };
/// Its field `evaluator`: 1: evaluates, 0: garbles.
pub const CONFIG_EVALUATOR: Bits = Bits { low: 16, width: 1 };
/// Register `features` (ro): what else it was built as.
pub const REG_FEATURES: u32 = 0xc;
/// Its field `ports`: AXI4 ports.
pub const FEATURES_PORTS: Bits = Bits { low: 0, width: 8 };
/// Its field `data_bytes`: bytes of a port's data.
pub const FEATURES_DATA_BYTES: Bits = Bits { low: 8, width: 8 };
/// Its field `counters`: 1: the counters are there.
pub const FEATURES_COUNTERS: Bits = Bits { low: 16, width: 1 };
/// Its field `aes`: S-boxes: 0 tables, 1 composite field, 2 AES of a simulation (DPI).
pub const FEATURES_AES: Bits = Bits { low: 20, width: 2 };
/// Register `control` (wo): commands: what is written as 1 happens.
pub const REG_CONTROL: u32 = 0x10;
/// Its field `start`: run the program; refused (nothing happens) unless idle, done or failed.
pub const CONTROL_START: Bits = Bits { low: 0, width: 1 };
/// Its field `reset`: soft reset: give up a run, wait for memory's answers, wipe, be idle.
pub const CONTROL_RESET: Bits = Bits { low: 1, width: 1 };
/// Its field `clear`: forget done, the error and was_reset.
pub const CONTROL_CLEAR: Bits = Bits { low: 2, width: 1 };
/// Register `status` (ro): where the machine is.
pub const REG_STATUS: u32 = 0x14;
/// Its field `state`: a code of the table of states.
pub const STATUS_STATE: Bits = Bits { low: 0, width: 4 };
/// Its field `done`: the program has ended, all labels and tables are in memory.
pub const STATUS_DONE: Bits = Bits { low: 4, width: 1 };
/// Its field `failed`: an error has ended it: see `error`.
pub const STATUS_FAILED: Bits = Bits { low: 5, width: 1 };
/// Its field `was_reset`: a reset, hard or soft, came in mid-run; stays until cleared or started.
pub const STATUS_WAS_RESET: Bits = Bits { low: 6, width: 1 };
/// Its field `draining`: memory still owes answers.
pub const STATUS_DRAINING: Bits = Bits { low: 7, width: 1 };
/// Register `error` (ro): the first error of the run.
pub const REG_ERROR: u32 = 0x18;
/// Its field `code`: a code of the table of errors; 0: none.
pub const ERROR_CODE: Bits = Bits { low: 0, width: 8 };
/// Its field `stream`: a code of the table of streams; 0: none.
pub const ERROR_STREAM: Bits = Bits { low: 8, width: 8 };
/// Its field `engine`: whose stream, if it is an engine's.
pub const ERROR_ENGINE: Bits = Bits { low: 16, width: 8 };
/// Register `interrupt` (rw): the interrupt line.
pub const REG_INTERRUPT: u32 = 0x1c;
/// Its field `enable`: the line is high while done or failed.
pub const INTERRUPT_ENABLE: Bits = Bits { low: 0, width: 1 };
/// Register `program` (rw, 2 words): address of the launch descriptor, a multiple of 64.
pub const REG_PROGRAM: u32 = 0x20;
/// Register `and_base` (rw, 2 words): ANDs of all launches before, which AND numbers of this one follow.
pub const REG_AND_BASE: u32 = 0x28;
/// Register `point` (rw, 4 words): the session's point S, public.
pub const REG_POINT: u32 = 0x30;
/// Register `delta` (wo, 4 words): the garbler's delta; wiped at the end of a run, whatever it was, and by resets: write it before each start.
pub const REG_DELTA: u32 = 0x40;
/// Register `latency` (rw): 0: answers count when they come; else 1 to 255 cycles after acceptance, and not before.
pub const REG_LATENCY: u32 = 0x50;
/// Register `credit_step` (rw): 0: no limit to the requests of a cycle; else what the credit counter gains a cycle.
pub const REG_CREDIT_STEP: u32 = 0x54;
/// Register `credit_byte` (rw): what a byte costs of the credit.
pub const REG_CREDIT_BYTE: u32 = 0x58;
/// Register `credit_cap` (rw): the most credit: step + 64 * byte.
pub const REG_CREDIT_CAP: u32 = 0x5c;
/// Register `wire_bytes` (rw): what an access to one label costs, 16 or 64.
pub const REG_WIRE_BYTES: u32 = 0x60;
/// Register `timeout` (rw): cycles without any answer after which memory counts as dead; 0: never; 65536 after a reset.
pub const REG_TIMEOUT: u32 = 0x64;

/// Offset of the first counter; the others follow, 8 bytes each.
pub const COUNTERS: u32 = 0x100;
/// Bits of a counter that count.
pub const COUNTER_BITS: u32 = 48;
/// Offset of the counter `cycles`.
pub const COUNTER_CYCLES: u32 = 0x100;
/// Offset of the counter `first_issue`.
pub const COUNTER_FIRST_ISSUE: u32 = 0x108;
/// Offset of the counter `last_write_back`.
pub const COUNTER_LAST_WRITE_BACK: u32 = 0x110;
/// Offset of the counter `memory_bound`.
pub const COUNTER_MEMORY_BOUND: u32 = 0x118;
/// Offset of the counter `instruction_bursts`.
pub const COUNTER_INSTRUCTION_BURSTS: u32 = 0x120;
/// Offset of the counter `table_bursts`.
pub const COUNTER_TABLE_BURSTS: u32 = 0x128;
/// Offset of the counter `oor_address_bursts`.
pub const COUNTER_OOR_ADDRESS_BURSTS: u32 = 0x130;
/// Offset of the counter `oor_wires`.
pub const COUNTER_OOR_WIRES: u32 = 0x138;
/// Offset of the counter `live`.
pub const COUNTER_LIVE: u32 = 0x140;
/// Offset of the counter `input_bursts`.
pub const COUNTER_INPUT_BURSTS: u32 = 0x148;
/// Offset of the counter `ands`.
pub const COUNTER_ANDS: u32 = 0x150;
/// Offset of the counter `xors`.
pub const COUNTER_XORS: u32 = 0x158;
/// Offset of the counter `half_gate_cycles`.
pub const COUNTER_HALF_GATE_CYCLES: u32 = 0x160;
/// Offset of the counter `window_reads`.
pub const COUNTER_WINDOW_READS: u32 = 0x168;
/// Offset of the counter `window_writes`.
pub const COUNTER_WINDOW_WRITES: u32 = 0x170;
/// Offset of the counter `forwarded`.
pub const COUNTER_FORWARDED: u32 = 0x178;
/// Offset of the counter `oor_pops`.
pub const COUNTER_OOR_POPS: u32 = 0x180;
/// Offset of the counter `late`.
pub const COUNTER_LATE: u32 = 0x188;
/// Offset of engine 0's counters of causes, 8 bytes each.
pub const CAUSES: u32 = 0x1000;
/// From one engine's to the next one's.
pub const CAUSES_STRIDE: u32 = 0x80;

/// Where a machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// nothing runs, and nothing is there to be read.
    Idle = 0,
    /// labels of the window and delta are overwritten.
    Wiping = 1,
    /// the descriptor is read and checked.
    Fetching = 2,
    /// the program runs.
    Running = 3,
    /// a run was given up; memory still owes answers.
    Draining = 4,
    /// the program has ended.
    Done = 5,
    /// an error has ended it; no outputs may be taken.
    Failed = 6,
}

impl State {
    /// What has the number `code`, if anything does.
    pub fn from_code(code: u32) -> Option<State> {
        match code {
            0 => Some(State::Idle),
            1 => Some(State::Wiping),
            2 => Some(State::Fetching),
            3 => Some(State::Running),
            4 => Some(State::Draining),
            5 => Some(State::Done),
            6 => Some(State::Failed),
            _ => None,
        }
    }

    /// What it means.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            State::Idle => "nothing runs, and nothing is there to be read",
            State::Wiping => "labels of the window and delta are overwritten",
            State::Fetching => "the descriptor is read and checked",
            State::Running => "the program runs",
            State::Draining => "a run was given up; memory still owes answers",
            State::Done => "the program has ended",
            State::Failed => "an error has ended it; no outputs may be taken",
        }
    }
}


/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// no error.
    None = 0,
    /// there is no launch descriptor at the program's address.
    NotAProgram = 1,
    /// the descriptor is of another version of registers or instruction set.
    OtherVersion = 2,
    /// the program is for other engines, another window, the other role or another encoding.
    OtherConfiguration = 3,
    /// the descriptor's numbers contradict each other, or an address is not a multiple of 64.
    BadDescriptor = 4,
    /// a checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words.
    Corrupt = 5,
    /// a stream ends before the program does: instructions, out-of-range words, or tables.
    Short = 6,
    /// an instruction has no meaning.
    IllegalInstruction = 7,
    /// memory answered a request with SLVERR or DECERR.
    MemoryError = 8,
    /// memory has not answered anything for `timeout` cycles.
    MemoryDead = 9,
    /// nothing can happen any more, although no stream is short: the program contradicts itself.
    Stuck = 10,
}

impl Code {
    /// What has the number `code`, if anything does.
    pub fn from_code(code: u32) -> Option<Code> {
        match code {
            0 => Some(Code::None),
            1 => Some(Code::NotAProgram),
            2 => Some(Code::OtherVersion),
            3 => Some(Code::OtherConfiguration),
            4 => Some(Code::BadDescriptor),
            5 => Some(Code::Corrupt),
            6 => Some(Code::Short),
            7 => Some(Code::IllegalInstruction),
            8 => Some(Code::MemoryError),
            9 => Some(Code::MemoryDead),
            10 => Some(Code::Stuck),
            _ => None,
        }
    }

    /// What it means.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            Code::None => "no error",
            Code::NotAProgram => "there is no launch descriptor at the program's address",
            Code::OtherVersion => "the descriptor is of another version of registers or instruction set",
            Code::OtherConfiguration => "the program is for other engines, another window, the other role or another encoding",
            Code::BadDescriptor => "the descriptor's numbers contradict each other, or an address is not a multiple of 64",
            Code::Corrupt => "a checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words",
            Code::Short => "a stream ends before the program does: instructions, out-of-range words, or tables",
            Code::IllegalInstruction => "an instruction has no meaning",
            Code::MemoryError => "memory answered a request with SLVERR or DECERR",
            Code::MemoryDead => "memory has not answered anything for `timeout` cycles",
            Code::Stuck => "nothing can happen any more, although no stream is short: the program contradicts itself",
        }
    }
}


/// Which of the machine's streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// none.
    None = 0,
    /// the launch descriptor.
    Descriptor = 1,
    /// instructions.
    Instructions = 2,
    /// input labels on their way into the window.
    Inputs = 3,
    /// an engine's out-of-range words.
    OorAddresses = 4,
    /// an engine's out-of-range labels.
    OorWires = 5,
    /// an engine's tables.
    Tables = 6,
    /// an engine's live labels.
    Live = 7,
}

impl Stream {
    /// What has the number `code`, if anything does.
    pub fn from_code(code: u32) -> Option<Stream> {
        match code {
            0 => Some(Stream::None),
            1 => Some(Stream::Descriptor),
            2 => Some(Stream::Instructions),
            3 => Some(Stream::Inputs),
            4 => Some(Stream::OorAddresses),
            5 => Some(Stream::OorWires),
            6 => Some(Stream::Tables),
            7 => Some(Stream::Live),
            _ => None,
        }
    }

    /// What it means.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            Stream::None => "none",
            Stream::Descriptor => "the launch descriptor",
            Stream::Instructions => "instructions",
            Stream::Inputs => "input labels on their way into the window",
            Stream::OorAddresses => "an engine's out-of-range words",
            Stream::OorWires => "an engine's out-of-range labels",
            Stream::Tables => "an engine's tables",
            Stream::Live => "an engine's live labels",
        }
    }
}

/// The launch descriptor's first word.
pub const DESCRIPTOR_MAGIC: u32 = 0x4c474748;
/// Bytes of its header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of an engine's entry.
pub const ENGINE_BYTES: usize = 32;
/// `magic`: 0x4c474748: "HGGL" in the order of bytes.
pub const HEADER_MAGIC: Part = Part { offset: 0, bytes: 4 };
/// `version`: as the register `version`.
pub const HEADER_VERSION: Part = Part { offset: 4, bytes: 4 };
/// `machine`: as the register `config`; above it the encoding: 0, plain.
pub const HEADER_MACHINE: Part = Part { offset: 8, bytes: 4 };
/// `rows`: rows of instructions.
pub const HEADER_ROWS: Part = Part { offset: 12, bytes: 4 };
/// `first_output`: address of the first instruction's output.
pub const HEADER_FIRST_OUTPUT: Part = Part { offset: 16, bytes: 4 };
/// `first_loaded`: address of the first input that is loaded into the window; first_output if none is.
pub const HEADER_FIRST_LOADED: Part = Part { offset: 20, bytes: 4 };
/// `instruction_bursts`: bursts that the rows take, the last filled up with zeros.
pub const HEADER_INSTRUCTION_BURSTS: Part = Part { offset: 24, bytes: 4 };
/// `instruction_crc`: CRC-32C of these bursts.
pub const HEADER_INSTRUCTION_CRC: Part = Part { offset: 28, bytes: 4 };
/// `instructions`: address of the instructions, a multiple of 64.
pub const HEADER_INSTRUCTIONS: Part = Part { offset: 32, bytes: 8 };
/// `labels`: address of the labels, a multiple of 64; the label of wire x is 16 x behind it.
pub const HEADER_LABELS: Part = Part { offset: 40, bytes: 8 };
/// `reserved`: 0.
pub const HEADER_RESERVED: Part = Part { offset: 48, bytes: 12 };
/// `crc`: CRC-32C of the whole descriptor but for these four bytes, which count as 0.
pub const HEADER_CRC: Part = Part { offset: 60, bytes: 4 };
/// `oor`: address of the engine's out-of-range words, a multiple of 64.
pub const ENGINE_OOR: Part = Part { offset: 0, bytes: 8 };
/// `tables`: address of the engine's tables, a multiple of 64.
pub const ENGINE_TABLES: Part = Part { offset: 8, bytes: 8 };
/// `oor_words`: how many words.
pub const ENGINE_OOR_WORDS: Part = Part { offset: 16, bytes: 4 };
/// `ands`: how many tables.
pub const ENGINE_ANDS: Part = Part { offset: 20, bytes: 4 };
/// `oor_crc`: CRC-32C of the bursts of words, the last filled up with zeros.
pub const ENGINE_OOR_CRC: Part = Part { offset: 24, bytes: 4 };
/// `reserved`: 0.
pub const ENGINE_RESERVED: Part = Part { offset: 28, bytes: 4 };
