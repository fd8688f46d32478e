//! The designs to synthesise: a module with parameters, and how often a machine has it.

/// A module with parameters, and the modules that are left out of it.
#[derive(Clone, Debug)]
pub struct Design {
    /// Its name in tables.
    pub name: String,
    /// Base name of its files. Designs with the same module and parameters share a base name, and
    /// are then synthesised once.
    pub files: String,
    /// The top module.
    pub top: String,
    /// Its parameters.
    pub parameters: Vec<(&'static str, u64)>,
    /// Modules inside it that are counted elsewhere.
    pub without: Vec<String>,
    /// The module of its S-boxes, if it has any. It is then synthesised once and kept as a module.
    pub sbox: Option<&'static str>,
}

impl Design {
    /// Makes a design of the module `top` with these parameters.
    pub fn new(name: impl Into<String>, top: &str, parameters: &[(&'static str, u64)]) -> Design {
        let (name, parameters) = (name.into(), parameters.to_vec());
        Design {
            files: name.clone(),
            name,
            top: top.to_owned(),
            parameters,
            without: Vec::new(),
            sbox: None,
        }
    }

    /// Leaves out modules that are counted elsewhere.
    pub fn without(mut self, modules: &[&str]) -> Design {
        self.without = modules.iter().map(|module| (*module).to_owned()).collect();
        self
    }

    /// Uses the files of another design with the same module and parameters.
    pub fn filed_as(mut self, other: &str) -> Design {
        self.files = other.to_owned();
        self
    }

    /// Marks a design with S-boxes by arithmetic inside.
    pub fn sboxes(mut self) -> Design {
        self.sbox = Some("sbox_composite");
        self
    }

    /// This design with S-boxes as lookup tables, which take 32 tables of six inputs each.
    pub fn with_tables(&self) -> Design {
        let mut design = self.clone();
        design.sbox = design.sbox.map(|_| "sbox_table");
        let forms = design.parameters.iter_mut().filter(|(name, _)| name.ends_with("Impl"));
        forms.for_each(|(_, form)| *form = 0);
        design
    }
}

/// A part of a machine, with its number of instances.
pub struct Part {
    /// Number of instances.
    pub count: u64,
    /// The design.
    pub design: Design,
}
