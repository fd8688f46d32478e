//! Memories that make sense and such that do not.

use halfgate_dram::{Configuration, Dram};

const DDR4: &str = include_str!("../../configurations/ddr4-4400.toml");

#[test]
fn the_built_in_memories_have_the_papers_bandwidths() {
    let rate = |name: &str| Configuration::find(name).expect("built in").bytes_per_second();
    assert_eq!(rate("ddr4-4400"), 35_200_000_000);
    assert_eq!(rate("hbm2"), 512_000_000_000);
    let bytes = |name: &str| Configuration::find(name).expect("built in").bytes();
    assert_eq!((bytes("ddr4-4400"), bytes("hbm2")), (16 << 30, 8 << 30));
}

/// The error about DDR4 with `from` replaced by `to`.
fn error(from: &str, to: &str) -> String {
    assert!(DDR4.contains(from), "{from}");
    match Configuration::parse(&DDR4.replacen(from, to, 1), "mine.toml") {
        Ok(_) => panic!("{to} was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_makes_no_sense_is_named_with_what_to_write() {
    for (from, to, parts) in [
        (
            "channels = 1",
            "channels = 0",
            ["structure.channels is 0", "a power of two from 1 to 64"],
        ),
        ("channels = 1", "channels = 3", ["structure.channels is 3", "a power of two"]),
        ("ranks = 2", "ranks = 6", ["structure.ranks is 6", "a power of two"]),
        ("rows = 65536", "rows = 65535", ["structure.rows is 65535", "a power of two"]),
        ("rows = 65536", "rows = 512", ["structure.rows is 512", "at least 1024"]),
        (
            "device_bits = 8",
            "device_bits = 128",
            ["structure.device_bits is 128", "width of the bus"],
        ),
        ("burst_length = 8", "burst_length = 16", ["burst_length is 16", "write 8"]),
        ("bus_bits = 64", "bus_bits = 8", ["bus_bits is 8", "from 16 to 256"]),
        ("bus_bits = 64", "bus_bits = 512", ["bus_bits is 512", "from 16 to 256"]),
        ("clock_mhz = 2200", "clock_mhz = 0", ["clock_mhz is 0", "from 100 to 10000"]),
        ("\nqueue = 64", "\nqueue = 1", ["controller.queue is 1", "from 16 to 1024"]),
        ("bank_queue = 8", "bank_queue = 0", ["controller.bank_queue is 0", "from 1 to 64"]),
        ("\"rank\", \"bank\"", "\"bank\", \"bank\"", ["controller.address", "name rank once"]),
        ("column:3", "column:9", ["controller.address", "at most 7 bits"]),
        ("column:3", "colum:3", ["mine.toml:", "is no part of an address"]),
        ("cl = 31", "cl = 0", ["timing.cl is 0", "clock cycles from 1"]),
        ("ras = 71", "ras = 30", ["timing.ras is 30", "at least 31, rcd"]),
        ("rrd_l = 11", "rrd_l = 2", ["timing.rrd_l is 2", "at least 6, rrd_s"]),
        ("ccd_l = 11", "ccd_l = 3", ["timing.ccd_l is 3", "at least 4, ccd_s"]),
        ("faw = 47", "faw = 1", ["timing.faw is 1", "at least 6"]),
        ("refi = 17160", "refi = 800", ["timing.refi is 800", "more than rfc"]),
        ("cwl = 28", "cwl = 40", ["timing.cl is 31", "at least 36, more than cwl"]),
        ("rp = 31", "rq = 31", ["mine.toml:", "unknown field `rq`"]),
        ("[timing]", "[timing", ["mine.toml:", ""]),
    ] {
        let error = error(from, to);
        assert!(parts.iter().all(|part| error.contains(part)), "{to}: {error}");
    }
}

#[test]
fn a_name_that_is_none_lists_those_that_are() {
    let error = Configuration::find("ddr5").expect_err("none").to_string();
    assert!(error.contains("ddr4-4400, hbm2") && error.contains(".toml"), "{error}");
    let error = Configuration::find("/nowhere/ddr5.toml").expect_err("none").to_string();
    assert!(error.contains("cannot read") && error.contains("/nowhere/ddr5.toml"), "{error}");
}

#[test]
fn a_build_without_the_simulator_says_how_to_build_with_it() {
    let memory = Dram::new(&Configuration::find("hbm2").expect("built in"), 1000);
    assert_eq!(memory.is_ok(), halfgate_dram::IS_BUILT_IN);
    if let Err(error) = memory {
        let error = error.to_string();
        assert!(error.contains("--features dram") && error.contains("cmake"), "{error}");
    }
}
