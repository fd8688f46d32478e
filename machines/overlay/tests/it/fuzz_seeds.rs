//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/stream.rs"]
mod stream;

halfgate_fuzz::replay!(stream);
