//! `overlay_port`: the two ports of DDR.

use super::{Garbles, Machine, Request, Requests, port_of};
use crate::model::shape::PORT_DEPTH;

/// State of the ports in one clock cycle.
pub(super) struct PortCycle<L> {
    ready: [bool; 2],
    /// The request offered to each port: whether it writes, and the address.
    pub offered: [Option<(bool, u32)>; 2],
    /// The requests that the ports take.
    pub taken: Requests<L>,
    /// For each port, the group and operand of the read that it accepted.
    tags: [Option<(u64, usize)>; 2],
}

impl<L: Clone> PortCycle<L> {
    pub fn new(ready: [bool; 2]) -> PortCycle<L> {
        PortCycle { ready, offered: [None; 2], taken: [None, None], tags: [None; 2] }
    }
}

impl<G: Garbles> Machine<G> {
    /// Offers a read to the port of an address. Returns whether the port takes it.
    pub(super) fn read_ddr(
        &self,
        ports: &mut PortCycle<G::Label>,
        address: u32,
        tag: (u64, usize),
    ) -> bool {
        let is_taken = self.offer(ports, address, None);
        if is_taken {
            ports.tags[port_of(address)] = Some(tag);
        }
        is_taken
    }

    /// Offers a write to the port of an address. Returns whether the port takes it.
    pub(super) fn write_ddr(
        &self,
        ports: &mut PortCycle<G::Label>,
        address: u32,
        label: &G::Label,
    ) -> bool {
        self.offer(ports, address, Some(label))
    }

    /// Offers a request to a port. Returns whether the port takes it. A port is offered at most one
    /// request per clock cycle, the first, and none while [`PORT_DEPTH`] requests have no response.
    fn offer(
        &self,
        ports: &mut PortCycle<G::Label>,
        address: u32,
        label: Option<&G::Label>,
    ) -> bool {
        let port = port_of(address);
        if ports.offered[port].is_some() || self.ports[port].len() >= PORT_DEPTH {
            return false;
        }
        ports.offered[port] = Some((label.is_some(), address));
        if ports.ready[port] {
            ports.taken[port] = Some(Request { address, label: label.cloned() });
        }
        ports.ready[port]
    }

    /// Stores the accepted requests until their responses. In a serial overlay, a port then waits
    /// until a write is acknowledged.
    pub(super) fn clock_ports(&mut self, ports: &PortCycle<G::Label>, acked: [bool; 2]) {
        for (port, acked) in acked.into_iter().enumerate() {
            let taken = ports.taken[port].as_ref();
            if taken.is_some() {
                self.ports[port].push_back(ports.tags[port]);
            }
            let writes = taken.is_some_and(|request| request.label.is_some());
            self.waiting[port] = self.shape.serial && ((self.waiting[port] && !acked) || writes);
        }
    }
}
