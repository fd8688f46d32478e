//! Runs tasks at the same time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Memory for each design, in bytes. The largest design for an FPGA took 1.7 GB; standard cells of
/// sixteen engines were not measured.
const MEMORY: u64 = 8 << 30;

/// How many designs this machine can work on at a time, by its cores and its memory.
pub fn default_jobs() -> NonZeroUsize {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let fit = usize::try_from(memory() / MEMORY).unwrap_or(usize::MAX);
    NonZeroUsize::new(fit).unwrap_or(NonZeroUsize::MIN).min(cores)
}

/// The memory of this machine in bytes; `u64::MAX` if unknown.
fn memory() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::system::sysinfo();
        found.totalram * u64::from(found.mem_unit)
    }
    #[cfg(not(target_os = "linux"))]
    u64::MAX
}

/// Progress of a task, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<R> {
    /// It began.
    Started(usize),
    /// It ended, with this result.
    Ended(usize, R),
}

/// Runs `work` on all `tasks`, `jobs` of them at a time, in the order of the list. Calls `on` with
/// what happens, in this thread.
///
/// # Errors
/// The first error of `on`. It calls `stop`, which is to end the tasks that run; no other begins
/// after them.
pub fn run<T: Sync, R: Send>(
    tasks: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    stop: impl Fn(),
    on: &mut dyn FnMut(Event<R>) -> Result<(), String>,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Without its receiver, after an error or a panic of `on`, no thread begins another task.
        let (sender, events) = mpsc::channel();
        for _ in 0..jobs.get().min(tasks.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(task) = tasks.get(number)
                    && sender.send(Event::Started(number)).is_ok()
                    && sender.send(Event::Ended(number, work(task))).is_ok()
                {}
            });
        }
        drop(sender);
        let outcome = events.iter().try_for_each(on);
        if outcome.is_err() {
            stop();
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicBool;

    const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    #[test]
    fn two_tasks_run_at_a_time_and_all_end() {
        // Each waits for another.
        let barrier = Barrier::new(2);
        let work = |n: &u64| {
            barrier.wait();
            10 * n
        };
        let (mut started, mut ended) = (Vec::new(), Vec::new());
        let on = &mut |event| {
            match event {
                Event::Started(task) => started.push(task),
                Event::Ended(task, result) => ended.push((task, result)),
            }
            Ok(())
        };
        run(&[1, 2, 3, 4], TWO, work, || (), on).expect("all");
        started.sort_unstable();
        ended.sort_unstable();
        assert_eq!(started, [0, 1, 2, 3]);
        assert_eq!(ended, [(0, 10), (1, 20), (2, 30), (3, 40)]);
    }

    #[test]
    fn after_an_error_tasks_are_told_to_stop_and_none_begins() {
        let stopped = AtomicBool::new(false);
        let ran = AtomicUsize::new(0);
        // The first ends at once, the second when it is told to.
        let work = |&waits: &bool| {
            ran.fetch_add(1, Ordering::Relaxed);
            while waits && !stopped.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let on = &mut |event| match event {
            Event::Started(_) => Ok(()),
            Event::Ended(task, ()) => Err(format!("no room for task {task}")),
        };
        let tasks = [true, false, true, true, true];
        let stop = || stopped.store(true, Ordering::Relaxed);
        assert_eq!(run(&tasks, TWO, work, stop, on), Err("no room for task 1".to_owned()));
        assert!(ran.load(Ordering::Relaxed) <= 3);
    }
}
