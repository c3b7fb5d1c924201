extension CodeReading {
    /// What the code says about the gateway's own connections, if anything.
    var connectivity: [ConnectivityChange] {
        switch effect {
        case .upstreamLost: [.upstreamLost]
        case .upstreamRestored(let dataKept): [.upstreamRestored(dataLost: !dataKept)]
        case .farm(_, .broken): [.farmBroken(farms.first?.name ?? "")]
        case .farm(_, .ok): [.farmRestored(farms.first?.name ?? "")]
        case .dataStopped: [.competingSession]
        case .farm(_, .inactive), .farm(_, .connecting): []
        case .none, .rejected, .orderStays, .orderWaits, .orderAltered, .cancelReported,
            .takeHigherOrderID, .retryChange, .resendAfterParent, .alreadyGone, .freeSlot,
            .subscriptionStays, .delayedFollows, .askForDelayed, .subscriptionTerminated,
            .clearOrderBook,
            .backOff, .slowDown, .accountUpdatesStopped, .clientIDInUse, .notConnected,
            .sessionEnds:
            []
        }
    }

    /// The numbered request that the code names is over.
    public var endsRequest: Bool {
        switch effect {
        case .subscriptionStays, .delayedFollows, .orderStays: false
        default: kind == .reject
        }
    }

    /// The subscription that the code names has ended and may be made anew, at once or after a rest.
    public var asksForSubscriptionAnew: Bool {
        switch effect {
        case .subscriptionTerminated, .backOff: true
        default: false
        }
    }
}
