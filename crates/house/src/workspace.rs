//! The packages of the workspace and their dependencies, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// The packages of the workspace, and all that they depend on.
#[derive(Default)]
pub struct Workspace {
    packages: BTreeMap<String, Package>,
}

/// A package.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder from the repository's root, if it is a member of the workspace.
    pub folder: Option<String>,
    /// Whether it may be published.
    pub published: bool,
    /// Identifiers of its normal and build dependencies.
    dependencies: BTreeSet<String>,
    /// Names of dependencies whose version requirement is `*`.
    any_version: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<PackageEntry>,
    workspace_members: BTreeSet<String>,
    workspace_root: String,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct PackageEntry {
    id: String,
    name: String,
    manifest_path: String,
    /// The registries to which it may be published; `None` for all.
    #[serde(default)]
    publish: Option<Vec<String>>,
    #[serde(default)]
    dependencies: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Requirement {
    name: String,
    req: String,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `None` for a normal dependency, or `build` or `dev`.
    kind: Option<String>,
}

impl Kind {
    fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Package {
    /// Whether it accepts any version of its dependency `name`. Registries refuse such packages.
    pub fn takes_any(&self, name: &str) -> bool {
        self.any_version.contains(name)
    }
}

impl Workspace {
    /// Runs `cargo metadata`, for all features and targets.
    pub fn read(root: &Path) -> Result<Self, String> {
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--offline", "--locked", "--all-features"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("cargo metadata cannot be run: {error}"))?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr);
            return Err(format!("cargo metadata failed; run `cargo fetch`: {reason}"));
        }
        Self::parse(&String::from_utf8_lossy(&output.stdout))
    }

    /// Reads the JSON of `cargo metadata`.
    pub fn parse(json: &str) -> Result<Self, String> {
        let metadata: Metadata = serde_json::from_str(json)
            .map_err(|error| format!("the output of cargo metadata is not understood: {error}"))?;
        let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for Node { id, deps } in metadata.resolve.nodes {
            let used = deps
                .into_iter()
                .filter(|dependency| dependency.dep_kinds.iter().any(|kind| !kind.is_dev()));
            dependencies.insert(id, used.map(|dependency| dependency.pkg).collect());
        }
        let packages = metadata.packages.into_iter().map(
            |PackageEntry { id, name, manifest_path, publish, dependencies: required }| {
                let folder = metadata.workspace_members.contains(&id).then(|| {
                    let path = manifest_path.strip_prefix(&metadata.workspace_root);
                    let path = path.and_then(|path| path.strip_suffix("Cargo.toml"));
                    path.unwrap_or_default().trim_matches('/').to_string()
                });
                let published = publish.is_none_or(|registries| !registries.is_empty());
                let dependencies = dependencies.remove(&id).unwrap_or_default();
                let any = required.into_iter().filter(|one| one.req == "*" && !one.kind.is_dev());
                let any_version = any.map(|one| one.name).collect();
                (id, Package { name, folder, published, dependencies, any_version })
            },
        );
        Ok(Self { packages: packages.collect() })
    }

    /// The members, each with its folder.
    pub fn members(&self) -> impl Iterator<Item = (&Package, &str)> {
        self.packages.values().filter_map(|package| Some((package, package.folder.as_deref()?)))
    }

    /// The direct dependencies of `package`.
    pub fn dependencies<'w>(&'w self, package: &'w Package) -> impl Iterator<Item = &'w Package> {
        package.dependencies.iter().filter_map(|id| self.packages.get(id))
    }

    /// Shortest paths from `package` to each package that it depends on, directly or not. A path is
    /// a list of names, without that of `package`.
    pub fn reached(&self, package: &Package) -> Vec<Vec<&str>> {
        let mut ways: Vec<Vec<&str>> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut frontier = vec![(package, Vec::new())];
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for (at, way) in frontier {
                for (id, found) in
                    at.dependencies.iter().filter_map(|id| self.packages.get_key_value(id))
                {
                    if seen.insert(id) {
                        let way = [way.as_slice(), &[found.name.as_str()]].concat();
                        ways.push(way.clone());
                        next.push((found, way));
                    }
                }
            }
            frontier = next;
        }
        ways
    }

    /// The member that contains the file at `path`, its folder, and the path from there.
    pub fn owner<'w, 'p>(&'w self, path: &'p str) -> Option<(&'w Package, &'w str, &'p str)> {
        self.members()
            .filter_map(|(package, folder)| {
                let inside = path.strip_prefix(folder)?.strip_prefix('/')?;
                Some((package, folder, inside))
            })
            .max_by_key(|(_, folder, _)| folder.len())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of members `(name, folder, normal dependencies, dev-dependencies)`.
    pub(crate) fn workspace(members: &[(&str, &str, &[&str], &[&str])]) -> Workspace {
        let dependency = |name: &&str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let packages: Vec<_> = members
            .iter()
            .map(|(name, folder, ..)| {
                let manifest = format!("/root/{folder}/Cargo.toml");
                json!({ "id": name, "name": name, "manifest_path": manifest })
            })
            .collect();
        let nodes: Vec<_> = members
            .iter()
            .map(|(name, _, normal, dev)| {
                let normal = normal.iter().map(|name| dependency(name, None));
                let dev = dev.iter().map(|name| dependency(name, Some("dev")));
                json!({ "id": name, "deps": normal.chain(dev).collect::<Vec<_>>() })
            })
            .collect();
        let ours: Vec<_> =
            members.iter().filter(|member| !member.1.is_empty()).map(|member| member.0).collect();
        let metadata = json!({
            "packages": packages,
            "workspace_members": ours,
            "workspace_root": "/root",
            "resolve": { "nodes": nodes },
        });
        Workspace::parse(&metadata.to_string()).unwrap()
    }

    #[test]
    fn a_file_belongs_to_the_innermost_package() {
        let workspace = workspace(&[("a", "m/a", &[], &[]), ("b", "m/a/model", &[], &[])]);
        let owner =
            |path| workspace.owner(path).map(|(package, _, inside)| (&*package.name, inside));
        assert_eq!(owner("m/a/src/lib.rs"), Some(("a", "src/lib.rs")));
        assert_eq!(owner("m/a/model/src/lib.rs"), Some(("b", "src/lib.rs")));
        assert_eq!(owner("m/ab/src/lib.rs"), None);
    }
}
