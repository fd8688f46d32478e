//! An occupancy trace in the JSON format of Chrome's tracing, which Perfetto reads. Engines are its
//! threads. Issues and waits are slices, and the levels of queues and memory are counters.

use std::io::{self, Write};
use std::ops::Range;

use super::Cause;
use super::exact::{QueueLevels, Snapshot, Watch};

/// Writes the trace of a range of cycles while the exact model runs.
///
/// Memory: one slice per engine. The file has at most one slice of about 70 bytes for each engine
/// and cycle of the range, and one line of counters for every `counters_every` cycles.
pub struct Trace<W> {
    to: W,
    cycles: Range<u64>,
    /// Cycles between two samples of the queues.
    counters_every: u64,
    mhz: u32,
    /// For each engine, its current cause and the cycle in which this cause began.
    open: Vec<(Cause, u64)>,
    levels: Option<QueueLevels>,
    /// The cycle after the last one seen.
    end: u64,
    /// The first error, which stops the trace.
    error: Option<io::Error>,
}

impl<W: Write> Trace<W> {
    /// Starts a trace of `cycles` into `to`, of a machine with `engines` engines at `mhz`.
    ///
    /// # Errors
    /// If `to` cannot be written.
    pub fn new(
        mut to: W,
        cycles: Range<u64>,
        counters_every: u64,
        engines: u32,
        mhz: u32,
    ) -> io::Result<Trace<W>> {
        write!(to, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        write!(
            to,
            "\n{{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{{\"name\":\"haac\"}}}}"
        )?;
        for e in 0..engines {
            write!(
                to,
                ",\n{{\"ph\":\"M\",\"pid\":0,\"tid\":{e},\"name\":\"thread_name\",\
                 \"args\":{{\"name\":\"engine {e}\"}}}}"
            )?;
        }
        let counters_every = counters_every.max(1);
        let (mhz, end) = (mhz.max(1), cycles.start);
        Ok(Trace {
            to,
            cycles,
            counters_every,
            mhz,
            open: Vec::new(),
            levels: None,
            end,
            error: None,
        })
    }

    /// Ends the trace and returns the underlying writer.
    ///
    /// # Errors
    /// If anything could not be written.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(error) = self.error {
            return Err(error);
        }
        for e in 0..self.open.len() {
            self.close(e, self.end)?;
        }
        self.to.write_all(b"\n]}\n")?;
        self.to.flush()?;
        Ok(self.to)
    }

    /// The time of `cycles` in microseconds, the unit of the format.
    fn time(&self, cycles: u64) -> f64 {
        cycles as f64 / f64::from(self.mhz)
    }

    /// Writes the slice of engine `e`, which ends before cycle `end`.
    fn close(&mut self, e: usize, end: u64) -> io::Result<()> {
        let (cause, start) = self.open[e];
        let (at, long) = (self.time(start), self.time(end - start));
        let name = cause.name();
        write!(
            self.to,
            ",\n{{\"ph\":\"X\",\"pid\":0,\"tid\":{e},\"ts\":{at},\"dur\":{long},\"name\":\"{name}\"}}"
        )
    }

    fn slices(&mut self, cycle: u64, causes: &[Cause]) -> io::Result<()> {
        if self.open.is_empty() {
            self.open = causes.iter().map(|&cause| (cause, cycle)).collect();
        }
        for (e, &cause) in causes.iter().enumerate() {
            if self.open[e].0 != cause {
                self.close(e, cycle)?;
                self.open[e] = (cause, cycle);
            }
        }
        Ok(())
    }

    fn counters(&mut self, cycle: u64, levels: QueueLevels) -> io::Result<()> {
        if self.levels == Some(levels) {
            return Ok(());
        }
        self.levels = Some(levels);
        let at = self.time(cycle);
        let QueueLevels { issue, tables, addresses, wires, live, in_flight } = levels;
        for (name, value) in [
            ("issue FIFOs", issue),
            ("tables", tables),
            ("out-of-range addresses", addresses),
            ("out-of-range labels", wires),
            ("live labels", live),
            ("memory requests", in_flight),
        ] {
            write!(
                self.to,
                ",\n{{\"ph\":\"C\",\"pid\":0,\"ts\":{at},\"name\":\"{name}\",\
                 \"args\":{{\"entries\":{value}}}}}"
            )?;
        }
        Ok(())
    }
}

impl<W: Write> Watch for Trace<W> {
    fn cycle(&mut self, snapshot: &Snapshot<'_>) {
        let cycle = snapshot.cycle;
        if self.error.is_some() || !self.cycles.contains(&cycle) {
            return;
        }
        self.end = cycle + 1;
        let mut written = self.slices(cycle, snapshot.causes);
        if written.is_ok() && (cycle - self.cycles.start).is_multiple_of(self.counters_every) {
            written = self.counters(cycle, snapshot.queues());
        }
        self.error = written.err();
    }
}
