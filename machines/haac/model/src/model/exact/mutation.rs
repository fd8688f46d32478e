//! Faults that tests inject into the machine, to show that comparisons find them.

/// A fault: a mistake that is easily made in a model or in hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Mutation {
    /// The bus reaches only the engine that drives it.
    NoForwardAcross,
    /// A valid slot is taken whatever its lap: interlock (a) is missing.
    StaleEpoch,
    /// A read does not wait until the half before the previous one is complete: interlock (b),
    /// reading.
    NoReadInterlock,
    /// A write does not wait until every engine has finished its reads of the half being
    /// overwritten: interlock (b), writing.
    NoWriteInterlock,
    /// Out-of-range reads do not wait for the write: interlock (c).
    NoMemoryInterlock,
    /// The second operand takes the head of the out-of-range queue before the first.
    OorSecondFirst,
    /// An AND takes one cycle more.
    SlowAnd,
    /// An XOR takes one cycle more.
    SlowXor,
    /// A bank has three accesses per cycle.
    ThirdBankAccess,
    /// Two reads of the same slot by an instruction take two accesses.
    SameSlotTwice,
    /// If reads meet at a bank, the last engine's win.
    ReadsFromLast,
    /// An access that was won is lost if the other operand's request is refused.
    WonAccessLost,
    /// The instruction in D requests no accesses.
    NoReadAhead,
    /// Reads of late engines have no priority.
    LateReadsNotFirst,
    /// If writes meet at a bank, the last engine's wins.
    WritesFromLast,
    /// A bank reads before it writes.
    ReadsBeforeWrites,
    /// Write-back reserves no access.
    NoWriteReservation,
    /// AND numbers count every instruction.
    AndNumberCountsAll,
    /// Every third live label is lost on its way to memory.
    LostLiveWrite,
    /// Memory serves engine 0 first in every cycle.
    NoRotation,
    /// The credit of memory is not limited.
    CreditWithoutCap,
    /// Memory responds a cycle late.
    SlowMemory,
    /// Multiples of the window are given to wires.
    SlotZeroGiven,
    /// A read does not wait for the loader.
    InputsAssumedLoaded,
    /// The two tables of a burst are taken in the wrong order.
    TablesSwapped,
    /// The live queue accepts labels without free space.
    LiveQueueOverflows,
    /// The dispatcher does not check for free space in issue FIFOs.
    FifoOverflows,
}

impl Mutation {
    /// All mutations.
    pub const ALL: [Mutation; 27] = [
        Mutation::NoForwardAcross,
        Mutation::StaleEpoch,
        Mutation::NoReadInterlock,
        Mutation::NoWriteInterlock,
        Mutation::NoMemoryInterlock,
        Mutation::OorSecondFirst,
        Mutation::SlowAnd,
        Mutation::SlowXor,
        Mutation::ThirdBankAccess,
        Mutation::SameSlotTwice,
        Mutation::ReadsFromLast,
        Mutation::WonAccessLost,
        Mutation::NoReadAhead,
        Mutation::LateReadsNotFirst,
        Mutation::WritesFromLast,
        Mutation::ReadsBeforeWrites,
        Mutation::NoWriteReservation,
        Mutation::AndNumberCountsAll,
        Mutation::LostLiveWrite,
        Mutation::NoRotation,
        Mutation::CreditWithoutCap,
        Mutation::SlowMemory,
        Mutation::SlotZeroGiven,
        Mutation::InputsAssumedLoaded,
        Mutation::TablesSwapped,
        Mutation::LiveQueueOverflows,
        Mutation::FifoOverflows,
    ];
}
