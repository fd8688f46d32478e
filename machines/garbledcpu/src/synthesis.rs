//! The parts of GarbledCPU's evaluators, each of which is synthesised separately. Logic between
//! parts and the registers of the top module are not counted.

use halfgate_garbledcpu_model::encode::{INITIAL_BITS, Size, word_bits};
use halfgate_garbledcpu_model::{Form, Machine};
use halfgate_synthesis::silicon::Piece;
use halfgate_synthesis::{Design, Part};

/// The machines to synthesise: the published one, and ours with one pipeline.
pub const MACHINES: [&str; 2] = ["garbledcpu-paper", "garbledcpu-1"];

/// The parts to measure in standard cells.
///
/// # Errors
/// If a machine does not exist.
pub fn pieces() -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    for name in MACHINES {
        let machine = Machine::named(name).ok_or_else(|| format!("there is no machine {name}"))?;
        pieces.extend(Piece::of(parts(machine, Size::USUAL)));
    }
    Ok(pieces)
}

/// The parts of a machine with this capacity.
pub fn parts(machine: Machine, size: Size) -> Vec<Part> {
    let shape = machine.shape();
    let name = machine.name();
    let part = |count: u64, what: &str, top: &str, parameters: &[(&'static str, u64)]| Part {
        count,
        design: Design::new(format!("{name}: {what}"), top, parameters),
    };
    let with_sboxes = |part: Part| Part { design: part.design.sboxes(), ..part };
    let ands = u64::from(shape.pipelines);
    let slots = shape.all_slots() as u64;
    // The entry of an AND has three operands, the entry of an XOR two.
    let reads = 5 * ands;
    let (bank, inputs) = (u64::from(size.bank), u64::from(size.inputs));
    let fixed = u64::from(machine.form == Form::Paper);
    let evaluator = [("Impl", 1), ("Fixed", fixed), ("Stages", u64::from(shape.and))];
    let mut all = vec![
        with_sboxes(part(ands, "evaluating engine", "garbledcpu_and", &evaluator)),
        part(ands, "queue of tables", "fifo", &[("Width", 256), ("Depth", 4)]),
        part(slots - ands, "XOR unit", "free_xor", &[]),
        part(slots, "decoding", "garbledcpu_decode", &[]),
        part(
            1,
            "gate memory",
            "scheduled_kernel",
            &[("Width", u64::from(word_bits(shape))), ("Depth", u64::from(size.gates))],
        ),
        part(1, "input labels", "scheduled_inputs", &[("Depth", inputs), ("Reads", reads)]),
        part(1, "wants of input labels", "garbledcpu_inputs", &[("Entries", inputs)]),
        part(
            1,
            "labels",
            "scheduled_banks",
            &[
                ("Banks", u64::from(shape.banks)),
                ("Depth", bank),
                ("Reads", reads),
                ("Writes", 3 * slots),
            ],
        ),
        part(1, "wiping", "memory_wipe", &[("Depth", bank.max(inputs))]),
        part(1, "counters", "scheduled_counters", &[("Slots", slots), ("Operands", reads)]),
    ];
    if fixed == 1 {
        all.push(with_sboxes(part(1, "keys", "aes_key_store", &[("Impl", 1)])));
    }
    all
}

/// Total bits of on-chip memory of a machine with this capacity: gate memory, request list,
/// labels.
pub fn memory_bits(machine: Machine, size: Size) -> u64 {
    let shape = machine.shape();
    let [gates, bank, inputs] = [size.gates, size.bank, size.inputs].map(u64::from);
    let wants = inputs * u64::from(INITIAL_BITS);
    gates * u64::from(word_bits(shape)) + wants + 128 * (u64::from(shape.banks) * bank + inputs)
}
