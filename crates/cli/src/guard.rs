//! Protects this process, which has keys, labels and inputs in its memory, from other processes.

use halfgate_console::print;

/// Prevents the system from dumping this process when it crashes. On Linux, also prevents other
/// processes of the same user from tracing it or reading its memory. If the system does not support
/// that, prints a warning. Programs that this process starts can be traced.
pub fn forbid_dumps() {
    if let Err(error) = forbid() {
        print::warning(&format!(
            "programs of the same user may dump or read this process's memory, which has secrets: \
             {error}"
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
    Err(std::io::Error::other("this system cannot prevent it"))
}
