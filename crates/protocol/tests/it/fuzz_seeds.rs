//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/ahead.rs"]
mod ahead;
#[path = "../../fuzz/frame.rs"]
mod frame;
#[path = "../../fuzz/handshake.rs"]
mod handshake;
#[path = "../../fuzz/keys.rs"]
mod keys;
#[path = "../../fuzz/offline.rs"]
mod offline;
#[path = "../../fuzz/session.rs"]
mod session;

halfgate_fuzz::replay!(ahead, frame, handshake, keys, offline, session);
