//! Threads that send end with their channels, after everything was sent if the peer takes it.

use crate::channel::{Channel, ChannelError, Timing};
use crate::frame::Kind;
use crate::stream::TICK;
use crate::testing::ends::{over_threads, over_tls_threads};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a thread still has to send when a channel is closed arrives.
#[test]
fn a_channel_is_closed_after_everything_was_sent() {
    for carrier in [over_threads, over_tls_threads] {
        let (mut a, mut b) = carrier();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for number in 0..24 {
                    a.send(Kind::Labels, &vec![number; 100_000]).unwrap();
                }
                a.close().unwrap();
            });
            std::thread::sleep(TICK * 2);
            for number in 0..24 {
                assert_eq!(b.recv().unwrap(), Kind::Labels);
                assert!(b.payload().iter().all(|&byte| byte == number));
            }
            assert!(matches!(b.recv().unwrap_err(), ChannelError::Closed));
            b.close().unwrap();
        });
    }
}

/// A party's own heartbeats are no sign of its peer.
#[test]
fn a_peer_that_sends_nothing_ends_the_wait() {
    for carrier in [over_threads, over_tls_threads] {
        let (mut a, mut b) = carrier();
        for _ in 0..20 {
            a.send(Kind::Tables, &[1; 100_000]).unwrap();
            a.flush().unwrap();
            b.recv().unwrap();
        }
        b.send(Kind::Done, &[]).unwrap();
        b.flush().unwrap();
        a.recv().unwrap();
        let timeout = Duration::from_millis(600);
        a.set_timing(Timing::new(timeout, Arc::default()));
        assert!(matches!(a.recv().unwrap_err(), ChannelError::Timeout { .. }));
    }
}

/// Neither a peer that leaves nor one that does not read keeps a party waiting, or its thread.
#[test]
fn a_thread_that_sends_ends_with_its_channel() {
    let fill = |end: &mut dyn Channel| loop {
        if let Err(error) = end.send(Kind::Tables, &[7; 32 << 10]) {
            return error;
        }
    };
    for carrier in [over_threads, over_tls_threads] {
        let (mut a, b) = carrier();
        drop(b);
        assert!(matches!(fill(&mut *a), ChannelError::Closed));
        let (mut a, _b) = carrier();
        let timeout = Duration::from_millis(600);
        a.set_timing(Timing::new(timeout, Arc::default()));
        assert!(matches!(fill(&mut *a), ChannelError::Timeout { .. }));
        let (mut a, _b) = carrier();
        let cancel = Arc::new(AtomicBool::new(false));
        a.set_timing(Timing::new(Duration::from_secs(30), cancel.clone()));
        let waiting = std::thread::spawn(move || fill(&mut *a));
        std::thread::sleep(TICK);
        cancel.store(true, Ordering::Relaxed);
        assert!(matches!(waiting.join().unwrap(), ChannelError::Cancelled));
    }
}
