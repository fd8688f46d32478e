//! Reads any text as a machine's description, and as a window's size. Either the text is rejected
//! with an error of one line, or it gives a machine whose numbers fit together.
//!
//! seeds: machines/haac/spec/machines
//! longest: 1280

use halfgate_haac_model::description::{Description, Overrides, parse_window};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(labels) = parse_window(text) {
        assert!(labels.is_power_of_two());
    }
    let description = match Description::parse("fuzz.toml", text) {
        Ok(description) => description,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    for (engines, window) in [(None, None), (Some(3), Some(1 << 20)), (Some(1024), None)] {
        let overrides = Overrides { engines, window, ..Overrides::default() };
        if let Ok(machine) = description.machine(&overrides) {
            assert!(machine.shape.window >= 2 * machine.shape.engines);
            assert!(machine.banks().is_power_of_two());
            assert!(machine.power_mw().half_gate >= 0.0);
        }
    }
}
