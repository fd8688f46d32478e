//! Named descriptions of overlays: shape, board and host
//! (`machines/overlay/spec/machines/overlay*.toml`).

use super::model::{AndCells, Board, Shape, ShapeError, Waits};
use super::{Banks, Build, Cells, Form, How, Plan, Policy};
use halfgate_circuit::Circuit;
use serde::Deserialize;

/// The project's own descriptions, by name.
const BUILTIN: [(&str, &str); 6] = [
    ("overlay", include_str!("../../spec/machines/overlay.toml")),
    ("overlay-paper", include_str!("../../spec/machines/overlay-paper.toml")),
    ("overlay-registers", include_str!("../../spec/machines/overlay-registers.toml")),
    ("overlay-dma", include_str!("../../spec/machines/overlay-dma.toml")),
    ("overlay-pcie4", include_str!("../../spec/machines/overlay-pcie4.toml")),
    ("overlay-hbm", include_str!("../../spec/machines/overlay-hbm.toml")),
];

/// Prefix of all overlays' names.
pub const PREFIX: &str = "overlay";

/// An overlay, its board and its host.
#[derive(Clone, PartialEq, Debug)]
pub struct Overlay {
    /// Name of the overlay.
    pub name: String,
    /// One-line description.
    pub about: String,
    /// Parameters of the build.
    pub shape: Shape,
    /// The board and its host.
    pub board: Board,
    /// Words of block RAM that commands use, one for each label. If the board's memory is not a
    /// power of two, the build has more words than this.
    pub block_ram: u32,
    /// Capacity of DDR in labels.
    pub ddr_labels: u32,
    /// Layout of commands in registers.
    pub form: Form,
    /// Policy for labels in block RAM.
    pub policy: Policy,
    /// Gates per window. Windows follow the circuit's own gate order, and each window is split into
    /// layers separately. `None`: the whole circuit is one window.
    pub window: Option<u32>,
}

/// Why a description is invalid.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionError {
    /// No description has this name.
    #[error("there is no overlay {0:?}: the names are {names}", names = names().join(", "))]
    Unknown(String),
    /// The text is no description.
    #[error("overlay {name}: {what}")]
    Form {
        /// Name of the overlay.
        name: String,
        /// Position and reason.
        what: String,
    },
    /// The overlay's shape is impossible.
    #[error("overlay {name}: {error}")]
    Shape {
        /// Name of the overlay.
        name: String,
        /// Reason.
        error: ShapeError,
    },
    /// A number of the board or host is out of range.
    #[error("overlay {name}: {field} is {is}, and must be {wanted}")]
    Value {
        /// Name of the overlay.
        name: String,
        /// Name of the field.
        field: &'static str,
        /// Value of the field.
        is: f64,
        /// Allowed values.
        wanted: &'static str,
    },
    /// The policy needs another order of gates.
    #[error(
        "overlay {0}: the policy directly-used needs layers of the whole circuit: leave the window out"
    )]
    Window(String),
}

/// Why an overlay cannot garble a circuit.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A gate cannot be encoded.
    #[error("gate {gate}: {lacks}")]
    Gate {
        /// Position of the gate in the body.
        gate: u32,
        /// Reason.
        lacks: super::command::Lacks,
    },
    /// The labels do not fit into the memories.
    #[error(
        "the circuit does not fit into {block_ram} labels of block RAM and {held} of DDR: with this order and policy \
         {wanted} labels are in DDR"
    )]
    Labels {
        /// Capacity of block RAM in labels.
        block_ram: u32,
        /// Capacity of DDR in labels.
        held: u32,
        /// Labels that need DDR.
        wanted: u32,
    },
    /// The circuit has more gates than the host can plan.
    #[error(
        "the circuit has {0} gates, but an overlay's host plans fewer than 2^30: split the circuit"
    )]
    Gates(usize),
}

/// Names of the project's own descriptions.
pub fn names() -> Vec<&'static str> {
    BUILTIN.iter().map(|(name, _)| *name).collect()
}

impl Overlay {
    /// Returns the overlay of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Overlay, DescriptionError> {
        let found = BUILTIN.iter().find(|(builtin, _)| *builtin == name);
        let (name, text) = found.ok_or_else(|| DescriptionError::Unknown(name.to_owned()))?;
        Overlay::parse(name, text)
    }

    /// Parses a description.
    ///
    /// # Errors
    /// If the text is no description, or its values are out of range.
    pub fn parse(name: &str, text: &str) -> Result<Overlay, DescriptionError> {
        let name = name.to_owned();
        let raw: Raw = toml::from_str(text).map_err(|error| DescriptionError::Form {
            name: name.clone(),
            what: error.to_string(),
        })?;
        let overlay = raw.overlay(name.clone());
        overlay.shape.check().map_err(|error| DescriptionError::Shape { name, error })?;
        overlay.check()?;
        Ok(overlay)
    }

    fn check(&self) -> Result<(), DescriptionError> {
        let Board { clock_mhz, link_mhz, beat_ns, ddr_ns, ddr_every_ns, table_ns, waits, .. } =
            self.board;
        let value = |field, is: f64, fits: bool, wanted| match fits {
            true => Ok(()),
            false => Err(DescriptionError::Value { name: self.name.clone(), field, is, wanted }),
        };
        for (field, mhz) in [("clock_mhz", clock_mhz), ("link.clock_mhz", link_mhz)] {
            value(field, mhz.into(), (1..=5000).contains(&mhz), "1 to 5000")?;
        }
        let times = [
            ("link.beat_ns", beat_ns),
            ("ddr.latency_ns", ddr_ns),
            ("ddr.every_ns", ddr_every_ns),
            ("link.table_ns", table_ns),
            ("host.each_xors_ns", waits.each_xors.unwrap_or(0.0)),
            ("host.layer_xors_ns", waits.layer_xors.unwrap_or(0.0)),
            ("host.each_ands_ns", waits.each_ands.unwrap_or(0.0)),
        ];
        for (field, ns) in times {
            value(field, ns, (0.0..=1e6).contains(&ns), "0 to 1000000 ns")?;
        }
        let beat = 1000.0 / f64::from(link_mhz);
        value("link.beat_ns", beat_ns, beat_ns >= 0.99 * beat, "a clock of the link or more")?;
        let own = !self.shape.link_clock && link_mhz != clock_mhz;
        value(
            "link.clock_mhz",
            link_mhz.into(),
            !own,
            "clock_mhz, if the link has no clock of its own",
        )?;
        let held = self.shape.block_ram();
        let wanted = "1 to banks x rows";
        value("block_ram", self.block_ram.into(), (1..=held).contains(&self.block_ram), wanted)?;
        let most = 1 << 30;
        let labels = self.ddr_labels;
        value("ddr.labels", labels.into(), (2..=most).contains(&labels), "2 to 2^30")?;
        if self.policy == Policy::DirectlyUsed && self.window.is_some() {
            return Err(DescriptionError::Window(self.name.clone()));
        }
        value("host.window", 0.0, self.window != Some(0), "1 or more")
    }

    /// The build for which the overlay's streams of commands are made.
    pub fn build(&self) -> Build {
        self.shape.build(self.block_ram, self.form)
    }

    /// Plans the commands for a circuit's body.
    ///
    /// Memory: as for a [`Plan`].
    ///
    /// # Errors
    /// If this overlay cannot garble the circuit.
    pub fn plan<'c>(&self, circuit: &'c Circuit) -> Result<Plan<'c>, PlanError> {
        let gates = circuit.gates.len();
        if gates >> 30 != 0 {
            return Err(PlanError::Gates(gates));
        }
        let how = How {
            policy: self.policy,
            cells: self.shape.batch,
            block_ram: self.block_ram,
            form: self.form,
            window: self.window,
            section: How::SECTION,
        };
        let plan = Plan::new(circuit, how);
        let plan = plan.map_err(|(gate, lacks)| PlanError::Gate { gate, lacks })?;
        let (block_ram, held, wanted) = (self.block_ram, self.ddr_labels, plan.in_ddr());
        match wanted > held {
            true => Err(PlanError::Labels { block_ram, held, wanted }),
            false => Ok(plan),
        }
    }
}

/// A description as written in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    about: String,
    clock_mhz: u32,
    lanes: u32,
    and_cells: u32,
    xor_cells: u32,
    suite: RawSuite,
    half_gate_cycles: u32,
    banks: u32,
    rows: u32,
    block_ram: Option<u32>,
    slots: u32,
    entries: u32,
    controller: RawController,
    and_batch: u32,
    xor_batch: u32,
    link: RawLink,
    ddr: RawDdr,
    host: RawHost,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLink {
    /// Clock of the link; the machine's clock if `None`.
    clock_mhz: Option<u32>,
    words: u32,
    depth: u32,
    beat_ns: f64,
    #[serde(default)]
    hold: bool,
    table_ns: f64,
    #[serde(default)]
    tables: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDdr {
    latency_ns: f64,
    every_ns: f64,
    labels: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHost {
    form: RawForm,
    policy: RawPolicy,
    window: Option<u32>,
    each_xors_ns: Option<f64>,
    layer_xors_ns: Option<f64>,
    each_ands_ns: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawSuite {
    #[serde(rename = "grr3-sha1")]
    Rows,
    HalfGates,
    Both,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawController {
    Serial,
    Flowing,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawForm {
    Three,
    Two,
    Inverting,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawPolicy {
    DirectlyUsed,
    MostFrequentlyUsed,
    LiveRange,
    Banked,
}

impl Raw {
    fn overlay(self, name: String) -> Overlay {
        let Raw { link, ddr, host, .. } = self;
        let shape = Shape {
            lanes: self.lanes,
            cells: Cells { ands: self.and_cells, xors: self.xor_cells },
            and_cells: match self.suite {
                RawSuite::Rows => AndCells::Rows,
                RawSuite::HalfGates => AndCells::HalfGates,
                RawSuite::Both => AndCells::Both,
            },
            latency: self.half_gate_cycles,
            banks: self.banks,
            rows: self.rows,
            slots: self.slots,
            entries: self.entries,
            words: link.words,
            depth: link.depth,
            link_clock: link.clock_mhz.is_some(),
            serial: matches!(self.controller, RawController::Serial),
            hold: link.hold,
            batch: Cells { ands: self.and_batch, xors: self.xor_batch },
        };
        let waits = Waits {
            each_xors: host.each_xors_ns,
            layer_xors: host.layer_xors_ns,
            each_ands: host.each_ands_ns,
        };
        let board = Board {
            clock_mhz: self.clock_mhz,
            link_mhz: link.clock_mhz.unwrap_or(self.clock_mhz),
            beat_ns: link.beat_ns,
            ddr_ns: ddr.latency_ns,
            ddr_every_ns: ddr.every_ns,
            table_ns: link.table_ns,
            tables: link.tables,
            waits,
        };
        Overlay {
            name,
            about: self.about,
            shape,
            board,
            block_ram: self.block_ram.unwrap_or(self.banks.saturating_mul(self.rows)),
            ddr_labels: ddr.labels,
            form: match host.form {
                RawForm::Three => Form::Three,
                RawForm::Two => Form::Two,
                RawForm::Inverting => Form::Inverting,
            },
            policy: match host.policy {
                RawPolicy::DirectlyUsed => Policy::DirectlyUsed,
                RawPolicy::MostFrequentlyUsed => Policy::MostFrequentlyUsed,
                RawPolicy::LiveRange => Policy::LiveRange,
                RawPolicy::Banked => Policy::Banked(Banks { banks: self.banks, lanes: self.lanes }),
            },
            window: host.window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_programs::published;

    #[test]
    fn all_descriptions_are_good() {
        for name in names() {
            let overlay = Overlay::named(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(overlay.name, name);
            let circuit = published::build("hamming:10").unwrap();
            assert!(overlay.plan(&circuit).is_ok(), "{name}");
        }
        let error = Overlay::named("overlay-2").unwrap_err().to_string();
        assert!(error.contains("overlay-paper"), "{error}");
    }

    #[test]
    fn invalid_descriptions_are_refused_by_name() {
        let good = BUILTIN[1].1;
        for (from, to, what) in [
            ("clock_mhz = 200", "clock_mhz = 0", "clock_mhz is 0"),
            ("words = 1", "words = 0", "words of the link"),
            ("rows = 131072", "rows = 100000", "power of two"),
            ("beat_ns = 50.0", "beat_ns = -1.0", "link.beat_ns is -1"),
            ("beat_ns = 50.0", "beat_ns = 1.0", "a clock of the link or more"),
            ("latency_ns = 180.0", "latency_ns = nan", "ddr.latency_ns is NaN"),
            ("block_ram = 120370", "block_ram = 131073", "banks x rows"),
            ("lanes = 1", "lanes = 2", "lanes of an overlay"),
            ("lanes = 1", "lanes = 1\ncolour = 3", "unknown field"),
            ("policy =", "window = 7\npolicy =", "leave the window out"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = Overlay::parse("x", &good.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains("overlay x") && error.contains(what), "{error}");
        }
    }

    #[test]
    fn circuits_that_do_not_fit_are_refused() {
        let circuit = published::build("multiplier-full:8").unwrap();
        let mut overlay = Overlay::named("overlay").unwrap();
        overlay.ddr_labels = 30;
        let error = overlay.plan(&circuit).err().unwrap().to_string();
        assert!(error.contains("30 of DDR: with this order"), "{error}");
        let inverts = halfgate_circuit::random::circuit(1, &Default::default());
        let paper = Overlay::named("overlay-paper").unwrap();
        let error = paper.plan(&inverts).err().unwrap().to_string();
        assert!(error.contains("cannot invert"), "{error}");
    }
}
