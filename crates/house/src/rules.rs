//! The file `crates/house/rules.toml`.

use serde::Deserialize;

use crate::pattern::{capture, matches};
use crate::workspace::Workspace;

/// Path of the rules, from the repository's root.
pub const PATH: &str = "crates/house/rules.toml";

/// All rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Largest permitted numbers.
    pub limits: Limits,
    /// Exemptions of single files.
    pub files: FileRules,
    /// Packages that models may not reach.
    pub models: ModelRules,
    /// What counts as network I/O.
    pub network: NetworkRules,
    /// What packages may depend on and contain.
    #[serde(rename = "package", default)]
    pub packages: Vec<PackageRule>,
}

/// Largest permitted numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Lines of a function.
    pub function_lines: usize,
    /// Functions with more lines than that.
    pub long_functions: usize,
    /// Lines of a file.
    pub file_lines: usize,
    /// Files with more lines than that.
    pub long_files: usize,
    /// Circles of imports.
    pub circles: usize,
    /// Lines that name a machine where none may be named.
    pub machine_lines: usize,
    /// Column at which lines of comments end.
    pub comment_column: usize,
    /// Number of waivers of lint in hardware descriptions.
    pub lint_waivers: usize,
    /// Errors of engines that carry text.
    pub text_errors: usize,
    /// Lines outside a machine's folder that name its package.
    pub registrations: usize,
}

/// Exemptions of single files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRules {
    /// Files that may be long.
    pub long: Vec<String>,
}

/// Packages that models may not reach.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRules {
    /// Pattern of the folders of model packages.
    pub folder: String,
    /// Packages that a model must not reach.
    pub unreachable: Vec<String>,
}

/// What counts as network I/O.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRules {
    /// Dependencies that do network I/O.
    pub crates: Vec<String>,
    /// The name that stands for the standard library's sockets in a package's rule.
    pub sockets: String,
}

/// What a package may depend on and contain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageRule {
    /// Pattern for the names of the packages that this rule applies to.
    pub name: Option<String>,
    /// Pattern for the folders of the packages that this rule applies to.
    pub folder: Option<String>,
    /// Patterns of our own packages that they may depend on.
    #[serde(default)]
    pub uses: Vec<String>,
    /// Whether they may depend on third-party packages.
    #[serde(default = "permitted")]
    pub third_party: bool,
    /// Patterns of the dependencies with network I/O that they may use, or the name for sockets.
    #[serde(default)]
    pub network: Vec<String>,
    /// Folders and files below the package's folder that may have unsafe code.
    #[serde(default, rename = "unsafe")]
    pub unsafe_paths: Vec<String>,
}

fn permitted() -> bool {
    true
}

/// A rule as applied to one package.
pub struct Permission<'r> {
    rule: &'r PackageRule,
    captured: String,
}

impl Rules {
    /// Parses rules.
    pub fn parse(text: &str) -> Result<Self, String> {
        let rules: Self = toml::from_str(text).map_err(|error| format!("{PATH}: {error}"))?;
        match rules.packages.iter().find(|rule| rule.name.is_some() == rule.folder.is_some()) {
            Some(PackageRule { name, .. }) => {
                let name = name.as_deref().unwrap_or("(no name)");
                Err(format!("{PATH}: [[package]] {name} needs a name or a folder, and not both"))
            }
            None => Ok(rules),
        }
    }

    /// A pattern that matches no package, if there is one. Its rule has no effect, so the pattern
    /// is probably wrong.
    pub fn stale(&self, workspace: &Workspace) -> Option<&str> {
        let is_name = |pattern: &str| workspace.members().any(|(p, _)| matches(pattern, &p.name));
        let is_folder = |pattern: &str| workspace.members().any(|(_, f)| matches(pattern, f));
        let names = self.packages.iter().filter_map(|rule| rule.name.as_deref());
        let folders = self.packages.iter().filter_map(|rule| rule.folder.as_deref());
        let names = names.chain(self.models.unreachable.iter().map(String::as_str));
        let mut folders = folders.chain([self.models.folder.as_str()]);
        let name = names.into_iter().find(|pattern| !is_name(pattern));
        name.or_else(|| folders.find(|pattern| !is_folder(pattern)))
    }

    /// The first rule for the package of this name in this folder.
    pub fn permission(&self, name: &str, folder: &str) -> Option<Permission<'_>> {
        self.packages.iter().find_map(|rule| {
            let captured = match (&rule.name, &rule.folder) {
                (Some(pattern), _) => capture(pattern, name),
                (None, Some(pattern)) => capture(pattern, folder),
                (None, None) => None,
            }?;
            Some(Permission { rule, captured: captured.to_string() })
        })
    }
}

impl Permission<'_> {
    /// Whether the package may depend on our package `name`.
    pub fn uses(&self, name: &str) -> bool {
        let pattern = |uses: &String| uses.replace("{}", &self.captured);
        self.rule.uses.iter().any(|uses| matches(&pattern(uses), name))
    }

    /// Whether the package may depend on third-party packages.
    pub fn third_party(&self) -> bool {
        self.rule.third_party
    }

    /// Whether the package may use `name` for network I/O.
    pub fn network(&self, name: &str) -> bool {
        self.rule.network.iter().any(|pattern| matches(pattern, name))
    }

    /// Whether the file at `path`, from the package's folder, may have unsafe code.
    pub fn unsafe_code(&self, path: &str) -> bool {
        self.rule.unsafe_paths.iter().any(|permitted| {
            path.strip_prefix(permitted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::workspace::tests::workspace;

    /// The rules of this repository, but with `packages` as the rules for packages.
    pub(crate) fn with_packages(packages: &str) -> Result<Rules, String> {
        let ours = include_str!("../rules.toml");
        let (others, _) = ours.split_once("\n[[package]]").expect("a rule for a package");
        Rules::parse(&format!("{others}\n{packages}"))
    }

    #[test]
    fn the_first_rule_that_matches_holds() {
        let rules = with_packages(
            "[[package]]\nname = \"halfgate-*-model\"\nuses = [\"halfgate-{}-isa\"]\n\
             [[package]]\nfolder = \"machines/*\"\nuses = [\"halfgate-*\"]\nunsafe = [\"src/ffi\"]\n",
        )
        .unwrap();
        let model = rules.permission("halfgate-alpha-model", "machines/alpha/model").unwrap();
        assert!(model.uses("halfgate-alpha-isa") && !model.uses("halfgate-beta-isa"));
        let machine = rules.permission("halfgate-alpha", "machines/alpha").unwrap();
        assert!(machine.uses("halfgate-circuit") && machine.unsafe_code("src/ffi/mod.rs"));
        assert!(!machine.unsafe_code("src/ffi.rs"));
        assert!(rules.permission("halfgate-circuit", "crates/circuit").is_none());
    }

    #[test]
    fn a_pattern_without_a_package_is_stale() {
        let rules = with_packages("[[package]]\nname = \"halfgate-low\"\n").unwrap();
        let labels = ["halfgate-engine", "halfgate-kernels", "halfgate-reference"];
        let mut packages: Vec<_> = labels.map(|name| (name, name, &[][..], &[][..])).into();
        packages.push(("halfgate-alpha-model", "machines/alpha/model", &[], &[]));
        assert_eq!(rules.stale(&workspace(&packages)), Some("halfgate-low"));
        packages.push(("halfgate-low", "crates/low", &[], &[]));
        assert_eq!(rules.stale(&workspace(&packages)), None);
        packages.remove(3);
        assert_eq!(rules.stale(&workspace(&packages)), Some("machines/*/model"));
    }

    #[test]
    fn rules_without_a_subject_are_refused() {
        assert!(with_packages("[[package]]\nuses = []\n").is_err());
        assert!(with_packages("[[package]]\nname = \"a\"\nuse = []\n").is_err());
    }
}
