//! `halfgate engines`.

use crate::args::ListArgs;
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_engine::kernels;
use halfgate_machine::{Kind, Machine, building};
use halfgate_registry::{CPU, MACHINES};
use serde_json::{Value, json};

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let built_by = building::builder();
    if args.json {
        let mut engines = vec![cpu()];
        for machine in MACHINES {
            engines.extend(forms(*machine, built_by.as_ref().ok())?);
        }
        return print::line(&json!({ "engines": engines }).to_string());
    }
    let (name, what) = CPU;
    print::line(&format!("{name}    {what}; its kernels (--kernel):"))?;
    for (kernel, state) in kernels() {
        print::line(&format!("    {kernel:10} {state}"))?;
    }
    for machine in MACHINES {
        let roles: Vec<_> = machine.roles().iter().map(|role| verb(*role)).collect();
        let suites: Vec<_> = machine.suites().iter().map(ToString::to_string).collect();
        let (roles, suites) = (roles.join(" and "), suites.join(", "));
        print::line(&format!("{}    {}", machine.name(), machine.summary()))?;
        print::line(&format!("    {roles}; suites {suites}"))?;
        for engine in machine.engines() {
            print::line(&format!("    {}\n        {}", engine.form, engine.about))?;
        }
        for found in machine.configurations()? {
            print::line(&format!("    MACHINE {:24} {}", found.name, found.about))?;
        }
    }
    print::line(&match built_by {
        Ok(version) => {
            format!("Engines whose name begins with `rtl:` are built on first use, by {version}")
        }
        Err(error) => {
            format!("Engines whose name begins with `rtl:` cannot be built here ({error})")
        }
    })
}

/// The CPU engine with its kernels.
fn cpu() -> Value {
    let best = kernels::best().name;
    let kernels: Vec<_> = kernels::KERNELS
        .iter()
        .map(|k| json!({ "name": k.name, "works": k.is_available(), "chosen": k.name == best }))
        .collect();
    let (name, what) = CPU;
    json!({ "name": name, "what": what, "kernels": kernels })
}

/// Each kernel with whether it works here.
fn kernels() -> impl Iterator<Item = (&'static str, &'static str)> {
    let best = kernels::best().name;
    kernels::KERNELS.iter().map(move |kernel| {
        let state = match (kernel.is_available(), kernel.name == best) {
            (true, true) => "works here, chosen",
            (true, false) => "works here",
            (false, _) => "this processor lacks its instructions",
        };
        (kernel.name, state)
    })
}

/// The engines of a machine, and its configurations, as JSON.
fn forms(machine: &dyn Machine, built_by: Option<&String>) -> Result<Vec<Value>, Failure> {
    let configurations: Vec<_> = machine
        .configurations()?
        .into_iter()
        .map(|found| json!({ "name": found.name, "about": found.about }))
        .collect();
    let suites: Vec<_> = machine.suites().iter().map(ToString::to_string).collect();
    let roles: Vec<_> = machine.roles().iter().map(ToString::to_string).collect();
    let form = |form: &halfgate_machine::EngineForm| {
        json!({
            "machine": machine.name(),
            "kind": form.kind.to_string(),
            "name": form.form,
            "what": form.about,
            "roles": roles,
            "suites": suites,
            "configurations": configurations,
            "verilator": built_by.filter(|_| form.kind != Kind::Model),
        })
    };
    Ok(machine.engines().iter().map(form).collect())
}

fn verb(role: Party) -> &'static str {
    match role {
        Party::Garbler => "garbles",
        Party::Evaluator => "evaluates",
    }
}
