//! Forwarding of methods by a channel that wraps another.

/// Implements the named methods of a [`Channel`](crate::channel::Channel) by calls of a wrapped
/// channel. Within an `impl`, `forward_channel!(inner: flush recv payload)` defines three methods
/// that call those of `self.inner`. A wrapper should forward every method that it does not change,
/// including [`round_trip`](crate::channel::Channel::round_trip), which has a default.
#[macro_export]
macro_rules! forward_channel {
    ($inner:ident: $($method:ident)*) => {
        $($crate::forward_channel!(@$method $inner);)*
    };
    (@set_timing $inner:ident) => {
        fn set_timing(&mut self, timing: $crate::channel::Timing) {
            self.$inner.set_timing(timing);
        }
    };
    (@set_deadline $inner:ident) => {
        fn set_deadline(&mut self, deadline: Option<$crate::channel::Deadline>) {
            self.$inner.set_deadline(deadline);
        }
    };
    (@send_space $inner:ident) => {
        fn send_space(
            &mut self,
            kind: $crate::frame::Kind,
            len: usize,
        ) -> Result<&mut [u8], $crate::channel::ChannelError> {
            self.$inner.send_space(kind, len)
        }
    };
    (@send_commit $inner:ident) => {
        fn send_commit(&mut self) -> Result<(), $crate::channel::ChannelError> {
            self.$inner.send_commit()
        }
    };
    (@flush $inner:ident) => {
        fn flush(&mut self) -> Result<(), $crate::channel::ChannelError> {
            self.$inner.flush()
        }
    };
    (@recv $inner:ident) => {
        fn recv(&mut self) -> Result<$crate::frame::Kind, $crate::channel::ChannelError> {
            self.$inner.recv()
        }
    };
    (@try_recv $inner:ident) => {
        fn try_recv(&mut self) -> Result<Option<$crate::frame::Kind>, $crate::channel::ChannelError> {
            self.$inner.try_recv()
        }
    };
    (@payload $inner:ident) => {
        fn payload(&self) -> &[u8] {
            self.$inner.payload()
        }
    };
    (@tick $inner:ident) => {
        fn tick(&mut self) -> Result<(), $crate::channel::ChannelError> {
            self.$inner.tick()
        }
    };
    (@abort $inner:ident) => {
        fn abort(&mut self, reason: &str) {
            self.$inner.abort(reason);
        }
    };
    (@close $inner:ident) => {
        fn close(&mut self) -> Result<(), $crate::channel::ChannelError> {
            self.$inner.close()
        }
    };
    (@bytes_sent $inner:ident) => {
        fn bytes_sent(&self) -> u64 {
            self.$inner.bytes_sent()
        }
    };
    (@bytes_received $inner:ident) => {
        fn bytes_received(&self) -> u64 {
            self.$inner.bytes_received()
        }
    };
    (@sent_digest $inner:ident) => {
        fn sent_digest(&mut self) -> $crate::frame::Transcript {
            self.$inner.sent_digest()
        }
    };
    (@received_digest $inner:ident) => {
        fn received_digest(&self) -> $crate::frame::Transcript {
            self.$inner.received_digest()
        }
    };
    (@set_progress $inner:ident) => {
        fn set_progress(&mut self, ands: u64) {
            self.$inner.set_progress(ands);
        }
    };
    (@round_trip $inner:ident) => {
        fn round_trip(&self) -> Option<::std::time::Duration> {
            self.$inner.round_trip()
        }
    };
}
