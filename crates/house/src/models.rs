//! The rule that a machine's model has no labels.

use crate::pattern::matches;
use crate::report::Breach;
use crate::rules::ModelRules;
use crate::workspace::Workspace;

/// Model packages that depend on a package with labels, directly or not, each with the path to it.
pub fn labels_in_models(workspace: &Workspace, rules: &ModelRules) -> Vec<Breach> {
    let models = workspace.members().filter(|(_, folder)| matches(&rules.folder, folder));
    models
        .flat_map(|(model, folder)| {
            let ways = workspace.reached(model).into_iter().filter(|way| {
                rules.unreachable.iter().any(|name| way.last() == Some(&name.as_str()))
            });
            ways.map(move |way| {
                let what = format!(
                    "{} reaches labels through {}; a model has only order and time, so \
                     remove the dependency",
                    model.name,
                    way.join(", ")
                );
                Breach::new(&format!("{folder}/Cargo.toml"), 1, what)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::with_packages;
    use crate::workspace::tests::workspace;

    #[test]
    fn a_model_that_reaches_labels_is_found() {
        let rules = with_packages("").unwrap().models;
        let model = |dependency| {
            workspace(&[
                ("halfgate-kernels", "crates/kernels", &[], &[]),
                ("halfgate-between", "crates/between", &["halfgate-kernels"], &[]),
                ("halfgate-circuit", "crates/circuit", &[], &["halfgate-kernels"]),
                ("halfgate-alpha-model", "machines/alpha/model", &[dependency], &[]),
            ])
        };
        assert!(labels_in_models(&model("halfgate-circuit"), &rules).is_empty());
        let breaches = labels_in_models(&model("halfgate-between"), &rules);
        assert_eq!(breaches.len(), 1);
        assert_eq!(breaches[0].path, "machines/alpha/model/Cargo.toml");
        assert!(breaches[0].what.contains("halfgate-between, halfgate-kernels"));
    }
}
