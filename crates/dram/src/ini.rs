//! The configuration in the simulator's own notation.

use crate::address::CANONICAL_NAME;
use crate::configuration::{Configuration, Protocol};
use std::fmt::Write;

/// Clock cycles between two of the simulator's own reports, which it writes to files: never.
const NO_REPORT: i32 = i32::MAX;

/// The file that the simulator reads.
pub(crate) fn text(configuration: &Configuration) -> String {
    let Configuration { protocol, clock_mhz, structure: s, controller, timing: t, .. } =
        configuration;
    let protocol = match protocol {
        Protocol::DDR3 => "DDR3",
        Protocol::DDR4 => "DDR4",
        Protocol::HBM2 => "HBM2",
    };
    let bank = configuration.row_bytes() * u64::from(s.rows);
    let banks = u64::from(s.bank_groups) * u64::from(s.banks_per_group);
    let megabytes = (bank * banks * u64::from(s.ranks)) >> 20;
    let nanoseconds = 1000.0 / f64::from(*clock_mhz);
    let mut text = String::new();
    let mut section = |name: &str, pairs: &[(&str, &dyn std::fmt::Display)]| {
        let _ = writeln!(text, "[{name}]");
        for (key, value) in pairs {
            let _ = writeln!(text, "{key} = {value}");
        }
    };
    section(
        "dram_structure",
        &[
            ("protocol", &protocol),
            ("bankgroups", &s.bank_groups),
            ("banks_per_group", &s.banks_per_group),
            ("rows", &s.rows),
            ("columns", &s.columns),
            ("device_width", &s.device_bits),
            ("BL", &s.burst_length),
        ],
    );
    section(
        "timing",
        &[
            ("tCK", &nanoseconds),
            ("AL", &0),
            ("CL", &t.cl),
            ("CWL", &t.cwl),
            ("tRCD", &t.rcd),
            ("tRCDRD", &t.rcd),
            ("tRCDWR", &t.rcd),
            ("tRP", &t.rp),
            ("tRAS", &t.ras),
            ("tRFC", &t.rfc),
            ("tREFI", &t.refi),
            ("tRRD_S", &t.rrd_s),
            ("tRRD_L", &t.rrd_l),
            ("tWTR_S", &t.wtr_s),
            ("tWTR_L", &t.wtr_l),
            ("tFAW", &t.faw),
            ("tWR", &t.wr),
            ("tRTP", &t.rtp),
            ("tCCD_S", &t.ccd_s),
            ("tCCD_L", &t.ccd_l),
            ("tRTRS", &t.rtrs),
        ],
    );
    section(
        "system",
        &[
            ("channel_size", &megabytes),
            ("channels", &s.channels),
            ("bus_width", &s.bus_bits),
            ("address_mapping", &CANONICAL_NAME),
            ("queue_structure", &"PER_BANK"),
            ("refresh_policy", &"RANK_LEVEL_STAGGERED"),
            ("row_buf_policy", &"OPEN_PAGE"),
            ("cmd_queue_size", &controller.bank_queue),
            ("trans_queue_size", &controller.queue),
            ("unified_queue", &"false"),
        ],
    );
    section("other", &[("epoch_period", &NO_REPORT), ("output_level", &0)]);
    text
}
