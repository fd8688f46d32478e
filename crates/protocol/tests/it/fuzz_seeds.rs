//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/frame.rs"]
mod frame;
#[path = "../../fuzz/handshake.rs"]
mod handshake;
#[path = "../../fuzz/keys.rs"]
mod keys;
#[path = "../../fuzz/offline.rs"]
mod offline;

halfgate_fuzz::replay!(frame, handshake, keys, offline);
