//! Replays the seeds of the fuzz targets, and mutations of the seeds.

#[path = "../../fuzz/inputs.rs"]
mod inputs;

halfgate_fuzz::replay!(inputs);
