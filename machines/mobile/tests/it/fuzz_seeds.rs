//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/frames.rs"]
mod frames;
#[path = "../../fuzz/items.rs"]
mod items;
#[path = "../../fuzz/transport.rs"]
mod transport;

halfgate_fuzz::replay!(frames, items, transport);
