//! A running simulation: reads and writes ports, and runs clock cycles.

use std::path::Path;

use crate::build::Library;
use crate::error::Error;
use crate::ffi::Model;

/// A simulated design.
///
/// Registers that a reset does not set start with pseudorandom bits, which are the same in each
/// simulation, unless the design was compiled for speed.
///
/// Dropping the value wipes the design: all objects that Verilator's code allocated, with every
/// register, memory and port, are overwritten before they are freed. Three things are not wiped:
/// copies in processor registers and on the stack, buffers of a trace, and a trace's file. That
/// file holds every label and Delta for as long as it exists.
pub struct Simulation {
    model: Model,
    name: String,
    cycles: u64,
}

/// An input of a design.
#[derive(Clone, Copy, Debug)]
pub struct In(Place);

/// An output of a design.
#[derive(Clone, Copy, Debug)]
pub struct Out(Place);

#[derive(Clone, Copy, Debug)]
struct Place {
    index: usize,
    width: u32,
}

impl std::fmt::Debug for Simulation {
    /// Does not show the values of ports.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("design", &self.name)
            .field("cycles", &self.cycles)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// Makes a design before its reset. All inputs are 0.
    ///
    /// # Errors
    /// If memory is short, or the design stops at once.
    pub fn new(library: &Library) -> Result<Simulation, Error> {
        Simulation::with_seed(library, 1)
    }

    /// Like [`Simulation::new`], with other bits in registers that a reset does not set.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn with_seed(library: &Library, seed: u64) -> Result<Simulation, Error> {
        let name = library.name.clone();
        let model = Model::new(&library.raw, seed).ok_or_else(|| Error::Failed {
            design: name.clone(),
            cycle: 0,
            message: "no memory for the design".into(),
        })?;
        let mut simulation = Simulation { model, name, cycles: 0 };
        for index in 0..simulation.model.ports().len() {
            simulation.model.bytes_mut(index).fill(0);
        }
        // Settles `clk_i` at 0, so that the first rising edge is seen.
        simulation.settle()?;
        Ok(simulation)
    }

    /// The input `name`, which has `width` bits.
    ///
    /// # Errors
    /// If there is no such input, or it has another width.
    pub fn input(&self, name: &str, width: u32) -> Result<In, Error> {
        self.port(name, width, false).map(In)
    }

    /// The output `name`, which has `width` bits.
    ///
    /// # Errors
    /// If there is no such output, or it has another width.
    pub fn output(&self, name: &str, width: u32) -> Result<Out, Error> {
        self.port(name, width, true).map(Out)
    }

    fn port(&self, name: &str, requested: u32, output: bool) -> Result<Place, Error> {
        let index = self.model.ports().iter().position(|p| p.name == name && p.output == output);
        let direction = if output { "output" } else { "input" };
        let index = index.ok_or_else(|| Error::NoPort {
            design: self.name.clone(),
            direction,
            port: name.to_string(),
        })?;
        let is = self.model.ports()[index].width;
        if is != requested {
            let (design, port) = (self.name.clone(), name.to_string());
            return Err(Error::Width { design, port, is, requested });
        }
        Ok(Place { index, width: is })
    }

    /// Sets a whole input of up to 128 bits.
    ///
    /// # Panics
    /// If the value does not fit.
    #[inline]
    pub fn set_u128(&mut self, port: In, value: u128) {
        self.set_field(port, 0, port.0.width.min(128), value);
    }

    /// Sets a whole input of up to 64 bits.
    ///
    /// # Panics
    /// If the value does not fit.
    #[inline]
    pub fn set_u64(&mut self, port: In, value: u64) {
        self.set_field(port, 0, port.0.width.min(128), value.into());
    }

    /// Sets a whole input of one bit.
    #[inline]
    pub fn set_bit(&mut self, port: In, value: bool) {
        self.set_field(port, 0, 1, value.into());
    }

    /// Sets `width` bits (up to 128) of an input from bit `low` on, such as an element of a packed
    /// array.
    ///
    /// # Panics
    /// If the port has no such bits, or the value does not fit.
    #[inline]
    pub fn set_field(&mut self, port: In, low: u32, width: u32, value: u128) {
        let In(Place { index, width: all }) = port;
        assert!(width <= 128 && low + width <= all, "bits {low}+{width} of a port of {all}");
        assert!(width == 128 || value >> width == 0, "a value of more than {width} bits");
        let bytes = self.model.bytes_mut(index);
        if low.is_multiple_of(8) && width.is_multiple_of(8) {
            let (first, count) = (low as usize / 8, width as usize / 8);
            bytes[first..first + count].copy_from_slice(&value.to_le_bytes()[..count]);
            return;
        }
        let mut done = 0;
        while done < width {
            let (byte, shift) = ((low + done) as usize / 8, (low + done) % 8);
            let count = (8 - shift).min(width - done);
            let mask = (((1u32 << count) - 1) as u8) << shift;
            let part = ((value >> done) as u8) << shift;
            bytes[byte] = bytes[byte] & !mask | part & mask;
            done += count;
        }
    }

    /// Sets a whole input, lowest byte first.
    ///
    /// # Panics
    /// If `value` does not have as many bits as the port.
    #[inline]
    pub fn set_bytes(&mut self, port: In, value: &[u8]) {
        let In(Place { index, width }) = port;
        assert_eq!(value.len() * 8, width as usize, "bytes of a port");
        self.model.bytes_mut(index)[..value.len()].copy_from_slice(value);
    }

    /// Sets all bits of an input to 0.
    #[inline]
    pub fn clear(&mut self, port: In) {
        self.model.bytes_mut(port.0.index).fill(0);
    }

    /// Returns a whole output of up to 128 bits.
    ///
    /// # Panics
    /// If the output is wider.
    #[inline]
    pub fn get_u128(&self, port: Out) -> u128 {
        self.field(port, 0, port.0.width)
    }

    /// Returns a whole output of up to 64 bits.
    ///
    /// # Panics
    /// If the output is wider.
    #[inline]
    pub fn get_u64(&self, port: Out) -> u64 {
        assert!(port.0.width <= 64, "a port of {} bits", port.0.width);
        self.field(port, 0, port.0.width) as u64
    }

    /// Whether any bit of an output is 1.
    #[inline]
    pub fn is_set(&self, port: Out) -> bool {
        self.model.bytes(port.0.index).iter().any(|byte| *byte != 0)
    }

    /// Returns `width` bits (up to 128) of an output from bit `low` on, such as an element of a
    /// packed array.
    ///
    /// # Panics
    /// If the port has no such bits.
    #[inline]
    pub fn field(&self, port: Out, low: u32, width: u32) -> u128 {
        let Out(Place { index, width: all }) = port;
        assert!(width <= 128 && low + width <= all, "bits {low}+{width} of a port of {all}");
        let bytes = self.model.bytes(index);
        let (first, shift) = (low as usize / 8, low % 8);
        let last = (low + width).div_ceil(8) as usize;
        let mut buffer = [0; 16];
        let count = (last - first).min(16);
        buffer[..count].copy_from_slice(&bytes[first..first + count]);
        let mut value = u128::from_le_bytes(buffer) >> shift;
        if last - first > 16 {
            value |= u128::from(bytes[first + 16]) << (128 - shift);
        }
        if width < 128 { value & ((1 << width) - 1) } else { value }
    }

    /// Returns a whole output, lowest byte first.
    #[inline]
    pub fn bytes(&self, port: Out) -> &[u8] {
        &self.model.bytes(port.0.index)[..port.0.width.div_ceil(8) as usize]
    }

    /// Runs one clock cycle: combinational logic settles on the inputs, then `clk_i` rises.
    /// Afterwards outputs have their values after the edge, for unchanged inputs.
    ///
    /// # Errors
    /// If an assertion fails or the design stops. After that, every call fails.
    #[inline]
    pub fn clock(&mut self) -> Result<(), Error> {
        let ran = self.model.clock();
        self.cycles += 1;
        if ran { Ok(()) } else { Err(self.failure()) }
    }

    /// Settles combinational logic on changed inputs, without a clock edge.
    ///
    /// # Errors
    /// If the design stops.
    #[inline]
    pub fn settle(&mut self) -> Result<(), Error> {
        if self.model.settle() { Ok(()) } else { Err(self.failure()) }
    }

    /// Holds `rst_ni` at 0 for two clock cycles, and then sets it to 1.
    ///
    /// # Errors
    /// If the design has no such input, or fails.
    pub fn reset(&mut self) -> Result<(), Error> {
        let reset = self.input("rst_ni", 1)?;
        self.set_bit(reset, true);
        self.settle()?;
        self.set_bit(reset, false);
        self.settle()?;
        self.clock()?;
        self.clock()?;
        self.set_bit(reset, true);
        self.settle()
    }

    /// Number of clock cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Text that the design printed so far.
    pub fn printed(&self) -> String {
        self.model.text()
    }

    /// Whether the design called `$finish`.
    pub fn finished(&self) -> bool {
        self.model.finished()
    }

    /// Writes waveforms in FST format from now on, with two points in time per cycle.
    ///
    /// # Errors
    /// If the design was not built [`traced`](crate::Design::traced), is being traced already, or
    /// the file cannot be written.
    pub fn trace(&mut self, path: &Path) -> Result<(), Error> {
        if self.model.trace(path) {
            return Ok(());
        }
        let why = "it was built without waveforms, is being traced, or the file cannot be written";
        Err(Error::Trace { design: self.name.clone(), path: path.to_path_buf(), why })
    }

    /// Writes the trace so far to the file. Dropping the simulation does this too.
    pub fn flush_trace(&mut self) {
        self.model.flush_trace();
    }

    fn failure(&self) -> Error {
        Error::Failed {
            design: self.name.clone(),
            cycle: self.cycles.saturating_sub(1),
            message: self.model.text(),
        }
    }
}
