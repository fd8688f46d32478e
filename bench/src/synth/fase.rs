//! The scheduled FASE part by part, each synthesised by itself.

use super::designs::{Design, Part};
use halfgate_machines::fase::Shape;
use halfgate_machines::fase::code::{Code, Size};

/// Bits of what a word of the kernel says beside its slots: what is expanded.
fn word_bits(shape: Shape) -> u64 {
    u64::from(Code::word_bits(shape))
}

/// The parts of a machine of this shape that holds what the published one does.
pub fn parts(shape: Shape) -> Vec<Part> {
    let size = Size::published(shape);
    let name = shape.name();
    let slots = shape.all_slots() as u64;
    let (bank, inputs) = (u64::from(size.bank), u64::from(size.inputs));
    let part = |count: u64, what: &str, top: &str, parameters: &[(&'static str, u64)]| Part {
        count,
        design: Design::new(format!("{name}: {what}"), top, parameters),
    };
    let with_sboxes = |part: Part| Part { design: part.design.sboxes(), ..part };
    let ands = u64::from(shape.pipelines);
    let has_free = u64::from(shape.xors == 0);
    let mut all = vec![
        with_sboxes(part(
            ands,
            "garbling engine",
            "fase_execute",
            &[("Impl", 1), ("HasAnd", 1), ("HasFree", has_free)],
        )),
        part(1, "input labels", "fase_inputs", &[("Depth", inputs), ("Reads", 2 * slots)]),
        with_sboxes(part(
            1,
            "maker of input labels",
            "fase_expander",
            &[("Impl", 1), ("Entries", u64::from(size.initials))],
        )),
        part(
            1,
            "output labels",
            "fase_banks",
            &[
                ("Banks", u64::from(shape.banks)),
                ("Depth", bank),
                ("Reads", 2 * slots),
                ("Writes", 4 * slots),
            ],
        ),
        part(
            1,
            "netlist",
            "fase_kernel",
            &[("Width", word_bits(shape)), ("Depth", u64::from(size.kernel))],
        ),
        part(slots, "decoding", "fase_decode", &[]),
        part(1, "counters", "fase_counters", &[("Slots", slots)]),
    ];
    if shape.xors > 0 {
        let free = [("Impl", 0), ("HasAnd", 0), ("HasFree", 1)];
        all.push(part(slots - ands, "free gates", "fase_execute", &free));
    }
    all
}
