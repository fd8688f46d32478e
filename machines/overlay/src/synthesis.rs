//! The overlay's cells and other modules of the published overlay, each synthesised by itself.

use halfgate_overlay_model::model::Shape;
use halfgate_synthesis::silicon::Piece;
use halfgate_synthesis::{Design, Part};

/// The parts to measure in standard cells.
pub fn pieces() -> Vec<Piece> {
    Piece::of(designs().into_iter().map(|design| Part { count: 1, design }))
}

/// Name of the published garbled AND.
pub const ROWS: &str = "garbled AND, grr3-sha1";

/// Both garbled ANDs, the garbled XOR, and modules of the published overlay. Two parts are left
/// out: the block RAM, which is one memory of 2^17 words of 128 bits, and the DDR controller.
pub fn designs() -> Vec<Design> {
    let design = |what: &str, top: &str, parameters: &[(&'static str, u64)]| {
        Design::new(format!("overlay-paper: {what}"), top, parameters)
    };
    let Shape { slots, entries, words, depth, .. } = Shape::PUBLISHED;
    let [slots, entries, words, depth] = [slots, entries, words, depth].map(u64::from);
    let serial = ("Serial", 1);
    vec![
        design(ROWS, "overlay_and", &[("Suite", 0)]),
        design("garbled AND, half-gates", "overlay_and", &[("Suite", 1), ("Impl", 1)]).sboxes(),
        design("garbled XOR", "free_xor", &[]),
        design(
            "commands from words",
            "overlay_link",
            &[("Words", words), ("Depth", depth), serial],
        ),
        design("choice of reads", "overlay_read", &[serial]),
        design("operands on their way", "overlay_operands", &[("Slots", slots), serial]),
        design("results on their way", "overlay_results", &[("Depth", entries)]),
        design("choice of writes", "overlay_write", &[serial]),
        design("a port of DDR", "overlay_port", &[("Slots", slots)]),
        design("counters", "overlay_counters", &[]),
    ]
}
