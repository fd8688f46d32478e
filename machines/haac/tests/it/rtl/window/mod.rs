//! The sliding window of HAAC with random requests, compared with a second implementation of its
//! rules.
//!
//! `rules` restates sections 1 to 3 of `machines/haac/spec/machine.md` as far as they concern the
//! window. The requests and the comparison, cycle by cycle, are here.

mod bank;
mod bench;
mod rules;

use bench::{Bench, Case, Tested};

const BASE: Case =
    Case { engines: 4, window: 256, banks: 16, xor: 1, and: 5, bursts: 2, percent: 60 };

/// Small windows, so that accesses meet; many sizes of latencies, banks and engines.
const CASES: [Case; 4] = [
    Case { engines: 1, window: 16, banks: 4, bursts: 1, and: 3, ..BASE },
    Case { engines: 3, window: 16, banks: 16, bursts: 4, and: 1, ..BASE },
    Case { engines: 3, window: 64, banks: 8, bursts: 1, xor: 3, and: 2, percent: 90 },
    BASE,
];

#[test]
fn grants_and_labels_follow_the_rules() -> Tested {
    for case in CASES {
        let mut bench = Bench::new(case, &[])?;
        for launch in 0..3 {
            bench.launch(launch, 400)?;
        }
        bench.assert_everything_happened();
    }
    Ok(())
}

#[test]
#[ignore = "long: make rtl"]
fn sixteen_engines_follow_the_rules() -> Tested {
    let wide = Case { engines: 16, banks: 64, window: 512, bursts: 16, and: 21, ..BASE };
    let full = Case { window: 1024, banks: 8, and: 18, percent: 100, ..BASE };
    let narrow = Case { engines: 16, banks: 16, window: 65_536, bursts: 4, and: 18, ..BASE };
    for case in [wide, Case { percent: 100, ..wide }, full, narrow] {
        let mut bench = Bench::new(case, &[])?;
        for launch in 0..3 {
            bench.launch(launch, 1500)?;
        }
        bench.assert_everything_happened();
    }
    Ok(())
}

/// A file, the original text, and the text with a fault.
pub const FAULTS: [(&str, &str, &str); 12] = [
    ("haac_read_arbiter.sv", "|late ? late_first : rest_first", "rest_first"),
    ("haac_read_arbiter.sv", "if (used_i >= 2'd1) second_o", "if (used_i >= 2'd2) second_o"),
    ("haac_bank.sv", "bypass_q ? a_read : b_read", "b_read"),
    ("haac_bank.sv", "second_label_o = a_read.label", "second_label_o = b_read.label"),
    ("haac_write_slots.sv", "|| (all_loaded_i && (", "|| (("),
    (
        "haac_write_slots.sv",
        "{two && all_loaded_i, one && !(two && all_loaded_i)}",
        "{two, one && !two}",
    ),
    ("haac_write_slots.sv", "(taken == 2'd1 && one && all_loaded_i) filled", "(1'b0) filled"),
    ("haac_write_slots.sv", "two[i] | two[i+step] | (", "(two[i] | two[i+step]) & ("),
    ("haac_write_slots.sv", "else if (clear_i) taken_q <= '0;", ""),
    ("haac_read_return.sv", "&& tag[0] == from_q.epoch", ""),
    ("haac_window.sv", "reserved[b] + 2'(|writes[BankWrites-1:Results])", "reserved[b]"),
    ("haac_window_wipe.sv", "used_q <= used_q | row_i", "used_q <= row_i"),
];

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() -> Tested {
    for fault in FAULTS {
        let run = || -> Tested {
            let mut bench = Bench::new(Case { window: 1024, ..BASE }, &[fault])?;
            (0..3).try_for_each(|launch| bench.launch(launch, 400))
        };
        assert!(run().is_err(), "not found: {fault:?}");
    }
    Ok(())
}
