//! Many sessions in one process, with faults at every layer: none of them leaves anything behind.
//!
//! Each session is of one of these kinds, and most have a fault:
//! - over a pipe in memory or over TCP; from a random byte on the connection is reset, cut, delayed
//!   or idle, or repeats or damages bytes;
//! - over TLS between parties that connected among unknown peers, and an attacker breaks a record;
//! - with tables garbled ahead into a file, which does not fit on the disk, is truncated, or is
//!   used already;
//! - with a peer in a process of its own that is killed.
//!
//! In every case both parties end by themselves, neither reports a wrong result, and a session
//! without a fault is complete.
//!
//! This command runs 5,000 sessions:
//!
//!     HALFGATE_SOAK=5000 cargo nextest run --profile long -p halfgate-protocol \
//!         --run-ignored all soak::

mod faulty;
mod sorts;

use crate::hostile::cases;
use crate::hostile::messages::Random;
use crate::hostile::{number, snapshot};
use std::time::{Duration, Instant};

/// Sessions of the sample.
const SAMPLE: u64 = 300;

/// Sessions before the process's resources are first measured: by then it has allocated everything
/// that it keeps.
const FIRST: u64 = 100;

/// Maximum growth of resident memory by thousands of later sessions: the allocator keeps freed
/// memory.
const MAX_RESIDENT: i64 = 8 << 20;

/// Maximum growth of allocated memory: next to nothing.
const MAX_ALLOCATED: i64 = 64 << 10;

/// The idle timeout, and the limit of a session's steps, if there is a fault.
const IDLE_TIMEOUT: Duration = Duration::from_millis(300);
const STEP: Duration = Duration::from_secs(2);

/// How long a session may take in all. Longer counts as held for ever.
const HELD: Duration = Duration::from_secs(30);

/// The maximum file size. The file of a case with many outputs exceeds it.
const SPACE: u64 = 100 << 10;

/// The resources of the process.
#[derive(Clone, Copy, Debug)]
struct Holdings {
    allocated: i64,
    resident: i64,
    descriptors: i64,
    threads: i64,
}

/// The resources now, if the system reports them.
#[cfg(target_os = "linux")]
fn holdings() -> Option<Holdings> {
    let count = |folder: &str| std::fs::read_dir(folder).unwrap().count() as i64;
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: i64 = pages.split_whitespace().nth(1).unwrap().parse().unwrap();
    Some(Holdings {
        allocated: crate::memory::live() as i64,
        resident: pages * 4096,
        descriptors: count("/proc/self/fd"),
        threads: count("/proc/self/task"),
    })
}

#[cfg(not(target_os = "linux"))]
fn holdings() -> Option<Holdings> {
    None
}

/// Runs this many sessions.
fn soak(sessions: u64) {
    let cases = cases::all(number("HALFGATE_HOSTILE_SEED", 1));
    snapshot::limit_files(SPACE);
    let (mut faults, mut before) = (0, None);
    for number in 0..sessions {
        if number == FIRST {
            before = holdings();
        }
        let mut random = Random(number << 8 ^ 0x50a4);
        let case = &cases[random.below(cases.len())];
        let begin = Instant::now();
        faults += u64::from(sorts::run(case, number, &mut random));
        assert!(begin.elapsed() < HELD, "{}: session {number}", case.name);
    }
    let (Some(before), Some(after)) = (before, settled(before)) else {
        println!("soak: {sessions} sessions, {faults} faults; what they leave: NOT RUN, no /proc");
        return;
    };
    println!(
        "soak: {sessions} sessions, {faults} faults; after the first hundred: memory {:+} KiB \
         ({:+} bytes allocated), descriptors {:+}, threads {:+}",
        (after.resident - before.resident) / 1024,
        after.allocated - before.allocated,
        after.descriptors - before.descriptors,
        after.threads - before.threads,
    );
    assert!(after.allocated - before.allocated <= MAX_ALLOCATED, "{before:?}, then {after:?}");
    assert!(after.resident - before.resident <= MAX_RESIDENT, "{before:?}, then {after:?}");
    assert!(after.descriptors <= before.descriptors, "{before:?}, then {after:?}");
    assert!(after.threads <= before.threads, "{before:?}, then {after:?}");
}

/// The resources of the process, once joined threads have also left the system's list.
fn settled(before: Option<Holdings>) -> Option<Holdings> {
    let begin = Instant::now();
    loop {
        let now = holdings()?;
        if now.threads <= before?.threads || begin.elapsed() > Duration::from_secs(2) {
            return Some(now);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn hundreds_of_sessions_with_faults_leave_nothing() {
    soak(SAMPLE);
}

/// `HALFGATE_SOAK` sessions, 5,000 if it is not set.
#[test]
#[ignore = "minutes"]
fn thousands_of_sessions_with_faults_leave_nothing() {
    soak(number("HALFGATE_SOAK", 5000));
}
