//! The log of unknown peers: each address once an hour, and a bounded number of addresses.

use halfgate_protocol::rendezvous::UnknownPeer;
use std::collections::HashSet;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Maximum number of addresses logged in one interval.
const MAX_ADDRESSES: usize = 1024;

/// How long an address is remembered.
const INTERVAL: Duration = Duration::from_secs(3600);

/// The addresses logged in this interval. Memory: at most [`MAX_ADDRESSES`] entries.
pub(crate) struct Seen {
    since: Instant,
    addresses: HashSet<(IpAddr, bool)>,
}

impl Seen {
    pub fn new(now: Instant) -> Seen {
        Seen { since: now, addresses: HashSet::new() }
    }

    /// Logs `unknown_peer`, unless its address was logged for the same kind of reason.
    pub fn note(&mut self, unknown_peer: &UnknownPeer, now: Instant) {
        if now.saturating_duration_since(self.since) >= INTERVAL {
            *self = Seen::new(now);
        }
        if !self.is_new(unknown_peer.address.ip(), unknown_peer.foreign_key) {
            return;
        }
        let (address, reason) = (unknown_peer.address.ip(), &unknown_peer.reason);
        match unknown_peer.foreign_key {
            true => {
                tracing::warn!(%address, reason = ?reason, "an unknown peer was refused")
            }
            false => {
                tracing::info!(%address, reason = ?reason, "a connection was rejected")
            }
        }
        if self.addresses.len() == MAX_ADDRESSES {
            tracing::warn!(
                addresses = MAX_ADDRESSES,
                "too many unknown peers: no more are logged in this interval, metrics count them"
            );
        }
    }

    fn is_new(&mut self, address: IpAddr, foreign_key: bool) -> bool {
        self.addresses.len() < MAX_ADDRESSES && self.addresses.insert((address, foreign_key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn an_address_is_logged_once_and_their_number_is_bounded() {
        let mut seen = Seen::new(Instant::now());
        let home = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert!(seen.is_new(home, false) && !seen.is_new(home, false));
        assert!(seen.is_new(home, true) && !seen.is_new(home, true));
        let others = (0..5000u32).map(|number| IpAddr::V4(Ipv4Addr::from(number)));
        let logged = others.filter(|address| seen.is_new(*address, false)).count();
        assert_eq!(logged, MAX_ADDRESSES - 2);
        let later = Instant::now() + INTERVAL;
        let address = (home, 5).into();
        let reason = "it sent nothing".to_owned();
        seen.note(&UnknownPeer { address, reason, foreign_key: false, unreported: 0 }, later);
        assert_eq!(seen.addresses.len(), 1);
    }
}
