//! `halfgate cache`: the cache of designs that were read.

use crate::args::CacheArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_frontends::verilog;
use serde_json::json;
use std::fmt::Write;

pub(super) fn execute(args: &CacheArgs) -> Result<(), Failure> {
    let store = verilog::store().ok_or_else(|| {
        Failure::new(Exit::Local, "there is no cache folder: set HALFGATE_RTL_DIR to one")
    })?;
    let folder = store.folder().display().to_string();
    let failed = |error| Failure::new(Exit::Local, format!("{folder}: {error}"));
    if args.clear {
        let removed = store.clear().map_err(failed)?;
        if args.json {
            return print::line(&json!({ "folder": folder, "removed": removed }).to_string());
        }
        return print::line(&format!("{folder}: removed {removed} circuits"));
    }
    let entries = store.entries().map_err(failed)?;
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    if args.json {
        let listed = entries
            .iter()
            .map(|entry| json!({ "key": entry.key, "design": entry.label, "bytes": entry.bytes }));
        let listed: Vec<_> = listed.collect();
        let max = store.max_bytes();
        return print::line(
            &json!({ "folder": folder, "bytes": bytes, "max_bytes": max, "circuits": listed })
                .to_string(),
        );
    }
    let mut text = format!(
        "{folder}: {} circuits, {} of at most {}",
        entries.len(),
        print::bytes(bytes),
        print::bytes(store.max_bytes())
    );
    // The most recently used entry comes first.
    for entry in entries.iter().rev() {
        let key = entry.key.get(..12).unwrap_or(&entry.key);
        let _ = write!(text, "\n  {key}  {:>8}  {}", print::bytes(entry.bytes), entry.label);
    }
    print::line(&text)
}
