//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../fuzz/asm.rs"]
mod asm;
#[path = "../fuzz/description.rs"]
mod description;
#[path = "../fuzz/encoding.rs"]
mod encoding;
#[path = "../fuzz/hgp.rs"]
mod hgp;
#[path = "../fuzz/mobile_frames.rs"]
mod mobile_frames;
#[path = "../fuzz/mobile_items.rs"]
mod mobile_items;
#[path = "../fuzz/mobile_talk.rs"]
mod mobile_talk;
#[path = "../fuzz/overlay_stream.rs"]
mod overlay_stream;

halfgate_fuzz::replay!(
    asm,
    description,
    encoding,
    hgp,
    mobile_frames,
    mobile_items,
    mobile_talk,
    overlay_stream
);
