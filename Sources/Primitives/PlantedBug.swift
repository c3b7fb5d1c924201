/// A defect that tests plant, one at a time, to measure whether sessions with faults find it.
///
/// It is asked for at the place where it does its harm: `if PlantedBug.fillLost.isPlanted { … }`. In a build without
/// the flag `PLANTED_BUGS` the answer is always no, and nothing of it is compiled.
package enum PlantedBug: String, CaseIterable, Sendable {
    // MARK: Incidents of other programs

    /// A fill that is learned of while the link is not ready is noted with its order and never booked.
    case fillLost
    /// A code that warns about an order counts as its end.
    case warningCancels
    /// An order of which nothing was received for five seconds counts as rejected.
    case timerRejects
    /// A correction of an execution counts as another execution.
    case correctionAdded
    /// The link counts as ready while the gateway has lost the broker.
    case brokerLossIgnored
    /// Each connection behind the first is made under another client id.
    case clientIDChanges
    /// A position that differs from the broker's is set right by a fill that never was.
    case syntheticFill
    /// An order of which nothing was received for five seconds is sent once more, under another number.
    case orderSentAgain

    // MARK: Orders

    /// An order counts as cancelled as soon as its cancel was sent.
    case cancelTakenAsDone
    /// An execution that is reported twice counts twice where its order has several.
    case executionCountedTwice
    /// With the end of a stop or target its position counts as closed, and is not protected any more.
    case cancelMarksFlat
    /// A fill that comes before the broker has acknowledged its order is noted with it and never booked.
    case earlyFillLost
    /// The gateway's next order number is taken as it is, also where it was used before.
    case numberReused
    /// A cancel that cannot leave is forgotten, and its order counts as cancelled.
    case cancelForgotten
    /// A cancel that the program has not asked for is ignored: the order counts as working.
    case othersCancelIgnored
    /// Each part of an order's fill counts with all parts before it.
    case fillsCumulated

    // MARK: Risk

    /// A halt is not in the saved state: a restart ends it.
    case haltNotSaved
    /// Entries leave although they are halted.
    case haltedEntriesLeave
    /// The user's halt ends when the link is ready anew.
    case haltEndsWithLink
    /// The user's halt ends with an account value that says that there is margin enough.
    case haltEndsWithMargin
    /// What was asked of the gateway before counts for nothing in a new connection: pacing begins anew.
    case paceForgotten
    /// An exit leaves while the position's stop works.
    case exitBesideStop
    /// A stop is placed anew while an exit of all of its position works.
    case stopBesideExit
    /// An exit sells what others hold in the account, too.
    case exitSellsOthers

    // MARK: Journal and recovery

    /// Orders leave before they are in the journal.
    case sentBeforeCommit
    /// Orders leave while nothing can be written to the journal.
    case sentWithoutCommit
    /// The journal of a restart does not name the one that it goes on from.
    case chainBroken
    /// A restart books the executions of the day once more.
    case fillsBookedTwice
    /// A restart forgets which order numbers were used.
    case numbersNotRestored
    /// Of batches that are written together the last is lost.
    case lastBatchLost
    /// A commission that comes before its execution is booked is dropped.
    case commissionLost
    /// The saved state has cash without the commissions.
    case chargesNotSaved

    // MARK: Data, time and protection

    /// Data that stay away are not noticed and not asked for anew.
    case silenceIgnored
    /// Data that are asked for anew are not cancelled first.
    case subscriptionDoubled
    /// Data are not asked for anew when the broker has lost the subscriptions, and their silence is not noticed.
    case subscriptionsLost
    /// The wait between two attempts to connect does not grow.
    case backoffStays
    /// A stop covers what the first part of an entry has filled, and does not grow with the others.
    case stopNotGrown
    /// A stop that the broker has cancelled is not placed anew.
    case stopNotReplaced
    /// Stop and target are in no group at the broker.
    case pairWithoutGroup
    /// A position whose stop the broker has rejected is given up without an alarm.
    case givenUpSilently
}

#if PLANTED_BUGS
    extension PlantedBug {
        /// The defect that is planted in the present task; `nil` for none.
        @TaskLocal package static var planted: PlantedBug?

        /// True while it is planted.
        package var isPlanted: Bool { Self.planted == self }
    }
#else
    extension PlantedBug {
        /// False: nothing is planted in this build.
        @inlinable
        @inline(__always)
        package var isPlanted: Bool { false }
    }
#endif
