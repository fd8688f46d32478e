//! Single-steps a function in a forked process and records its path.
//!
//! With the trap flag set, the processor raises SIGTRAP after each instruction, also in functions
//! that are called. Each fork begins with the same memory at the same addresses, so traces of two
//! forks can be compared address by address.

use super::addresses::{INSTRUCTION, Instructions};
use std::arch::asm;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The address of one instruction, and a hash of the registers from which it computes an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Step {
    /// Address of the instruction.
    pub at: u64,
    /// A hash of those registers.
    pub addresses: u64,
}

impl Instructions {
    /// Whether this address is in the program's code.
    fn has(&self, at: u64) -> bool {
        at.wrapping_sub(self.start) < self.masks.len() as u64
    }

    /// Number of `steps` within the program.
    ///
    /// # Panics
    /// If a step within the program is not at a known instruction.
    pub fn known(&self, steps: &[Step]) -> usize {
        let inside = steps.iter().map(|step| step.at.wrapping_sub(self.start));
        let inside = inside.filter(|offset| *offset < self.masks.len() as u64);
        inside
            .inspect(|offset| {
                let mask = self.masks[*offset as usize];
                assert!(mask & INSTRUCTION != 0, "a step is not at a known instruction");
            })
            .count()
    }
}

/// Most steps of a trace: 64 MiB.
const CAPACITY: usize = 1 << 22;

static STEPS: AtomicPtr<Step> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
static MASKS: AtomicPtr<u32> = AtomicPtr::new(std::ptr::null_mut());
static CODE_START: AtomicU64 = AtomicU64::new(0);
static CODE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Addresses of functions whose second argument is also a pointer: `memcpy`, `memmove`, `memcmp`.
static COPIES: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Traces `f`, run in a forked process; its effects on memory are lost. Returns no steps if the
/// system delivers no traps.
#[inline(never)]
pub fn trace(code: &Instructions, f: &mut dyn FnMut()) -> Vec<Step> {
    let [steps] = trace_with(code, &[()], &mut |()| {}, &mut |()| f());
    steps
}

/// Returns a trace for each of `secrets`. For each, a forked process calls `set_up` with the secret
/// and then traces `run` with the result. All forks begin with the same memory, so `set_up` and
/// `run` allocate at the same addresses in each of them.
///
/// # Panics
/// If a fork fails, or takes more steps than a trace can hold.
#[inline(never)]
pub fn trace_with<S: Copy, T, const N: usize>(
    code: &Instructions,
    secrets: &[S; N],
    set_up: &mut dyn FnMut(S) -> T,
    run: &mut dyn FnMut(&mut T),
) -> [Vec<Step>; N] {
    // Allocate all memory first: nothing may be allocated between two forks.
    let maps = [(); N].map(|()| shared());
    for (secret, map) in secrets.iter().zip(&maps) {
        in_fork(code, *map, &mut || {
            let mut made = set_up(*secret);
            stepped(&mut || run(&mut made));
            // The fork ends here and takes the value with it.
            std::mem::forget(made);
        });
    }
    maps.map(steps_in)
}

/// Bytes of the memory in which a fork records its steps.
const MAP_BYTES: usize = (CAPACITY + 1) * size_of::<Step>();

/// Memory that forks share with this process.
fn shared() -> *mut libc::c_void {
    // SAFETY: a new anonymous mapping; it is shared, so that the fork's writes are visible here.
    let map = unsafe {
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(std::ptr::null_mut(), MAP_BYTES, access, flags, -1, 0)
    };
    assert!(map != libc::MAP_FAILED, "mmap: {}", std::io::Error::last_os_error());
    map
}

/// Runs `f`, which traces something, in a fork that writes its steps to `map`.
#[inline(never)]
fn in_fork(code: &Instructions, map: *mut libc::c_void, f: &mut dyn FnMut()) {
    // SAFETY: the fork runs `f`, which takes no locks, and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork: {}", std::io::Error::last_os_error());
    if child == 0 {
        COUNT.store(map.cast(), Relaxed);
        STEPS.store(map.cast::<Step>().wrapping_add(1), Relaxed);
        MASKS.store(code.masks.as_ptr().cast_mut(), Relaxed);
        CODE_START.store(code.start, Relaxed);
        CODE_BYTES.store(code.masks.len(), Relaxed);
        COPIES[0].store(libc::memcpy as *const () as u64, Relaxed);
        COPIES[1].store(libc::memmove as *const () as u64, Relaxed);
        COPIES[2].store(libc::memcmp as *const () as u64, Relaxed);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
        // SAFETY: ends the fork without running the parent's destructors.
        unsafe { libc::_exit(i32::from(done.is_err())) }
    }
    let mut status = 0;
    // SAFETY: waits for the fork.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert!(ended == child, "waitpid: {}", std::io::Error::last_os_error());
    assert!(status == 0, "the traced function failed: wait status {status:#x}");
}

/// Copies the steps out of `map` and unmaps it.
fn steps_in(map: *mut libc::c_void) -> Vec<Step> {
    // SAFETY: the fork that wrote to the mapping has ended, and no one else has its address.
    unsafe {
        let count = *map.cast::<u64>() as usize;
        assert!(count <= CAPACITY, "{count} steps do not fit into a trace");
        let steps = std::slice::from_raw_parts(map.cast::<Step>().add(1), count).to_vec();
        libc::munmap(map, MAP_BYTES);
        steps
    }
}

fn stepped(f: &mut dyn FnMut()) {
    // SAFETY: installs a handler that only reads its frame and writes the mapping above; setting
    // and clearing the trap flag leaves all registers and the stack as they were.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_step as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert!(libc::sigaction(libc::SIGTRAP, &raw const action, std::ptr::null_mut()) == 0);
        asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
        f();
        asm!("pushfq", "and qword ptr [rsp], -0x101", "popfq");
    }
}

/// Signal handler, called between any two instructions with the registers that the next one sees.
extern "C" fn on_step(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel hands over a ucontext_t; the statics were set before the first step, and
    // point at memory that lives as long as the process.
    unsafe {
        let registers = &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        let at = registers[libc::REG_RIP as usize] as u64;
        let count = COUNT.load(Relaxed);
        let offset_of = |at: u64| at.wrapping_sub(CODE_START.load(Relaxed)) as usize;
        let is_inside = |at: u64| offset_of(at) < CODE_BYTES.load(Relaxed);
        let mask = if is_inside(at) {
            *MASKS.load(Relaxed).add(offset_of(at))
        } else if *count == 0 || is_inside((*STEPS.load(Relaxed).add(last(*count))).at) {
            // The program enters another library: compare its pointer arguments. Later steps in the
            // library are not compared by register, since registers may then hold copied data.
            let second = COPIES.iter().any(|copy| copy.load(Relaxed) == at);
            INSTRUCTION | 1 << libc::REG_RDI | u32::from(second) << libc::REG_RSI
        } else {
            INSTRUCTION
        };
        let mut addresses = u64::from(mask & INSTRUCTION == 0);
        for (k, &register) in registers[..16].iter().enumerate() {
            if mask >> k & 1 == 1 {
                addresses = (addresses.rotate_left(5) ^ register as u64)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
        }
        if (*count as usize) < CAPACITY {
            *STEPS.load(Relaxed).add(*count as usize) = Step { at, addresses };
        }
        *count += 1;
    }
}

/// Index of the last of `count` recorded steps, at most the capacity.
const fn last(count: u64) -> usize {
    let count = count as usize;
    (if count < CAPACITY { count } else { CAPACITY }) - 1
}

/// Describes the first difference between two traces, if there is one.
pub fn difference(code: &Instructions, a: &[Step], b: &[Step]) -> Option<String> {
    let place = |s: &Step| format!("{:#x} of the program", s.at.wrapping_sub(code.base));
    // The place of step `k`. If step `k` is in a library, the place from which the library was
    // called.
    let near = |k: usize| match a[..=k].iter().rposition(|step| code.has(step.at)) {
        Some(inside) if inside < k => {
            format!("{} steps after {}, in another library", k - inside, place(&a[inside]))
        }
        _ => format!("at {}", place(&a[k])),
    };
    let at = a.iter().zip(b).position(|(x, y)| x != y);
    match at {
        Some(k) if a[k].at != b[k].at => {
            Some(format!("after {}: a branch", place(&a[k.saturating_sub(1)])))
        }
        Some(k) => Some(format!("{}: an address", near(k))),
        None if a.len() != b.len() => Some(format!("{} and {} steps", a.len(), b.len())),
        None => None,
    }
}
