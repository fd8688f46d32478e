use super::*;
use crate::machine::Components;
use halfgate_circuit::Party;
use proptest::prelude::*;

fn built_in(name: &str) -> Machine {
    Description::built_in(name).unwrap().machine(&Overrides::default()).unwrap()
}

const PAPER: &str = BUILT_IN[0].1;

/// The machine of the paper's description, with one piece of the description's text replaced.
fn changed(from: &str, to: &str) -> Result<Machine, DescriptionError> {
    assert!(PAPER.contains(from), "{from}");
    Description::parse("my.toml", &PAPER.replacen(from, to, 1))?.machine(&Overrides::default())
}

#[test]
fn every_built_in_machine_is_possible_and_has_the_name_of_its_file() {
    for name in Description::names() {
        assert_eq!(built_in(name).name, name);
        let description = Description::built_in(name).unwrap();
        for memory in ["ddr4", "hbm2"] {
            let overrides = Overrides { memory: Some(memory.to_owned()), ..Overrides::default() };
            assert_eq!(description.machine(&overrides).unwrap().memory.name, memory);
        }
    }
}

#[test]
fn the_papers_machine_has_the_papers_numbers() {
    let machine = built_in("haac-16ge");
    assert_eq!((machine.shape.engines, machine.banks()), (16, 64));
    assert_eq!(machine.shape.window * 16, 2 << 20);
    assert_eq!(machine.shape.instruction_bits(), 37);
    assert_eq!(machine.latency.and(Party::Garbler), 21);
    assert_eq!(machine.latency.and(Party::Evaluator), 18);
    assert_eq!(built_in("haac-16ge-1mb").shape.window * 16, 1 << 20);
    let used = queue_bytes(&machine.queues, machine.shape);
    assert!((62 << 10..=64 << 10).contains(&used), "{used}");
    // Table 4's totals, which exclude the interface.
    let total =
        |c: Components| c.half_gate + c.free_xor + c.forwarding + c.crossbar + c.window + c.queues;
    assert!((total(machine.power_mw()) - 1502.0).abs() < 1.0);
    assert!((total(machine.area_mm2()) - 4.33).abs() < 0.1);
}

#[test]
fn overrides_change_what_they_name() {
    let description = Description::built_in("haac-16ge").unwrap();
    let overrides = Overrides {
        engines: Some(4),
        window: Some(parse_window("512KB").unwrap()),
        memory: Some("hbm2".to_owned()),
        wire_bytes: Some(64),
        forwarding: None,
    };
    let machine = description.machine(&overrides).unwrap();
    assert_eq!(machine.shape, crate::machine::Shape { engines: 4, window: 1 << 15 });
    assert_eq!((machine.memory.name.as_str(), machine.memory.wire_bytes), ("hbm2", 64));
    let quarter = machine.power_mw().half_gate / built_in("haac-16ge").power_mw().half_gate;
    assert_eq!(quarter, 0.25);
    // The numbers of engines and windows of the sweeps, and tiny windows for tests.
    for engines in [1u32, 2, 3, 5, 8, 16, 32, 64] {
        for window in [16, 1 << 11, 1 << 15, 1 << 28] {
            let window = (2 * engines).next_power_of_two().max(window);
            let overrides =
                Overrides { engines: Some(engines), window: Some(window), ..Overrides::default() };
            // With wide windows, the label addresses can need more memory than there is. That is an
            // error.
            match description.machine(&overrides) {
                Ok(machine) => assert_eq!(machine.shape.window, window),
                Err(error) => assert!(error.to_string().contains("queues.bytes"), "{error}"),
            }
        }
    }
}

#[test]
fn ports_are_at_most_one_an_engine_and_there_is_one_if_nothing_is_said() {
    let two = Overrides { engines: Some(2), ..Overrides::default() };
    let description = Description::built_in("haac-4ge").unwrap();
    assert_eq!(built_in("haac-4ge").rtl.ports, 4);
    assert_eq!(description.machine(&two).unwrap().rtl.ports, 2);
    let rtl = changed("[rtl]\nports = 16\ndata_bits = 512\n", "").unwrap().rtl;
    assert_eq!((rtl.ports, rtl.data_bits), (1, 512));
}

#[test]
fn windows_are_written_in_bytes_or_labels() {
    for (text, labels) in
        [("1MB", 65536), ("512KB", 32768), ("65536 labels", 65536), (" 2 MiB ", 131072)]
    {
        assert_eq!(parse_window(text).unwrap(), labels, "{text}");
    }
    let bad = ["", "MB", "65536", "3MB", "0MB", "-1MB", "1 GB", "8 labels", "1é", "99999999999MB"];
    for text in bad.into_iter().chain(["99999999999999999999MB"]) {
        assert!(parse_window(text).unwrap_err().to_string().contains("the window"), "{text}");
    }
}

#[test]
fn impossible_numbers_are_refused_with_key_value_and_what_is_allowed() {
    for (from, to, expected) in [
        ("count = 16", "count = 0", "engines.count is 0, but must be 1 to 64"),
        ("count = 16", "count = -3", "engines.count is -3"),
        ("count = 16", "count = 99999999999", "engines.count is 99999999999"),
        ("labels = 131072", "labels = 100000", "window.labels is 100000, but must be a power of"),
        ("labels = 131072", "labels = 8", "window.labels is 8"),
        ("labels = 131072", "labels = 16", "at least 32 labels, two for each of 16 engines"),
        ("engine = 4", "engine = 0", "window.banks_per_engine is 0"),
        ("xor = 1", "xor = 0", "latency.xor is 0"),
        ("and_garbler = 21", "and_garbler = 0", "latency.and_garbler is 0"),
        ("read = 3", "read = 4", "latency.read is 4, but must be 3"),
        ("\nissue = 16", "\nissue = 0", "queues.issue is 0"),
        ("tables = 72", "tables = 1", "queues.tables is 1, but must be 2 to"),
        ("tables = 72", "tables = 720", "queues.bytes is 65536, but must be at least"),
        ("oor_addresses = 32", "oor_addresses = 15", "queues.oor_addresses is 15"),
        ("oor_wires = 32", "oor_wires = 0", "queues.oor_wires is 0"),
        ("live = 16", "live = 0", "queues.live is 0"),
        ("inputs = 32", "inputs = 0", "queues.inputs is 0"),
        ("inputs = 32", "inputs = 7", "queues.inputs is 7, but must be a multiple of 4"),
        ("= 9216", "= 128", "queues.instruction_bytes is 128, but must be a multiple of 64"),
        ("= 9216", "= 9217", "queues.instruction_bytes is 9217, but must be a multiple of 64"),
        ("[352, 10]", "[0, 10]", "memory.ddr4.bytes_per_cycle[0] is 0"),
        ("[352, 10]", "[352, 0]", "memory.ddr4.bytes_per_cycle[1] is 0"),
        ("latency = 60", "latency = 0", "memory.ddr4.latency is 0"),
        ("wire_bytes = 16", "wire_bytes = 32", "memory.ddr4.wire_bytes is 32"),
        ("ports = 16", "ports = 3", "rtl.ports is 3, but must be a power of two from 1 to 64"),
        ("data_bits = 512", "data_bits = 32", "rtl.data_bits is 32"),
        ("mhz = 1000", "mhz = 0", "clock.mhz is 0"),
        ("crossbar = 16.6", "crossbar = -1", "silicon.power_mw.crossbar is -1"),
        ("crossbar = 16.6", "crossbar = nan", "silicon.power_mw.crossbar is NaN"),
        ("\"ddr4\"", "\"ddr5\"", "default_memory is \"ddr5\", but must be one of ddr4, hbm2"),
        ("\"haac-16ge\"", "\"../x\"", "name is \"../x\""),
        ("\"haac-16ge\"", "\"\"", "name is \"\""),
    ] {
        let message = changed(from, to).unwrap_err().to_string();
        assert!(message.starts_with("my.toml: ") && message.contains(expected), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn text_that_is_no_description_is_refused_with_its_line() {
    for (from, to, expected) in [
        ("count = 16", "count = 16\nspeed = 3", "my.toml:8: unknown field `speed`"),
        ("count = 16", "cuont = 16", "my.toml:7: unknown field `cuont`"),
        ("count = 16", "", "my.toml:6: missing field `count`"),
        ("count = 16", "count = \"16\"", "my.toml:7: invalid type"),
        ("count = 16", "count = [", "my.toml:"),
        ("[352, 10]", "[352]", "my.toml:"),
        ("[clock]", "[engines]", "my.toml:"),
    ] {
        let message = changed(from, to).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
    assert!(Description::parse("x", "").is_err());
}

#[test]
fn names_and_files_that_are_not_there_are_named() {
    let message = Description::find("haac-17ge").unwrap_err().to_string();
    assert!(message.contains("haac-17ge") && message.contains("haac-16ge-1mb"), "{message}");
    let message = Description::find("/nowhere/x.toml").unwrap_err().to_string();
    assert!(message.contains("/nowhere/x.toml"), "{message}");
    assert!(matches!(
        Description::find("/dev/zero"),
        Err(DescriptionError::TooLong { .. } | DescriptionError::Read { .. })
    ));
    let overrides = Overrides { memory: Some("dram".to_owned()), ..Overrides::default() };
    let error = Description::built_in("haac-1ge").unwrap().machine(&overrides).unwrap_err();
    assert!(error.to_string().contains("one of haac-1ge's: ddr4, hbm2"), "{error}");
}

#[test]
fn a_file_reads_as_its_text() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    std::fs::write(file.path(), PAPER).unwrap();
    let machine = Description::find(file.path().to_str().unwrap()).unwrap();
    assert_eq!(machine.machine(&Overrides::default()).unwrap(), built_in("haac-16ge"));
}

proptest! {
    /// A description with some numbers replaced gives a machine or an error.
    #[test]
    fn no_numbers_are_too_much(
        places in prop::collection::vec((0usize..48, any::<i64>(), 0u32..64), 1..4),
        engines in prop::option::of(any::<u32>()),
        window in prop::option::of(any::<u32>()),
    ) {
        let mut lines: Vec<String> = PAPER.lines().map(str::to_owned).collect();
        let keys: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].contains(" = ")).collect();
        for (place, value, shift) in places {
            let line = &mut lines[keys[place % keys.len()]];
            let key = line.split(" = ").next().unwrap().to_owned();
            *line = format!("{key} = {}", value >> shift);
        }
        if let Ok(description) = Description::parse("x", &lines.join("\n")) {
            let overrides = Overrides { engines, window, ..Overrides::default() };
            if let Ok(machine) = description.machine(&overrides) {
                prop_assert!(machine.shape.window >= 2 * machine.shape.engines);
                prop_assert!(machine.power_mw().window >= 0.0);
            }
        }
    }

    #[test]
    fn no_text_is_too_much(text in "([a-z_.]{1,9}|\\[+|\\]+|=|\"|\n|[0-9.e-]{1,20}|é| ){0,40}") {
        let _ = Description::parse("x", &text);
        let _ = parse_window(&text);
    }
}
