//! The modules of a design that become functions of its circuit.
//!
//! A design has functions if no module has a register, a latch, a memory that is written, or a
//! tri-state driver. A module becomes a function if all of these hold:
//!
//! - It has input and output ports only.
//! - It takes at least [`MIN_ANDS`] ANDs by itself, all modules in it included, before ABC.
//! - It has at least two instances, when modules that do not become functions are written out and
//!   each function is written once.
//! - Neither it nor the top module has the attribute `flatten`.
//!
//! An instance with the attribute `flatten` is written out. A design of fewer than [`LARGE`] ANDs
//! has functions only if it does not take fewer ANDs without them.
//!
//! [`LARGE`]: super::LARGE

use std::collections::HashMap;

/// A module of fewer ANDs is written out: a call takes as long as some dozens of ANDs.
pub(super) const MIN_ANDS: u64 = 32;

/// The modules of a design and their instances, as elaborated.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    modules: Vec<Module>,
    numbers: HashMap<String, usize>,
}

#[derive(Debug, Default)]
struct Module {
    /// The name that Yosys gives it, without the backslash of a name from the source.
    name: String,
    is_top: bool,
    /// Whether it can become a function, as far as its ports and attributes show.
    is_eligible: bool,
    /// The modules instantiated, and whether the instance has the attribute `flatten`.
    instances: Vec<(usize, bool)>,
}

impl Hierarchy {
    /// Reads Yosys' dump of all instances. `inout` lists the ports that are input and output.
    pub(super) fn parse(dump: &str, inout: &str) -> Hierarchy {
        let mut hierarchy = Hierarchy::default();
        let mut instances: Vec<(usize, String, bool)> = Vec::new();
        let mut attributes: Vec<&str> = Vec::new();
        for line in dump.lines().map(str::trim) {
            if let Some(attribute) = line.strip_prefix("attribute \\") {
                // An attribute with the value 0 is not set.
                let (name, value) = attribute.split_once(' ').unwrap_or((attribute, ""));
                attributes.extend(Some(name).filter(|_| value != "0"));
            } else if let Some(name) = line.strip_prefix("module ") {
                let has = |attribute: &str| attributes.contains(&attribute);
                let name = plain(name).to_owned();
                hierarchy.numbers.insert(name.clone(), hierarchy.modules.len());
                let is_eligible = !has("flatten") && is_simple(&name);
                let is_top = has("top");
                hierarchy.modules.push(Module { name, is_top, is_eligible, ..Module::default() });
                attributes.clear();
            } else if let Some(cell) = line.strip_prefix("cell ") {
                let kind = cell.split(' ').next().unwrap_or(cell);
                let module = hierarchy.modules.len().saturating_sub(1);
                instances.push((module, plain(kind).to_owned(), attributes.contains(&"flatten")));
                attributes.clear();
            }
        }
        for (parent, kind, is_flattened) in instances {
            if let Some(&child) = hierarchy.numbers.get(&kind) {
                hierarchy.modules[parent].instances.push((child, is_flattened));
            }
        }
        for line in inout.lines() {
            let module = line.split('/').next().map(plain).unwrap_or_default();
            if let Some(&module) = hierarchy.numbers.get(module) {
                hierarchy.modules[module].is_eligible = false;
            }
        }
        hierarchy
    }

    /// Names of the modules that become functions if they are large enough. Without `ands`, all are
    /// large enough; otherwise it has the ANDs of modules by their names.
    pub(super) fn functions(&self, ands: Option<&HashMap<String, u64>>) -> Vec<String> {
        let Some(order) = self.parents_first() else { return Vec::new() };
        // For each module: the instances that may be calls, and the texts into which its own
        // instances are written.
        let (mut calls, mut texts) = (vec![0_u64; order.len()], vec![0_u64; order.len()]);
        let mut functions = Vec::new();
        for number in order {
            let module = &self.modules[number];
            let is_large = ands.is_none_or(|ands| ands.get(&module.name) >= Some(&MIN_ANDS));
            if module.is_top {
                if !module.is_eligible {
                    return Vec::new();
                }
                texts[number] = 1;
            } else if module.is_eligible && is_large && calls[number] >= 2 {
                functions.push(module.name.clone());
                texts[number] += 1;
            } else {
                texts[number] = texts[number].saturating_add(calls[number]);
            }
            let own = texts[number];
            for &(child, is_flattened) in &module.instances {
                let count = if is_flattened { &mut texts[child] } else { &mut calls[child] };
                *count = count.saturating_add(own);
            }
        }
        functions
    }

    /// The modules, each after those that instantiate it; `None` if one contains itself.
    fn parents_first(&self) -> Option<Vec<usize>> {
        let mut parents = vec![0_usize; self.modules.len()];
        let children = self.modules.iter().flat_map(|module| &module.instances);
        children.for_each(|&(child, _)| parents[child] += 1);
        let mut order: Vec<usize> = (0..parents.len()).filter(|&at| parents[at] == 0).collect();
        let mut done = 0;
        while let Some(&number) = order.get(done) {
            done += 1;
            for &(child, _) in &self.modules[number].instances {
                parents[child] -= 1;
                if parents[child] == 0 {
                    order.push(child);
                }
            }
        }
        (order.len() == parents.len()).then_some(order)
    }
}

/// Returns a name without the backslash that marks names from the source.
fn plain(name: &str) -> &str {
    name.strip_prefix('\\').unwrap_or(name)
}

/// Whether a script can select the module `name`.
fn is_simple(name: &str) -> bool {
    let simple = |c: char| c.is_ascii_alphanumeric() || "_$\\'=.-:".contains(c);
    name.chars().all(simple)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "
attribute \\top 1
module \\top
  cell \\mid \\gen[1].m
    connect \\z \\o [31:24]
  end
  cell \\mid \\gen[0].m
  end
  attribute \\flatten 1
  cell \\leaf \\l
  end
  cell \\pair \\p
  end
  cell \\XOR \\gate
  end
end
module \\mid
  cell \\leaf \\only
  end
end
module \\pair
  cell \\leaf \\a
  end
  cell \\leaf \\b
  end
end
module \\leaf
end
";

    #[test]
    fn a_module_is_a_function_if_its_instances_are_repeated_in_the_text() {
        let hierarchy = Hierarchy::parse(DUMP, "");
        assert_eq!(hierarchy.functions(None), ["mid", "leaf"]);
        let large = |names: &[&str]| -> HashMap<String, u64> {
            let all = ["mid", "leaf", "pair", "top"];
            let ands = |name: &&str| if names.contains(name) { MIN_ANDS } else { MIN_ANDS - 1 };
            all.iter().map(|name| ((*name).to_owned(), ands(name))).collect()
        };
        assert_eq!(hierarchy.functions(Some(&large(&["mid"]))), ["mid"]);
        assert_eq!(hierarchy.functions(Some(&large(&["pair"]))), [""; 0]);
        let hierarchy = Hierarchy::parse(DUMP, "leaf/x\n");
        assert_eq!(hierarchy.functions(None), ["mid"]);
        // An instance to be written out does not count.
        let other = DUMP.replace("  cell \\leaf \\b", "  attribute \\flatten 1\n  cell \\leaf \\b");
        let hierarchy = Hierarchy::parse(&other.replace("\\only", "\\$x"), "");
        assert_eq!(hierarchy.functions(None), ["mid", "leaf"]);
        let none = other.replace("cell \\leaf \\only", "cell \\XOR \\only");
        assert_eq!(Hierarchy::parse(&none, "").functions(None), ["mid"]);
    }

    #[test]
    fn the_attribute_of_a_module_keeps_it_from_being_a_function() {
        let mid = DUMP.replace("module \\mid", "attribute \\flatten 1\nmodule \\mid");
        assert_eq!(Hierarchy::parse(&mid, "").functions(None), ["leaf"]);
        let unset = DUMP.replace("module \\mid", "attribute \\flatten 0\nmodule \\mid");
        assert_eq!(Hierarchy::parse(&unset, "").functions(None), ["mid", "leaf"]);
        let top = DUMP.replace("module \\top", "attribute \\flatten 1\nmodule \\top");
        assert_eq!(Hierarchy::parse(&top, "").functions(None), [""; 0]);
    }
}
