//! `halfgate machines`.

use crate::args::ListArgs;
use crate::error::{Exit, Failure};
use crate::machine_engine::failure as description;
use crate::print;
use crate::{fase_engine, garbledcpu_engine};
use halfgate_machines::haac::description::{Description, Overrides};
use halfgate_machines::overlay::{Overlay, description as overlays};
use serde_json::json;

pub(in crate::commands) fn execute(args: &ListArgs) -> Result<(), Failure> {
    let mut list = Vec::new();
    for name in Description::names() {
        let found = Description::built_in(name).map_err(description)?;
        let machine = found.machine(&Overrides::default()).map_err(description)?;
        let (engines, window) = (machine.shape.engines, machine.shape.window);
        let memories: Vec<_> = found.memories().collect();
        if args.json {
            list.push(json!({
                "name": name,
                "about": found.about(),
                "engines": engines,
                "window": window,
                "banks": machine.banks(),
                "memories": memories,
                "memory": machine.memory.name,
                "mhz": machine.mhz,
            }));
            continue;
        }
        print::line(&format!(
            "{name}\n    {}\n    {engines} {}, {} labels in {} banks, {} MHz; memories {} (unless --memory says otherwise, {})",
            found.about(),
            if engines == 1 { "engine" } else { "engines" },
            print::grouped(window.into()),
            machine.banks(),
            machine.mhz,
            memories.join(", "),
            machine.memory.name
        ))?;
    }
    let mut overlay = Vec::new();
    for name in overlays::names() {
        let found = Overlay::named(name).map_err(Failure::with(Exit::Local))?;
        overlay.push(json!({ "name": name, "about": found.about, "mhz": found.board.clock_mhz }));
    }
    if args.json {
        let all = json!({
            "machines": list,
            "fase": fase_engine::NAMES,
            "garbledcpu": garbledcpu_engine::NAMES,
            "overlay": overlay,
        });
        return print::line(&all.to_string());
    }
    for name in overlays::names() {
        let found = Overlay::named(name).map_err(Failure::with(Exit::Local))?;
        print::line(&format!("{name}\n    {}: {}", found.about, found.shape))?;
    }
    print::line(&format!(
        "{}\n    the parallel FASE garbler, for `halfgate simulate`: scheduled, with two XORs beside each AND, as published",
        fase_engine::NAMES
    ))?;
    print::line(&format!(
        "{}\n    GarbledCPU's evaluator, for `halfgate simulate`: scheduled, with fewer stages, as published, without stages",
        garbledcpu_engine::NAMES
    ))
}
