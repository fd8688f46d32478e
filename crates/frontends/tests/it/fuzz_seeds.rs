//! Replays the seeds of the fuzz targets, and mutations of the seeds.

#[path = "../../fuzz/aby.rs"]
pub mod aby;
#[path = "../../fuzz/bristol.rs"]
mod bristol;
#[path = "../../fuzz/hgc.rs"]
pub mod hgc;
#[path = "../../fuzz/scd.rs"]
mod scd;

halfgate_fuzz::replay!(aby, bristol, hgc, scd);
