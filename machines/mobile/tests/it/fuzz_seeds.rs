//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/frames.rs"]
mod frames;
#[path = "../../fuzz/items.rs"]
mod items;
#[path = "../../fuzz/talk.rs"]
mod talk;

halfgate_fuzz::replay!(frames, items, talk);
