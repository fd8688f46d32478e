//! The steps by which Yosys turns a design into netlists.

use super::error::Error;
use super::hierarchy::Hierarchy;
use super::script::{
    KEEP, KEEP_NOTHING, LARGE_LOGIC_BY_ABC, LOGIC_BY_ABC, OPERATORS, PROCESSES, STATE,
};
use super::yosys::Session;
use std::fs;

impl Session<'_> {
    /// Turns processes into registers and multiplexers. Returns the modules of a design that may
    /// have functions; `None` if the design is to be flattened: if it has state or no repeated
    /// modules, and without `may_have_functions`.
    pub(super) fn prepare(&mut self, may_have_functions: bool) -> Result<Option<Hierarchy>, Error> {
        let has_repeated = |found: &Hierarchy| !found.functions(None).is_empty();
        if !may_have_functions || !has_repeated(&Hierarchy::parse(&self.instances()?, "")) {
            self.step(PROCESSES)?;
            return Ok(None);
        }
        let (state, inout) = (self.path("state.txt"), self.path("inout.txt"));
        let query = STATE.replace("{state}", &state.display().to_string());
        let query = query.replace("{inout}", &inout.display().to_string());
        self.step(&format!("{PROCESSES}{query}"))?;
        if !fs::read_to_string(state)?.trim().is_empty() {
            return Ok(None);
        }
        let hierarchy = Hierarchy::parse(&self.instances()?, &fs::read_to_string(inout)?);
        Ok(Some(hierarchy).filter(has_repeated))
    }

    /// Flattens the prepared design, and returns the netlist in JSON.
    pub(super) fn elaborate(&mut self) -> Result<Vec<u8>, Error> {
        self.operators(KEEP_NOTHING)
    }

    /// Stores the prepared design, to elaborate it more than once.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.step("design -save prepared\n")
    }

    /// Flattens the design that was stored, except for instances of `functions`, and returns the
    /// netlists in JSON.
    pub(super) fn elaborate_modules(&mut self, functions: &[String]) -> Result<Vec<u8>, Error> {
        let selected: Vec<String> = functions.iter().map(|name| format!("t:{name}")).collect();
        let keep = KEEP.replace("{functions}", &selected.join(" "));
        self.operators(&format!("design -load prepared\n{KEEP_NOTHING}{keep}"))
    }

    fn operators(&mut self, before: &str) -> Result<Vec<u8>, Error> {
        let text = OPERATORS.replace("{gates}", &self.quoted("gates.v")?);
        self.netlist(&format!("{before}{text}"), "as-written.json")
    }

    /// Optimises the netlist's logic with ABC, and returns the netlist in JSON. Returns `None` if
    /// this Yosys has no ABC.
    pub(super) fn by_abc(&mut self, is_large: bool) -> Result<Option<Vec<u8>>, Error> {
        let logic = if is_large { LARGE_LOGIC_BY_ABC } else { LOGIC_BY_ABC };
        let text = logic.replace("{costs}", &self.quoted("costs.lib")?);
        self.next_is_last();
        match self.netlist(&text, "by-abc.json") {
            // ABC is a separate program that not every Yosys includes.
            Err(Error::NoAbc { .. }) => Ok(None),
            netlist => netlist.map(Some),
        }
    }

    fn netlist(&mut self, commands: &str, name: &str) -> Result<Vec<u8>, Error> {
        self.step(&format!("{commands}write_json {}\n", self.quoted(name)?))?;
        Ok(fs::read(self.path(name))?)
    }
}
