//! Tests the store as processes use it: bounded, shared, and with damaged files.

use halfgate_cache::Store;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

fn store(max_bytes: u64) -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("kept"), max_bytes);
    (folder, store)
}

fn file(store: &Store, key: &str) -> PathBuf {
    store.folder().join(format!("{key}.kept"))
}

/// Sets when `key` was last used, so that no test waits for time to pass.
fn used(store: &Store, key: &str, second: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
    File::options().append(true).open(file(store, key)).unwrap().set_modified(time).unwrap();
}

fn keys(store: &Store) -> Vec<String> {
    let mut keys: Vec<_> = store.entries().unwrap().into_iter().map(|entry| entry.key).collect();
    keys.sort();
    keys
}

#[test]
fn a_stored_payload_is_found() {
    let (_folder, store) = store(1000);
    assert_eq!(store.get("a"), None);
    assert!(store.entries().unwrap().is_empty());
    store.put("a", "first", b"one").unwrap();
    store.put("b", "second", b"").unwrap();
    store.put("a", "again", b"three").unwrap();
    assert_eq!(store.get("a").as_deref(), Some(&b"three"[..]));
    assert_eq!(store.get("b").as_deref(), Some(&b""[..]));
    let entries = store.entries().unwrap();
    let labels: Vec<_> = entries.iter().map(|entry| entry.label.as_str()).collect();
    assert!(labels.contains(&"again") && labels.contains(&"second"), "{labels:?}");
    assert_eq!(store.clear().unwrap(), 2);
    assert_eq!(store.get("a"), None);
}

#[test]
fn the_least_recently_used_entry_is_evicted() {
    let (_folder, store) = store(1000);
    for (second, key) in ["a", "b", "c"].iter().enumerate() {
        store.put(key, key, &[0; 250]).unwrap();
        used(&store, key, second as u64);
    }
    // Reading makes it the most recently used.
    assert!(store.get("a").is_some());
    store.put("d", "d", &[0; 250]).unwrap();
    assert_eq!(keys(&store), ["a", "c", "d"]);
    // An entry that never fits is not stored and evicts nothing.
    store.put("e", "e", &[0; 1001]).unwrap();
    assert_eq!(keys(&store), ["a", "c", "d"]);
    store.put("f", "f", &[0; 900]).unwrap();
    assert_eq!(keys(&store), ["f"]);
}

#[test]
fn a_damaged_file_is_absent() {
    let (_folder, store) = store(1000);
    store.put("a", "label", b"payload").unwrap();
    let whole = fs::read(file(&store, "a")).unwrap();
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        fs::write(file(&store, "a"), &damaged).unwrap();
        assert_eq!(store.get("a"), None, "byte {place}");
        fs::write(file(&store, "a"), &whole[..place]).unwrap();
        assert_eq!(store.get("a"), None, "{place} bytes");
        assert_eq!(store.entries().unwrap().len(), 1);
    }
    // A file copied to another key is not accepted.
    fs::write(file(&store, "b"), &whole).unwrap();
    assert_eq!(store.get("b"), None);
    store.put("a", "label", b"payload").unwrap();
    assert_eq!(store.get("a").as_deref(), Some(&b"payload"[..]));
}

#[test]
fn remains_of_a_killed_process_are_removed() {
    let (_folder, store) = store(1000);
    store.put("a", "a", b"1").unwrap();
    let (left, busy) = (store.folder().join("writing-left"), store.folder().join("writing-busy"));
    fs::write(&left, "half").unwrap();
    let lock = File::create(&busy).unwrap();
    lock.lock().unwrap();
    store.put("b", "b", b"2").unwrap();
    assert!(!left.exists() && busy.exists());
    assert_eq!(keys(&store), ["a", "b"]);
}

#[test]
fn many_may_write_at_once() {
    let (_folder, store) = store(2000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..50_u8 {
                    store.put("shared", "x", &[7; 300]).unwrap();
                    store.put(&format!("own{}", round % 8), "x", &[round; 300]).unwrap();
                    if let Some(found) = store.get("shared") {
                        assert_eq!(found, [7; 300]);
                    }
                }
            });
        }
    });
    let total: u64 = store.entries().unwrap().iter().map(|entry| entry.bytes).sum();
    assert!(total <= 2000 + 4 * 400, "{total}");
}
