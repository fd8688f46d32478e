//! Registers, codes and the launch descriptor of a HAAC in hardware.
//!
//! Generated from `machines/haac/spec/registers.toml`: change that file and run `make spec`.

use super::{Bits, Part};

/// Version of the registers and the launch descriptor.
pub const VERSION: u32 = 1;
/// Bits of a register's address.
pub const ADDRESS_BITS: u32 = 14;

/// Register `id` (ro): 0x43414148, the bytes of "HAAC" in order.
pub const REG_ID: u32 = 0x0;
/// Register `version` (ro): versions that the machine supports.
pub const REG_VERSION: u32 = 0x4;
/// Field `registers` of `version`: version of this map and of the descriptor.
pub const VERSION_REGISTERS: Bits = Bits { low: 0, width: 16 };
/// Field `isa` of `version`: version of the instruction set.
pub const VERSION_ISA: Bits = Bits { low: 16, width: 16 };
/// Register `config` (ro): parameters of the machine; a descriptor must have the same.
pub const REG_CONFIG: u32 = 0x8;
/// Field `engines` of `config`: gate engines.
pub const CONFIG_ENGINES: Bits = Bits { low: 0, width: 8 };
/// Field `window_bits` of `config`: binary logarithm of the window's labels.
pub const CONFIG_WINDOW_BITS: Bits = Bits { low: 8, width: 8 };
/// Field `evaluator` of `config`: 1: evaluates, 0: garbles.
pub const CONFIG_EVALUATOR: Bits = Bits { low: 16, width: 1 };
/// Register `features` (ro): other parameters.
pub const REG_FEATURES: u32 = 0xc;
/// Field `ports` of `features`: AXI4 ports.
pub const FEATURES_PORTS: Bits = Bits { low: 0, width: 8 };
/// Field `data_bytes` of `features`: bytes of a port's data.
pub const FEATURES_DATA_BYTES: Bits = Bits { low: 8, width: 8 };
/// Field `counters` of `features`: 1: the machine has the counters.
pub const FEATURES_COUNTERS: Bits = Bits { low: 16, width: 1 };
/// Field `aes` of `features`: S-boxes: 0 tables, 1 composite field, 2 AES by DPI, for simulation.
pub const FEATURES_AES: Bits = Bits { low: 20, width: 2 };
/// Register `control` (wo): commands: writing 1 to a bit executes its command.
pub const REG_CONTROL: u32 = 0x10;
/// Field `start` of `control`: run the program; ignored unless the state is idle, done or failed.
pub const CONTROL_START: Bits = Bits { low: 0, width: 1 };
/// Field `reset` of `control`: soft reset: abort the run, wait for memory's responses, wipe, become
/// idle.
pub const CONTROL_RESET: Bits = Bits { low: 1, width: 1 };
/// Field `clear` of `control`: clear `done`, the error and `was_reset`.
pub const CONTROL_CLEAR: Bits = Bits { low: 2, width: 1 };
/// Register `status` (ro): status of the machine.
pub const REG_STATUS: u32 = 0x14;
/// Field `state` of `status`: a code of the table of states.
pub const STATUS_STATE: Bits = Bits { low: 0, width: 4 };
/// Field `done` of `status`: the program has ended, and all labels and tables are in memory.
pub const STATUS_DONE: Bits = Bits { low: 4, width: 1 };
/// Field `failed` of `status`: an error has ended the run: see `error`.
pub const STATUS_FAILED: Bits = Bits { low: 5, width: 1 };
/// Field `was_reset` of `status`: a hard or soft reset interrupted a run; stays set until `clear`
/// or `start`.
pub const STATUS_WAS_RESET: Bits = Bits { low: 6, width: 1 };
/// Field `draining` of `status`: responses of memory are outstanding.
pub const STATUS_DRAINING: Bits = Bits { low: 7, width: 1 };
/// Register `error` (ro): the first error of the run.
pub const REG_ERROR: u32 = 0x18;
/// Field `code` of `error`: a code of the table of errors; 0: none.
pub const ERROR_CODE: Bits = Bits { low: 0, width: 8 };
/// Field `stream` of `error`: a code of the table of streams; 0: none.
pub const ERROR_STREAM: Bits = Bits { low: 8, width: 8 };
/// Field `engine` of `error`: engine of the stream, if each engine has one.
pub const ERROR_ENGINE: Bits = Bits { low: 16, width: 8 };
/// Register `interrupt` (rw): the interrupt line.
pub const REG_INTERRUPT: u32 = 0x1c;
/// Field `enable` of `interrupt`: 1: the line is high while `done` or `failed` is set.
pub const INTERRUPT_ENABLE: Bits = Bits { low: 0, width: 1 };
/// Register `program` (rw, 2 words): address of the launch descriptor, a multiple of 64.
pub const REG_PROGRAM: u32 = 0x20;
/// Register `and_base` (rw, 2 words): number of ANDs in all earlier launches; AND numbers of this
/// launch continue from it.
pub const REG_AND_BASE: u32 = 0x28;
/// Register `point` (rw, 4 words): start point S, public.
pub const REG_POINT: u32 = 0x30;
/// Register `delta` (wo, 4 words): the garbler's delta, whose bit 0 must be 1: with delta 0 the
/// tables show labels; write it before each start, because the end of any run and resets wipe it.
pub const REG_DELTA: u32 = 0x40;
/// Register `latency` (rw): 0: a response counts when it arrives; 1 to 255: not before this many
/// cycles after acceptance of its request.
pub const REG_LATENCY: u32 = 0x50;
/// Register `credit_step` (rw): credit gained per cycle; 0: requests per cycle are not limited.
pub const REG_CREDIT_STEP: u32 = 0x54;
/// Register `credit_byte` (rw): credit that a byte costs.
pub const REG_CREDIT_BYTE: u32 = 0x58;
/// Register `credit_cap` (rw): maximum credit: step + 64 * byte.
pub const REG_CREDIT_CAP: u32 = 0x5c;
/// Register `wire_bytes` (rw): bytes for which an access to one label is charged: 16 (after a
/// reset) or 64; more than 64 is a `bad_descriptor`.
pub const REG_WIRE_BYTES: u32 = 0x60;
/// Register `timeout` (rw): cycles without any response after which memory counts as dead; 0:
/// never; 65536 after a reset.
pub const REG_TIMEOUT: u32 = 0x64;

/// Offset of the first counter; the others follow, 8 bytes each.
pub const COUNTERS: u32 = 0x100;
/// Bits of a counter that are implemented.
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
/// Distance from one engine's counters of causes to those of the next engine.
pub const CAUSES_STRIDE: u32 = 0x80;

/// State of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// No run, and no results to read.
    Idle = 0,
    /// Labels in the window and delta are overwritten.
    Wiping = 1,
    /// The descriptor is read and checked.
    Fetching = 2,
    /// The program runs.
    Running = 3,
    /// A run was aborted, and responses of memory are outstanding.
    Draining = 4,
    /// The program has ended.
    Done = 5,
    /// An error has ended the run; its outputs must not be used.
    Failed = 6,
}

impl State {
    /// Converts the number `code`. Returns `None` if it has no meaning.
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

    /// Returns the meaning as text.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            State::Idle => "no run, and no results to read",
            State::Wiping => "labels in the window and delta are overwritten",
            State::Fetching => "the descriptor is read and checked",
            State::Running => "the program runs",
            State::Draining => "a run was aborted, and responses of memory are outstanding",
            State::Done => "the program has ended",
            State::Failed => "an error has ended the run; its outputs must not be used",
        }
    }
}


/// Error of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// No error.
    None = 0,
    /// There is no launch descriptor at the program's address.
    NotAProgram = 1,
    /// The descriptor has another version of the registers or the instruction set.
    OtherVersion = 2,
    /// The program is for another number of engines, another window, the other role or another
    /// encoding.
    OtherConfiguration = 3,
    /// The descriptor's numbers contradict each other, or an address is not a multiple of 64.
    BadDescriptor = 4,
    /// A checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words.
    Corrupt = 5,
    /// A stream ends before the program does: instructions, out-of-range words, or tables.
    Short = 6,
    /// An instruction is undefined.
    IllegalInstruction = 7,
    /// Memory responded to a request with SLVERR or DECERR, with RLAST at a wrong beat, or with an
    /// ID that was not sent.
    MemoryError = 8,
    /// Memory has not responded for `timeout` cycles.
    MemoryDead = 9,
    /// No progress is possible, although no stream is short: the program contradicts itself.
    Stuck = 10,
}

impl Code {
    /// Converts the number `code`. Returns `None` if it has no meaning.
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

    /// Returns the meaning as text.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            Code::None => "no error",
            Code::NotAProgram => "there is no launch descriptor at the program's address",
            Code::OtherVersion => "the descriptor has another version of the registers or the instruction set",
            Code::OtherConfiguration => "the program is for another number of engines, another window, the other role or another encoding",
            Code::BadDescriptor => "the descriptor's numbers contradict each other, or an address is not a multiple of 64",
            Code::Corrupt => "a checksum is wrong: of the descriptor, the instructions, or an engine's out-of-range words",
            Code::Short => "a stream ends before the program does: instructions, out-of-range words, or tables",
            Code::IllegalInstruction => "an instruction is undefined",
            Code::MemoryError => "memory responded to a request with SLVERR or DECERR, with RLAST at a wrong beat, or with an ID that was not sent",
            Code::MemoryDead => "memory has not responded for `timeout` cycles",
            Code::Stuck => "no progress is possible, although no stream is short: the program contradicts itself",
        }
    }
}


/// A stream of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// None.
    None = 0,
    /// The launch descriptor.
    Descriptor = 1,
    /// Instructions.
    Instructions = 2,
    /// Input labels to load into the window.
    Inputs = 3,
    /// An engine's out-of-range words.
    OorAddresses = 4,
    /// An engine's out-of-range labels.
    OorWires = 5,
    /// An engine's tables.
    Tables = 6,
    /// An engine's live labels.
    Live = 7,
}

impl Stream {
    /// Converts the number `code`. Returns `None` if it has no meaning.
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

    /// Returns the meaning as text.
    #[rustfmt::skip]
    pub fn about(self) -> &'static str {
        match self {
            Stream::None => "none",
            Stream::Descriptor => "the launch descriptor",
            Stream::Instructions => "instructions",
            Stream::Inputs => "input labels to load into the window",
            Stream::OorAddresses => "an engine's out-of-range words",
            Stream::OorWires => "an engine's out-of-range labels",
            Stream::Tables => "an engine's tables",
            Stream::Live => "an engine's live labels",
        }
    }
}

/// First word of the launch descriptor.
pub const DESCRIPTOR_MAGIC: u32 = 0x4c474748;
/// Bytes of the launch descriptor's header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of an engine's entry in the launch descriptor.
pub const ENGINE_BYTES: usize = 32;
/// Part `magic` of the header: 0x4c474748, the bytes of "HGGL" in order.
pub const HEADER_MAGIC: Part = Part { offset: 0, bytes: 4 };
/// Part `version` of the header: as in the register `version`.
pub const HEADER_VERSION: Part = Part { offset: 4, bytes: 4 };
/// Part `machine` of the header: as in the register `config`; the bits above are the encoding: 0
/// for `plain`.
pub const HEADER_MACHINE: Part = Part { offset: 8, bytes: 4 };
/// Part `rows` of the header: number of rows of instructions.
pub const HEADER_ROWS: Part = Part { offset: 12, bytes: 4 };
/// Part `first_output` of the header: address of the first instruction's output.
pub const HEADER_FIRST_OUTPUT: Part = Part { offset: 16, bytes: 4 };
/// Part `first_loaded` of the header: address of the first input that is loaded into the window;
/// `first_output` if there is none.
pub const HEADER_FIRST_LOADED: Part = Part { offset: 20, bytes: 4 };
/// Part `instruction_bursts` of the header: number of bursts of the rows, the last padded with
/// zeros.
pub const HEADER_INSTRUCTION_BURSTS: Part = Part { offset: 24, bytes: 4 };
/// Part `instruction_crc` of the header: CRC-32C of these bursts.
pub const HEADER_INSTRUCTION_CRC: Part = Part { offset: 28, bytes: 4 };
/// Part `instructions` of the header: address of the instructions, a multiple of 64.
pub const HEADER_INSTRUCTIONS: Part = Part { offset: 32, bytes: 8 };
/// Part `labels` of the header: address of the labels, a multiple of 64; the label of wire x is 16
/// x bytes above it.
pub const HEADER_LABELS: Part = Part { offset: 40, bytes: 8 };
/// Part `reserved` of the header: 0.
pub const HEADER_RESERVED: Part = Part { offset: 48, bytes: 12 };
/// Part `crc` of the header: CRC-32C of the whole descriptor, in which these four bytes count as 0.
pub const HEADER_CRC: Part = Part { offset: 60, bytes: 4 };
/// Part `oor` of an engine's entry: address of the engine's out-of-range words, a multiple of 64.
pub const ENGINE_OOR: Part = Part { offset: 0, bytes: 8 };
/// Part `tables` of an engine's entry: address of the engine's tables, a multiple of 64.
pub const ENGINE_TABLES: Part = Part { offset: 8, bytes: 8 };
/// Part `oor_words` of an engine's entry: number of words.
pub const ENGINE_OOR_WORDS: Part = Part { offset: 16, bytes: 4 };
/// Part `ands` of an engine's entry: number of tables.
pub const ENGINE_ANDS: Part = Part { offset: 20, bytes: 4 };
/// Part `oor_crc` of an engine's entry: CRC-32C of the bursts of words, the last padded with zeros.
pub const ENGINE_OOR_CRC: Part = Part { offset: 24, bytes: 4 };
/// Part `reserved` of an engine's entry: 0.
pub const ENGINE_RESERVED: Part = Part { offset: 28, bytes: 4 };
