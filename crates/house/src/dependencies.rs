//! The rule on the dependencies of packages.

use crate::report::Breach;
use crate::repository::Repository;
use crate::rules::{PATH, Rules};
use crate::workspace::Workspace;

/// Direct dependencies that `rules` does not permit, and packages that have no rule.
pub fn forbidden(repository: &Repository, workspace: &Workspace, rules: &Rules) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (package, folder) in workspace.members() {
        let manifest = format!("{folder}/Cargo.toml");
        let Some(permission) = rules.permission(&package.name, folder) else {
            let what = format!("{} has no rule; add a [[package]] to {PATH}", package.name);
            breaches.push(Breach::new(&manifest, 1, what));
            continue;
        };
        for dependency in workspace.dependencies(package) {
            let (user, used) = (&package.name, &dependency.name);
            let ours = dependency.folder.is_some();
            let why = if ours && !permission.uses(used) {
                format!("{user} may not depend on {used}; remove it, or permit it in {PATH}")
            } else if ours && package.published && !dependency.published {
                format!("{user} is published and {used} is not; publish it, or remove it")
            } else if package.published && package.takes_any(used) {
                format!("{user} is published: {used} needs a version besides its path")
            } else if !ours && !permission.third_party() {
                format!("{user} may not depend on third-party packages; remove {used}")
            } else if rules.network.crates.contains(used) && !permission.network(used) {
                format!("{user} may not do network I/O; remove {used}, or permit it in {PATH}")
            } else {
                continue;
            };
            breaches.push(Breach::new(&manifest, named_at(repository, &manifest, used), why));
        }
    }
    breaches
}

/// The first line of the manifest that begins with the dependency's name, or line 1.
fn named_at(repository: &Repository, manifest: &str, dependency: &str) -> usize {
    let names_it = |line: &str| {
        line.strip_prefix(dependency).is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
    };
    let text = repository.text(manifest).unwrap_or_default();
    text.lines().position(names_it).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::with_packages;
    use crate::workspace::tests::workspace;
    use serde_json::json;

    const RULES: &str = "
        [[package]]
        name = \"halfgate-low\"
        third_party = false
        [[package]]
        name = \"halfgate-high\"
        uses = [\"halfgate-low\"]
        [[package]]
        name = \"halfgate-net\"
        network = [\"socket2\"]
    ";

    fn found(name: &str, dependencies: &[&str], dev: &[&str]) -> Vec<Breach> {
        let folder = &format!("crates/{name}");
        let mut members = vec![
            ("halfgate-low", "crates/low", &[][..], &[][..]),
            ("halfgate-high", "crates/high", &[][..], &[][..]),
            ("serde", "", &[][..], &[][..]),
            ("socket2", "", &[][..], &[][..]),
        ];
        members.retain(|member| member.0 != name);
        members.push((name, folder, dependencies, dev));
        let manifest = (format!("{folder}/Cargo.toml"), "[dependencies]\nserde = \"1\"\n");
        let repository = Repository::of(&[(&manifest.0, manifest.1)]);
        forbidden(&repository, &workspace(&members), &with_packages(RULES).unwrap())
    }

    #[test]
    fn only_what_is_permitted_may_be_used() {
        assert!(found("halfgate-high", &["halfgate-low", "serde"], &["socket2"]).is_empty());
        assert!(found("halfgate-net", &["socket2"], &[]).is_empty());
        let breaches = found("halfgate-net", &["halfgate-low"], &[]);
        assert!(breaches[0].what.contains("may not depend on halfgate-low"));
        assert!(found("halfgate-high", &["socket2"], &[])[0].what.contains("network"));
        let breaches = found("halfgate-low", &["serde"], &[]);
        assert_eq!(breaches[0].line, 2);
        assert!(breaches[0].what.contains("may not depend on third-party packages"));
    }

    #[test]
    fn what_is_published_can_be() {
        let breaches = |low_publish: &[&str], req: &str, kind: Option<&str>| {
            let path = |name: &str| format!("/root/crates/{name}/Cargo.toml");
            let dependency = json!({ "name": "halfgate-low", "req": req, "kind": kind });
            let used = json!([{ "pkg": "low", "dep_kinds": [{ "kind": kind }] }]);
            let metadata = json!({
                "packages": [
                    { "id": "low", "name": "halfgate-low", "manifest_path": path("low"),
                      "publish": low_publish },
                    { "id": "high", "name": "halfgate-high", "manifest_path": path("high"),
                      "publish": null, "dependencies": [dependency] },
                ],
                "workspace_members": ["low", "high"],
                "workspace_root": "/root",
                "resolve": { "nodes": [{ "id": "high", "deps": used }] },
            });
            let workspace = Workspace::parse(&metadata.to_string()).unwrap();
            forbidden(&Repository::of(&[]), &workspace, &with_packages(RULES).unwrap())
        };
        assert!(breaches(&["crates-io"], "^0.1.0", None).is_empty());
        assert!(breaches(&[], "*", Some("dev")).is_empty());
        assert!(breaches(&[], "^0.1.0", None)[0].what.contains("halfgate-low is not"));
        assert!(breaches(&["crates-io"], "*", None)[0].what.contains("needs a version"));
    }

    #[test]
    fn a_package_without_a_rule_is_found() {
        assert!(found("halfgate-new", &[], &[])[0].what.contains("has no rule"));
    }
}
