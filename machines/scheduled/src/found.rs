use halfgate_compiler::Program;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_scheduled_model::{Code, Netlist, Went, model};
use serde_json::{Value, json};
use std::fmt::Write;

/// The results of simulating a scheduled machine, as text and as JSON.
pub struct Found {
    facts: Vec<(&'static str, Value)>,
    text: String,
}

impl Found {
    /// Starts with the results that every machine has.
    pub fn begin(name: &str, netlist: &Netlist, program: &Program) -> Found {
        let cycles = program.circuit.cycles;
        let gates = netlist.gates.len() as u64;
        Found {
            facts: vec![
                ("machine", json!(name)),
                ("hash", json!(program.hash.to_string())),
                ("gates", json!(gates)),
                ("and_gates", json!(netlist.ands())),
                ("netlist_cycles", json!(cycles)),
            ],
            text: format!(
                "gates        {} ({} AND), {} netlist {}\n",
                print::grouped(gates),
                print::grouped(netlist.ands() as u64),
                print::grouped(cycles),
                if cycles == 1 { "cycle" } else { "cycles" }
            ),
        }
    }

    /// Runs the model of a scheduled machine.
    ///
    /// # Errors
    /// If the model finds a wrong label or a conflict of ports.
    pub fn scheduled(&mut self, code: &Code, cycles: u64) -> Result<model::Report, Failure> {
        let report = model::run(code, cycles).map_err(Failure::with(Exit::Local))?;
        let (schedule, shape, netlist) = (&code.schedule, code.shape, &code.body.netlist);
        let path = netlist.critical_path(cycles, shape.and.into(), shape.xor.into());
        let slots = report.gates + report.empty_slots;
        let words: u32 = schedule.depths.iter().sum();
        let deepest = schedule.depths.iter().copied().max().unwrap_or(0);
        self.clocks(report.clocks, report.gates);
        self.facts.extend([
            ("interval", json!(schedule.interval)),
            ("least_interval", json!(schedule.bound)),
            ("longest_path", json!(path)),
            ("slots", json!(slots)),
            ("banks", json!(shape.banks)),
            ("label_words", json!(words)),
            ("deepest_bank", json!(deepest)),
            ("early_tables", json!(report.early_tables)),
            ("forwarded_reads", json!(report.forwarded)),
            ("input_labels", json!(report.input_labels)),
        ]);
        let went = Went::of(code, cycles);
        self.went("slot_clocks", "slots went", &went.named());
        let overlap = match cycles {
            0 | 1 => "no netlist cycles to overlap".to_owned(),
            _ => format!(
                "a netlist cycle every {} clocks, of which slots and loops need {}",
                print::grouped(schedule.interval.into()),
                print::grouped(schedule.bound.into())
            ),
        };
        let _ = write!(
            self.text,
            "schedule     {overlap}; the longest path takes {} clocks\n\
             labels       {} words in {} banks, {} in the deepest\n\
             tables       {} finished before one that comes earlier in the program",
            print::grouped(path),
            print::grouped(words.into()),
            shape.banks,
            print::grouped(deepest.into()),
            print::grouped(report.early_tables)
        );
        Ok(report)
    }

    /// Adds the number of clock cycles, and the gates per clock cycle.
    pub fn clocks(&mut self, clocks: u64, gates: u64) {
        let rate = gates as f64 / clocks as f64;
        self.facts.push(("clocks", json!(clocks)));
        let _ = writeln!(
            self.text,
            "clocks       {} ({rate:.2} gates a clock)",
            print::grouped(clocks)
        );
    }

    /// Adds a breakdown of clock cycles: the JSON field `name` with all causes, and a line of text
    /// that starts with `title` and lists the shares of the causes.
    pub fn went(&mut self, name: &'static str, title: &str, causes: &[(&'static str, u64)]) {
        let facts = causes.iter().map(|&(cause, clocks)| (cause.to_owned(), json!(clocks)));
        self.facts.push((name, facts.collect()));
        let _ = writeln!(self.text, "{title:12} {}", print::shares(causes));
    }

    /// Adds a JSON field, and text.
    pub fn add(&mut self, name: &'static str, value: Value, text: &str) {
        self.facts.push((name, value));
        self.text.push_str(text);
    }

    /// Adds text.
    pub fn add_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns the results as JSON.
    pub fn json(self) -> Value {
        self.facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the text.
    pub fn text(self) -> String {
        self.text
    }
}
