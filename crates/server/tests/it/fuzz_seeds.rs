//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/config.rs"]
mod config;

halfgate_fuzz::replay!(config);
