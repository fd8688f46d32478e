//! The parts of FASE machines, each of which is synthesised separately. Logic between parts and the
//! registers of the top module are not counted.

use halfgate_fase_model::Shape;
use halfgate_fase_model::code::{Code, Size};
use halfgate_fase_model::paper;
use halfgate_synthesis::silicon::Piece;
use halfgate_synthesis::{Design, Part};

/// The parts to measure in standard cells: those of the published machine with one pipeline, and of
/// ours.
pub fn pieces() -> Vec<Piece> {
    Piece::of(published(1).into_iter().chain(parts(Shape::best(1))))
}

/// Bits of a kernel word.
fn word_bits(shape: Shape) -> u64 {
    u64::from(Code::word_bits(shape))
}

/// The parts of a machine of this shape, with the capacity of the published machine.
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
        part(1, "input labels", "scheduled_inputs", &[("Depth", inputs), ("Reads", 2 * slots)]),
        with_sboxes(part(
            1,
            "maker of input labels",
            "fase_expander",
            &[("Impl", 1), ("Entries", u64::from(size.initials))],
        )),
        part(
            1,
            "output labels",
            "scheduled_banks",
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
            "scheduled_kernel",
            &[("Width", word_bits(shape)), ("Depth", u64::from(size.kernel))],
        ),
        part(slots, "decoding", "fase_decode", &[]),
        part(1, "counters", "scheduled_counters", &[("Slots", slots)]),
    ];
    if shape.xors > 0 {
        let free = [("Impl", 0), ("HasAnd", 0), ("HasFree", 1)];
        all.push(part(slots - ands, "free gates", "fase_execute", &free));
    }
    all
}

/// The parts of the published machine, with its capacity.
pub fn published(pipelines: u64) -> Vec<Part> {
    let paper::Size { slots, inputs, outputs } = paper::Size::PUBLISHED;
    let [slots, inputs, outputs] = [slots, inputs, outputs].map(u64::from);
    let ports = 2 * pipelines;
    let part = |count: u64, what: &str, top: &str, parameters: &[(&'static str, u64)]| Part {
        count,
        design: Design::new(format!("fase-paper-{pipelines}: {what}"), top, parameters),
    };
    let with_sboxes = |part: Part| Part { design: part.design.sboxes(), ..part };
    let labels = match pipelines {
        1 => part(1, "output labels", "fase_paper_port_labels", &[("Depth", slots)]),
        _ => {
            let parameters = [("Depth", slots), ("Ports", ports)];
            part(1, "output labels", "fase_paper_table_labels", &parameters)
        }
    };
    let ready = [("Depth", slots), ("Reads", ports), ("Writes", ports)];
    let netlist = [("Pipelines", pipelines), ("Depth", slots)];
    let tables =
        [("Width", 256), ("Depth", slots), ("Writes", pipelines), ("Reads", 1), ("Flags", 0)];
    let kept =
        [("Width", 128), ("Depth", outputs), ("Writes", ports), ("Reads", pipelines), ("Flags", 1)];
    vec![
        with_sboxes(part(pipelines, "garbling engine", "fase_paper_execute", &[("Impl", 1)])),
        with_sboxes(part(1, "keys", "aes_key_store", &[("Impl", 1)])),
        part(1, "input labels", "fase_paper_inputs", &[("Depth", inputs), ("Ports", ports)]),
        with_sboxes(part(
            1,
            "maker of input labels",
            "fase_paper_generator",
            &[("Impl", 1), ("Labels", ports)],
        )),
        labels,
        part(1, "flags of output labels", "fase_paper_ready", &ready),
        part(1, "netlist", "fase_paper_netlist", &netlist),
        part(1, "fetch and decode", "fase_paper_issue", &[("Pipelines", pipelines)]),
        part(1, "garbled tables", "fase_paper_collect", &tables),
        part(1, "labels of outputs", "fase_paper_collect", &kept),
        part(1, "counters", "fase_paper_counters", &[("Pipelines", pipelines)]),
    ]
}
