//! HAAC's control: a launch descriptor with every possible error, the sequence of a run with errors
//! and resets at any time, registers, and counters.

use std::collections::HashMap;

use crate::rtl::memory_bench::{Random, Tested};
use crc_fast::{CrcAlgorithm, checksum};
use halfgate_haac::rtl::registers::*;
use halfgate_verilated::{Design, Error, In, Out, Simulation};

/// A simulated design, with its ports by name.
struct Bench {
    sim: Simulation,
    inputs: HashMap<&'static str, In>,
    outputs: HashMap<&'static str, Out>,
}

impl Bench {
    fn new(
        design: Design,
        inputs: &[(&'static str, u32)],
        outputs: &[(&'static str, u32)],
    ) -> Result<Bench, Error> {
        let mut sim = Simulation::new(&design.build()?)?;
        let mut bench = (HashMap::new(), HashMap::new());
        for &(name, width) in inputs {
            bench.0.insert(name, sim.input(name, width)?);
        }
        for &(name, width) in outputs {
            bench.1.insert(name, sim.output(name, width)?);
        }
        sim.reset()?;
        Ok(Bench { sim, inputs: bench.0, outputs: bench.1 })
    }

    fn set(&mut self, name: &str, value: u128) {
        self.sim.set_u128(self.inputs[name], value);
    }

    /// The value of an output, after the inputs of this cycle are applied.
    fn get(&mut self, name: &str) -> Result<u128, Error> {
        self.sim.settle()?;
        Ok(self.sim.get_u128(self.outputs[name]))
    }

    fn is(&mut self, name: &str) -> Result<bool, Error> {
        Ok(self.get(name)? != 0)
    }
}

/// Engines and window of the machine that reads descriptors.
const ENGINES: usize = 3;
const WINDOW_BITS: u32 = 6;
const ROWS: u64 = 100;

/// Number of bursts that the rows take.
fn bursts(rows: u64) -> u64 {
    (rows * ENGINES as u64 * u64::from(2 * WINDOW_BITS + 3)).div_ceil(512)
}

/// A descriptor without its checksum.
fn descriptor() -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES + ENGINE_BYTES * ENGINES.next_multiple_of(2)];
    let (header, entries) = bytes.split_at_mut(HEADER_BYTES);
    let machine = CONFIG_ENGINES.at(ENGINES as u32) | CONFIG_WINDOW_BITS.at(WINDOW_BITS);
    for (part, value) in [
        (HEADER_MAGIC, DESCRIPTOR_MAGIC.into()),
        (HEADER_VERSION, u64::from(VERSION_REGISTERS.at(VERSION) | VERSION_ISA.at(1))),
        (HEADER_MACHINE, machine.into()),
        (HEADER_ROWS, ROWS),
        (HEADER_FIRST_OUTPUT, 70),
        (HEADER_FIRST_LOADED, 40),
        (HEADER_INSTRUCTION_BURSTS, bursts(ROWS)),
        (HEADER_INSTRUCTION_CRC, 0x1234_5678),
        (HEADER_INSTRUCTIONS, 0x12_3456_7840),
        (HEADER_LABELS, 0xff_ffff_ffc0),
    ] {
        part.put(header, value);
    }
    for (e, entry) in entries.chunks_mut(ENGINE_BYTES).take(ENGINES).enumerate() {
        let e = e as u64;
        for (part, value) in [
            (ENGINE_OOR, 0x1000 + 64 * e),
            (ENGINE_TABLES, 0x8_0000_0000 + 64 * e),
            (ENGINE_OOR_WORDS, 10 + e),
            (ENGINE_ANDS, 20 + e),
            (ENGINE_OOR_CRC, 30 + e),
        ] {
            part.put(entry, value);
        }
    }
    bytes
}

fn with_crc(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes[60..64].fill(0);
    let crc = checksum(CrcAlgorithm::Crc32Iscsi, &bytes);
    HEADER_CRC.put(&mut bytes, crc);
    bytes
}

fn reader() -> Result<Bench, Error> {
    let design = Design::of("haac_fetch")
        .param("Engines", ENGINES as u64)
        .param("WindowLabels", 1 << WINDOW_BITS);
    Bench::new(
        design,
        &[
            ("go_i", 1),
            ("program_i", 64),
            ("credit_step_i", 32),
            ("credit_byte_i", 32),
            ("credit_cap_i", 32),
            ("wire_bytes_i", 32),
            ("push_i", 1),
            ("burst_i", 512),
            ("crc_i", 32),
        ],
        &[
            ("request_o", 1),
            ("addr_o", 40),
            ("done_o", 1),
            ("fault_o", 1),
            ("code_o", 8),
            ("stream_o", 8),
            ("engine_o", 8),
            ("rows_o", 32),
            ("first_output_o", 31),
            ("first_loaded_o", 31),
            ("instr_bursts_o", 32),
            ("instr_crc_o", 32),
            ("instr_base_o", 40),
            ("labels_base_o", 40),
            ("oor_words_o", 96),
            ("ands_o", 96),
            ("oor_crc_o", 96),
            ("oor_base_o", 120),
            ("tables_base_o", 120),
        ],
    )
}

/// Lets the machine read the descriptor `bytes` from `address`, with random delays. `None` if it is
/// accepted.
fn read(
    bench: &mut Bench,
    bytes: &[u8],
    address: u64,
) -> Result<Option<(Code, Stream, u128)>, Error> {
    let mut random = Random(1);
    bench.set("go_i", 0);
    bench.sim.clock()?;
    bench.set("program_i", address.into());
    bench.set("go_i", 1);
    let mut sent = 0;
    let mut crc = 0;
    for _ in 0..200 {
        bench.set("push_i", 0);
        bench.set("crc_i", crc);
        if bench.is("fault_o")? {
            let code = Code::from_code(bench.get("code_o")? as u32).unwrap();
            let stream = Stream::from_code(bench.get("stream_o")? as u32).unwrap();
            return Ok(Some((code, stream, bench.get("engine_o")?)));
        }
        if bench.is("done_o")? {
            assert_eq!(sent, bytes.len());
            return Ok(None);
        }
        if random.below(4) == 0 && bench.is("request_o")? {
            assert_eq!(bench.get("addr_o")?, u128::from(address) + sent as u128);
            bench.sim.set_bytes(bench.inputs["burst_i"], &bytes[sent..sent + 64]);
            bench.set("push_i", 1);
            sent += 64;
            let mut so_far = bytes[..sent].to_vec();
            so_far[60..64].fill(0);
            crc = checksum(CrcAlgorithm::Crc32Iscsi, &so_far).into();
        }
        bench.sim.clock()?;
    }
    panic!("no end after {sent} bytes");
}

#[test]
fn a_descriptor_is_read_and_held() -> Tested {
    let mut bench = reader()?;
    bench.set("wire_bytes_i", 16);
    assert_eq!(read(&mut bench, &with_crc(descriptor()), 0x7_0000_0040)?, None);
    for (name, value) in [
        ("rows_o", u128::from(ROWS)),
        ("first_output_o", 70),
        ("first_loaded_o", 40),
        ("instr_bursts_o", bursts(ROWS).into()),
        ("instr_crc_o", 0x1234_5678),
        ("instr_base_o", 0x12_3456_7840),
        ("labels_base_o", 0xff_ffff_ffc0),
        ("oor_words_o", 10 | 11 << 32 | 12 << 64),
        ("ands_o", 20 | 21 << 32 | 22 << 64),
        ("oor_crc_o", 30 | 31 << 32 | 32 << 64),
        ("oor_base_o", 0x1000 | 0x1040 << 40 | 0x1080 << 80),
        ("tables_base_o", 0x8_0000_0000 | 0x8_0000_0040 << 40 | 0x8_0000_0080u128 << 80),
    ] {
        assert_eq!(bench.get(name)?, value, "{name}");
    }
    Ok(())
}

#[test]
fn errors_in_a_descriptor_are_reported() -> Tested {
    use Code::{BadDescriptor, Corrupt, NotAProgram, OtherConfiguration, OtherVersion, Short};
    let mut bench = reader()?;
    bench.set("wire_bytes_i", 16);
    let entry = |e: usize, part: Part| Part {
        offset: HEADER_BYTES + e * ENGINE_BYTES + part.offset,
        ..part
    };
    let here = Stream::Descriptor;
    let machine = CONFIG_ENGINES.at(3) | CONFIG_WINDOW_BITS.at(WINDOW_BITS);
    let version = VERSION_REGISTERS.at(VERSION) | VERSION_ISA.at(1);
    let other = u64::from(machine);
    let cases = [
        (HEADER_ROWS, ROWS, None),
        (HEADER_MAGIC, 0x4c47_4749, Some((NotAProgram, here, 0))),
        (HEADER_VERSION, u64::from(version) + 1, Some((OtherVersion, here, 0))),
        (HEADER_VERSION, u64::from(version) + 0x1_0000, Some((OtherVersion, here, 0))),
        (HEADER_MACHINE, other + 1, Some((OtherConfiguration, here, 0))),
        (HEADER_MACHINE, other + 0x100, Some((OtherConfiguration, here, 0))),
        (HEADER_MACHINE, other + 0x1_0000, Some((OtherConfiguration, here, 0))),
        (HEADER_MACHINE, other + 0x2_0000, Some((OtherConfiguration, here, 0))),
        (HEADER_INSTRUCTION_BURSTS, bursts(ROWS) - 1, Some((Short, Stream::Instructions, 0))),
        (HEADER_ROWS, u32::MAX.into(), Some((Short, Stream::Instructions, 0))),
        (HEADER_INSTRUCTION_BURSTS, bursts(ROWS) + 1, Some((BadDescriptor, here, 0))),
        (HEADER_FIRST_OUTPUT, 1 << 31, Some((BadDescriptor, here, 0))),
        (HEADER_FIRST_OUTPUT, 0, Some((BadDescriptor, here, 0))),
        (HEADER_FIRST_LOADED, 71, Some((BadDescriptor, here, 0))),
        (HEADER_FIRST_LOADED, 70, None),
        // Loading must begin in the half before that of the first output, or later.
        (HEADER_FIRST_LOADED, 32, None),
        (HEADER_FIRST_LOADED, 31, Some((BadDescriptor, here, 0))),
        (HEADER_INSTRUCTIONS, 0x1020, Some((BadDescriptor, here, 0))),
        (HEADER_LABELS, 1 << 40, Some((BadDescriptor, here, 0))),
        (entry(1, ENGINE_OOR), 0x1001, Some((BadDescriptor, here, 1))),
        (entry(2, ENGINE_TABLES), 1 << 63, Some((BadDescriptor, here, 2))),
        // This entry is for an engine that does not exist.
        (entry(3, ENGINE_TABLES), 1, None),
    ];
    for (part, value, expected) in cases {
        let mut bytes = descriptor();
        part.put(&mut bytes, value);
        let is = read(&mut bench, &with_crc(bytes), 0x1000)?;
        assert_eq!(is, expected, "{value:#x} at {}", part.offset);
    }
    // Flips any bit without changing the checksum. Fields that are checked before the checksum have
    // errors of their own.
    let right = with_crc(descriptor());
    for bit in (0..8 * right.len()).step_by(37) {
        let mut bytes = right.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (code, ..) = read(&mut bench, &bytes, 0x1000)?.expect("it is wrong");
        let expected = match bit / 32 {
            0 => NotAProgram,
            1 => OtherVersion,
            2 => OtherConfiguration,
            _ => Corrupt,
        };
        assert_eq!(code, expected, "bit {bit}");
    }
    for address in [0x1020, 1 << 40] {
        let is = read(&mut bench, &right, address)?;
        assert_eq!(is, Some((BadDescriptor, here, 0)), "{address:#x}");
    }
    // In the last case the credit is never enough for a burst.
    for (step, byte, cap, good) in [(0, 9, 0, true), (1, 10, 640, true), (1, 10, 639, false)] {
        bench.set("credit_step_i", step);
        bench.set("credit_byte_i", byte);
        bench.set("credit_cap_i", cap);
        assert_eq!(read(&mut bench, &right, 0)?.is_none(), good, "{step} {byte} {cap}");
    }
    Ok(())
}

const PULSES: [&str; 3] = ["start_i", "reset_i", "clear_i"];

fn control() -> Result<Bench, Error> {
    let mut inputs = vec![("rst_ni", 1), ("interrupt_i", 1), ("wiping_i", 1), ("pending_i", 1)];
    inputs.extend(PULSES.map(|name| (name, 1)));
    for name in ["fetch_done_i", "fetch_fault_i", "done_i", "sum_done_i", "sum_bad_i", "fault_i"] {
        inputs.push((name, 1));
    }
    for name in ["fetch_code_i", "fault_code_i", "fetch_stream_i", "sum_stream_i", "fault_stream_i"]
    {
        inputs.push((name, 8));
    }
    for name in ["fetch_engine_i", "sum_engine_i", "fault_engine_i"] {
        inputs.push((name, 8));
    }
    Bench::new(
        Design::of("haac_control"),
        &inputs,
        &[
            ("fetch_o", 1),
            ("launch_o", 1),
            ("wipe_o", 1),
            ("flush_o", 1),
            ("work_o", 1),
            ("run_o", 1),
            ("sum_o", 1),
            ("busy_o", 1),
            ("status_o", 32),
            ("error_o", 32),
            ("irq_o", 1),
        ],
    )
}

/// The error in a run, and when it happens.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Wrong {
    Nothing,
    Descriptor,
    Run,
    Sum,
    SoftReset(u32),
    HardReset(u32),
}

/// Simulates one run with random delays. Returns status and error when the machine is at rest.
fn course(bench: &mut Bench, wrong: Wrong, random: &mut Random) -> Result<(u32, u32), Error> {
    bench.set("start_i", 1);
    bench.sim.clock()?;
    let (mut cycles, mut wipes, mut launches, mut left) = (0, 0, 0, 0);
    let mut seen_done = false;
    loop {
        for name in PULSES {
            bench.set(name, 0);
        }
        let ready = random.below(6) == 0;
        for name in
            ["fetch_done_i", "fetch_fault_i", "done_i", "sum_done_i", "sum_bad_i", "fault_i"]
        {
            bench.set(name, 0);
        }
        left = if bench.is("wipe_o")? || bench.is("launch_o")? { 7 } else { left - left.min(1) };
        bench.set("wiping_i", u128::from(left > 0 && left < 7));
        let busy = bench.is("busy_o")?;
        bench.set("pending_i", u128::from(busy || random.below(9) > 0));
        if bench.is("fetch_o")? && ready {
            let name = if wrong == Wrong::Descriptor { "fetch_fault_i" } else { "fetch_done_i" };
            bench.set(name, 1);
            bench.set("fetch_code_i", Code::Corrupt as u128);
            bench.set("fetch_stream_i", Stream::Descriptor as u128);
            bench.set("fetch_engine_i", 1);
        }
        let mut finished = false;
        if bench.is("run_o")? && ready {
            finished = wrong != Wrong::Run;
            let name = if wrong == Wrong::Run { "fault_i" } else { "done_i" };
            bench.set(name, 1);
            bench.set("fault_code_i", Code::MemoryError as u128);
            bench.set("fault_stream_i", Stream::Live as u128);
            bench.set("fault_engine_i", 2);
        }
        if bench.is("sum_o")? && ready {
            bench.set("sum_done_i", 1);
            bench.set("sum_bad_i", u128::from(wrong == Wrong::Sum));
            bench.set("sum_stream_i", Stream::Instructions as u128);
            bench.set("sum_engine_i", 3);
        }
        match wrong {
            Wrong::SoftReset(at) if at == cycles => bench.set("reset_i", 1),
            Wrong::HardReset(at) if at == cycles => {
                bench.set("rst_ni", 0);
                bench.sim.clock()?;
                bench.sim.clock()?;
                bench.set("rst_ni", 1);
                left = 0;
            }
            _ => {}
        }
        wipes += u32::from(bench.is("wipe_o")?);
        launches += u32::from(bench.is("launch_o")?);
        let status = bench.get("status_o")? as u32;
        seen_done |= STATUS_DONE.of(status) == 1;
        assert_eq!(
            bench.is("work_o")?,
            finished || bench.is("run_o")?,
            "works until it has finished"
        );
        if bench.is("run_o")? {
            assert!(launches == 1 && left == 0, "runs after a launch, when labels are wiped");
        }
        let state = State::from_code(STATUS_STATE.of(status)).expect("a state");
        if cycles > 3 && matches!(state, State::Idle | State::Done | State::Failed) {
            assert!(wipes >= 1, "labels are wiped before it rests");
            assert_eq!(seen_done, state == State::Done, "done is set at the end and stays set");
            return Ok((status, bench.get("error_o")? as u32));
        }
        bench.sim.clock()?;
        cycles += 1;
        assert!(cycles < 2000, "{wrong:?}: no end in state {state:?}");
    }
}

#[test]
fn a_run_ends_as_it_must_whatever_goes_wrong_and_when() -> Tested {
    let mut bench = control()?;
    let mut random = Random(2);
    for name in ["wiping_i", "pending_i"] {
        bench.set(name, 0);
    }
    for _ in 0..5 {
        bench.sim.clock()?;
    }
    assert_eq!(bench.get("status_o")?, 0, "idle after power comes on, and nothing was reset");
    bench.set("interrupt_i", 1);
    let error = |code: Code, stream: Stream, engine: u32| {
        ERROR_CODE.at(code as u32) | ERROR_STREAM.at(stream as u32) | ERROR_ENGINE.at(engine)
    };
    for round in 0..40 {
        for wrong in [
            Wrong::Nothing,
            Wrong::Descriptor,
            Wrong::Run,
            Wrong::Sum,
            Wrong::SoftReset(round),
            Wrong::HardReset(round),
        ] {
            let (status, is) = course(&mut bench, wrong, &mut random)?;
            let state = State::from_code(STATUS_STATE.of(status)).unwrap();
            let was_reset = STATUS_WAS_RESET.of(status) == 1;
            let expected = match wrong {
                Wrong::Nothing => (State::Done, 0, false),
                Wrong::Descriptor => {
                    (State::Failed, error(Code::Corrupt, Stream::Descriptor, 1), false)
                }
                Wrong::Run => (State::Failed, error(Code::MemoryError, Stream::Live, 2), false),
                Wrong::Sum => (State::Failed, error(Code::Corrupt, Stream::Instructions, 3), false),
                // If the run was over before the reset, it ends as done.
                Wrong::SoftReset(_) | Wrong::HardReset(_) if state == State::Done => {
                    (State::Done, 0, false)
                }
                Wrong::SoftReset(_) | Wrong::HardReset(_) => {
                    // A run that was reset within its first cycle does not count as a run.
                    assert!(was_reset || round > 8 || wrong == Wrong::HardReset(0), "{wrong:?}");
                    (State::Idle, 0, was_reset)
                }
            };
            assert_eq!((state, is, was_reset), expected, "{wrong:?} in round {round}");
            let rests = matches!(state, State::Done | State::Failed);
            assert_eq!(bench.is("irq_o")?, rests, "{wrong:?}");
        }
    }
    // The host's command clears `was_reset`.
    course(&mut bench, Wrong::SoftReset(0), &mut random)?;
    assert_eq!(STATUS_WAS_RESET.of(bench.get("status_o")? as u32), 1);
    bench.set("clear_i", 1);
    bench.sim.clock()?;
    bench.set("clear_i", 0);
    assert_eq!(bench.get("status_o")?, 0);
    Ok(())
}
