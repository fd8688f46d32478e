//! Progress on standard error, for anything over a second.

use crate::print;
use halfgate_frontends::verilog;
use halfgate_protocol::session::Event;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What runs shorter than this shows nothing.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two lines where standard error is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Shows a session's events.
pub struct Progress {
    started: Instant,
    run: usize,
    bar: Option<ProgressBar>,
    terminal: bool,
    last_line: Instant,
}

impl Progress {
    /// Progress of a session that begins now.
    pub fn start() -> Progress {
        let now = Instant::now();
        let terminal = print::draws();
        Progress { started: now, run: 0, bar: None, terminal, last_line: now }
    }

    /// Takes note of `event`.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::RunStarted { run } => {
                self.finish();
                (self.run, self.started, self.last_line) = (run, Instant::now(), Instant::now());
            }
            Event::Note { what } => self.note(&what),
            Event::Progress { ands, total_ands, .. } if self.started.elapsed() >= QUIET => {
                if self.terminal {
                    self.draw(ands, total_ands)
                } else {
                    self.line(ands, total_ands)
                }
            }
            _ => {}
        }
    }

    fn note(&self, what: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(what)),
            None => print::note(what),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self, ands: u64, total: u64) {
        let started = self.started;
        let bar = self.bar.get_or_insert_with(|| {
            let form =
                "{bar:30} {percent:>3} %  {human_pos} of {human_len} ANDs  {per_sec}  {eta} left";
            let style =
                ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_elapsed(started.elapsed())
        });
        bar.set_position(ands);
    }

    fn line(&mut self, ands: u64, total: u64) {
        if self.last_line.elapsed() < BETWEEN_LINES {
            return;
        }
        self.last_line = Instant::now();
        let percent = 100.0 * ands as f64 / total.max(1) as f64;
        let rate = print::rate(ands as f64 / self.started.elapsed().as_secs_f64(), "AND");
        print::note(&format!(
            "run {}, {percent:.0} %: {} of {} ANDs, {rate}",
            self.run + 1,
            print::grouped(ands),
            print::grouped(total)
        ));
    }
}

/// What a long piece of work without a session does at the moment, with the seconds that it has
/// taken. On a terminal only: a file of messages has no use for it.
pub struct Stage {
    bar: ProgressBar,
}

impl Stage {
    /// Begins with `what`.
    pub fn begin(what: &str) -> Stage {
        let bar = match print::draws() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        let form = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        bar.set_style(form.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(QUIET / 4);
        let stage = Stage { bar };
        stage.then(what);
        stage
    }

    /// Goes on with `what`.
    pub fn then(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.reset_elapsed();
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What reading a design does at the moment, from its first second on: a spinner on a terminal,
/// elsewhere a line for what has begun, and another while it goes on.
pub struct Reading {
    name: String,
    /// Goes away at the end, which ends the thread.
    stages: Option<mpsc::Sender<verilog::Stage>>,
    shown: Option<JoinHandle<()>>,
}

impl Reading {
    /// Begins to read `name`. Nothing is shown before a stage begins.
    pub fn start(name: &str) -> Reading {
        Reading { name: name.to_owned(), stages: None, shown: None }
    }

    /// Shows `stage` from now on.
    pub fn begins(&mut self, stage: verilog::Stage) {
        let name = self.name.clone();
        let stages = self.stages.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::channel();
            self.shown = Some(std::thread::spawn(move || show(&name, &receiver)));
            sender
        });
        let _ = stages.send(stage);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        drop(self.stages.take());
        if let Some(shown) = self.shown.take() {
            let _ = shown.join();
        }
    }
}

/// Shows the stages of reading `name` until there are no more.
fn show(name: &str, stages: &mpsc::Receiver<verilog::Stage>) {
    let (started, terminal) = (Instant::now(), print::draws());
    let mut stage = match stages.recv() {
        Ok(stage) => stage,
        Err(_) => return,
    };
    let text = |stage| format!("reading {name}: {stage}");
    let spinner = terminal.then(|| Stage::begin(&text(stage)));
    let mut wait = QUIET;
    loop {
        match stages.recv_timeout(wait) {
            Ok(next) => {
                stage = next;
                if let Some(spinner) = &spinner {
                    spinner.then(&text(stage));
                }
                // What begins within the first second is not worth a line.
                if started.elapsed() < QUIET {
                    wait = QUIET - started.elapsed();
                    continue;
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        if !terminal {
            let seconds = started.elapsed().as_secs();
            print::note(&format!("{}, {seconds} s", text(stage)));
        }
        wait = BETWEEN_LINES;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
