//! Engines of SIFO's overlays: `model:overlay…` and `rtl:overlay…[,KEY=VALUE…]`. They garble only.

use crate::engine::OverlayEngine;
use crate::rtl::{Options, RtlOverlay};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::Engine;
use halfgate_machine::rtl::text;
use halfgate_machine::{EngineForm, Kind, building, garbles_only};
use halfgate_overlay_model::{Overlay, description};
use std::path::Path;

/// The engines of this machine, as users write them.
pub const FORMS: [EngineForm; 2] = [
    EngineForm {
        kind: Kind::Model,
        form: "model:overlay[-paper|-registers|-dma|-pcie4|-hbm], or model: and the path of an overlay….toml",
        about: "model of a garbler to which a host sends each gate; overlay-paper has suite grr3-sha1",
    },
    EngineForm {
        kind: Kind::Rtl,
        form: "rtl:(the same)[,aes=rtl|composite|dpi][,build=quick|fast]",
        about: "the same in SystemVerilog",
    },
];

/// Whether a machine's name is that of an overlay, or of a file with an overlay's description.
pub fn is_named(name: &str) -> bool {
    let name = name.split(',').next().unwrap_or_default();
    let file = Path::new(name).file_name().and_then(|file| file.to_str());
    let is_file = name.ends_with(".toml");
    match file {
        Some(file) if is_file => file.starts_with(description::PREFIX),
        _ => Overlay::named(name).is_ok(),
    }
}

/// Returns the overlay with this name, or the one that this file describes.
///
/// # Errors
/// If there is no such overlay, or its values are out of range.
pub fn named(name: &str) -> Result<Overlay, Failure> {
    if !name.ends_with(".toml") {
        return Overlay::named(name).map_err(Failure::with(Exit::Unknown));
    }
    let text = std::fs::read_to_string(name);
    let text = text.map_err(|error| Failure::new(Exit::Local, format!("{name}: {error}")))?;
    Overlay::parse(name, &text).map_err(Failure::with(Exit::Unknown))
}

/// The model behind `model:overlay…`.
///
/// # Errors
/// If there is no such overlay or kernel, or the engine would have to evaluate.
pub fn model(
    text: &str,
    kernel: Option<&str>,
    roles: &[Party],
) -> Result<Box<dyn Engine>, Failure> {
    let engine = OverlayEngine::new(named(text)?);
    let engine = match kernel {
        None => engine,
        Some(kernel) => engine.with_kernel(kernel).map_err(Failure::with(Exit::Unknown))?,
    };
    garbles_only(&engine.name(), roles)?;
    Ok(Box::new(engine))
}

/// Builds the RTL behind `rtl:overlay…`. Waveforms are written to `trace`.
///
/// # Errors
/// If there is no such overlay, a key or value is unknown, the engine would have to evaluate, or
/// the RTL cannot be built.
pub fn rtl(
    requested: &str,
    roles: &[Party],
    trace: Option<&Path>,
) -> Result<Box<dyn Engine>, Failure> {
    let mut parts = requested.split(',');
    let overlay = named(parts.next().unwrap_or_default())?;
    let rest: Vec<&str> = parts.collect();
    let chosen = text::options((requested, FORMS[1].form), &rest, [])?;
    let options = Options {
        aes: chosen.aes,
        fast: chosen.fast,
        waveforms: trace.map(Path::to_owned),
        ..Options::default()
    };
    let engine = RtlOverlay::new(overlay, options);
    garbles_only(&engine.name(), roles)?;
    building::building(
        &engine.name(),
        "garbler",
        || engine.is_built(),
        || engine.build().map(drop),
    )?;
    Ok(Box::new(engine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_have_names_and_files() {
        for name in ["overlay", "overlay-paper", "/some/overlay-mine.toml", "overlay,aes=dpi"] {
            assert!(is_named(name), "{name}");
        }
        for name in ["haac-1ge", "/overlay/haac.toml", "fase-1"] {
            assert!(!is_named(name), "{name}");
        }
        assert!(named("overlay-9").is_err() && named("/none/overlay.toml").is_err());
    }
}
