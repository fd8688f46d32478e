//! Replays the seeds of the fuzz targets, and mutations of them.

#[path = "../../fuzz/asm.rs"]
mod asm;
#[path = "../../fuzz/description.rs"]
mod description;
#[path = "../../fuzz/encoding.rs"]
mod encoding;
#[path = "../../fuzz/hgp.rs"]
mod hgp;

halfgate_fuzz::replay!(asm, description, encoding, hgp);
