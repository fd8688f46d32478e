//! Chooses a kernel: the widest that the processor can run, or the kernel that the user named. No
//! other code chooses kernels.

use crate::kernel::Kernel;
use std::fmt;

/// All kernels, best first.
#[cfg(target_arch = "x86_64")]
pub static KERNELS: [&Kernel; 4] = [
    &crate::vaes512::KERNEL,
    &crate::vaes256::KERNEL,
    &crate::aesni::KERNEL,
    &crate::portable::KERNEL,
];

/// All kernels, best first.
#[cfg(not(target_arch = "x86_64"))]
pub static KERNELS: [&Kernel; 1] = [&crate::portable::KERNEL];

/// The best kernel that this processor can run.
pub fn best() -> &'static Kernel {
    KERNELS.into_iter().find(|k| k.is_available()).expect("the portable kernel runs anywhere")
}

/// The kernel called `name`.
///
/// # Errors
/// If no kernel has that name, or the processor lacks its instructions.
pub fn by_name(name: &str) -> Result<&'static Kernel, KernelError> {
    match KERNELS.into_iter().find(|k| k.name == name) {
        None => Err(KernelError::Unknown(name.to_owned())),
        Some(kernel) if kernel.is_available() => Ok(kernel),
        Some(kernel) => Err(KernelError::Unavailable(kernel.name)),
    }
}

/// Why a requested kernel is not available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelError {
    /// No kernel has this name.
    Unknown(String),
    /// The processor lacks its instructions.
    Unavailable(&'static str),
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = KERNELS.iter().filter(|k| k.is_available()).map(|k| k.name).collect();
        let names = names.join(", ");
        match self {
            KernelError::Unknown(name) => {
                write!(f, "unknown kernel {name:?}: this processor can run {names}")
            }
            KernelError::Unavailable(name) => {
                write!(f, "this processor cannot run the kernel {name}; it can run {names}")
            }
        }
    }
}

impl std::error::Error for KernelError {}
