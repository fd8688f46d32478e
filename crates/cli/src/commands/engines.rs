//! `halfgate engines`.

use crate::args::ListArgs;
use crate::error::Failure;
use crate::machine_engine::{self, PREFIX};
use crate::{options, print, rtl_engine};
use halfgate_engine::haac::Description;
use halfgate_engine::kernels;
use serde_json::json;

pub(super) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let best = kernels::best().name;
    if args.json {
        let kernels: Vec<_> = kernels::KERNELS
            .iter()
            .map(|k| json!({ "name": k.name, "works": k.is_available(), "chosen": k.name == best }))
            .collect();
        let (name, what) = options::ENGINES[0];
        let mut engines = vec![json!({ "name": name, "what": what, "kernels": kernels })];
        for name in Description::names() {
            let about = about(name)?;
            engines.push(json!({ "name": format!("{PREFIX}{name}"), "what": about }));
        }
        let built_by = rtl_engine::builder();
        for name in Description::names() {
            engines.push(json!({
                "name": format!("{}{name}", rtl_engine::PREFIX),
                "what": about(name)?,
                "verilator": built_by.as_ref().ok(),
            }));
        }
        for (form, what) in &options::ENGINES[3..] {
            let verilator = built_by.as_ref().ok();
            engines.push(json!({ "name": form, "what": what, "verilator": verilator }));
        }
        return print::line(&json!({ "engines": engines }).to_string());
    }
    let (name, what) = options::ENGINES[0];
    print::line(&format!("{name}    {what}; its kernels (--kernel):"))?;
    for kernel in kernels::KERNELS {
        let state = match (kernel.is_available(), kernel.name == best) {
            (true, true) => "works here, chosen",
            (true, false) => "works here",
            (false, _) => "this processor lacks its instructions",
        };
        print::line(&format!("    {:10} {state}", kernel.name))?;
    }
    let (form, what) = options::ENGINES[1];
    print::line(&format!("{form}\n    {what}; MACHINE is the path of a description, or:"))?;
    for name in Description::names() {
        print::line(&format!("    {name:14} {}", about(name)?))?;
    }
    let (form, what) = options::ENGINES[2];
    let state = match rtl_engine::builder() {
        Ok(version) => format!("built when first asked for, by {version}"),
        Err(error) => error,
    };
    print::line(&format!("{form}\n    {what}; the same machines; {state}"))?;
    let (form, what) = options::ENGINES[3];
    print::line(&format!(
        "{form}\n    {what}; N is 1 to 8 pipelines; wide, 1 to 4, takes two XORs beside each AND; half-gates only; the other \
         party evaluates"
    ))?;
    let (form, what) = options::ENGINES[4];
    print::line(&format!(
        "{form}\n    {what}; N is 1 to 4 pipelines; short ones have twelve stages for twenty-one; paper has one, and steps \
         that do not overlap; folded a round of AES a clock; the other party garbles"
    ))
}

/// A built-in machine in one line.
fn about(name: &str) -> Result<String, Failure> {
    let description = Description::built_in(name).map_err(machine_engine::failure)?;
    Ok(description.about().to_owned())
}
