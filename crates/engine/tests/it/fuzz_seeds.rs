//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/vectors.rs"]
mod vectors;

halfgate_fuzz::replay!(vectors);
