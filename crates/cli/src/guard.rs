//! Who may look into this process: it has keys, labels and inputs in its memory.

use halfgate_console::print;

/// Has the system write no dump of this process when it crashes, and lets no other process of the
/// same user trace it or read its memory (Linux). Where the system does not do that, a warning says
/// so. Programs that this one starts can be traced.
pub fn forbid_dumps() {
    if let Err(error) = forbid() {
        print::warning(&format!(
            "this process' memory, with its secrets, may be dumped or read by programs of the same \
             user: {error}"
        ));
    }
}

#[cfg(unix)]
fn forbid() -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn forbid() -> std::io::Result<()> {
    Err(std::io::Error::other("nothing forbids it on this system"))
}
