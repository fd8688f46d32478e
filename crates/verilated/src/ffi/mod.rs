//! Calls into Verilated libraries: the only file of this crate with `unsafe`.
//!
//! Everything here is private to the crate. This file alone ensures the conditions of memory
//! safety: the validity of a port's storage, and the order of calls.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

use crate::error::Error;

/// The functions that `crates/verilated/sim/harness.cpp` exports. The library stays loaded while
/// this value lives.
#[derive(Debug)]
pub struct Library {
    new: unsafe extern "C" fn(u64) -> *mut c_void,
    delete: unsafe extern "C" fn(*mut c_void),
    ports: unsafe extern "C" fn(*mut c_void, *mut *const RawPort) -> usize,
    settle: unsafe extern "C" fn(*mut c_void) -> c_int,
    clock: unsafe extern "C" fn(*mut c_void) -> c_int,
    trace: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    flush_trace: unsafe extern "C" fn(*mut c_void),
    text: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    finished: unsafe extern "C" fn(*mut c_void) -> c_int,
    /// Last, so that the library is closed last.
    _file: libloading::Library,
}

/// The struct `Port` of the harness.
#[repr(C)]
struct RawPort {
    name: *const c_char,
    data: *mut u8,
    width: u32,
    bytes: u32,
    output: u32,
}

/// A port, and the address of its bits.
pub struct Port {
    pub name: String,
    pub width: u32,
    pub output: bool,
    data: *mut u8,
    bytes: usize,
}

/// A simulated design.
pub struct Model {
    library: Arc<Library>,
    handle: *mut c_void,
    ports: Vec<Port>,
}

// SAFETY: the handle and the ports' storage belong to this value alone. The runtime keeps a
// model's context in a thread-local variable, which the harness sets at each call. Nothing else in
// a model is bound to the thread that made it.
unsafe impl Send for Model {}

impl Library {
    /// Loads a library that `build` made.
    pub fn open(path: &Path) -> Result<Library, Error> {
        let failed = |error: libloading::Error| Error::Load {
            path: path.into(),
            message: error.to_string(),
        };
        // SAFETY: the file was built from the harness and Verilator's code, whose initialisers set
        // up their own tables and nothing else.
        let file = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the harness declares the function with this type.
                *unsafe { file.get(concat!("halfgate_", $name, "\0").as_bytes()) }
                    .map_err(failed)?
            };
        }
        Ok(Library {
            new: function!("new"),
            delete: function!("delete"),
            ports: function!("ports"),
            settle: function!("settle"),
            clock: function!("clock"),
            trace: function!("trace"),
            flush_trace: function!("flush_trace"),
            text: function!("text"),
            finished: function!("finished"),
            _file: file,
        })
    }
}

impl Model {
    /// Makes a model whose registers start with bits derived from `seed`. `None` if memory is
    /// short.
    pub fn new(library: &Arc<Library>, seed: u64) -> Option<Model> {
        let library = Arc::clone(library);
        // SAFETY: the function takes any seed.
        let handle = unsafe { (library.new)(seed) };
        if handle.is_null() {
            return None;
        }
        let mut model = Model { library, handle, ports: Vec::new() };
        model.read_ports();
        Some(model)
    }

    fn read_ports(&mut self) {
        let mut first = std::ptr::null();
        // SAFETY: the handle is alive, and `first` is valid storage for the pointer.
        let count = unsafe { (self.library.ports)(self.handle, &mut first) };
        if count == 0 {
            return;
        }
        // SAFETY: the harness returns `count` ports at `first`, which live as long as the model.
        for raw in unsafe { std::slice::from_raw_parts(first, count) } {
            // SAFETY: the name is a string literal of the harness.
            let name = unsafe { CStr::from_ptr(raw.name) }.to_string_lossy().into_owned();
            let (width, output) = (raw.width, raw.output != 0);
            let bytes = raw.bytes as usize;
            self.ports.push(Port { name, width, output, data: raw.data, bytes });
        }
    }

    /// All ports, in a fixed order.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// The bits of port `index`, lowest byte first, in whole words of Verilator.
    #[inline]
    pub fn bytes(&self, index: usize) -> &[u8] {
        let port = &self.ports[index];
        // SAFETY: the port's storage in the model has this many bytes and lives as long as the
        // model; only calls that take `self` mutably write there.
        unsafe { std::slice::from_raw_parts(port.data, port.bytes) }
    }

    /// The bits of port `index` as in [`bytes`](Model::bytes), writable.
    #[inline]
    pub fn bytes_mut(&mut self, index: usize) -> &mut [u8] {
        let port = &self.ports[index];
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(port.data, port.bytes) }
    }

    /// Settles combinational logic without a clock edge. Returns false if the model has failed.
    pub fn settle(&mut self) -> bool {
        // SAFETY: the handle is alive and not used elsewhere.
        unsafe { (self.library.settle)(self.handle) == 0 }
    }

    /// Runs a clock cycle. Returns false if the model has failed.
    #[inline]
    pub fn clock(&mut self) -> bool {
        // SAFETY: the handle is alive and not used elsewhere.
        unsafe { (self.library.clock)(self.handle) == 0 }
    }

    /// Starts a trace into a file. Returns false if that is not possible.
    pub fn trace(&mut self, path: &Path) -> bool {
        let Ok(path) = CString::new(path.as_os_str().as_encoded_bytes()) else { return false };
        // SAFETY: the handle is alive, the path ends with a zero and is copied by the callee.
        unsafe { (self.library.trace)(self.handle, path.as_ptr()) == 0 }
    }

    /// Writes the trace so far to the file.
    pub fn flush_trace(&mut self) {
        // SAFETY: the handle is alive.
        unsafe { (self.library.flush_trace)(self.handle) }
    }

    /// Text that the model printed.
    pub fn text(&self) -> String {
        // SAFETY: the harness returns a string that is valid until the next call; it is copied
        // here.
        let text = unsafe { CStr::from_ptr((self.library.text)(self.handle)) };
        text.to_string_lossy().trim().to_string()
    }

    /// Whether the model called `$finish`.
    pub fn finished(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { (self.library.finished)(self.handle) != 0 }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the handle is alive, and neither it nor the ports are used after this.
        unsafe { (self.library.delete)(self.handle) }
    }
}
