import Simulation

extension ConformanceCase {
    /// Orders at the market, at limits and at stops, and how long they work.
    static let plain: [ConformanceCase] = [
        ConformanceCase(
            "market fills at the market", [.submit(Order(.market)), .price(100_00)],
            [1: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "market fills in parts",
            [.submit(Order(.market)), .price(100_00, size: 30), .price(100_00)],
            [1: [.fill(1, 30, at: 100_00)], 2: [.fill(1, 70, at: 100_00)]]),
        ConformanceCase(
            "limit better than the market takes its price",
            [.submit(Order(.limit(101_00))), .price(100_00)], [1: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "limit that is gone through fills at its price",
            [.submit(Order(.limit(99_00))), .price(100_00), .price(98_90)],
            [2: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "limit that is touched waits",
            [.submit(Order(.limit(99_00))), .price(100_00), .price(99_00)], [:]),
        ConformanceCase(
            "limit that is touched fills where that is enough",
            [.submit(Order(.limit(99_00))), .price(100_00), .price(99_00)],
            [2: [.fill(1, 100, at: 99_00)]], limitFill: .touch),
        ConformanceCase(
            "limit fills in parts",
            [
                .submit(Order(.limit(99_00))), .price(100_00), .price(98_90, size: 40),
                .gap(99_05), .price(98_90),
            ], [2: [.fill(1, 40, at: 99_00)], 4: [.fill(1, 60, at: 99_00)]]),
        ConformanceCase(
            "stop fills where it is reached",
            [.submit(Order(.stop(101_00))), .price(100_00), .price(100_99), .price(101_00)],
            [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop that is jumped over fills behind",
            [.submit(Order(.stop(101_00))), .price(100_00), .gap(102_00)],
            [2: [.fill(1, 100, at: 102_00)]]),
        ConformanceCase(
            "stop fills in parts, at the market then",
            [
                .submit(Order(.stop(101_00))), .price(100_00), .price(101_00, size: 30),
                .gap(101_20),
            ], [2: [.fill(1, 30, at: 101_00)], 3: [.fill(1, 70, at: 101_20)]]),
        ConformanceCase(
            "stop that was reached stays so",
            [
                .submit(Order(.stop(101_00))), .price(100_00), .price(101_00, size: 30),
                .gap(99_00),
            ], [2: [.fill(1, 30, at: 101_00)], 3: [.fill(1, 70, at: 99_00)]]),
        ConformanceCase(
            "stop-limit within its limit fills at its stop",
            [
                .submit(Order(.stopLimit(101_00, limit: 101_50))), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop-limit that is jumped over waits for its limit",
            [
                .submit(Order(.stopLimit(101_00, limit: 101_50))), .price(100_00), .gap(102_00),
                .price(101_40),
            ], [3: [.fill(1, 100, at: 101_50)]]),
        ConformanceCase(
            "limit of a stop-limit does nothing before its stop",
            [
                .submit(Order(.stopLimit(101_00, limit: 101_50))), .price(100_00),
                .price(99_00),
            ], [:]),
        ConformanceCase(
            "market if touched fills where it is touched",
            [.submit(Order(.touch(99_00))), .price(100_00), .price(99_01), .price(99_00)],
            [3: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "market if touched that is jumped over fills behind",
            [.submit(Order(.touch(99_00))), .price(100_00), .gap(98_00)],
            [2: [.fill(1, 100, at: 98_00)]]),
        ConformanceCase(
            "limit if touched fills where it is touched",
            [
                .submit(Order(.touchLimit(99_00, limit: 99_20))), .price(100_00), .price(99_00),
            ], [2: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "limit if touched waits for its limit",
            [
                .submit(Order(.touchLimit(99_00, limit: 98_50))), .price(100_00), .price(99_00),
                .price(98_40),
            ], [3: [.fill(1, 100, at: 98_50)]]),
        ConformanceCase(
            "market to limit stays at the price of its first fill",
            [
                .submit(Order(.marketToLimit)), .price(100_00, size: 30), .gap(100_20),
                .price(99_90),
            ], [1: [.fill(1, 30, at: 100_00)], 3: [.fill(1, 70, at: 100_00)]]),
        ConformanceCase(
            "cancelled order fills no more",
            [.submit(Order(.limit(99_00))), .price(100_00), .cancel(1), .price(98_00)],
            [2: [.cancelled(1)]]),
        ConformanceCase(
            "order cancelled in part keeps what it has",
            [
                .submit(Order(.limit(99_00))), .price(100_00), .price(98_90, size: 40),
                .cancel(1), .price(98_00),
            ], [2: [.fill(1, 40, at: 99_00)], 3: [.cancelled(1)]]),
    ]

    /// Of several orders, which one gets what little there is.
    static let priority: [ConformanceCase] = [
        ConformanceCase(
            "better limit comes first",
            [
                .submit(Order(.limit(99_20))), .submit(Order(.limit(99_50))), .price(100_00),
                .price(98_90, size: 100),
            ], [3: [.fill(2, 100, at: 99_50)]]),
        ConformanceCase(
            "older of two limits comes first",
            [
                .submit(Order(.limit(99_50))), .submit(Order(.limit(99_50))), .price(100_00),
                .price(98_90, size: 130),
            ], [3: [.fill(1, 100, at: 99_50), .fill(2, 30, at: 99_50)]]),
        ConformanceCase(
            "market comes before a limit",
            [
                .submit(Order(.limit(101_00))), .submit(Order(.market)),
                .price(100_00, size: 100),
            ], [2: [.fill(2, 100, at: 100_00)]]),
        ConformanceCase(
            "older of two at the market comes first",
            [
                .submit(Order(.market)), .submit(Order(.market)), .price(100_00, size: 150),
            ], [2: [.fill(1, 100, at: 100_00), .fill(2, 50, at: 100_00)]]),
    ]

    /// Stops that follow.
    static let trails: [ConformanceCase] = [
        ConformanceCase(
            "trail begins behind the market",
            [.submit(Order(.trail(1_00))), .price(100_00), .price(100_99), .price(101_00)],
            [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "trail follows, and not back",
            [
                .submit(Order(.trail(1_00))), .price(100_00), .price(99_00), .price(99_99),
                .price(100_00),
            ], [4: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "trail that is jumped over fills behind",
            [.submit(Order(.trail(1_00))), .price(100_00), .gap(102_00)],
            [2: [.fill(1, 100, at: 102_00)]]),
        ConformanceCase(
            "trail begins where it is told to",
            [
                .submit(Order(.trailFrom(1_00, start: 100_50))), .price(100_00),
                .price(100_50),
            ], [2: [.fill(1, 100, at: 100_50)]]),
        ConformanceCase(
            "trail that is told to begin far away follows",
            [
                .submit(Order(.trailFrom(1_00, start: 105_00))), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "trail with a limit fills within it",
            [
                .submit(Order(.trailLimit(1_00, start: 101_00, offset: 50))), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "trail with a limit waits for it",
            [
                .submit(Order(.trailLimit(1_00, start: 101_00, offset: 50))), .price(100_00),
                .gap(102_00), .price(101_40),
            ], [3: [.fill(1, 100, at: 101_50)]]),
        ConformanceCase(
            "trail with a limit follows",
            [
                .submit(Order(.trailLimit(1_00, start: 101_00, offset: 50))), .price(100_00),
                .price(99_00), .price(99_99), .price(100_00),
            ], [4: [.fill(1, 100, at: 100_00)]]),
        ConformanceCase(
            "trail rests after hours",
            [
                .submit(Order(.trail(1_00)) { $0.time = .goodTillCancelled }), .price(100_00),
                .lastPrice(100_00), .evening(98_00), .nextOpen(100_00), .price(101_00),
            ], [5: [.fill(1, 100, at: 101_00)]]),
    ]

    /// What stops go by, where that is said.
    static let triggers: [ConformanceCase] = [
        ConformanceCase(
            "stop goes by the last trade",
            [.submit(Order(.stop(101_00)) { $0.trigger = .last }), .price(100_00), .price(101_00)],
            [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop needs two trades",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .doubleLast }), .price(100_00),
                .price(101_00), .price(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop needs two trades in a row",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .doubleLast }), .price(100_00),
                .price(101_00), .price(100_90), .price(101_00), .price(101_00),
            ], [5: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop goes by bid or ask",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .bidAsk }), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop needs two quotes",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .doubleBidAsk }), .price(100_00),
                .price(101_00), .price(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop goes by a trade or a quote",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .lastOrBidAsk }), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "stop goes by the middle",
            [
                .submit(Order(.stop(101_00)) { $0.trigger = .midpoint }), .price(100_00),
                .price(101_00),
            ], [2: [.fill(1, 100, at: 101_00)]]),
        ConformanceCase(
            "touch needs two trades",
            [
                .submit(Order(.touch(99_00)) { $0.trigger = .doubleLast }), .price(100_00),
                .price(99_00), .price(99_00),
            ], [3: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "stop-limit needs two trades",
            [
                .submit(
                    Order(.stopLimit(101_00, limit: 101_50)) { $0.trigger = .doubleLast }),
                .price(100_00), .price(101_00), .price(101_00),
            ], [3: [.fill(1, 100, at: 101_00)]]),
    ]

    typealias Order = ConformanceOrder
}
