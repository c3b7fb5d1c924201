extension ConformanceCase {
    /// How long orders work.
    static let times: [ConformanceCase] = [
        ConformanceCase(
            "day order ends with its session",
            [.submit(Order(.limit(98_00))), .price(100_00), .lastPrice(100_00)],
            [2: [.expired(1)]]),
        ConformanceCase(
            "stop for the day ends with its session",
            [.submit(Order(.stop(102_00))), .price(100_00), .lastPrice(100_00)],
            [2: [.expired(1)]]),
        ConformanceCase(
            "trail for the day ends with its session",
            [.submit(Order(.trail(2_00))), .price(100_00), .lastPrice(100_00)],
            [2: [.expired(1)]]),
        ConformanceCase(
            "rest of a day order ends with its session",
            [
                .submit(Order(.limit(99_00))), .price(100_00), .price(98_90, size: 40),
                .gap(99_50), .lastPrice(99_60),
            ], [2: [.fill(1, 40, at: 99_00)], 4: [.expired(1)]]),
        ConformanceCase(
            "order good till cancelled goes on the next day",
            [
                .submit(Order(.limit(98_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .night, .nextOpen(100_00), .price(97_90),
            ], [5: [.fill(1, 100, at: 98_00)]]),
        ConformanceCase(
            "stop good till cancelled goes on the next day",
            [
                .submit(Order(.stop(102_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .nextOpen(100_00), .price(102_00),
            ], [4: [.fill(1, 100, at: 102_00)]]),
        ConformanceCase(
            "stop that the next open has jumped over fills there",
            [
                .submit(Order(.stop(102_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .nextOpen(103_00),
            ], [3: [.fill(1, 100, at: 103_00)]]),
        ConformanceCase(
            "order good till a time ends then",
            [
                .submit(Order(.limit(99_00)) { $0.time = .goodTill(minutes: 2) }),
                .price(100_00), .price(100_00), .price(98_00),
            ], [2: [.expired(1)]]),
        ConformanceCase(
            "order good till a time may fill before",
            [
                .submit(Order(.limit(99_00)) { $0.time = .goodTill(minutes: 2) }),
                .price(100_00), .price(98_90),
            ], [2: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "immediate order takes what is there",
            [
                .submit(Order(.limit(101_00)) { $0.time = .immediateOrCancel }),
                .price(100_00, size: 40),
            ], [1: [.fill(1, 40, at: 100_00), .expired(1)]]),
        ConformanceCase(
            "immediate order that takes all is filled",
            [.submit(Order(.limit(101_00)) { $0.time = .immediateOrCancel }), .price(100_00)],
            [1: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "immediate order beside the market is gone",
            [
                .submit(Order(.limit(99_00)) { $0.time = .immediateOrCancel }), .price(100_00),
                .price(98_00),
            ], [1: [.expired(1)]]),
        ConformanceCase(
            "immediate order at the market takes what is there",
            [
                .submit(Order(.market) { $0.time = .immediateOrCancel }),
                .price(100_00, size: 40),
            ], [1: [.fill(1, 40, at: 100_00), .expired(1)]]),
        ConformanceCase(
            "fill or kill fills whole",
            [
                .submit(Order(.limit(101_00)) { $0.time = .fillOrKill }),
                .price(100_00, size: 100),
            ], [1: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "fill or kill is killed for one share",
            [
                .submit(Order(.limit(101_00)) { $0.time = .fillOrKill }),
                .price(100_00, size: 99), .price(100_00),
            ], [1: [.expired(1)]]),
        ConformanceCase(
            "fill or kill at the market is killed for one share",
            [
                .submit(Order(.market) { $0.time = .fillOrKill }), .price(100_00, size: 99),
            ], [1: [.expired(1)]]),
        ConformanceCase(
            "all or none waits for all",
            [
                .submit(Order(.market) { $0.time = .allOrNone }), .price(100_00, size: 99),
                .price(100_00, size: 100),
            ], [2: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "all or none at a limit waits for all",
            [
                .submit(Order(.limit(99_00)) { $0.time = .allOrNone }), .price(100_00),
                .price(98_90, size: 99), .gap(99_10), .price(98_90),
            ], [4: [.fill(1, 100, at: 99_00)]]),
    ]

    /// The hours in which orders work.
    static let hours: [ConformanceCase] = [
        ConformanceCase(
            "limit rests after hours",
            [
                .submit(Order(.limit(99_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .evening(98_90), .nextOpen(100_00), .price(98_90),
            ], [5: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "limit that says so fills after hours",
            [
                .submit(
                    Order(.limit(99_00)) {
                        $0.time = .goodTillCancelled
                        $0.isOutside = true
                    }), .price(100_00), .lastPrice(100_00), .evening(98_90),
            ], [3: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "day order for all hours ends at 20:00",
            [
                .submit(Order(.limit(98_00)) { $0.isOutside = true }), .price(100_00),
                .lastPrice(100_00), .evening(99_00), .night,
            ], [4: [.expired(1)]]),
        ConformanceCase(
            "day order for all hours fills after hours",
            [
                .submit(Order(.limit(98_00)) { $0.isOutside = true }), .price(100_00),
                .lastPrice(100_00), .evening(99_00), .evening(97_90),
            ], [4: [.fill(1, 100, at: 98_00)]]),
        ConformanceCase(
            "stop rests after hours",
            [
                .submit(Order(.stop(101_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .evening(101_50), .nextOpen(100_50), .price(101_00),
            ], [5: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop that says so is reached after hours",
            [
                .submit(
                    Order(.stop(101_00)) {
                        $0.time = .goodTillCancelled
                        $0.isOutside = true
                    }), .price(100_00), .lastPrice(100_00), .evening(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "trail that says so follows after hours",
            [
                .submit(
                    Order(.trail(1_00)) {
                        $0.time = .goodTillCancelled
                        $0.isOutside = true
                    }), .price(100_00), .lastPrice(100_00), .evening(98_00), .evening(98_50),
                .nextOpen(98_50), .price(99_00),
            ], [6: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "day order of the evening is for the next session",
            [
                .price(100_00), .lastPrice(100_00), .submit(Order(.limit(99_00))),
                .evening(98_90), .nextOpen(100_00), .price(98_90),
            ], [5: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "market order of the evening fills at the next open",
            [
                .price(100_00), .lastPrice(100_00), .submit(Order(.market)), .evening(98_90),
                .nextOpen(100_30),
            ], [4: [.fill(1, 100, at: 100_30)]]),
    ]

    /// Auctions.
    static let auctions: [ConformanceCase] = [
        ConformanceCase(
            "market on close fills at the close",
            [.submit(Order(.marketOnClose)), .price(100_00), .lastPrice(100_30)],
            [2: [.fill(1, 100, at: 100_30)]]),
        ConformanceCase(
            "limit on close fills at the close within its limit",
            [.submit(Order(.limitOnClose(101_00))), .price(100_00), .lastPrice(100_30)],
            [2: [.fill(1, 100, at: 100_30)]]),
        ConformanceCase(
            "limit on close beyond its limit ends",
            [.submit(Order(.limitOnClose(100_20))), .price(100_00), .lastPrice(100_30)],
            [2: [.expired(1)]]),
        ConformanceCase(
            "limit on close does nothing before the close",
            [
                .submit(Order(.limitOnClose(101_00))), .price(100_00), .price(99_00),
                .cancel(1), .lastPrice(100_30),
            ], [3: [.cancelled(1)]]),
        ConformanceCase(
            "market on open fills at the open",
            [
                .price(100_00), .lastPrice(100_00), .morning, .submit(Order(.marketOnOpen)),
                .nextOpen(100_50),
            ], [4: [.fill(1, 100, at: 100_50)]]),
        ConformanceCase(
            "limit on open fills at the open within its limit",
            [
                .price(100_00), .lastPrice(100_00), .morning,
                .submit(Order(.limitOnOpen(101_00))), .nextOpen(100_50),
            ], [4: [.fill(1, 100, at: 100_50)]]),
        ConformanceCase(
            "limit on open beyond its limit ends",
            [
                .price(100_00), .lastPrice(100_00), .morning,
                .submit(Order(.limitOnOpen(100_20))), .nextOpen(100_50),
            ], [4: [.expired(1)]]),
        ConformanceCase(
            "order for an open that is over is for the next one",
            [
                .price(100_00), .submit(Order(.marketOnOpen)), .price(100_10),
                .lastPrice(100_00), .nextOpen(100_50),
            ], [4: [.fill(1, 100, at: 100_50)]]),
        ConformanceCase(
            "order for a close that is over is for the next one",
            [
                .price(100_00), .lastPrice(100_00), .submit(Order(.marketOnClose)),
                .evening(100_20), .nextOpen(100_50), .cancel(1),
            ], [5: [.cancelled(1)]]),
    ]

    /// Terms that change.
    static let changes: [ConformanceCase] = [
        ConformanceCase(
            "limit at another price",
            [
                .submit(Order(.limit(98_00))), .price(100_00), .modify(1, Order(.limit(99_00))),
                .price(100_00), .price(98_90),
            ], [4: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "limit for less",
            [
                .submit(Order(.limit(99_00))), .price(100_00),
                .modify(1, Order(.limit(99_00)) { $0.shares = 60 }), .price(98_90),
            ], [3: [.fill(1, 60, at: 99_00)]]),
        ConformanceCase(
            "limit for more",
            [
                .submit(Order(.limit(99_00))), .price(100_00),
                .modify(1, Order(.limit(99_00)) { $0.shares = 160 }), .price(98_90),
            ], [3: [.fill(1, 160, at: 99_00)]]),
        ConformanceCase(
            "order for what it has filled is over",
            [
                .submit(Order(.limit(99_00))), .price(100_00), .price(98_90, size: 40),
                .gap(99_50), .modify(1, Order(.limit(99_00)) { $0.shares = 40 }),
                .price(98_00),
            ], [2: [.fill(1, 40, at: 99_00)]]),
        ConformanceCase(
            "stop at another price",
            [
                .submit(Order(.stop(103_00))), .price(100_00), .modify(1, Order(.stop(101_00))),
                .price(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop-limit that was reached stays so at another limit",
            [
                .submit(Order(.stopLimit(101_00, limit: 101_50))), .price(100_00), .gap(102_00),
                .modify(1, Order(.stopLimit(101_00, limit: 102_50))), .price(102_00),
            ], [4: [.fill(1, 100, at: 102_00)]]),
        ConformanceCase(
            "trail at another distance",
            [
                .submit(Order(.trail(3_00))), .price(100_00), .modify(1, Order(.trail(1_00))),
                .price(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
    ]
}
