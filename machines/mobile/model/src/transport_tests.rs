use super::*;

const RUN: u16 = 5;

fn greeted() -> Transport {
    let mut transport = Transport::new(RUN, SUITE_HALF_GATES);
    let version = FORMAT_VERSION;
    let hello = Frame::Hello { run: RUN, version, suites: 3, slots: 13, space: 3 };
    transport.receive(&hello.encode()).expect("a hello");
    transport
}

/// A chip that only requests the same frame again and again is rejected.
#[test]
fn a_peer_without_progress_is_given_up() {
    let again = Frame::Ack { number: 0, run: RUN, space: 1, status: 0, again: true }.encode();
    let mut transport = greeted();
    transport.send(&[1; PAYLOAD]);
    let mut sent = 0;
    let turns = (0..10_000).find(|_| {
        sent += transport.sends().len();
        transport.receive(&again) == Err(LinkError::Noise)
    });
    assert!(turns.is_some_and(|turns| turns > 100), "{turns:?}");
    assert!(sent < 4 << 20, "{sent} bytes");
    // A chip that sends frames of another run is rejected, too.
    let other = Frame::Ack { number: 0, run: RUN + 1, space: 1, status: 0, again: true };
    let (mut transport, other) = (greeted(), other.encode());
    assert!((0..10_000).any(|_| transport.receive(&other) == Err(LinkError::Noise)));
}

/// A chip that responds to each request with the same frame is rejected.
#[test]
fn a_peer_that_repeats_its_frames_is_given_up() {
    let mut transport = greeted();
    transport.send(&[1; 10]);
    transport.flush();
    let turns = (0..200).find(|turn| {
        let response = |space| Frame::Ack { number: 0, run: RUN, space, status: 0, again: true };
        // The same free space again, or less, is no progress.
        for space in [3, 2, 3, turn % 3] {
            assert_eq!(transport.receive(&response(space).encode()), Ok(false), "{turn}");
        }
        !transport.sends().is_empty() && transport.retransmit() == Err(LinkError::Gone)
    });
    assert_eq!(turns, Some(MAX_RETRANSMISSIONS as u8));
    let response = Frame::Ack { number: 0, run: RUN, space: 4, status: 0, again: false };
    assert_eq!(greeted().receive(&response.encode()), Ok(true), "that is more");
}

/// Before the greeting, the error depends on whether bytes are received.
#[test]
fn a_peer_without_greeting_is_silent_or_noise() {
    for (received, what) in [(&b""[..], LinkError::Idle), (b"x", LinkError::Noise)] {
        let mut transport = Transport::new(RUN, SUITE_HALF_GATES);
        for _ in 0..MAX_RETRANSMISSIONS {
            assert_eq!(transport.receive(received), Ok(false));
            assert_eq!(transport.retransmit(), Ok(()));
        }
        assert_eq!(transport.receive(received), Ok(false));
        assert_eq!(transport.retransmit(), Err(what));
    }
}

/// A chip that follows the link's specification. It executes a frame one turn after the frame
/// arrived. A byte 255 is the end, a byte 0 does nothing, and each other byte reads a label.
struct Far {
    deframer: Deframer,
    receiver: Receiver,
    labels: Sender,
    waits: Vec<u8>,
    reads: VecDeque<u8>,
    status: u8,
    is_requested: bool,
    responds_again: bool,
}

const FAR_SPACE: u8 = 2;

impl Far {
    fn space(&self) -> u8 {
        FAR_SPACE - self.waits.len().min(1) as u8
    }

    fn response(&mut self, out: &mut Vec<Zeroizing<Vec<u8>>>) {
        let space = self.space();
        match self.receiver.response(space) {
            Frame::Ack { number, run, again, .. } => {
                let status = self.status;
                out.push(Frame::Ack { number, run, space, status, again }.encode());
            }
            _ => unreachable!("it is a response"),
        }
    }

    /// Handles the bytes of one turn. Returns the frames to send: responses, and reports of more
    /// free space or of another status, which were not requested.
    fn turn(&mut self, bytes: &[u8]) -> Vec<Zeroizing<Vec<u8>>> {
        let mut out = Vec::new();
        let waits = std::mem::take(&mut self.waits);
        let had_space = FAR_SPACE - waits.len().min(1) as u8;
        self.reads.extend(waits.iter().filter(|byte| ![0, 255].contains(*byte)));
        if waits.contains(&255) {
            self.status = STATUS_OVER;
        }
        if self.space() > had_space {
            self.response(&mut out);
        }
        for &byte in bytes {
            match self.deframer.push(byte) {
                Some(Ok(Frame::Reset { run })) => {
                    let (suites, slots, space) = (1, 13, FAR_SPACE);
                    let version = FORMAT_VERSION;
                    out.push(Frame::Hello { run, version, suites, slots, space }.encode());
                }
                Some(Ok(Frame::Data { number, payload, .. })) => {
                    let found = self.receiver.take(number, payload);
                    self.waits.extend(found.iter().flat_map(|payload| payload.iter()));
                    // A missing frame is requested only once until it arrives.
                    if !std::mem::replace(&mut self.is_requested, found.is_none())
                        || found.is_some()
                    {
                        self.response(&mut out);
                    }
                }
                Some(Ok(Frame::Ack { number, again, .. })) => {
                    self.labels.acknowledged(number, 31);
                    if again {
                        out.extend(self.labels.again().map(|frame| frame.to_vec().into()));
                        if self.responds_again {
                            self.response(&mut out);
                        }
                    }
                }
                Some(Ok(frame)) => unreachable!("{frame:?}"),
                Some(Err(error)) => unreachable!("{error}"),
                None => (),
            }
        }
        while self.labels.may_send()
            && let Some(byte) = self.reads.pop_front()
        {
            out.push(self.labels.send(&[byte; LABEL]).to_vec().into());
        }
        out
    }
}

/// Executes a run in which the chip's frames with numbers in `lost` are dropped. Returns how many
/// frames the chip sent, and how many turns the run took.
fn run_without(
    lost: std::ops::Range<usize>,
    responds_again: bool,
) -> Result<(usize, usize), LinkError> {
    let mut far = Far {
        deframer: Deframer::default(),
        receiver: Receiver::new(RUN),
        labels: Sender::new(RUN, 31),
        waits: Vec::new(),
        reads: VecDeque::new(),
        status: STATUS_FINE,
        is_requested: false,
        responds_again,
    };
    let mut transport = Transport::new(RUN, SUITE_HALF_GATES);
    let mut unsent: VecDeque<Vec<u8>> = (1..30).map(|n| vec![n % 5; 3]).collect();
    unsent.push_back(vec![0, 255]);
    let expected: Vec<u8> =
        unsent.iter().flatten().copied().filter(|byte| ![0, 255].contains(byte)).collect();
    let (mut sent, mut found, mut turns) = (0, Vec::new(), 0);
    while !(unsent.is_empty() && transport.is_acknowledged() && transport.is_over())
        || found.len() < expected.len()
    {
        turns += 1;
        assert!(turns < 2000, "{lost:?}: it never ends");
        if transport.unsent.is_empty()
            && let Some(bytes) = unsent.pop_front()
        {
            transport.send(&bytes);
            transport.flush();
        }
        let frames = far.turn(&transport.sends());
        let mut is_new = false;
        for frame in frames {
            if !lost.contains(&sent) {
                is_new |= transport.receive(&frame)?;
            }
            sent += 1;
        }
        if !is_new {
            transport.retransmit()?;
        }
        while let Some(label) = transport.label() {
            assert_eq!(label.to_le_bytes(), [label as u8; LABEL]);
            found.push(label as u8);
        }
    }
    assert_eq!(found, expected, "{lost:?}");
    Ok((sent, turns))
}

#[test]
fn any_frame_of_the_chip_may_be_lost() {
    let (all, turns) = run_without(0..0, true).expect("nothing is lost");
    assert!(all > 100 && turns < 100, "{all} {turns}");
    for first in 0..all {
        for count in 1..3 {
            run_without(first..first + count, true)
                .unwrap_or_else(|error| panic!("{count} from {first} on: {error}"));
        }
    }
    // If the chip no longer responds, a lost frame with the final status cannot be recovered.
    assert_eq!(run_without(all - 1..all, false), Err(LinkError::Gone));
    assert_eq!(run_without(5..all + 1000, true), Err(LinkError::Gone), "nothing comes");
}

/// Leaving sends only a reset, and keeps nothing.
#[test]
fn leaving_is_a_reset() {
    let mut transport = greeted();
    transport.send(&[1; 10]);
    transport.flush();
    transport.sends();
    transport.send(&[1; 10]);
    let reset = Frame::Reset { run: RUN }.encode();
    assert_eq!(transport.leave()[..], [&[0], &reset[..]].concat());
    assert!(
        transport.unsent.is_empty() && transport.sender.is_none() && transport.sends().is_empty()
    );
}

#[test]
fn an_acknowledgement_of_unsent_frames_changes_nothing() {
    let mut transport = greeted();
    transport.send(&[1; 10]);
    transport.flush();
    transport.sends();
    for number in 2..64 {
        let response = Frame::Ack { number, run: RUN, space: 3, status: 0, again: false };
        transport.receive(&response.encode()).expect("it is left alone");
        assert!(!transport.is_acknowledged(), "{number}");
    }
    let response = Frame::Ack { number: 1, run: RUN, space: 3, status: 0, again: false };
    transport.receive(&response.encode()).expect("that is the one");
    assert!(transport.is_acknowledged());
}

#[test]
fn payloads_are_not_shown() {
    let frame = Frame::Data { number: 1, run: RUN, payload: vec![0xab; 16].into() };
    assert_eq!(format!("{frame:?}"), "Data { number: 1, run: 5, 16 bytes }");
}
