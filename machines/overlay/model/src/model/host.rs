//! The environment of an overlay: the host, which sends words, and DDR. The model and the RTL share
//! this code.

use super::machine::{Begin, Counters, Seen};
use crate::Batch;
use crate::encode::END;
use std::collections::VecDeque;

/// A port of DDR. It responds in order after a fixed latency, and accepts at most one request per
/// `every` clock cycles.
pub struct Port<D> {
    latency: u64,
    every: u64,
    free: u64,
    under_way: VecDeque<(u64, D)>,
}

impl<D> Port<D> {
    /// Returns an idle port. `latency` and `every` are 1 or more.
    pub fn new(latency: u64, every: u64) -> Port<D> {
        Port { latency, every, free: 0, under_way: VecDeque::new() }
    }

    /// Whether the port accepts a request in this clock cycle.
    pub fn is_ready(&self, clock: u64) -> bool {
        self.free <= clock
    }

    /// Accepts a request. `response` is returned when it is due.
    pub fn take(&mut self, clock: u64, response: D) {
        self.free = clock + self.every;
        self.under_way.push_back((clock + self.latency, response));
    }

    /// Returns the response that is due in this clock cycle, if there is one.
    pub fn response(&mut self, clock: u64) -> Option<D> {
        self.under_way.pop_front_if(|(due, _)| *due <= clock).map(|(_, response)| response)
    }
}

/// Timing of a board. Clocks are in MHz, times in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Board {
    /// The overlay's clock.
    pub clock_mhz: u32,
    /// The link's clock. If the link has no clock of its own, this equals the overlay's clock.
    pub link_mhz: u32,
    /// Interval between beats of the link. The overlay accepts the words of a beat in one clock
    /// cycle.
    pub beat_ns: f64,
    /// Time from a request to DDR to its response.
    pub ddr_ns: f64,
    /// Interval between requests to a port.
    pub ddr_every_ns: f64,
    /// Interval between the tables that the host takes. Each AND has one table.
    pub table_ns: f64,
    /// Number of tables that fit between the overlay and the host.
    pub tables: u32,
    /// The host's waits, by kind of batch.
    pub waits: Waits,
}

/// After which batches the host waits. `Some` means that the host waits until the batch is written,
/// and then for this additional time in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Waits {
    /// After each batch of XORs: the handshake that the paper removes in Table 6.
    pub each_xors: Option<f64>,
    /// After a layer's last batch of XORs.
    pub layer_xors: Option<f64>,
    /// After each batch of ANDs.
    pub each_ands: Option<f64>,
}

impl Waits {
    /// The host's additional wait after a batch, if it waits.
    pub fn after(&self, batch: &Batch) -> Option<f64> {
        match batch.ands {
            true => self.each_ands,
            false => self.each_xors.or(self.layer_xors.filter(|_| batch.last)),
        }
    }
}

/// A batch in the form in which the host sends it.
pub struct Sent {
    /// The word before the batch, and the words of its commands.
    pub words: Vec<u32>,
    /// If the host waits until the batch is written: the additional wait in nanoseconds.
    pub wait_ns: Option<f64>,
}

/// The device makes no progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the overlay made no progress for {PATIENCE} clock cycles, in clock cycle {clock}")]
pub struct Stuck {
    clock: u64,
}

/// Number of clock cycles without progress after which a device is considered stuck. The host's
/// longest wait is added to it.
const PATIENCE: u64 = 1 << 14;

/// The events of a clock cycle, if the edge was one of the machine's clock; and for each port of
/// DDR, the future response to the request that it accepted.
pub type Happened<D> = (Option<Seen>, [Option<D>; 2]);

/// A device to run: the model or the RTL.
pub trait Device {
    /// What DDR returns, such as a label.
    type Data;
    /// Error of the device.
    type Error: From<Stuck>;

    /// Runs the clock cycle in which a run begins.
    ///
    /// # Errors
    /// If the device fails.
    fn start(&mut self, begin: Begin) -> Result<(), Self::Error>;
    /// Whether a run is in progress.
    fn is_busy(&self) -> bool;
    /// Whether the link accepts words.
    fn link_ready(&self) -> bool;
    /// Number of batches that are finished.
    fn batches(&self) -> u64;
    /// Runs an edge of the link's clock, the machine's, or both. Memory is read and written when
    /// requests are accepted; the responses are returned, for delivery when they are due.
    ///
    /// # Errors
    /// If the device fails.
    fn edge(
        &mut self,
        edges: (bool, bool),
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<Self::Data>; 2],
        table_ready: bool,
    ) -> Result<Happened<Self::Data>, Self::Error>;
    /// The counters of the run.
    ///
    /// # Errors
    /// If the device fails.
    fn counters(&mut self) -> Result<Counters, Self::Error>;
}

/// Runs batches on a device. Returns its counters and the run's time in nanoseconds.
///
/// `next` returns the next batch, or `None` at the end; `seen` is called for each clock cycle of
/// the machine.
///
/// # Errors
/// If the device or `next` fails, or if the device is stuck.
pub fn run<D: Device>(
    device: &mut D,
    (board, words_at_once, own_clock): (&Board, usize, bool),
    begin: Begin,
    next: &mut dyn FnMut() -> Result<Option<Sent>, D::Error>,
    seen: &mut dyn FnMut(&Seen),
) -> Result<(Counters, f64), D::Error> {
    let time = Time::new(board, own_clock);
    let port = || {
        let [latency, every] =
            [board.ddr_ns, board.ddr_every_ns].map(|ns| clocks(ns, board.clock_mhz).max(1));
        Port::new(latency, every)
    };
    let mut ports = [port(), port()];
    let mut link = Link::new(words_at_once, beat_clocks(board, &time));
    let table_every = board.table_ns * f64::from(board.clock_mhz) / 1000.0;
    let mut table_free = 0.0;
    let longest = [board.waits.each_xors, board.waits.layer_xors, board.waits.each_ands];
    let longest = longest.into_iter().flatten().fold(board.beat_ns + board.ddr_ns, f64::max);
    let patience = PATIENCE + clocks(longest, board.clock_mhz);
    let mut moved = 0;
    device.start(begin)?;
    let mut at = 0;
    loop {
        at = time.next_edge(at);
        let (link_edge, local) = (at % time.link == 0, at % time.local == 0);
        let (link_clock, clock) = (at / time.link, at / time.local);
        let mut words = &[][..];
        if link_edge && device.link_ready() {
            let wait = |ns: f64| clocks(ns, time.link_mhz);
            words = link.offer(link_clock, device.batches(), next, wait)?;
        }
        let ready = [0, 1].map(|port: usize| local && ports[port].is_ready(clock));
        let responses = match local {
            true => [0, 1].map(|port: usize| ports[port].response(clock)),
            false => [None, None],
        };
        let table_ready = table_free <= clock as f64 + table_every * f64::from(board.tables);
        let edges = (link_edge && own_clock, local);
        let sends = !words.is_empty();
        let (happened, taken) = device.edge(edges, words, ready, responses, table_ready)?;
        if link_edge {
            link.moved();
        }
        for (port, response) in ports.iter_mut().zip(taken) {
            if let Some(response) = response {
                port.take(clock, response);
            }
        }
        if let Some(happened) = happened {
            seen(&happened);
            // Reading or writing labels again and again is no progress.
            if sends || happened.enters || happened.retires {
                moved = clock;
            } else if clock > moved + patience {
                return Err(Stuck { clock }.into());
            }
            if table_ready && happened.tables != 0 {
                let tables = f64::from(happened.tables.count_ones());
                table_free = table_free.max(clock as f64) + table_every * tables;
            }
            if !device.is_busy() {
                // The last tables may still be on their way to the host.
                let tables_ns = table_free * 1000.0 / f64::from(board.clock_mhz);
                let ns = (at as f64 * time.unit_ns).max(tables_ns);
                return Ok((device.counters()?, ns));
            }
        }
    }
}

/// Times of the edges of two clocks, in a unit that divides both periods.
struct Time {
    link: u64,
    local: u64,
    unit_ns: f64,
    link_mhz: u32,
}

impl Time {
    fn new(board: &Board, own_clock: bool) -> Time {
        let local = u64::from(board.clock_mhz);
        let link = if own_clock { u64::from(board.link_mhz) } else { local };
        let (mut a, mut b) = (local, link);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let unit_ns = 1000.0 * a as f64 / (local as f64 * link as f64);
        Time { link: local / a, local: link / a, unit_ns, link_mhz: link as u32 }
    }

    fn next_edge(&self, at: u64) -> u64 {
        let next = |period: u64| (at / period + 1) * period;
        next(self.link).min(next(self.local))
    }
}

/// A time in clock cycles, rounded.
fn clocks(ns: f64, mhz: u32) -> u64 {
    (ns * f64::from(mhz) / 1000.0).round() as u64
}

/// Clock cycles of the link from one beat to the next.
fn beat_clocks(board: &Board, time: &Time) -> u64 {
    clocks(board.beat_ns, time.link_mhz).max(1)
}

/// Nanoseconds from the first of `beats` to the last, which no run can go below: `beat_ns` each, in
/// whole clock cycles of the link. `own_clock` says whether the link has a clock of its own.
pub fn beats_ns(board: &Board, own_clock: bool, beats: u64) -> f64 {
    let time = Time::new(board, own_clock);
    let between = beats.saturating_sub(1) * beat_clocks(board, &time);
    between as f64 * 1000.0 / f64::from(time.link_mhz)
}

/// The host's side of the link.
struct Link {
    words_at_once: usize,
    every: u64,
    free: u64,
    waiting: VecDeque<u32>,
    beat: Vec<u32>,
    /// Number of batches sent; and (`waits`) the number of batches that must be finished before the
    /// host continues, with its additional wait.
    sent: u64,
    waits: Option<(u64, f64)>,
    is_over: bool,
}

impl Link {
    fn new(words_at_once: usize, every: u64) -> Link {
        Link {
            words_at_once,
            every,
            free: 0,
            waiting: VecDeque::new(),
            beat: Vec::new(),
            sent: 0,
            waits: None,
            is_over: false,
        }
    }

    /// Returns the words of this clock cycle's beat. Call this only if the link is ready.
    fn offer<E>(
        &mut self,
        clock: u64,
        done: u64,
        next: &mut dyn FnMut() -> Result<Option<Sent>, E>,
        wait: impl Fn(f64) -> u64,
    ) -> Result<&[u32], E> {
        self.beat.clear();
        if self.free > clock {
            return Ok(&self.beat);
        }
        while self.waiting.len() < self.words_at_once && !self.is_over {
            if let Some((batches, ns)) = self.waits {
                if !self.waiting.is_empty() || done < batches {
                    break;
                }
                self.waits = None;
                let waited = wait(ns);
                if waited > 0 {
                    self.free = clock + waited;
                    return Ok(&self.beat);
                }
            }
            match next()? {
                None => {
                    self.is_over = true;
                    self.waiting.push_back(END);
                }
                Some(Sent { words, wait_ns }) => {
                    self.sent += 1;
                    self.waiting.extend(words);
                    self.waits = wait_ns.map(|ns| (self.sent, ns));
                }
            }
        }
        let words = self.words_at_once.min(self.waiting.len());
        self.beat.extend(self.waiting.drain(..words));
        if !self.beat.is_empty() {
            self.free = clock + self.every;
        }
        Ok(&self.beat)
    }

    fn moved(&mut self) {
        self.beat.clear();
    }
}
