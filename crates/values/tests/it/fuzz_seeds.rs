//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/inputs.rs"]
mod inputs;

halfgate_fuzz::replay!(inputs);
