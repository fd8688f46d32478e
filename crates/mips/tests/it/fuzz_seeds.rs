//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/image.rs"]
mod image;
#[path = "../../fuzz/lower.rs"]
mod lower;

halfgate_fuzz::replay!(image, lower);
