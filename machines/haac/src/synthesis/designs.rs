//! The designs to synthesise: single modules, and machines part by part.

use halfgate_haac_model::{Description, Overrides};
use halfgate_synthesis::{Design, Part};

/// The parameter that selects S-boxes built from logic in a composite field.
const COMPOSITE: (&str, u64) = ("Impl", 1);

/// The S-box alone: with logic in a composite field, or as a table.
pub fn sbox(composite: bool) -> Design {
    if composite {
        Design::new("sbox, COMPOSITE", "sbox_composite", &[])
    } else {
        Design::new("sbox, TABLE", "sbox_table", &[])
    }
}

/// The XOR unit.
pub fn free_xor() -> Design {
    Design::new("free_xor", "free_xor", &[])
}

/// The units of the RTL library that hash labels.
pub fn units() -> Vec<Design> {
    let round = Design::new("aes_round", "aes_round", &[COMPOSITE]).sboxes();
    let latencies = [(true, 21), (false, 18)];
    let pipelined = latencies.map(|(garbler, latency)| half_gate(garbler, Some(latency)));
    let folded = [true, false].map(|garbler| half_gate(garbler, None));
    [round].into_iter().chain(pipelined).chain(folded).collect()
}

/// A half-gate unit with `latency` stages, or the folded one.
fn half_gate(garbler: bool, latency: Option<u64>) -> Design {
    let role = if garbler { "half_gate_garbler" } else { "half_gate_evaluator" };
    match latency {
        Some(stages) => {
            let parameters = [COMPOSITE, ("Latency", stages)];
            Design::new(format!("{role}, {stages} stages"), role, &parameters).sboxes()
        }
        None => {
            let name = format!("{role}_folded");
            Design::new(name.clone(), &name, &[COMPOSITE]).sboxes()
        }
    }
}

/// A part that a machine has once.
pub fn once(design: Design) -> Part {
    Part { count: 1, design }
}

/// Interval and latency of the folded half gate, in clock cycles; both are the smallest possible.
pub const FOLDED: (u64, u64) = (10, 11);

/// The queues of [`Machine::short`].
const SHORT: [(&str, u64); 5] = [
    ("TableDepth", 16),
    ("OorWireDepth", 8),
    ("LiveDepth", 8),
    ("InstrBursts", 3),
    ("LoaderBursts", 1),
];

/// Up to this many engines, a window is synthesised in one piece. That of 16 engines has millions
/// of gates, which takes Yosys hours and more memory than most machines have.
const WHOLE_WINDOW: u64 = 4;
/// The parts of a larger window. Their names begin with that of a window in one piece.
const WINDOW: [&str; 4] =
    ["window: bank", "window: read arbiter", "window: read result", "window: the rest"];

/// A machine of `machines/haac/spec/machines` in one role.
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Whether it is a garbler.
    pub garbler: bool,
    /// Whether its half gates are folded.
    pub folded: bool,
    /// Whether it is in the form of [`Machine::short`].
    pub short: bool,
    /// Engines.
    pub engines: u64,
    /// The parameters of the top module.
    pub parameters: Vec<(&'static str, u64)>,
}

impl Machine {
    /// The machine called `name`, in one of its roles.
    ///
    /// # Errors
    /// If there is no such description.
    pub fn new(name: &str, garbler: bool) -> Result<Machine, String> {
        let text = |e: &dyn std::error::Error| e.to_string();
        let description = Description::built_in(name).map_err(|e| text(&e))?;
        let machine = description.machine(&Overrides::default()).map_err(|e| text(&e))?;
        let queues = &machine.queues;
        let latency =
            if garbler { machine.latency.and_garbler } else { machine.latency.and_evaluator };
        let engines = u64::from(machine.shape.engines);
        let parameters = vec![
            ("Engines", engines),
            ("WindowLabels", u64::from(machine.shape.window)),
            ("Banks", u64::from(machine.banks())),
            ("XorLatency", u64::from(machine.latency.xor)),
            ("AndLatency", u64::from(latency)),
            ("IssueDepth", u64::from(queues.issue)),
            ("TableDepth", u64::from(queues.tables)),
            ("OorAddressDepth", u64::from(queues.oor_addresses)),
            ("OorWireDepth", u64::from(queues.oor_wires)),
            ("LiveDepth", u64::from(queues.live)),
            ("InstrBursts", u64::from(queues.instruction_bytes / 64)),
            ("LoaderBursts", u64::from((queues.inputs / 4).max(1))),
            ("Garbler", u64::from(garbler)),
            ("AesImpl", 1),
        ];
        Ok(Machine {
            name: name.to_owned(),
            garbler,
            folded: false,
            short: false,
            engines,
            parameters,
        })
    }

    /// This machine with folded half gates: smaller, but with only one AND per ten cycles.
    pub fn folded(mut self) -> Machine {
        self.folded = true;
        self.parameters.retain(|(name, _)| *name != "AndLatency");
        self.parameters.extend([("AndInterval", FOLDED.0), ("AndLatency", FOLDED.1)]);
        self
    }

    /// This machine with short queues, `forwarding = "after-read"` and without counters: the form
    /// that an FPGA of 84,000 lookup tables has the wires for. A folded half gate takes an AND in
    /// ten cycles, so its queues need no more.
    pub fn short(mut self) -> Machine {
        self.short = true;
        for (name, value) in &mut self.parameters {
            if let Some((_, short)) = SHORT.iter().find(|(queue, _)| queue == name) {
                *value = *short;
            }
        }
        self.parameters.extend([("ForwardAll", 0), ("Counters", 0)]);
        self
    }

    /// Name and role.
    pub fn title(&self) -> String {
        let half_gate = if self.folded { ", folded half gate" } else { "" };
        let queues = if self.short { ", short queues" } else { "" };
        format!("{} {}{half_gate}{queues}", self.name, self.role())
    }

    fn role(&self) -> &'static str {
        if self.garbler { "garbler" } else { "evaluator" }
    }

    /// The top module of this machine, with the ports of its description.
    fn module(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The whole machine, with one AXI port of `data_width` bits.
    pub fn whole(&self, data_width: u64) -> Design {
        let mut parameters = self.parameters.clone();
        parameters.push(("DataWidth", data_width));
        let name = format!("{}, AXI of {data_width} bits", self.title());
        Design::new(name, "haac", &parameters).sboxes()
    }

    /// The whole machine with AXI of 64 bytes, for its longest path, which goes from part to part.
    pub fn in_one_piece(&self) -> Design {
        let width = 512;
        let name = format!("{}, in one piece: with AXI of {width} bits", self.title());
        Design { name, ..self.whole(width) }
    }

    /// The machine's parameters with these names.
    fn pick(&self, names: &[&str]) -> Vec<(&'static str, u64)> {
        self.parameters.iter().filter(|(name, _)| names.contains(name)).copied().collect()
    }

    /// The value of a parameter that every machine has.
    fn value(&self, name: &str) -> u64 {
        let found = self.parameters.iter().find(|(parameter, _)| *parameter == name);
        found.expect("every machine has it").1
    }

    /// A part of this machine.
    fn named(&self, what: &str, top: &str, parameters: &[(&'static str, u64)]) -> Design {
        Design::new(format!("{}: {what}", self.title()), top, parameters)
    }

    /// The machine's parts. Their sum is the whole machine, except for savings when synthesis
    /// optimises across their boundaries.
    pub fn parts(&self) -> [Part; 4] {
        let role = self.pick(&["Garbler", "AesImpl"]);
        let part = |count, design| Part { count, design };
        let latency = (!self.folded).then(|| self.value("AndLatency"));
        let unit = half_gate(self.garbler, latency);
        let engine = self.pick(&[
            "Engines",
            "WindowLabels",
            "Banks",
            "XorLatency",
            "AndLatency",
            "AndInterval",
            "IssueDepth",
            "TableDepth",
            "OorAddressDepth",
            "OorWireDepth",
            "LiveDepth",
            "Garbler",
            "AesImpl",
        ]);
        let window = self.pick(&[
            "Engines",
            "WindowLabels",
            "Banks",
            "LoaderBursts",
            "XorLatency",
            "AndLatency",
        ]);
        [
            part(
                self.engines,
                self.named("half-gate unit", &unit.top, &unit.parameters)
                    .sboxes()
                    .filed_as(&unit.name),
            ),
            part(
                self.engines,
                self.named("engine without it", "haac_engine", &engine).without(&[&unit.top]),
            ),
            part(1, self.named("window", "haac_window", &window)),
            part(
                1,
                // The rest is the same with every half gate, so both share one result.
                self.named("the rest", &self.module(), &role)
                    .without(&["haac_engine", "haac_window"])
                    .filed_as(&format!("{} {}: the rest", self.name, self.role())),
            ),
        ]
    }
}

impl Machine {
    /// The parts of the machine for a chip, finer than [`parts`](Machine::parts): the rows of the
    /// paper's Table 4, and what it has no row for.
    pub fn rows(&self) -> Vec<Part> {
        let depth = |name| ("Depth", self.value(name));
        let [unit, mut engine, window, mut rest] = self.parts();
        let each = |count, design| Part { count: count * self.engines, design };
        let labels = self.value("WindowLabels");
        let instruction = ("InstrWidth", 3 + 2 * u64::from(labels.ilog2()));
        let garbler = ("Garbler", u64::from(self.garbler));
        let queues = [
            ("issue queue", "haac_issue_fifo", vec![instruction, depth("IssueDepth")]),
            ("table queue", "haac_table_queue", vec![garbler, depth("TableDepth")]),
            (
                "address queue",
                "haac_address_queue",
                vec![("WindowLabels", labels), depth("OorAddressDepth")],
            ),
            ("out-of-range queue", "haac_oor_queue", vec![depth("OorWireDepth")]),
            ("live queue", "haac_live_queue", vec![depth("LiveDepth")]),
        ];
        let inside = queues.iter().map(|(_, top, _)| *top);
        let inside = inside.chain(["haac_operand", "haac_xor_unit", &unit.design.top]);
        let inside: Vec<_> = inside.collect();
        engine.design = self
            .named("engine without these", "haac_engine", &engine.design.parameters)
            .without(&inside);
        let others =
            ["haac_engine", "haac_window", "haac_dispatcher", "haac_memory", "haac_counters"];
        rest.design =
            self.named("the rest", &rest.design.top, &rest.design.parameters).without(&others);
        let dispatcher = self.pick(&["Engines", "WindowLabels", "InstrBursts"]);
        let memory =
            self.pick(&["Engines", "OorWireDepth", "LiveDepth", "LoaderBursts", "Garbler"]);
        let mut parts = self.operands(true);
        parts.push(each(1, self.named("XOR unit", "haac_xor_unit", &self.pick(&["XorLatency"]))));
        parts.extend(queues.iter().map(|(what, top, given)| each(1, self.named(what, top, given))));
        parts.insert(0, unit);
        parts.push(engine);
        parts.extend(match self.engines {
            0..=WHOLE_WINDOW => vec![window],
            _ => self.window(window.design),
        });
        parts.extend([
            once(self.named("dispatcher", "haac_dispatcher", &dispatcher)),
            once(self.named("memory side", "haac_memory", &memory)),
            once(self.named("counters", "haac_counters", &self.pick(&["Engines"]))),
            rest,
        ]);
        parts
    }

    /// The ten operands of each engine, five stages with two each: if `all`, each may take a result
    /// from the bus; otherwise those of R2, R3 and X may (`forwarding = "after-read"`). An operand
    /// has the read ports that can deliver in its stage, and R1's take labels from the out-of-range
    /// queue (`haac_pipeline`).
    pub fn operands(&self, all: bool) -> Vec<Part> {
        let form = if all { "" } else { ", after-read" };
        let title = |form: &str, stage: &str| {
            format!("{}{form}: operand and forwarding: {stage}", self.title())
        };
        let one = |count, stage: &str, forward: bool, ports: u64, pops: bool| {
            let mut parameters = self.pick(&["Engines", "WindowLabels"]);
            let (forwards, pops) = (u64::from(forward), u64::from(pops));
            parameters.extend([("Forward", forwards), ("ReadPorts", ports), ("Pops", pops)]);
            let design = Design::new(title(form, stage), "haac_operand", &parameters);
            // Those that forward are the same in both forms.
            let design = if forward { design.filed_as(&title("", stage)) } else { design };
            Part { count: count * self.engines, design }
        };
        vec![
            one(1, "D a", all, 0b0100, false),
            one(1, "D b", all, 0b1100, false),
            one(1, "R1 a", all, 0b0101, true),
            one(1, "R1 b", all, 0b1111, true),
            one(2, "R a", true, 0b0101, false),
            one(2, "R b", true, 0b1111, false),
            one(2, "X", true, 0, false),
        ]
    }

    /// The window in parts that occur often, and what is left of it.
    fn window(&self, whole: Design) -> Vec<Part> {
        let (banks, loads) = (self.value("Banks"), self.value("LoaderBursts"));
        let (reads, results) = (4 * self.engines, 2 * self.engines);
        let rows = self.value("WindowLabels") / banks;
        let bank = [("Writes", results + loads), ("Reads", reads), ("Rows", rows)];
        let inside = ["haac_bank", "haac_read_arbiter", "haac_read_return"];
        let part = |count, design| Part { count, design };
        vec![
            part(banks, self.named(WINDOW[0], inside[0], &bank)),
            part(banks, self.named(WINDOW[1], inside[1], &[("Reads", reads)])),
            part(reads, self.named(WINDOW[2], inside[2], &[("Banks", banks)])),
            part(1, self.named(WINDOW[3], &whole.top, &whole.parameters).without(&inside)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_synthesis::yosys;
    use std::path::{Path, PathBuf};

    fn parameter(design: &Design, name: &str) -> Option<u64> {
        design.parameters.iter().find(|(parameter, _)| *parameter == name).map(|(_, value)| *value)
    }

    #[test]
    fn a_machines_parts_are_its_units_engines_window_and_the_rest() {
        let machine = Machine::new("haac-4ge", false).expect("a machine");
        let parts = machine.parts();
        let tops: Vec<_> =
            parts.iter().map(|part| (part.count, part.design.top.as_str())).collect();
        let four = [(4, "half_gate_evaluator"), (4, "haac_engine"), (1, "haac_window")];
        assert_eq!(tops, [four.as_slice(), &[(1, "haac_4ge")]].concat());
        assert_eq!(parts[1].design.without, ["half_gate_evaluator"]);
        assert_eq!(parameter(&parts[0].design, "Latency"), Some(18));
        assert_eq!(parameter(&parts[1].design, "AndInterval"), None);
    }

    #[test]
    fn rows_have_each_queue_once_and_ten_operands() {
        let machine = Machine::new("haac-4ge", true).expect("a machine");
        let rows = machine.rows();
        let count = |top: &str| {
            rows.iter().filter(|row| row.design.top == top).map(|row| row.count).collect::<Vec<_>>()
        };
        assert_eq!(count("haac_operand").iter().sum::<u64>(), 40);
        assert_eq!(count("haac_live_queue"), [4]);
        assert_eq!((count("haac_window"), count("haac_4ge")), (vec![1], vec![1]));
        let of = |top: &str| rows.iter().find(|row| row.design.top == top).expect(top);
        for top in ["haac_window", "haac_dispatcher", "haac_memory", "haac_counters"] {
            let inside = of("haac_4ge").design.without.iter().any(|module| module == top);
            assert!(inside && count(top) == [1], "{top}: it would be counted twice, or not at all");
        }
        let engine = of("haac_engine");
        for row in &rows[..12] {
            let top = &row.design.top;
            assert!(engine.design.without.contains(top), "{top}: it would be counted twice");
        }
    }

    #[test]
    fn both_forms_have_ten_operands_and_share_those_that_forward() {
        let machine = Machine::new("haac-16ge", false).expect("a machine");
        let [all, after] = [true, false].map(|all| machine.operands(all));
        for form in [&all, &after] {
            assert_eq!(form.iter().map(|part| part.count).sum::<u64>(), 160);
        }
        let forward = |form: &[Part]| -> Vec<(u64, String)> {
            let those = form.iter().filter(|p| parameter(&p.design, "Forward") == Some(1));
            those.map(|part| (part.count, part.design.files.clone())).collect()
        };
        let of = |stage| format!("haac-16ge evaluator: operand and forwarding: {stage}");
        assert_eq!(forward(&after), [(32, of("R a")), (32, of("R b")), (32, of("X"))]);
        assert_eq!(forward(&all).len(), all.len());
        assert!(after[0].design.name.starts_with("haac-16ge evaluator, after-read: operand"));
    }

    /// abc9 refuses a module that it does not see and whose parameters are not removed.
    #[test]
    fn parameters_of_modules_that_are_left_out_are_removed() {
        let machine = || Machine::new("haac-1ge", true).expect("a machine");
        for machine in [machine(), machine().folded()] {
            for module in machine.parts().iter().flat_map(|part| &part.design.without) {
                let folder = if module.starts_with("haac_") { "rtl" } else { "../../rtl/lib" };
                let path = find(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), module);
                let text = std::fs::read_to_string(path.expect(module)).expect(module);
                let lines = text.lines().map(str::trim);
                let lines =
                    lines.filter(|l| l.starts_with("parameter ") || l.starts_with("localparam "));
                for line in lines {
                    let name = line.split('=').next().and_then(|l| l.split_whitespace().last());
                    assert!(yosys::PARAMETERS.contains(&name.expect(line)), "{module}: {line}");
                }
            }
        }
    }

    /// The file of a module in a folder.
    fn find(folder: &Path, module: &str) -> Option<PathBuf> {
        let path = folder.join(format!("{module}.sv"));
        let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
        let mut folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
        path.is_file().then_some(path).or_else(|| folders.find_map(|path| find(&path, module)))
    }

    #[test]
    fn a_large_window_is_counted_in_parts() {
        let rows = Machine::new("haac-16ge", true).expect("a machine").rows();
        let named = |what: &str| {
            let name = format!("haac-16ge garbler: {what}");
            rows.iter().find(|row| row.design.name == name).expect(what)
        };
        assert_eq!(WINDOW.map(|what| named(what).count), [64, 64, 64, 1]);
        let bank = &named(WINDOW[0]).design;
        let loads = parameter(&named(WINDOW[3]).design, "LoaderBursts").expect("its loader");
        let expected = [32 + loads, 64, 2048].map(Some);
        assert_eq!(["Writes", "Reads", "Rows"].map(|name| parameter(bank, name)), expected);
        let rest = &named(WINDOW[3]).design;
        for what in &WINDOW[..3] {
            assert!(rest.without.contains(&named(what).design.top), "{what}");
        }
    }

    #[test]
    fn s_boxes_as_tables_change_nothing_else() {
        let unit = half_gate(false, Some(18));
        let table = unit.with_tables();
        assert_eq!((unit.sbox, table.sbox), (Some("sbox_composite"), Some("sbox_table")));
        assert_eq!((parameter(&unit, "Impl"), parameter(&table, "Impl")), (Some(1), Some(0)));
        assert_eq!(parameter(&table, "Latency"), Some(18));
        assert_eq!(free_xor().with_tables().sbox, None);
    }

    #[test]
    fn a_machine_with_short_queues_has_each_of_them_and_no_counters() {
        let machine = Machine::new("haac-1ge", false).expect("a machine").folded().short();
        assert_eq!(machine.title(), "haac-1ge evaluator, folded half gate, short queues");
        let whole = machine.whole(128);
        for (queue, depth) in SHORT.into_iter().chain([("ForwardAll", 0), ("Counters", 0)]) {
            assert_eq!(parameter(&whole, queue), Some(depth), "{queue}");
        }
    }

    #[test]
    fn a_folded_machine_has_the_folded_unit_and_its_interval() {
        let plain = Machine::new("haac-1ge", true).expect("a machine");
        let rest = plain.parts()[3].design.clone();
        let machine = plain.folded();
        let parts = machine.parts();
        assert_eq!(parts[0].design.top, "half_gate_garbler_folded");
        assert_eq!(parts[0].design.files, "half_gate_garbler_folded");
        assert_eq!(parts[1].design.without, ["half_gate_garbler_folded"]);
        // A module with the same parameters is synthesised only once.
        let same = &parts[3].design;
        assert_eq!(
            (&same.files, &same.top, &same.parameters),
            (&rest.files, &rest.top, &rest.parameters)
        );
        assert!(same.name.contains("folded") && !rest.name.contains("folded"));
        let whole = machine.whole(128);
        assert_eq!(parameter(&parts[1].design, "AndInterval"), Some(FOLDED.0));
        assert_eq!(parameter(&whole, "AndInterval"), Some(FOLDED.0));
        assert_eq!(parameter(&whole, "AndLatency"), Some(FOLDED.1));
        assert!(whole.name.contains("folded"), "{}", whole.name);
    }
}
