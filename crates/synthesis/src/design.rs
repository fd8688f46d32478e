//! What is synthesised: a module with parameters, and how often a machine has it.

/// A module with parameters, and what stays out of it.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it is called in tables.
    pub name: String,
    /// What its files are called: as another's if it is the same module with the same parameters,
    /// which is then synthesised once.
    pub files: String,
    /// The module.
    pub top: String,
    /// Its parameters.
    pub parameters: Vec<(&'static str, u64)>,
    /// Modules inside that are counted elsewhere.
    pub without: Vec<String>,
    /// The module of its S-boxes, if it has any; it is then synthesised once and kept as a module.
    pub sbox: Option<&'static str>,
}

impl Design {
    /// The module `top` with these parameters.
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

    /// Without modules that are counted elsewhere.
    pub fn without(mut self, modules: &[&str]) -> Design {
        self.without = modules.iter().map(|module| (*module).to_owned()).collect();
        self
    }

    /// Its files called as those of another design, of the same module and parameters.
    pub fn filed_as(mut self, other: &str) -> Design {
        self.files = other.to_owned();
        self
    }

    /// With S-boxes by arithmetic inside.
    pub fn sboxes(mut self) -> Design {
        self.sbox = Some("sbox_composite");
        self
    }

    /// This design with S-boxes as tables, which take 32 tables of six inputs each.
    pub fn with_tables(&self) -> Design {
        let mut design = self.clone();
        design.sbox = design.sbox.map(|_| "sbox_table");
        let forms = design.parameters.iter_mut().filter(|(name, _)| name.ends_with("Impl"));
        forms.for_each(|(_, form)| *form = 0);
        design
    }
}

/// A part of a machine and how often it is there.
pub struct Part {
    /// How often.
    pub count: u64,
    /// What.
    pub design: Design,
}
