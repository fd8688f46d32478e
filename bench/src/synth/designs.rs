//! What is synthesised: modules by themselves, and machines part by part.

use halfgate_machines::haac::{Description, Overrides};

/// A module with parameters, and what stays out of it.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it is called in tables and files.
    pub name: String,
    /// The module.
    pub top: String,
    /// Its parameters.
    pub parameters: Vec<(&'static str, u64)>,
    /// Modules inside that are counted elsewhere.
    pub without: Vec<&'static str>,
    /// Whether it has S-boxes, which are then synthesised once and kept as modules.
    pub sboxes: bool,
}

impl Design {
    fn new(name: impl Into<String>, top: &str, parameters: &[(&'static str, u64)]) -> Design {
        let parameters = parameters.to_vec();
        Design {
            name: name.into(),
            top: top.to_owned(),
            parameters,
            without: Vec::new(),
            sboxes: false,
        }
    }

    fn without(mut self, modules: &[&'static str]) -> Design {
        self.without = modules.to_vec();
        self
    }

    fn sboxes(mut self) -> Design {
        self.sboxes = true;
        self
    }
}

/// S-boxes of arithmetic.
const COMPOSITE: (&str, u64) = ("Impl", 1);

/// The S-box alone, in both forms.
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

/// The units of the library that hash labels.
pub fn units() -> Vec<Design> {
    vec![
        Design::new("aes_round", "aes_round", &[COMPOSITE]).sboxes(),
        Design::new(
            "half_gate_garbler, 21 stages",
            "half_gate_garbler",
            &[COMPOSITE, ("Latency", 21)],
        )
        .sboxes(),
        Design::new(
            "half_gate_evaluator, 18 stages",
            "half_gate_evaluator",
            &[COMPOSITE, ("Latency", 18)],
        )
        .sboxes(),
        Design::new("half_gate_garbler_folded", "half_gate_garbler_folded", &[COMPOSITE]).sboxes(),
        Design::new("half_gate_evaluator_folded", "half_gate_evaluator_folded", &[COMPOSITE])
            .sboxes(),
    ]
}

/// A machine of `spec/machines` in one role.
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Whether it garbles.
    pub garbler: bool,
    /// Engines.
    pub engines: u64,
    /// The parameters of the top module.
    pub parameters: Vec<(&'static str, u64)>,
}

/// A part of a machine and how often it is there.
pub struct Part {
    /// How often.
    pub count: u64,
    /// What.
    pub design: Design,
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
        Ok(Machine { name: name.to_owned(), garbler, engines, parameters })
    }

    /// Name and role.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, if self.garbler { "garbler" } else { "evaluator" })
    }

    /// The module that is this machine, with the ports of its description.
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

    /// Its parts, which add up to the whole but for what synthesis saves across their borders.
    pub fn parts(&self) -> Vec<Part> {
        let unit = if self.garbler { "half_gate_garbler" } else { "half_gate_evaluator" };
        let pick = |names: &[&str]| -> Vec<(&'static str, u64)> {
            self.parameters.iter().filter(|(name, _)| names.contains(name)).copied().collect()
        };
        let title = self.title();
        let role = pick(&["Garbler", "AesImpl"]);
        let part = |count, design| Part { count, design };
        let named = |what: &str, top: &str, parameters: &[(&'static str, u64)]| {
            Design::new(format!("{title}: {what}"), top, parameters)
        };
        let latency = self.parameters.iter().find(|(name, _)| *name == "AndLatency");
        let latency = latency.map_or(21, |(_, value)| *value);
        let engine = pick(&[
            "Engines",
            "WindowLabels",
            "Banks",
            "XorLatency",
            "AndLatency",
            "IssueDepth",
            "TableDepth",
            "OorAddressDepth",
            "OorWireDepth",
            "LiveDepth",
            "Garbler",
            "AesImpl",
        ]);
        let window =
            pick(&["Engines", "WindowLabels", "Banks", "LoaderBursts", "XorLatency", "AndLatency"]);
        vec![
            part(
                self.engines,
                named("half-gate unit", unit, &[COMPOSITE, ("Latency", latency)]).sboxes(),
            ),
            part(self.engines, named("engine without it", "haac_engine", &engine).without(&[unit])),
            part(1, named("window", "haac_window", &window)),
            part(
                1,
                named("the rest", &self.module(), &role).without(&["haac_engine", "haac_window"]),
            ),
        ]
    }
}
